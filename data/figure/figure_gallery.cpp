#include "data/figure/figure_gallery.h"

#include "data/document/names.h"
#include "data/evaluations/reference.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/figure_command.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace data {
namespace {

struct Maker {
    FigureSpec (*make)(GalleryRuns&);
    bool withoutModel = false;  ///< true: its runs belong to no model
    bool ofMappings = false;    ///< true: its runs have the detail of address mappings
};

constexpr std::array kEntries{
    GalleryEntry{"sublayer-runtime", "Where the time of sub-layers goes",
                 "Shares of GEMM, reduce-scatter and all-gather in the sequential runtime of 16 sub-layers.",
                 "T3, evaluation: sub-layer runtime distribution", 0.06},
    GalleryEntry{"sublayer-speedup", "Speed-up of sub-layers by policy",
                 "T3, T3-MCA and two ideal overlaps over sequential execution, by sub-layer, with geomean and maximum "
                 "beside the published ones.",
                 "T3, evaluation: sub-layer speed-ups", 0},
    GalleryEntry{"dram-access", "DRAM accesses under sequential execution and T3-MCA",
                 "Reads and writes of GEMM, reduce-scatter and all-gather, normalised to sequential execution.",
                 "T3, evaluation: DRAM accesses", 0},
    GalleryEntry{"dram-traffic", "DRAM traffic over time",
                 "Rates of one GPU in T-NLG FC-2 on 8 GPUs under sequential execution and T3-MCA.",
                 "T3, evaluation: DRAM traffic of T-NLG FC-2, TP 8", 0.01},
    GalleryEntry{"end-to-end", "Speed-up of whole models by policy",
                 "A training step and a prompt of five models under T3, T3-MCA and ideal overlap.",
                 "T3, evaluation: end-to-end speed-ups", 0.71},
    GalleryEntry{"communication-share", "Share of communication by model",
                 "Where the time of a training step and a prompt goes in five models under sequential execution.",
                 "T3, motivation: share of communication in Transformers", 0},
    GalleryEntry{"cu-split", "GEMM and collective on CUs of their own",
                 "How a GEMM and a reduce-scatter slow down when they share the compute units, and how much speed-up "
                 "remains.",
                 "T3, motivation: sharing compute units", 0.2},
    GalleryEntry{"reduce-scatter-time", "Reduce-scatter time against size",
                 "A reduce-scatter by kernels on compute units and by near-memory updates with DMA, beside the bound "
                 "of its links.",
                 "T3, methodology: reduce-scatter alone", 0.01},
    GalleryEntry{"t3-beside-traffic", "T3-MCA with independent traffic beside it",
                 "Speed-up of T3-MCA over sequential execution while weights or gradients travel on the same GPUs.", "",
                 0.1},
    GalleryEntry{
        "overlap-pieces", "Overlap in software over the pieces of a GEMM",
        "Total of T-NLG FC-2 with a GEMM in 1 to 32 pieces, beside signals, T3-MCA and sequential execution, and "
        "the time of the GEMM on one queue and on two.",
        "", 0.02},
    GalleryEntry{"gemm-sawtooth", "Saw-tooth of a GEMM's rate",
                 "Rate and time of a GEMM over the columns of its output: each new wave of tiles is a step.", "", 0.02},
    GalleryEntry{"operator-roofline", "Operators of BERT-Large under the roof",
                 "Rate over flops per byte of every operator of a training step of BERT-Large on one GPU, with the "
                 "machine's roof.",
                 "Demystifying BERT: arithmetic intensity of operators", 0.01},
    GalleryEntry{"operator-classes", "Time of BERT-Large by class of operators",
                 "Shares of GEMMs, batched GEMMs, element-wise operators and the optimizer in a training step of "
                 "BERT-Large on one GPU.",
                 "Demystifying BERT: where the time of a training step goes", 0},
    GalleryEntry{"pipeline-schedules", "Schedules of a pipeline over time",
                 "A training step of GPT-3 on four stages with eight micro-batches: all forward passes first, 1F1B, "
                 "interleaved 1F1B and ZB-H1.",
                 "", 0.01},
    GalleryEntry{"bank-groups", "Bank groups in a request, by policy",
                 "GEMM and sub-layer T-NLG FC-2 under sequential execution, T3 and T3-MCA if a request covers all bank "
                 "groups or one.",
                 "", 0.02},
    GalleryEntry{
        "channel-heat", "DRAM channels over time, by address mapping",
        "Traffic of each channel in T-NLG FC-2 under T3-MCA, with the channel bits inside a tile and above it.", "",
        0.01},
    GalleryEntry{"step-time", "Where the time of a divided step goes",
                 "Compute, exposed messages and bubble of a training step of GPT-3 over the bandwidth of a link, under "
                 "sequential execution and T3-MCA.",
                 "", 0.01},
    GalleryEntry{"step-exposed", "Exposed communication of a divided step",
                 "Tensor messages, data messages and sends for which a training step of GPT-3 waits, over replicas and "
                 "stages, under sequential execution and T3-MCA.",
                 "", 0.01},
};
constexpr std::array<Maker, kEntries.size()> kMakers{{{sublayerRuntimeFigure},
                                                      {sublayerSpeedupFigure},
                                                      {dramAccessFigure},
                                                      {dramTrafficFigure},
                                                      {endToEndFigure},
                                                      {communicationShareFigure},
                                                      {cuSplitFigure},
                                                      {reduceScatterTimeFigure, true},
                                                      {trafficFigure},
                                                      {overlapPiecesFigure},
                                                      {gemmSawtoothFigure, true},
                                                      {operatorRooflineFigure},
                                                      {operatorClassesFigure},
                                                      {pipelineSchedulesFigure},
                                                      {bankGroupsFigure, false, true},
                                                      {channelHeatFigure, false, true},
                                                      {stepTimeFigure},
                                                      {stepExposedFigure}}};

/// A figure of a bundled evaluation, with the texts of its entry.
struct EvaluationEntry {
    const Evaluation* evaluation;
    const EvaluationFigure* figure;
    std::string name, title, what, counterpart;
};

const std::vector<EvaluationEntry>& evaluationEntries() {
    static const std::vector<EvaluationEntry> kOfEvaluations = [] {
        std::vector<EvaluationEntry> entries;
        for (const Evaluation& evaluation : evaluations()) {
            for (const EvaluationFigure& figure : evaluation.figures)
                entries.push_back({&evaluation, &figure, chartName(evaluation, figure), chartTitle(evaluation, figure),
                                   chartSentence(evaluation, figure),
                                   evaluation.question.empty() ? "" : evaluation.title + ": " + evaluation.question});
        }
        return entries;
    }();
    return kOfEvaluations;
}

const std::vector<GalleryEntry>& allEntries() {
    static const std::vector<GalleryEntry> kAll = [] {
        std::vector<GalleryEntry> entries(kEntries.begin(), kEntries.end());
        // Points of evaluations take little time beside whole models, and T3's points have been simulated already.
        for (const EvaluationEntry& entry : evaluationEntries())
            entries.push_back({entry.name, entry.title, entry.what, entry.counterpart, 0});
        return entries;
    }();
    return kAll;
}

/// Returns settings as a person types them into a shell, without a blank before the unit: "link.bandwidth=75GB/s".
std::vector<std::string> settingTexts(const Settings& settings) {
    std::vector<std::string> texts;
    for (const auto& [path, value] : settings) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        std::string text = engine::formatValue(parameter, value);
        if (parameter.kind != engine::ParameterKind::text)
            std::erase(text, ' ');
        texts.push_back(path + "=" + text);
    }
    return texts;
}

/// Completes a figure of the fixed part of the gallery.
void finishFigure(const GalleryEntry& entry, const GalleryRuns& runs, const Settings& settings,
                  engine::DetailLevel level, FigureSpec& figure) {
    figure.name = entry.name;
    figure.title = entry.title;
    figure.provenance.notices = runs.noticesOf(figure.provenance.experiments);
    figure.caption += noticeSentences(figure.provenance.notices);
    figure.caption += " " + madeSentence(level, settings);
    figure.provenance.program = "Ringside " RINGSIDE_VERSION;
    figure.provenance.engine = engine::engineVersion();
    if (!figure.provenance.published.empty())
        figure.provenance.publishedSource = publishedSource();
}

}  // namespace

std::span<const GalleryEntry> galleryEntries() { return allEntries(); }

const GalleryEntry* findGalleryEntry(std::string_view name) {
    return findNamed(allEntries(), &GalleryEntry::name, name);
}

Gallery::Gallery(GalleryOptions options) : m_options(std::move(options)) {}

Gallery::~Gallery() = default;

GalleryRuns& Gallery::runs() {
    if (m_options.stop.stop_requested())
        throw engine::RunStopped();
    if (!m_runs)
        m_runs = std::make_unique<GalleryRuns>(m_options);
    return *m_runs;
}

FigureSpec Gallery::make(const Evaluation& evaluation, const EvaluationFigure& figure) {
    FigureSpec made = chartOf(evaluation, figure, runs().evaluation(evaluation, figure), m_options.settings);
    if (m_options.progress)
        m_options.progress(1);
    return made;
}

FigureSpec Gallery::make(std::string_view name) {
    const GalleryEntry* entry = findGalleryEntry(name);
    if (entry == nullptr)
        throw std::out_of_range("no figure of the gallery is called " + std::string(name));
    GalleryRuns& made = runs();
    const auto place = static_cast<std::size_t>(entry - allEntries().data());
    Settings settings = m_options.settings;
    FigureSpec figure;
    if (place < kMakers.size()) {
        if (kMakers[place].withoutModel)
            settings = settingsOfCollective(settings);
        made.beginFigure();
        figure = kMakers[place].make(made);
        finishFigure(*entry, made, settings, kMakers[place].ofMappings ? made.levelOfMappings() : made.level(), figure);
    } else {
        const EvaluationEntry& own = evaluationEntries()[place - kMakers.size()];
        figure = chartOf(*own.evaluation, *own.figure, made.evaluation(*own.evaluation, *own.figure), settings);
    }
    figure.from.kind = FigureSource::Kind::gallery;
    figure.from.name = name;
    figure.from.settings = settingTexts(settings);
    figure.provenance.command = commandOf(figure);
    if (m_options.progress)
        m_options.progress(1);
    return figure;
}

}  // namespace data
