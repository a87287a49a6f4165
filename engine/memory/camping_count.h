#pragma once

#include "engine/api/results.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// Counts the bytes of each DRAM channel, over the run and in windows of kCampingWindow requests a channel.
class CampingCount {
public:
    explicit CampingCount(std::size_t channels);

    void add(std::uint32_t channel, std::int64_t bytes) {
        m_window[channel] += bytes;
        if (--m_left == 0)
            closeWindow();
    }

    /// Returns the camping so far. A window that has begun counts from kLeastForCamping requests a channel on. Empty
    /// with one channel, and with fewer requests.
    std::optional<CampingResult> result() const;

private:
    static double campingOf(const std::vector<std::int64_t>& bytes);
    std::int64_t channels() const { return static_cast<std::int64_t>(m_run.size()); }
    void closeWindow();

    std::vector<std::int64_t> m_run, m_window;  // bytes by channel; of the run without the open window
    std::int64_t m_left;                        // requests until the window is full
    std::int64_t m_windows = 0;                 // full ones
    double m_sum = 0;                           // of their camping
};

}  // namespace engine
