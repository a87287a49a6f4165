#pragma once

#include "engine/api/access_request.h"
#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"
#include "engine/record/contribution_ledger.h"
#include "engine/record/invariants.h"
#include "engine/run/gpu.h"
#include "engine/run/plan.h"
#include "engine/run/synchronisation.h"

#include <memory>
#include <optional>
#include <vector>

namespace engine {

struct SimulationOptions {
    bool gemm = true;         ///< false: the collectives alone, with the layout of the GEMM's output
    bool collectives = true;  ///< false: the GEMM alone
    bool recordTrace = false;
    bool recordGranules = false;  ///< as in RunOptions
    Ledgers ledgers;              ///< only in full mode: mirrored GPUs have no contributions of their own
    bool companion = true;        ///< false: the own work alone; true without GEMM and collectives: the companion alone
    /// The number of the GEMM's first workgroups, in dispatch order, that are simulated; empty: all. Allowed only
    /// without collectives, which need all tiles.
    std::optional<std::uint32_t> workgroups{};
    std::shared_ptr<const AccessRequests> accesses{};  ///< as in RunOptions
};

/// One simulated run of a policy: all GPUs, or one that stands for all and whose packets arrive at itself one hop
/// later. An object is built for one run.
class Simulation {
public:
    /// `plan` must outlive the simulation.
    Simulation(const Experiment& experiment, const Plan& plan, const SimulationOptions& options);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Runs to the end. Throws RunStopped, Deadlock, or InvalidExperiment if the simulated time overflows. `progress`
    /// gets fractions of this run.
    void run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress);

    bool mirrored() const { return m_mirrored; }
    std::int64_t events() const;
    RunFacts facts() const;
    /// Returns when tiles of the own GEMM were stored on the first GPU.
    const ComputeUnits::StoredAt& storedAt() const { return m_gpus.front()->units().storedAt(0); }
    /// Returns the total of the GPU that ends last.
    Duration longestTotal() const;
    std::shared_ptr<const Trace> takeTrace();

private:
    bool finished() const;
    std::optional<WholeRun> wholeRun(const std::vector<GpuFacts>& gpus) const;
    [[noreturn]] void reportDeadlock() const;

    Experiment m_experiment;
    const Plan& m_plan;
    bool m_mirrored;
    Program m_program;
    std::shared_ptr<const AccessRequests> m_accesses;
    std::vector<Experiment> m_experiments;  // by GPU
    std::vector<Workplace> m_places;
    std::vector<std::unique_ptr<Recorder>> m_recorders;
    Synchronisation m_synchronisation;
    std::vector<std::unique_ptr<Gpu>> m_gpus;
};

}  // namespace engine
