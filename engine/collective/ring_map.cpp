#include "engine/collective/ring_map.h"

namespace engine {

AddressMap localOutputMap(const RingSchedule& ring, bool staggered, bool storesAreUpdates) {
    AddressMap map;
    for (std::uint32_t place = 0; place < ring.gpus; ++place)
        map.routes.push_back(
            {staggered ? ring.chunkInOrder(place) : place, StoreTarget::local, storesAreUpdates, 0, DmaTrigger::never});
    return map;
}

AddressMap fusedReduceScatterMap(const RingSchedule& ring, bool staggered) {
    AddressMap map;
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = staggered ? ring.chunkInOrder(place) : place;
        route.storesAreUpdates = true;
        if (route.chunk == ring.gpu) {
            route.stores = StoreTarget::neighbour;
        } else {
            route.updatesPerElement = 2;
            route.dma = route.chunk == ring.ownChunk() ? DmaTrigger::never : DmaTrigger::whenUpdated;
        }
        map.routes.push_back(route);
    }
    return map;
}

AddressMap reduceScatterByDmaMap(const RingSchedule& ring) {
    AddressMap map;
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = ring.chunkInOrder(place);
        route.stores = StoreTarget::none;
        route.updatesPerElement = place == 0 ? 0 : 1;
        route.dma = place == 0              ? DmaTrigger::atStart
                    : place + 1 < ring.gpus ? DmaTrigger::whenUpdated
                                            : DmaTrigger::never;
        map.routes.push_back(route);
    }
    return map;
}

AddressMap allGatherByDmaMap(const RingSchedule& ring) {
    const RingSchedule fromOwn{ring.gpus, ring.ownChunk()};
    AddressMap map = reduceScatterByDmaMap(fromOwn);
    map.arrivals = MemoryOp::write;
    return map;
}

}  // namespace engine
