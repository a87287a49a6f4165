#include "ui/workbench/veil.h"

#include "ui/look/palette.h"

#include <QEvent>
#include <QPainter>
#include <QTimer>

namespace ui {
namespace {

constexpr float kDimming = 0.55F;

}  // namespace

Veil::Veil(QWidget& picture) : QWidget(&picture), m_delay(new QTimer(this)) {
    setObjectName(QStringLiteral("veil"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    m_delay->setSingleShot(true);
    m_delay->setInterval(kDelayMs);
    connect(m_delay, &QTimer::timeout, this, [this] {
        resize(parentWidget()->size());
        show();
        raise();
    });
    picture.installEventFilter(this);
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

bool Veil::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        resize(parentWidget()->size());
    return false;
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
