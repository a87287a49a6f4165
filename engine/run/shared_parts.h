#pragma once

#include "engine/api/baselines.h"
#include "engine/api/runner.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>

namespace engine {

/// A bounded cache of simulated parts that runs share, by key. A part that could not be simulated is not kept: each run
/// that needs it fails by itself, with a message of its own. If the sizes of all parts exceed the limit, the least
/// recently used part is dropped first. Threads may share the cache.
template <typename Part>
class SharedParts {
public:
    /// `most`: limit on the sum of the parts' sizes. The last part is kept whatever its size.
    SharedParts(std::size_t most, std::size_t (*sizeOf)(const Part&)) : m_most(most), m_sizeOf(sizeOf) {}

    /// Returns the part that is kept under `key`, or the one that `simulate` returns. If another thread is simulating
    /// it, waits for that thread, and throws RunStopped if `stop` is requested meanwhile. Throws whatever `simulate`
    /// throws.
    std::shared_ptr<const Part> of(const std::string& key, const std::stop_token& stop,
                                   const std::function<Part()>& simulate) {
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

    /// Returns whether another thread is simulating the part, so that `of` would have to wait.
    bool underWay(const std::string& key) const {
        const std::lock_guard lock(m_mutex);
        const auto found = m_entries.find(key);
        return found != m_entries.end() && !found->second.part;
    }

    BaselineCache::Counts counts() const {
        const std::lock_guard lock(m_mutex);
        return m_counts;
    }

private:
    struct Entry {
        std::shared_ptr<const Part> part;  // null while it is being simulated
        std::list<const std::string*>::iterator place;
    };

    std::shared_ptr<const Part> keep(const std::string& key, Part&& simulated) {
        auto part = std::make_shared<const Part>(std::move(simulated));
        const std::lock_guard lock(m_mutex);
        const auto entry = m_entries.find(key);
        m_byUse.push_front(&entry->first);
        entry->second = {part, m_byUse.begin()};
        m_size += m_sizeOf(*part);
        ++m_counts.simulated;
        while (m_size > m_most && m_byUse.size() > 1) {
            const auto oldest = m_entries.find(*m_byUse.back());
            m_size -= m_sizeOf(*oldest->second.part);
            m_byUse.pop_back();
            m_entries.erase(oldest);
        }
        m_changed.notify_all();
        return part;
    }

    void forget(const std::string& key) {
        const std::lock_guard lock(m_mutex);
        m_entries.erase(key);
        m_changed.notify_all();
    }

    const std::size_t m_most;
    std::size_t (*const m_sizeOf)(const Part&);
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::unordered_map<std::string, Entry> m_entries;
    std::list<const std::string*> m_byUse;  // keys of m_entries that have a part, the last one used in front
    std::size_t m_size = 0;
    BaselineCache::Counts m_counts;
};

}  // namespace engine
