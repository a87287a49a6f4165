#include "engine/record/cause_graph.h"

#include <algorithm>

namespace engine {

WorkPlaces::WorkPlaces(const TraceLanes& lanes, std::int64_t blockTiles, bool scatters, bool gathers)
    : m_lanes(lanes), m_blockTiles(static_cast<std::uint32_t>(std::clamp<std::int64_t>(blockTiles, 1, 1 << 24))) {
    const Trace& trace = lanes.trace();
    m_gpus.resize(trace.mirrored ? 1 : trace.gpus);
    const std::uint32_t granule = std::max(1u, trace.output.granule);
    std::uint32_t next = 0;
    for (const std::uint32_t bytes : trace.output.tileBytes) {
        m_granule.push_back(next);
        next += (bytes + granule - 1) / granule;
    }
    for (std::uint32_t gpu = 0; gpu < m_gpus.size(); ++gpu) {
        readWorkgroups(gpu);
        readBlocks(gpu, scatters, gathers);
    }
}

void WorkPlaces::readWorkgroups(std::uint32_t gpu) {
    std::vector<Workgroups>& kernels = m_gpus[gpu].kernels;
    kernels.resize(std::size_t{m_lanes.trace().companionCopies} + 1);
    for (const std::uint32_t lane : m_lanes.lanes(gpu, LaneKind::workgroupSlot)) {
        const std::vector<Span>& spans = m_lanes.spans(lane);
        for (std::uint32_t i = 0; i < spans.size(); ++i)
            if (spans[i].kind == SpanKind::workgroup && spans[i].peer < kernels.size())
                kernels[spans[i].peer].releases.push_back({storesTaken(gpu, {lane, i}), {lane, i}});
    }
    for (Workgroups& kernel : kernels) {
        kernel.byTile.resize(kernel.releases.size());
        for (const Release& release : kernel.releases)
            if (const std::uint32_t tile = m_lanes.span(release.place).first; tile < kernel.byTile.size())
                kernel.byTile[tile] = release.place;
        std::stable_sort(kernel.releases.begin(), kernel.releases.end(),
                         [](const Release& a, const Release& b) { return a.end < b.end; });
    }
}

const WorkPlaces::Workgroups& WorkPlaces::workgroups(std::uint32_t gpu, std::uint8_t kernel) const {
    static const Workgroups kNobody;
    const std::vector<Workgroups>& kernels = m_gpus[m_lanes.trace().recorded(gpu)].kernels;
    return kernel < kernels.size() ? kernels[kernel] : kNobody;
}

void WorkPlaces::addBlock(Blocks& blocks, const Span& span, SpanPlace place) {
    blocks.first[span.second] = std::min(blocks.first[span.second], span.first);
    if (blocks.transfers.size() <= span.first)
        blocks.transfers.resize(std::size_t{span.first} + 1);
    blocks.transfers[span.first] = place;
}

// Both collectives use the same lanes. If DMA carries out both, a chunk's blocks are sent first as partial sums, then
// as sums. A GPU's own chunk is sent only as sums; other chunks that are sent once are sent only as partial sums.
void WorkPlaces::readBlocks(std::uint32_t gpu, bool scatters, bool gathers) {
    const Trace& trace = m_lanes.trace();
    Gpu& own = m_gpus[gpu];
    std::vector<std::vector<SpanPlace>> byChunk(trace.chunks);
    for (const std::uint32_t lane : m_lanes.lanes(gpu, LaneKind::dma))
        for (std::uint32_t i = 0; i < m_lanes.spans(lane).size(); ++i)
            if (const Span& span = m_lanes.spans(lane)[i];
                span.second < trace.chunks && span.first < trace.output.tiles())
                byChunk[span.second].push_back({lane, i});
    own.gathered.first.assign(trace.chunks, kNone);
    own.scattered.first.assign(trace.chunks, kNone);
    for (std::uint32_t chunk = 0; chunk < trace.chunks && chunk + 1 < trace.output.chunkTile.size(); ++chunk) {
        std::stable_sort(byChunk[chunk].begin(), byChunk[chunk].end(),
                         [&](SpanPlace a, SpanPlace b) { return m_lanes.span(a).start < m_lanes.span(b).start; });
        const std::uint32_t tiles = trace.output.chunkTile[chunk + 1] - trace.output.chunkTile[chunk];
        const std::size_t once = (tiles + m_blockTiles - 1) / m_blockTiles;
        const bool isOwn = (chunk + 1) % trace.chunks == gpu;
        for (std::size_t i = 0; i < byChunk[chunk].size(); ++i) {
            const bool first = i < once && !(isOwn && byChunk[chunk].size() <= once);
            addBlock(gathers && (!scatters || !first) ? own.gathered : own.scattered, m_lanes.span(byChunk[chunk][i]),
                     byChunk[chunk][i]);
        }
    }
}

std::optional<SpanPlace> WorkPlaces::workgroup(std::uint32_t gpu, std::uint32_t tile, std::uint8_t kernel) const {
    const auto& all = workgroups(gpu, kernel).byTile;
    if (tile >= all.size() || all[tile].lane == kNone)
        return std::nullopt;
    return all[tile];
}

std::optional<SpanPlace> WorkPlaces::releasedAt(std::uint32_t gpu, TimePoint when, std::uint8_t kernel) const {
    const auto& all = workgroups(gpu, kernel).releases;
    const auto at = std::partition_point(all.begin(), all.end(), [&](const Release& one) { return one.end < when; });
    if (at == all.end() || at->end != when)
        return std::nullopt;
    return at->place;
}

std::optional<SpanPlace> WorkPlaces::lastReleasedBefore(std::uint32_t gpu, TimePoint when, std::uint8_t kernel) const {
    const auto& all = workgroups(gpu, kernel).releases;
    const auto at = std::partition_point(all.begin(), all.end(), [&](const Release& one) { return one.end < when; });
    if (at == all.begin())
        return std::nullopt;
    return std::prev(at)->place;
}

const ComputedSteps* WorkPlaces::computedOf(std::uint32_t gpu, std::uint8_t kernel) const {
    const Trace& trace = m_lanes.trace();
    const std::size_t recorded = m_lanes.trace().recorded(gpu);
    const bool own = kernel == kOwnKernel;
    const std::vector<ComputedSteps>& all = own ? trace.computed : trace.companionComputed;
    const std::size_t at = own ? recorded : recorded * trace.companionCopies + kernel - 1;
    return at < all.size() ? &all[at] : nullptr;
}

TimePoint WorkPlaces::computed(std::uint32_t gpu, std::uint32_t tile, std::uint32_t step, std::uint8_t kernel) const {
    const ComputedSteps* const all = computedOf(gpu, kernel);
    if (all == nullptr || step >= all->steps)
        return kNever;
    const std::size_t at = std::size_t{tile} * all->steps + step;
    return at < all->done.size() ? all->done[at] : kNever;
}

std::optional<std::uint32_t> WorkPlaces::lastComputedBefore(std::uint32_t gpu, std::uint32_t tile, TimePoint when,
                                                            std::uint8_t kernel) const {
    const ComputedSteps* const all = computedOf(gpu, kernel);
    if (all == nullptr || all->steps == 0 || (std::size_t{tile} + 1) * all->steps > all->done.size())
        return std::nullopt;
    const auto first = all->done.begin() + static_cast<std::ptrdiff_t>(tile) * all->steps;
    const auto after = std::partition_point(first, first + all->steps, [&](TimePoint done) { return done < when; });
    return after == first ? std::nullopt : std::optional(static_cast<std::uint32_t>(after - first - 1));
}

TimePoint WorkPlaces::cached(std::uint32_t gpu, std::uint32_t tile, std::uint32_t step, std::uint8_t kernel) const {
    const ComputedSteps* const all = computedOf(gpu, kernel);
    const std::size_t at = all == nullptr ? 0 : std::size_t{tile} * all->steps + step;
    return all == nullptr || at >= all->cached.size() ? kNever : all->cached[at];
}

TimePoint WorkPlaces::storesTaken(std::uint32_t gpu, SpanPlace workgroup) const {
    const Span& span = m_lanes.span(workgroup);
    const ComputedSteps* const all = computedOf(gpu, span.peer);
    return all == nullptr || span.first >= all->stored.size() ? span.end : all->stored[span.first];
}

std::uint32_t WorkPlaces::steps(std::uint32_t gpu, std::uint8_t kernel) const {
    const ComputedSteps* const all = computedOf(gpu, kernel);
    return all == nullptr ? 0 : all->steps;
}

std::uint32_t WorkPlaces::chunkOf(std::uint32_t tile) const {
    const std::vector<std::uint32_t>& first = m_lanes.trace().output.chunkTile;
    const auto after = std::upper_bound(first.begin(), first.end(), tile);
    return after == first.begin() || after == first.end() ? kNone
                                                          : static_cast<std::uint32_t>(after - first.begin() - 1);
}

std::uint32_t WorkPlaces::indexInChunk(std::uint32_t tile, std::uint16_t part) const {
    const std::uint32_t chunk = chunkOf(tile);
    if (chunk == kNone)
        return 0;
    return granule(tile, part) - firstGranule(m_lanes.trace().output.chunkTile[chunk]);
}

std::uint32_t WorkPlaces::granule(std::uint32_t tile, std::uint16_t part) const {
    const std::uint32_t first = firstGranule(tile);
    return first + static_cast<std::uint16_t>(part - static_cast<std::uint16_t>(first));
}

const WorkPlaces::Blocks& WorkPlaces::blocks(std::uint32_t gpu, WorkPhase phase) const {
    const Gpu& own = m_gpus[m_lanes.trace().recorded(gpu)];
    return phase == WorkPhase::allGather ? own.gathered : own.scattered;
}

std::pair<std::uint32_t, std::uint32_t> WorkPlaces::tilesOf(std::uint32_t gpu, WorkPhase phase,
                                                            const Span& ofBlock) const {
    const std::vector<std::uint32_t>& first = blocks(gpu, phase).first;
    const std::vector<std::uint32_t>& chunkTile = m_lanes.trace().output.chunkTile;
    const std::uint32_t chunk = ofBlock.second;
    if (chunk >= first.size() || first[chunk] > ofBlock.first || chunk + 1 >= chunkTile.size())
        return {0, 0};
    const std::uint32_t end = chunkTile[chunk + 1];
    const std::uint32_t tile = chunkTile[chunk] + (ofBlock.first - first[chunk]) * m_blockTiles;
    return {std::min(tile, end), std::min(tile + m_blockTiles, end)};
}

std::optional<SpanPlace> WorkPlaces::transfer(std::uint32_t gpu, WorkPhase phase, std::uint32_t tile) const {
    const Blocks& all = blocks(gpu, phase);
    const std::uint32_t chunk = chunkOf(tile);
    if (chunk >= all.first.size() || all.first[chunk] == kNone)
        return std::nullopt;
    const std::size_t block = all.first[chunk] + (tile - m_lanes.trace().output.chunkTile[chunk]) / m_blockTiles;
    if (block >= all.transfers.size() || all.transfers[block].lane == kNone)
        return std::nullopt;
    return all.transfers[block];
}

}  // namespace engine
