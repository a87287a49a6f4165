#include "data/evaluations/reference.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/laboratory/laboratory.h"

#include <algorithm>
#include <optional>

// Figures of kernels alone: collectives beside a GEMM on CUs taken from it, and a reduce-scatter over its size.

namespace data {
namespace {

double ratio(engine::Duration a, engine::Duration b) { return static_cast<double>(a.ps) / static_cast<double>(b.ps); }

/// Computes a number of one case at one split.
using SplitValue = double (*)(const engine::TimeResult& whole, const CuSplitStudy::Split& split);

double splitSpeedup(const engine::TimeResult& whole, const CuSplitStudy::Split& split) {
    return ratio(whole.total, split.together.total);
}

/// Returns the speed-up without any cost of sharing: GEMM and all-reduce are independent, so the shorter one would be
/// hidden completely.
double freeSpeedup(const engine::TimeResult& whole) {
    return ratio(whole.total, std::max(whole.gemm, whole.reduceScatter + whole.allGather));
}

std::vector<double> valuesAt(const CuSplitStudy& study, std::size_t split, SplitValue value) {
    std::vector<double> values;
    for (const CuSplitStudy::Case& one : study.cases)
        values.push_back(value(one.whole.result.last.time, one.splits[split]));
    return values;
}

/// Returns geometric means over the cases, by split, with their range as error bars if `range` is true.
FigureSeries seriesOf(const CuSplitStudy& study, const char* name, const char* meaning, SplitValue value, bool range) {
    FigureSeries series{name, meaning, {}, {}, {}, 0};
    for (std::size_t split = 0; split < study.cus.size(); ++split) {
        const std::vector<double> values = valuesAt(study, split, value);
        series.values.emplace_back(geomeanOf(values));
        if (!range)
            continue;
        series.low.emplace_back(*std::min_element(values.begin(), values.end()));
        series.high.emplace_back(*std::max_element(values.begin(), values.end()));
        series.samples = static_cast<int>(values.size());
    }
    return series;
}

FigureAxis cuAxis(const CuSplitStudy& study) {
    FigureAxis axis;
    axis.title = "CUs of the collective";
    axis.unit = "of " + std::to_string(study.cases.front().whole.experiment.cu.count);
    axis.from = 0;
    axis.to = static_cast<double>(study.cus.back()) + 2;  // room for the last error bar
    axis.ticks = {0, 8, 16, 24, 32, 40};
    return axis;
}

std::vector<double> positions(const CuSplitStudy& study) { return {study.cus.begin(), study.cus.end()}; }

/// Returns the highest of all values and ends of error bars.
double highestOf(const LineMark& mark) {
    double most = 0;
    for (const FigureSeries& series : mark.series)
        for (const FigureValues* values : {&series.values, &series.high})
            for (const std::optional<double>& value : *values)
                most = std::max(most, value.value_or(0));
    return most;
}

FigurePanel slowdownPanel(const CuSplitStudy& study) {
    using Time = engine::TimeResult;
    using Split = CuSplitStudy::Split;
    FigurePanel panel;
    panel.title = "Slow-down of the parts";
    panel.x = cuAxis(study);
    panel.y.title = "Time";
    panel.y.relativeTo = "all CUs, alone";
    panel.y.scale = FigureScale::logarithmic;
    panel.y.from = 0.9;
    LineMark mark;
    mark.x = positions(study);
    mark.series = {
        seriesOf(
            study, "RS beside the GEMM", "reduce-scatter",
            [](const Time& w, const Split& s) { return ratio(s.together.reduceScatter, w.reduceScatter); }, false),
        seriesOf(
            study, "RS alone on its CUs", "reduce-scatter/light",
            [](const Time& w, const Split& s) { return ratio(s.apart.reduceScatter, w.reduceScatter); }, false),
        seriesOf(
            study, "GEMM beside the collective", "gemm",
            [](const Time& w, const Split& s) { return ratio(s.together.gemm, w.gemm); }, false),
        seriesOf(
            study, "GEMM alone on its CUs", "gemm/light",
            [](const Time& w, const Split& s) { return ratio(s.apart.gemm, w.gemm); }, false)};
    useTicks(panel.y, highestOf(mark), 3.2, {1, 1.5, 2, 3});
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

/// Returns a sentence for each two neighbouring lines that are nowhere further apart than this: readers see one of them.
std::string coincidenceText(const std::vector<FigureSeries>& lines) {
    constexpr double kApart = 0.05;
    std::string text;
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
        bool near = true;
        for (std::size_t at = 0; at < lines[i].values.size(); ++at)
            near = near && std::abs(*lines[i].values[at] - *lines[i + 1].values[at]) <= kApart;
        if (near)
            text +=
                " " + lines[i].name + " and " + lines[i + 1].name + " coincide within " + fixedNumber(kApart, 2) + ".";
    }
    return text;
}

std::vector<double> freeSpeedups(const CuSplitStudy& study) {
    std::vector<double> values;
    for (const CuSplitStudy::Case& one : study.cases)
        values.push_back(freeSpeedup(one.whole.result.last.time));
    return values;
}

FigurePanel gainPanel(const CuSplitStudy& study) {
    FigurePanel panel;
    panel.title = "Speed-up of the whole";
    panel.x = cuAxis(study);
    panel.y = speedupAxis();
    LineMark mark;
    mark.x = positions(study);
    mark.series.push_back({"Overlap without any cost",
                           "ideal",
                           FigureValues(study.cus.size(), geomeanOf(freeSpeedups(study))),
                           {},
                           {},
                           0});
    mark.series.push_back(seriesOf(study, "CU split, geomean and range", "policy/cu-split", splitSpeedup, true));
    useTicks(panel.y, highestOf(mark), 2, {0, 0.5, 1, 1.5, 2});
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

void addExperiments(const CuSplitStudy& study, const Settings& settings, FigureProvenance& provenance) {
    for (const CuSplitStudy::Case& one : study.cases) {
        provenance.experiments.push_back(provenanceOf(one.whole.name, one.whole.experiment, settings));
        for (std::size_t i = 0; i < one.splits.size(); ++i) {
            const engine::Experiment& together = one.splits[i].experiment;
            provenance.experiments.push_back(provenanceOf(
                caseName(together) + " cu-split, " + std::to_string(study.cus[i]) + " CUs", together, settings));
        }
    }
}

double mebibytes(engine::Bytes bytes) { return static_cast<double>(bytes.count) / (1024.0 * 1024.0); }

/// One of the three ways of timing a size, as a line over sizes.
struct TimeLine {
    const char* name;
    const char* meaning;
    std::vector<engine::Duration> times;
};

std::vector<engine::Duration> timesOf(const std::vector<GalleryRun>& runs) {
    std::vector<engine::Duration> times;
    for (const GalleryRun& run : runs)
        times.push_back(run.result.last.time.total);
    return times;
}

std::vector<TimeLine> timeLines(const ReduceScatterTimes& study) {
    return {{"Kernels on CUs", "policy/sequential", timesOf(study.kernels)},
            {"NMC + DMA", "policy/t3", timesOf(study.nearMemory)},
            {"Bound (N-1)c/B", "ideal", study.bounds}};
}

FigurePanel sizePanel(const ReduceScatterTimes& study) {
    FigurePanel panel;
    panel.x.title = "Size";
    panel.x.unit = "MiB";
    panel.x.scale = FigureScale::logarithmic;
    LineMark mark;
    for (const engine::Bytes size : study.sizes) {
        mark.x.push_back(mebibytes(size));
        panel.x.ticks.push_back(mebibytes(size));
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

FigurePanel timePanel(const ReduceScatterTimes& study) {
    FigurePanel panel = sizePanel(study);
    panel.y.title = "Time";
    panel.y.unit = "µs";
    panel.y.scale = FigureScale::logarithmic;
    for (const TimeLine& line : timeLines(study)) {
        FigureSeries series{line.name, line.meaning, {}, {}, {}, 0};
        for (const engine::Duration time : line.times)
            series.values.emplace_back(static_cast<double>(time.ps) / 1e6);
        std::get<LineMark>(panel.marks.front()).series.push_back(std::move(series));
    }
    return panel;
}

FigurePanel overBoundPanel(const ReduceScatterTimes& study) {
    FigurePanel panel = sizePanel(study);
    panel.y.title = "Time";
    panel.y.relativeTo = "bound";
    for (const TimeLine& line : timeLines(study)) {
        FigureSeries series{line.name, line.meaning, {}, {}, {}, 0};
        for (std::size_t i = 0; i < line.times.size(); ++i)
            series.values.emplace_back(ratio(line.times[i], study.bounds[i]));
        std::get<LineMark>(panel.marks.front()).series.push_back(std::move(series));
    }
    panel.y.from = 0.8;
    useTicks(panel.y, highestOf(std::get<LineMark>(panel.marks.front())), 2.6, {1, 1.5, 2, 2.5});
    return panel;
}

/// Returns how much faster near-memory updates are, by size.
std::vector<double> gains(const ReduceScatterTimes& study) {
    std::vector<double> values;
    for (std::size_t i = 0; i < study.sizes.size(); ++i)
        values.push_back(ratio(study.kernels[i].result.last.time.total, study.nearMemory[i].result.last.time.total));
    return values;
}

}  // namespace

FigureSpec cuSplitFigure(GalleryRuns& runs) {
    const CuSplitStudy& study = runs.cuSplits();
    FigureSpec figure;
    figure.panels = {slowdownPanel(study), gainPanel(study)};
    const auto& gain = std::get<LineMark>(figure.panels[1].marks.front()).series[1];
    const auto best = std::max_element(gain.values.begin(), gain.values.end());
    const std::string bestCus = std::to_string(study.cus[static_cast<std::size_t>(best - gain.values.begin())]);
    const std::string ideal = fixedNumber(geomeanOf(freeSpeedups(study)), 2);
    figure.caption =
        "A GEMM beside an independent all-reduce of as many bytes as its output, each on compute units of its own: "
        "geometric means over 16 sub-layers, with bars from the smallest to the largest value (n = 16). "
        "The best split gives " +
        fixedNumber(**best, 2) + " with " + bestCus + " CUs for the collective; overlap without any cost would give " +
        ideal + " as geometric mean. RS: reduce-scatter." +
        coincidenceText(std::get<LineMark>(figure.panels[0].marks.front()).series);
    figure.alternative = "Two panels of lines over the number of compute units that the collective has, " +
                         std::to_string(study.cus.front()) + " to " + std::to_string(study.cus.back()) + ".";
    for (const FigureSeries& series : std::get<LineMark>(figure.panels[0].marks.front()).series)
        figure.alternative += " " + series.name + ": " + fixedNumber(*series.values.front(), 2) +
                              " times its time, then " + fixedNumber(*series.values.back(), 2) + ".";
    figure.alternative += " Speed-up over sequential: " + fixedNumber(*gain.values.front(), 2) + " with the fewest, " +
                          fixedNumber(**best, 2) + " at best with " + bestCus + ", " +
                          fixedNumber(*gain.values.back(), 2) + " with the most; without any cost " + ideal + ".";
    addExperiments(study, runs.settings(), figure.provenance);
    return figure;
}

FigureSpec reduceScatterTimeFigure(GalleryRuns& runs) {
    const ReduceScatterTimes& study = runs.reduceScatters();
    const std::vector<double> gain = gains(study);
    // The evaluated sub-layers reduce 66 and 96 MiB, between these two sizes.
    const auto sizeAt = [&](double size) {
        return std::find_if(study.sizes.begin(), study.sizes.end(), [&](auto one) { return mebibytes(one) == size; }) -
               study.sizes.begin();
    };
    const double evaluated[]{gain[static_cast<std::size_t>(sizeAt(50))], gain[static_cast<std::size_t>(sizeAt(100))]};
    const FigureProvenance::Published published = publishedUse("rs-nmc-tp8");
    FigureSpec figure;
    figure.panels = {timePanel(study), overBoundPanel(study)};
    figure.panels[1].weight = 0.7;
    figure.caption =
        "Reduce-scatter alone on a ring of 8 GPUs: kernels on compute units, near-memory updates (NMC) with DMA, and "
        "the bound that the links set for chunks of c bytes and links of B. At 50 and 100 MiB, around the sizes of the "
        "evaluated sub-layers, NMC is " +
        rangeText(evaluated, 2) + " times as fast (" + publishedText(fixedNumber(published.value, 2), published.label) +
        "; " + publishedCitation() + ").";
    figure.alternative = "Lines over sizes from " + fixedNumber(mebibytes(study.sizes.front()), 0) + " to " +
                         fixedNumber(mebibytes(study.sizes.back()), 0) +
                         " MiB, both axes logarithmic, and below the same times over the bound.";
    for (const TimeLine& line : timeLines(study))
        figure.alternative += " " + std::string(line.name) + ": " +
                              fixedNumber(static_cast<double>(line.times.front().ps) / 1e6, 1) + " to " +
                              fixedNumber(static_cast<double>(line.times.back().ps) / 1e6, 0) + " µs, " +
                              fixedNumber(ratio(line.times.front(), study.bounds.front()), 2) + " to " +
                              fixedNumber(ratio(line.times.back(), study.bounds.back()), 2) + " times the bound.";
    figure.alternative += " NMC with DMA is " + rangeText(gain, 2) + " times as fast as kernels.";
    for (const auto* some : {&study.kernels, &study.nearMemory})
        for (const GalleryRun& run : *some)
            figure.provenance.experiments.push_back(
                provenanceOf(run.name + ", " + fixedNumber(mebibytes(run.experiment.workload.bytes), 0) + " MiB",
                             run.experiment, runs.settings()));
    figure.provenance.published.push_back(published);
    return figure;
}

}  // namespace data
