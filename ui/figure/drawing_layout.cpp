#include "ui/figure/mark_layout.h"

#include "ui/figure/figure_text.h"

#include <algorithm>

namespace ui {
namespace {

struct Placing {
    QPointF corner;
    double scale = 1;
    QPointF operator()(double x, double y) const { return corner + QPointF(x, y) * scale; }
};

void draw(FigureSheet& sheet, const data::DrawingShape& shape, const Placing& place) {
    QPolygonF points;
    for (const auto& [x, y] : shape.points)
        points << place(x, y);
    std::optional<FigureFill> fill;
    std::optional<FigurePen> pen;
    if (shape.fill) {
        fill.emplace();
        fill->colour = QColor::fromRgba(*shape.fill);
    }
    if (shape.pen) {
        pen = FigurePen{QColor::fromRgba(shape.pen->colour), shape.pen->width * place.scale, {}};
        for (const double length : shape.pen->dash)
            pen->dash << length * place.scale;
    }
    if (shape.closed || fill)
        sheet.polygon(FigurePart::mark, points, fill, pen);
    else if (pen && points.size() > 1)
        sheet.line(FigurePart::mark, points, *pen);
}

void draw(FigureSheet& sheet, const data::DrawingText& text, const Placing& place) {
    const TextWeight weight = text.weight == data::DrawingText::Weight::bold       ? TextWeight::bold
                              : text.weight == data::DrawingText::Weight::semiBold ? TextWeight::semiBold
                                                                                   : TextWeight::regular;
    TextItem item = sheet.text(place(text.x, text.y), QString::fromStdString(text.text), text.size * place.scale,
                               TextAlign::left, text.angle, weight);
    item.colour = QColor::fromRgba(text.colour);
    sheet.put(FigurePart::mark, item);
}

}  // namespace

QRectF drawDrawing(FigureSheet& sheet, const data::DrawingMark& mark, const QRectF& box) {
    if (mark.width <= 0 || mark.height <= 0)
        return box;
    const double scale = std::min(box.width() / mark.width, box.height() / mark.height);
    const QSizeF size(mark.width * scale, mark.height * scale);
    const QPointF corner(box.center().x() - size.width() / 2, box.top() + (box.height() - size.height()) / 2);
    sheet.clipTo(QRectF(corner, size));
    for (const data::DrawingMark::Item& item : mark.items)
        std::visit([&](const auto& one) { draw(sheet, one, {corner, scale}); }, item);
    return {corner, size};
}

}  // namespace ui
