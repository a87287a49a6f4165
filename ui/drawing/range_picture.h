#pragma once

#include "data/replay/time_range.h"
#include "ui/drawing/part_picture.h"
#include "ui/look/timeline_geometry.h"
#include "ui/look/zoom_history.h"

#include <QElapsedTimer>

#include <cstdint>
#include <functional>

namespace ui {

/// Base class of pictures over time of which a range is visible: the wheel zooms at the pointer, with Shift it moves, as a
/// drag does, and the letters of the timeline do the same.
class RangePicture : public PartPicture {
    Q_OBJECT

public:
    data::TimeRange range() const { return m_range; }
    /// Shows another range, within the whole if the picture is bounded.
    void setRange(data::TimeRange range);
    void zoomAt(double x, double factor);
    /// Moves the range by a share of its width.
    void panBy(double share);
    /// Returns the mapping from time to x coordinates.
    virtual TimelineGeometry geometry() const = 0;

Q_SIGNALS:
    void rangeChanged();

protected:
    RangePicture(PartPictureConfig config, QWidget* parent);

    /// Shows all of a time that ends at `end`, and forgets the former ranges.
    void setWhole(std::int64_t end);
    std::int64_t wholeEnd() const { return m_end; }
    /// Returns whether the range stays within the whole; a picture that follows another one may show more.
    virtual bool isBounded() const { return true; }
    /// Called by a click at a position; a drag is none.
    virtual void press(QPointF at) = 0;
    /// Returns what a key of the timeline does here: W, S, A, D, +, -, 0 and Backspace; empty for other keys.
    std::function<void()> rangeActionOf(int key);
    std::function<void()> actionOf(int key) override { return rangeActionOf(key); }

    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::int64_t reach() const;

    std::int64_t m_end = 1;
    data::TimeRange m_range;
    ZoomHistory m_history;
    QElapsedTimer m_clock;
    bool m_pans = false;
    QPointF m_pressedAt;
    data::TimeRange m_rangeAtPress;
};

}  // namespace ui
