#pragma once

#include "engine/api/experiment.h"
#include "engine/kernel/rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace engine {

/// `pass`: a piece of a pass inside memory, which takes no bus; only the memory controller serves it.
enum class MemoryOp : std::uint8_t { read, write, update, arrivingUpdate, pass };

constexpr bool isUpdate(MemoryOp op) { return op == MemoryOp::update || op == MemoryOp::arrivingUpdate; }

/// The service times of one DRAM channel. Modelled: one sustained bandwidth (peak x efficiency, split evenly over the
/// channels), a fixed extra cost of op-and-store updates over writes (their longer column-to-column delay), and a
/// turnaround between reads and other operations. Left out: banks and rows, whose effect is part of efficiency and
/// update cost. Promise: every whole granule of one kind takes the same whole number of picoseconds, so that a
/// channel's busy time is exactly reads*r + writes*w + updates*u.
class DramTiming {
public:
    DramTiming(const MemoryConfig& config, std::int64_t channels, Bytes granule)
        : m_bytesPerSecond(std::max<std::int64_t>(
              1, std::llround(static_cast<double>(config.bandwidth.bytesPerSecond) * config.efficiency))),
          m_plainRate(config.model == DramModel::banks ? config.bandwidth.bytesPerSecond : m_bytesPerSecond),
          m_channels(channels), m_updateMillionths(std::llround(config.updateCost * 1e6)),
          m_arrivingMillionths(std::llround(config.arrivingUpdateCost.value_or(config.updateCost) * 1e6)),
          m_granule(granule.count), m_turnaround(config.turnaround) {
        for (const MemoryOp op : {MemoryOp::read, MemoryOp::write, MemoryOp::update, MemoryOp::arrivingUpdate}) {
            const auto kind = static_cast<std::size_t>(op);
            m_whole[kind] = compute(op, m_granule);
            m_part[kind] = {m_granule, m_whole[kind]};
        }
    }

    Duration service(MemoryOp op, std::int64_t bytes) {
        const auto kind = static_cast<std::size_t>(op);
        if (bytes == m_granule)
            return m_whole[kind];
        // Slabs smaller than a granule are all of one size: the wide division is done once for it.
        if (bytes != m_part[kind].bytes)
            m_part[kind] = {bytes, compute(op, bytes)};
        return m_part[kind].time;
    }

    /// Returns the time of `bytes` of reads or writes one after the other; with the bank model, which has no efficiency
    /// constant, at peak rate.
    Duration plainTime(std::int64_t bytes) const { return timeAtRate(bytes * m_channels, m_plainRate); }

    Duration turnaround() const { return m_turnaround; }

private:
    Duration compute(MemoryOp op, std::int64_t bytes) const {
        // At least 1 ps: time must move for a queue to drain.
        const Duration plain = timeAtRate(bytes * m_channels, m_bytesPerSecond);
        if (!isUpdate(op))
            return std::max(plain, Duration{1});
        const std::int64_t millionths = op == MemoryOp::update ? m_updateMillionths : m_arrivingMillionths;
        return std::max(Duration{plain.ps * millionths / 1'000'000}, Duration{1});
    }

    std::int64_t m_bytesPerSecond;
    std::int64_t m_plainRate;
    std::int64_t m_channels;
    std::int64_t m_updateMillionths;
    std::int64_t m_arrivingMillionths;
    std::int64_t m_granule;
    Duration m_turnaround;
    std::array<Duration, 4> m_whole{};
    struct Part {
        std::int64_t bytes = 0;
        Duration time;
    };
    std::array<Part, 4> m_part{};  // the last size below a granule
};

}  // namespace engine
