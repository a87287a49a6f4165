#pragma once

#include "ui/shared/palette.h"
#include "ui/shared/time_axis.h"
#include "ui/shared/timeline_geometry.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/row_layout.h"
#include "ui/timeline/row_tracks.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_overlay.h"

#include <QAbstractScrollArea>

#include <set>
#include <vector>

namespace ui {

class ViewState;

/// Draws the lanes of every GPU over simulated time and lets the reader zoom, pan, hover and select.
/// Holds no range, cursor or selection: they live in ViewState. Whatever changes rebuilds the draw list; painting only
/// replays it.
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

    /// What was drawn before stays until this is called.
    void showModel(TimelineModel model);
    const TimelineModel& model() const { return m_model; }
    const DrawList& drawList() const { return m_drawList; }
    TimelineGeometry geometry() const { return m_geometry; }

    /// Drawn in the order of addition. `overlay` must outlive the view or be removed before.
    void addOverlay(const TimelineOverlay& overlay);
    void removeOverlay(const TimelineOverlay& overlay);
    /// An overlay has something else to say.
    void repaintOverlays() { viewport()->update(); }
    TimelinePicture picture() const;
    /// The span drawn at a place of the viewport, or the nearest within a few pixels.
    std::optional<SpanRef> spanAt(QPointF position) const;
    /// The row at a place of the viewport and the moment there.
    std::optional<Spot> spotAt(QPointF position) const;
    /// Where a span is drawn now, in the viewport's coordinates and not clipped to them; nothing where no row shows it.
    std::optional<QRectF> boxOf(SpanRef span) const;

    void zoomBy(double factor);
    void panBy(double share);  ///< of the visible range
    void setExpanded(std::uint32_t gpu, bool expanded);
    bool isExpanded(std::uint32_t gpu) const { return m_expanded.contains(gpu); }

Q_SIGNALS:
    void cursorRequested(qint64 ps);
    /// It is selected in the view state already.
    void spanClicked(ui::SpanRef span);
    void emptyClicked();

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
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    /// What the pressed button does.
    enum class Drag : std::uint8_t { none, cursor, undecided, area, pan, box };
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

    void relayout();
    void rebuild();
    void buildRow(const Row& row, const RowBox& box);
    void labelChunks(std::size_t firstItem, Role role);
    void labelWaves(const Row& row, const RowBox& box, std::size_t firstItem);
    void labelBound(const Row& row, const RowBox& box);
    bool placeLabel(const QRectF& box, const QString& text, Role role);
    std::pair<double, double> visible(const engine::Span& span) const;  ///< x extent within the picture
    void buildPhases();
    void buildTags();
    void hover(QPointF position, QPoint globalPosition);
    bool pressInGutter(QPointF position);
    void click(QPointF position);
    void drag(QPointF position);
    void zoomToBox(QPointF position);
    std::uint32_t gpuNear(double y) const;

    void paintRows(QPainter& painter) const;
    void paintItems(QPainter& painter) const;
    void paintGutter(QPainter& painter) const;
    void paintOverlays(QPainter& painter) const;
    void paintBoxZoom(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintEmpty(QPainter& painter) const;
    void paintBoundStatement(QPainter& painter) const;
    QRectF rowsArea() const;
    double gutterWidth() const;

    ViewState& m_viewState;
    TimelineModel m_model;
    std::set<std::uint32_t> m_expanded{0};
    std::vector<Row> m_rows;
    RowLayout m_layout;
    TimelineGeometry m_geometry;
    DrawList m_drawList;
    std::vector<Tick> m_ticks;
    std::vector<PhaseItem> m_phaseItems;
    std::vector<Tag> m_tags;
    double m_line = 16;  ///< height of a line of text, what everything is measured in
    double m_axisHeight = 0;
    double m_footHeight = 0;
    std::vector<const TimelineOverlay*> m_overlays;
    Drag m_drag = Drag::none;
    QPointF m_dragFrom, m_dragTo;
    TimeRange m_dragRange;  // as it was when the button went down
};

}  // namespace ui
