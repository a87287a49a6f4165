#include "engine/memory/dram_banks.h"

#include <algorithm>

namespace engine {

DramBanks::DramBanks(const Experiment& experiment)
    : m_config(experiment.dram), m_perRequest(experiment),
      m_bytesPerSecond(std::max<std::int64_t>(1, experiment.memory.bandwidth.bytesPerSecond /
                                                     (m_perRequest.pseudoChannels() * experiment.detail.channels))),
      m_burst(std::max(timeAtRate(experiment.dram.burst.count, m_bytesPerSecond), Duration{1})),
      m_run(std::max<std::int64_t>(1, experiment.dram.groupRun.count / experiment.dram.burst.count)),
      m_groupsOfGranule(DramPlaces(experiment).groupsOfGranule()), m_isMapped(hasAddressMapping(experiment)),
      m_spacesActivations(experiment.dram.activateSpacing.ps != 0 || experiment.dram.fourActivates.ps != 0),
      m_banks(static_cast<std::size_t>(experiment.dram.bankGroups * experiment.dram.banksPerGroup)),
      m_groups(static_cast<std::size_t>(experiment.dram.bankGroups)),
      m_nextRefresh(TimePoint{} + experiment.dram.refreshInterval) {
    const std::int64_t bursts = burstsOf(experiment.detail.granule.count);
    m_activations.fill(kLongAgo);
    m_groupsOn.reserve(static_cast<std::size_t>(bursts));
    for (std::int64_t burst = 0; burst < bursts; ++burst)
        m_groupsOn.push_back(static_cast<std::uint32_t>(groupOf(burst, bursts)));
}

// Returns the turn of a request that is accepted now. A refresh stops all banks and closes every row. It is shorter than
// the interval. Therefore, of the refreshes that became due since the last request, only the last one can still be in
// progress.
inline DramBanks::Turn DramBanks::turnTo(MemoryOp op, TimePoint now, TimePoint freeAt) const {
    const bool reads = op == MemoryOp::read;
    Turn turn;
    turn.turned = std::max(now, freeAt);
    if (reads != (m_lastOp == MemoryOp::read))
        turn.turned = std::max(turn.turned, m_lastFinish + (reads ? m_config.writeToRead : m_config.readToWrite));
    turn.bus = turn.turned;
    if (m_config.refreshTime.ps == 0 || m_nextRefresh > turn.bus)
        return turn;
    const std::int64_t overBefore = (turn.bus - m_nextRefresh).ps / m_config.refreshInterval.ps;
    turn.closed = true;
    turn.refreshed = m_nextRefresh + m_config.refreshInterval * overBefore + m_config.refreshTime;
    turn.bus = std::max(turn.bus, turn.refreshed);
    return turn;
}

TimePoint DramBanks::startOf(MemoryOp op, const DramPlace& place, TimePoint now, TimePoint freeAt) const {
    const Turn turn = turnTo(op, now, freeAt);
    const Bank& bank = m_banks[static_cast<std::size_t>(place.bank * m_config.bankGroups + place.firstGroup)];
    return std::max({turn.bus, m_groups[place.firstGroup].next,
                     readyOf(turn.closed ? refreshed(bank, turn.refreshed) : bank, place.row, now)});
}

// Returns when a request that is known since `now` can open its row: when the bank has finished with the old one, and
// the limits on activations allow it.
inline TimePoint DramBanks::activationOf(const Bank& bank, TimePoint now) const {
    TimePoint at = std::max(now, bank.prechargeFrom) + (bank.row == kClosed ? Duration{} : m_config.precharge);
    if (m_config.rowCycle.ps != 0)
        at = std::max(at, bank.activatedAt + m_config.rowCycle);
    if (m_spacesActivations) {
        const TimePoint last = m_activations[(m_oldestActivation + m_activations.size() - 1) % m_activations.size()];
        at =
            std::max({at, last + m_config.activateSpacing, m_activations[m_oldestActivation] + m_config.fourActivates});
    }
    return at;
}

inline void DramBanks::activate(Bank& bank, std::int64_t row, TimePoint ready) {
    bank.row = row;
    bank.ready = ready;
    bank.activatedAt = ready - m_config.activate;
    m_activations[m_oldestActivation] = bank.activatedAt;
    m_oldestActivation = (m_oldestActivation + 1) % m_activations.size();
    ++m_stats.activations;
}

DramBanks::Service DramBanks::serve(MemoryOp op, const DramPlace& place, std::int64_t bytes, TimePoint now,
                                    TimePoint freeAt) {
    const bool reads = op == MemoryOp::read;
    const TimePoint from = std::max(now, freeAt);
    const Turn turn = turnTo(op, now, freeAt);
    m_stats.turnaround += turn.turned - from;
    m_lastOp = op;
    if (turn.closed) {
        m_stats.refresh += turn.bus - turn.turned;
        m_nextRefresh = turn.refreshed - m_config.refreshTime + m_config.refreshInterval;
        closeRows(turn.refreshed);
    }
    TimePoint bus = turn.bus;

    const std::int64_t groups = m_config.bankGroups;
    const std::int64_t bursts = burstsOf(bytes);
    const std::int64_t row = place.row;
    const Duration between = std::max(isUpdate(op) ? m_config.updateColumnDelay : m_config.columnDelay, m_burst);

    const bool isWhole = bursts == std::ssize(m_groupsOn);
    Bank* const banks = &m_banks[static_cast<std::size_t>(place.bank * groups)];

    const std::int64_t openedBefore = m_stats.activations;
    Service service{kNever, bus, {}};
    for (std::int64_t burst = 0; burst < bursts; ++burst) {
        std::int64_t group =
            place.firstGroup + (isWhole ? m_groupsOn[static_cast<std::size_t>(burst)] : groupOf(burst, bursts));
        group -= group < groups ? 0 : groups;
        Bank& bank = banks[group];
        if (const TimePoint ready = readyOf(bank, row, now); bank.row != row)
            activate(bank, row, ready);
        TimePoint& next = m_groups[static_cast<std::size_t>(group)].next;
        const TimePoint at = std::max({bus, next, bank.ready});
        bus = at + m_burst;
        next = at + between;
        bank.prechargeFrom = reads ? bus : bus + m_config.writeRecovery;
        service.start = std::min(service.start, at);
    }
    service.finish = bus;
    m_lastFinish = bus;
    service.place = {place.bank, place.firstGroup,
                     static_cast<std::uint8_t>(isWhole ? m_groupsOfGranule : groupsWith(bursts)),
                     static_cast<std::uint8_t>(m_stats.activations - openedBefore)};
    m_stats.bursts += bursts;
    (isUpdate(op) ? m_stats.updateBus : m_stats.plainBus) += m_burst * bursts;
    (isUpdate(op) ? m_stats.updateTaken : m_stats.plainTaken) += service.finish - from;
    return service;
}

// Returns the distance of the bank group of burst number `burst` of a granule of `bursts` from the group of its first
// burst. With address.mapping=spread each run lies in the next group, and as many runs as there are groups take turns,
// burst by burst. With a mapping all groups of a granule take turns.
std::int64_t DramBanks::groupOf(std::int64_t burst, std::int64_t bursts) const {
    if (m_isMapped)
        return burst % m_groupsOfGranule;
    const std::int64_t groups = m_config.bankGroups;
    if (m_run == 1)
        return burst % groups;
    const std::int64_t round = burst / (m_run * groups) * (m_run * groups);  // where these runs begin to take turns
    const std::int64_t left = std::min(bursts - round, m_run * groups);
    const std::int64_t turns = (left + m_run - 1) / m_run;
    const std::int64_t together = (left - (turns - 1) * m_run) * turns;  // bursts until the last run, a short one, ends
    const std::int64_t within = burst - round;
    const std::int64_t run = within < together ? within % turns : (within - together) % (turns - 1);
    return run;
}

// Returns the number of bank groups among which the bursts of a request are divided.
std::int64_t DramBanks::groupsWith(std::int64_t bursts) const {
    return m_isMapped ? std::min(bursts, m_groupsOfGranule)
                      : std::min((bursts + m_run - 1) / m_run, m_config.bankGroups);
}

// Returns an upper bound on the bus time of each granule of a long sequence, without row openings and refreshes: the rate
// at which the bus and the column delays of the groups serve granules in the long run. With a mapping all granules may
// lie in the same groups.
Duration DramBanks::columnTime(std::int64_t bursts) const {
    const std::int64_t groups = m_config.bankGroups;
    const Duration delay = std::max(m_config.columnDelay, m_burst);
    if (m_isMapped)
        return std::max(m_burst * bursts, delay * ((bursts + m_groupsOfGranule - 1) / m_groupsOfGranule));
    std::vector<TimePoint> next(static_cast<std::size_t>(groups));
    TimePoint bus;
    const auto serveGranules = [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t granule = from; granule < to; ++granule)
            for (std::int64_t burst = 0; burst < bursts; ++burst) {
                TimePoint& group = next[static_cast<std::size_t>((granule + groupOf(burst, bursts)) % groups)];
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

namespace {

// What repeats while one channel is read granule after granule: rows open in one bank, or with a mapping in all banks.
struct RowCycle {
    double granules = 1;
    double waiting = 0;   // seconds for which granules of a cycle wait for rows to open, at most
    double reopened = 1;  // granules that find a row closed after a refresh which they would have found open, at most
    double activations = 0;
    double between = 0;  // granules between two activations of one bank, at least
};

// The opening of a row begins when its request enters the queue, but not before its bank has finished with the previous
// row. The queue is full, so that the request enters it `queued` requests before its turn. `opening` and `bus`: seconds
// to open a row in place of another, and of a granule on the bus.
RowCycle cycleOfSpread(const Experiment& experiment, const DramPlaces& places, double queued, double opening,
                       double bus) {
    const std::int64_t granulesPerRow = places.granulesPerRow();
    // The number of granules that find a group whose row is not open yet, after another row and after a refresh.
    const std::int64_t groups = experiment.dram.bankGroups - places.groupsOfGranule() + 1;
    RowCycle cycle;
    cycle.granules = static_cast<double>(granulesPerRow);
    cycle.reopened = static_cast<double>(std::min(granulesPerRow, groups));
    const double before = std::min(queued, static_cast<double>(experiment.dram.banksPerGroup - 1) * cycle.granules);
    cycle.waiting = cycle.reopened * std::max(opening - before * bus, 0.0);
    cycle.activations = static_cast<double>(experiment.dram.bankGroups);
    cycle.between = static_cast<double>(experiment.dram.banksPerGroup) * cycle.granules - cycle.reopened;
    return cycle;
}

// Returns the cycle in which the addresses of one channel pass all banks, groups and columns of one row. A bank has
// finished with its previous row at its last column there. With a bank hash that may have been at any place of the row
// before, so that the worst of two rows one after the other counts.
RowCycle cycleOfMapping(const Experiment& experiment, double queued, double opening, double bus) {
    const AddressBits bits = addressBitsOf(experiment);
    const std::string letters = mappingLetters(experiment);
    std::vector<std::int64_t> bankBits, groupBits;  // values of these bits among the granules of the channel
    std::int64_t columns = 0, next = 1;
    std::uint32_t groupsInside = 0;
    for (std::size_t place = 0; place < letters.size(); ++place) {
        const char letter = letters[letters.size() - 1 - place];
        if (place < bits.granule) {
            groupsInside += letter == kGroupLetter;
            continue;
        }
        if (letter == kChannelLetter)
            continue;
        if (letter == kBankLetter)
            bankBits.push_back(next);
        else if (letter == kGroupLetter)
            groupBits.push_back(next);
        else
            columns += next;
        next *= 2;
    }
    std::vector<std::int64_t> all = bankBits;
    all.insert(all.end(), groupBits.begin(), groupBits.end());
    const auto placeOf = [&](std::uint32_t bank) {
        std::int64_t place = 0;
        for (std::size_t bit = 0; bit < all.size(); ++bit)
            place += bank >> bit & 1 ? all[bit] : 0;
        return place;
    };
    // Returns the wait if a bank lies at the place of bank number n in this row, and of n ^ `change` in the row before.
    const auto waitingWith = [&](std::uint32_t change) {
        double waiting = 0;
        for (std::uint32_t bank = 0; bank < 1u << all.size(); ++bank) {
            const std::int64_t between = next + placeOf(bank) - placeOf(bank ^ change) - columns - 1;
            waiting += std::max(opening - std::min(queued, static_cast<double>(between)) * bus, 0.0);
        }
        return waiting;
    };
    RowCycle cycle;
    cycle.granules = static_cast<double>(next);
    cycle.waiting = waitingWith(0);
    cycle.activations = static_cast<double>(experiment.dram.banksPerGroup * experiment.dram.bankGroups);
    cycle.between = static_cast<double>(next - 1);
    if (experiment.address.bankHash == BankHash::bitwise) {
        // From one row number to the next, some of the lowest bits change. Some of them change bits inside a granule.
        const std::uint32_t banks = (1u << bankBits.size()) - 1;
        for (std::uint32_t rowBits = 1; rowBits <= bankBits.size() + bits.group + 1; ++rowBits) {
            const std::uint32_t row = (1u << rowBits) - 1;
            const std::uint32_t groups = row >> bankBits.size() >> groupsInside & ((1u << groupBits.size()) - 1);
            cycle.waiting = std::max(cycle.waiting, waitingWith((row & banks) | groups << bankBits.size()));
        }
        cycle.between = static_cast<double>(columns);
    }
    for (const std::int64_t bit : all)
        cycle.reopened *= columns > bit ? 2 : 1;
    return cycle;
}

}  // namespace

// In a time t, n granules of column time c take at most t = n c + (n / granules of a cycle) x (waiting + activations x
// limited) + (t / refresh interval) x (refresh + reopened x (activation + limited)). A limit on activations makes a burst
// wait no longer than the limit without the bursts on the bus since the activation from which it counts: the bus has
// served a burst of each row that was opened before. Whatever the times are, a granule waits for at most one refresh, one
// opening, and the limits on the activation of each of its groups.
double DramBanks::sustainedReads(const Experiment& experiment, std::int64_t queueEntries) {
    const DramBanks banks(experiment);
    const DramConfig& dram = experiment.dram;
    const auto seconds = [](Duration duration) { return static_cast<double>(duration.ps) * 1e-12; };
    const std::int64_t bursts = banks.burstsOf(experiment.detail.granule.count);
    const double column = seconds(banks.columnTime(bursts)), bus = seconds(banks.m_burst * bursts);
    const double opening = seconds(dram.precharge + dram.activate), queued = static_cast<double>(queueEntries - 1);
    const RowCycle cycle = banks.m_isMapped ? cycleOfMapping(experiment, queued, opening, bus)
                                            : cycleOfSpread(experiment, DramPlaces(experiment), queued, opening, bus);
    const double refresh = seconds(dram.refreshTime), activate = seconds(dram.activate);
    const auto limitedTo = [&](double busBetween) {
        const double burst = seconds(banks.m_burst);
        return std::max({seconds(dram.rowCycle) - busBetween, seconds(dram.activateSpacing) - burst,
                         seconds(dram.fourActivates) - 4 * burst, 0.0});
    };
    const double limited = limitedTo(cycle.between * bus), alwaysLimited = limitedTo(seconds(banks.m_burst));
    const double lost =
        dram.refreshTime.ps == 0
            ? 0
            : (refresh + cycle.reopened * (activate + alwaysLimited * static_cast<double>(banks.m_groupsOfGranule))) /
                  seconds(dram.refreshInterval);
    const double steady = (1 - lost) / (column + (cycle.waiting + cycle.activations * limited) / cycle.granules);
    const double worst =
        1 / (column + opening + refresh + alwaysLimited * static_cast<double>(banks.m_groupsOfGranule));
    return std::max(steady, worst) * static_cast<double>(experiment.detail.granule.count * experiment.detail.channels);
}

}  // namespace engine
