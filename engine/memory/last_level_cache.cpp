#include "engine/memory/last_level_cache.h"

#include "engine/memory/address_space.h"
#include "engine/record/recorder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace engine {

LastLevelCache::LastLevelCache(const Experiment& experiment, const EventQueue& clock, MemoryController& memory,
                               LoadClient& client, Recorder* recorder)
    : m_memory(memory), m_client(client), m_clock(clock), m_recorder(recorder),
      m_granule(static_cast<std::uint32_t>(experiment.detail.granule.count)), m_size(experiment.llc.size.count),
      m_latency(experiment.llc.latency), m_lines(1), m_order(1, {0, 0}), m_waiters(1),
      m_eager(experiment.llc.writeBack == WriteBack::eager),
      m_queue(experiment.llc.queue.value_or(Bytes{std::numeric_limits<std::int64_t>::max()}).count),
      m_dirty(memory.channels()), m_recordedUntil(recorder ? TimePoint{} : kNever) {
    m_loadFlows[0] = memory.addFlow({Stream::compute, MemoryOp::read, this, false});
    m_hitFlow = memory.addFlow({Stream::compute, MemoryOp::read, this, false});
    if (m_eager)
        memory.setIdleWriter(*this);
}

LastLevelCache::Region LastLevelCache::addRegion(std::uint32_t slabs, std::uint32_t granulesPerSlab, bool output,
                                                 std::uint8_t kernel) {
    const bool companion = kernel != kOwnKernel;
    if (companion && !m_companionReads) {
        m_loadFlows[1] = m_memory.addFlow({Stream::compute, MemoryOp::read, this, false, false, 1});
        m_companionReads = true;
    }
    Region region;
    region.firstLine = static_cast<std::uint32_t>(m_lines.size());
    region.linesPerSlab = (granulesPerSlab + kGranulesPerLine - 1) / kGranulesPerLine;
    region.granulesPerSlab = granulesPerSlab;
    region.memory =
        m_memory.region(companion ? kCompanionAddress + m_companionGranules : matrixAddress(m_ownMatrices++),
                        output ? MemoryRegion::Rule::plain : MemoryRegion::Rule::fold);
    if (companion)
        m_companionGranules += slabs * granulesPerSlab;
    region.number = static_cast<std::uint8_t>(m_regions.size());
    m_regions.push_back(region);
    m_traffic.push_back({m_loadFlows[companion], 0, {}});
    Line line;
    line.region = region.number;
    m_lines.resize(m_lines.size() + std::size_t{slabs} * region.linesPerSlab, line);
    for (auto index = static_cast<std::uint32_t>(m_order.size()); index < m_lines.size(); ++index)
        m_order.push_back({index, index});
    return region;
}

// Returns the number, within its region, of a granule of the line with that index.
inline std::uint32_t LastLevelCache::numberOf(const Region& region, std::uint32_t line, std::uint32_t granule) {
    const std::uint32_t within = line - region.firstLine;
    return within / region.linesPerSlab * region.granulesPerSlab + within % region.linesPerSlab * kGranulesPerLine +
           granule;
}

std::uint32_t LastLevelCache::channelOf(const Line& line, std::uint32_t granule) const {
    const Region& region = m_regions[line.region];
    return region.memory.channel(numberOf(region, static_cast<std::uint32_t>(&line - m_lines.data()), granule),
                                 line.firstIndex + granule);
}

std::int64_t LastLevelCache::bytesOf(const Line& line, std::uint64_t granules) const {
    if (granules == line.all)
        return line.bytes;
    std::int64_t bytes = std::int64_t{std::popcount(granules)} * m_granule;
    if (granules > line.all >> 1)  // the last one is among them
        bytes += std::int64_t{line.lastBytes} - m_granule;
    return bytes;
}

// Sets the shape of a line at its first use. The shape of a slab never changes.
void LastLevelCache::shapeLine(Line& line, SlabShape shape, std::uint32_t before, std::uint32_t firstIndex) const {
    const std::uint32_t count = std::min(kGranulesPerLine, shape.granules - before);
    line.all = ~std::uint64_t{0} >> (64 - count);
    line.lastBytes = before + count == shape.granules ? shape.lastBytes : m_granule;
    line.bytes = (count - 1) * m_granule + line.lastBytes;
    line.firstIndex = firstIndex + before;
}

void LastLevelCache::limitPassage(Bandwidth bandwidth, EventPort arrived) {
    m_passage = Passage{CarryingRate(bandwidth.bytesPerSecond), arrived, TimePoint{}};
}

// Returns the part of a passage that one of its sharers pays for.
inline std::uint32_t LastLevelCache::shareOf(std::uint32_t bytes, std::uint32_t sharers) const {
    return m_passage && sharers > 1 ? (bytes + sharers - 1) / sharers : bytes;
}

// Returns when bytes that can pass from now on have passed.
TimePoint LastLevelCache::passed(std::uint32_t bytes) {
    m_passage->freeAt = std::max(m_clock.now(), m_passage->freeAt) + m_passage->rate.take(bytes);
    return m_passage->freeAt;
}

std::uint32_t LastLevelCache::loadLines(const Region& region, std::uint32_t slab, SlabShape shape, std::uint32_t waiter,
                                        TimePoint& ready, std::uint32_t sharers) {
    std::uint32_t waits = 0;
    std::uint32_t index = region.firstLine + slab * region.linesPerSlab;
    std::uint32_t done = 0;
    do {
        touch(index);
        Line& line = m_lines[index];
        if (line.resident == line.all) {
            m_hit.count += line.bytes;
        } else {
            if (line.bytes == 0)
                shapeLine(line, shape, done, slab * region.granulesPerSlab);
            fetch(line, index);
        }
        if (line.pending != 0 || line.arriving) {
            line.waiters = newWaiter({waiter, line.waiters, shareOf(line.bytes, sharers)});
            ++waits;
        } else {
            const std::uint32_t before = waits;
            if (blocked())
                waits += waitInSlices(line, waiter, sharers);
            const bool passes = m_passage && waits == before;
            const TimePoint at = passes ? passed(shareOf(line.bytes, sharers)) : std::max(m_clock.now(), line.dataAt);
            ready = std::max(ready, at + m_latency);
        }
        done += kGranulesPerLine;
        ++index;
    } while (done < shape.granules);
    return waits;
}

// Makes each granule of a hit wait in the slice of its channel, unless no load waits there. Returns how many wait. If
// any does and bandwidth is limited, the others pass at once.
std::uint32_t LastLevelCache::waitInSlices(const Line& line, std::uint32_t waiter, std::uint32_t sharers) {
    std::uint32_t waits = 0, passing = 0;
    const auto granules = static_cast<std::uint32_t>(std::popcount(line.all));
    for (std::uint32_t granule = 0; granule < granules; ++granule) {
        if (!m_passage) {
            waits += m_memory.enqueueBehindLoads(channelOf(line, granule), m_hitFlow, waiter);
            continue;
        }
        const std::uint32_t bytes = shareOf(granuleBytes(line, granule), sharers);
        const std::uint32_t id = newWaiter({waiter, 0, bytes});
        if (m_memory.enqueueBehindLoads(channelOf(line, granule), m_hitFlow, id)) {
            ++waits;
        } else {
            passing += bytes;
            takeWaiter(id);
        }
    }
    if (waits != 0 && passing != 0)
        passed(passing);
    if (m_recorder)
        recordWaiting(waits);
    return waits;
}

void LastLevelCache::recordAsked(TimePoint now) {
    if (!m_recorder)
        return;
    m_recorder->reached(CounterKind::cacheHits, m_recordedFrom, m_hit.count);
    m_recorder->reached(CounterKind::cacheMisses, m_recordedFrom, m_miss.count);
    m_recordedFrom = now;
    m_recordedUntil = now + Recorder::kCounterResolution;
}

void LastLevelCache::recordWaiting(std::int64_t change) {
    m_hitsWaiting += change;
    m_recorder->sample(CounterKind::cacheWaiting, m_clock.now(), m_hitsWaiting);
}

void LastLevelCache::fetch(Line& line, std::uint32_t index) {
    const std::uint64_t absent = line.all & ~line.resident;
    const std::uint64_t missing = absent & ~line.pending;
    const std::int64_t missed = missing == 0 ? 0 : bytesOf(line, missing);
    m_miss.count += missed;
    m_hit.count += line.bytes - missed;
    line.pending |= missing;
    allocate(line, absent);
    for (std::uint64_t left = missing; left != 0; left &= left - 1) {
        const auto granule = static_cast<std::uint32_t>(std::countr_zero(left));
        m_memory.enqueue(channelOf(line, granule), m_traffic[line.region].load, index * kGranulesPerLine + granule,
                         granuleBytes(line, granule));
    }
}

std::uint32_t LastLevelCache::newWaiter(const Waiter& content) {
    std::uint32_t entry = m_freeWaiter;
    if (entry != 0) {
        m_freeWaiter = m_waiters[entry].next;
    } else {
        entry = static_cast<std::uint32_t>(m_waiters.size());
        m_waiters.emplace_back();
    }
    m_waiters[entry] = content;
    return entry;
}

LastLevelCache::Waiter LastLevelCache::takeWaiter(std::uint32_t entry) {
    const Waiter content = m_waiters[entry];
    m_waiters[entry].next = m_freeWaiter;
    m_freeWaiter = entry;
    return content;
}

void LastLevelCache::store(const Region& region, std::uint32_t slab, SlabShape shape, std::uint32_t firstIndex) {
    std::uint32_t index = region.firstLine + slab * region.linesPerSlab;
    for (std::uint32_t done = 0; done < shape.granules; done += kGranulesPerLine, ++index) {
        Line& line = m_lines[index];
        if (line.bytes == 0)
            shapeLine(line, shape, done, firstIndex);
        touch(index);
        line.dirty |= line.all;
        if (const std::uint64_t absent = line.all & ~line.resident; absent != 0)
            allocate(line, absent);
        if (m_eager)
            offerDirty(line, index);
    }
}

void LastLevelCache::offerDirty(const Line& line, std::uint32_t index) {
    for (std::uint64_t left = line.dirty; left != 0; left &= left - 1) {
        const auto granule = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t channel = channelOf(line, granule);
        m_dirty[channel].push({index * kGranulesPerLine + granule, m_clock.now()});
        m_memory.offerWrite(channel);
    }
}

bool LastLevelCache::hasWrite(std::uint32_t channel) {
    RingFifo<Dirty>& dirty = m_dirty[channel];
    while (!dirty.empty()) {
        const std::uint32_t id = dirty.front().id;
        if (m_lines[id / kGranulesPerLine].dirty >> (id % kGranulesPerLine) & 1)
            return true;
        dirty.pop();
    }
    return false;
}

std::optional<IdleWriter::Write> LastLevelCache::takeWrite(std::uint32_t channel) {
    if (!hasWrite(channel))
        return std::nullopt;
    const Dirty oldest = m_dirty[channel].front();
    m_dirty[channel].pop();
    const std::uint32_t bytes = clean(m_lines[oldest.id / kGranulesPerLine], oldest.id % kGranulesPerLine);
    return Write{m_traffic[m_lines[oldest.id / kGranulesPerLine].region].store, oldest.id, bytes, oldest.since};
}

// Returns the granule's bytes, which the caller writes back.
std::uint32_t LastLevelCache::clean(Line& line, std::uint32_t granule) {
    const std::uint32_t bytes = granuleBytes(line, granule);
    line.dirty &= ~(std::uint64_t{1} << granule);
    m_traffic[line.region].writtenBack.count += bytes;
    return bytes;
}

void LastLevelCache::allocate(Line& line, std::uint64_t missing) {
    line.resident |= missing;
    m_used += bytesOf(line, missing);
    if (m_used > m_size)
        evictDownTo(m_size);
}

void LastLevelCache::evictDownTo(std::int64_t bytes) {
    while (m_used > bytes) {
        const std::uint32_t index = m_order[0].newer;
        Line& line = m_lines[index];
        while (m_used > bytes && line.resident != 0) {
            const auto granule = static_cast<std::uint32_t>(std::countr_zero(line.resident));
            const std::uint64_t bit = std::uint64_t{1} << granule;
            const std::uint32_t size = granuleBytes(line, granule);
            line.resident &= ~bit;
            m_used -= size;
            if (line.dirty & bit)
                m_memory.enqueue(channelOf(line, granule), m_traffic[line.region].store,
                                 index * kGranulesPerLine + granule, clean(line, granule));
        }
        if (line.resident == 0) {
            unlink(m_order[index]);
            m_order[index] = {index, index};
        }
    }
}

void LastLevelCache::flush(const Region& region) {
    for (std::uint32_t index = m_order[0].newer; index != 0; index = m_order[index].newer) {
        Line& line = m_lines[index];
        while (line.dirty != 0 && line.region == region.number) {
            const auto granule = static_cast<std::uint32_t>(std::countr_zero(line.dirty));
            m_memory.enqueue(channelOf(line, granule), m_traffic[line.region].store, index * kGranulesPerLine + granule,
                             clean(line, granule));
        }
    }
}

std::uint32_t LastLevelCache::address(FlowId, std::uint32_t id) const { return addressOf(id); }

std::uint32_t LastLevelCache::addressOf(std::uint32_t id) const {
    const std::uint32_t line = id / kGranulesPerLine;
    const Region& region = m_regions[m_lines[line].region];
    return region.memory.address(numberOf(region, line, id % kGranulesPerLine));
}

void LastLevelCache::served(FlowId flow, std::uint32_t id, std::uint32_t, TimePoint finish) {
    if (flow == m_hitFlow) {
        if (m_recorder)
            recordWaiting(-1);
        if (!m_passage)
            return m_client.lineReady(id, finish + m_latency);
        const Waiter hit = takeWaiter(id);
        m_client.lineCached(hit.waiter, finish);
        return m_client.lineReady(hit.waiter, passed(hit.bytes) + m_latency);
    }
    const std::uint32_t index = id / kGranulesPerLine;
    Line& line = m_lines[index];
    line.pending &= ~(std::uint64_t{1} << (id % kGranulesPerLine));
    line.dataAt = std::max(line.dataAt, finish + m_memory.latency());
    if (line.pending != 0)
        return;
    if (m_passage)
        return expectArrival(line, index);
    const TimePoint ready = line.dataAt + m_latency;
    while (line.waiters != 0) {
        const std::uint32_t entry = line.waiters;
        line.waiters = m_waiters[entry].next;
        m_client.lineReady(m_waiters[entry].waiter, ready);
        m_waiters[entry].next = m_freeWaiter;
        m_freeWaiter = entry;
    }
}

void LastLevelCache::expectArrival(Line& line, std::uint32_t index) {
    if (line.arriving)
        return;
    line.arriving = true;
    std::uint32_t slot = static_cast<std::uint32_t>(m_arrivals.size());
    if (m_freeArrivals.empty()) {
        m_arrivals.push_back(index);
    } else {
        slot = m_freeArrivals.back();
        m_freeArrivals.pop_back();
        m_arrivals[slot] = index;
    }
    m_passage->arrived.schedule(line.dataAt, slot);
}

// Lets data pass to those that wait for them, first in, first out. If granules of the line were evicted and asked for
// again meanwhile, all wait for the last of them.
void LastLevelCache::onArrived(std::uint32_t slot) {
    const std::uint32_t index = m_arrivals[slot];
    m_freeArrivals.push_back(slot);
    Line& line = m_lines[index];
    line.arriving = false;
    if (line.pending != 0)
        return;
    if (line.dataAt > m_clock.now())
        return expectArrival(line, index);
    std::uint32_t first = 0;
    for (std::uint32_t entry = std::exchange(line.waiters, 0); entry != 0;) {  // the latest is the first of the list
        const std::uint32_t next = std::exchange(m_waiters[entry].next, first);
        first = std::exchange(entry, next);
    }
    while (first != 0) {
        const Waiter waiter = takeWaiter(std::exchange(first, m_waiters[first].next));
        m_client.lineCached(waiter.waiter, m_clock.now());
        m_client.lineReady(waiter.waiter, passed(waiter.bytes) + m_latency);
    }
}

LlcResult LastLevelCache::stats() const {
    LlcResult result;
    result.hit = m_hit;
    result.miss = m_miss;
    const std::int64_t asked = m_hit.count + m_miss.count;
    result.hitRate = asked == 0 ? 0 : static_cast<double>(m_hit.count) / static_cast<double>(asked);
    return result;
}

}  // namespace engine
