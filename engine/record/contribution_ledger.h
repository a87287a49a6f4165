#pragma once

#include "engine/api/trace.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace engine {

/// Follows the data instead of the times: which GPUs' partial results are in each GPU's copy of each granule of the
/// output. A reduction is right when every granule ends with exactly one contribution from each GPU at its owner, and
/// after the all-gather everywhere; a transfer that left before its data were complete shows up as a gap, one that
/// was sent twice as a repetition.
/// Only for verification: it costs 16 bytes for each GPU and granule. At most 64 GPUs.
class ContributionLedger {
public:
    ContributionLedger(std::uint32_t gpus, std::uint32_t granules);

    /// The buffers of a collective alone hold each GPU's contribution from the beginning.
    void startWithOwnContributions();
    /// An all-gather alone begins with complete chunks at their owners.
    void startReduced(std::uint32_t gpu, std::uint32_t granule) { at(m_copies, gpu, granule) = m_all; }

    /// GPU `gpu` has stored its own partial result into its own memory.
    void produced(std::uint32_t gpu, std::uint32_t granule) { add(gpu, granule, bit(gpu)); }
    /// GPU `gpu` sends a granule: its own result only, straight from the store …
    void sentDirect(std::uint32_t gpu, std::uint32_t granule) { payload(gpu, granule) = bit(gpu); }
    /// … or what is in its memory, with what it has received and not yet reduced.
    void sent(std::uint32_t gpu, std::uint32_t granule) {
        payload(gpu, granule) = at(m_copies, gpu, granule) | at(m_received, gpu, granule);
    }
    /// A granule that `source` sent has come to GPU `gpu` by the network …
    void arrived(std::uint32_t gpu, std::uint32_t source, std::uint32_t granule) {
        m_arrived[std::uint64_t{gpu} * m_granules + granule].push_back(payload(source, granule));
    }
    /// … and then is added to memory, is written beside it, or replaces what is there; in the order of arrival.
    void arrivedUpdate(std::uint32_t gpu, std::uint32_t granule) { add(gpu, granule, takeArrived(gpu, granule)); }
    void arrivedBeside(std::uint32_t gpu, std::uint32_t granule) {
        const std::uint64_t contributions = takeArrived(gpu, granule);
        std::uint64_t& received = at(m_received, gpu, granule);
        if ((at(m_copies, gpu, granule) | received) & contributions)
            ++m_repeated;
        received |= contributions;
    }
    void arrivedCopy(std::uint32_t gpu, std::uint32_t granule) {
        at(m_copies, gpu, granule) = takeArrived(gpu, granule);
    }
    /// The received copy has been added to the local one.
    void reduced(std::uint32_t gpu, std::uint32_t granule) { add(gpu, granule, at(m_received, gpu, granule)); }

    bool complete(std::uint32_t gpu, std::uint32_t granule) const {
        return m_copies[std::size_t{gpu} * m_granules + granule] == m_all;
    }
    std::int64_t repeated() const { return m_repeated; }

private:
    std::uint64_t bit(std::uint32_t gpu) const { return std::uint64_t{1} << gpu; }
    std::uint64_t& at(std::vector<std::uint64_t>& sets, std::uint32_t gpu, std::uint32_t granule) const {
        return sets[std::size_t{gpu} * m_granules + granule];
    }
    void add(std::uint32_t gpu, std::uint32_t granule, std::uint64_t contributions) {
        std::uint64_t& copy = at(m_copies, gpu, granule);
        if (copy & contributions)
            ++m_repeated;
        copy |= contributions;
    }
    // What GPU `gpu` has sent last: each granule leaves a GPU once in each collective, perhaps to several others.
    std::uint64_t& payload(std::uint32_t gpu, std::uint32_t granule) { return at(m_sent, gpu, granule); }
    std::uint64_t takeArrived(std::uint32_t gpu, std::uint32_t granule);

    std::uint32_t m_gpus;
    std::uint32_t m_granules;
    std::uint64_t m_all;
    std::vector<std::uint64_t> m_copies;    // by GPU and granule: a bit for each contributor
    std::vector<std::uint64_t> m_received;  // beside the copy, not yet reduced
    std::vector<std::uint64_t> m_sent;      // by sender
    std::unordered_map<std::uint64_t, std::deque<std::uint64_t>>
        m_arrived;  // not yet in memory; looked up, never walked
    std::int64_t m_repeated = 0;
};

/// Who follows the data of a run's collectives: of the experiment's own work, and of its companion, whose granules are
/// numbered by themselves. Either may be null.
struct Ledgers {
    ContributionLedger* own = nullptr;
    ContributionLedger* companion = nullptr;

    ContributionLedger* of(std::uint8_t kernel) const { return kernel == kOwnKernel ? own : companion; }
    bool any() const { return own != nullptr || companion != nullptr; }
};

}  // namespace engine
