#pragma once

#include "data/replay/time_map.h"
#include "ui/shared/view_state.h"

#include <QObject>

#include <cstdint>
#include <vector>

namespace ui {

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
