#pragma once

#include "engine/api/trace.h"
#include "engine/api/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace engine {

/// Why a run did not end sooner. Each picosecond of a run has exactly one cause.
enum class Cause : std::uint8_t {
    compute,      ///< the CUs computed a workgroup's K-steps or its epilogue
    latency,      ///< the latency of memory or LLC passed
    memory,       ///< bandwidth: DRAM served the waiting request and those before it in its stream
    cacheSlices,  ///< a load that hit waited in the slices of the LLC, or data waited for `llc.bandwidth`
    /// DRAM served the other stream or another kernel, or the arbiter held the request back in favour of the other
    /// stream.
    contention,
    /// A collective kernel's CUs load, add and send no faster than `collective.cu_bandwidth`, handle a piece that
    /// arrived, or copy it out of a buffer.
    collectiveKernel,
    link,        ///< the packet or those before it were serialised on the link, or the link's latency passed
    trackerDma,  ///< waiting for a set of the tracker or for a DMA engine, trigger latency, or start-up of the engine
    dependency,  ///< waiting for a barrier or for data of another part, where no cause above is more precise
    dispatch,  ///< start jitter, start latency of a kernel, or waiting for a slot or for room that another kernel holds
    /// Work of a companion: its K-steps, steps, packets and requests, and its waits except those with the causes
    /// contention and dispatch.
    companion
};
inline constexpr std::size_t kCauses = 11;

/// The part of a run to which a piece of work belonged.
enum class WorkPhase : std::uint8_t { gemm, reduceScatter, allToAll, allGather, companion, access };
inline constexpr std::size_t kWorkPhases = 6;

/// The time that went into each cause.
struct CauseTimes {
    std::array<Duration, kCauses> by{};

    Duration& operator[](Cause cause) { return by[static_cast<std::size_t>(cause)]; }
    Duration operator[](Cause cause) const { return by[static_cast<std::size_t>(cause)]; }
    Duration total() const;
    friend CauseTimes operator-(CauseTimes a, const CauseTimes& b) {
        for (std::size_t cause = 0; cause < kCauses; ++cause)
            a.by[cause] = a.by[cause] - b.by[cause];
        return a;
    }
    bool operator==(const CauseTimes&) const = default;
};

/// The time of a run along its critical path, split in three ways. Each way sums to the total exactly.
struct AttributionResult {
    CauseTimes causes;
    std::array<CauseTimes, kWorkPhases> byPhase{};
    std::vector<CauseTimes> byGpu;  ///< one entry for each GPU of the ring, also in mirrored runs
    Duration load;  ///< mean time, from issue to data, of the loads for which the path waits; 0 if it waits for none
    bool operator==(const AttributionResult&) const = default;
};

/// The act in one step of the critical path. It is more precise than the step's cause, and sentences for people are
/// made from it.
enum class PathAct : std::uint8_t {
    startsWorkgroup,  ///< start jitter, or waiting for a slot or for room on a CU
    computes,         ///< a K-step or an epilogue
    loads,            ///< from a load's request to its data, as far as its own stream takes the time
    passesCache,      ///< a load waits in the slices of the LLC, or for `llc.bandwidth`
    stores,           ///< a tile's stores or a result are on their way into memory
    behindStream,     ///< DRAM serves earlier requests of the same stream; `bytes`: bytes of these requests
    /// DRAM serves the other stream or another kernel, or the arbiter holds the request back for it; `bytes`: bytes of
    /// the others.
    behindOther,
    sends,           ///< packets are serialised, with those before them on the link; `bytes`: of all of them
    travels,         ///< a packet is on the link (its latency)
    waitsForSet,     ///< the tile's set of the tracker has no free way
    triggers,        ///< trigger latency
    waitsForEngine,  ///< a DMA command is ready but no engine is free, or the engine starts up
    paces,           ///< a collective kernel works at the pace of `collective.cu_bandwidth`
    barrier,         ///< a collective's step waits until all data of the step before have arrived
    begins,          ///< start latency of a kernel, or waiting for room on the CUs
    waits            ///< waiting for something that the trace does not show
};

/// A part of the run's time in which its end waited for one thing. Neighbouring parts with the same description are one
/// step.
struct PathStep {
    TimePoint start, end;
    Cause cause{};
    WorkPhase phase{};
    PathAct act{};
    std::uint32_t gpu = 0;       ///< its number in the ring, also where the trace is mirrored and holds GPU 0 only
    std::uint32_t lane = kNone;  ///< index into Trace::lanes; kNone if no lane shows the step
    std::uint32_t firstSpan = kNone, lastSpan = kNone;  ///< indices of spans in that lane, in the order of time
    std::int64_t bytes = 0;                             ///< see PathAct
    bool operator==(const PathStep&) const = default;
};

/// The critical path: starting from the last event of a run, each step leads back to what the event waited for last.
/// The steps are in the order of time and cover the run from 0 to its end without a gap or an overlap.
struct CriticalPath {
    std::vector<PathStep> steps;
    Duration load;  ///< as AttributionResult::load
};

std::string_view name(Cause cause);      ///< "compute", "memory latency"
std::string_view name(WorkPhase phase);  ///< "GEMM", "reduce-scatter"

}  // namespace engine
