#pragma once

#include "data/replay/span_ref.h"
#include "data/replay/time_range.h"

#include <QObject>
#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <optional>

class QAbstractScrollArea;
class QContextMenuEvent;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace ui {

class LaneEditor;
class TimelineLayout;
class TimelineNavigation;
class ViewState;

/// The marks that a drag draws over the rows of the timeline while the button is down.
struct DragFeedback {
    std::optional<QRectF> zoomBox;   ///< the area to which releasing the button will zoom
    std::optional<QRectF> dropLine;  ///< the place to which releasing the button will move the lane
};

/// Turns mouse and key events over the timeline into changes of the range, the selection and the lanes. Stores the
/// state of a drag. The view forwards its events to this object.
class TimelineGestures final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the gestures. `area` is the view.
    TimelineGestures(QAbstractScrollArea& area, ViewState& viewState, const TimelineLayout& layout, LaneEditor& lanes,
                     TimelineNavigation& navigation);

    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void doubleClick(const QMouseEvent& event);
    void wheel(const QWheelEvent& event);
    void openMenu(const QContextMenuEvent& event);
    /// Returns 1 or -1 if the key selects the next or previous span in the lane of the selected one, else 0.
    int spanStep(const QKeyEvent& event) const;

    /// Returns what to draw over the rows during the current drag.
    DragFeedback feedback() const;

Q_SIGNALS:
    void cursorRequested(qint64 ps);

private:
    /// The effect of the current drag.
    enum class Drag : std::uint8_t { none, cursor, undecided, area, pan, box, gutter, lane };

    void hover(QPointF position, QPoint globalPosition);
    void click(QPointF position);
    void clickOnPhase(QPointF position);
    void clickInGutter(QPointF position);
    void select(data::SpanRef span, std::uint32_t chunk);
    void drag(QPointF position);
    void dropLane(QPointF position);
    void zoomToBox(QPointF position);
    /// Returns whether the pointer has moved far enough since the press to start a drag; a small movement during a
    /// click does not count.
    bool hasMovedTo(QPointF position) const;
    void repaint();

    QAbstractScrollArea& m_area;
    ViewState& m_viewState;
    const TimelineLayout& m_layout;
    LaneEditor& m_lanes;
    TimelineNavigation& m_navigation;
    Drag m_drag = Drag::none;
    QPointF m_from, m_to;
    data::TimeRange m_rangeAtPress;
};

}  // namespace ui
