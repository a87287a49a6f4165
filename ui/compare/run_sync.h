#pragma once

#include "data/replay/time_map.h"
#include "ui/shared/view_state.h"

#include <QObject>

#include <cstdint>
#include <vector>

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// How two runs are aligned when they are played together.
enum class SyncMode : std::uint8_t {
    time,    ///< at equal times
    chunks,  ///< when equally many chunks are complete; by share if the runs have different numbers of chunks
    phases   ///< at equal progress of the GEMM, then of the exposed part of the collective, then of the all-gather
};
inline constexpr int kSyncModes = 3;

/// The times by which one run is aligned with another. Chunk times are those of the first GPU, in order; phases end
/// when the last GPU ends them.
struct SyncTimes {
    std::vector<std::int64_t> scattered;  ///< all contributions to a chunk, or its own sum, have arrived
    std::vector<std::int64_t> gathered;   ///< the all-gather has delivered a chunk
    std::int64_t gemmEnd = 0, scatterEnd = 0, gatherEnd = 0;  ///< 0: the run has no such stage
    std::int64_t end = 0;
};

/// Returns the times of a run without chunks: phases from its trace, or from the formula of a bound, which has no
/// trace.
SyncTimes syncTimesOf(const data::ShownRun& run);
/// Returns the times with chunks, which are complete when playback shows them complete. Plays the whole run once, which
/// takes some ten milliseconds at standard detail.
SyncTimes syncTimesWithChunks(const data::ShownRun& run);

/// Returns the mapping from the first run's time to the second's. Unless the mode is `time`, the ends of the runs are
/// aligned.
data::TimeMap syncMap(const SyncTimes& from, const SyncTimes& to, SyncMode mode);

/// Keeps several views in step: range, cursor, followed chunk and focused GPU of a leader, converted to the time of
/// each follower's run. Zooming or panning in one of them moves all. Selections are not shared: a selection in one view
/// clears those in the others.
class ViewLink final : public QObject {
    Q_OBJECT

public:
    /// `leader` must outlive the link.
    explicit ViewLink(ViewState& leader, QObject* parent = nullptr);

    /// Makes `follower`, whose run ends at `endPs`, follow the leader until it is released; `map` converts the leader's
    /// time to the follower's. Call it again for another run or another map.
    void lead(ViewState& follower, data::TimeMap map, std::int64_t endPs);
    void letGo(ViewState& follower);
    /// Converts a time of the follower's run to the leader's time.
    std::int64_t leadersTime(const ViewState& follower, std::int64_t ps) const;

private:
    struct Follower {
        ViewState* state = nullptr;
        data::TimeMap map, back;
        std::int64_t endPs = 0;
    };

    void passOn(const ViewState* except);
    void show(const Follower& follower) const;
    void takeRange(ViewState& from);
    const Follower* find(const ViewState& state) const;

    ViewState& m_leader;
    std::vector<Follower> m_followers;
    bool m_passing = false;
};

}  // namespace ui
