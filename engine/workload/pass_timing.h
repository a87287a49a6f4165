#pragma once

#include "engine/api/experiment.h"
#include "engine/kernel/rate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace engine {

/// The sizes and times of a pass inside memory in one channel. The data lie in equal parts in all channels. The
/// processors at the banks move each byte `pass.cost` times, at `pass.rate` times the peak bandwidth of the channel's
/// bus.
class PassTiming {
public:
    explicit PassTiming(const Experiment& experiment)
        : m_bytesPerSecond(
              std::max<std::int64_t>(1, std::llround(static_cast<double>(experiment.memory.bandwidth.bytesPerSecond) *
                                                     experiment.pass.rate / experiment.pass.cost))),
          m_channels(experiment.detail.channels), m_bytes(experiment.companion.bytes.count),
          m_piece(std::max<std::int64_t>(1, experiment.pass.piece.count / m_channels)),
          m_switch(experiment.pass.switchTime) {}

    /// Returns the bytes of one channel. The first channels have one byte more if the bytes cannot be divided.
    std::int64_t bytesOf(std::int64_t channel) const {
        return m_bytes / m_channels + (channel < m_bytes % m_channels ? 1 : 0);
    }
    /// Returns the bytes of a whole piece of one channel.
    std::int64_t piece() const { return m_piece; }

    /// Returns the time of `bytes` of one channel after `before` bytes of the same pass. The times of all pieces add up
    /// to that of the whole, to the picosecond.
    Duration service(std::int64_t before, std::int64_t bytes) const {
        return std::max(time(before + bytes) - time(before), Duration{1});  // time must move for a queue to drain
    }

    /// Returns the time of the first `bytes` of one channel.
    Duration time(std::int64_t bytes) const { return timeAtRate(bytes * m_channels, m_bytesPerSecond); }

    /// Returns the time that a channel takes to change from requests to the pass, and to change back.
    Duration switchTime() const { return m_switch; }

private:
    std::int64_t m_bytesPerSecond;  // of all channels together
    std::int64_t m_channels;
    std::int64_t m_bytes;  // of all channels together
    std::int64_t m_piece;
    Duration m_switch;
};

}  // namespace engine
