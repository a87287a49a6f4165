#pragma once

#include "engine/api/runner.h"
#include "engine/run/simulation.h"

namespace engine {

/// One experiment from settings to result: the simulation of its policy, and the runs of the isolated parts that a
/// ratio needs. The ideal bounds are formulas over those parts and simulate nothing else.
class ExperimentRun {
public:
    /// Precondition: the experiment is valid.
    ExperimentRun(const Experiment& experiment, const RunOptions& options);

    RunResult run();

    /// The checks of the policy's own run; empty for the ideal bounds. Valid after run().
    const std::vector<Check>& checks() const { return m_checks; }

private:
    struct Part {
        RunFacts facts;
        GpuResult last;
        std::uint32_t lastGpu = 0;
        bool mirrored = true;
        std::int64_t events = 0;
        std::int64_t wallNs = 0;
        std::shared_ptr<const Trace> trace;
    };

    Part simulate(const Experiment& experiment, bool collectiveAlone, bool trace, double from, double to);
    /// The parts alone, and what they take one after the other.
    struct Baselines {
        IsolatedTimes isolated;
        Duration sequential;
    };
    Baselines baselines(const TimeResult* sequential, double from);
    void addPolicyRun(RunResult& result, const Part& part);
    void addIdeal(RunResult& result, const IsolatedTimes& isolated) const;
    void addUnreadParts(Notices& notices) const;
    void addNotices(RunResult& result, bool mirrored) const;

    Experiment m_experiment;
    RunOptions m_options;
    Plan m_plan;
    std::vector<Check> m_checks;
};

/// The experiment with the parts of another policy; everything else as it is.
Experiment underPolicy(Experiment experiment, PolicyPreset preset);

}  // namespace engine
