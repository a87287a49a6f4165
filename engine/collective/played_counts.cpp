#include "engine/collective/played_counts.h"

#include <algorithm>

namespace engine {

ExpectedCounts countsOf(CollectiveSchedule schedule, const std::vector<Bytes>& chunkBytes, bool reducesOnCus,
                        bool buffers, bool readsForEach) {
    const auto chunks = static_cast<std::uint32_t>(chunkBytes.size());
    const bool reads = reducesOnCus && schedule.kind == CollectiveKind::reduceScatter;
    if (reads)
        addSums(schedule, chunks);
    ExpectedCounts counts;
    for (const Bytes bytes : chunkBytes)
        counts.stores += bytes.count;
    std::vector<std::int64_t> copies(chunks);
    for (const CollectiveStep& step : schedule.steps) {
        for (const Transfer& transfer : step.sends) {
            const std::int64_t bytes = chunkBytes[transfer.chunk].count;
            const auto receivers = static_cast<std::int64_t>(transfer.packets().size());
            const std::int64_t ownReads = buffers || readsForEach ? std::max<std::int64_t>(1, receivers) : 1;
            counts.reads += bytes * (ownReads + (reads ? copies[transfer.chunk] : 0));
            counts.sent += bytes * receivers;
            if (transfer.to.empty())
                counts.writes += bytes;
        }
        for (const Receipt& receipt : step.receives) {
            ++copies[receipt.chunk];
            counts.received += chunkBytes[receipt.chunk].count;
        }
    }
    counts.writes += counts.received;
    if (buffers && schedule.kind != CollectiveKind::reduceScatter) {
        counts.reads += counts.received;
        counts.writes += counts.received;
    }
    return counts;
}

ExpectedCounts countsOf(const AddressMap& map, const std::vector<Bytes>& chunkBytes, bool readsForEach) {
    ExpectedCounts counts;
    for (const ChunkRoute& route : map.routes) {
        const std::int64_t bytes = chunkBytes[route.chunk].count;
        const bool local = route.stores == StoreTarget::local;
        if (local)
            counts.stores += bytes;
        if (route.stores == StoreTarget::remote)
            counts.sent += bytes;
        if (route.dma != DmaTrigger::never) {
            const auto receivers = static_cast<std::int64_t>(route.dmaTo.size());
            counts.reads += bytes * (readsForEach ? receivers : 1);
            counts.sent += bytes * receivers;
        }
        counts.received += bytes * (route.updatesPerElement - (local && route.storesAreUpdates ? 1 : 0));
    }
    counts.writes = counts.received;
    return counts;
}

}  // namespace engine
