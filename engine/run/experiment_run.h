#pragma once

#include "engine/api/runner.h"
#include "engine/api/tile_choice.h"
#include "engine/run/baseline_memory.h"
#include "engine/run/simulation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace engine {

/// Runs one experiment from settings to result: it simulates the policy, and the isolated parts that a ratio needs. The
/// ideal bounds are formulas over those parts and simulate nothing else. If one GPU stands for all, a simulation takes
/// one thread; with more threads the policy and the isolated parts are simulated at the same time.
class ExperimentRun {
public:
    /// Chooses the tile if tiles.choice leaves that to the run; throws RunStopped. Precondition: the experiment is
    /// valid.
    ExperimentRun(const Experiment& experiment, const RunOptions& options);

    RunResult run();

    /// Returns the checks of the policy's own run; empty for the ideal bounds. Valid after run().
    const std::vector<Check>& checks() const { return m_checks; }

private:
    // The side to which a simulation belongs: the policy's own run, or a baseline.
    enum class Side : std::uint8_t { own, baselines };
    struct Range;  // a part of the progress from 0 to 1
    /// The times of the parts alone, and of the parts one after the other.
    struct Baselines {
        IsolatedTimes isolated;
        Duration sequential;
        Duration sequentialGemm;    ///< over all GPUs
        std::uint32_t lastGpu = 0;  ///< the GPU that ends last in the sequential run
    };

    SimulatedRun simulate(const Experiment& experiment, const SimulationOptions& options, Range progress);
    SimulatedRun simulate(const Experiment& experiment, const Plan& plan, const SimulationOptions& options,
                          Range progress);
    Duration aloneTime(const Experiment& alone, bool own, Range progress);
    void addCompanion(RunResult& result, Range progress);
    std::shared_ptr<const SimulatedRun> shared(const std::string& key, Side side,
                                               const std::function<SimulatedRun()>& simulate);
    void simulateBaselines(bool withSequential, Range progress);
    std::shared_ptr<const SimulatedRun> atOnce(Range own, Range baselines);
    std::stop_token stopOf(Side side) const;
    void report(const Range& range, double done);
    std::shared_ptr<const SimulatedRun> ownPart(Range progress);
    std::shared_ptr<const SimulatedRun> sequentialPart(Range progress);
    Duration isolatedScatter(Range progress);
    Baselines baselines(const SimulatedRun* sequential, Range progress);
    void addPolicyRun(RunResult& result, const SimulatedRun& part);
    void addAttribution(RunResult& result, const Trace& trace) const;
    void addLoss(RunResult& result, Range progress);
    void addIdeal(RunResult& result, const Baselines& parts) const;
    void addUnreadParts(Notices& notices) const;
    void addUnreadDivision(Notices& notices) const;
    void addTileChoice(Notices& notices) const;
    void addHeldUpdates(RunResult& result) const;
    void addNotices(RunResult& result, bool mirrored) const;

    const Experiment m_asked;
    std::vector<TileTrial> m_trials;  // empty if the tile was set
    Experiment m_experiment;          // as asked, with the chosen tile
    RunOptions m_options;
    Plan m_plan;
    bool m_compares;                         // whether the run is compared with the parts alone
    bool m_sequential;                       // whether the policy's own run is itself the sequential run
    std::shared_ptr<BaselineCache> m_cache;  // null: nothing is shared
    bool m_atOnce;  // whether policy and baselines are simulated at the same time, on a thread each
    std::shared_ptr<const SimulatedRun> m_sequentialPart;
    std::optional<Duration> m_isolatedScatter;
    std::stop_source m_stopBaselines;
    std::mutex m_telling;
    std::array<double, 2> m_reached{};  // progress reached, by side
    std::vector<Check> m_checks;
};

/// Throws InvalidExperiment unless the experiment is valid.
void requireValid(const Experiment& experiment);

/// Throws InvalidExperiment for an experiment that reads a request file, unless the options have its requests.
void requireRequests(const Experiment& experiment, const RunOptions& options);

}  // namespace engine
