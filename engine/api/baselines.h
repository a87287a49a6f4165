#pragma once

#include <cstddef>
#include <memory>

namespace engine {

class BaselineMemory;

/// Keeps the baselines of many runs: the sequential run and the reduce-scatter alone. Each is simulated once for all
/// experiments that agree in every parameter that the baseline reads, whatever their policies, trackers or DMA engines.
/// A run uses the cache that RunOptions::baselineCache names, and gives the same result, bit for bit, with and without
/// it. Threads may share a cache: a thread that needs a baseline which another thread is simulating waits for that one.
/// The cache is bounded and drops the least recently used baselines first; a dropped one is simulated again when
/// needed.
class BaselineCache {
public:
    static constexpr std::size_t kUsualGpus = 16 * 1024;  ///< about 10 MB

    /// Makes a cache that keeps baselines with up to `mostGpus` simulated GPUs in total, and always the last one.
    explicit BaselineCache(std::size_t mostGpus = kUsualGpus);
    ~BaselineCache();
    BaselineCache(const BaselineCache&) = delete;
    BaselineCache& operator=(const BaselineCache&) = delete;

    struct Counts {
        std::size_t simulated = 0;
        std::size_t reused = 0;
    };
    Counts counts() const;

    BaselineMemory& memory() { return *m_memory; }

private:
    std::unique_ptr<BaselineMemory> m_memory;
};

}  // namespace engine
