#pragma once

#include "engine/api/dram_bursts.h"
#include "engine/api/dram_place.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"
#include "engine/memory/dram_timing.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

/// The bank model of one channel: it computes service times from bank groups, banks and rows, as a finer alternative to
/// the constants of DramTiming. Efficiency, update cost and turnaround are its outcomes.
///
/// Modelled:
/// - the pseudo-channels of one channel, which work in lock step and each have a share of every granule;
/// - the bursts of a granule, which take turns between the bank groups in which it lies (DramPlace);
/// - the layout with address.mapping=spread: `dram.group_run` consecutive bytes lie in one bank group, the next in the
///   next group; consecutive granules fill a row in every group before they move to the next bank;
/// - open rows, and activation as soon as a request is in the DRAM queue and its bank is free, so that the activation
///   can overlap with the service before it;
/// - the time between two activations of a bank, between two of the channel, and from one to the fourth after it;
///   activations keep the order in which the requests are accepted;
/// - the long column delay within a group and the longer one after an update, write recovery, turnaround, all-bank
///   refresh.
///
/// Left out: reordering within the DRAM queue (requests are served in its order; the controller may choose earlier, see
/// MemoryController), a longer activate spacing within a bank
/// group, and the time from a read to the precharge.
class DramBanks {
public:
    struct Service {
        TimePoint start;   ///< start of the first burst on the bus
        TimePoint finish;  ///< end of the last burst
        ServedPlace place;
    };
    struct Stats {
        std::int64_t bursts = 0;
        std::int64_t activations = 0;
        Duration plainBus, plainTaken;  ///< reads and writes: time on the bus, time from free bus or arrival to finish
        Duration updateBus, updateTaken;  ///< updates
        Duration turnaround;
        Duration refresh;
    };

    explicit DramBanks(const Experiment& experiment);

    /// Closes all rows at `at`, after which rows may be opened again.
    void closeRows(TimePoint at) {
        for (Bank& bank : m_banks)
            bank = refreshed(bank, at);
    }

    /// Serves `bytes` of the granule at `place`, which is in this channel. The request is accepted now, and the bus is
    /// free from `freeAt` on.
    Service serve(MemoryOp op, const DramPlace& place, std::int64_t bytes, TimePoint now, TimePoint freeAt);

    /// Returns the time at which `serve` would start the first burst.
    TimePoint startOf(MemoryOp op, const DramPlace& place, TimePoint now, TimePoint freeAt) const;

    const Stats& stats() const { return m_stats; }

    /// Returns a lower bound, in bytes per second of all channels together, for reading granule after granule without a
    /// pause, with `queueEntries` requests in each channel's DRAM queue. It never exceeds the rate of `serve` for the
    /// same reads and is close to it unless activations or refreshes take most of the time.
    static double sustainedReads(const Experiment& experiment, std::int64_t queueEntries);

private:
    static constexpr std::int64_t kClosed = -1;                     // no row has this number
    static constexpr TimePoint kLongAgo{-(std::int64_t{1} << 60)};  // no limit reaches from then to the run

    struct Bank {
        std::int64_t row = kClosed;
        TimePoint prechargeFrom;  // earliest precharge of the open row
        TimePoint ready;          // earliest column access to the open row
        TimePoint activatedAt = kLongAgo;
    };
    struct Group {
        TimePoint next;  // earliest next column access
    };

    // The state of the channel when it turns to a request.
    struct Turn {
        TimePoint turned;     // the bus has turned around
        TimePoint bus;        // the bus is free, and no refresh is under way
        bool closed = false;  // refreshes have closed all rows since the last request
        TimePoint refreshed;  // end of the last of them
    };
    Turn turnTo(MemoryOp op, TimePoint now, TimePoint freeAt) const;
    static Bank refreshed(const Bank& bank, TimePoint when) { return {kClosed, when, when, bank.activatedAt}; }
    TimePoint readyOf(const Bank& bank, std::int64_t row, TimePoint now) const {
        return bank.row == row ? bank.ready : activationOf(bank, now) + m_config.activate;
    }
    TimePoint activationOf(const Bank& bank, TimePoint now) const;
    void activate(Bank& bank, std::int64_t row, TimePoint ready);
    std::int64_t burstsOf(std::int64_t bytes) const { return m_perRequest.of(bytes); }
    Duration columnTime(std::int64_t bursts) const;
    std::int64_t groupOf(std::int64_t burst, std::int64_t bursts) const;
    std::int64_t groupsWith(std::int64_t bursts) const;

    DramConfig m_config;
    DramBursts m_perRequest;
    std::int64_t m_bytesPerSecond;  // of one pseudo-channel
    Duration m_burst;               // on the bus, tCCD_S
    std::int64_t m_run;             // consecutive bursts of one bank group, at least one
    std::int64_t m_groupsOfGranule;
    bool m_isMapped;
    bool m_spacesActivations;  // of different banks
    // By burst of a whole granule: the distance of its bank group from the group of the granule's first run.
    std::vector<std::uint32_t> m_groupsOn;
    std::vector<Bank> m_banks;  // by bank, then group
    std::vector<Group> m_groups;
    std::array<TimePoint, 4> m_activations;  // the last four of the channel, in a ring
    std::size_t m_oldestActivation = 0;
    TimePoint m_nextRefresh;
    MemoryOp m_lastOp = MemoryOp::read;
    TimePoint m_lastFinish;
    Stats m_stats;
};

}  // namespace engine
