#pragma once

#include <cstdint>
#include <vector>

namespace engine {
struct Trace;
}

namespace data {

struct LogFacts;

/// What changes the state of a GPU. Events of one moment happen in this order: causes before what they bring about.
enum class LogEventKind : std::uint8_t {
    tileComputed,  ///< its workgroup has handed its stores over; subject: tile
    waveEnded,     ///< subject: wave
    storeLanded,   ///< subject: tile; detail: granule of the tile
    arrivalLanded,
    sumLanded,
    packetSent,     ///< its last byte has left; subject: tile; detail: bytes
    stepEnded,      ///< of a collective; subject: step, from 1; detail: Step
    transferEnded,  ///< subject: command
    tileClosed,     ///< its entry of the tracker is free again; subject: tile; detail: 1 for the all-gather's
    gemmEnded,      ///< all its output is in memory or has left
    scatterEnded,
    gatherEnded,
    scatterBegun,
    gatherBegun,
    entryTaken,     ///< likewise
    triggered,      ///< subject: command
    transferBegun,  ///< an engine has taken it; subject: command
    stepBegun,
    waveBegun,
    sendBegun,  ///< the first packet of a tile goes out; subject: tile
    runEnded,
};

/// Which collective a step belongs to and whether kernels with barriers do it; else it is the time in which a chunk
/// is on its way.
struct Step {
    static constexpr std::uint32_t kGathers = 1, kByKernel = 2;
};

/// One event of a recorded GPU's log. Sixteen bytes, because a run has hundreds of thousands.
struct LogEvent {
    std::int64_t ps = 0;
    std::uint32_t subject = 0;
    std::uint32_t detail : 24 = 0;
    std::uint32_t kindNumber : 8 = 0;

    static LogEvent make(LogEventKind kind, std::int64_t ps, std::uint32_t subject, std::uint32_t detail) {
        return {ps, subject, detail & 0xffffffu, static_cast<std::uint8_t>(kind)};
    }
    LogEventKind kind() const { return static_cast<LogEventKind>(kindNumber); }
    /// Earlier, or at the same moment a cause of what is compared with.
    bool before(const LogEvent& other) const { return ps != other.ps ? ps < other.ps : kindNumber < other.kindNumber; }
};
static_assert(sizeof(LogEvent) == 16);

/// Everything that changes the state of the recorded GPU, in the order in which it happens.
std::vector<LogEvent> eventsOf(const engine::Trace& trace, const LogFacts& facts);

}  // namespace data
