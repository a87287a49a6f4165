#include "data/replay/log_facts.h"

#include "data/replay/ring_places.h"
#include "engine/api/run_parts.h"

#include <algorithm>

namespace data {

LogFacts::LogFacts(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t recordedGpu)
    : output(trace.output), gpu(recordedGpu), chunks(std::max(1u, trace.chunks)),
      aroundRing(goesAroundRing(experiment)) {
    const engine::RunParts run = engine::runPartsOf(experiment);
    exchanges = run.allToAll;
    scatters = run.scatters();
    gathers = run.allGather;
    fused = run.fused();
    scattersByDma = run.scatterByDma;
    gathersByDma = run.gatherByDma;
    dataFromStart = run.startsWithData();
    wavefronts = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.tracker.wfPerWg));
    entries = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.tracker.entries));
    const engine::GpuRoutes routes = engine::routesOf(experiment, gpu);
    order = engine::TrackedOrder(output, routes, fused);
    addPieces(trace);
    addParts(experiment, routes);
    chunkOfTile.resize(output.tiles());
    for (std::uint32_t chunk = 0; chunk + 1 < output.chunkTile.size(); ++chunk)
        std::fill(chunkOfTile.begin() + output.chunkTile[chunk], chunkOfTile.begin() + output.chunkTile[chunk + 1],
                  chunk);
    const auto blockTiles = static_cast<std::uint32_t>(std::max<std::int64_t>(1, experiment.dma.blockTiles));
    addCommands(routes.scatter, blockTiles, false);
    scatterCommands = static_cast<std::uint32_t>(commands.size());
    addCommands(routes.gather, blockTiles, true);
}

void LogFacts::addPieces(const engine::Trace& trace) {
    pieces = gemmPiecesOf(trace, gpu);
    tilesOfPiece.resize(pieces.size());
    for (const engine::Lane& lane : trace.lanes) {
        if (pieces.empty() || lane.gpu != gpu || lane.kind != engine::LaneKind::workgroupSlot)
            continue;
        for (const engine::Span& span : lane.spans) {
            if (span.kind != engine::SpanKind::workgroup || span.peer != engine::kOwnKernel)
                continue;
            if (const GemmPiece* piece = pieceWith(pieces, span.second))
                tilesOfPiece[piece->number].push_back(span.first);
        }
    }
}

void LogFacts::addParts(const engine::Experiment& experiment, const engine::GpuRoutes& routes) {
    const bool byCus =
        !scattersByDma && experiment.collective.reduction == engine::Reduction::cu && scatters && !exchanges;
    const bool reducesAtOnce = engine::runPartsOf(experiment).reducesAtOnce;
    parts.resize(chunks);
    const std::vector<engine::ChunkMoves> scattered = engine::scatterMovesOf(experiment, gpu);
    const std::vector<engine::ChunkMoves> gathered = engine::gatherMovesOf(experiment, gpu);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        ChunkPart& part = parts[chunk];
        if (chunk < scattered.size()) {
            part.own = scattered[chunk].to.empty();
            part.arrivals = scattered[chunk].received;
        }
        if (chunk < gathered.size()) {
            part.gathered = gathered[chunk].received != 0;
            part.own = part.own || (scattered.empty() && !part.gathered);
        }
        part.summed = part.own && byCus;
        if (reducesAtOnce) {  // what arrives is the whole sum
            part.arrivals = 0;
            part.gathered = true;
        }
    }
    for (const engine::ChunkRoute& route : routes.scatter) {
        parts[route.chunk].direct = route.stores == engine::StoreTarget::remote;
        parts[route.chunk].counted = route.tracked ? route.updatesPerElement : 0;
    }
}

// Numbers blocks as the DMA engine does: through the chunks in the order of the map, skipping chunks without blocks.
void LogFacts::addCommands(const std::vector<engine::ChunkRoute>& routes, std::uint32_t blockTiles, bool gathering) {
    std::uint32_t block = 0;
    for (const engine::ChunkRoute& route : routes) {
        if (route.dma == engine::DmaTrigger::never || route.chunk + 1 >= output.chunkTile.size())
            continue;
        const std::uint32_t end = output.chunkTile[route.chunk + 1];
        for (std::uint32_t tile = output.chunkTile[route.chunk]; tile < end; tile += std::min(blockTiles, end - tile))
            commands.push_back({block++, route.chunk, tile, tile + std::min(blockTiles, end - tile), gathering});
    }
}

std::uint32_t LogFacts::granuleBytes(std::uint32_t tile, std::uint32_t granule) const {
    return std::min(output.granule, output.tileBytes[tile] - granule * output.granule);
}

}  // namespace data
