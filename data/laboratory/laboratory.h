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

/// A run together with what was run.
struct LaboratoryRun {
    std::string name;  ///< "t-nlg/fc-2/tp8 t3-mca"
    ExperimentDraft draft;
    engine::Experiment experiment;
    std::string hash;
    engine::RunResult result;
    std::string keepFailure;  ///< why the store did not take it; empty when it did, or when there is none
};

/// Returns the experiment as the engine ran it: with the tile that tiles.choice=best came to, from the result.
/// `experiment` itself is what was asked for, and what a run is known by.
engine::Experiment asRun(const LaboratoryRun& run);

/// The one door through which window and command line run things. Stateless but for the store it may be given;
/// safe to use from a worker thread as long as the store is not shared.
class Laboratory {
public:
    explicit Laboratory(Store* store = nullptr) : m_store(store) {}

    /// Expands, runs and, with a store, keeps. Throws engine::InvalidExperiment, engine::RunStopped,
    /// engine::Deadlock. A store that fails costs no result: see LaboratoryRun::keepFailure.
    LaboratoryRun run(const ExperimentDraft& draft, const engine::RunOptions& options = {});

    /// The same experiment under each policy, in the order asked.
    std::vector<LaboratoryRun> compare(const ExperimentDraft& draft, const std::vector<std::string>& policies,
                                       const engine::RunOptions& options = {});

private:
    void keep(LaboratoryRun& run);

    Store* m_store;
};

/// Where the time went is read from a trace, about 40 bytes for each event: some experiments would need more memory than a
/// machine has, and only lack their attribution.
bool canAttribute(const engine::Experiment& experiment);

/// What is said of an experiment that cannot.
inline constexpr std::string_view kTooManyToAttribute =
    "the run has too many events to tell where its time goes; a coarser detail.level can";

/// "t-nlg/fc-2/tp8", "collective/all-reduce/tp8", "gemm/4096x4096x4096": what is run, without how.
std::string caseName(const engine::Experiment& experiment);

/// "t-nlg/tp8", "7500000000 weights/tp1": the whole model.
std::string modelCaseName(const engine::Experiment& base);

/// "t-nlg/fc-2/tp8 t3-mca", with what differs where values go beyond presets: "t-nlg/fc-2/tp8 t3-mca, entries 32".
std::string displayName(const ExperimentDraft& draft);

/// The same names for many drafts that share their presets: what the presets alone expand to is looked up.
class NameGiver {
public:
    /// `first`: parameters that are told before the others and always, such as the axes of a sweep.
    explicit NameGiver(std::vector<std::string> first = {}) : m_first(std::move(first)) {}

    /// `experiment` is what the draft expands to.
    std::string nameOf(const ExperimentDraft& draft, const engine::Experiment& experiment);

    /// "gpt-3/tp8 training t3-mca, …" of a whole model; `what` stands in place of the sub-layer.
    std::string nameOfModel(const ExperimentDraft& draft, const engine::Experiment& experiment, std::string_view what,
                            bool hasPolicy);

private:
    std::string named(std::string name, const ExperimentDraft& draft, const engine::Experiment& experiment);

    std::vector<std::string> m_first;
    std::map<Settings, engine::Experiment, std::less<>> m_expanded;
};

}  // namespace data
