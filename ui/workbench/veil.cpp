#include "ui/workbench/veil.h"

#include "ui/look/palette.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QPainter>
#include <QTimer>

namespace ui {
namespace {

constexpr float kDimming = 0.55F;

}  // namespace

Veil::Veil(QWidget& picture)
    : QWidget(&picture), m_delay(pauseTimer(this, kDelayMs, [this] {
          resize(parentWidget()->size());
          show();
          raise();
      })) {
    setObjectName(QStringLiteral("veil"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    onEvents(
        picture, {QEvent::Resize}, [this] { resize(parentWidget()->size()); }, this);
    hide();
}

void Veil::drop() {
    if (isHidden() && !m_delay->isActive())
        m_delay->start();
}

void Veil::lift() {
    m_delay->stop();
    m_words.clear();
    hide();
}

void Veil::say(const QString& words) {
    if (words == m_words)
        return;
    m_words = words;
    setAccessibleName(words);
    update();
}

void Veil::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    QColor wash = colors.surface;
    wash.setAlphaF(kDimming);
    painter.fillRect(rect(), wash);
    if (m_words.isEmpty())
        return;
    const QFontMetrics metrics = fontMetrics();
    QRect box(0, 0, metrics.horizontalAdvance(m_words) + metrics.height() * 2, metrics.height() * 2);
    box.moveCenter(rect().center());
    painter.setPen(colors.line);
    painter.setBrush(colors.window);
    painter.drawRect(box);
    painter.setPen(colors.ink);
    painter.drawText(box, Qt::AlignCenter, m_words);
}

}  // namespace ui
