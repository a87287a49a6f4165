#pragma once

#include "ui/drawing/figure_text.h"
#include "ui/figure/figure_writers.h"

#include <QFontMetricsF>

namespace tests {

inline ui::TextItem text(QPointF at, const QString& words, ui::TextAlign align = ui::TextAlign::left,
                         double angle = 0) {
    ui::TextItem item;
    item.at = at;
    item.text = words;
    item.align = align;
    item.angle = angle;
    item.colour = Qt::black;
    item.width = QFontMetricsF(ui::figureFont(item.size.font, item.weight)).horizontalAdvance(words) * item.size /
                 ui::kFigureFontSize;
    return item;
}

/// Returns a display list with each kind of item, on a page of 240 x 120 points: six textured squares, an ellipse, a
/// triangle, a dashed line that leaves its clip on both sides, and text in three directions with every letter that
/// formats must escape.
inline ui::DisplayList sampleList() {
    using namespace ui;
    DisplayList list{QSizeF(240, 120), {}};
    const FigurePen pen{QColor(Qt::black), 0.5, {}};
    const auto add = [&](auto shape, FigurePart part, std::optional<QRectF> clip = {}) {
        list.items.push_back({std::move(shape), part, std::nullopt, std::nullopt, std::nullopt, QString(), clip});
    };
    add(RectItem{QRectF(0, 0, 240, 120), FigureFill{QColor(Qt::white)}, {}}, FigurePart::background);
    for (int i = 0; i < 6; ++i) {
        const FigureFill fill{QColor(230, 159, 0), static_cast<Texture>(i), QColor(Qt::black)};
        add(RectItem{QRectF(10 + i * 24, 10, 20, 20), fill, pen}, FigurePart::mark);
    }
    const FigureFill hatched{QColor(86, 180, 233), Texture::rising, QColor(Qt::black)};
    add(EllipseItem{QRectF(180, 10, 30, 20), hatched, pen}, FigurePart::mark);
    add(PolygonItem{QPolygonF({QPointF(215, 30), QPointF(235, 30), QPointF(225, 10)}), hatched, pen}, FigurePart::mark);
    const FigurePen dashed{QColor(0, 114, 178), 1, {3, 1.5}};
    add(PolylineItem{QPolygonF({QPointF(-20, 60), QPointF(120, 40), QPointF(260, 70)}), dashed}, FigurePart::mark,
        QRectF(20, 40, 200, 25));
    add(text({20, 80}, QStringLiteral("Run & time <µs> 100 % of $x_1^2 {a} #3 ~ \\ \"q\"")), FigurePart::axis);
    add(text({8, 110}, QStringLiteral("upwards"), TextAlign::left, -90), FigurePart::axis);
    add(text({120, 100}, QStringLiteral("T3-MCA × 1.30 – geomean"), TextAlign::centre), FigurePart::title);
    TextItem strong = text({20, 115}, QStringLiteral("strong"));
    strong.weight = TextWeight::semiBold;
    add(strong, FigurePart::title);
    add(text({230, 100}, QStringLiteral("right"), TextAlign::right), FigurePart::legend);
    return list;
}

/// Returns a figure with the list above and with every field of provenance.
inline ui::ReadyFigure sampleFigure() {
    data::FigureSpec spec;
    spec.name = "sample";
    spec.title = "Sub-layers & policies <\xC2\xB5s>";
    spec.caption = "What is hidden, and what is not.";
    spec.alternative = "Two bars; the left one is \"longer\" & hatched.";
    spec.provenance.program = "Ringside 0.1.0";
    spec.provenance.engine = "1.2";
    spec.provenance.made = "2026-01-02T03:04:05Z";
    spec.provenance.command = "ringside figure sample";
    spec.provenance.experiments = {{"t-nlg fc-2", "0123456789abcdef", "{\"name\": \"]]> <x> \xC2\xB5\"}"}};
    spec.provenance.published = {{"t3.speedup", "published", 1.3}};
    spec.provenance.publishedSource = "A paper, 2024";
    data::FigurePanel panel;
    panel.categories.labels = {"a", "b"};
    panel.marks = {data::BarMark{{{"", {{"time", "gemm", {1.5, 2}, {}, {}, 0}}}}, false}};
    spec.panels = {panel};
    return {spec, {sampleList(), {}, {}}};
}

}  // namespace tests
