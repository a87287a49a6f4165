#pragma once

#include "data/laboratory/work_progress.h"
#include "data/model/model_memory.h"
#include "data/model/model_run.h"

#include <cstddef>
#include <map>
#include <vector>

namespace data {

/// What the engine runs for an operator with a workload under a policy. Sub-layers of the same shape become the same
/// experiment, whatever they are called. A collective that no GEMM feeds has nothing to hide behind: it runs as under
/// `sequential` where the policy says nothing else about it, on near-memory compute under `t3`, `t3-mca` and
/// `ideal-overlap-nmc`.
engine::Experiment simulatedExperiment(const engine::Experiment& base, const engine::Operator& op,
                                       engine::PolicyPreset policy);

/// Into how many parts K is split where the output has fewer tiles than the GPU has slots for workgroups, so that as
/// many as possible have one: split-K, as GEMM libraries do for skinny outputs. Each part is a GEMM of its own, written
/// side by side; a pass over the partial sums follows. Of a GEMM that feeds a collective K is not split.
std::int64_t partsOfK(const engine::Experiment& machine, const engine::GemmSize& size);

/// The simulations that a whole model needs, each distinct one once, and their times.
class ModelSimulations {
public:
    ModelSimulations(const engine::Experiment& base, const engine::OperatorGraph& graph,
                     const std::vector<engine::PolicyPreset>& policies);

    /// Throws RunStopped, Deadlock or InvalidExperiment.
    void run(const ModelRunOptions& options);

    std::size_t runs() const { return m_experiments.size(); }
    std::size_t gemms() const { return m_gemms.size(); }
    std::size_t remembered() const { return m_remembered; }       ///< of both
    const engine::Notices& notices() const { return m_notices; }  ///< of the runs, each once
    const BrokenInvariants& broken() const { return m_broken; }

    const engine::TimeResult& runOf(const engine::Operator& op, engine::PolicyPreset policy) const;
    engine::Duration gemmTime(const engine::GemmSize& size) const { return m_gemms.at(size); }

private:
    std::vector<double> expectedWork() const;
    void runSublayers(const ModelRunOptions& options, WorkProgress& progress);
    void runGemms(const ModelRunOptions& options, WorkProgress& progress);
    void take(std::size_t index, const ModelMemory::Run& run);

    engine::Experiment m_base;
    std::vector<engine::Experiment> m_experiments;
    std::vector<engine::TimeResult> m_times;  ///< by experiment
    std::map<engine::GemmSize, engine::Duration> m_gemms;
    engine::Notices m_notices;
    BrokenInvariants m_broken;
    std::size_t m_remembered = 0;
};

}  // namespace data
