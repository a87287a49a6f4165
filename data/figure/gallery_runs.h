#pragma once

#include "data/evaluations/reproduce.h"
#include "data/figure/figure_gallery.h"
#include "data/model/model_survey.h"
#include "data/trace/traffic_profile.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace data {

class ModelMemory;

/// A run that is not one of the published cases, with its experiment.
struct GalleryRun {
    std::string name;  ///< "t-nlg/fc-2/tp8 t3-mca"
    engine::Experiment experiment;
    engine::RunResult result;
};

/// Runs of the GEMM beside an independent all-reduce of the same number of bytes, each on CUs of its own.
struct CuSplitStudy {
    /// Both together: the all-reduce on as many CUs as `cus` says, the GEMM on the remaining CUs of the machine.
    struct Split {
        engine::Experiment experiment;  ///< the experiment of both together
        engine::TimeResult together;
        engine::TimeResult apart;  ///< one after the other, each on its share alone
    };
    struct Case {
        GalleryRun whole;  ///< sequential, each on all CUs
        std::vector<Split> splits;
    };
    std::vector<std::int64_t> cus;  ///< of the collective
    std::vector<Case> cases;
};

/// Times of a reduce-scatter alone over its size.
struct ReduceScatterTimes {
    std::vector<engine::Bytes> sizes;
    std::vector<GalleryRun> kernels, nearMemory;  ///< by size
    std::vector<engine::Duration> bounds;         ///< (N - 1) c/B
};

/// Sub-layers while independent traffic runs beside them.
struct TrafficStudy {
    /// One sub-layer under both policies, beside the same traffic.
    struct Pair {
        GalleryRun sequential, overlapped;
    };
    struct Traffic {
        const char* name;
        const char* meaning;
        std::vector<std::vector<Pair>> bySize;
    };
    std::vector<engine::Bytes> sizes;
    std::vector<Pair> without;
    std::vector<Traffic> traffics;
};

/// T-NLG FC-2 on 8 GPUs over the number of pieces of its GEMM.
struct PieceStudy {
    std::vector<std::int64_t> pieces;
    std::vector<GalleryRun> oneQueue, twoQueues;  ///< under `chunked`, by number of pieces
    std::vector<GalleryRun> whole;                ///< under policies that do not cut the GEMM
};

/// T-NLG FC-2 on 8 GPUs with two address mappings: the bank groups of a request are the lowest bits, or lie above it.
struct BankGroupRuns {
    struct Pair {
        std::array<GalleryRun, 2> runs;  ///< by mapping
    };
    std::array<std::int64_t, 2> groups{};  ///< bank groups that a request covers, by mapping
    std::vector<Pair> byPolicy;
};

/// All runs that the figures of the gallery need. Each is simulated when it is first requested and then kept, so that
/// figures share their runs. Throws as Gallery::make does.
class GalleryRuns {
public:
    explicit GalleryRuns(const GalleryOptions& options);
    ~GalleryRuns();

    const Settings& settings() const { return m_options.settings; }
    engine::DetailLevel level() const { return m_level; }

    const Reproduction& evaluation();  ///< of T3
    const Reproduction& evaluation(const Evaluation& bundled);
    /// Returns the evaluation for one of its figures. A correlation needs the points of its measured table alone.
    const Reproduction& evaluation(const Evaluation& bundled, const EvaluationFigure& figure);
    /// Each published model at each of its degrees, under `sequential` alone or under all policies that end-to-end
    /// figures compare.
    const ModelSurvey& models(engine::ModelPhase phase, bool everyPolicy);
    /// T-NLG FC-2 on 8 GPUs under sequential and T3-MCA, with the runs' traces.
    const std::vector<GalleryRun>& traced();
    const CuSplitStudy& cuSplits();
    const ReduceScatterTimes& reduceScatters();
    const TrafficStudy& traffic();
    /// A launch takes the time of settings and machine; where that is zero, it takes the figure's.
    const PieceStudy& pieces();
    /// A GEMM alone over its number of columns, in steps of the width of the default tile.
    const std::vector<GalleryRun>& sawtooth();
    /// Both need banks and several requests in a row of all channels, so their detail is at least standard.
    const BankGroupRuns& bankGroups();
    /// T-NLG FC-2 on 8 GPUs under T3-MCA, with the channel bits inside a tile and above it, with the runs' traces.
    const std::vector<GalleryRun>& channelHeat();
    engine::DetailLevel levelOfMappings() const;
    /// Pseudo-channels with the gallery's settings. Address mappings use the largest power of two of them.
    std::int64_t channelsOfMachine() const;
    /// Training steps of GPT-3 at TP 8 under sequential, one for each schedule of pipelines that a figure compares. Stages
    /// and micro-batches are the figure's unless the settings have them.
    const std::vector<ModelRun>& schedules();
    /// Training steps of GPT-3 at TP 8 under sequential and T3-MCA over the bandwidth of a link, which rises. Stages,
    /// replicas and micro-batches are the figure's unless the settings have them.
    const std::vector<ModelRun>& stepsByBandwidth();
    /// Training steps of GPT-3 at TP 8 under sequential and T3-MCA over stages, and for each number of stages over
    /// replicas. Both rise to the figure's numbers unless the settings have others; micro-batches are the figure's for
    /// each stage unless the settings have them.
    const std::vector<ModelRun>& stepsByDivision();
    /// A training step of BERT-Large on one GPU, its attention as separate operators unless the settings say otherwise.
    const ModelRun& bert();

    /// Call before a figure is made: noticesOf() then leaves out whole models that only figures before it have used. A
    /// model has other notices under other policies.
    void beginFigure() { m_modelNotices.clear(); }
    /// Returns the notices of these experiments that qualify the numbers of a figure, one for each parameter, as far as
    /// they have been simulated.
    engine::Notices noticesOf(const std::vector<FigureProvenance::Experiment>& experiments) const;

private:
    engine::Experiment experimentWith(const Settings& values) const;
    engine::Experiment mappedExperiment(const char* policy, const std::string& mapping) const;
    void simulate(std::vector<GalleryRun>& runs, bool traces);
    ModelSurvey simulatedModels(engine::ModelPhase phase, bool everyPolicy) const;
    ModelRunOptions modelOptions(std::vector<engine::PolicyPreset> policies, double from, double to) const;
    engine::Experiment trainingWith(const Settings& own, const Settings& defaults) const;
    const std::vector<ModelRun>& dividedSteps(std::vector<ModelRun>& kept, const std::vector<Settings>& variants,
                                              const Settings& defaults,
                                              const std::vector<engine::PolicyPreset>& policies);
    void keepNotices(const ModelRun& run);
    /// Returns the points of all sweeps of the evaluation, or of one. They are simulated once.
    const Reproduction& reproduced(const Evaluation& bundled, std::optional<std::size_t> sweep);
    std::function<void(double)> progressFrom(double from, double to) const;

    const GalleryOptions& m_options;
    engine::DetailLevel m_level{};
    std::shared_ptr<engine::BaselineCache> m_baselines;
    std::shared_ptr<ModelMemory> m_memory;
    std::map<std::pair<std::string, std::optional<std::size_t>>, Reproduction> m_evaluations;  // by name and sweep
    std::map<std::pair<engine::ModelPhase, bool>, ModelSurvey> m_models;
    std::vector<GalleryRun> m_traced;
    std::optional<CuSplitStudy> m_cuSplits;
    std::optional<ReduceScatterTimes> m_reduceScatters;
    std::optional<TrafficStudy> m_traffic;
    std::optional<PieceStudy> m_pieces;
    std::optional<BankGroupRuns> m_bankGroups;
    std::vector<GalleryRun> m_channelHeat;
    std::vector<GalleryRun> m_sawtooth;
    std::vector<ModelRun> m_schedules, m_stepsByBandwidth, m_stepsByDivision;
    std::optional<ModelRun> m_bert;
    std::map<std::string, engine::Notices> m_notices;       // by hash of the experiment
    std::map<std::string, engine::Notices> m_modelNotices;  // of the models that the figure uses, by hash of their base
};

// One function for each entry of the gallery. The returned figure is complete except for name, title and program, which
// finishFigure sets.

FigureSpec sublayerRuntimeFigure(GalleryRuns& runs);
FigureSpec sublayerSpeedupFigure(GalleryRuns& runs);
FigureSpec dramAccessFigure(GalleryRuns& runs);
FigureSpec dramTrafficFigure(GalleryRuns& runs);
FigureSpec endToEndFigure(GalleryRuns& runs);
FigureSpec communicationShareFigure(GalleryRuns& runs);
FigureSpec cuSplitFigure(GalleryRuns& runs);
FigureSpec reduceScatterTimeFigure(GalleryRuns& runs);
FigureSpec trafficFigure(GalleryRuns& runs);
FigureSpec overlapPiecesFigure(GalleryRuns& runs);
FigureSpec gemmSawtoothFigure(GalleryRuns& runs);
FigureSpec operatorRooflineFigure(GalleryRuns& runs);
FigureSpec operatorClassesFigure(GalleryRuns& runs);
FigureSpec pipelineSchedulesFigure(GalleryRuns& runs);
FigureSpec bankGroupsFigure(GalleryRuns& runs);
FigureSpec channelHeatFigure(GalleryRuns& runs);
FigureSpec stepTimeFigure(GalleryRuns& runs);
FigureSpec stepExposedFigure(GalleryRuns& runs);

}  // namespace data
