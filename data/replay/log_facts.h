#pragma once

#include "data/replay/gemm_pieces.h"
#include "engine/api/chunk_route.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"
#include "engine/api/tracked_order.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace data {

/// A DMA command: the tiles it sends and the collective it belongs to.
struct DmaCommand {
    std::uint32_t block = 0;  ///< as the trace numbers it
    std::uint32_t chunk = 0;
    std::uint32_t firstTile = 0;
    std::uint32_t endTile = 0;
    bool gathers = false;
};

/// How one GPU handles a chunk, according to its address map and the collective's steps.
struct ChunkPart {
    bool direct = false;         ///< stores go straight to another GPU
    bool own = false;            ///< the share that this GPU keeps
    std::uint32_t arrivals = 0;  ///< contributions that the reduce-scatter or the all-to-all brings
    std::uint32_t counted = 0;   ///< contributions that the tracker waits for in the reduce-scatter; 0: not tracked
    bool summed = false;         ///< a final reduce on CUs completes it
    bool gathered = false;       ///< received whole: by the all-gather, or as the sum of an all-reduce in one pass
};

/// The facts about the experiment that the replay of one recorded GPU needs. They are the same at every moment.
///
/// Tiles change their states by these rules. A tile's own contribution is complete when all its bytes have landed;
/// cached output reaches memory line by line, so it is complete when the GEMM, or the piece of it that has the tile,
/// has written everything back. An arriving contribution is complete when all its bytes have landed, from every GPU
/// that sends it. A tile of a chunk that collective kernels send is in flight from its first packet to its last; a
/// tile that DMA sends is in flight from the moment an engine takes its command. A chunk that a final reduce sums
/// stays ready until the sum has landed. Beside a GEMM (cu-split) the collective moves other data, which exist from
/// the beginning: then the states are those of the collective's buffer, not of the GEMM's output.
struct LogFacts {
    LogFacts(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t gpu);

    const engine::TiledOutput& output;
    std::uint32_t gpu = 0;
    std::uint32_t chunks = 1;
    bool aroundRing = true;  ///< each GPU sends only to the GPU before it
    bool scatters = true;    ///< there is a reduce-scatter or an all-to-all
    bool exchanges = false;  ///< that one is an all-to-all
    bool gathers = true;     ///< there is an all-gather
    bool fused = false;      ///< stores are updates, counted by the tracker
    bool scattersByDma = false;
    bool gathersByDma = false;
    bool dataFromStart = false;  ///< the collective's data do not come from a GEMM
    std::uint32_t wavefronts = 1;
    std::uint32_t entries = 1;
    std::vector<std::uint32_t> chunkOfTile;
    std::vector<ChunkPart> parts;                          ///< by chunk
    std::vector<DmaCommand> commands;                      ///< the reduce-scatter's, then the all-gather's
    std::uint32_t scatterCommands = 0;                     ///< how many are the reduce-scatter's
    engine::TrackedOrder order;                            ///< the order in which the tracker awaits the tiles
    std::vector<GemmPiece> pieces;                         ///< of the GEMM; empty if it is one kernel
    std::vector<std::vector<std::uint32_t>> tilesOfPiece;  ///< by piece

    /// Returns how many times a tile's bytes must land before its entry closes.
    std::uint32_t contributionsTo(std::uint32_t tile, bool gathering) const {
        return gathering ? 1 : parts[chunkOfTile[tile]].counted;
    }
    std::uint32_t granuleBytes(std::uint32_t tile, std::uint32_t granule) const;

private:
    void addPieces(const engine::Trace& trace);
    void addParts(const engine::Experiment& experiment, const engine::GpuRoutes& routes);
    void addCommands(const std::vector<engine::ChunkRoute>& routes, std::uint32_t blockTiles, bool gathering);
};

}  // namespace data
