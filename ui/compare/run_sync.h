#pragma once

#include "data/replay/time_map.h"

#include <cstdint>
#include <vector>

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// What stands side by side when two runs are played together.
enum class SyncMode : std::uint8_t {
    time,    ///< the same moment of both
    chunks,  ///< as many chunks complete; by share where the runs do not have as many
    phases   ///< as far within the GEMM, within what of the collective is exposed, within the all-gather
};
inline constexpr int kSyncModes = 3;

/// The moments of one run by which it is set beside another: of its first GPU, in order.
struct SyncTimes {
    std::vector<std::int64_t> scattered;  ///< all contributions to a chunk are there, the own one's sum
    std::vector<std::int64_t> gathered;   ///< the all-gather has brought a chunk
    std::int64_t gemmEnd = 0, scatterEnd = 0, gatherEnd = 0;  ///< 0: not there
    std::int64_t end = 0;
};

/// Phases from its trace, those of a bound, which has none, from its formula; no chunks.
SyncTimes syncTimesOf(const data::ShownRun& run);
/// With chunks, complete when playback says so. Plays the whole run once, some ten milliseconds at standard detail.
SyncTimes syncTimesWithChunks(const data::ShownRun& run);

/// From the time of the first run to that of the second. Their ends stand side by side unless the mode is time.
data::TimeMap syncMap(const SyncTimes& from, const SyncTimes& to, SyncMode mode);

}  // namespace ui
