#include "ui/compare/view_link.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace ui {

ViewLink::ViewLink(ViewState& leader, QObject* parent) : QObject(parent), m_leader(leader) {
    const auto pass = [this] { passOn(nullptr); };
    connect(&m_leader, &ViewState::runEndChanged, this, pass);
    connect(&m_leader, &ViewState::rangeChanged, this, pass);
    connect(&m_leader, &ViewState::cursorChanged, this, pass);
    connect(&m_leader, &ViewState::followedChunkChanged, this, pass);
    connect(&m_leader, &ViewState::focusedGpuChanged, this, pass);
}

void ViewLink::lead(ViewState& follower, data::TimeMap map, std::int64_t endPs) {
    const auto known = std::find_if(m_followers.begin(), m_followers.end(),
                                    [&follower](const Follower& each) { return each.state == &follower; });
    data::TimeMap back = map.reversed();
    Follower led{&follower, std::move(map), std::move(back), endPs};
    if (known != m_followers.end()) {
        *known = std::move(led);
    } else {
        m_followers.push_back(std::move(led));
        connect(&follower, &ViewState::rangeChanged, this, [this, state = &follower] { takeRange(*state); });
        connect(&follower, &ViewState::followedChunkChanged, this, [this, state = &follower] {
            if (!m_passing)
                m_leader.setFollowedChunk(state->followedChunk());
        });
        connect(&follower, &ViewState::focusedGpuChanged, this, [this, state = &follower] {
            if (!m_passing)
                m_leader.setFocusedGpu(state->focusedGpu());
        });
        connect(&follower, &ViewState::selectionChanged, this, [this, state = &follower] {
            if (!state->selectedSpan() && !state->selectedArea())
                return;
            for (const Follower& other : m_followers) {
                if (other.state != state)
                    other.state->clearSelection();
            }
        });
    }
    const QScopedValueRollback passing(m_passing, true);
    show(*find(follower));
}

void ViewLink::letGo(ViewState& follower) {
    disconnect(&follower, nullptr, this, nullptr);
    std::erase_if(m_followers, [&follower](const Follower& each) { return each.state == &follower; });
}

std::int64_t ViewLink::leadersTime(const ViewState& follower, std::int64_t ps) const {
    const Follower* found = find(follower);
    return found != nullptr ? found->back(ps) : ps;
}

const ViewLink::Follower* ViewLink::find(const ViewState& state) const {
    const auto at = std::find_if(m_followers.begin(), m_followers.end(),
                                 [&state](const Follower& each) { return each.state == &state; });
    return at == m_followers.end() ? nullptr : &*at;
}

void ViewLink::passOn(const ViewState* except) {
    if (m_passing)
        return;
    const QScopedValueRollback passing(m_passing, true);
    for (const Follower& follower : m_followers) {
        if (follower.state != except)
            show(follower);
    }
}

void ViewLink::show(const Follower& follower) const {
    ViewState& state = *follower.state;
    state.setRunEnd(std::max(follower.endPs, follower.map(m_leader.runEnd())));
    state.setRange({follower.map(m_leader.range().start), follower.map(m_leader.range().end)});
    if (m_leader.cursor())
        state.setCursor(follower.map(*m_leader.cursor()));
    else
        state.setCursor(std::nullopt);
    state.setFollowedChunk(m_leader.followedChunk());
    state.setFocusedGpu(m_leader.focusedGpu());
}

// The leader, then the others: who was moved is where the hand has put it.
void ViewLink::takeRange(ViewState& from) {
    if (m_passing)
        return;
    const Follower& follower = *find(from);
    {
        const QScopedValueRollback passing(m_passing, true);
        m_leader.setRange({follower.back(from.range().start), follower.back(from.range().end)});
    }
    passOn(&from);
}

}  // namespace ui
