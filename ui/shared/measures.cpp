#include "ui/shared/measures.h"

#include <algorithm>

namespace ui {

void Measures::mark(data::TimeRange range) {
    if (range.span() <= 0)
        return;
    if (m_current == range)
        m_current.reset();
    else
        m_current = range;
    Q_EMIT changed();
}

void Measures::moveTo(data::TimeRange range) {
    const data::TimeRange sorted{std::min(range.start, range.end), std::max(range.start, range.end)};
    if (!m_current || m_current == sorted)
        return;
    m_current = sorted;
    Q_EMIT changed();
}

void Measures::keep() {
    if (m_current && m_current->span() > 0) {
        m_kept.push_back(*m_current);
        m_current.reset();
    } else if (!m_kept.empty()) {
        m_current = m_kept.back();
        m_kept.pop_back();
    } else {
        return;
    }
    Q_EMIT changed();
}

void Measures::clear() {
    if (empty())
        return;
    m_current.reset();
    m_kept.clear();
    Q_EMIT changed();
}

}  // namespace ui
