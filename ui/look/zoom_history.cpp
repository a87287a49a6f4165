#include "ui/look/zoom_history.h"

namespace ui {

void ZoomHistory::record(data::TimeRange range, std::int64_t nowMs) {
    if (!m_entries.empty() && m_entries[m_at] == range)
        return;
    const bool goesOn = m_lastMs && nowMs - *m_lastMs < kPauseMs;
    m_lastMs = nowMs;
    // The first entry is the range from which the history starts; it is not replaced.
    if (goesOn && m_at > 0 && m_at + 1 == m_entries.size()) {
        m_entries[m_at] = range;
        return;
    }
    m_entries.resize(m_entries.empty() ? 0 : m_at + 1);
    m_entries.push_back(range);
    if (m_entries.size() > kMostEntries)
        m_entries.erase(m_entries.begin());
    m_at = m_entries.size() - 1;
}

std::optional<data::TimeRange> ZoomHistory::back() {
    m_lastMs.reset();
    if (m_at == 0)
        return std::nullopt;
    return m_entries[--m_at];
}

std::optional<data::TimeRange> ZoomHistory::forward() {
    m_lastMs.reset();
    if (m_at + 1 >= m_entries.size())
        return std::nullopt;
    return m_entries[++m_at];
}

void ZoomHistory::restart(data::TimeRange range) {
    m_entries = {range};
    m_at = 0;
    m_lastMs.reset();
}

}  // namespace ui
