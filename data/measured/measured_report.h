#pragma once

#include "data/measured/interval_report.h"
#include "data/measured/kernel_rows.h"
#include "data/measured/measured_trace.h"
#include "data/measured/rank_match.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace data {

/// A kernel of class other, of which the table of classes should perhaps know more.
struct UnclassedKernel {
    std::string name;
    std::int64_t total = 0;  ///< ps, over all ranks
    std::size_t count = 0;
};

/// One rank of a report.
struct MeasuredRank {
    std::optional<std::int64_t> rank;
    std::string file;
    std::string device;  ///< the name of its GPU; empty if unknown
    std::size_t spans = 0;
    IntervalReport intervals;
    std::optional<double> overlap;        ///< of the intervals; empty without communication
    std::optional<std::int64_t> waiting;  ///< ps: sum of duration - transfer of its matched collectives
    std::string endsEarly;                ///< as in MeasuredTrace
};

/// Equal collectives: the same operation, group and size.
struct CollectiveRow {
    MeasuredOperation operation = MeasuredOperation::unknown;
    SpanKind carrier = SpanKind::kernel;
    std::optional<std::int64_t> groupSize;
    std::string group;     ///< "0,1", "size 8", "unknown"
    bool assumed = false;  ///< its group or its class is assumed
    std::optional<std::int64_t> bytes;
    std::string bytesUnknown;                          ///< why
    std::size_t count = 0;                             ///< collectives; those that are not matched count on each rank
    std::int64_t least = 0, median = 0, greatest = 0;  ///< of their times t, ps
    std::optional<std::int64_t> skew;                  ///< the greatest, ps; of matched ones
    std::optional<std::int64_t> waiting;               ///< ps: sum over ranks of duration - t; of matched ones
    std::int64_t total = 0;                            ///< ps: sum of their durations over the ranks
    std::int64_t overlapped = 0;                       ///< ps of `total` in which the rank computes
    bool lowerBound = false;                           ///< the bandwidths are lower bounds
    std::string unmatched;                             ///< why they are not matched; empty if they are
    std::optional<double> algbw, busbw;  ///< bytes/s of the least time: S / t, and times the factor of nccl-tests;
                                         ///< of a copy its bytes / t

    /// Returns the share of their time in which their rank computes; an empty optional if they take no time.
    std::optional<double> hidden() const {
        return total > 0 ? std::optional(static_cast<double>(overlapped) / static_cast<double>(total)) : std::nullopt;
    }
};

/// Something that cannot be known, with the reason.
struct MeasuredUnknown {
    std::size_t count = 0;
    std::string what;     ///< "GEMM kernels have no shape"
    std::string whatOne;  ///< the same of one: "GEMM kernel has no shape"
    std::string reason;   ///< "kernel of a graph launch"
};
/// Returns "12 GEMM kernels have no shape: kernel of a graph launch".
std::string textOf(const MeasuredUnknown& unknown);

/// What the traces of some ranks say about overlap. Times are in ps.
struct MeasuredReport {
    StepChoice steps;
    std::vector<MeasuredRank> ranks;         ///< in the order of the traces
    std::vector<RankClock> clocks;           ///< of the ranks
    std::vector<CollectiveRow> collectives;  ///< the most time first
    std::vector<KernelRow> gemms;            ///< the most time first
    std::vector<KernelRow> others;           ///< other compute kernels
    std::vector<UnclassedKernel> unclassed;  ///< the ten longest names of class other
    std::vector<MeasuredUnknown> unknowns;
    std::vector<std::string> notices;  ///< sentences: "rank 0: times are rounded to 1 µs"
};

/// Returns the size of a message in binary units, in which messages are usually chosen: "64.0 MiB".
std::string messageText(std::int64_t bytes);

/// Sorts the traces by rank. Refuses one rank twice, several traces without a rank, and ranks of different worlds; each
/// problem names both files.
engine::Problems orderRanks(std::vector<MeasuredTrace>& traces);

/// Returns a problem for each trace that has no span in the chosen steps.
engine::Problems checkSteps(std::span<const MeasuredTrace> traces, const StepChoice& steps);

/// Evaluates the traces. `match` gives the collectives that belong together, from matchRanks of the same traces and steps.
MeasuredReport measuredReportOf(std::span<const MeasuredTrace> traces, const StepChoice& steps, const RankMatch& match);
MeasuredReport measuredReportOf(std::span<const MeasuredTrace> traces, const StepChoice& steps = {});

}  // namespace data
