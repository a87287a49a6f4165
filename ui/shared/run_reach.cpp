#include "ui/shared/run_reach.h"

#include <algorithm>

namespace ui {

void RunReach::setShown(std::int64_t end) {
    m_shown = end;
    Q_EMIT changed();
}

void RunReach::setPinned(std::int64_t end) {
    m_pinned = end;
    Q_EMIT changed();
}

void RunReach::setCompared(std::optional<std::int64_t> end) {
    m_compared = end;
    Q_EMIT changed();
}

std::int64_t RunReach::playEnd() const { return std::max(m_shown, m_compared.value_or(0)); }

std::int64_t RunReach::axisEnd() const { return std::max(playEnd(), m_compared ? 0 : m_pinned); }

}  // namespace ui
