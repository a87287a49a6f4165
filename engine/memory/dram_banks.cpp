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
      m_run(std::max<std::int64_t>(1, experiment.dram.groupRun.count / experiment.dram.burst.count)),
      m_banks(static_cast<std::size_t>(experiment.dram.bankGroups * experiment.dram.banksPerGroup)),
      m_groups(static_cast<std::size_t>(experiment.dram.bankGroups)),
      m_nextRefresh(TimePoint{} + experiment.dram.refreshInterval) {
    const std::int64_t bursts = burstsOf(experiment.detail.granule.count);
    m_groupsOn.reserve(static_cast<std::size_t>(bursts));
    for (std::int64_t burst = 0; burst < bursts; ++burst)
        m_groupsOn.push_back(static_cast<std::uint32_t>(groupOf(0, burst, bursts)));
}

// Applies refreshes that are due: all banks stop, and afterwards every row is closed. A refresh is shorter than the
// interval. Therefore, of the refreshes that became due since the last request, only the last one can still be in
// progress.
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
    const Duration between = std::max(isUpdate(op) ? m_config.updateColumnDelay : m_config.columnDelay, m_burst);

    const std::int64_t firstGroup = address % groups;
    const bool isWhole = bursts == std::ssize(m_groupsOn);
    Bank* const banks = &m_banks[static_cast<std::size_t>(bankNumber * groups)];

    Service service{kNever, bus};
    for (std::int64_t burst = 0; burst < bursts; ++burst) {
        std::int64_t group =
            firstGroup + (isWhole ? m_groupsOn[static_cast<std::size_t>(burst)] : groupOf(0, burst, bursts));
        group -= group < groups ? 0 : groups;
        Bank& bank = banks[group];
        if (bank.row != row) {
            // The row can be opened as soon as the request is known and the bank has finished with the old one.
            const TimePoint precharge = std::max(now, bank.prechargeFrom);
            bank.ready = precharge + (bank.row == kClosed ? Duration{} : m_config.precharge) + m_config.activate;
            bank.row = row;
            ++m_stats.activations;
        }
        TimePoint& next = m_groups[static_cast<std::size_t>(group)].next;
        const TimePoint at = std::max({bus, next, bank.ready});
        bus = at + m_burst;
        next = at + between;
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

// Returns the bank group of burst number `burst` of a granule of `bursts`. The first run of granule n lies in group n,
// and each further run in the next group. As many runs as there are groups take turns, burst by burst.
std::int64_t DramBanks::groupOf(std::int64_t address, std::int64_t burst, std::int64_t bursts) const {
    const std::int64_t groups = m_config.bankGroups;
    if (m_run == 1)
        return (address + burst) % groups;
    const std::int64_t round = burst / (m_run * groups) * (m_run * groups);  // where these runs begin to take turns
    const std::int64_t left = std::min(bursts - round, m_run * groups);
    const std::int64_t turns = (left + m_run - 1) / m_run;
    const std::int64_t together = (left - (turns - 1) * m_run) * turns;  // bursts until the last run, a short one, ends
    const std::int64_t within = burst - round;
    const std::int64_t run = within < together ? within % turns : (within - together) % (turns - 1);
    return (address + run) % groups;
}

// Returns an upper bound on the bus time of each granule of a long sequence, without row openings and refreshes. It is
// the rate at which the bus and the column delays of the groups serve granules in the long run, and no less than the
// time of the first granule.
Duration DramBanks::columnTime(std::int64_t bursts) const {
    const std::int64_t groups = m_config.bankGroups;
    const Duration delay = std::max(m_config.columnDelay, m_burst);
    std::vector<TimePoint> next(static_cast<std::size_t>(groups));
    TimePoint bus;
    const auto serveGranules = [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t granule = from; granule < to; ++granule)
            for (std::int64_t burst = 0; burst < bursts; ++burst) {
                TimePoint& group = next[static_cast<std::size_t>(groupOf(granule, burst, bursts))];
                const TimePoint at = std::max(bus, group);
                bus = at + m_burst;
                group = at + delay;
            }
    };
    // The pattern of groups repeats with every `groups` granules, and the times repeat soon after.
    serveGranules(0, 2 * groups);
    const TimePoint begin = bus;
    serveGranules(2 * groups, 4 * groups);
    return {((bus - begin).ps + 2 * groups - 1) / (2 * groups)};
}

// In a time t, n granules of column time c take at most t = n c + (n / granules in a row) x openings x opening + (t /
// refresh interval) x (refresh + openings x activation). The opening of a row begins when its request enters the queue,
// but not before its bank has finished with the previous row. The queue is full, so that the request enters it as many
// requests before its turn as the queue has other entries. Whatever the times are, a granule waits for at most one
// refresh and one opening.
double DramBanks::sustainedReads(const Experiment& experiment, std::int64_t queueEntries) {
    const DramBanks banks(experiment);
    const DramConfig& dram = experiment.dram;
    const auto seconds = [](Duration duration) { return static_cast<double>(duration.ps) * 1e-12; };
    const std::int64_t bursts = banks.burstsOf(experiment.detail.granule.count);
    const double column = seconds(banks.columnTime(bursts)), bus = seconds(banks.m_burst * bursts);
    const std::int64_t runs = (bursts + banks.m_run - 1) / banks.m_run;
    // The number of granules that find a group whose row is not open yet, after another row and after a refresh.
    const auto openings =
        static_cast<double>(std::min(banks.m_granulesPerRow, std::max<std::int64_t>(1, dram.bankGroups - runs + 1)));
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
