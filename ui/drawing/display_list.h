#pragma once

#include "data/figure/figure_spec.h"
#include "ui/look/texture.h"

#include <QColor>
#include <QImage>
#include <QLineF>
#include <QList>
#include <QPen>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

class QPainter;

namespace ui {

/// A fill, and lines over it that identify it without colour. ui::textureLines() returns the lines clipped to the
/// shape, correct at any resolution.
struct FigureFill {
    QColor colour;
    Texture texture = Texture::plain;
    QColor textureInk;
    double spacing = 3;       ///< distance between lines, in points
    double lineWidth = 0.35;  ///< width of the lines
    bool operator==(const FigureFill&) const = default;
};

struct FigurePen {
    QColor colour;
    double width = 0.5;  ///< in points
    QList<double> dash;  ///< on, off, ... in points; empty: solid
    bool operator==(const FigurePen&) const = default;
};

struct RectItem {
    QRectF box;
    std::optional<FigureFill> fill;
    std::optional<FigurePen> pen;
};
struct PolylineItem {
    QPolygonF points;
    FigurePen pen;
};
struct PolygonItem {
    QPolygonF points;
    std::optional<FigureFill> fill;
    std::optional<FigurePen> pen;
};
struct EllipseItem {
    QRectF box;
    std::optional<FigureFill> fill;
    std::optional<FigurePen> pen;
};

enum class TextWeight : std::uint8_t { regular, semiBold, bold };

/// The size of a text in points, with the font that measures and draws it.
struct TextSize {
    double points = 7;
    data::FigureFont font = data::FigureFont::ringsideSans;
    // NOLINTNEXTLINE(google-explicit-constructor): lengths follow from sizes everywhere.
    constexpr operator double() const { return points; }
};
enum class TextAlign : std::uint8_t { left, centre, right };

/// One line of text. `at` is on the baseline, at the start, middle or end of the text as `align` says; the text is
/// rotated around it.
struct TextItem {
    QPointF at;
    QString text;
    TextSize size;
    TextWeight weight = TextWeight::regular;
    TextAlign align = TextAlign::left;
    double angle = 0;  ///< in degrees, clockwise: -90 reads upwards
    QColor colour;
    double width = 0;    ///< in points, as measured
    QRectF box() const;  ///< the rotated rectangle that it covers, with the font's ascent and descent
};

/// Used only on the user's request, for a heat map of thousands of cells.
struct ImageItem {
    QRectF box;
    QImage image;  ///< one pixel for each cell
};

/// The part of the figure that an item belongs to: writers that plot from the data themselves leave out the marks.
enum class FigurePart : std::uint8_t {
    background,
    grid,
    mark,
    axis,
    category,
    legend,
    title,
    reference,
    annotation,
    value
};

/// The value that an item shows: the row of its mark's table (data::tablesOf) and the series.
struct ItemValue {
    std::size_t row = 0, series = 0;
    bool operator==(const ItemValue&) const = default;
};

struct DisplayItem {
    std::variant<RectItem, PolylineItem, PolygonItem, EllipseItem, TextItem, ImageItem> shape;
    FigurePart part{};
    std::optional<std::size_t> panel,
        mark;                        ///< indices within the figure; empty: the item belongs to the figure as a whole
    std::optional<ItemValue> value;  ///< of a mark whose values are apart, such as bars and markers
    QString meaning;                 ///< of a mark or a legend entry
    std::optional<QRectF> clip;
    std::optional<std::size_t> note{};  ///< of an annotation: its index in the panel
};

/// A figure as drawing operations, from back to front. x points right and y down, in points of 1/72 inch, from the
/// upper left corner of the page. Every writer draws exactly this list.
struct DisplayList {
    QSizeF page;
    std::vector<DisplayItem> items;
};

/// Returns a pen for a painter whose unit is a point.
QPen penOf(const FigurePen& pen, Qt::PenJoinStyle join);

/// Paints a display list; the painter's unit is a point.
void paint(QPainter& painter, const DisplayList& list);

/// Returns the lines of a fill's texture, clipped to the shape. Every writer draws these lines and never a pattern,
/// because the spacing of patterns differs between devices and some viewers omit them. A dot is a line as long as it is
/// wide.
std::vector<QLineF> fillLines(const FigureFill& fill, const QRectF& box);
std::vector<QLineF> fillLines(const FigureFill& fill, const QPolygonF& polygon);

/// Returns the width of these lines.
double fillLineWidth(const FigureFill& fill);

/// Returns an ellipse as a polygon, finer than print can show.
QPolygonF ellipseOutline(const QRectF& box);

/// Returns the name of the part, one word, as in the display list and in SVG.
QString nameOf(FigurePart part);

}  // namespace ui
