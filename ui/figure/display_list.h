#pragma once

#include "ui/look/texture.h"

#include <QColor>
#include <QImage>
#include <QList>
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

namespace ui {

/// A fill told apart without its colour by lines over it: ui::textureLines gives them, clipped, right at every dpi.
struct FigureFill {
    QColor colour;
    Texture texture = Texture::plain;
    QColor textureInk;
    double spacing = 3;       ///< of the lines, in points
    double lineWidth = 0.35;  ///< of the lines
    bool operator==(const FigureFill&) const = default;
};

struct FigurePen {
    QColor colour;
    double width = 0.5;  ///< points
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
enum class TextAlign : std::uint8_t { left, centre, right };

/// One line of text. `at` is on the baseline, at the end or the middle that `align` says; turned around it.
struct TextItem {
    QPointF at;
    QString text;
    double size = 7;  ///< points
    TextWeight weight = TextWeight::regular;
    TextAlign align = TextAlign::left;
    double angle = 0;  ///< degrees, clockwise: -90 reads upwards
    QColor colour;
    double width = 0;    ///< as measured
    QRectF box() const;  ///< what it covers, turned; ascent and descent as of the font
};

/// Only where a reader asked for it: a heat map of thousands of cells.
struct ImageItem {
    QRectF box;
    QImage image;  ///< one pixel a cell
};

/// What an item is part of: writers that plot from the data themselves leave the marks out.
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

struct DisplayItem {
    std::variant<RectItem, PolylineItem, PolygonItem, EllipseItem, TextItem, ImageItem> shape;
    FigurePart part{};
    std::optional<std::size_t> panel, mark;  ///< which of the figure; nothing: the figure's own
    QString meaning;                         ///< of a mark or an entry of the legend
    std::optional<QRectF> clip;
};

/// A figure taken apart: what to draw, from back to front. x to the right and y down, in points of 1/72 inch, from the upper
/// left corner of the page. Every writer draws this and nothing else.
struct DisplayList {
    QSizeF page;
    std::vector<DisplayItem> items;
};

/// Returns the part in one word, as the display list and SVG name it.
QString nameOf(FigurePart part);

}  // namespace ui
