#include "engine/memory/dram_banks.h"

#include <algorithm>

namespace engine {

DramBanks::DramBanks(const Experiment& experiment)
    : m_config(experiment.dram),
      m_pseudoChannels(std::max<std::int64_t>(1, experiment.dram.pseudoChannels / experiment.detail.channels)),
      m_bytesPerSecond(std::max<std::int64_t>(1, experiment.memory.bandwidth.bytesPerSecond /
                                                     (m_pseudoChannels * experiment.detail.channels))),
      m_granulesPerRow(std::max<std::int64_t>(1, experiment.dram.row.count * experiment.dram.bankGroups *
                                                     m_pseudoChannels / experiment.detail.granule.count)),
      m_burst(std::max(timeAtRate(experiment.dram.burst.count, m_bytesPerSecond), Duration{1})),
      m_banks(static_cast<std::size_t>(experiment.dram.bankGroups * experiment.dram.banksPerGroup)),
      m_groups(static_cast<std::size_t>(experiment.dram.bankGroups)),
      m_nextRefresh(TimePoint{} + experiment.dram.refreshInterval) {}

// All banks stop for a refresh that has become due; afterwards every row is closed. A refresh is shorter than the interval,
// so that of those that have become due since the last request only the last one can still go on.
void DramBanks::refreshBefore(TimePoint& at) {
    if (m_config.refreshTime.ps == 0 || m_nextRefresh > at)
        return;
    const std::int64_t overBefore = (at - m_nextRefresh).ps / m_config.refreshInterval.ps;
    const TimePoint begin = m_nextRefresh + m_config.refreshInterval * overBefore;
    const TimePoint end = begin + m_config.refreshTime;
    if (end > at) {
        m_stats.refresh += end - at;
        at = end;
    }
    m_nextRefresh = begin + m_config.refreshInterval;
    for (Bank& bank : m_banks)
        bank = {kClosed, end, end};
}

DramBanks::Service DramBanks::serve(MemoryOp op, std::uint32_t address, std::int64_t bytes, TimePoint now,
                                    TimePoint freeAt) {
    const bool reads = op == MemoryOp::read;
    TimePoint bus = std::max(now, freeAt);
    const TimePoint from = bus;
    if (reads != (m_lastOp == MemoryOp::read)) {
        const TimePoint turned = m_lastFinish + (reads ? m_config.writeToRead : m_config.readToWrite);
        if (turned > bus) {
            m_stats.turnaround += turned - bus;
            bus = turned;
        }
        m_lastOp = op;
    }
    refreshBefore(bus);

    const std::int64_t groups = m_config.bankGroups;
    const std::int64_t share = (bytes + m_pseudoChannels - 1) / m_pseudoChannels;
    const std::int64_t bursts = (share + m_config.burst.count - 1) / m_config.burst.count;
    const std::int64_t rowNumber = address / m_granulesPerRow;
    const std::int64_t bankNumber = rowNumber % m_config.banksPerGroup;
    const std::int64_t row = rowNumber / m_config.banksPerGroup;
    const Duration delay = isUpdate(op) ? m_config.updateColumnDelay : m_config.columnDelay;

    Service service{kNever, bus};
    for (std::int64_t burst = 0; burst < bursts; ++burst) {
        const auto group = static_cast<std::size_t>((address + burst) % groups);
        Bank& bank = m_banks[static_cast<std::size_t>(bankNumber * groups) + group];
        if (bank.row != row) {
            // The row can be opened as soon as the request is known and the bank has finished with the old one.
            const TimePoint precharge = std::max(now, bank.prechargeFrom);
            bank.ready = precharge + (bank.row == kClosed ? Duration{} : m_config.precharge) + m_config.activate;
            bank.row = row;
            ++m_stats.activations;
        }
        const TimePoint at = std::max({bus, m_groups[group].next, bank.ready});
        bus = at + m_burst;
        m_groups[group].next = at + std::max(delay, m_burst);
        bank.prechargeFrom = reads ? bus : bus + m_config.writeRecovery;
        service.start = std::min(service.start, at);
    }
    service.finish = bus;
    m_lastFinish = bus;
    m_stats.bursts += bursts;
    (isUpdate(op) ? m_stats.updateBus : m_stats.plainBus) += m_burst * bursts;
    (isUpdate(op) ? m_stats.updateTaken : m_stats.plainTaken) += service.finish - from;
    return service;
}

}  // namespace engine
