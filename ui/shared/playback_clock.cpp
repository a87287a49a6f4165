#include "ui/shared/playback_clock.h"

#include <algorithm>
#include <cmath>

namespace ui {

std::int64_t PlaybackClock::positionAt(std::int64_t nowNs) const {
    if (!playing)
        return anchorPs;
    const double elapsed = static_cast<double>(nowNs - anchorNs) * 1e-9;
    const double ps = static_cast<double>(anchorPs) + elapsed / secondsForRun * static_cast<double>(endPs);
    if (loop)
        return static_cast<std::int64_t>(std::fmod(ps, static_cast<double>(endPs)));
    return std::min(endPs, static_cast<std::int64_t>(ps));
}

bool PlaybackClock::hasEndedAt(std::int64_t nowNs) const { return playing && !loop && positionAt(nowNs) >= endPs; }

void PlaybackClock::play(std::int64_t nowNs) {
    if (playing)
        return;
    if (anchorPs >= endPs)
        anchorPs = 0;
    anchorNs = nowNs;
    playing = true;
}

void PlaybackClock::pause(std::int64_t nowNs) {
    anchorPs = positionAt(nowNs);
    anchorNs = nowNs;
    playing = false;
}

void PlaybackClock::seek(std::int64_t ps, std::int64_t nowNs) {
    anchorPs = std::clamp<std::int64_t>(ps, 0, endPs);
    anchorNs = nowNs;
}

void PlaybackClock::setSecondsForRun(double seconds, std::int64_t nowNs) {
    seek(positionAt(nowNs), nowNs);
    secondsForRun = std::clamp(seconds, kFastest, kSlowest);
}

}  // namespace ui
