#include "data/replay/span_matches.h"

#include <algorithm>

namespace data {
namespace {

using engine::SpanKind;

bool isOfBlock(SpanKind kind) { return kind == SpanKind::trigger || kind == SpanKind::dmaTransfer; }

/// Returns whether a span fits the parts of the query that do not depend on the GPU that shows it.
bool fits(const SpanQuery& query, const engine::Span& span, std::uint32_t firstWave) {
    if (!query.allows(span.kind))
        return false;
    const std::int64_t lasts = (span.end - span.start).ps;
    if ((query.longerPs && lasts <= *query.longerPs) || (query.shorterPs && lasts >= *query.shorterPs))
        return false;
    if (query.tile && !isOfTile(span))
        return false;
    if (query.block && (!isOfBlock(span.kind) || span.first != *query.block))
        return false;
    return !query.wave || (span.kind == SpanKind::gemmWave && span.first - firstWave + 1 == *query.wave);
}

/// Returns the GPU that shows a recorded span as the query requires, by its tile or its chunk; only one GPU shows a
/// given tile.
std::optional<std::uint32_t> gpuShowing(const RingPlaces& places, const SpanQuery& query, const engine::Span& span) {
    const std::uint32_t recorded = places.chunkOf(span);
    const std::uint32_t wanted = query.tile ? places.chunkOfTile(*query.tile) : *query.chunk;
    if (recorded >= places.gpus() || wanted >= places.gpus())
        return std::nullopt;
    const std::uint32_t gpu = (wanted + places.gpus() - recorded) % places.gpus();
    const bool tileFits = !query.tile || places.tileOn(gpu, span.first) == *query.tile;
    const bool chunkFits = !query.chunk || places.chunkOn(gpu, recorded) == *query.chunk;
    return tileFits && chunkFits ? std::optional(gpu) : std::nullopt;
}

}  // namespace

SpanMatches::SpanMatches(std::shared_ptr<const Flow> flow, const SpanQuery& query) : m_flow(std::move(flow)) {
    if (m_flow->run().index && (!query.gpu || *query.gpu < m_flow->places().gpus()))
        collect(query);
}

void SpanMatches::collect(const SpanQuery& query) {
    const RingPlaces& places = m_flow->places();
    const TraceIndex& index = *m_flow->run().index;
    const bool mirrored = places.mirrored();
    const bool byChunk = query.tile || query.chunk;
    m_alike = mirrored && !byChunk && !query.gpu && places.gpus() > 1;
    std::vector<std::vector<std::uint32_t>> byGpu(mirrored && byChunk ? places.gpus() : 1);
    for (std::uint32_t laneIndex = 0; laneIndex < index.trace().lanes.size(); ++laneIndex) {
        const engine::Lane& lane = index.trace().lanes[laneIndex];
        if (!mirrored && query.gpu && lane.gpu != *query.gpu)
            continue;
        const std::uint32_t firstWave = index.gpu(lane.gpu).firstWave;
        for (std::uint32_t i = 0; i < lane.spans.size(); ++i) {
            const engine::Span& span = lane.spans[i];
            if (!fits(query, span, firstWave))
                continue;
            if (!byChunk) {
                byGpu[0].push_back(i);
            } else if (mirrored) {
                const auto gpu = gpuShowing(places, query, span);
                if (gpu && (!query.gpu || *gpu == *query.gpu))
                    byGpu[*gpu].push_back(i);
            } else if ((!query.tile || span.first == *query.tile) &&
                       (!query.chunk || places.chunkOf(span) == *query.chunk)) {
                byGpu[0].push_back(i);
            }
        }
        for (std::uint32_t gpu = 0; gpu < byGpu.size(); ++gpu) {
            if (byGpu[gpu].empty())
                continue;
            const std::uint32_t shown = byGpu.size() > 1 ? gpu : mirrored ? query.gpu.value_or(0) : lane.gpu;
            m_count += byGpu[gpu].size();
            m_lanes.push_back({shown, laneIndex, std::exchange(byGpu[gpu], {})});
        }
    }
}

SpanMatches::Key SpanMatches::keyOf(const Lane& lane, std::size_t i) const {
    return keyOf(SpanRef{lane.gpu, lane.lane, lane.spans[i]});
}

SpanMatches::Key SpanMatches::keyOf(SpanRef span) const {
    return {m_flow->span(span).start.ps, span.gpu, span.lane, span.span};
}

std::size_t SpanMatches::firstFrom(const Lane& lane, const Key& key) const {
    const auto at = std::partition_point(lane.spans.begin(), lane.spans.end(), [&](const std::uint32_t& span) {
        return keyOf(SpanRef{lane.gpu, lane.lane, span}) < key;
    });
    return static_cast<std::size_t>(at - lane.spans.begin());
}

std::optional<SpanRef> SpanMatches::nextFrom(const Key& key) const {
    std::optional<Key> next;
    for (const Lane& lane : m_lanes) {
        const std::size_t i = firstFrom(lane, key);
        if (i < lane.spans.size() && (!next || keyOf(lane, i) < *next))
            next = keyOf(lane, i);
    }
    return next ? std::optional(SpanRef{next->gpu, next->lane, next->span}) : std::nullopt;
}

std::optional<SpanRef> SpanMatches::first() const { return nextFrom({-1, 0, 0, 0}); }

std::optional<SpanRef> SpanMatches::last() const {
    std::optional<Key> last;
    for (const Lane& lane : m_lanes) {
        const Key key = keyOf(lane, lane.spans.size() - 1);
        last = std::max(last.value_or(key), key);
    }
    return last ? std::optional(SpanRef{last->gpu, last->lane, last->span}) : std::nullopt;
}

std::optional<SpanRef> SpanMatches::from(std::int64_t ps) const {
    const auto next = nextFrom({ps, 0, 0, 0});
    return next ? next : first();
}

std::optional<SpanRef> SpanMatches::after(SpanRef span) const {
    Key key = keyOf(span);
    ++key.span;
    const auto next = nextFrom(key);
    return next ? next : first();
}

std::optional<SpanRef> SpanMatches::before(SpanRef span) const {
    const Key key = keyOf(span);
    std::optional<Key> before;
    for (const Lane& lane : m_lanes) {
        const std::size_t i = firstFrom(lane, key);
        if (i > 0 && (!before || keyOf(lane, i - 1) > *before))
            before = keyOf(lane, i - 1);
    }
    return before ? std::optional(SpanRef{before->gpu, before->lane, before->span}) : last();
}

std::optional<std::size_t> SpanMatches::position(SpanRef span) const {
    const Key key = keyOf(span);
    std::size_t earlier = 0;
    bool found = false;
    for (const Lane& lane : m_lanes) {
        const std::size_t i = firstFrom(lane, key);
        earlier += i;
        found = found || (i < lane.spans.size() && keyOf(lane, i) == key);
    }
    return found ? std::optional(earlier + 1) : std::nullopt;
}

}  // namespace data
