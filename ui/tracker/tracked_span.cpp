#include "ui/tracker/tracked_span.h"

#include "data/replay/ring_places.h"
#include "engine/api/trace.h"

#include <algorithm>

namespace ui {
namespace {

bool isAboutATile(engine::SpanKind kind) {
    return kind == engine::SpanKind::workgroup || kind == engine::SpanKind::load || kind == engine::SpanKind::store ||
           kind == engine::SpanKind::trackedTile;
}

}  // namespace

std::optional<data::SpanRef> trackedSpan(const engine::Trace& trace, std::uint32_t gpu, std::uint32_t tile,
                                         std::int64_t sincePs) {
    const data::RingPlaces places(trace);
    const std::uint32_t recorded = places.recordedTile(gpu, tile);
    for (std::uint32_t i = 0; i < trace.lanes.size(); ++i) {
        const engine::Lane& lane = trace.lanes[i];
        if (lane.kind != engine::LaneKind::tracker || lane.gpu != places.recorded(gpu))
            continue;
        const auto found = std::find_if(lane.spans.begin(), lane.spans.end(), [&](const engine::Span& span) {
            return span.kind == engine::SpanKind::trackedTile && span.first == recorded && span.start.ps == sincePs;
        });
        if (found != lane.spans.end())
            return data::SpanRef{gpu, i, static_cast<std::uint32_t>(found - lane.spans.begin())};
    }
    return std::nullopt;
}

std::optional<std::uint32_t> tileOf(const engine::Trace& trace, data::SpanRef ref) {
    if (ref.lane >= trace.lanes.size() || ref.span >= trace.lanes[ref.lane].spans.size())
        return std::nullopt;
    const engine::Span& span = trace.lanes[ref.lane].spans[ref.span];
    if (!isAboutATile(span.kind))
        return std::nullopt;
    return data::RingPlaces(trace).tileOn(ref.gpu, span.first);
}

}  // namespace ui
