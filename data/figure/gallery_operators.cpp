#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/figure/operator_figures.h"
#include "engine/api/parameters.h"

#include <utility>

// A figure of the operators of one model: which of them the machine's roof limits, and which classes take the time.

namespace data {
namespace {

constexpr const char* kAttention = "operators.attention";  // set by the figure unless the settings have it

FigureSpec bertFigure(GalleryRuns& runs, FigurePanel panel, const std::string& caption) {
    FigureSpec figure;
    figure.panels.push_back(std::move(panel));
    const engine::Experiment& base = runs.bert().base;
    figure.caption = caption + " A training step of " + modelTitle(base.workload.model) + " on one GPU, " +
                     std::to_string(base.workload.batch) + " sequences of " + std::to_string(base.workload.sequence) +
                     " tokens, elements of " + std::to_string(base.operators.elementBits) + " bits.";
    Settings settings = runs.settings();
    settings.insert_or_assign(kAttention, engine::findParameter(kAttention)->read(base));
    figure.provenance.experiments.push_back(provenanceOf(base.workload.model, base, settings));
    return figure;
}

}  // namespace

FigureSpec operatorRooflineFigure(GalleryRuns& runs) {
    const ModelRun& run = runs.bert();
    FigureSpec figure = bertFigure(runs, rooflinePanel(run, run.sequential),
                                   "Operators by flops per byte and rate under the machine's roof; the area of a "
                                   "marker is its share of the time. Bytes of a GEMM are its inputs and its output, "
                                   "each once; operators with equal values cover each other. " +
                                       roofSentence(run));
    figure.alternative = rooflineText(run, run.sequential);
    return figure;
}

FigureSpec operatorClassesFigure(GalleryRuns& runs) {
    const ModelRun& run = runs.bert();
    FigureSpec figure = bertFigure(runs, classPanel(run, run.sequential), "Share of the time by class of operators.");
    figure.legend = FigureLegend::none;  // the names are under the bars
    figure.alternative = classText(run, run.sequential);
    return figure;
}

}  // namespace data
