#pragma once

#include "data/evaluations/reproduce.h"
#include "data/figure/figure_gallery.h"
#include "data/model/model_survey.h"
#include "data/trace/traffic_profile.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine {
class BaselineCache;
}

namespace data {

class ModelMemory;

/// A run that has no name among the published cases, with what it was a run of.
struct GalleryRun {
    std::string name;  ///< "t-nlg/fc-2/tp8 t3-mca"
    engine::Experiment experiment;
    engine::RunResult result;
};

/// The GEMM beside an all-reduce of as many bytes that does not depend on it, each on CUs of its own.
struct CuSplitStudy {
    /// Both on as many CUs as in `cus`, and on what that leaves of the machine's.
    struct Split {
        engine::Experiment experiment;  ///< of both together
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

/// A reduce-scatter alone over sizes.
struct ReduceScatterTimes {
    std::vector<engine::Bytes> sizes;
    std::vector<GalleryRun> kernels, nearMemory;  ///< by size
    std::vector<engine::Duration> bounds;         ///< (N - 1) c/B
};

/// Sub-layers while independent traffic runs beside them.
struct TrafficStudy {
    /// One sub-layer under both policies, in the same company.
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

/// Everything that figures of the gallery are made of. Simulated when first asked for, then kept: figures that need the
/// same simulate it once. All of it stops and fails as GalleryOptions says.
class GalleryRuns {
public:
    explicit GalleryRuns(const GalleryOptions& options);
    ~GalleryRuns();

    const Settings& settings() const { return m_options.settings; }
    engine::DetailLevel level() const { return m_level; }

    const Reproduction& evaluation();  ///< of T3
    const Reproduction& evaluation(const Evaluation& bundled);
    /// Each published model at each of its degrees, under `sequential` alone or under what end-to-end figures compare.
    const ModelSurvey& models(engine::ModelPhase phase, bool everyPolicy);
    /// T-NLG FC-2 on 8 GPUs under sequential and T3-MCA, with the runs' traces.
    const std::vector<GalleryRun>& traced();
    const CuSplitStudy& cuSplits();
    const ReduceScatterTimes& reduceScatters();
    const TrafficStudy& traffic();
    /// A GEMM alone over its columns, by one column of the default tile.
    const std::vector<GalleryRun>& sawtooth();
    /// A training step of BERT-Large on one GPU, its attention as separate operators unless the settings say otherwise.
    const ModelRun& bert();

private:
    engine::Experiment experimentWith(const Settings& values) const;
    void simulate(std::vector<GalleryRun>& runs, bool traces);
    std::function<void(double)> progressFrom(double from, double to) const;

    const GalleryOptions& m_options;
    engine::DetailLevel m_level{};
    std::shared_ptr<engine::BaselineCache> m_baselines;
    std::shared_ptr<ModelMemory> m_memory;
    std::map<std::string, Reproduction> m_evaluations;
    std::map<std::pair<engine::ModelPhase, bool>, ModelSurvey> m_models;
    std::vector<GalleryRun> m_traced;
    std::optional<CuSplitStudy> m_cuSplits;
    std::optional<ReduceScatterTimes> m_reduceScatters;
    std::optional<TrafficStudy> m_traffic;
    std::vector<GalleryRun> m_sawtooth;
    std::optional<ModelRun> m_bert;
};

// One function for each entry of the gallery. What they return lacks only what is the same for all: name, title, program.

FigureSpec sublayerRuntimeFigure(GalleryRuns& runs);
FigureSpec sublayerSpeedupFigure(GalleryRuns& runs);
FigureSpec dramAccessFigure(GalleryRuns& runs);
FigureSpec dramTrafficFigure(GalleryRuns& runs);
FigureSpec endToEndFigure(GalleryRuns& runs);
FigureSpec communicationShareFigure(GalleryRuns& runs);
FigureSpec cuSplitFigure(GalleryRuns& runs);
FigureSpec reduceScatterTimeFigure(GalleryRuns& runs);
FigureSpec trafficFigure(GalleryRuns& runs);
FigureSpec gemmSawtoothFigure(GalleryRuns& runs);
FigureSpec operatorRooflineFigure(GalleryRuns& runs);
FigureSpec operatorClassesFigure(GalleryRuns& runs);

}  // namespace data
