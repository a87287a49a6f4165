#pragma once

#include "data/replay/span_ref.h"
#include "ui/timeline/timeline_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

/// Spans that a row shows, and the part of the row's height that they take (0 top, 1 bottom). In an area row every
/// track has the whole height.
struct RowTrack {
    std::uint32_t lane = 0;  ///< into Trace::lanes
    data::SpanList spans;    ///< as drawn: overlapping spans are cut if there is no room for all
    double top = 0;
    double bottom = 1;
};

/// Returns the tracks of a row from top to bottom; none for a bound. They are valid as long as the model exists.
std::vector<RowTrack> tracksOf(const TimelineModel& model, const Row& row);

/// Returns the span at a time, or else the nearest one within `reach` on either side.
std::optional<data::SpanRef> spanUnder(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                                       std::int64_t reach);

/// Returns the span of a row that begins next after `from` (`by` > 0) or next before it. If `from` is empty, starts
/// from the time `ps`. Spans that begin at the same time have an order, so that each of them is visited.
std::optional<data::SpanRef> neighbourIn(const TimelineModel& model, const Row& row, std::optional<data::SpanRef> from,
                                         std::int64_t ps, int by);

/// The place at which a row shows a span.
struct ShownSpan {
    engine::Span span;
    double top = 0;
    double bottom = 1;
};
std::optional<ShownSpan> shownIn(const TimelineModel& model, const Row& row, data::SpanRef ref);

/// Returns the start or end of a span that is nearest to `ps` if it is within `reach`, else `ps`; of two equally near
/// ones the earlier.
std::int64_t snapped(const std::vector<RowTrack>& tracks, std::int64_t ps, std::int64_t reach);

}  // namespace ui
