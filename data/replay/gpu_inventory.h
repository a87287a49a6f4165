#pragma once

#include "data/replay/log_facts.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// The parts of one GPU of a run, from its experiment: the same at every moment. Parts that the run does not use are 0.
struct GpuInventory {
    std::uint32_t computeUnits = 0;
    std::uint32_t slots = 0;            ///< of one compute unit, at least 1: workgroups of GEMMs that it holds at once
    std::uint32_t collectiveUnits = 0;  ///< compute units that run the collective kernels, beside or after the GEMM
    std::int64_t cacheBytes = 0;
    std::uint32_t channels = 0;
    std::uint32_t bankGroups = 0, banksPerGroup = 0;  ///< of one channel; 0 without the bank model
    std::uint32_t dramQueue = 0;                      ///< entries of one channel's DRAM queue
    /// MCA serves communication below this number of entries, rounded up; empty: no limit, or no MCA.
    std::optional<std::uint32_t> threshold;
    std::optional<std::int64_t> thresholdBytes;      ///< the same limit in bytes, of one channel and not rounded
    bool arbitrates = false;                         ///< true under MCA, which serves compute first
    bool hasCache = false;                           ///< a GEMM loads through a cache
    bool hasNearMemory = false;                      ///< memory adds arriving updates to its content
    bool hasPass = false;                            ///< a pass inside memory takes the channels
    std::uint32_t trackerSets = 0, trackerWays = 0;  ///< 0 sets: the run has no tracker; sets with 0 ways hold nothing
    std::uint32_t wavefronts = 0;                    ///< of a tile: counters of one entry
    std::uint32_t engines = 0;
    std::uint32_t commands = 0;                               ///< commands that the address map has pre-programmed
    std::vector<std::uint32_t> linksOut, linksIn;             ///< engine::Lane::index of each link's lane
    std::vector<std::optional<std::uint32_t>> outTo, inFrom;  ///< by link: the GPU at the other end; empty: a switch
    double linkBytesPerSecond = 0;     ///< of one link and direction; if links differ, of the fastest
    double channelBytesPerSecond = 0;  ///< of one channel, reading
};

/// Returns the parts of each GPU of the ring. `facts`: of each recorded GPU.
std::vector<GpuInventory> inventoriesOf(const engine::Experiment& experiment, const engine::Trace& trace,
                                        const std::vector<const LogFacts*>& facts);

}  // namespace data
