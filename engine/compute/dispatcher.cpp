#include "engine/compute/dispatcher.h"

#include <algorithm>

namespace engine {

Dispatcher::Dispatcher(const Experiment& experiment)
    : m_companionFirst(dispatchRuleOf(experiment) == DispatchRule::companionFirst),
      m_turns(dispatchRuleOf(experiment) == DispatchRule::roundRobin),
      m_reserves(dispatchRuleOf(experiment) == DispatchRule::reserved),
      m_firstReserved(static_cast<std::uint32_t>(experiment.cu.count - reservedCus(experiment))),
      m_free(static_cast<std::size_t>(experiment.cu.count), kWholeCu) {}

KernelId Dispatcher::add(const Kernel& kernel) {
    m_kernels.push_back(kernel);
    return static_cast<KernelId>(m_kernels.size() - 1);
}

void Dispatcher::launch(KernelId id) {
    if (m_kernels[id].workgroups != 0)
        enter(id);
}

void Dispatcher::extend(KernelId id, std::uint32_t workgroups) {
    if (workgroups == 0)
        return;
    const bool waits = m_kernels[id].workgroups != 0;
    m_kernels[id].workgroups += workgroups;
    if (!waits)
        enter(id);
}

void Dispatcher::enter(KernelId id) {
    const Kernel& kernel = m_kernels[id];
    Line& line = m_reserves && kernel.collective ? m_reservedLine : m_line;
    auto place = line.end();
    if (m_companionFirst && kernel.companion)
        place = std::find_if(line.begin(), line.end(), [&](KernelId other) { return !m_kernels[other].companion; });
    line.insert(place, id);
}

void Dispatcher::withdraw(KernelId id) {
    m_kernels[id].workgroups = 0;
    std::erase(m_line, id);
    std::erase(m_reservedLine, id);
}

void Dispatcher::takeTurns(Line& line) { std::rotate(line.begin(), line.begin() + 1, line.end()); }

}  // namespace engine
