#pragma once

#include <cstdint>

namespace ui {

/// Where playback stands, as a function of the wall clock alone: a dropped frame never changes the position.
/// Wall time comes in as nanoseconds of any steady clock.
struct PlaybackClock {
    static constexpr double kFastest = 2;  ///< wall seconds for the whole run
    static constexpr double kSlowest = 60;

    std::int64_t endPs = 1;
    double secondsForRun = 10;
    bool loop = false;
    bool playing = false;
    std::int64_t anchorPs = 0;  ///< position when `anchorNs` was
    std::int64_t anchorNs = 0;

    std::int64_t positionAt(std::int64_t nowNs) const;
    /// True once a playing clock has reached the end; never when it loops.
    bool hasEndedAt(std::int64_t nowNs) const;

    /// From the end, playing starts again at 0.
    void play(std::int64_t nowNs);
    void pause(std::int64_t nowNs);
    void seek(std::int64_t ps, std::int64_t nowNs);
    /// The position stays where it is; only what follows is faster or slower.
    void setSecondsForRun(double seconds, std::int64_t nowNs);
};

}  // namespace ui
