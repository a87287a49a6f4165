#include "ui/drawing/range_picture.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr double kWheelZoom = 1.2, kKeyZoom = 1.5, kNotch = 120, kPanShare = 0.1;
constexpr double kDragThreshold = 4;

}  // namespace

RangePicture::RangePicture(PartPictureConfig config, QWidget* parent) : PartPicture(std::move(config), parent) {
    m_clock.start();
}

void RangePicture::setWhole(std::int64_t end) {
    m_end = std::max<std::int64_t>(1, end);
    m_range = {0, m_end};
    m_history.restart(m_range);
}

std::int64_t RangePicture::reach() const { return isBounded() ? m_end : std::max(m_end, m_range.end); }

void RangePicture::setRange(data::TimeRange range) {
    if (isBounded()) {
        const std::int64_t least = std::min(TimelineGeometry::kShortestRange, m_end);
        range.start = std::clamp<std::int64_t>(range.start, 0, m_end - least);
        range.end = std::clamp<std::int64_t>(range.end, range.start + least, m_end);
    }
    if (range == m_range)
        return;
    m_range = range;
    m_history.record(range, m_clock.elapsed());
    repaintAll();
    Q_EMIT rangeChanged();
}

void RangePicture::zoomAt(double x, double factor) { setRange(geometry().zoomed(x, factor, reach())); }

void RangePicture::panBy(double share) { setRange(geometry().panned(share * geometry().width, reach())); }

std::function<void()> RangePicture::rangeActionOf(int key) {
    const double middle = geometry().left + geometry().width / 2;
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus: return [this, middle] { zoomAt(middle, kKeyZoom); };
    case Qt::Key_S:
    case Qt::Key_Minus: return [this, middle] { zoomAt(middle, 1 / kKeyZoom); };
    case Qt::Key_A: return [this] { panBy(-kPanShare); };
    case Qt::Key_D: return [this] { panBy(kPanShare); };
    case Qt::Key_0: return [this] { setRange({0, m_end}); };
    case Qt::Key_Backspace:
        return [this] {
            if (const auto range = m_history.back()) {
                m_range = *range;
                repaintAll();
                Q_EMIT rangeChanged();
            }
        };
    default: return {};
    }
}

void RangePicture::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / kNotch;
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        event->ignore();  // the area around the picture scrolls
        return;
    }
    if ((event->modifiers() & Qt::ShiftModifier) != 0 || delta.y() == 0)
        panBy(-notches * kPanShare);
    else
        zoomAt(event->position().x(), std::pow(kWheelZoom, notches));
    event->accept();
}

void RangePicture::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    m_pressedAt = event->position();
    m_rangeAtPress = m_range;
    m_pans = false;
}

void RangePicture::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) == 0)
        return;
    m_pans = m_pans || (event->position() - m_pressedAt).manhattanLength() > kDragThreshold;
    if (!m_pans)
        return;
    setCursor(Qt::ClosedHandCursor);
    TimelineGeometry atPress = geometry();
    atPress.range = m_rangeAtPress;
    setRange(atPress.panned(m_pressedAt.x() - event->position().x(), reach()));
}

void RangePicture::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    if (!m_pans && event->button() == Qt::LeftButton)
        press(event->position());
    m_pans = false;
}

}  // namespace ui
