#include "engine/collective/address_maps.h"

#include <algorithm>

namespace engine {

namespace {

AddressMap fusedRing(const RingSchedule& ring) {
    AddressMap map;
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = ring.chunkInOrder(place);
        route.storesAreUpdates = true;
        if (place == 0) {
            route.stores = StoreTarget::remote;
            route.storesTo = ring.next();
        } else {
            route.updatesPerElement = 2;
            route.tracked = true;
            if (route.chunk != ring.ownChunk()) {
                route.dma = DmaTrigger::whenUpdated;
                route.dmaTo = {ring.next()};
            }
        }
        map.routes.push_back(route);
    }
    return map;
}

AddressMap fusedDirect(const RingSchedule& ring) {
    AddressMap map;
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = ring.chunkInOrder(place);
        route.storesAreUpdates = true;
        if (route.chunk == ring.ownChunk()) {
            route.updatesPerElement = ring.gpus;
        } else {
            route.stores = StoreTarget::remote;
            route.storesTo = ring.ownerOf(route.chunk);
        }
        map.routes.push_back(route);
    }
    return map;
}

AddressMap fusedHierarchical(const RingSchedule& ring) {
    AddressMap map;
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = ring.chunkInOrder(place);
        route.storesAreUpdates = true;
        const std::uint32_t owner = ring.ownerOf(route.chunk);
        const std::uint32_t collector = ring.onMyNode(owner) ? owner : ring.counterpartOf(owner);
        if (collector != ring.gpu) {
            route.stores = StoreTarget::remote;
            route.storesTo = collector;
        } else if (owner == ring.gpu) {
            route.updatesPerElement = ring.gpus / 2 + 1;  // this node's, and the other node's sum
        } else {
            route.updatesPerElement = ring.gpus / 2;
            route.tracked = true;
            route.dma = DmaTrigger::whenUpdated;
            route.dmaTo = {owner};
        }
        map.routes.push_back(route);
    }
    return map;
}

AddressMap fusedExchange(const RingSchedule& ring) {
    AddressMap map = fusedDirect(ring);
    map.arrivals = MemoryOp::write;
    for (ChunkRoute& route : map.routes) {
        route.storesAreUpdates = false;
        route.updatesPerElement = route.chunk == ring.ownChunk() ? ring.gpus - 1 : 0;
    }
    return map;
}

// Both around the ring from `first`: it leaves at once, what arrives is passed on but for the last.
AddressMap ringByDma(const RingSchedule& ring, std::uint32_t first, MemoryOp arrivals) {
    AddressMap map;
    map.arrivals = arrivals;
    map.arrivalsReplace = arrivals == MemoryOp::write;
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = (first + place) % ring.gpus;
        route.stores = StoreTarget::none;
        route.updatesPerElement = place == 0 ? 0 : 1;
        route.tracked = place != 0;
        if (place + 1 < ring.gpus) {
            route.dma = place == 0 ? DmaTrigger::atStart : DmaTrigger::whenUpdated;
            route.dmaTo = {ring.next()};
        }
        map.routes.push_back(route);
    }
    return map;
}

// What the stores of a producer would do, done by DMA from buffers that are there.
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

AddressMap gatherDirect(const RingSchedule& ring, bool hierarchical) {
    AddressMap map;
    map.arrivals = MemoryOp::write;
    map.arrivalsReplace = true;
    std::vector<std::uint32_t> others, ofNode;
    for (std::uint32_t place = 1; place < ring.gpus; ++place) {
        const std::uint32_t other = (ring.gpu + ring.gpus - place) % ring.gpus;
        others.push_back(other);
        if (ring.onMyNode(other))
            ofNode.push_back(other);
    }
    for (std::uint32_t place = 0; place < ring.gpus; ++place) {
        ChunkRoute route;
        route.chunk = (ring.ownChunk() + place) % ring.gpus;
        route.stores = StoreTarget::none;
        if (place == 0) {
            route.dma = DmaTrigger::atStart;
            route.dmaTo = hierarchical ? ofNode : others;
            if (hierarchical)
                route.dmaTo.insert(route.dmaTo.begin(), ring.counterpart());
        } else {
            route.updatesPerElement = 1;
            if (hierarchical && !ofNode.empty() && ring.ownerOf(route.chunk) == ring.counterpart()) {
                route.tracked = true;
                route.dma = DmaTrigger::whenUpdated;
                route.dmaTo = ofNode;
            }
        }
        map.routes.push_back(route);
    }
    return map;
}

}  // namespace

AddressMap localOutputMap(std::uint32_t gpus, std::uint32_t first) {
    AddressMap map;
    for (std::uint32_t place = 0; place < gpus; ++place) {
        ChunkRoute route;
        route.chunk = (first + place) % gpus;
        map.routes.push_back(route);
    }
    return map;
}

AddressMap fusedMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring) {
    if (kind == CollectiveKind::allToAll)
        return fusedExchange(ring);
    switch (algorithm) {
    case CollectiveAlgorithm::direct: return fusedDirect(ring);
    case CollectiveAlgorithm::hierarchical: return fusedHierarchical(ring);
    case CollectiveAlgorithm::ring: break;
    }
    return fusedRing(ring);
}

AddressMap byDmaMap(CollectiveKind kind, CollectiveAlgorithm algorithm, const RingSchedule& ring) {
    if (kind == CollectiveKind::allToAll)
        return withoutProducer(fusedExchange(ring));
    const bool gathers = kind == CollectiveKind::allGather;
    if (algorithm == CollectiveAlgorithm::ring)
        return ringByDma(ring, gathers ? ring.ownChunk() : ring.gpu,
                         gathers ? MemoryOp::write : MemoryOp::arrivingUpdate);
    if (gathers)
        return gatherDirect(ring, algorithm == CollectiveAlgorithm::hierarchical);
    return withoutProducer(fusedMap(kind, algorithm, ring));
}

}  // namespace engine
