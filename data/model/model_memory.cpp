#include "data/model/model_memory.h"

#include "data/experiment/experiment_document.h"

#include <functional>
#include <string>
#include <utility>

namespace data {
namespace {

/// Returns the experiment with defaults for all parameters that a GEMM without communication does not read.
engine::Experiment machineAlone(const engine::Experiment& experiment) {
    const engine::Experiment defaults;
    engine::Experiment machine = experiment;
    machine.machine = defaults.machine;
    machine.workload = defaults.workload;
    machine.parallel = defaults.parallel;
    machine.division = defaults.division;
    machine.step = defaults.step;
    machine.operators = engine::operatorsOfRun(experiment);
    machine.training = defaults.training;
    machine.node = defaults.node;
    machine.matrix = defaults.matrix;
    machine.companion = defaults.companion;
    machine.dispatch = defaults.dispatch;
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

/// Returns the cache key of an experiment and a size. It uses the canonical form, which is the same for equal
/// experiments.
std::string identity(const engine::Experiment& experiment, const engine::GemmSize& size) {
    return canonicalForm(experiment) + std::to_string(size.m) + "x" + std::to_string(size.n) + "x" +
           std::to_string(size.k) + "/" + std::to_string(size.partsOfK);
}

template <class Key>
Key keyOf(engine::Experiment experiment, const engine::GemmSize& size = {}) {
    Key key{std::move(experiment), size};
    key.hash = std::hash<std::string>()(identity(key.experiment, key.size));
    return key;
}

}  // namespace

std::string ModelMemory::identityOf(const engine::Experiment& machine, const engine::GemmSize& size) {
    return identity(machineAlone(machine), size);
}

std::optional<ModelMemory::Run> ModelMemory::run(const engine::Experiment& experiment) const {
    const auto key = keyOf<Runs::Key>(experiment);
    const std::lock_guard lock(m_mutex);
    return m_runs.find(key);
}

void ModelMemory::keep(const engine::Experiment& experiment, Run run) {
    auto key = keyOf<Runs::Key>(experiment);
    const std::lock_guard lock(m_mutex);
    m_runs.keep(std::move(key), std::move(run));
}

std::optional<engine::Duration> ModelMemory::gemm(const engine::Experiment& machine,
                                                  const engine::GemmSize& size) const {
    const auto key = keyOf<Gemms::Key>(machineAlone(machine), size);
    const std::lock_guard lock(m_mutex);
    return m_gemms.find(key);
}

void ModelMemory::keep(const engine::Experiment& machine, const engine::GemmSize& size, engine::Duration time) {
    auto key = keyOf<Gemms::Key>(machineAlone(machine), size);
    const std::lock_guard lock(m_mutex);
    m_gemms.keep(std::move(key), time);
}

}  // namespace data
