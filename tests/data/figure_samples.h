#pragma once

#include "data/figure/figure_spec.h"

/// Returns a figure with a panel for each kind of mark, in which every field differs from its default at least once.
inline data::FigureSpec everyKindOfMark() {
    using namespace data;
    FigureSpec figure;
    figure.name = "every-kind";
    figure.title = "Every kind of mark";
    figure.caption = "Caption with \"quotes\", a \\ and µ.";
    figure.alternative = "Eight panels.";
    figure.size = FigureSize::acmText;
    figure.height = 400;
    figure.theme = FigureTheme::greyPrint;
    figure.legend = FigureLegend::right;
    figure.columns = 2;
    figure.width = 500;
    figure.letters = true;
    figure.from = {
        FigureSource::Kind::sweep, "every", "links.json", "{\"axes\": []}", {{"mine.json", "{}"}}, {"x=link.bandwidth"},
        {"link.latency=1us"}};
    figure.edits = {"letters=true", "series.\"T3.5\".name=Ours"};

    FigurePanel bars;
    bars.title = "(a) Bars";
    bars.categories = {{"OP", "FC-2", "Geomean"}, {{"T-NLG", 2}, {"", 1}}};
    bars.y = {"Speed-up", "", "Sequential", FigureScale::linear, 0.0, 2.0, {0, 0.5, 1, 1.5, 2}};
    BarMark mark;
    mark.valuesWritten = true;
    mark.decimals = 2;
    mark.bars = {{"Sequential",
                  {{"GEMM", "gemm", {1.0, 0.5, {}}, {}, {}, 0}, {"RS", "reduce-scatter", {0.25, 0.1, 0.3}, {}, {}, 0}}},
                 {"T3", {{"T3", "policy/t3", {1.5, 1.25, 1.375}, {1.4, 1.2, 1.3}, {1.6, 1.3, 1.4}, 5}}}};
    bars.marks = {mark};
    bars.references = {{1.3, "paper: 1.30", "published", 2, 1}, {1.0, "", "", {}, {}}};
    bars.annotations = {
        {0, 1.9, "best"}, {0, 1, "rising", 2, 1.5}, {0, 1, "here", 1, 1.2, FigureAnnotation::Kind::arrow}};
    bars.weight = 1.5;

    FigurePanel lines;
    lines.x = {"Size", "MiB", "", FigureScale::logarithmic, 1.0, 100.0, {1, 10, 100}};
    lines.y = {"Time", "µs", "", FigureScale::logarithmic, {}, {}, {}};
    lines.marks = {LineMark{{1, 10, 100}, {{"CU", "series/0", {1.5, {}, 150.0}, {}, {}, 0}}, false, false}};

    FigurePanel areas;
    areas.x = {"Time", "µs", "", FigureScale::linear, {}, {}, {}};
    areas.y = {"Traffic", "GB/s", "", FigureScale::linear, {}, {}, {}, 5.0, 8.0};
    areas.marks = {AreaMark{{0, 1, 3}, {{"reads", "gemm/light", {10.0, 20.0}, {}, {}, 0}}, true}};

    FigurePanel boxes;
    boxes.categories.labels = {"8", "16"};
    boxes.y = {"Time", "µs", "", FigureScale::linear, {}, {}, {}};
    boxes.marks = {BoxMark{{{"T3", "policy/t3", {FigureBox{1, 2, 3, 4, 5, 20}, {}}}}}};

    FigurePanel heat;
    heat.categories.labels = {"64", "128"};
    heat.marks = {HeatMark{{"8", "16"}, {1.0, {}, 3.0, 4.5}, "Speed-up", "", true, true, 0.5, 5.0, 2.0}};

    FigurePanel timeline;
    timeline.x = {"Time", "µs", "", FigureScale::linear, {}, {}, {}};
    timeline.marks = {
        TimelineMark{{{"CU", "GPU 0"}, {"Link", "GPU 0"}}, {{0, 0, 12.5, "gemm", "GEMM"}, {1, 3, 4, "link", ""}}}};

    FigurePanel drawing;
    DrawingMark machine{200, 100, {}};
    machine.items = {DrawingShape{{{0, 0}, {10.5, 0}, {10, 10}}, true, 0x80ff0000, DrawingPen{0xff00ff00, 2, {1, 2}}},
                     DrawingText{5, 6, "GPU 0", 8, DrawingText::Weight::bold, 0xff112233, -90}};
    drawing.marks = {machine};

    FigurePanel floating;
    floating.categories.labels = {"GEMM", "Link"};
    floating.y = {"Time", "µs", "", FigureScale::linear, {}, {}, {}};
    floating.marks = {BarMark{{{"T3", {{"Change", "gemm", {-2.0, 1.5}, {}, {}, 0}}, {10, 8}}}, false}};

    figure.panels = {bars, lines, areas, boxes, heat, timeline, drawing, floating};
    figure.provenance = {"Ringside 0.2.0",
                         "0.2.0",
                         "2024-04-27",
                         "ringside figure every-kind",
                         "1.5 us",
                         {{"t-nlg/fc-2/tp8 t3", "abc", "{\"format\": \"ringside-experiment\"}"}},
                         {{"t3-mca-geomean", "published", 1.3}},
                         "A paper"};
    return figure;
}
