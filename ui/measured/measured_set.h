#pragma once

#include "data/measured/measured_report.h"
#include "data/measured/trace_pair.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ui {

/// What a stretch of the strip of a rank shows: compute alone, compute and communication at once, communication alone, or
/// copies beside neither.
enum class StripPart : std::uint8_t { compute, overlapped, exposed, memory };
struct StripPiece {
    std::int64_t start = 0, end = 0;  ///< in ps of the set
    StripPart part{};
    bool operator==(const StripPiece&) const = default;
};

/// A row of the picture: the strip of a rank, or spans of a stream that do not overlap.
struct MeasuredRow {
    std::size_t trace = 0;
    QString label;
    bool isStrip = false;
    std::vector<StripPiece> strip;
    std::vector<std::uint32_t> spans;  ///< indices into the spans of the trace, by start
};

using SharedTraces = std::shared_ptr<const std::vector<data::MeasuredTrace>>;

/// Traces of some ranks with what they say, on one time axis: the clock of the first rank, from the first span on.
struct MeasuredSet {
    SharedTraces read;                            ///< keeps `traces`, which sets of other steps share
    std::span<const data::MeasuredTrace> traces;  ///< by rank
    data::StepChoice steps;
    data::RankMatch match;
    data::MeasuredReport report;
    std::vector<MeasuredRow> rows;
    std::vector<std::int64_t> shifts;  ///< of each trace: added to its times to get those of the set
    std::int64_t end = 1;              ///< of the last span, ps

    std::int64_t startOf(const data::MeasuredPlace& place) const { return spanOf(place).start + shifts[place.trace]; }
    std::int64_t endOf(const data::MeasuredPlace& place) const { return spanOf(place).end() + shifts[place.trace]; }
    const data::MeasuredSpan& spanOf(const data::MeasuredPlace& place) const {
        return traces[place.trace].spans[place.span];
    }
    QString fileNames() const;
};
using SharedMeasured = std::shared_ptr<const MeasuredSet>;

/// Makes a set of traces, which are ordered by rank, for some steps.
SharedMeasured measuredSetOf(SharedTraces traces, const data::StepChoice& steps);

/// Returns the strip of one rank: its unions, cut where they begin and end. Times are those of the trace.
std::vector<StripPiece> stripOf(const data::MeasuredUnions& unions);

}  // namespace ui
