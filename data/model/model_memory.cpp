#include "data/model/model_memory.h"

#include <algorithm>

namespace data {
namespace {

/// Without all that a GEMM which communicates with nobody does not read.
engine::Experiment machineAlone(const engine::Experiment& experiment) {
    const engine::Experiment defaults;
    engine::Experiment machine = experiment;
    machine.machine = defaults.machine;
    machine.workload = defaults.workload;
    machine.parallel = defaults.parallel;
    machine.division = defaults.division;
    machine.operators = defaults.operators;
    machine.training = defaults.training;
    machine.node = defaults.node;
    machine.arbitration = defaults.arbitration;
    machine.tracker = defaults.tracker;
    machine.dma = defaults.dma;
    machine.link = defaults.link;
    machine.collective = defaults.collective;
    machine.topology = defaults.topology;
    machine.policy = defaults.policy;
    machine.variation = defaults.variation;
    return machine;
}

}  // namespace

std::optional<ModelMemory::Run> ModelMemory::run(const engine::Experiment& experiment) const {
    const std::lock_guard lock(m_mutex);
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const auto& kept) { return kept.first == experiment; });
    return found == m_runs.end() ? std::nullopt : std::optional(found->second);
}

void ModelMemory::keep(const engine::Experiment& experiment, Run run) {
    const std::lock_guard lock(m_mutex);
    if (m_runs.size() >= kMost)
        m_runs.pop_front();
    m_runs.emplace_back(experiment, std::move(run));
}

std::optional<engine::Duration> ModelMemory::gemm(const engine::Experiment& machine,
                                                  const engine::GemmSize& size) const {
    const engine::Experiment alone = machineAlone(machine);
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(m_gemms.begin(), m_gemms.end(),
                                    [&](const Gemm& kept) { return kept.size == size && kept.machine == alone; });
    return found == m_gemms.end() ? std::nullopt : std::optional(found->time);
}

void ModelMemory::keep(const engine::Experiment& machine, const engine::GemmSize& size, engine::Duration time) {
    engine::Experiment alone = machineAlone(machine);
    const std::lock_guard lock(m_mutex);
    if (m_gemms.size() >= kMost)
        m_gemms.pop_front();
    m_gemms.push_back({std::move(alone), size, time});
}

}  // namespace data
