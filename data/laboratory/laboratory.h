#pragma once

#include "data/experiment/experiment_document.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace data {

class Store;

/// A run with its draft, experiment and hash.
struct LaboratoryRun {
    std::string name;  ///< "t-nlg/fc-2/tp8 t3-mca"
    ExperimentDraft draft;
    engine::Experiment experiment;
    std::string hash;
    engine::RunResult result;
    std::string keepFailure;  ///< why the store did not keep the run; empty if it did, or if there is no store
};

/// Returns the experiment as the engine ran it: with the tile that tiles.choice chose, from the result.
/// `run.experiment` is the requested experiment, which identifies the run.
engine::Experiment asRun(const LaboratoryRun& run);

/// Gives the names of displayName to many drafts that share their presets. Expands each set of presets only once.
class NameGiver {
public:
    /// `first`: parameters that are always named, before all others, such as the axes of a sweep.
    explicit NameGiver(std::vector<std::string> first = {}) : m_first(std::move(first)) {}

    /// Returns the name of a draft. `experiment` is its expansion.
    std::string nameOf(const ExperimentDraft& draft, const engine::Experiment& experiment);

    /// Returns the name of a whole model, "gpt-3/tp8 training t3-mca, …"; `what` takes the place of the sub-layer.
    std::string nameOfModel(const ExperimentDraft& draft, const engine::Experiment& experiment, std::string_view what,
                            bool hasPolicy);

    /// Returns the name without a policy, for the base of a sweep: of a whole model or of a sub-layer.
    std::string nameOfBase(const ExperimentDraft& draft, const engine::Experiment& experiment, bool ofModel);

private:
    std::string named(std::string name, const ExperimentDraft& draft, const engine::Experiment& experiment);

    std::vector<std::string> m_first;
    std::map<Settings, engine::Experiment, std::less<>> m_expanded;
};

/// Runs experiments for the window and the command line. It remembers the presets that it has expanded for names. One
/// thread at a time may use it and its store.
class Laboratory {
public:
    explicit Laboratory(Store* store = nullptr) : m_store(store) {}

    /// Expands and runs a draft, and keeps the run if there is a store. Throws engine::InvalidExperiment,
    /// engine::RunStopped, engine::Deadlock. If the store fails, the result is still returned: see
    /// LaboratoryRun::keepFailure.
    LaboratoryRun run(const ExperimentDraft& draft, const engine::RunOptions& options = {});

    /// Runs the same experiment under each policy, in the given order.
    std::vector<LaboratoryRun> compare(const ExperimentDraft& draft, const std::vector<std::string>& policies,
                                       const engine::RunOptions& options = {});

private:
    LaboratoryRun runOne(const ExperimentDraft& draft, const engine::RunOptions& options);
    void keep(LaboratoryRun& run);

    Store* m_store;
    NameGiver m_names;
};

/// Returns whether a run's time can be attributed. Attribution needs a trace, about 40 bytes for each event; for some
/// experiments that would exceed a machine's memory. Those run without attribution.
bool canAttribute(const engine::Experiment& experiment);

/// The message for an experiment for which canAttribute is false.
inline constexpr std::string_view kTooManyToAttribute =
    "the run has too many events to attribute its time; choose a coarser detail.level";

/// Returns the name of an experiment without the policy: "t-nlg/fc-2/tp8", "collective/all-reduce/tp8",
/// "gemm/4096x4096x4096".
std::string caseName(const engine::Experiment& experiment);

/// Returns the name of the whole model: "t-nlg/tp8", "7500000000 weights/tp1".
std::string modelCaseName(const engine::Experiment& base);

/// Returns the name with the policy and the values that differ from the presets: "t-nlg/fc-2/tp8 t3-mca",
/// "t-nlg/fc-2/tp8 t3-mca, entries 32".
std::string displayName(const ExperimentDraft& draft);

}  // namespace data
