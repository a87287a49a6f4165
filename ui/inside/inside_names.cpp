// The names and fills of the parts and streams of one GPU, and the rates of the flows between them.
#include "ui/inside/inside_brush.h"
#include "ui/inside/inside_words.h"
#include "ui/look/kernel_style.h"

namespace ui {

using data::GpuInside;
using data::GpuPart;
using data::TrafficOwner;

Fill fillOf(TrafficOwner owner, const Palette& colors) {
    switch (owner) {
    case TrafficOwner::compute: return {colors.of(Role::gemm), colors.surface, Texture::plain};
    case TrafficOwner::communication: return {colors.of(Role::reduceScatter), colors.surface, Texture::rising};
    case TrafficOwner::companion: break;
    }
    return fillOf(data::kFirstCopy, colors);
}

QString nameOf(TrafficOwner owner) {
    static constexpr std::array<const char*, data::kTrafficOwners> kNames{"compute", "communication", "companion"};
    return insideTr(kNames[static_cast<std::size_t>(owner)]);
}

const PartWords& wordsOf(GpuPart part) {
    using engine::LaneKind;
    static const std::array<PartWords, data::kGpuParts> words{
        {{"Compute units", "CUs", "Compute unit %1", LaneKind::gemmWaves, {"cu.", "gemm.", "collective.cu_"}},
         {"Last-level cache", "LLC", "Last-level cache", LaneKind::loads, {"llc.", "cache."}},
         {"Address map",
          "Map",
          "Chunk %1",
          LaneKind::stores,
          {"policy.mapping", "policy.order", "collective.algorithm", "collective.operation"}},
         {"Tracker", "Tracker", "Tracker entry %1", LaneKind::tracker, {"tracker."}},
         {"Near-memory updates",
          "NMC",
          "Update unit of channel %1",
          LaneKind::dramChannel,
          {"collective.reduction", "memory.update_cost", "memory.arriving_update_cost"}},
         {"Memory controller",
          "Memory",
          "Queues of channel %1",
          LaneKind::dramChannel,
          {"arbitration.", "memory.queue", "memory.store_order", "memory.write_drain"}},
         {"Memory channels",
          "Channels",
          "Memory channel %1",
          LaneKind::dramChannel,
          {"memory.bandwidth", "memory.efficiency", "memory.latency", "memory.model", "detail.channels"}},
         {"DMA engine", "DMA", "DMA engine %1", LaneKind::dma, {"dma."}},
         {"In", "In", "Link in %1", LaneKind::linkIn, {"link.", "topology."}},
         {"Out", "Out", "Link out %1", LaneKind::linkOut, {"link.", "topology."}}}};
    return words[static_cast<std::size_t>(part)];
}

QString nameOf(GpuPart part) { return insideTr(wordsOf(part).name); }

QString shortNameOf(GpuPart part) { return insideTr(wordsOf(part).shortName); }

QString nameOf(FlowKind flow) {
    static constexpr std::array<const char*, kFlowKinds> kNames{
        "loads", "reads", "stores", "to memory", "to a link", "arrivals", "updates", "reads", "sends", "trigger"};
    return insideTr(kNames[static_cast<std::size_t>(flow)]);
}

QString nameOf(data::TrafficKind kind) {
    static constexpr std::array<const char*, data::kTrafficKinds> kNames{"read", "write", "update",
                                                                         "pass inside memory"};
    return insideTr(kNames[static_cast<std::size_t>(kind)]);
}

QString letterOf(data::TrafficKind kind) {
    static constexpr std::array<const char*, data::kTrafficKinds> kLetters{"R", "W", "U", "P"};
    return insideTr(kLetters[static_cast<std::size_t>(kind)]);
}

std::vector<data::TrafficKind> servedKindsOf(const data::GpuInventory& inventory) {
    using enum data::TrafficKind;
    std::vector<data::TrafficKind> kinds{read, write, update};
    if (inventory.hasPass)
        kinds.push_back(pass);
    return kinds;
}

QPen thresholdPen(const PictureLook& look) {
    return {look.colors.ink, std::max(look.pixel, look.line * 0.09), Qt::DashLine};
}

std::array<double, data::kTrafficOwners> rateOn(FlowKind flow, const GpuInside& inside) {
    using data::TrafficKind;
    static constexpr auto kCommunication = static_cast<std::size_t>(TrafficOwner::communication);
    const data::Traffic& memory = inside.memoryPerSecond;
    const auto links = [](const std::vector<GpuInside::Link>& all) {
        std::array<double, data::kTrafficOwners> sum{};
        for (const GpuInside::Link& link : all)
            for (std::size_t owner = 0; owner < sum.size(); ++owner)
                sum[owner] += link.ofOwner[owner];
        return sum;
    };
    const auto written = [&](TrafficOwner owner) {
        return memory.of(owner, TrafficKind::write) + memory.of(owner, TrafficKind::update);
    };
    // While an engine has a command, DMA moves the data of the collective; otherwise kernels on the compute units do.
    const bool byDma = std::ranges::any_of(
        inside.engines, [](const GpuInside::Engine& engine) { return engine.reading || !engine.sending.empty(); });
    const double reads = memory.of(TrafficOwner::communication, TrafficKind::read);
    const double companionReads = memory.of(TrafficOwner::companion, TrafficKind::read);
    const bool companionOnUnits = std::ranges::any_of(
        inside.slots, [](const GpuInside::Slot& slot) { return slot.kernel != engine::kOwnKernel; });
    const double unitReads = companionOnUnits ? companionReads : 0;
    const auto in = links(inside.linksIn), out = links(inside.linksOut);
    // The data that the collective writes have arrived over a link, or compute units have summed them.
    const double arrived = std::min(in[kCommunication], written(TrafficOwner::communication));
    const bool kernelsRun = std::ranges::any_of(inside.slots, [](const GpuInside::Slot& slot) {
        return slot.doing == GpuInside::Slot::Doing::collective && slot.kernel == engine::kOwnKernel;
    });
    const double summed = kernelsRun ? written(TrafficOwner::communication) - arrived : 0;
    switch (flow) {
    case FlowKind::loads: return {inside.loadsPerSecond, byDma ? 0 : reads, unitReads};
    case FlowKind::misses: return {memory.of(TrafficOwner::compute, TrafficKind::read), byDma ? 0 : reads, unitReads};
    case FlowKind::stores: return {inside.storesPerSecond, summed + (byDma ? 0 : out[kCommunication]), 0};
    case FlowKind::localStores: return {written(TrafficOwner::compute), summed, 0};
    case FlowKind::directStores: return {out[0], byDma ? 0 : out[kCommunication], 0};
    case FlowKind::arrivals: return in;
    case FlowKind::updates: return {0, written(TrafficOwner::communication) - summed, written(TrafficOwner::companion)};
    case FlowKind::blockReads: return {0, byDma ? reads : 0, companionReads - unitReads};
    case FlowKind::sends: return {0, byDma ? out[kCommunication] : 0, out[2]};
    case FlowKind::trigger: break;
    }
    return {};
}

std::vector<std::uint32_t> entryCells(const std::vector<data::TrackerEntry>& entries, std::uint32_t ways) {
    std::vector<std::uint32_t> cells;
    std::uint32_t way = 0;
    for (const data::TrackerEntry& entry : entries) {
        const bool sameSet = &entry != &entries.front() && (&entry - 1)->set == entry.set;
        way = sameSet ? way + 1 : 0;
        cells.push_back(entry.set * ways + way);
    }
    return cells;
}

std::uint32_t movingCommands(const GpuInside& inside) {
    std::size_t moving = 0;
    for (const GpuInside::Engine& engine : inside.engines)
        moving += (engine.reading ? 1u : 0u) + engine.next.size() + engine.sending.size();
    return static_cast<std::uint32_t>(moving);
}

}  // namespace ui
