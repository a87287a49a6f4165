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

/// Keeps what several runs show in step: range, cursor, followed chunk and focused GPU of a leader, at the times of each
/// follower's run. Whoever zooms or pans in one moves all. Selections stay where they are made, one at a time.
class ViewLink final : public QObject {
    Q_OBJECT

public:
    /// `leader` must outlive the link.
    explicit ViewLink(ViewState& leader, QObject* parent = nullptr);

    /// `follower`, until it is let go of, shows a run that ends at `endPs`; `map` leads from the leader's time to its.
    /// Again for another run or another map.
    void lead(ViewState& follower, data::TimeMap map, std::int64_t endPs);
    void letGo(ViewState& follower);
    /// The leader's time of a moment of the follower's run.
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
