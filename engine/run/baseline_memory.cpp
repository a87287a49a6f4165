#include "engine/run/baseline_memory.h"

#include "engine/api/runner.h"

#include <utility>

namespace engine {

std::shared_ptr<const SimulatedRun> BaselineMemory::of(const std::string& key, const std::stop_token& stop,
                                                       const std::function<SimulatedRun()>& simulate) {
    {
        std::unique_lock lock(m_mutex);
        for (auto found = m_entries.find(key); found != m_entries.end(); found = m_entries.find(key)) {
            if (found->second.part) {
                m_byUse.splice(m_byUse.begin(), m_byUse, found->second.place);
                ++m_counts.reused;
                return found->second.part;
            }
            const auto isDecided = [&] {
                const auto entry = m_entries.find(key);
                return entry == m_entries.end() || entry->second.part;
            };
            if (!m_changed.wait(lock, stop, isDecided))
                throw RunStopped();
        }
        m_entries.try_emplace(key);
    }
    try {
        return keep(key, simulate());
    } catch (...) {
        forget(key);
        throw;
    }
}

std::shared_ptr<const SimulatedRun> BaselineMemory::keep(const std::string& key, SimulatedRun&& simulated) {
    auto part = std::make_shared<const SimulatedRun>(std::move(simulated));
    const std::lock_guard lock(m_mutex);
    const auto entry = m_entries.find(key);
    m_byUse.push_front(&entry->first);
    entry->second = {part, m_byUse.begin()};
    m_gpus += part->facts.gpus.size();
    ++m_counts.simulated;
    while (m_gpus > m_mostGpus && m_byUse.size() > 1) {
        const auto oldest = m_entries.find(*m_byUse.back());
        m_gpus -= oldest->second.part->facts.gpus.size();
        m_byUse.pop_back();
        m_entries.erase(oldest);
    }
    m_changed.notify_all();
    return part;
}

void BaselineMemory::forget(const std::string& key) {
    const std::lock_guard lock(m_mutex);
    m_entries.erase(key);
    m_changed.notify_all();
}

bool BaselineMemory::underWay(const std::string& key) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(key);
    return found != m_entries.end() && !found->second.part;
}

BaselineCache::Counts BaselineMemory::counts() const {
    const std::lock_guard lock(m_mutex);
    return m_counts;
}

BaselineCache::BaselineCache(std::size_t mostGpus) : m_memory(std::make_unique<BaselineMemory>(mostGpus)) {}

BaselineCache::~BaselineCache() = default;

BaselineCache::Counts BaselineCache::counts() const { return m_memory->counts(); }

}  // namespace engine
