#pragma once

#include "ui/look/timeline_geometry.h"
#include "ui/timeline/row_items.h"
#include "ui/timeline/timeline_model.h"
#include "ui/timeline/timeline_overlay.h"

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// Places the parts of the timeline in its viewport: the names of the lanes on the left, the axis above the rows, the
/// foot with the legend below them, the rows between. Answers what stands at a position. Knows no widget: the view tells
/// it the font, the size, the rows, the range and the scroll position.
class TimelineLayout {
public:
    static constexpr double kAxisLines = 2.9;  ///< height of the axis: times and phases

    struct Spot {
        std::size_t row;
        double heightShare;  ///< 0 top, 1 bottom
        std::int64_t ps;
    };

    /// `model` must outlive the layout.
    explicit TimelineLayout(const TimelineModel& model) : m_model(model) {}

    /// A dense timeline has no foot. Takes effect with the next setFont.
    void setDense(bool dense) { m_dense = dense; }
    /// Measures a line of `font`.
    void setFont(const QFont& font);
    void setSize(QSizeF size) { m_size = size; }
    /// Stacks the rows. A dense timeline lowers them and leaves the last ones out rather than scroll, unless it `scrolls`.
    void setRows(std::vector<Row> rows, bool scrolls);
    /// Places the range beside the names, which are at least `leastGutter` wide. `pixel` is the size of a device pixel.
    void setRange(data::TimeRange range, double pixel, double leastGutter);
    void setScroll(int pixels) { m_scroll = pixels; }
    /// Sets how the foot says that lanes are hidden. Returns whether that has changed.
    bool setReminder(const QString& text) { return std::exchange(m_reminder, text) != text; }

    const TimelineModel& model() const { return m_model; }
    const std::vector<Row>& rows() const { return m_rows; }
    const RowLayout& stack() const { return m_stack; }
    const TimelineGeometry& geometry() const { return m_geometry; }
    const QFont& font() const { return m_font; }
    QFont boldFont() const;
    bool isDense() const { return m_dense; }
    double width() const { return m_size.width(); }
    double height() const { return m_size.height(); }
    double line() const { return m_line; }  ///< height of a line of text, the unit of all other sizes
    double axisHeight() const { return m_axisHeight; }
    double footHeight() const { return m_footHeight; }
    double footTop() const { return height() - m_footHeight; }
    double right() const { return m_geometry.left + m_geometry.width; }  ///< of the lanes
    const QString& reminder() const { return m_reminder; }

    /// Returns how wide the names of the lanes are.
    double ownGutter() const;
    /// Returns the area between axis and foot, over the full width.
    QRectF rowsArea() const;
    /// Returns the box of the reminder in the foot; empty if no lane is hidden.
    QRectF reminderBox() const;
    /// Returns the ribbon's box of a phase, cut at the edges of the lanes; nullopt if it is out of sight.
    std::optional<QRectF> boxOf(const Phase& phase) const;
    /// Returns where a row stands in the viewport, whether in sight or not.
    RowBox boxOf(std::size_t row) const;
    /// Returns the first and the last row of a closed GPU; any other row is its own first and last.
    std::pair<std::size_t, std::size_t> blockOf(std::size_t row) const;
    /// Returns the scroll position, nearest to the present one, that shows the row.
    int scrollShowing(std::size_t row) const;

    std::optional<std::size_t> rowAt(QPointF position) const;
    std::optional<Spot> spotAt(QPointF position) const;
    /// Returns the span at a position, or the nearest within a few pixels.
    std::optional<data::SpanRef> spanAt(QPointF position) const;
    /// Returns the GPU whose row is nearest, also between rows and beyond the last one.
    std::uint32_t gpuNear(double y) const;
    /// Returns whether a position over the gutter of `row` is on the GPU's name and not on the lane's.
    bool isOnGpuName(std::size_t row, QPointF position) const;

    /// Returns the name of a GPU in the gutter and in menus: "GPU 3".
    static QString gpuName(std::uint32_t gpu);
    /// Returns the picture that overlays draw upon.
    TimelinePicture picture(const Palette& palette) const;

private:
    const TimelineModel& m_model;
    QFont m_font;
    QSizeF m_size;
    std::vector<Row> m_rows;
    RowLayout m_stack;
    TimelineGeometry m_geometry;
    QString m_reminder;
    double m_line = 16;
    double m_axisHeight = 0;
    double m_footHeight = 0;
    int m_scroll = 0;
    bool m_dense = false;
};

}  // namespace ui
