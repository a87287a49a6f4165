#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// Overlap in software: a GEMM over its number of pieces, beside policies that do not cut it.

namespace data {
namespace {

constexpr double kMicrosecond = 1e6;  // picoseconds

std::string policyOf(const GalleryRun& run) { return std::string(engine::name(run.experiment.policy.preset)); }

double totalOf(const GalleryRun& run) { return static_cast<double>(run.result.last.time.total.ps) / kMicrosecond; }

double gemmOf(const GalleryRun& run) { return static_cast<double>(run.result.last.time.gemm.ps) / kMicrosecond; }

/// Adds a run to the provenance, with what this figure sets in addition to the settings of its user.
void addRun(const GalleryRun& run, const std::string& name, const Settings& settings, FigureProvenance& provenance) {
    Settings own = settings;
    for (const char* path : {"launch.kernel", "policy.pieces", "policy.queues"})
        own.insert_or_assign(path, engine::findParameter(path)->read(run.experiment));
    provenance.experiments.push_back(provenanceOf(name, run.experiment, own));
}

std::string piecesText(std::int64_t pieces) { return std::to_string(pieces) + (pieces == 1 ? " piece" : " pieces"); }

FigureSeries seriesOver(const std::vector<GalleryRun>& runs, const char* name, const std::string& meaning,
                        double (*value)(const GalleryRun&)) {
    FigureSeries series{name, meaning, {}, {}, {}, 0};
    for (const GalleryRun& run : runs)
        series.values.emplace_back(value(run));
    return series;
}

LineMark markOver(const PieceStudy& study) {
    LineMark mark;
    mark.x.assign(study.pieces.begin(), study.pieces.end());
    return mark;
}

FigurePanel piecesPanel(const PieceStudy& study, const char* title) {
    FigurePanel panel;
    panel.title = title;
    panel.x.title = "Number of pieces";
    panel.x.scale = FigureScale::logarithmic;
    panel.x.ticks.assign(study.pieces.begin(), study.pieces.end());
    panel.y.title = "Time";
    panel.y.unit = "µs";
    return panel;
}

FigurePanel totalPanel(const PieceStudy& study) {
    FigurePanel panel = piecesPanel(study, "Total");
    LineMark mark = markOver(study);
    for (const GalleryRun& run : study.whole)
        mark.series.push_back({policyTitle(policyOf(run)),
                               policyMeaning(policyOf(run)),
                               FigureValues(study.pieces.size(), totalOf(run)),
                               {},
                               {},
                               0});
    mark.series.push_back(seriesOver(study.twoQueues, "Chunked", policyMeaning("chunked"), totalOf));
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

FigurePanel gemmPanel(const PieceStudy& study) {
    FigurePanel panel = piecesPanel(study, "GEMM of chunked");
    panel.y.from = 0;
    panel.weight = 0.8;  // of the height of the totals
    LineMark mark = markOver(study);
    mark.series = {seriesOver(study.oneQueue, "GEMM, one queue", "gemm/light", gemmOf),
                   seriesOver(study.twoQueues, "GEMM, two queues", "gemm", gemmOf)};
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

/// Returns "Signals 2402 µs, T3-MCA 2037 µs and Sequential 2447 µs".
std::string wholeTotals(const PieceStudy& study) {
    std::string text;
    for (const GalleryRun& run : study.whole) {
        const char* before = &run == &study.whole.front() ? "" : &run == &study.whole.back() ? " and " : ", ";
        text += before + policyTitle(policyOf(run)) + " " + fixedNumber(totalOf(run), 0) + " µs";
    }
    return text;
}

/// Returns "14 waves in 1 piece and 32 in 32 pieces".
std::string wavesText(const PieceStudy& study) {
    const auto waves = [](const GalleryRun& run) { return std::to_string(run.result.gemm->waves); };
    return waves(study.twoQueues.front()) + " waves in " + piecesText(study.pieces.front()) + " and " +
           waves(study.twoQueues.back()) + " in " + piecesText(study.pieces.back());
}

std::string piecesCaption(const PieceStudy& study) {
    const auto best = std::ranges::min_element(study.twoQueues, {}, totalOf);
    const engine::Experiment& experiment = best->experiment;
    return "T-NLG FC-2 on " + std::to_string(experiment.parallel.tp) +
           " GPUs with a GEMM that is launched in pieces on two queues (chunked), beside policies that do not cut it. A "
           "launch takes " +
           fixedNumber(static_cast<double>(experiment.launch.kernel.ps) / kMicrosecond, 1) +
           " µs. Chunked is fastest with " +
           piecesText(study.pieces[static_cast<std::size_t>(best - study.twoQueues.begin())]) + ", " +
           fixedNumber(totalOf(*best), 0) + " µs; " + wholeTotals(study) +
           ". More pieces begin earlier with the reduce-scatter, but each piece has a last wave of its own, which leaves "
           "compute units empty: the GEMM has " +
           wavesText(study) + ", where it takes " + fixedNumber(gemmOf(study.oneQueue.back()), 0) +
           " µs on one queue and " + fixedNumber(gemmOf(study.twoQueues.back()), 0) +
           " on two, where pieces of the other queue fill some of them.";
}

std::string piecesAlternative(const PieceStudy& study) {
    std::string text = "Lines over the number of pieces, " + std::to_string(study.pieces.front()) + " to " +
                       std::to_string(study.pieces.back()) +
                       ", on a logarithmic axis. Above, the total: level lines for " + wholeTotals(study) +
                       ", and chunked on two queues with";
    for (std::size_t i = 0; i < study.pieces.size(); ++i)
        text += (i == 0 ? " " : ", ") + fixedNumber(totalOf(study.twoQueues[i]), 0) + " µs in " +
                piecesText(study.pieces[i]);
    return text + ". Below, the time of the GEMM: from " + fixedNumber(gemmOf(study.oneQueue.front()), 0) + " to " +
           fixedNumber(gemmOf(study.oneQueue.back()), 0) + " µs on one queue, and to " +
           fixedNumber(gemmOf(study.twoQueues.back()), 0) + " µs on two.";
}

}  // namespace

FigureSpec overlapPiecesFigure(GalleryRuns& runs) {
    const PieceStudy& study = runs.pieces();
    FigureSpec figure;
    figure.panels = {totalPanel(study), gemmPanel(study)};
    figure.caption = piecesCaption(study);
    figure.alternative = piecesAlternative(study);
    for (const GalleryRun& run : study.whole)
        addRun(run, run.name, runs.settings(), figure.provenance);
    for (std::size_t i = 0; i < study.pieces.size(); ++i) {
        const std::string pieces = ", " + piecesText(study.pieces[i]);
        addRun(study.oneQueue[i], study.oneQueue[i].name + pieces + ", one queue", runs.settings(), figure.provenance);
        addRun(study.twoQueues[i], study.twoQueues[i].name + pieces + ", two queues", runs.settings(),
               figure.provenance);
    }
    return figure;
}

}  // namespace data
