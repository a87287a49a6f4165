#include "engine/collective/address_maps.h"

#include "engine/collective/algorithm.h"

#include <algorithm>
#include <utility>

namespace engine {

namespace {

// Returns the routes of all chunks, from `first` on around the ring. `route` fills one in from the chunk's moves.
template <typename Route>
AddressMap mapFrom(std::uint32_t first, const std::vector<ChunkMoves>& moves, Route route) {
    AddressMap map;
    const auto chunks = static_cast<std::uint32_t>(moves.size());
    for (std::uint32_t place = 0; place < chunks; ++place) {
        const std::uint32_t chunk = (first + place) % chunks;
        map.routes.push_back({.chunk = chunk});
        route(moves[chunk], map.routes.back());
    }
    return map;
}

// Returns the map of a fused reduce-scatter. A chunk to which no other GPU adds here is sent on as soon as it is
// stored. Any other chunk is summed up here, and then stays or is sent on by DMA.
AddressMap fusedReduction(const Algorithm& algorithm, const RingSchedule& ring) {
    const CollectiveSchedule schedule{CollectiveKind::reduceScatter,
                                      algorithm.steps(CollectiveKind::reduceScatter, ring)};
    const std::uint32_t first = algorithm.firstChunk ? algorithm.firstChunk(ring) : ring.gpu;
    return mapFrom(first, movesOf(schedule, ring.gpus), [&](const ChunkMoves& moves, ChunkRoute& route) {
        route.storesAreUpdates = true;
        const bool leaves = !moves.to.empty();
        if (leaves && moves.received == 0) {
            route.stores = StoreTarget::remote;
            route.storesTo = moves.to.front();
            return;
        }
        route.updatesPerElement = moves.received + 1;
        route.tracked = leaves || algorithm.tracksKept;
        if (leaves) {
            route.dma = DmaTrigger::whenUpdated;
            route.dmaTo = moves.to;
        }
    });
}

// Returns the map of a fused all-to-all, which goes straight to the owners as writes, whatever the algorithm.
AddressMap fusedExchange(const RingSchedule& ring) {
    AddressMap map = fusedReduction(algorithmOf(CollectiveAlgorithm::direct), ring);
    map.arrivals = MemoryOp::write;
    for (ChunkRoute& route : map.routes) {
        route.storesAreUpdates = false;
        route.updatesPerElement = route.stores == StoreTarget::local ? ring.gpus - 1 : 0;
    }
    return map;
}

// Returns the map with DMA in the place of the producer's stores: DMA sends from buffers that exist at the beginning.
AddressMap withoutProducer(AddressMap map) {
    for (ChunkRoute& route : map.routes) {
        if (route.stores == StoreTarget::remote) {
            route.dma = DmaTrigger::atStart;
            route.dmaTo = {route.storesTo};
        } else if (route.storesAreUpdates) {
            --route.updatesPerElement;
            // A node of one GPU has nothing to collect before it sends.
            if (route.updatesPerElement == 0 && route.dma == DmaTrigger::whenUpdated)
                route.dma = DmaTrigger::atStart;
            route.tracked = route.tracked && route.updatesPerElement != 0;
        }
        route.stores = StoreTarget::none;
    }
    return map;
}

// Returns the map of an all-gather by DMA. A chunk that does not arrive is there from the beginning; an arriving chunk
// is passed on as the steps say.
AddressMap gatherByDma(const Algorithm& algorithm, const RingSchedule& ring) {
    const CollectiveSchedule schedule{CollectiveKind::allGather, algorithm.steps(CollectiveKind::allGather, ring)};
    AddressMap map =
        mapFrom(ring.ownChunk(), movesOf(schedule, ring.gpus), [&](const ChunkMoves& moves, ChunkRoute& route) {
            route.stores = StoreTarget::none;
            route.updatesPerElement = moves.received;
            route.dmaTo = moves.to;
            if (!moves.to.empty())
                route.dma = moves.received == 0 ? DmaTrigger::atStart : DmaTrigger::whenUpdated;
            route.tracked = moves.received != 0 && (!moves.to.empty() || algorithm.tracksKept);
        });
    // Chunks that arrive in an earlier step come first, so that waiting for chunks in this order never depends on a
    // later one.
    std::vector<std::size_t> arrivesIn(map.routes.size(), 0);
    for (std::size_t step = schedule.steps.size(); step > 0; --step)
        for (const Receipt& receipt : schedule.steps[step - 1].receives)
            arrivesIn[receipt.chunk] = step;
    std::stable_sort(map.routes.begin(), map.routes.end(),
                     [&](const ChunkRoute& a, const ChunkRoute& b) { return arrivesIn[a.chunk] < arrivesIn[b.chunk]; });
    map.arrivals = MemoryOp::write;
    map.arrivalsReplace = true;
    return map;
}

}  // namespace

std::vector<ChunkMoves> movesOf(const CollectiveSchedule& schedule, std::uint32_t chunks) {
    std::vector<ChunkMoves> moves(chunks);
    for (const CollectiveStep& step : schedule.steps) {
        for (const Transfer& transfer : step.sends)
            moves[transfer.chunk].to.insert(moves[transfer.chunk].to.end(), transfer.to.begin(), transfer.to.end());
        for (const Receipt& receipt : step.receives)
            ++moves[receipt.chunk].received;
    }
    return moves;
}

AddressMap localOutputMap(std::uint32_t gpus, std::uint32_t first) {
    AddressMap map;
    for (std::uint32_t place = 0; place < gpus; ++place)
        map.routes.push_back({.chunk = (first + place) % gpus});
    return map;
}

AddressMap fusedMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring) {
    if (kind == CollectiveKind::allToAll)
        return fusedExchange(ring);
    const Algorithm& traits = algorithmOf(algorithm);
    AddressMap map = fusedReduction(traits, ring);
    if (traits.arrange)
        traits.arrange(kind, ring, map);
    return map;
}

AddressMap byDmaMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring) {
    if (kind != CollectiveKind::allGather)
        return withoutProducer(fusedMap(kind, algorithm, ring));
    const Algorithm& traits = algorithmOf(algorithm);
    AddressMap map = gatherByDma(traits, ring);
    if (traits.arrange)
        traits.arrange(kind, ring, map);
    return map;
}

}  // namespace engine
