#pragma once

#include "data/replay/gpu_inside.h"
#include "data/replay/run_log.h"
#include "engine/api/experiment.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace data {

/// Returns for any moment which command or copy each DMA engine of one recorded GPU works on, and how much of it is done.
/// The log must outlive this object.
class DmaHistory {
public:
    DmaHistory(const RunLog& log, const engine::Experiment& experiment, std::uint32_t recorded);

    /// Adds the engines and the numbers of commands to `inside`. `state` is the state of the same GPU; chunks are
    /// numbered as in `state`.
    void describe(const GpuState& state, GpuInside& inside) const;

private:
    struct Transfer {
        std::uint32_t engine = 0;
        std::int64_t takenPs = 0, readPs = 0, sentPs = 0;
        std::uint64_t bytes = 0;
    };
    // Moments in their order, each with the bytes up to and including it.
    using ByteSums = std::vector<std::pair<std::int64_t, std::uint64_t>>;
    struct Copy {
        Transfer transfer;
        std::uint32_t chunk = 0, to = 0;
        ByteSums sent;  // by the ends of its packets
    };
    static std::uint64_t bytesUntil(const ByteSums& sums, std::int64_t ps);
    void findCopies(const engine::Trace& trace, std::uint32_t recorded);
    void describeCopies(const GpuState& state, GpuInside& inside) const;
    void findTransfers(const RunLog& log, std::uint32_t recorded);
    void addReads(const engine::Trace& trace, std::uint32_t recorded, std::int64_t latency);
    double shareRead(const Transfer& transfer, std::int64_t ps) const;
    GpuInside::Command commandOf(const BlockState& block, const Transfer& transfer, std::int64_t ps) const;
    void describeEngines(std::vector<std::pair<const BlockState*, const Transfer*>> moving, GpuInside& inside) const;

    const LogFacts& m_facts;
    std::int64_t m_gatherStart = 0;
    std::vector<Copy> m_copies;  // by begin
    std::uint32_t m_engines;
    std::vector<std::optional<Transfer>> m_transfers;  // by command
    std::vector<std::int64_t> m_sent;                  // the ends of all transfers, sorted
    ByteSums m_reads;                                  // by the times at which data of DMA reads have returned
};

}  // namespace data
