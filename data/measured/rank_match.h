#pragma once

#include "data/measured/measured_trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace data {

/// Collectives that one communication library call after the other repeats: the same operation, group, elements and type.
struct CollectiveSeries {
    MeasuredOperation operation = MeasuredOperation::unknown;
    SpanKind carrier = SpanKind::kernel;   ///< copy: by copy engine
    std::vector<std::int64_t> groupRanks;  ///< empty if unknown
    std::optional<std::int64_t> groupSize;
    bool groupAssumed = false;          ///< the size is that on which all other groups agree
    bool classAssumed = false;          ///< it is likely, not certain, that this is communication
    std::string type;                   ///< of the elements: "Float"
    std::optional<std::int64_t> bytes;  ///< S of nccl-tests: of the input, of an all-gather of the output
    std::string bytesUnknown;           ///< why the bytes are unknown
    std::string unmatched;              ///< why the series is not matched over ranks; empty if it is

    /// Returns the group for people: "0,1", "size 8", "unknown".
    std::string groupText() const;
};

/// One collective of one rank.
struct CollectiveMember {
    std::size_t trace = 0;   ///< index of the trace
    std::uint32_t span = 0;  ///< index into its spans
    bool operator==(const CollectiveMember&) const = default;
};

/// One collective on all ranks that were matched, or of one rank alone.
struct MeasuredCollective {
    std::size_t series = 0;
    std::vector<CollectiveMember> members;  ///< by trace
    std::int64_t time = 0;                  ///< t in ps: the least duration
    std::optional<std::int64_t> skew;       ///< latest start - earliest start in ps, of at least two ranks
    bool lowerBound = true;                 ///< not all ranks of the group are there, so the bandwidth is a lower bound
};

/// The clock of a rank against that of the first.
struct RankClock {
    std::optional<TraceInstant> offset;     ///< median of end(r) - end(0) over matched collectives; needs three
    std::optional<std::int64_t> deviation;  ///< median deviation from it, ps
    std::size_t collectives = 0;            ///< how many
    bool applied = false;                   ///< the offset is above five times the deviation
    /// What is added to a time of this trace to get one of the first, in ps; empty if the clocks have nothing in common.
    std::optional<std::int64_t> shift;
};

/// All collectives of some ranks.
struct RankMatch {
    std::vector<CollectiveSeries> series;
    std::vector<MeasuredCollective> collectives;  ///< by series, then in time
    std::vector<RankClock> clocks;                ///< one for each trace
};

/// Matches the collectives of the ranks. Instances of a series match by Seq, or by order if all ranks have equally many
/// and their steps agree. A match must be possible: in aligned time every collective that waits for all ranks has begun
/// everywhere before it ends anywhere. If one is impossible, the series is not matched. The offset of a clock comes from
/// all-reduces; with fewer than three of them, from all collectives that wait for all.
RankMatch matchRanks(std::span<const MeasuredTrace> traces, const StepChoice& steps);

/// Returns busbw / algbw: 2(N-1)/N for an all-reduce, (N-1)/N for all-gather, reduce-scatter and all-to-all, 1 for the
/// others (the factors of nccl-tests).
double busFactorOf(MeasuredOperation operation, std::int64_t ranks);
/// Returns whether no rank can finish before all have begun.
bool waitsForAll(MeasuredOperation operation);

}  // namespace data
