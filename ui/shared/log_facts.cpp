#include "ui/shared/log_facts.h"

#include <algorithm>

namespace ui {

using engine::OutputMapping;

LogFacts::LogFacts(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t recordedGpu)
    : output(trace.output), gpu(recordedGpu), chunks(std::max(1u, trace.chunks)) {
    using engine::SubLayer;
    const SubLayer sublayer = experiment.workload.sublayer;
    const bool alone = engine::isCollectiveAlone(sublayer);
    const bool byDma = experiment.policy.mapping == OutputMapping::remoteDma;
    scatters = sublayer != SubLayer::allGather;
    gathers = sublayer != SubLayer::reduceScatter;
    fused = byDma && !alone;
    scattersByDma = byDma && scatters;
    gathersByDma = byDma && alone && gathers;
    dataFromStart = alone || experiment.policy.start == engine::CommunicationStart::concurrent;
    wavefronts = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.tracker.wfPerWg));
    entries = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.tracker.entries));

    m_staggered = !fused || experiment.policy.order == engine::ProducerOrder::staggered;
    m_own = (gpu + chunks - 1) % chunks;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        ChunkPart part;
        part.own = chunk == m_own;
        part.direct = fused && chunk == gpu;
        part.arrivals = scatters && chunk != gpu ? 1 : 0;
        part.counted = !scattersByDma || chunk == gpu ? 0 : fused ? 2 : 1;
        part.summed = part.own && scatters && !byDma && experiment.collective.reduction == engine::Reduction::cu;
        part.gathered = gathers && !part.own;
        parts.push_back(part);
    }
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

// Numbered as the DMA engine numbers them: through the chunks in the order of the map, without those that have none.
void LogFacts::addCommands(std::uint32_t blockTiles, bool gathering) {
    const std::uint32_t stays = gathering ? (m_own + chunks - 1) % chunks : m_own;
    const std::uint32_t first = gathering ? m_own : m_staggered ? gpu : 0;
    std::uint32_t block = 0;
    for (std::uint32_t place = 0; place < chunks; ++place) {
        const std::uint32_t chunk = (first + place) % chunks;
        if (chunk == stays || parts[chunk].direct || chunk + 1 >= output.chunkTile.size())
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

}  // namespace ui
