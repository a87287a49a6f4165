#pragma once

#include "data/replay/run_log.h"

#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// The condition of a breakpoint.
enum class BreakCondition : std::uint8_t {
    time,                ///< a time is reached; number: picoseconds
    entryFull,           ///< the tracker's entry reaches its threshold; number: its set, or empty for any
    trackerEntries,      ///< this many tracker entries are in use; number: how many
    computeQueue,        ///< more than this many bytes wait in the compute streams
    communicationQueue,  ///< more than this many bytes wait in the communication streams
    dmaQueue,            ///< more than this many commands wait for a DMA engine
    linkIdle,            ///< a link has been idle for longer than this; number: picoseconds
    chunkComplete,       ///< number: the chunk, or empty for any
    waveEnd,             ///< number: the wave, counted from 1, or empty for any
    pieceEnd,            ///< of the GEMM; number: the piece, counted from 1, or empty for any
};
inline constexpr std::size_t kBreakConditions = 10;

/// A condition on the log at which playback stops. It is a plain value; hitsOf() finds where a log meets it.
struct Breakpoint {
    BreakCondition condition = BreakCondition::time;
    std::optional<std::int64_t> number;  ///< empty: any, if the condition allows that
    std::optional<std::uint32_t> gpu;    ///< empty: any GPU
    bool enabled = true;
    bool operator==(const Breakpoint&) const = default;

    /// Returns the condition in words: "chunk 3 is complete on GPU 2".
    QString text() const;
    QJsonObject toJson() const;
    /// Reads a breakpoint from JSON; returns an empty optional if it is not one.
    static std::optional<Breakpoint> fromJson(const QJsonObject& kept);
};

/// Returns whether the condition can apply to any entry, chunk, wave or piece, without a number.
bool allowsAny(BreakCondition condition);
/// Returns whether the condition is about one GPU; a time is the same for all GPUs.
bool concernsGpu(BreakCondition condition);
/// Returns the largest accepted number; a larger one, typed or read from a file, is refused.
std::int64_t mostOf(BreakCondition condition);

/// A position in a run at which a breakpoint's condition becomes true.
struct BreakpointHit {
    data::Position position;
    std::size_t breakpoint = 0;  ///< index in the list of breakpoints
    QString text;                ///< the condition that is met, in words: "chunk 3 is complete on GPU 2"
};

/// Returns all hits in order. A hit is the time at which the condition becomes true, not the whole time during which it
/// holds. If one GPU was simulated for all, a condition on any GPU is met by all of them at once.
std::vector<BreakpointHit> hitsOf(const data::RunLog& log, const Breakpoint& breakpoint);

/// Returns whether `a` is before `b`: earlier in time or, at the same time, with fewer events processed.
inline bool earlier(const data::Position& a, const data::Position& b) {
    return a.ps != b.ps ? a.ps < b.ps : a.events < b.events;
}

}  // namespace ui
