#pragma once

#include <cstdint>
#include <vector>

namespace engine {

/// What one GPU moves in one collective, whatever the timing; bytes.
struct ExpectedCounts {
    std::int64_t stores = 0;    ///< the producer's own, into its memory
    std::int64_t reads = 0;     ///< the collective's, from DRAM
    std::int64_t writes = 0;    ///< likewise, updates included
    std::int64_t sent = 0;      ///< payload that it sends, not what it passes on
    std::int64_t received = 0;  ///< payload for it
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

/// The same of all GPUs; empty where a run has no such collective.
struct CollectiveCounts {
    std::vector<ExpectedCounts> scatter;  ///< reduce-scatter or all-to-all
    std::vector<ExpectedCounts> gather;
    std::vector<ExpectedCounts> companion;  ///< of its collective, both of an all-reduce together
};

}  // namespace engine
