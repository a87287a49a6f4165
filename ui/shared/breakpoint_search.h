#pragma once

#include "data/replay/run_log.h"

#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// What a breakpoint waits for.
enum class BreakCondition : std::uint8_t {
    time,                ///< a moment; number: picoseconds
    entryFull,           ///< the tracker's entry reaches its threshold; number: its set, or any
    trackerEntries,      ///< as many entries are taken; number: how many
    computeQueue,        ///< more than so many bytes wait in the compute streams
    communicationQueue,  ///< likewise in the communication streams
    dmaQueue,            ///< more than so many commands wait for a DMA engine
    linkIdle,            ///< nothing has left for longer than that; number: picoseconds
    chunkComplete,       ///< number: the chunk, or any
    waveEnd,             ///< number: the wave, counted from 1, or any
};
inline constexpr std::size_t kBreakConditions = 9;

/// A condition on the log at which playback stops. A value; where it is met is searched in the log.
struct Breakpoint {
    BreakCondition condition = BreakCondition::time;
    std::optional<std::int64_t> number;  ///< nothing: any, where the condition allows it
    std::optional<std::uint32_t> gpu;    ///< nothing: on any GPU
    bool enabled = true;
    bool operator==(const Breakpoint&) const = default;

    /// "chunk 3 is complete on GPU 2"
    QString text() const;
    QJsonObject toJson() const;
    /// Nothing for what is no breakpoint.
    static std::optional<Breakpoint> fromJson(const QJsonObject& kept);
};

/// Whether the condition holds for any entry, chunk or wave when no number is given.
bool allowsAny(BreakCondition condition);
/// Whether it is about what a GPU does; a moment is the same for all.
bool concernsGpu(BreakCondition condition);
/// The largest number that makes sense: what a person or a file gives beyond it is refused.
std::int64_t mostOf(BreakCondition condition);

/// Where in a run a breakpoint's condition becomes true.
struct BreakpointHit {
    data::Position position;
    std::size_t breakpoint = 0;  ///< which of the list
    QString text;                ///< what is met there: "chunk 3 is complete on GPU 2"
};

/// All of them, in order. Each is the moment at which the condition becomes true, not all the time during which it is.
/// Where one GPU stands for all, a condition on any GPU is met by all at once.
std::vector<BreakpointHit> hitsOf(const data::RunLog& log, const Breakpoint& breakpoint);

/// Earlier in time or, at the same moment, with fewer events happened.
inline bool earlier(const data::Position& a, const data::Position& b) {
    return a.ps != b.ps ? a.ps < b.ps : a.events < b.events;
}

}  // namespace ui
