#include "ui/timeline/row_tracks.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <tuple>

namespace ui {
namespace {

void stack(const data::PackedLane& lane, std::vector<RowTrack>& tracks) {
    const auto count = static_cast<double>(lane.tracks.size());
    for (std::size_t i = 0; i < lane.tracks.size(); ++i) {
        const auto at = static_cast<double>(i);
        tracks.push_back({lane.tracks[i].laneIndex, lane.tracks[i].spans(), at / count, (at + 1) / count});
    }
}

void overlay(std::span<const data::Track> lanes, std::vector<RowTrack>& tracks) {
    for (const data::Track& track : lanes)
        tracks.push_back({track.laneIndex, track.spans(), 0, 1});
}

std::int64_t distance(const engine::Span& span, std::int64_t ps) {
    if (ps < span.start.ps)
        return span.start.ps - ps;
    return std::max<std::int64_t>(0, ps - std::max(span.end.ps - 1, span.start.ps));
}

}  // namespace

std::vector<RowTrack> tracksOf(const TimelineModel& model, const Row& row) {
    std::vector<RowTrack> tracks;
    if (model.index() == nullptr)
        return tracks;
    const data::TraceIndex::Gpu& gpu = model.index()->gpu(row.gpu);
    switch (row.kind) {
    case RowKind::waves: tracks.push_back({model.waves(row.gpu).lane, model.waves(row.gpu).spans, 0, 1}); break;
    case RowKind::slots: {
        const auto count = static_cast<double>(model.slots(row.gpu));
        for (std::size_t i = 0; i < gpu.slots.tracks.size(); ++i) {
            const auto at = static_cast<double>(model.slotPlace(row.gpu, i));
            tracks.push_back(
                {gpu.slots.tracks[i].laneIndex, gpu.slots.tracks[i].spans(), at / count, (at + 1) / count});
        }
        break;
    }
    case RowKind::reduceScatter:
    case RowKind::allGather: stack(*laneOf(gpu, row.kind), tracks); break;
    case RowKind::companion: {
        const std::vector<CompanionTrack> shown = model.companion(row.gpu);
        const auto count = static_cast<double>(shown.size());
        for (std::size_t i = 0; i < shown.size(); ++i)
            tracks.push_back(
                {shown[i].lane, shown[i].spans, static_cast<double>(i) / count, static_cast<double>(i + 1) / count});
        break;
    }
    case RowKind::collective:
        stack(gpu.allGather, tracks);  // drawn last, so found first
        tracks.push_back({model.steps(row.gpu).lane, model.steps(row.gpu).spans, 0, 1});
        break;
    case RowKind::dramChannel: overlay({&gpu.dramChannels.tracks[row.index], 1}, tracks); break;
    default:
        if (const data::PackedLane* lane = laneOf(gpu, row.kind))
            overlay(lane->tracks, tracks);
    }
    if (row.kind == RowKind::tracker)
        overlay(gpu.triggers.tracks, tracks);
    return tracks;
}

std::optional<data::SpanRef> spanUnder(const TimelineModel& model, const Row& row, double heightShare, std::int64_t ps,
                                       std::int64_t reach) {
    std::optional<data::SpanRef> best;
    std::int64_t nearest = reach;
    for (const RowTrack& track : tracksOf(model, row)) {
        if (heightShare < track.top || heightShare > track.bottom)
            continue;
        const std::size_t after = track.spans.firstEndingAfter(ps);
        for (const std::size_t i : {after, after - 1}) {  // 0 - 1 wraps around and is then out of range
            if (i >= track.spans.size())
                continue;
            const std::int64_t away = distance(track.spans[i], ps);
            if (away > nearest || (away == nearest && best))
                continue;
            best = data::SpanRef{row.gpu, track.lane, track.spans.indexOf(i)};
            nearest = away;
        }
    }
    return best;
}

std::optional<data::SpanRef> neighbourIn(const TimelineModel& model, const Row& row, std::optional<data::SpanRef> from,
                                         std::int64_t ps, int by) {
    const std::vector<engine::Lane>& lanes = model.index()->trace().lanes;
    using Order = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
    const auto orderOf = [&](data::SpanRef ref) {
        return Order{lanes[ref.lane].spans[ref.span].start.ps, ref.lane, ref.span};
    };
    const Order here = from ? orderOf(*from) : Order{ps, 0, 0};
    std::optional<data::SpanRef> best;
    for (const RowTrack& track : tracksOf(model, row)) {
        // A track is sorted in this order, so the neighbour is beside the place at which `here` would be inserted.
        std::size_t low = 0;
        std::size_t high = track.spans.size();
        const auto refAt = [&](std::size_t i) { return data::SpanRef{row.gpu, track.lane, track.spans.indexOf(i)}; };
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            const Order order = orderOf(refAt(middle));
            const bool before = by > 0 ? order <= here : order < here;
            low = before ? middle + 1 : low;
            high = before ? high : middle;
        }
        const std::size_t i = by > 0 ? low : low - 1;  // 0 - 1 wraps around and is then out of range
        if (i >= track.spans.size())
            continue;
        const data::SpanRef candidate = refAt(i);
        if (!best || (by > 0 ? orderOf(candidate) < orderOf(*best) : orderOf(candidate) > orderOf(*best)))
            best = candidate;
    }
    return best;
}

std::optional<ShownSpan> shownIn(const TimelineModel& model, const Row& row, data::SpanRef ref) {
    if (row.gpu != ref.gpu || model.index() == nullptr)
        return std::nullopt;
    const std::vector<engine::Lane>& lanes = model.index()->trace().lanes;
    if (ref.lane >= lanes.size() || ref.span >= lanes[ref.lane].spans.size())
        return std::nullopt;
    const engine::Span& span = lanes[ref.lane].spans[ref.span];
    for (const RowTrack& track : tracksOf(model, row)) {
        if (track.lane != ref.lane)
            continue;
        // If the track has the span, it is the first that ends after the span's start, or beside it.
        const std::size_t i = track.spans.firstEndingAfter(span.start.ps);
        for (std::size_t near = i == 0 ? 0 : i - 1; near < std::min(track.spans.size(), i + 2); ++near) {
            if (track.spans.indexOf(near) == ref.span)
                return ShownSpan{track.spans[near], track.top, track.bottom};
        }
    }
    return std::nullopt;
}

std::int64_t snapped(const std::vector<RowTrack>& tracks, std::int64_t ps, std::int64_t reach) {
    std::optional<std::int64_t> best;
    const auto offer = [&](std::int64_t edge) {
        const std::int64_t away = std::abs(edge - ps);
        const std::int64_t nearest = best ? std::abs(*best - ps) : reach;
        if (away < nearest || (away == nearest && edge < best.value_or(edge + 1)))
            best = edge;
    };
    for (const RowTrack& track : tracks) {
        // The nearest edge belongs to the span at or after this time, or to the one before it.
        const std::size_t after = track.spans.firstEndingAfter(ps);
        for (std::size_t i = after == 0 ? 0 : after - 1; i < std::min(track.spans.size(), after + 1); ++i) {
            offer(track.spans[i].start.ps);
            offer(track.spans[i].end.ps);
        }
    }
    return best.value_or(ps);
}

}  // namespace ui
