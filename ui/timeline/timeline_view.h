#pragma once

#include "ui/look/palette.h"
#include "ui/look/time_axis.h"
#include "ui/look/timeline_geometry.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/lane_image.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_overlay.h"
#include "ui/timeline/zoom_history.h"

#include <QAbstractScrollArea>

#include <set>
#include <vector>

class QMenu;

namespace ui {

class Minimap;
class ViewState;

/// Draws the lanes of every GPU over simulated time and lets the reader zoom, pan, hover, select and arrange them.
/// Holds no range, cursor or selection: they live in ViewState. What is in sight is built once a frame, however many
/// changes that frame has seen, and written into images; painting copies them.
class TimelineView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    struct Spot {
        std::size_t row;
        double heightShare;  ///< 0 top, 1 bottom
        std::int64_t ps;
    };

    /// `viewState` must outlive the view; the main window owns both.
    explicit TimelineView(ViewState& viewState, QWidget* parent = nullptr);

    /// One of several, beneath each other: no map of the whole run above the lanes, no legend below them.
    void setDense(bool dense);
    /// What was drawn before stays until this is called.
    void showModel(TimelineModel model);
    const TimelineModel& model() const { return m_model; }
    /// Of the rows that scroll.
    const DrawList& drawList();
    TimelineGeometry geometry() const { return m_geometry; }
    /// How wide the names of its lanes are; the lanes begin to the right of them.
    double ownGutter() const;
    /// Begins the lanes no further to the left than at `least`, so that they stand under those of another timeline.
    void setLeastGutter(double least);
    /// Puts a strip over the same time between the overview and the lanes, as high as it asks for. extentChanged says
    /// where the lanes are.
    void setStrip(QWidget* strip);

    /// Drawn in the order of addition. `overlay` must outlive the view or be removed before.
    void addOverlay(const TimelineOverlay& overlay);
    void removeOverlay(const TimelineOverlay& overlay);
    /// An overlay has something else to say.
    void repaintOverlays() { viewport()->update(); }
    TimelinePicture picture() const;
    /// The span drawn at a place of the viewport, or the nearest within a few pixels.
    std::optional<data::SpanRef> spanAt(QPointF position) const;
    /// The row at a place of the viewport and the moment there.
    std::optional<Spot> spotAt(QPointF position) const;
    /// Where a span is drawn now, in the viewport's coordinates and not clipped to them; nothing where no row shows it.
    std::optional<QRectF> boxOf(data::SpanRef span) const;

    void zoomBy(double factor);
    void panBy(double share);  ///< of the visible range
    void goBack();             ///< to what was in sight before
    void goForward();
    void showSelection();          ///< brings it into sight and leaves the zoom as far as it can
    void zoomToSelection();        ///< as large as it fits
    void selectNeighbour(int by);  ///< the next or previous span of the selected one's lane, or of the lane in focus

    const LaneArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(LaneArrangement arrangement);
    /// "2 lanes hidden", or empty.
    QString hiddenReminder() const;
    void showAllLanes();
    /// The lane that keys act on.
    std::optional<LaneKey> focusedLane() const;
    void moveFocus(int by);
    void pinFocused();
    void hideFocused();
    void openFocused();  ///< or closes it: the lane's details, or its GPU where it has none
    void shiftFocused(int by);

Q_SIGNALS:
    void cursorRequested(qint64 ps);
    /// The lanes' place in the width has changed.
    void extentChanged(double left, double width);
    /// It is selected in the view state already.
    void spanClicked(data::SpanRef span);
    void emptyClicked();
    void arrangementChanged();
    void hiddenReminderChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    /// What the pressed button does.
    enum class Drag : std::uint8_t { none, cursor, undecided, area, pan, box, gutter, lane };
    /// Rows that scroll together, and those that do not.
    struct Pane {
        QRectF area;
        DrawList list;
        LaneImage image;
    };
    struct PhaseItem {
        QRectF box;
        Role role;
        QString text;
    };
    struct Tag {
        double x;
        QRectF box;
        Role role;
        QString text;
    };

    QSize leastSize() const;
    void relayout();
    void thinOut();
    void placeRange();
    void refresh();
    void build();
    void buildPane(Pane& pane, bool pinned, const PixelColumns& columns);
    void drawPane(Pane& pane, bool pinned);
    void buildPhases();
    void buildTags();
    RowBox shownBox(std::size_t row) const;  ///< in the viewport's coordinates
    /// The first and the last of the rows of a closed GPU; of any other row itself.
    std::pair<std::size_t, std::size_t> blockOf(std::size_t row) const;
    const QRectF& paneOf(std::size_t row) const { return (m_rows[row].pinned ? m_pinned : m_scrolled).area; }
    std::optional<std::size_t> rowAt(QPointF position) const;

    void hover(QPointF position, QPoint globalPosition);
    void click(QPointF position);
    void clickOnPhase(QPointF position);
    void drag(QPointF position);
    void dropLane(QPointF position);
    void zoomToBox(QPointF position);
    std::uint32_t gpuNear(double y) const;

    void arrange(LaneArrangement arrangement);
    void focusRow(std::size_t row);
    void revealRow(std::size_t row);
    std::optional<std::size_t> focusedRow() const;
    void toggleOpen(const Row& row);
    void toggleGpu(std::uint32_t gpu);
    bool isOnGpuName(std::size_t row, QPointF position) const;
    void clickInGutter(QPointF position);
    void shift(const Row& row, int by);
    void fillMenu(QMenu& menu, const Row& row);
    void fillOpenMenu(QMenu& menu, const Row& row);
    std::optional<data::TimeRange> selectedRange() const;
    int spanStep(const QKeyEvent& event) const;
    void speakSelection();

    void paintGutter(QPainter& painter, bool pinned) const;
    void paintFocus(QPainter& painter, bool pinned) const;
    void paintChevron(QPainter& painter, QPointF middle, bool open) const;
    void paintLabels(QPainter& painter, const Pane& pane) const;
    void paintFollowed(QPainter& painter, const Pane& pane) const;
    void paintOverlays(QPainter& painter) const;
    void paintBoxZoom(QPainter& painter) const;
    void paintDrop(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintFuture(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintReminder(QPainter& painter) const;
    void paintEmpty(QPainter& painter) const;
    void paintBoundStatement(QPainter& painter) const;
    QRectF rowsArea() const;
    QRectF reminderBox() const;

    ViewState& m_viewState;
    Minimap* m_minimap;
    QWidget* m_strip = nullptr;
    TimelineModel m_model;
    LaneArrangement m_arrangement;
    ZoomHistory m_history;
    std::vector<Row> m_rows;
    RowLayout m_layout;
    TimelineGeometry m_geometry;
    Pane m_pinned, m_scrolled;
    bool m_itemsStale = true;   // the lists and all below are older than model, range or rows
    bool m_imagesStale = true;  // the images are older than the lists, the palette or the followed chunk
    std::vector<Tick> m_ticks;
    std::vector<PhaseItem> m_phaseItems;
    std::vector<Tag> m_tags;
    bool m_dense = false;
    double m_leastGutter = 0;
    double m_line = 16;  ///< height of a line of text, what everything is measured in
    double m_axisHeight = 0;
    double m_footHeight = 0;
    std::vector<const TimelineOverlay*> m_overlays;
    std::optional<LaneKey> m_focused;
    bool m_focusedPinned = false;
    QString m_reminder;
    Drag m_drag = Drag::none;
    QPointF m_dragFrom, m_dragTo;
    data::TimeRange m_dragRange;  // as it was when the button went down
};

}  // namespace ui
