#include "ui/inside/inside_words.h"

#include "data/replay/shown_run.h"
#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "ui/inside/inside_brush.h"
#include "ui/look/format.h"
#include "ui/shared/ring_moment.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ui {
namespace {

using data::GpuInside;
using data::GpuInventory;
using data::GpuPart;
using data::TrafficKind;
using data::TrafficOwner;

QString number(std::int64_t count) { return formatCount(count); }
QString share(double part, double whole) { return formatPercent(whole > 0 ? part / whole : 0); }

/// Collects the facts of one part or unit.
class Facts {
public:
    Facts(const RingMoment& moment, std::uint32_t gpu, data::GpuPartRef ref)
        : m_now(moment.inside(gpu)), m_state(moment.of(gpu)), m_inventory(moment.insideIndex().inventory(gpu)),
          m_words(moment.tileWords()), m_ref(ref) {}

    std::vector<PartFact> take() {
        const bool whole = !m_ref.unit.has_value();
        switch (m_ref.part) {
        case GpuPart::computeUnits: whole ? units() : unit(*m_ref.unit); break;
        case GpuPart::cache: cache(); break;
        case GpuPart::addressMap: whole ? map() : chunk(*m_ref.unit); break;
        case GpuPart::tracker: whole ? tracker() : entry(*m_ref.unit); break;
        case GpuPart::nearMemory: nearMemory(); break;
        case GpuPart::arbiter: whole ? arbiter() : channelQueues(m_now.channels.at(*m_ref.unit)); break;
        case GpuPart::channels: whole ? channels() : channel(m_now.channels.at(*m_ref.unit)); break;
        case GpuPart::dma: whole ? dma() : engine(m_now.engines.at(*m_ref.unit)); break;
        case GpuPart::linksIn: links(m_now.linksIn, m_inventory.inFrom, insideTr("from %1")); break;
        case GpuPart::linksOut: links(m_now.linksOut, m_inventory.outTo, insideTr("to %1")); break;
        }
        return std::move(m_facts);
    }

private:
    void add(const QString& name, const QString& value) { m_facts.push_back({m_ref, name, value}); }

    void units() {
        std::array<int, 5> doing{};
        for (const GpuInside::Slot& slot : m_now.slots)
            ++doing[static_cast<std::size_t>(slot.doing)];
        using Doing = GpuInside::Slot::Doing;
        const auto count = [&](Doing what) { return number(doing[static_cast<std::size_t>(what)]); };
        add(insideTr("compute units"), number(m_inventory.computeUnits));
        add(insideTr("slots that compute"), count(Doing::computing));
        add(insideTr("slots that wait for data"), count(Doing::loading));
        add(insideTr("slots that store"), count(Doing::storing));
        if (doing[static_cast<std::size_t>(Doing::collective)] > 0)
            add(insideTr("slots of a collective kernel"), count(Doing::collective));
        add(insideTr("empty slots"), count(Doing::empty));
        if (m_state.wave)
            add(insideTr("wave"), number(*m_state.wave + 1));
        add(insideTr("loads"), rateText(m_now.loadsPerSecond));
        add(insideTr("stores"), rateText(m_now.storesPerSecond));
    }

    void unit(std::uint32_t unit) {
        const std::uint32_t slots = std::max(1u, m_inventory.slots);
        for (std::uint32_t i = 0; i < slots; ++i) {
            const std::size_t index = std::size_t{unit} * slots + i;
            if (index < m_now.slots.size())
                add(insideTr("slot %1").arg(i), slotText(m_now.slots[index]));
        }
    }

    static QString slotText(const GpuInside::Slot& slot) {
        using Doing = GpuInside::Slot::Doing;
        switch (slot.doing) {
        case Doing::empty: return insideTr("empty");
        case Doing::collective: return insideTr("collective kernel");
        case Doing::storing: return insideTr("stores tile %1").arg(slot.tile);
        case Doing::loading:
        case Doing::computing: break;
        }
        const QString text = slot.doing == Doing::loading ? insideTr("waits for data of tile %1, K-step %2 of %3")
                                                          : insideTr("computes tile %1, K-step %2 of %3");
        return text.arg(slot.tile).arg(std::min(slot.stepsDone + 1, slot.steps)).arg(slot.steps);
    }

    void cache() {
        const double asked = static_cast<double>(m_now.cacheHits + m_now.cacheMisses);
        add(insideTr("size"), formatBytes(m_inventory.cacheBytes));
        add(insideTr("hits now"), rateText(m_now.cacheHitsPerSecond));
        add(insideTr("misses now"), rateText(m_now.cacheMissesPerSecond));
        add(insideTr("hits so far"),
            insideTr("%1 (%2)").arg(formatBytes(m_now.cacheHits), share(static_cast<double>(m_now.cacheHits), asked)));
        add(insideTr("misses so far"), formatBytes(m_now.cacheMisses));
        add(insideTr("hits that wait behind misses"), number(m_now.cacheWaiting));
    }

    void map() {
        add(insideTr("chunks"), number(static_cast<std::int64_t>(m_state.chunkTiles.size())));
        std::array<std::uint32_t, data::kTileStates> tiles{};
        for (const auto& chunk : m_state.chunkTiles)
            for (std::size_t i = 0; i < tiles.size(); ++i)
                tiles[i] += chunk[i];
        addTiles(tiles);
    }
    void chunk(std::uint32_t chunk) {
        if (chunk < m_state.chunkTiles.size())
            addTiles(m_state.chunkTiles[chunk]);
    }
    void addTiles(const std::array<std::uint32_t, data::kTileStates>& tiles) {
        for (const data::TileState state : kAllTileStates)
            if (tiles[static_cast<std::size_t>(state)] > 0)
                add(insideTr("tiles %1").arg(m_words.nameOf(state)), number(tiles[static_cast<std::size_t>(state)]));
    }

    void tracker() {
        add(insideTr("entries in use"),
            insideTr("%1 of %2").arg(m_state.tracker.size()).arg(m_inventory.trackerSets * m_inventory.trackerWays));
        add(insideTr("sets and ways"), insideTr("%1 × %2").arg(m_inventory.trackerSets).arg(m_inventory.trackerWays));
        add(insideTr("updates held outside"), formatBytes(m_now.heldBytes));
        if (m_state.lastTriggeredBlock)
            add(insideTr("latest trigger"),
                insideTr("block %1 at %2").arg(*m_state.lastTriggeredBlock).arg(formatTime(*m_state.lastTriggerPs)));
    }
    void entry(std::uint32_t cell) {
        const std::vector<std::uint32_t> cells = entryCells(m_state.tracker, m_inventory.trackerWays);
        const auto found = std::ranges::find(cells, cell);
        if (found == cells.end())
            return add(insideTr("entry"), insideTr("free"));
        const data::TrackerEntry& entry = m_state.tracker[static_cast<std::size_t>(found - cells.begin())];
        add(insideTr("tile"), insideTr("%1 of chunk %2").arg(entry.tile).arg(entry.chunk));
        for (std::size_t i = 0; i < entry.landedBytes.size(); ++i)
            add(insideTr("wavefront %1").arg(i),
                insideTr("%1 of %2").arg(formatBytes(entry.landedBytes[i]), formatBytes(entry.thresholdBytes[i])));
    }

    void nearMemory() {
        add(insideTr("updates of compute"),
            rateText(m_now.memoryPerSecond.of(TrafficOwner::compute, TrafficKind::update)));
        add(insideTr("updates of communication"),
            rateText(m_now.memoryPerSecond.of(TrafficOwner::communication, TrafficKind::update)));
        std::int64_t busy = 0;
        for (const GpuInside::Channel& channel : m_now.channels)
            busy += channel.serving && channel.serving->kind == TrafficKind::update ? 1 : 0;
        add(insideTr("channels that update"), insideTr("%1 of %2").arg(busy).arg(m_now.channels.size()));
    }

    void arbiter() {
        std::array<std::int64_t, 2> waiting{}, bytes{}, queued{};
        for (const GpuInside::Channel& channel : m_now.channels)
            for (std::size_t i = 0; i < 2; ++i) {
                waiting[i] += channel.waiting[i];
                bytes[i] += channel.waitingBytes[i];
                queued[i] += channel.queuedOf[i];
            }
        for (std::size_t i = 0; i < 2; ++i) {
            const QString owner = nameOf(static_cast<TrafficOwner>(i));
            add(insideTr("waiting in %1 streams").arg(owner),
                insideTr("%1 requests, %2").arg(number(waiting[i]), formatBytes(bytes[i])));
            add(insideTr("%1 in DRAM queues").arg(owner), insideTr("%1 requests").arg(number(queued[i])));
        }
        add(insideTr("threshold for communication"), thresholdText());
    }
    void channelQueues(const GpuInside::Channel& channel) {
        for (std::size_t i = 0; i < 2; ++i)
            add(insideTr("waiting in the %1 stream").arg(nameOf(static_cast<TrafficOwner>(i))),
                insideTr("%1 requests, %2").arg(channel.waiting[i]).arg(formatBytes(channel.waitingBytes[i])));
        add(insideTr("DRAM queue"), insideTr("%1 of %2 requests").arg(channel.queued).arg(m_inventory.dramQueue));
        add(insideTr("threshold for communication"), thresholdText());
        if (channel.lastPick)
            add(insideTr("arbiter's latest choice"),
                insideTr("%1, %2 ago")
                    .arg(nameOf(*channel.lastPick == engine::Stream::compute ? TrafficOwner::compute
                                                                             : TrafficOwner::communication),
                         formatTime(m_now.ps - channel.lastPickPs)));
    }
    QString thresholdText() const {
        if (!m_inventory.arbitrates)
            return insideTr("none: this policy treats both streams alike");
        return m_inventory.threshold ? insideTr("fewer than %1 requests in the DRAM queue").arg(*m_inventory.threshold)
                                     : insideTr("no limit");
    }

    void traffic(const data::Traffic& traffic) {
        static constexpr std::array<const char*, data::kTrafficKinds> kKinds{"%1 reads", "%1 writes", "%1 updates",
                                                                             "%1 passes inside memory"};
        for (std::size_t owner = 0; owner < data::kTrafficOwners; ++owner)
            for (std::size_t kind = 0; kind < data::kTrafficKinds; ++kind)
                if (traffic.bytes[owner][kind] > 0)
                    add(insideTr(kKinds[kind]).arg(nameOf(static_cast<TrafficOwner>(owner))),
                        rateText(traffic.bytes[owner][kind]));
    }
    void channels() {
        add(insideTr("channels"), number(static_cast<std::int64_t>(m_now.channels.size())));
        add(insideTr("served"), rateText(m_now.memoryPerSecond.total()));
        traffic(m_now.memoryPerSecond);
    }
    void channel(const GpuInside::Channel& channel) {
        if (channel.serving)
            add(insideTr("serves"),
                insideTr("%1, %2 done").arg(nameOf(channel.serving->owner), formatPercent(channel.serving->doneShare)));
        else
            add(insideTr("serves"), insideTr("no request"));
        if (const auto banks = m_inventory.bankGroups * m_inventory.banksPerGroup; banks > 0) {
            const auto closed = std::ranges::count(channel.banks, data::BankState::closed) +
                                static_cast<std::ptrdiff_t>(banks - channel.banks.size());
            add(insideTr("rows open"), insideTr("%1 of %2 banks").arg(banks - closed).arg(banks));
        }
        traffic(channel.perSecond);
    }

    void dma() {
        add(m_inventory.trackerSets == 0 && m_inventory.commands != 0 ? insideTr("copies that wait")
                                                                      : insideTr("commands that wait for the tracker"),
            number(m_now.commandsWaiting));
        add(insideTr("commands that are ready"), number(m_now.commandsReady));
        add(insideTr("commands done"), number(m_now.commandsDone));
        std::int64_t reading = 0, taken = 0, sending = 0;
        for (const GpuInside::Engine& engine : m_now.engines) {
            reading += engine.reading ? 1 : 0;
            taken += static_cast<std::int64_t>(engine.next.size());
            sending += static_cast<std::int64_t>(engine.sending.size());
        }
        add(insideTr("commands that read"), number(reading));
        add(insideTr("commands that wait in an engine to read"), number(taken));
        add(insideTr("commands that only send"), number(sending));
    }
    void engine(const GpuInside::Engine& engine) {
        const auto report = [this](const QString& name, const GpuInside::Command& command) {
            add(name, (command.to ? insideTr("copy to GPU %1 of chunk %2: %3 of %4 read, %5 sent").arg(*command.to)
                                  : insideTr("block %1 of chunk %2: %3 of %4 read, %5 sent").arg(command.block))
                          .arg(command.chunk)
                          .arg(formatBytes(static_cast<std::int64_t>(command.readBytes)),
                               formatBytes(static_cast<std::int64_t>(command.bytes)),
                               formatBytes(static_cast<std::int64_t>(command.sentBytes))));
        };
        if (engine.reading)
            report(insideTr("reads"), *engine.reading);
        for (const GpuInside::Command& command : engine.sending)
            report(insideTr("sends"), command);
        if (m_facts.empty())
            add(insideTr("engine"), insideTr("idle"));
    }

    void links(const std::vector<GpuInside::Link>& links, const std::vector<std::optional<std::uint32_t>>& ends,
               const QString& where) {
        for (std::size_t i = 0; i < links.size(); ++i) {
            if (m_ref.unit && *m_ref.unit != i)
                continue;
            const QString end = i < ends.size() && ends[i] ? insideTr("GPU %1").arg(*ends[i]) : insideTr("a switch");
            QString value = insideTr("%1, %2 of its bandwidth")
                                .arg(rateText(links[i].bytesPerSecond), formatPercent(links[i].useOf));
            if (links[i].chunk)
                value = insideTr("%1, chunk %2 now").arg(value).arg(*links[i].chunk);
            add(where.arg(end), value);
        }
    }

    const GpuInside& m_now;
    const data::GpuState& m_state;
    const GpuInventory& m_inventory;
    TileWords m_words;
    data::GpuPartRef m_ref;
    std::vector<PartFact> m_facts;
};

}  // namespace

std::vector<PartFact> partFacts(const RingMoment& moment, std::uint32_t gpu, data::GpuPartRef ref) {
    const auto chunks = static_cast<std::uint32_t>(moment.of(gpu).chunkTiles.size());
    if (!hasPart(moment.insideIndex().inventory(gpu), chunks, ref))
        return {};
    return Facts(moment, gpu, ref).take();
}

std::vector<PartFact> partFacts(const RingMoment& moment, std::uint32_t gpu) {
    std::vector<PartFact> all;
    for (std::size_t i = 0; i < data::kGpuParts; ++i) {
        const std::vector<PartFact> facts = partFacts(moment, gpu, {static_cast<GpuPart>(i), std::nullopt});
        all.insert(all.end(), facts.begin(), facts.end());
    }
    return all;
}

std::array<QString, data::kGpuParts> partValues(const RingMoment& moment, std::uint32_t gpu) {
    const GpuInside& now = moment.inside(gpu);
    const data::GpuState& state = moment.of(gpu);
    const GpuInventory& inventory = moment.insideIndex().inventory(gpu);
    std::array<QString, data::kGpuParts> values;
    const auto at = [&](GpuPart part) -> QString& { return values[static_cast<std::size_t>(part)]; };
    if (inventory.computeUnits > 0)
        at(GpuPart::computeUnits) =
            state.wave && now.runningWorkgroups > 0
                ? insideTr("wave %1, %2 workgroups").arg(*state.wave + 1).arg(now.runningWorkgroups)
                : insideTr("%1 workgroups").arg(now.runningWorkgroups);
    const double asked = now.cacheHitsPerSecond + now.cacheMissesPerSecond;
    if (asked > 0)
        at(GpuPart::cache) = insideTr("%1 hits").arg(formatPercent(now.cacheHitsPerSecond / asked));
    if (inventory.trackerSets > 0)
        at(GpuPart::tracker) =
            insideTr("%1 of %2").arg(state.tracker.size()).arg(inventory.trackerSets * inventory.trackerWays);
    if (inventory.arbitrates)
        at(GpuPart::arbiter) = inventory.threshold
                                   ? insideTr("compute first; communication below %1").arg(*inventory.threshold)
                                   : insideTr("compute first");
    else if (inventory.channels > 0)
        at(GpuPart::arbiter) = insideTr("serves both streams in turn");
    at(GpuPart::channels) = rateText(now.memoryPerSecond.total());
    return values;
}

std::uint32_t unitsOf(const GpuInventory& inventory, std::uint32_t chunks, GpuPart part) {
    switch (part) {
    case GpuPart::computeUnits: return inventory.computeUnits;
    case GpuPart::cache: return 0;
    case GpuPart::addressMap: return chunks;
    case GpuPart::tracker: return inventory.trackerSets * inventory.trackerWays;
    case GpuPart::nearMemory: return inventory.hasNearMemory ? inventory.channels : 0;
    case GpuPart::arbiter:
    case GpuPart::channels: return inventory.channels;
    case GpuPart::dma: return inventory.engines;
    case GpuPart::linksIn: return static_cast<std::uint32_t>(inventory.linksIn.size());
    case GpuPart::linksOut: break;
    }
    return static_cast<std::uint32_t>(inventory.linksOut.size());
}

bool hasPart(const GpuInventory& inventory, std::uint32_t chunks, data::GpuPartRef ref) {
    const std::uint32_t units = unitsOf(inventory, chunks, ref.part);
    if (ref.unit)
        return *ref.unit < units;
    if (ref.part == GpuPart::cache)
        return inventory.hasCache;
    return ref.part == GpuPart::tracker ? inventory.trackerSets > 0 : units > 0;
}

QStringList absentParts(const RingMoment& moment, std::uint32_t gpu) {
    const GpuInventory& inventory = moment.insideIndex().inventory(gpu);
    QStringList absent;
    if (inventory.computeUnits == 0)
        absent << insideTr("no compute units: no kernel runs on them");
    if (!inventory.hasCache)
        absent << insideTr("no cache: no data are loaded through it");
    const std::vector<data::ChunkPart> chunks = moment.insideIndex().chunkParts(gpu);
    if (inventory.trackerSets == 0)
        absent << (std::ranges::any_of(chunks, &data::ChunkPart::direct)
                       ? insideTr("no tracker: stores go directly to the owner of each chunk")
                   : inventory.linksOut.empty() ? insideTr("no tracker: no data arrive from other GPUs")
                   : inventory.commands != 0    ? insideTr("no tracker: the host hands copies to the DMA engines")
                                                : insideTr("no tracker: kernels of the collective move the data"));
    else if (inventory.trackerWays == 0)
        absent << insideTr("the tracker has no ways, so it has no entries");
    if (inventory.engines == 0)
        absent << insideTr("no DMA engines: no command is programmed");
    if (!inventory.hasNearMemory)
        absent << insideTr("no near-memory updates: compute units add the results");
    if (inventory.linksOut.empty() && inventory.linksIn.empty())
        absent << insideTr("no links: the run has one GPU");
    return absent;
}

QString titleOf(data::GpuPartRef ref) {
    if (!ref.unit || ref.part == GpuPart::cache)  // a GPU has one cache
        return nameOf(ref.part);
    return insideTr(wordsOf(ref.part).unit).arg(*ref.unit);
}

QString markText(GpuPart part, const GpuInventory& inventory) {
    if (part == GpuPart::channels) {
        QStringList letters;
        for (const TrafficKind kind : servedKindsOf(inventory))
            letters << insideTr("%1: %2").arg(letterOf(kind), nameOf(kind));
        return letters.join(QStringLiteral(", "));
    }
    if (part != GpuPart::arbiter || !inventory.threshold)
        return {};
    return insideTr(
        "Dashed line: the threshold. Communication enters a DRAM queue only while it holds fewer requests.");
}

QString laneOf(GpuPart part) { return text(engine::name(wordsOf(part).lane)); }

std::vector<std::string> parametersOf(GpuPart part) {
    const std::vector<std::string_view>& prefixes = wordsOf(part).prefixes;
    std::vector<std::string> paths;
    for (const engine::Parameter& parameter : engine::parameters())
        if (std::ranges::any_of(prefixes, [&](std::string_view prefix) { return parameter.path.starts_with(prefix); }))
            paths.push_back(parameter.path);
    return paths;
}

}  // namespace ui
