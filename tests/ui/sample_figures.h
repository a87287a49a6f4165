#pragma once

#include "data/figure/figure_spec.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tests {

// Figures as in papers, one for each kind of mark. The numbers are made up but have realistic shapes.

inline data::FigureSeries seriesOf(std::string name, std::string meaning, data::FigureValues values) {
    data::FigureSeries series;
    series.name = std::move(name);
    series.meaning = std::move(meaning);
    series.values = std::move(values);
    return series;
}

inline data::FigureBar barOf(std::string name, std::string meaning, data::FigureValues values) {
    return {name, {seriesOf(name, std::move(meaning), std::move(values))}};
}

inline data::FigureSpec figureOf(std::string name, data::FigurePanel panel) {
    data::FigureSpec figure;
    figure.name = std::move(name);
    figure.panels.push_back(std::move(panel));
    return figure;
}

/// Returns floating bars: how the times of three parts lead from 100 µs to 90 µs.
inline data::FigureSpec waterfall() {
    data::FigurePanel panel;
    panel.y.title = "Time";
    panel.y.unit = "µs";
    panel.categories.labels = {"GEMM", "Link", "Memory"};
    data::BarMark mark;
    mark.bars = {barOf("Change", "series/0", {4.0, -20.0, 6.0})};
    mark.bars.front().from = {100, 104, 84};
    panel.marks.emplace_back(mark);
    return figureOf("waterfall", panel);
}

/// Returns bars of four policies for `models` models of four sub-layers each and, set apart, the geometric mean, with
/// marks of the published values over it.
inline data::FigureSpec speedups(int models = 3) {
    static const char* const kModels[]{"Mega-GPT-2", "T-NLG", "GPT-3", "PALM", "MT-NLG", "Futuristic"};
    static const char* const kLayers[]{"OP", "FC-2", "FC-1", "IP"};
    data::FigurePanel panel;
    panel.y.title = "Speed-up";
    panel.y.relativeTo = "Sequential";
    data::BarMark bars;
    const std::pair<const char*, const char*> policies[]{{"T3", "policy/t3"},
                                                         {"T3-MCA", "policy/t3-mca"},
                                                         {"Ideal overlap", "policy/ideal-overlap"},
                                                         {"Ideal overlap, NMC", "policy/ideal-overlap-nmc"}};
    for (int model = 0; model < models; ++model) {
        for (const char* layer : kLayers)
            panel.categories.labels.emplace_back(layer);
        panel.categories.groups.push_back({kModels[model % 6], 4});
    }
    panel.categories.labels.emplace_back("");
    panel.categories.groups.push_back({"Geomean", 1});
    for (int policy = 0; policy < 4; ++policy) {
        data::FigureValues values;
        for (int i = 0; i < 4 * models; ++i)
            values.emplace_back(1.05 + 0.09 * policy + 0.12 * std::abs(std::sin(1.7 * i + policy)));
        values.emplace_back(1.12 + 0.09 * policy);
        bars.bars.push_back(barOf(policies[policy].first, policies[policy].second, values));
    }
    panel.marks.emplace_back(bars);
    const auto last = static_cast<std::size_t>(4 * models);
    panel.references.push_back({1.20, "paper: 1.20", "published", last, 0});
    panel.references.push_back({1.30, "paper: 1.30", "published", last, 1});
    return figureOf("speedups", panel);
}

/// Returns stacked bars side by side, each with a name below.
inline data::FigureSpec breakdown() {
    data::FigurePanel panel;
    panel.y.title = "DRAM accesses";
    panel.y.relativeTo = "Sequential";
    panel.categories.labels = {"T-NLG FC-2", "T-NLG OP", "GPT-3 FC-2", "GPT-3 OP"};
    data::BarMark bars;
    for (const double share : {1.0, 0.78}) {
        data::FigureBar bar;
        bar.name = share == 1 ? "Seq." : "T3";
        bar.stack = {seriesOf("GEMM reads", "gemm", {0.42 * share, 0.40 * share, 0.44 * share, 0.38 * share}),
                     seriesOf("GEMM writes", "gemm/light", {0.18, 0.2, 0.16, 0.22}),
                     seriesOf("RS reads", "reduce-scatter", {0.15 * share, 0.14 * share, 0.16 * share, 0.14 * share}),
                     seriesOf("AG writes", "all-gather", {0.12, 0.13, 0.11, 0.12})};
        bars.bars.push_back(bar);
    }
    panel.marks.emplace_back(bars);
    return figureOf("breakdown", panel);
}

inline data::FigureSpec errorBars() {
    data::FigurePanel panel;
    panel.y.title = "Runtime";
    panel.y.unit = "ms";
    panel.categories.labels = {"TP 4", "TP 8", "TP 16"};
    data::BarMark bars;
    bars.valuesWritten = true;
    bars.bars = {barOf("Sequential", "policy/sequential", {12.1, 8.2, std::nullopt}),
                 barOf("T3", "policy/t3", {9.9, 7.1, 4.2})};
    bars.bars[0].stack[0].low = {11.4, 7.9, std::nullopt};
    bars.bars[0].stack[0].high = {12.9, 8.6, std::nullopt};
    bars.bars[0].stack[0].samples = 5;
    panel.marks.emplace_back(bars);
    return figureOf("error-bars", panel);
}

/// Returns lines on two logarithmic axes, with one missing value.
inline data::FigureSpec lines() {
    data::FigurePanel panel;
    panel.x.title = "Size";
    panel.x.unit = "MiB";
    panel.x.scale = data::FigureScale::logarithmic;
    panel.x.ticks = {6, 12, 24, 48, 96, 192};
    panel.y.title = "Time";
    panel.y.unit = "µs";
    panel.y.scale = data::FigureScale::logarithmic;
    data::LineMark mark;
    mark.x = {6, 12, 24, 48, 96, 192};
    mark.series = {seriesOf("Measured (AccelSim)", "series/0", {31, 52, 98, 190, 372, 741}),
                   seriesOf("Ringside", "series/1", {28, 50, std::nullopt, 186, 368, 733}),
                   seriesOf("Ideal", "ideal", {22, 44, 88, 176, 352, 704})};
    mark.series[0].low = {28, 48, 92, 180, 350, 700};
    mark.series[0].high = {34, 56, 104, 200, 395, 790};
    panel.marks.emplace_back(mark);
    panel.annotations.push_back({48, 186, "link-bound"});
    return figureOf("lines", panel);
}

/// Returns two panels, one below the other, with traffic over time under two policies.
inline data::FigureSpec areas() {
    data::FigureSpec figure;
    figure.name = "areas";
    for (int policy = 0; policy < 2; ++policy) {
        data::FigurePanel panel;
        panel.title = policy == 0 ? "(a) Sequential" : "(b) T3-MCA";
        panel.x.title = "Time";
        panel.x.unit = "µs";
        panel.y.title = "Traffic";
        panel.y.unit = "GB/s";
        data::AreaMark mark;
        mark.stepped = true;
        data::FigureValues reads, writes;
        for (int i = 0; i < 24; ++i) {
            reads.emplace_back(400 + 300 * std::abs(std::sin(i * 0.7)));
            writes.emplace_back(i < 16 ? 200 + 90 * (i % 5) * (policy + 1) : 60.0);
            mark.x.push_back(i * 12.5);
        }
        mark.x.push_back(300);
        mark.series = {seriesOf("GEMM reads", "gemm", reads), seriesOf("RS writes", "reduce-scatter", writes)};
        panel.marks.emplace_back(mark);
        if (policy == 0)
            panel.references.push_back({1000, "peak", "assumed", {}, {}});
        figure.panels.push_back(panel);
    }
    return figure;
}

inline data::FigureSpec boxes() {
    data::FigurePanel panel;
    panel.y.title = "Speed-up";
    panel.y.relativeTo = "Sequential";
    panel.categories.labels = {"Training", "Prompt", "Generation"};
    data::BoxMark mark;
    mark.groups = {{"T3", "policy/t3", {}}, {"T3-MCA", "policy/t3-mca", {}}};
    for (int i = 0; i < 3; ++i) {
        mark.groups[0].boxes.push_back(data::FigureBox{1.05, 1.1 + 0.02 * i, 1.18, 1.25, 1.35, 12});
        mark.groups[1].boxes.push_back(data::FigureBox{1.08, 1.2, 1.29 + 0.02 * i, 1.37, 1.47, 12});
    }
    mark.groups[0].boxes[2].reset();
    panel.marks.emplace_back(mark);
    panel.references.push_back({1.0, "Sequential", "", {}, {}});
    return figureOf("boxes", panel);
}

inline data::FigureSpec heat() {
    data::FigurePanel panel;
    panel.x.title = "Tensor parallelism";
    panel.y.title = "Model";
    panel.categories.labels = {"4", "8", "16", "32", "64"};
    data::HeatMark mark;
    mark.rows = {"Mega-GPT-2", "T-NLG", "GPT-3", "MT-NLG"};
    for (int i = 0; i < 20; ++i)
        mark.values.emplace_back(1.0 + 0.03 * ((i * 7) % 20));
    mark.values[7].reset();
    mark.valueTitle = "Speed-up";
    mark.valuesWritten = true;
    panel.marks.emplace_back(mark);
    return figureOf("heat", panel);
}

inline data::FigureSpec timeline() {
    data::FigurePanel panel;
    panel.x.title = "Time";
    panel.x.unit = "µs";
    data::TimelineMark mark;
    for (int gpu = 0; gpu < 2; ++gpu) {
        const std::string group = "GPU " + std::to_string(gpu);
        for (const char* lane : {"CUs", "DMA", "Link out"})
            mark.lanes.push_back({lane, group});
        const auto first = static_cast<std::size_t>(3 * gpu);
        for (int i = 0; i < 4; ++i) {
            mark.spans.push_back({first, i * 90.0, i * 90.0 + 80, "gemm", "Stage " + std::to_string(i)});
            mark.spans.push_back({first + 1, i * 90.0 + 40, i * 90.0 + 85 + gpu, "dma", ""});
            mark.spans.push_back({first + 2, i * 90.0 + 45, i * 90.0 + 100, "reduce-scatter", "RS"});
        }
    }
    panel.marks.emplace_back(mark);
    return figureOf("timeline", panel);
}

inline data::FigureSpec drawing() {
    data::FigurePanel panel;
    data::DrawingMark mark;
    mark.width = 300;
    mark.height = 120;
    for (int i = 0; i < 4; ++i) {
        const double left = 10 + 72.0 * i;
        data::DrawingShape box;
        box.points = {{left, 30}, {left + 56, 30}, {left + 56, 90}, {left, 90}};
        box.closed = true;
        box.fill = 0xffdce8f4;
        box.pen = data::DrawingPen{0xff0072b2, 0.8, {}};
        mark.items.emplace_back(box);
        data::DrawingText text;
        text.x = left + 14;
        text.y = 64;
        text.text = "GPU " + std::to_string(i);
        text.size = 9;
        mark.items.emplace_back(text);
        data::DrawingShape link;
        link.points = {{left + 56, 60}, {left + 72, 60}};
        link.pen = data::DrawingPen{0xff333333, 1, {2, 1}};
        mark.items.emplace_back(link);
    }
    panel.marks.emplace_back(mark);
    return figureOf("drawing", panel);
}

/// Returns bars of two policies over three links, with a published value at the last one.
inline data::FigureSpec links() {
    data::FigurePanel panel;
    panel.y.title = "Speed-up";
    panel.categories.labels = {"75 GB/s", "150 GB/s", "300 GB/s"};
    data::BarMark bars;
    bars.bars = {barOf("T3", "policy/t3", {1.1, 1.2, 1.3}), barOf("T3-MCA", "policy/t3-mca", {1.2, 1.3, 1.4})};
    panel.marks.emplace_back(bars);
    panel.references.push_back({1.25, "Published", "published", 2, {}});
    return figureOf("links", panel);
}

/// Returns the same bars with a text, an arrow, a line and a band.
inline data::FigureSpec annotated() {
    using Kind = data::FigureAnnotation::Kind;
    data::FigureSpec figure = links();
    figure.name = "annotated";
    figure.panels[0].y.to = 2;
    figure.panels[0].annotations = {{0, 1.15, "slow", {}, {}, Kind::text},
                                    {0.5, 1.85, "link-bound", 1, 1.35, Kind::arrow},
                                    {0, 1.5, "", 2, 1.6, Kind::line},
                                    {1.5, 0, "memory", 2.4, 1, Kind::span}};
    return figure;
}

/// Returns texts that mean something to TeX, Python, HTML or a reader of CSV.
inline std::vector<std::string> hostileTexts() {
    return {"\\input{x} $x_1^2$", "\"); open('owned','w') #", "<b>&amp;</b>",
            "a,b;'c' \"d\"",      "{%s} %d \\end{axis}",      "=1+1|~`^"};
}

/// Returns bars with these texts as categories, groups, series and titles, and in its metadata.
inline data::FigureSpec hostile() {
    const std::vector<std::string> texts = hostileTexts();
    data::FigurePanel panel;
    panel.title = texts[0];
    panel.x.title = texts[2];
    panel.y.title = texts[1];
    panel.categories.labels = {texts[0], texts[1], texts[2], texts[3], texts[4]};
    panel.categories.groups = {{texts[4], 2}, {texts[5], 3}};
    data::BarMark bars;
    bars.bars = {{texts[3], {seriesOf(texts[0], "gemm", {1, 2, 3, 4, 5}), seriesOf(texts[5], "link", {1, 1, 1, 1, 1})}},
                 {texts[4], {seriesOf(texts[1], "dma", {2, 2, 2, 2, 2})}}};
    panel.marks.emplace_back(bars);
    panel.references.push_back({3.5, texts[4], "published", {}, {}});
    panel.annotations.push_back({1, 5, texts[2]});
    data::FigureSpec figure = figureOf("hostile", panel);
    figure.size = data::FigureSize::acmText;
    figure.title = texts[0] + "\n" + texts[1];
    figure.provenance.command = texts[4] + "\n\\undefined";
    return figure;
}

inline std::vector<data::FigureSpec> sampleFigures() {
    return {speedups(), breakdown(), errorBars(), lines(), areas(), boxes(), heat(), timeline(), drawing()};
}

}  // namespace tests
