#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A time that somebody measured.
struct CollectiveTime {
    engine::SubLayer operation{};  ///< a collective alone
    std::int64_t gpus = 0;
    engine::Bytes bytes;  ///< of the whole buffer
    engine::Duration time;
    bool operator==(const CollectiveTime&) const = default;
};

/// What a log does not say itself.
struct CollectiveLogOptions {
    std::optional<std::int64_t> gpus;
    std::optional<engine::SubLayer> operation;
    bool inPlace = false;  ///< nccl-tests: the columns in place, instead of those out of place
};

struct CollectiveLogReading {
    std::vector<CollectiveTime> times;  ///< in the order of the log
    engine::Problems problems;
};

/// Reads the log of a benchmark, whose kind its content shows:
/// - nccl-tests: sizes are those of the whole buffer, times in microseconds. Lines "#  Rank" give the GPUs; the name of
///   the test (newer logs) gives the operation. The ratio of bus and algorithm bandwidth, 2(n-1)/n for an all-reduce and
///   (n-1)/n for the others, checks the number of GPUs.
/// - OSU micro-benchmarks: "# OSU MPI-CUDA Allreduce Latency Test". Sizes of an all-gather and of an all-to-all are those
///   of one rank. The log does not say the GPUs.
/// - CSV with the columns operation, gpus, bytes and seconds; or those of the measurements for the example tuner of NCCL
///   (collective, size_bytes, ranks, latency_us), of which the fastest line of a size counts.
CollectiveLogReading readCollectiveLog(std::string_view text, const std::string& origin,
                                       const CollectiveLogOptions& options);
/// Reads a file; "-" is standard input.
CollectiveLogReading readCollectiveLogFile(const std::string& path, const CollectiveLogOptions& options);

/// Returns measured times as lines of collective.table: one for each operation and number of GPUs, in the order in which
/// they come first, with rising sizes. Adds a problem if two times of one size differ; `times` of one log hold each size
/// once.
std::string measuredLines(const std::vector<CollectiveTime>& times, engine::Problems& problems);

}  // namespace data
