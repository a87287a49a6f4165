#pragma once

#include <cstdint>
#include <vector>

namespace engine {
struct Trace;
}

namespace data {

struct LogFacts;

/// The kinds of event that change the state of a GPU. Events at the same time are ordered as listed here: causes before
/// their effects.
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
    pieceEnded,     ///< of the GEMM: the output of its tiles is in memory; subject: piece
    gemmEnded,      ///< all its output is in memory or has left
    scatterEnded,
    gatherEnded,
    scatterBegun,
    gatherBegun,
    entryTaken,     ///< its tile has an entry of the tracker; subject: tile; detail: 1 for the all-gather's
    triggered,      ///< subject: command
    transferBegun,  ///< an engine has taken it; subject: command
    stepBegun,
    waveBegun,
    sendBegun,  ///< the first packet of a tile goes out; subject: tile
    runEnded,
};

/// Flags of a step: whether it belongs to the all-gather, and whether kernels with barriers do it. Without kernels a
/// step is the time in which a chunk is on its way.
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
    /// Returns whether this event is earlier than `other`, or a cause of it at the same time.
    bool before(const LogEvent& other) const { return ps != other.ps ? ps < other.ps : kindNumber < other.kindNumber; }
};
static_assert(sizeof(LogEvent) == 16);

/// Returns all events that change the state of the recorded GPU, in order.
std::vector<LogEvent> eventsOf(const engine::Trace& trace, const LogFacts& facts);

}  // namespace data
