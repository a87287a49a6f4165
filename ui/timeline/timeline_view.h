#pragma once

#include "ui/timeline/lane_editor.h"
#include "ui/timeline/timeline_gestures.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_navigation.h"
#include "ui/timeline/timeline_painter.h"

#include <QAbstractScrollArea>

namespace ui {

class Minimap;
class ViewState;

/// Shows the lanes of every GPU over simulated time and lets the reader zoom, pan, hover, select and arrange them. Holds
/// no range, cursor or selection: they live in ViewState. The view lays itself out, connects its parts and forwards events
/// to them; the parts do the work.
class TimelineView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    using Spot = TimelineLayout::Spot;

    /// `viewState` must outlive the view; the main window owns both.
    explicit TimelineView(ViewState& viewState, QWidget* parent = nullptr);

    /// Makes it one of several beneath each other: without the map of the whole run above and the legend below.
    void setDense(bool dense);
    /// Shows another run. The picture stays as it is until this is called.
    void showModel(TimelineModel model);
    const TimelineModel& model() const { return m_model; }
    /// Returns what the rows that scroll show.
    const DrawList& drawList() { return m_painter.scrolledList(); }
    TimelineGeometry geometry() const { return m_layout.geometry(); }
    /// Returns the width of the lanes' names; the lanes begin to the right of them.
    double ownGutter() const { return m_layout.ownGutter(); }
    /// Begins the lanes no further to the left than at `least`, so that they stand under those of another timeline.
    void setLeastGutter(double least);
    /// Puts a strip over the same time between the overview and the lanes, as high as it asks for. extentChanged says
    /// where the lanes are.
    void setStrip(QWidget* strip);

    /// Adds an overlay above the others. `overlay` must outlive the view or be removed before.
    void addOverlay(const TimelineOverlay& overlay);
    void removeOverlay(const TimelineOverlay& overlay);
    /// Call when an overlay has changed.
    void repaintOverlays() { viewport()->update(); }
    TimelinePicture picture() const { return m_layout.picture(paletteOf(*this)); }
    // Positions and boxes are in the viewport's coordinates; see TimelineLayout.
    std::optional<data::SpanRef> spanAt(QPointF position) const { return m_layout.spanAt(position); }
    std::optional<Spot> spotAt(QPointF position) const { return m_layout.spotAt(position); }
    std::optional<QRectF> boxOf(data::SpanRef span) const { return m_layout.boxOf(span); }

    // See TimelineNavigation:
    void zoomBy(double factor) { m_navigation.zoomBy(factor); }
    void panBy(double share) { m_navigation.panBy(share); }
    void goBack() { m_navigation.goBack(); }
    void goForward() { m_navigation.goForward(); }
    void showSelection() { m_navigation.showSelection(); }
    void zoomToSelection() { m_navigation.zoomToSelection(); }
    void selectNeighbour(int by) { m_navigation.selectNeighbour(by); }

    // See LaneEditor:
    const LaneArrangement& arrangement() const { return m_lanes.arrangement(); }
    void setArrangement(LaneArrangement arrangement) { m_lanes.setArrangement(std::move(arrangement)); }
    QString hiddenReminder() const { return m_layout.reminder(); }
    void showAllLanes() { m_lanes.showAll(); }
    std::optional<LaneKey> focusedLane() const { return m_lanes.focusedLane(); }
    void moveFocus(int by) { m_lanes.moveFocus(by); }
    void pinFocused() { m_lanes.pinFocused(); }
    void hideFocused() { m_lanes.hideFocused(); }
    void openFocused() { m_lanes.openFocused(); }
    void shiftFocused(int by) { m_lanes.shiftFocused(by); }

Q_SIGNALS:
    void cursorRequested(qint64 ps);
    /// The lanes' place in the width has changed.
    void extentChanged(double left, double width);
    /// The span is selected in the view state already.
    void spanClicked(data::SpanRef span);
    void emptyClicked();
    void arrangementChanged();
    void hiddenReminderChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override { m_gestures.press(*event); }
    void mouseMoveEvent(QMouseEvent* event) override { m_gestures.move(*event); }
    void mouseReleaseEvent(QMouseEvent* event) override { m_gestures.release(*event); }
    void mouseDoubleClickEvent(QMouseEvent* event) override { m_gestures.doubleClick(*event); }
    void contextMenuEvent(QContextMenuEvent* event) override { m_gestures.openMenu(*event); }

private:
    QSize leastSize() const;
    void connectParts();
    void relayout();
    void placeRange();
    void refresh();
    void speakSelection();

    ViewState& m_viewState;
    Minimap* m_minimap;
    QWidget* m_strip = nullptr;
    TimelineModel m_model;
    TimelineLayout m_layout;
    LaneEditor m_lanes;
    TimelineNavigation m_navigation;
    TimelineGestures m_gestures;
    TimelinePainter m_painter;
    double m_leastGutter = 0;
};

}  // namespace ui
