#include "ui/shared/breakpoint_list.h"

#include <algorithm>

namespace ui {

std::optional<std::size_t> BreakpointList::countOf(std::size_t breakpoint) const {
    return m_log ? std::optional(m_counts[breakpoint]) : std::nullopt;
}

void BreakpointList::add(const Breakpoint& breakpoint) {
    Breakpoint enabled = breakpoint;
    enabled.enabled = true;
    const auto there = std::ranges::find_if(m_breakpoints, [&](Breakpoint known) {
        known.enabled = true;
        return known == enabled;
    });
    if (there == m_breakpoints.end())
        m_breakpoints.push_back(enabled);
    else
        there->enabled = true;
    search();
}

void BreakpointList::remove(std::size_t breakpoint) {
    m_breakpoints.erase(m_breakpoints.begin() + static_cast<std::ptrdiff_t>(breakpoint));
    search();
}

void BreakpointList::setEnabled(std::size_t breakpoint, bool enabled) {
    if (m_breakpoints[breakpoint].enabled == enabled)
        return;
    m_breakpoints[breakpoint].enabled = enabled;
    search();
}

void BreakpointList::setLog(std::shared_ptr<const data::RunLog> log) {
    m_log = std::move(log);
    search();
}

void BreakpointList::search() {
    m_hits.clear();
    m_counts.assign(m_breakpoints.size(), 0);
    for (std::size_t i = 0; m_log && i < m_breakpoints.size(); ++i) {
        std::vector<BreakpointHit> hits = hitsOf(*m_log, m_breakpoints[i]);
        m_counts[i] = hits.size();
        for (BreakpointHit& hit : hits) {
            hit.breakpoint = i;
            if (m_breakpoints[i].enabled)
                m_hits.push_back(std::move(hit));
        }
    }
    std::ranges::stable_sort(m_hits, earlier, &BreakpointHit::position);
    Q_EMIT changed();
}

const BreakpointHit* BreakpointList::nextAfter(const data::Position& from) const {
    const auto hit = std::ranges::upper_bound(m_hits, from, earlier, &BreakpointHit::position);
    return hit == m_hits.end() ? nullptr : &*hit;
}

const BreakpointHit* BreakpointList::firstWithin(const data::Position& from, const data::Position& to) const {
    const BreakpointHit* hit = nextAfter(from);
    return hit == nullptr || earlier(to, hit->position) ? nullptr : hit;
}

const BreakpointHit* BreakpointList::lastBefore(const data::Position& from) const {
    const auto hit = std::ranges::lower_bound(m_hits, from, earlier, &BreakpointHit::position);
    return hit == m_hits.begin() ? nullptr : &*std::prev(hit);
}

QJsonArray BreakpointList::toJson() const {
    QJsonArray kept;
    for (const Breakpoint& breakpoint : m_breakpoints)
        kept.append(breakpoint.toJson());
    return kept;
}

bool BreakpointList::restore(const QJsonArray& kept) {
    constexpr qsizetype kMost = 1000;
    if (kept.size() > kMost)
        return false;
    std::vector<Breakpoint> breakpoints;
    for (const QJsonValue& value : kept) {
        const std::optional<Breakpoint> breakpoint = Breakpoint::fromJson(value.toObject());
        if (!breakpoint)
            return false;
        breakpoints.push_back(*breakpoint);
    }
    m_breakpoints = std::move(breakpoints);
    search();
    return true;
}

}  // namespace ui
