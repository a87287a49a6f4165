#include "ui/workbench/spotlight.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QPainter>

namespace ui {

SpotlightFrame::SpotlightFrame(QWidget& target) : QWidget(target.parentWidget()), m_target(target) {
    setObjectName(QStringLiteral("spotMark"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    onEvents(
        target, {QEvent::Move, QEvent::Resize, QEvent::ShowToParent, QEvent::HideToParent}, [this] { follow(); }, this);
    connect(&target, &QObject::destroyed, this, &QObject::deleteLater);
    follow();
    raise();
}

void SpotlightFrame::follow() {
    const int around = fontMetrics().averageCharWidth() / 2;
    setGeometry(m_target.geometry().adjusted(-around, -around, around, around).intersected(parentWidget()->rect()));
    setVisible(!m_target.isHidden());
}

void SpotlightFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = fontMetrics().height() / 7.0, half = line / 2;
    painter.setPen(QPen(paletteOf(*this).of(Role::exposed), line));
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), line * 2, line * 2);
}

Spotlight::Spotlight(QWidget& window) : m_window(window) {}

void Spotlight::add(const QString& kind, Show show, std::function<void()> clear) {
    m_kinds[kind] = {std::move(show), std::move(clear)};
}

bool Spotlight::pointAt(const QString& part) {
    clear();
    const qsizetype colon = part.indexOf(u':');
    const auto kind = m_kinds.find(part.left(colon));
    if (colon > 0 && kind == m_kinds.end())
        return false;
    QWidget* target = colon > 0 ? kind->second.show(part.mid(colon + 1)) : m_window.findChild<QWidget*>(part);
    if (target == nullptr)
        return false;
    m_mark = new SpotlightFrame(*target);
    return true;
}

void Spotlight::clear() {
    delete m_mark;
    for (const auto& [name, kind] : m_kinds) {
        if (kind.clear)
            kind.clear();
    }
}

bool Spotlight::isOn() const { return m_mark != nullptr; }

}  // namespace ui
