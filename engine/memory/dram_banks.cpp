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

std::int64_t DramBanks::burstsOf(std::int64_t bytes) const {
    const std::int64_t share = (bytes + m_pseudoChannels - 1) / m_pseudoChannels;
    return (share + m_config.burst.count - 1) / m_config.burst.count;
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
    const std::int64_t bursts = burstsOf(bytes);
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

// At most how long each granule of a long sequence takes on the bus, rows and refreshes aside. Burst k of granule n goes to
// group n + k. When each burst waits for the one before it or, longer, for the one before it in its group, all that waiting
// is the longest path through the bursts: a step to the next burst takes the time on the bus, one to the next burst of the
// same group the column delay. Inside a granule such a step skips as many bursts as there are groups; of those from one
// granule into the next, of which a path has at most one a granule, the shortest reaches group n + 1 again.
Duration DramBanks::columnTime(std::int64_t bursts) const {
    const std::int64_t groups = m_config.bankGroups;
    const Duration delay = std::max(m_config.columnDelay, m_burst);
    if (bursts == 1)  // the groups take turns
        return std::max(m_burst, {(delay.ps + groups - 1) / groups});
    const auto extra = [&](std::int64_t skipped) { return std::max(delay - m_burst * skipped, Duration{}); };
    const std::int64_t across = (bursts - 1) % groups == 0 ? groups : (bursts - 1) % groups;
    return m_burst * bursts + extra(groups) * ((bursts - 1) / groups) + extra(across);
}

// In a time t, n granules of column time c take at most t = n c + (n / granules in a row) x openings x opening + (t / refresh
// interval) x (refresh + openings x activation). The opening of a row begins when its request enters the queue, which is
// full: as many requests before its turn as there are others in the queue, but not before its bank has finished with the
// row before. And however the times are, a granule waits for no more than one refresh and one opening.
double DramBanks::sustainedReads(const Experiment& experiment, std::int64_t queueEntries) {
    const DramBanks banks(experiment);
    const DramConfig& dram = experiment.dram;
    const auto seconds = [](Duration duration) { return static_cast<double>(duration.ps) * 1e-12; };
    const std::int64_t bursts = banks.burstsOf(experiment.detail.granule.count);
    const double column = seconds(banks.columnTime(bursts)), bus = seconds(banks.m_burst * bursts);
    // So many granules find a group whose row is not open yet, after another row and after a refresh.
    const auto openings =
        static_cast<double>(std::min(banks.m_granulesPerRow, std::max<std::int64_t>(1, dram.bankGroups - bursts + 1)));
    const auto granulesPerRow = static_cast<double>(banks.m_granulesPerRow);
    const double before =
        std::min(static_cast<double>(queueEntries - 1), static_cast<double>(dram.banksPerGroup - 1) * granulesPerRow);
    const double opening = std::max(seconds(dram.precharge + dram.activate) - before * bus, 0.0);
    const double refresh = seconds(dram.refreshTime), activate = seconds(dram.activate);
    const double lost = dram.refreshTime.ps == 0 ? 0 : (refresh + openings * activate) / seconds(dram.refreshInterval);
    const double steady = (1 - lost) / (column + openings * opening / granulesPerRow);
    const double worst = 1 / (column + seconds(dram.precharge + dram.activate) + refresh);
    return std::max(steady, worst) * static_cast<double>(experiment.detail.granule.count * experiment.detail.channels);
}

}  // namespace engine
