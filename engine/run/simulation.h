#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"
#include "engine/api/topology.h"
#include "engine/network/network_switch.h"
#include "engine/record/invariants.h"
#include "engine/run/gpu.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"

#include <memory>
#include <optional>
#include <vector>

namespace engine {

class ContributionLedger;

/// How an experiment's data are cut and laid out, how its GPUs are joined, and whether one GPU may stand for all.
struct Plan {
    explicit Plan(const Experiment& experiment);
    /// A GEMM of any shape, by itself.
    Plan(const Experiment& experiment, const GemmSize& shape);

    GemmSize gemm;
    std::optional<TileGrid> grid;  ///< nothing for a collective alone
    OutputLayout output;           ///< of the GEMM
    OutputLayout layout;           ///< of what the collectives move; the same but for a gathered input
    Topology topology;
    bool alike = false;  ///< chunks are the same size and the ring's hops alike: mirroring is possible
    bool exact = false;  ///< every GPU does the same on rotated data: mirroring changes nothing
};

/// Whether one GPU is simulated and stands for all.
bool mirrors(const Experiment& experiment, const Plan& plan);

struct SimulationOptions {
    bool gemm = true;         ///< without it the collectives alone, with the layout of its output
    bool collectives = true;  ///< without them the GEMM alone
    bool recordTrace = false;
    ContributionLedger* ledger = nullptr;  ///< only in full mode: mirrored GPUs have no contributions of their own
};

/// One simulated policy run: all GPUs, or one that stands for all with what it sends arriving at itself one hop
/// later. Built for one run and thrown away.
class Simulation {
public:
    /// `plan` must outlive the simulation.
    Simulation(const Experiment& experiment, const Plan& plan, const SimulationOptions& options);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Runs to the end. Throws RunStopped, Deadlock, or InvalidExperiment where the clock ends. `progress` gets fractions of this run.
    void run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress);

    bool mirrored() const { return m_mirrored; }
    std::int64_t events() const;
    RunFacts facts() const;
    std::shared_ptr<const Trace> takeTrace();

private:
    class Loopback;
    class Outbox;

    void build(const SimulationOptions& options);
    void attach(std::vector<Attachment>& attachments);

    void runMirrored(const std::stop_token& stop, const std::function<void(double)>& progress);
    void runFull(int threads, const std::stop_token& stop, const std::function<void(double)>& progress);
    void runAtOneTime(TimePoint time);
    std::int64_t advance(std::size_t process, TimePoint limit, std::int64_t count);
    bool finished() const;
    std::optional<WholeRun> wholeRun(const std::vector<GpuFacts>& gpus) const;
    Duration lookahead() const;
    [[noreturn]] void reportDeadlock() const;

    Experiment m_experiment;
    const Plan& m_plan;
    bool m_mirrored;
    std::uint32_t m_gpuCount;
    std::vector<Experiment> m_experiments;  // by GPU
    std::vector<Workplace> m_places;
    std::vector<std::unique_ptr<Recorder>> m_recorders;
    std::unique_ptr<Loopback> m_loopback;
    std::vector<std::unique_ptr<Outbox>> m_outboxes;  // by link
    std::vector<std::unique_ptr<Gpu>> m_gpus;
    std::vector<std::unique_ptr<NetworkSwitch>> m_switches;
};

}  // namespace engine
