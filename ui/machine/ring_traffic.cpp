#include "ui/machine/ring_traffic.h"

#include <algorithm>
#include <numeric>

namespace ui {
namespace {

using Counts = std::array<std::uint32_t, data::kTileStates>;

std::uint32_t in(const Counts& counts, data::TileState state) { return counts[static_cast<std::size_t>(state)]; }

// How far the tiles in flight have got: as their blocks say; half way where kernels send them tile by tile.
double shareInFlight(const data::GpuState& state, std::uint32_t chunk) {
    double sum = 0;
    int blocks = 0;
    for (const data::BlockState& block : state.movingBlocks) {
        if (block.chunk != chunk || block.gathering)
            continue;
        sum += block.doneShare;
        ++blocks;
    }
    return blocks == 0 ? 0.5 : sum / blocks;
}

}  // namespace

std::vector<Parcel> parcelsOf(std::uint32_t sender, const data::GpuState& from, const data::GpuState& receiver) {
    std::vector<Parcel> parcels;
    const std::size_t chunks = std::min(from.chunkTiles.size(), receiver.chunkTiles.size());
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        const Counts& here = from.chunkTiles[chunk];
        const Counts& there = receiver.chunkTiles[chunk];
        const auto tiles = std::accumulate(here.begin(), here.end(), std::uint32_t{0});
        const bool onLink = from.sendingChunk == chunk;
        const std::uint32_t sent = in(here, data::TileState::sent);
        const std::uint32_t flying = in(here, data::TileState::inFlight);
        const std::uint32_t whole = in(here, data::TileState::reduced);  // received back by the all-gather
        if (sent + flying > 0 && sent + whole < tiles) {
            const double gone = sent + flying * shareInFlight(from, chunk);
            parcels.push_back({sender, chunk, gone / tiles, false, onLink});
            continue;
        }
        // In the all-gather the sender keeps what it sends: how far it has got is what the receiver has of it.
        const std::uint32_t received = in(there, data::TileState::reduced);
        const bool begun = received > 0 || (onLink && from.gathering);
        if (whole > 0 && begun && received < tiles && received <= whole)
            parcels.push_back({sender, chunk, static_cast<double>(received) / tiles, true, onLink});
    }
    return parcels;
}

}  // namespace ui
