#pragma once

#include "data/replay/span_ref.h"
#include "ui/timeline/timeline_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// Spans that a row shows, and between which shares of its height (0 top, 1 bottom). In an area row every track has all of it.
struct RowTrack {
    std::uint32_t lane = 0;  ///< into Trace::lanes
    data::SpanList spans;    ///< as drawn: where there is no room for all of an overlap, cut
    double top = 0;
    double bottom = 1;
};

/// From the top down; none for a bound. Good as long as the model is.
std::vector<RowTrack> tracksOf(const TimelineModel& model, const Row& row);

/// The span under a moment, or the nearest to it within `reach` on both sides.
std::optional<data::SpanRef> spanUnder(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                                       std::int64_t reach);

/// The span of a row that begins next after (`by` > 0) or before `from`, or the moment `ps` where `from` is nothing. Of
/// those that begin together one comes after the other, so that each is met.
std::optional<data::SpanRef> neighbourIn(const TimelineModel& model, const Row& row, std::optional<data::SpanRef> from,
                                         std::int64_t ps, int by);

/// Where a row shows a span.
struct ShownSpan {
    engine::Span span;
    double top = 0;
    double bottom = 1;
};
std::optional<ShownSpan> shownIn(const TimelineModel& model, const Row& row, data::SpanRef ref);

/// The beginning or end of a span nearest to `ps`, if one is within `reach`; else `ps`. Of equally near ones the earlier.
std::int64_t snapped(const std::vector<RowTrack>& tracks, std::int64_t ps, std::int64_t reach);

}  // namespace ui
