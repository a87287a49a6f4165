#include "ui/workbench/explore_page.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/pictures.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

namespace ui {
namespace {

constexpr float kDimming = 0.55F;

}  // namespace

WaitingOverlay::WaitingOverlay(QWidget& picture)
    : QWidget(&picture), m_delay(pauseTimer(this, kDelayMs, [this] {
          resize(parentWidget()->size());
          show();
          raise();
      })) {
    setObjectName(QStringLiteral("waitingOverlay"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    onEvents(
        picture, {QEvent::Resize}, [this] { resize(parentWidget()->size()); }, this);
    hide();
}

void WaitingOverlay::start() {
    if (isHidden() && !m_delay->isActive())
        m_delay->start();
}

void WaitingOverlay::stop() {
    m_delay->stop();
    m_text.clear();
    hide();
}

void WaitingOverlay::setText(const QString& text) {
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    update();
}

void WaitingOverlay::paintEvent(QPaintEvent*) {
    const Palette& colors = paletteOf(*this);
    QPainter painter(this);
    QColor wash = colors.surface;
    wash.setAlphaF(kDimming);
    painter.fillRect(rect(), wash);
    if (m_text.isEmpty())
        return;
    const QFontMetrics metrics = fontMetrics();
    QRect box(0, 0, metrics.horizontalAdvance(m_text) + metrics.height() * 2, metrics.height() * 2);
    box.moveCenter(rect().center());
    painter.setPen(colors.line);
    painter.setBrush(colors.window);
    painter.drawRect(box);
    painter.setPen(colors.ink);
    painter.drawText(box, Qt::AlignCenter, m_text);
}

ExplorePage::ExplorePage(QWidget* parent) : QWidget(parent) {
    m_pictures = new Pictures(this);
    m_waitingOverlay = new WaitingOverlay(*m_pictures);
    // The switcher is beside the caption, which can be elided; beside the transport bar it would widen the window's
    // minimum.
    m_captionRow = new QHBoxLayout;
    m_captionRow->setContentsMargins(0, 0, fontMetrics().averageCharWidth() * 2, 0);
    m_captionRow->addWidget(m_pictures->switcher());
    m_column = flushLayout<QVBoxLayout>(this, 0);
    m_column->addLayout(m_captionRow);
    m_column->addWidget(m_pictures, 1);
    new ControlKeyFilter(*this);
    setFocusProxy(m_pictures);
}

void ExplorePage::setRow(Row row, QWidget* widget) {
    m_rows[row] = widget;
    if (row == Row::caption) {
        m_captionRow->insertWidget(0, widget, 1);
        return;
    }
    // The column contains the rows above the pictures, the row of the caption, the pictures, then the rows below them.
    int place = row > Row::caption ? 2 : 0;
    for (const auto& [other, there] : m_rows)
        place += other < row && other != Row::caption && m_column->indexOf(there) >= 0 ? 1 : 0;
    if (m_column->indexOf(widget) != place)
        m_column->insertWidget(place, widget);
}

}  // namespace ui
