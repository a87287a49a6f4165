#pragma once

#include <cstdint>
#include <vector>

namespace engine {

/// The bytes that one GPU moves in one collective, whatever the timing.
struct ExpectedCounts {
    std::int64_t stores = 0;    ///< stores of the producer into its own memory
    std::int64_t reads = 0;     ///< the collective's reads from DRAM
    std::int64_t writes = 0;    ///< the collective's writes to DRAM, updates included
    std::int64_t sent = 0;      ///< payload that it sends, without packets that it forwards
    std::int64_t received = 0;  ///< payload that it receives for itself
    bool operator==(const ExpectedCounts&) const = default;
    ExpectedCounts& operator+=(const ExpectedCounts& other);
};

inline ExpectedCounts& ExpectedCounts::operator+=(const ExpectedCounts& other) {
    stores += other.stores;
    reads += other.reads;
    writes += other.writes;
    sent += other.sent;
    received += other.received;
    return *this;
}

/// The counts of all GPUs; empty for a collective that the run does not have.
struct CollectiveCounts {
    std::vector<ExpectedCounts> scatter;  ///< reduce-scatter or all-to-all
    std::vector<ExpectedCounts> gather;
    std::vector<ExpectedCounts> companion;  ///< the companion's collective; both parts of an all-reduce together
};

}  // namespace engine
