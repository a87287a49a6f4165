#pragma once

#include "engine/api/trace.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace engine {

/// Follows the data instead of the times: it records which GPUs' partial results are in each GPU's copy of each granule
/// of the output. A reduction is right if every granule ends with exactly one contribution from each GPU, at its owner
/// and after the all-gather on every GPU. A transfer that left before its data were complete shows up as a gap, and one
/// that was sent twice as a repetition. It is for verification only: it costs 16 bytes for each GPU and granule, and
/// allows at most 64 GPUs.
class ContributionLedger {
public:
    ContributionLedger(std::uint32_t gpus, std::uint32_t granules);

    /// Starts a collective alone, in which each GPU's buffer holds its own contribution from the beginning.
    void startWithOwnContributions();
    /// Starts a granule of an all-gather alone, which begins with complete chunks at their owners.
    void startReduced(std::uint32_t gpu, std::uint32_t granule) { at(m_copies, gpu, granule) = m_all; }

    /// Records that GPU `gpu` has stored its own partial result into its own memory.
    void produced(std::uint32_t gpu, std::uint32_t granule) { add(gpu, granule, bit(gpu)); }
    /// Records that GPU `gpu` sends a granule of its own result only, straight from the store.
    void sentDirect(std::uint32_t gpu, std::uint32_t granule) { payload(gpu, granule) = bit(gpu); }
    /// Records that GPU `gpu` sends a granule of its memory, together with received data that are not yet reduced.
    void sent(std::uint32_t gpu, std::uint32_t granule) {
        payload(gpu, granule) = at(m_copies, gpu, granule) | at(m_received, gpu, granule);
    }
    /// Records that a granule that `source` sent has arrived at GPU `gpu` by the network.
    void arrived(std::uint32_t gpu, std::uint32_t source, std::uint32_t granule) {
        m_arrived[std::uint64_t{gpu} * m_granules + granule].push_back(payload(source, granule));
    }
    /// Records that the sum of the granules that all GPUs sent has arrived at GPU `gpu`.
    void arrivedSum(std::uint32_t gpu, std::uint32_t granule);
    /// Record that the granule that arrived first is added to memory, is written beside it, or replaces its content.
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
    /// Records that the received copy has been added to the local one.
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
    // Returns the data that GPU `gpu` has sent last. Each granule leaves a GPU once in each collective, perhaps to
    // several others.
    std::uint64_t& payload(std::uint32_t gpu, std::uint32_t granule) { return at(m_sent, gpu, granule); }
    std::uint64_t takeArrived(std::uint32_t gpu, std::uint32_t granule);

    std::uint32_t m_gpus;
    std::uint32_t m_granules;
    std::uint64_t m_all;
    std::vector<std::uint64_t> m_copies;    // by GPU and granule: a bit for each contributor
    std::vector<std::uint64_t> m_received;  // written beside the copy, not yet reduced
    std::vector<std::uint64_t> m_sent;      // by sender
    std::unordered_map<std::uint64_t, std::deque<std::uint64_t>>
        m_arrived;  // not yet in memory; looked up, never iterated
    std::int64_t m_repeated = 0;
};

/// The ledgers of a run's collectives: those of the experiment's own work and of its companion, which numbers its
/// granules separately. Either may be null.
struct Ledgers {
    ContributionLedger* own = nullptr;
    ContributionLedger* companion = nullptr;

    ContributionLedger* of(std::uint8_t kernel) const { return kernel == kOwnKernel ? own : companion; }
    bool any() const { return own != nullptr || companion != nullptr; }
};

}  // namespace engine
