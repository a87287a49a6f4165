#include "ui/workbench/presenter_caption.h"

#include "ui/look/palette.h"
#include "ui/look/relative_font.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr double kLarger = 1.6;  // than the type of presenter mode, which is half as large again
constexpr int kMostCaptionLines = 2;
constexpr int kTallScreen = 22;  // in lines of the caption: a lower one has room for one

}  // namespace

PresenterCaption::PresenterCaption(QWidget* parent) : QWidget(parent), m_text(newWrappedLabel(this)) {
    setObjectName(QStringLiteral("presenterCaption"));
    setRelativeFont(*m_text, kLarger, QFont::DemiBold);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAccessibleName(tr("What happens at the cursor"));
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* column = flushLayout<QVBoxLayout>(this);
    column->addWidget(m_text);
    followColours(*this, [this] { setInk(*m_text, Palette::inkOn(paletteOf(Theme::dark).surface)); });
    onEvents(*m_text, {QEvent::FontChange}, [this] { fit(); });
    onEvents(*this, {QEvent::Resize}, [this] { fit(); });
    fit();
}

void PresenterCaption::showParts(const QStringList& parts) {
    if (parts == m_parts)
        return;
    m_parts = parts;
    fit();
}

QString PresenterCaption::text() const { return m_text->text(); }

int PresenterCaption::lines() const {
    return screen()->size().height() < kTallScreen * QFontMetrics(m_text->font()).lineSpacing() ? 1 : kMostCaptionLines;
}

bool PresenterCaption::fits(const QString& text) const {
    const QRect room(0, 0, m_text->width(), 1 << 20);
    const QFontMetrics metrics(m_text->font());
    return metrics.boundingRect(room, Qt::TextWordWrap, text).height() <= metrics.lineSpacing() * lines() + 2;
}

void PresenterCaption::fit() {
    const QFontMetrics metrics(m_text->font());
    const int em = metrics.averageCharWidth();
    layout()->setContentsMargins(em * 2, em / 2, em * 2, em / 2);
    setFixedHeight(metrics.lineSpacing() * lines() + em);
    layout()->activate();
    QStringList shown = m_parts;
    const QString between = QStringLiteral("  ·  ");
    while (shown.size() > 1 && !fits(shown.join(between)))
        shown.removeLast();
    m_text->setText(shown.join(between));
    m_text->setAccessibleDescription(m_parts.join(QStringLiteral(", ")));
}

void PresenterCaption::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), paletteOf(Theme::dark).surface);
    painter.fillRect(0, 0, width(), 1, paletteOf(Theme::dark).line);
}

}  // namespace ui
