#pragma once

#include <cstddef>
#include <memory>

namespace engine {

class BaselineMemory;

/// What the ratios of many runs have in common: the sequential run and the reduce-scatter alone, simulated once for
/// all experiments that agree in everything these two read, whatever their policies, trackers or DMA engines.
/// Given to runs through RunOptions. Safe to share between threads: one that needs what another is at waits for it.
/// A run gives the same result, bit for bit, with and without a cache. Bounded: what was not asked for the longest is
/// forgotten first, and simulated again should somebody ask.
class BaselineCache {
public:
    static constexpr std::size_t kUsualGpus = 16 * 1024;  ///< some 10 MB

    /// `mostGpus` of simulated GPUs are remembered, at least those of the last run.
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
