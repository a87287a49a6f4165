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

/// Computes the positions of the timeline's parts in its viewport: lane names at the left, the axis above the rows, the
/// rows, and the legend in the foot below them. Finds the row, span or GPU at a position. Does not depend on a widget:
/// the view passes font, size, rows, range and scroll position.
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

    /// Makes the timeline dense, without a foot. Takes effect with the next setFont().
    void setDense(bool dense) { m_dense = dense; }
    /// Measures a line of `font`.
    void setFont(const QFont& font);
    void setSize(QSizeF size) { m_size = size; }
    /// Stacks the rows. Unless it `scrolls`, a dense timeline makes the rows lower and leaves out the last ones.
    void setRows(std::vector<Row> rows, bool scrolls);
    /// Places the range beside the names, which are at least `leastGutter` wide. `pixel` is the size of a device pixel.
    void setRange(data::TimeRange range, double pixel, double leastGutter);
    void setScroll(int pixels) { m_scroll = pixels; }
    /// Sets the text in the foot that says how many lanes are hidden. Returns whether the text has changed.
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
    double right() const { return m_geometry.left + m_geometry.width; }  ///< right edge of the lanes
    const QString& reminder() const { return m_reminder; }

    /// Returns the width that the lane names need.
    double ownGutter() const;
    /// Returns the area between axis and foot, over the full width.
    QRectF rowsArea() const;
    /// Returns the box of the reminder in the foot; empty if no lane is hidden.
    QRectF reminderBox() const;
    /// Returns the box of a phase in the strip above the rows, clipped to the lanes; nullopt if it is not visible.
    std::optional<QRectF> boxOf(const Phase& phase) const;
    /// Returns the position of a row in the viewport, even if it is scrolled out of view.
    RowBox boxOf(std::size_t row) const;
    /// Returns the first and the last row of a collapsed GPU; for any other row the row itself, twice.
    std::pair<std::size_t, std::size_t> blockOf(std::size_t row) const;
    /// Returns the scroll position nearest to the current one that shows the row.
    int scrollShowing(std::size_t row) const;

    std::optional<std::size_t> rowAt(QPointF position) const;
    std::optional<Spot> spotAt(QPointF position) const;
    /// Returns the span at a position, or the nearest within a few pixels.
    std::optional<data::SpanRef> spanAt(QPointF position) const;
    /// Returns the GPU whose row is nearest to `y`, also between rows and below the last one.
    std::uint32_t gpuNear(double y) const;
    /// Returns whether a position in the gutter of `row` is on the GPU's name rather than the lane's.
    bool isOnGpuName(std::size_t row, QPointF position) const;

    /// Returns the name of a GPU in the gutter and in menus: "GPU 3".
    static QString gpuName(std::uint32_t gpu);
    /// Returns the positions and sizes that overlays need for drawing.
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
