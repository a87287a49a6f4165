#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/figure/operator_figures.h"

#include <algorithm>
#include <string>

// A GEMM alone over one side of its output: the saw-tooth that waves make of its rate.

namespace data {
namespace {

constexpr std::size_t kMostNamedWaves = 16;

std::int64_t columnsOf(const GalleryRun& run) { return run.result.shape.n; }

/// Returns the highest rate that the matrix units, the tiles and the waves allow for a run, in TFLOP/s.
double allowedRate(const GalleryRun& run) {
    const engine::Experiment& experiment = run.experiment;
    const engine::GemmResult& gemm = *run.result.gemm;
    return static_cast<double>(experiment.cu.count) * static_cast<double>(engine::peakFlopsOfCu(experiment)) *
           experiment.cu.tensorEfficiency * gemm.tileEfficiency * gemm.waveEfficiency / kTera;
}

double rateOf(const GalleryRun& run) { return static_cast<double>(run.result.gemm->rate.flopsPerSecond) / kTera; }

double microsecondsOf(const GalleryRun& run) { return static_cast<double>(run.result.last.time.gemm.ps) / 1e6; }

/// Returns the runs after which the number of waves rises: the tips of the teeth.
std::vector<std::size_t> tipsOf(const std::vector<GalleryRun>& runs) {
    std::vector<std::size_t> tips;
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
        if (runs[i + 1].result.gemm->waves > runs[i].result.gemm->waves)
            tips.push_back(i);
    }
    return tips;
}

FigurePanel columnsPanel(const std::vector<GalleryRun>& runs) {
    FigurePanel panel;
    panel.x.title = "N";
    panel.x.unit = "columns";
    panel.x.from = 0;
    LineMark mark;
    mark.markers = false;
    for (const GalleryRun& run : runs)
        mark.x.push_back(static_cast<double>(columnsOf(run)));
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

FigureSeries seriesOfRuns(const std::vector<GalleryRun>& runs, const char* name, const char* meaning,
                          double (*value)(const GalleryRun&)) {
    FigureSeries series{name, meaning, {}, {}, {}, 0};
    for (const GalleryRun& run : runs)
        series.values.emplace_back(value(run));
    return series;
}

FigurePanel ratePanel(const std::vector<GalleryRun>& runs) {
    FigurePanel panel = columnsPanel(runs);
    panel.y.title = "Rate";
    panel.y.unit = "TFLOP/s";
    panel.y.from = 0;
    std::get<LineMark>(panel.marks.front()).series = {
        seriesOfRuns(runs, "Limit of tiles and waves", "ideal", allowedRate),
        seriesOfRuns(runs, "Simulated", "gemm", rateOf)};
    return panel;
}

/// Returns the panel of the time: stairs, each labelled with its number of waves.
FigurePanel timePanelOfWaves(const std::vector<GalleryRun>& runs, const std::vector<std::size_t>& tips) {
    FigurePanel panel = columnsPanel(runs);
    panel.y.title = "Time";
    panel.y.unit = "µs";
    panel.y.from = 0;
    panel.weight = 0.8;
    std::get<LineMark>(panel.marks.front()).series = {seriesOfRuns(runs, "Simulated", "gemm", microsecondsOf)};
    for (std::size_t i = 0; i < tips.size() && tips.size() <= kMostNamedWaves; ++i) {
        const GalleryRun& tip = runs[tips[i]];
        panel.annotations.push_back(
            {static_cast<double>(columnsOf(tip)), microsecondsOf(tip), std::to_string(tip.result.gemm->waves)});
    }
    return panel;
}

/// Returns the columns at which waves are full: "640, 1280, 1920", of many only the first ones "and so on".
std::string tipsText(const std::vector<GalleryRun>& runs, const std::vector<std::size_t>& tips) {
    constexpr std::size_t kNamed = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(tips.size(), kNamed); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(columnsOf(runs[tips[i]]));
    return tips.size() > kNamed ? text + " and so on" : text;
}

std::string sawtoothWords(const std::vector<GalleryRun>& runs, const std::vector<std::size_t>& tips) {
    if (tips.empty())
        return " All GEMMs fit into one wave.";
    const GalleryRun &tip = runs[tips.front()], &behind = runs[tips.front() + 1];
    return " A wave is full at N = " + tipsText(runs, tips) + ": there the rate reaches " +
           fixedNumber(rateOf(tip), 0) + " TFLOP/s for the first time, and the next tile takes it down to " +
           fixedNumber(rateOf(behind), 0) + ".";
}

}  // namespace

FigureSpec gemmSawtoothFigure(GalleryRuns& runs) {
    const std::vector<GalleryRun>& points = runs.sawtooth();
    const std::vector<std::size_t> tips = tipsOf(points);
    const engine::Shape& shape = points.front().result.shape;
    const engine::GemmResult &first = *points.front().result.gemm, &last = *points.back().result.gemm;
    FigureSpec figure;
    figure.panels = {ratePanel(points), timePanelOfWaves(points, tips)};
    figure.caption = "A GEMM with M = " + std::to_string(shape.m) + " and K = " + std::to_string(shape.k) +
                     " over its columns N, with tiles of " + std::to_string(first.tileM) + " x " +
                     std::to_string(first.tileN) + " on " + std::to_string(first.slots) +
                     " workgroup slots. Numbers in the lower panel: waves that are full there." +
                     sawtoothWords(points, tips) +
                     " Limit of tiles and waves: the peak rate of the matrix units, times tile and wave efficiency.";
    std::vector<double> rates;
    for (const GalleryRun& run : points)
        rates.push_back(rateOf(run));
    figure.alternative =
        "Lines over N from " + std::to_string(columnsOf(points.front())) + " to " +
        std::to_string(columnsOf(points.back())) + " columns, from " + std::to_string(first.waves) +
        (first.waves == 1 ? " wave to " : " waves to ") + std::to_string(last.waves) +
        ". Above, the rate: a saw-tooth from " + rangeText(rates, 0) +
        " TFLOP/s whose teeth become flatter. Below, the time: stairs with a step at each new wave, up to " +
        fixedNumber(microsecondsOf(points.back()), 0) + " µs." + sawtoothWords(points, tips);
    for (const GalleryRun& run : points)
        figure.provenance.experiments.push_back(provenanceOf(run.name, run.experiment, runs.settings()));
    return figure;
}

}  // namespace data
