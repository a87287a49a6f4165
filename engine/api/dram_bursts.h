#pragma once

#include "engine/api/experiment.h"

#include <algorithm>
#include <cstdint>

namespace engine {

/// Divides the bytes of a request into bursts. The pseudo-channels of a channel work in lock step, each with its share
/// of the request, so that a burst is one column access in each of them.
class DramBursts {
public:
    explicit DramBursts(const Experiment& experiment)
        : m_pseudoChannels(std::max<std::int64_t>(1, experiment.dram.pseudoChannels / experiment.detail.channels)),
          m_burst(experiment.dram.burst.count) {}

    std::int64_t pseudoChannels() const { return m_pseudoChannels; }  ///< of one channel
    std::int64_t of(std::int64_t bytes) const {
        const std::int64_t share = (bytes + m_pseudoChannels - 1) / m_pseudoChannels;
        return (share + m_burst - 1) / m_burst;
    }

private:
    std::int64_t m_pseudoChannels;
    std::int64_t m_burst;  // bytes of one burst of one pseudo-channel
};

}  // namespace engine
