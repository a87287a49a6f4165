#include "data/replay/gpu_inside.h"

#include "data/replay/channel_history.h"
#include "data/replay/dma_history.h"
#include "data/replay/kernel_number.h"
#include "data/replay/slot_history.h"
#include "data/replay/span_list.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace data {
namespace {

using engine::CounterKind;
using engine::LaneKind;

constexpr std::int64_t kWindowsOfRun = 500;
constexpr double kPsOfSecond = 1e12;

}  // namespace

class InsideIndex::RecordedGpu {
public:
    RecordedGpu(const RunLog& log, const engine::Experiment& experiment, std::uint32_t recorded,
                const std::stop_token& stop)
        : m_slots(log.trace(), experiment, recorded), m_dma(log, experiment, recorded),
          m_parts(log.facts(recorded).parts) {
        for (const engine::Lane& lane : log.trace().lanes) {
            if (stop.stop_requested())
                return;
            if (lane.gpu == recorded)
                addLane(lane, experiment);
        }
        for (const engine::CounterSeries& series : log.trace().counters)
            if (series.gpu == recorded)
                m_counters[static_cast<std::size_t>(series.kind)] = &series;
    }

    void describe(const RunLog& log, std::uint32_t gpu, GpuInside& inside) const {
        describeSlots(log, gpu, inside);
        describeCache(inside);
        describeChannels(inside);
        describeLinks(log, gpu, m_linksOut, m_parts, inside, inside.linksOut);
        describeLinks(log, gpu, m_linksIn, {}, inside, inside.linksIn);
    }
    const DmaHistory& dma() const { return m_dma; }
    std::uint32_t mostWaiting() const {
        std::uint32_t most = 0;
        for (const MemoryChannel& channel : m_channels)
            most = std::max(most, channel.requests.mostWaiting());
        return most;
    }

private:
    struct MemoryChannel {
        std::uint32_t index;
        ChannelHistory requests;
        BankHistory banks;
    };
    using Links = std::vector<const engine::Lane*>;  // by index; null: no packet

    static void addLink(const engine::Lane& lane, Links& links) {
        links.resize(std::max<std::size_t>(links.size(), lane.index + std::size_t{1}));
        links[lane.index] = &lane;
    }

    void addLane(const engine::Lane& lane, const engine::Experiment& experiment) {
        if (lane.kind == LaneKind::linkOut)
            addLink(lane, m_linksOut);
        else if (lane.kind == LaneKind::linkIn)
            addLink(lane, m_linksIn);
        else if (lane.kind == LaneKind::dramChannel)
            m_channels.push_back({lane.index, ChannelHistory(lane), BankHistory(lane, experiment)});
    }

    std::int64_t counted(CounterKind kind, std::int64_t ps) const {
        const engine::CounterSeries* series = m_counters[static_cast<std::size_t>(kind)];
        return series == nullptr ? 0 : valueAt(*series, ps);
    }

    static double perSecond(double amount, const GpuInside& inside) {
        return amount * kPsOfSecond / static_cast<double>(inside.window);
    }

    void describeSlots(const RunLog& log, std::uint32_t gpu, GpuInside& inside) const {
        inside.slots = m_slots.at(inside.ps);
        for (GpuInside::Slot& slot : inside.slots) {
            using Doing = GpuInside::Slot::Doing;
            if (slot.doing == Doing::empty || slot.doing == Doing::collective)
                continue;
            ++inside.runningWorkgroups;
            if (slot.kernel == engine::kOwnKernel)
                slot.tile = log.tileOn(gpu, slot.tile);
        }
        inside.storesPerSecond = perSecond(m_slots.storedBetween(inside.ps - inside.window, inside.ps), inside);
    }

    void describeCache(GpuInside& inside) const {
        const std::int64_t from = inside.ps - inside.window;
        inside.cacheHits = counted(CounterKind::cacheHits, inside.ps);
        inside.cacheMisses = counted(CounterKind::cacheMisses, inside.ps);
        inside.cacheWaiting = counted(CounterKind::cacheWaiting, inside.ps);
        const std::int64_t hits = inside.cacheHits - counted(CounterKind::cacheHits, from);
        const std::int64_t misses = inside.cacheMisses - counted(CounterKind::cacheMisses, from);
        inside.cacheHitsPerSecond = perSecond(static_cast<double>(hits), inside);
        inside.cacheMissesPerSecond = perSecond(static_cast<double>(misses), inside);
        inside.loadsPerSecond = inside.cacheHitsPerSecond + inside.cacheMissesPerSecond;
    }

    // Adds the state of each channel. A channel that never had a request has no lane and keeps its default state.
    void describeChannels(GpuInside& inside) const {
        for (const MemoryChannel& each : m_channels) {
            if (each.index >= inside.channels.size())
                continue;
            GpuInside::Channel& channel = inside.channels[each.index];
            channel = each.requests.at(inside.ps);
            channel.banks = each.banks.at(inside.ps, inside.window);
            channel.perSecond = servedBetween(each.requests.lane(), inside.ps - inside.window, inside.ps);
            channel.perSecond *= kPsOfSecond / static_cast<double>(inside.window);
            inside.memoryPerSecond += channel.perSecond;
        }
    }

    static void describeLinks(const RunLog& log, std::uint32_t gpu, const Links& lanes,
                              std::span<const ChunkPart> parts, const GpuInside& inside,
                              std::vector<GpuInside::Link>& links) {
        for (std::size_t i = 0; i < std::min(links.size(), lanes.size()); ++i) {
            if (lanes[i] == nullptr)
                continue;
            GpuInside::Link& link = links[i];
            const Carried carried = carriedBetween(*lanes[i], inside.ps - inside.window, inside.ps, parts);
            link.bytesPerSecond = perSecond(carried.bytes, inside);
            link.ofOwner = carried.ofOwner;
            for (double& bytes : link.ofOwner)
                bytes = perSecond(bytes, inside);
            link.useOf = std::min(1.0, static_cast<double>(carried.busyPs) / static_cast<double>(inside.window));
            const engine::Span* const packet = spanAt(lanes[i]->spans, inside.ps);
            if (packet == nullptr)
                continue;
            link.kernel = engine::kernelOf(*packet);
            link.chunk = link.kernel == engine::kOwnKernel ? log.chunkOn(gpu, packet->second)
                                                           : companionChunkOn(log.trace(), gpu, *packet);
        }
    }

    SlotHistory m_slots;
    DmaHistory m_dma;
    std::span<const ChunkPart> m_parts;  // by chunk, as this GPU numbers them
    std::vector<MemoryChannel> m_channels;
    Links m_linksOut, m_linksIn;
    std::array<const engine::CounterSeries*, engine::kCounterKinds> m_counters{};
};

struct InsideIndex::Parts {
    std::shared_ptr<const ShownRun> run;
    std::shared_ptr<const RunLog> log;
    std::int64_t window = 1;
    std::vector<GpuInventory> inventories;  // by GPU
    std::vector<RecordedGpu> recorded;
    std::uint32_t mostWaiting = 1;
};

InsideIndex::InsideIndex(std::shared_ptr<const ShownRun> run, std::shared_ptr<const RunLog> log,
                         const std::stop_token& stop) {
    const engine::Experiment experiment = asRun(run->run);
    auto parts = std::make_unique<Parts>();
    parts->window = std::max<std::int64_t>(1, endOf(*run) / kWindowsOfRun);
    const std::uint32_t recorded = log->recorded();
    std::vector<const LogFacts*> facts;
    for (std::uint32_t gpu = 0; gpu < recorded && !stop.stop_requested(); ++gpu) {
        parts->recorded.emplace_back(*log, experiment, gpu, stop);
        facts.push_back(&log->facts(gpu));
        parts->mostWaiting = std::max(parts->mostWaiting, parts->recorded.back().mostWaiting());
    }
    if (!stop.stop_requested())
        parts->inventories = inventoriesOf(experiment, log->trace(), facts);
    parts->run = std::move(run);
    parts->log = std::move(log);
    m_parts = std::move(parts);
}

InsideIndex::~InsideIndex() = default;

std::uint32_t InsideIndex::mostWaiting() const { return m_parts->mostWaiting; }

std::vector<ChunkPart> InsideIndex::chunkParts(std::uint32_t gpu) const {
    const RunLog& log = *m_parts->log;
    const std::vector<ChunkPart>& recorded = log.facts(log.trace().recorded(gpu)).parts;
    std::vector<ChunkPart> parts(recorded.size());
    for (std::uint32_t chunk = 0; chunk < recorded.size(); ++chunk)
        parts[log.chunkOn(gpu, chunk)] = recorded[chunk];
    return parts;
}

const GpuInventory& InsideIndex::inventory(std::uint32_t gpu) const { return m_parts->inventories.at(gpu); }

std::int64_t InsideIndex::window() const { return m_parts->window; }

GpuInside InsideIndex::at(std::uint32_t gpu, Position position, const GpuState& state) const {
    const RunLog& log = *m_parts->log;
    const GpuInventory& inventory = m_parts->inventories.at(gpu);
    const RecordedGpu& recorded = m_parts->recorded.at(log.trace().recorded(gpu));
    GpuInside inside;
    inside.ps = position.ps;
    inside.window = m_parts->window;
    inside.channels.resize(inventory.channels);
    inside.linksOut.resize(inventory.linksOut.size());
    inside.linksIn.resize(inventory.linksIn.size());
    inside.heldBytes = state.heldBytes;
    recorded.describe(log, gpu, inside);
    recorded.dma().describe(state, inside);
    if (state.lastTriggeredBlock && state.lastTriggerPs) {
        const auto since = static_cast<double>(position.ps - *state.lastTriggerPs);
        const double age = since / static_cast<double>(inside.window);
        if (age <= 1)
            inside.trigger = {*state.lastTriggeredBlock, age};
    }
    return inside;
}

}  // namespace data
