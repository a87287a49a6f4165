#pragma once

#include "engine/api/attribution.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace data {

/// A run block is a run's trace and critical path as bytes, exact to the picosecond, for the player of a web page. Nobody
/// keeps run blocks: a page has its player beside them.
///
///   "RSRB" · version (one byte) · length of the header (four bytes, little-endian) · header (JSON, UTF-8) · sections
///
/// The header:
///
///   { "end": ps, "gpus": n, "recorded": n, "chunks": n, "mirrored": bool,
///     "output": { "rows": n, "columns": n, "rowsAreOuter": bool, "tiles": n },
///     "companion": { "copies": n, "chunks": n },
///     "phases": [ [ start, gemmEnd, reduceScatterStart, reduceScatterEnd, allGatherStart, allGatherEnd, ownEnd,
///                   companionEnd ], … by recorded GPU, in ps ],
///     "pieces": [ [ [ launched, landed, workgroups ], … ], … by recorded GPU ],
///     "lanes": [ { "gpu", "kind", "index", "exclusive", "form": "spans", "count": spans, "bytes": [ … of each column ] }
///                or { …, "form": "busy", "count": spans, "most": spans at once, "bucket": ps, "buckets": n,
///                     "kernels": [ numbers ], "bytes": [ … ] } for all lanes of a kind on a GPU together ],
///     "counters": [ { "gpu", "kind", "form": "samples", "count": samples, "bytes": [ … ] }
///                   or { …, "form": "periods", "count": samples, "bucket": ps, "buckets": n, "bytes": [ … ] } ],
///     "path": { "count": steps, "bytes": [ … ] } }
///
/// "kind" is the number of the enumerator (LaneKind, CounterKind). The sections follow in the order of the header, each
/// as columns that follow one another without a gap. Numbers are zigzag LEB128: seven bits a byte, the lowest first, the
/// sign in the lowest bit. Columns:
///
/// - spans: start, minus the end of the span before in an exclusive lane, and minus its start in any other; length;
///   first and second, each minus that of the span before (kNone is -1); bytes; and last kind and peer of each span as
///   two bytes.
/// - busy: for each kernel (data/replay/kernel_number) a column with its busy picoseconds in each of `buckets` periods of
///   `bucket` picoseconds, each minus that of the period before.
/// - counter: time and value, each minus that of the sample before; by period, the lowest value minus that of the period
///   before, the mean (rounded) minus the lowest, and the highest minus the mean.
/// - path: end, minus the end of the step before; cause; phase; act; GPU; lane, first span and last span, each minus that
///   of the step before (kNone is -1); bytes.
///
/// Lanes keep the order of the trace. A tracker whose tiles are busy time has a lane of triggers beside it. Landings are
/// not written, and neither are the times of K-steps, of requests in their streams and of tiles in memory: the player
/// draws none of them.
inline constexpr std::string_view kRunBlockMark = "RSRB";
inline constexpr std::uint8_t kRunBlockVersion = 1;

/// Times from here on are not exact as a JavaScript number: 2^53 ps, two and a half hours.
inline constexpr std::int64_t kRunBlockEnd = std::int64_t{1} << 53;

/// Which lanes of a run block have their spans, and which only the busy time of periods.
struct BlockDetail {
    std::array<bool, engine::kLaneKinds> busy{};  ///< by LaneKind: true: busy time; of the tracker, its tiles only
    std::int64_t buckets = 4'096;                 ///< periods of the run for busy time
    bool counters = true;                         ///< false: counters by period, too
    bool isExact() const {
        return counters && std::none_of(busy.begin(), busy.end(), [](bool one) { return one; });
    }
    bool operator==(const BlockDetail&) const = default;
};

/// Returns the run block of a trace. `path` may be null; its steps refer to lanes of the block, and a step in a lane whose
/// spans are not written refers to no lane. The same trace gives the same bytes. Precondition: the trace ends before
/// kRunBlockEnd.
std::string writeRunBlock(const engine::Trace& trace, const engine::CriticalPath* path, const BlockDetail& detail = {});

}  // namespace data
