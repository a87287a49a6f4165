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

/// Shows the lanes of every GPU over simulated time, and lets the user zoom, pan, hover, select and arrange them.
/// Range, cursor and selection are stored in ViewState. The view lays itself out, connects its parts and forwards
/// events to them; the parts do the work.
class TimelineView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    /// `viewState` must outlive the view; the main window owns both.
    explicit TimelineView(ViewState& viewState, QWidget* parent = nullptr);

    /// Makes the timeline one of several below each other, without the overview above and the legend below.
    void setDense(bool dense);
    /// Shows another run. The picture stays as it is until this is called.
    void showModel(TimelineModel model);
    const TimelineModel& model() const { return m_model; }
    /// Returns the draw list of the scrolling rows.
    const DrawList& drawList() { return m_painter.scrolledList(); }
    TimelineGeometry geometry() const { return m_layout.geometry(); }
    /// Sets the smallest width of the names at the left, so that the lanes are aligned with those of another timeline.
    void setLeastGutter(double least);
    /// Places a widget with the same time axis between the overview and the lanes, with the height of its size hint.
    /// extentChanged() reports the lanes' horizontal position.
    void setStrip(QWidget* strip);

    /// Adds an overlay above the others. `overlay` must outlive the view or be removed before.
    void addOverlay(const TimelineOverlay& overlay);
    void removeOverlay(const TimelineOverlay& overlay);
    /// Call when an overlay has changed.
    void repaintOverlays() { viewport()->update(); }
    TimelinePicture picture() const { return m_layout.picture(paletteOf(*this)); }
    const TimelineLayout& layout() const { return m_layout; }
    TimelineNavigation& navigation() { return m_navigation; }
    LaneEditor& lanes() { return m_lanes; }

Q_SIGNALS:
    void cursorRequested(qint64 ps);
    /// The horizontal position of the lanes has changed.
    void extentChanged(double left, double width);
    void hiddenReminderChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
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
