#include "engine/memory/camping_count.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace engine {

CampingCount::CampingCount(std::size_t channels)
    : m_run(channels), m_window(channels), m_left(kCampingWindow * static_cast<std::int64_t>(channels)) {}

double CampingCount::campingOf(const std::vector<std::int64_t>& bytes) {
    const std::int64_t sum = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
    const std::int64_t most = *std::max_element(bytes.begin(), bytes.end());
    return static_cast<double>(most) * static_cast<double>(bytes.size()) / static_cast<double>(sum);
}

void CampingCount::closeWindow() {
    m_sum += campingOf(m_window);
    ++m_windows;
    for (std::size_t channel = 0; channel < m_run.size(); ++channel) {
        m_run[channel] += m_window[channel];
        m_window[channel] = 0;
    }
    m_left = kCampingWindow * channels();
}

std::optional<CampingResult> CampingCount::result() const {
    const std::int64_t inWindow = kCampingWindow * channels() - m_left;
    const bool windowCounts = inWindow >= kLeastForCamping * channels();
    if (channels() < 2 || (m_windows == 0 && !windowCounts))
        return std::nullopt;
    std::vector<std::int64_t> all = m_run;
    std::transform(all.begin(), all.end(), m_window.begin(), all.begin(), std::plus<>());
    const double sum = m_sum + (windowCounts ? campingOf(m_window) : 0);
    return CampingResult{campingOf(all), sum / static_cast<double>(m_windows + (windowCounts ? 1 : 0))};
}

}  // namespace engine
