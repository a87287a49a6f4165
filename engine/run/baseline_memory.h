#pragma once

#include "engine/api/baselines.h"
#include "engine/api/results.h"
#include "engine/record/invariants.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_map>

namespace engine {

/// One simulation that has ended: an experiment under its own policy, or one of the runs that it is compared with.
struct SimulatedRun {
    RunFacts facts;
    std::uint32_t lastGpu = 0;  ///< the one that ended last, lowest index first
    std::int64_t events = 0;
    std::int64_t wallNs = 0;
    std::shared_ptr<const Trace> trace;  ///< when it was asked for

    const GpuResult& last() const { return facts.gpus[lastGpu].result; }
};

/// The simulated parts that runs share, by key (engine/run/baseline_key.h). A part that could not be simulated is not
/// remembered: each experiment that needs it finds out by itself, and says so in its own words.
class BaselineMemory {
public:
    explicit BaselineMemory(std::size_t mostGpus) : m_mostGpus(mostGpus) {}

    /// What is kept under `key`, or what `simulate` gives. While another thread simulates it this one waits; throws
    /// RunStopped should `stop` be requested meanwhile, and whatever `simulate` throws.
    std::shared_ptr<const SimulatedRun> of(const std::string& key, const std::stop_token& stop,
                                           const std::function<SimulatedRun()>& simulate);

    /// Another thread is at it: asking for it now would mean to wait.
    bool underWay(const std::string& key) const;

    BaselineCache::Counts counts() const;

private:
    struct Entry {
        std::shared_ptr<const SimulatedRun> part;  // null while it is being simulated
        std::list<const std::string*>::iterator place;
    };

    std::shared_ptr<const SimulatedRun> keep(const std::string& key, SimulatedRun&& part);
    void forget(const std::string& key);

    const std::size_t m_mostGpus;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::unordered_map<std::string, Entry> m_entries;
    std::list<const std::string*> m_byUse;  // keys of m_entries that have a part, the last one used in front
    std::size_t m_gpus = 0;
    BaselineCache::Counts m_counts;
};

}  // namespace engine
