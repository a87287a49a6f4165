#include "data/figure/operator_figures.h"

#include "data/figure/gallery_words.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace data {
namespace {

using engine::OperatorClass;

std::vector<OperatorPoint> plottedPoints(const ModelRun& run, const PolicyModelTime& policy) {
    std::vector<OperatorPoint> points = operatorPointsOf(run, policy);
    std::erase_if(points, [&](const OperatorPoint& point) { return !isPlotted(run, point); });
    return points;
}

std::vector<ClassTime> shownClasses(const ModelRun& run, const PolicyModelTime& policy) {
    std::vector<ClassTime> classes = classTimesOf(run, policy);
    std::erase_if(classes, [](const ClassTime& time) { return time.operators == 0; });
    return classes;
}

/// Rounds a positive value to one significant digit with `round`, for the end of an axis.
double plainEnd(double value, double (*round)(double)) {
    const double power = std::floor(std::log10(value));
    const double step = std::pow(10, std::abs(power));
    return power < 0 ? round(value * step) / step : round(value / step) * step;
}

/// The range of an axis: it contains all values, the ridge and the roof, and has room for whole markers.
struct Reach {
    double least, most;
    void include(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    void writeTo(FigureAxis& axis) const {
        constexpr double kAround = 2.5;
        axis.scale = FigureScale::logarithmic;
        axis.from = plainEnd(least / kAround, std::floor);
        axis.to = plainEnd(most * kAround, std::ceil);
    }
};

LineMark markersOf(const ModelRun& run, const std::vector<OperatorPoint>& points) {
    LineMark mark;
    mark.joined = false;
    mark.sizeTitle = "Share of the time (%)";
    for (const OperatorPoint& point : points) {
        mark.x.push_back(point.work.intensity());
        mark.sizes.push_back(100 * point.share);
    }
    for (const OperatorClass each : engine::kOperatorClasses) {
        FigureSeries series{std::string(engine::title(each)), meaningOf(each), {}, {}, {}, 0};
        bool any = false;
        for (const OperatorPoint& point : points) {
            const bool own = run.graph.operators[point.index].operatorClass == each;
            series.values.push_back(own ? std::optional(point.work.rate() / kTera) : std::nullopt);
            any = any || own;
        }
        if (any)
            mark.series.push_back(std::move(series));
    }
    return mark;
}

LineMark roofOf(const engine::Roofline& roof, double from, double to) {
    LineMark mark;
    mark.markers = false;
    mark.x = {from, std::clamp(roof.ridge(), from, to), to};
    FigureSeries series{"Roof", "ideal", {}, {}, {}, 0};
    for (const double x : mark.x)
        series.values.emplace_back(roof.at(x) / kTera);
    mark.series.push_back(std::move(series));
    return mark;
}

}  // namespace

std::string meaningOf(OperatorClass operatorClass) { return std::string(engine::name(operatorClass)); }

bool isPlotted(const ModelRun& run, const OperatorPoint& point) {
    return run.graph.operators[point.index].operatorClass != OperatorClass::collective && point.work.intensity() > 0 &&
           point.work.rate() > 0;
}

FigurePanel rooflinePanel(const ModelRun& run, const PolicyModelTime& policy) {
    const std::vector<OperatorPoint> points = plottedPoints(run, policy);
    const engine::Roofline roof = engine::rooflineOf(run.base);
    FigurePanel panel;
    panel.x.title = "Flops per byte of DRAM traffic";
    panel.x.unit = "FLOP/B";
    panel.y.title = "Rate";
    panel.y.unit = "TFLOP/s";
    Reach across{roof.ridge(), roof.ridge()}, up{roof.flopsPerSecond / kTera, roof.flopsPerSecond / kTera};
    for (const OperatorPoint& point : points) {
        across.include(point.work.intensity());
        up.include(point.work.rate() / kTera);
    }
    across.writeTo(panel.x);
    up.writeTo(panel.y);
    // The roof begins where it enters the panel, at the left or from below.
    const double enters = *panel.y.from * kTera / roof.bytesPerSecond;
    panel.marks.emplace_back(roofOf(roof, std::max(*panel.x.from, enters), *panel.x.to));
    panel.marks.emplace_back(markersOf(run, points));
    return panel;
}

FigurePanel classPanel(const ModelRun& run, const PolicyModelTime& policy) {
    FigurePanel panel;
    panel.x.title = "Class of operators";
    panel.y.title = "Share of the time";
    panel.y.unit = "%";
    panel.y.from = 0;
    BarMark mark;
    mark.valuesWritten = true;
    const std::vector<ClassTime> classes = shownClasses(run, policy);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        panel.categories.labels.emplace_back(engine::title(classes[i].operatorClass));
        FigureSeries series{std::string(engine::title(classes[i].operatorClass)),
                            meaningOf(classes[i].operatorClass),
                            FigureValues(classes.size()),
                            {},
                            {},
                            0};
        series.values[i] = 100 * classes[i].share;
        if (mark.bars.empty())
            mark.bars.emplace_back();
        mark.bars.front().stack.push_back(std::move(series));
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

std::string roofSentence(const ModelRun& run) {
    const engine::Roofline roof = engine::rooflineOf(run.base);
    return "The roof is " + fixedNumber(roof.bytesPerSecond / 1e9, 0) + " GB/s of DRAM and " +
           fixedNumber(roof.flopsPerSecond / kTera, 1) + " TFLOP/s, its ridge at " + fixedNumber(roof.ridge(), 1) +
           " FLOP/B.";
}

std::string rooflineText(const ModelRun& run, const PolicyModelTime& policy) {
    std::vector<OperatorPoint> points = plottedPoints(run, policy);
    std::ranges::stable_sort(points, [](const auto& a, const auto& b) { return a.time > b.time; });
    std::string text =
        "A roofline plot of " + std::to_string(points.size()) + " operators. " + roofSentence(run) + " The longest:";
    constexpr std::size_t kListed = 5;
    for (std::size_t i = 0; i < std::min(kListed, points.size()); ++i) {
        const engine::Operator& op = run.graph.operators[points[i].index];
        text += std::string(i == 0 ? " " : "; ") + op.id + " with " + fixedNumber(points[i].work.rate() / kTera, 1) +
                " TFLOP/s at " + fixedNumber(points[i].work.intensity(), 1) + " FLOP/B, " +
                percentText(points[i].share) + " of the time";
    }
    return text + ".";
}

std::string classText(const ModelRun& run, const PolicyModelTime& policy) {
    std::string text = "Bars of the share of the time by class of operators:";
    bool first = true;
    for (const ClassTime& time : shownClasses(run, policy)) {
        text += std::string(first ? " " : ", ") + std::string(engine::title(time.operatorClass)) + " " +
                percentText(time.share);
        first = false;
    }
    return text + ".";
}

FigureSpec operatorFigure(const ModelRun& run, const PolicyModelTime& policy) {
    FigureSpec figure;
    figure.columns = 0;
    figure.panels = {rooflinePanel(run, policy), classPanel(run, policy)};
    figure.panels.front().weight = 1.6;
    figure.caption =
        "Operators of " + modelTitle(run.base.workload.model) +
        " by flops per byte and rate, the area of a marker by its share of the time, under the machine's roof, and "
        "the time by class of operators. Bytes of a GEMM are its inputs and its output, each once; collectives have "
        "no flops and are in the bars alone, as far as no GEMM hides them. " +
        roofSentence(run);
    figure.alternative = rooflineText(run, policy) + " " + classText(run, policy);
    return figure;
}

}  // namespace data
