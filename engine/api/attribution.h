#pragma once

#include "engine/api/trace.h"
#include "engine/api/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace engine {

/// Why the end of a run did not come sooner. Every picosecond of a run has exactly one.
enum class Cause : std::uint8_t {
    compute,  ///< CUs: K-steps of a workgroup and its epilogue
    memory,  ///< the waiting request's own stream: its service, those before it in its stream, the memory's latency, the LLC's
    contention,  ///< DRAM served the other stream or another kernel, or the arbiter held the request back for the stream
    collectiveKernel,  ///< the pace at which a collective kernel's CUs load, add and send: `collective.cu_bandwidth`
    link,              ///< serialisation, those before it on the link, the link's latency
    trackerDma,        ///< waiting for a set of the tracker, trigger latency, waiting for a DMA engine, its start-up
    dependency,        ///< a barrier, or data that another part had not made, where nothing more precise can be said
    dispatch,  ///< start jitter, start latency of a kernel, waiting for a slot or for room that another kernel holds
    companion  ///< work of a companion: its K-steps, steps, packets and requests; what it waits for is told as for others
};
inline constexpr std::size_t kCauses = 9;

/// The part of a run that a piece of work belonged to.
enum class WorkPhase : std::uint8_t { gemm, reduceScatter, allToAll, allGather, companion };
inline constexpr std::size_t kWorkPhases = 5;

/// Time by cause.
struct CauseTimes {
    std::array<Duration, kCauses> by{};

    Duration& operator[](Cause cause) { return by[static_cast<std::size_t>(cause)]; }
    Duration operator[](Cause cause) const { return by[static_cast<std::size_t>(cause)]; }
    Duration total() const;
    bool operator==(const CauseTimes&) const = default;
};

/// Where the time of a run went, along its critical path. All three ways of splitting it sum to the total exactly.
struct AttributionResult {
    CauseTimes causes;
    std::array<CauseTimes, kWorkPhases> byPhase{};
    std::vector<CauseTimes> byGpu;  ///< by GPU of the ring, also of mirrored runs
    bool operator==(const AttributionResult&) const = default;
};

/// What happened in one stretch of the critical path; more precise than its cause, for sentences.
enum class PathAct : std::uint8_t {
    startsWorkgroup,  ///< jitter, or waiting for a slot or for room
    computes,         ///< a K-step or an epilogue
    loads,            ///< from request to data, its own stream
    stores,           ///< a tile's stores or a result on the way into memory
    behindStream,     ///< DRAM serves others of its own stream; `bytes`: how many
    behindOther,      ///< DRAM serves the other stream or another kernel, or keeps the request for it; `bytes` likewise
    sends,            ///< its packets, and those before it on the link; `bytes`: all of them
    travels,          ///< a link's latency
    waitsForSet,      ///< the tracker has no way free
    triggers,         ///< trigger latency
    waitsForEngine,   ///< a command is ready and no engine free, or the engine's start-up
    paces,            ///< a collective kernel's CUs
    barrier,          ///< a step begins when all of the one before has come
    begins,           ///< start latency of a kernel, or waiting for room
    waits             ///< for something that the trace does not tell
};

/// A stretch in which the run's end waited for one thing. Neighbours that say the same are one step.
struct PathStep {
    TimePoint start, end;
    Cause cause{};
    WorkPhase phase{};
    PathAct act{};
    std::uint32_t gpu = 0;       ///< in the ring's numbering; where the trace is mirrored it holds GPU 0 for all
    std::uint32_t lane = kNone;  ///< of Trace::lanes; kNone where no lane shows it
    std::uint32_t firstSpan = kNone, lastSpan = kNone;  ///< of that lane, in the order of time
    std::int64_t bytes = 0;                             ///< see PathAct
    bool operator==(const PathStep&) const = default;
};

/// From the last event of a run backwards, each time to what it waited for last: from 0 to the run's end without a
/// gap or an overlap, in the order of time.
struct CriticalPath {
    std::vector<PathStep> steps;
};

std::string_view name(Cause cause);      ///< "compute", "memory contention"
std::string_view name(WorkPhase phase);  ///< "GEMM", "reduce-scatter"

}  // namespace engine
