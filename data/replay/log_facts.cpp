#include "data/replay/log_facts.h"

#include "data/replay/collective_traits.h"
#include "data/replay/ring_places.h"

#include <algorithm>

namespace data {

using engine::OutputMapping;

LogFacts::LogFacts(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t recordedGpu)
    : output(trace.output), gpu(recordedGpu), chunks(std::max(1u, trace.chunks)),
      aroundRing(goesAroundRing(experiment)), m_algorithm(experiment.collective.algorithm) {
    using engine::CollectiveOperation;
    using engine::SubLayer;
    const SubLayer sublayer = experiment.workload.sublayer;
    const CollectiveOperation operation = experiment.collective.operation;
    const bool alone = engine::isCollectiveAlone(sublayer);
    const bool consumes = engine::consumesAllGather(experiment);
    const bool byDma = experiment.policy.mapping == OutputMapping::remoteDma;
    exchanges = exchangesOutput(experiment);
    scatters = scattersOutput(experiment);
    gathers = alone ? sublayer == SubLayer::allGather || sublayer == SubLayer::allReduce
                    : consumes || operation == CollectiveOperation::allReduce;
    fused = byDma && !alone && !consumes;
    scattersByDma = byDma && scatters;
    gathersByDma = byDma && (alone || consumes) && gathers;
    dataFromStart = startsWithData(experiment);
    wavefronts = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.tracker.wfPerWg));
    entries = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.tracker.entries));
    m_staggered = !fused || experiment.policy.order == engine::ProducerOrder::staggered;
    m_own = (gpu + chunks - 1) % chunks;
    addParts(experiment, byDma);
    chunkOfTile.resize(output.tiles());
    for (std::uint32_t chunk = 0; chunk + 1 < output.chunkTile.size(); ++chunk)
        std::fill(chunkOfTile.begin() + output.chunkTile[chunk], chunkOfTile.begin() + output.chunkTile[chunk + 1],
                  chunk);
    const auto blockTiles = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.dma.blockTiles));
    if (scattersByDma)
        addCommands(blockTiles, false);
    scatterCommands = static_cast<std::uint32_t>(commands.size());
    if (gathersByDma)
        addCommands(blockTiles, true);
}

void LogFacts::addParts(const engine::Experiment& experiment, bool byDma) {
    const bool byCus = !byDma && experiment.collective.reduction == engine::Reduction::cu && !exchanges;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        ChunkPart part;
        part.own = chunk == m_own;
        if (scatters)
            setArrivals(part, chunk);
        part.summed = part.own && scatters && byCus;
        part.gathered = gathers && !part.own;
        parts.push_back(part);
    }
}

void LogFacts::setArrivals(ChunkPart& part, std::uint32_t chunk) const {
    const std::uint32_t local = fused ? 1 : 0;
    if (m_algorithm == engine::CollectiveAlgorithm::ring && !exchanges) {
        part.direct = fused && chunk == gpu;
        part.arrivals = chunk != gpu ? 1 : 0;
        part.counted = scattersByDma && chunk != gpu ? 1 + local : 0;
    } else if (m_algorithm == engine::CollectiveAlgorithm::hierarchical && !exchanges) {
        const std::uint32_t owner = ownerOf(chunk);
        const bool passes = owner == counterpart() && !part.own;
        part.direct = fused && !part.own && !passes;
        part.arrivals = part.own ? chunks / 2 : passes ? chunks / 2 - 1 : 0;
        part.counted = scattersByDma && passes ? part.arrivals + local : 0;
    } else {
        part.direct = fused && !part.own;
        part.arrivals = part.own ? chunks - 1 : 0;
    }
}

bool LogFacts::leavesByDma(std::uint32_t chunk, bool gathering) const {
    const bool own = chunk == m_own;
    const bool passes = ownerOf(chunk) == counterpart() && !own;
    if (m_algorithm == engine::CollectiveAlgorithm::ring && !(exchanges && !gathering))
        return chunk != (gathering ? (m_own + chunks - 1) % chunks : m_own) && !(!gathering && parts[chunk].direct);
    if (!gathering)
        return !own && !parts[chunk].direct;
    return own || (m_algorithm == engine::CollectiveAlgorithm::hierarchical && passes && chunks > 2);
}

// Numbered as the DMA engine numbers them: through the chunks in the order of the map, without those that have none.
void LogFacts::addCommands(std::uint32_t blockTiles, bool gathering) {
    const std::uint32_t first = gathering ? m_own : m_staggered ? gpu : 0;
    std::uint32_t block = 0;
    for (std::uint32_t place = 0; place < chunks; ++place) {
        const std::uint32_t chunk = (first + place) % chunks;
        if (!leavesByDma(chunk, gathering) || chunk + 1 >= output.chunkTile.size())
            continue;
        const std::uint32_t end = output.chunkTile[chunk + 1];
        for (std::uint32_t tile = output.chunkTile[chunk]; tile < end; tile += std::min(blockTiles, end - tile))
            commands.push_back({block++, chunk, tile, tile + std::min(blockTiles, end - tile), gathering});
    }
}

std::uint32_t LogFacts::workgroupOf(std::uint32_t tile, bool gathering) const {
    const std::uint32_t first = output.chunkTile[gathering ? m_own : m_staggered ? gpu : 0];
    return tile >= first ? tile - first : tile + output.tiles() - first;
}

std::uint32_t LogFacts::granuleBytes(std::uint32_t tile, std::uint32_t granule) const {
    return std::min(output.granule, output.tileBytes[tile] - granule * output.granule);
}

}  // namespace data
