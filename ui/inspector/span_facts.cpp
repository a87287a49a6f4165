#include "ui/inspector/inspector_page.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/run_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace ui {
namespace {

using engine::LaneKind;
using engine::SpanKind;

QString factTr(const char* text) { return QCoreApplication::translate("SpanFacts", text); }

constexpr std::size_t kMostCauses = 12;
constexpr std::uint32_t kCompanionsChunk = engine::kNone - 1;  // not a chunk of the run's own work
constexpr int kDigits = 6;  // of a time: adjacent spans in a run of milliseconds must be distinguishable

// Returns how many workgroups a CU can hold, each of which has a lane: the larger number if a companion runs GEMMs.
std::int64_t slotsPerCu(const engine::Experiment& experiment) {
    const std::int64_t own = engine::residentWorkgroups(experiment);
    const bool gemms = engine::hasCompanionGemm(experiment);
    return gemms ? std::max(own, experiment.companion.slots.value_or(own)) : own;
}

// Returns the name of a companion's lane: the copy or collective, and the DMA engine for transfers.
QString companionLane(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    const QString name = kernelName(flow.run().run.experiment, data::kernelNumberOf(span));
    return span.kind == SpanKind::companionTransfer ? factTr("%1, DMA engine %2").arg(name).arg(flow.lane(ref).index)
                                                    : name;
}

QString laneName(const data::Flow& flow, data::SpanRef ref) {
    const engine::Lane& lane = flow.lane(ref);
    switch (lane.kind) {
    case LaneKind::workgroupSlot:
    case LaneKind::loads: {
        const std::int64_t slots = slotsPerCu(data::asRun(flow.run().run));
        return factTr("CU %1, slot %2").arg(lane.index / slots).arg(lane.index % slots);
    }
    case LaneKind::dramChannel: return factTr("DRAM channel %1").arg(lane.index);
    case LaneKind::dma: return factTr("DMA engine %1").arg(lane.index);
    case LaneKind::linkOut: return factTr("link to %1").arg(QString::fromStdString(flow.linkEnd(ref)));
    case LaneKind::linkIn: return factTr("link from %1").arg(QString::fromStdString(flow.linkEnd(ref)));
    case LaneKind::gemmWaves: return factTr("compute");
    case LaneKind::stores: return factTr("stores");
    case LaneKind::tracker: return factTr("tracker");
    case LaneKind::reduceScatter: return scatterWord(flow.run().run.experiment);
    case LaneKind::allGather: return factTr("all-gather");
    case LaneKind::landings: return factTr("landings of DRAM channel %1").arg(lane.index);
    case LaneKind::companion: return companionLane(flow, ref);
    }
    return {};
}

QString chunkText(const data::Flow& flow, data::SpanRef ref, std::uint32_t chunk) {
    const data::RingPlaces& places = flow.places();
    const std::uint32_t place = places.placeOf(ref.gpu, places.recordedChunk(ref.gpu, chunk));
    if (places.gpus() < 2 || !flow.aroundRing())
        return QString::number(chunk);
    if (place + 1 == places.gpus())
        return factTr("%1, which this GPU keeps").arg(chunk);
    return place == 0 ? factTr("%1, which this GPU sends first").arg(chunk)
                      : factTr("%1, number %2 of %3 in this GPU's order").arg(chunk).arg(place + 1).arg(places.gpus());
}

QString rateText(std::int64_t bytes, std::int64_t ps) {
    // Bytes per picosecond are terabytes per second.
    const double perSecond = static_cast<double>(bytes) / static_cast<double>(ps) * 1e12;
    return formatBytes(static_cast<std::int64_t>(perSecond)) + QStringLiteral("/s");
}

// Adds the piece of the GEMM to which a wave or a workgroup belongs, if there are pieces.
void addPiece(const data::Flow& flow, data::SpanRef ref, std::vector<Fact>& facts) {
    const engine::Trace& trace = flow.run().index->trace();
    const std::vector<data::GemmPiece> pieces = data::gemmPiecesOf(trace, trace.recorded(ref.gpu));
    if (const data::GemmPiece* piece = data::pieceOf(pieces, flow.span(ref)))
        facts.push_back({factTr("Piece"), factTr("%1 of %2").arg(piece->number + 1).arg(pieces.size())});
}

void addKind(const data::Flow& flow, data::SpanRef ref, std::vector<Fact>& facts) {
    const engine::Span& span = flow.span(ref);
    const data::TraceIndex::Gpu& gpu = flow.run().index->gpu(ref.gpu);
    switch (span.kind) {
    case SpanKind::gemmWave:
        facts.push_back({factTr("Wave"), factTr("%1 of %2").arg(waveNumber(flow, ref)).arg(gpu.waveCount)});
        facts.push_back({factTr("Workgroups"), formatCount(span.second)});
        addPiece(flow, ref, facts);
        if (isLastWave(gpu, span)) {
            if (const data::LastWave last = data::lastWaveOf(flow.run(), ref.gpu); last.slots > 0)
                facts.push_back(
                    {factTr("Empty slots"),
                     factTr("%1 of %2")
                         .arg(formatCount(static_cast<std::int64_t>(last.empty.size())), formatCount(last.slots))});
        }
        break;
    case SpanKind::workgroup:
        facts.push_back({factTr("Dispatched as"), factTr("number %1").arg(span.second + 1)});
        addPiece(flow, ref, facts);
        break;
    case SpanKind::load: facts.push_back({factTr("K-step"), QString::number(span.second + 1)}); break;
    case SpanKind::trigger:
    case SpanKind::dmaTransfer: {
        facts.push_back({factTr("Block"), QString::number(span.first)});
        const auto [first, end] = flow.tilesOf(ref);
        if (first < end)
            facts.push_back({factTr("Tiles"),
                             end - first == 1 ? QString::number(first) : factTr("%1 to %2").arg(first).arg(end - 1)});
        break;
    }
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass:
        facts.push_back({factTr("Stream"), span.first == static_cast<std::uint32_t>(engine::Stream::compute)
                                               ? factTr("compute")
                                               : factTr("communication")});
        break;
    case SpanKind::companionWave: facts.push_back({factTr("Workgroups"), formatCount(span.second)}); break;
    case SpanKind::companionStep: facts.push_back({factTr("Step"), QString::number(span.first)}); break;
    case SpanKind::copy: facts.push_back({factTr("To"), factTr("GPU %1").arg(span.peer)}); break;
    case SpanKind::companionTransfer: facts.push_back({factTr("Block"), QString::number(span.first)}); break;
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: facts.push_back({factTr("Granule"), factTr("%1 of its tile").arg(span.second)}); break;
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::linkPacket:
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionPacket: break;
    }
}

// Returns whether the facts name the kernel of a span: with a companion, for spans that several kernels can have.
bool namesKernel(const engine::Experiment& experiment, const engine::Span& span) {
    switch (span.kind) {
    case SpanKind::workgroup:
    case SpanKind::load:
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass:
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket:
    case SpanKind::companionWave: return engine::hasCompanion(experiment);
    case SpanKind::gemmWave:
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::trigger:
    case SpanKind::dmaTransfer:
    case SpanKind::linkPacket:
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded:
    case SpanKind::copy: break;
    }
    return false;
}

void addTimes(const data::Flow& flow, data::SpanRef ref, std::vector<Fact>& facts) {
    const engine::Span& span = flow.span(ref);
    const std::int64_t bytes = flow.bytesOf(ref);
    const std::int64_t lasts = (span.end - span.start).ps;
    if (lasts == 0) {
        facts.push_back({factTr("At"), formatTime(span.start.ps, kDigits)});
    } else {
        facts.push_back({factTr("Start"), formatTime(span.start.ps, kDigits)});
        facts.push_back({factTr("End"), formatTime(span.end.ps, kDigits)});
        facts.push_back({factTr("Duration"), formatTime(lasts, kDigits)});
    }
    if (bytes > 0)
        facts.push_back({factTr("Bytes"), formatBytes(bytes)});
    if (bytes > 0 && lasts > 0)
        facts.push_back({factTr("Rate"), rateText(bytes, lasts)});
}

void addWaiting(const data::Flow& flow, data::SpanRef ref, std::vector<Fact>& facts) {
    if (flow.span(ref).kind != SpanKind::trackedTile)
        return;
    const std::vector<data::SpanRef> causes = flow.causes(ref);
    if (causes.size() != 2)
        return;
    const bool forStores = flow.span(causes.back()).kind == SpanKind::store;
    const QString longer = formatTime((flow.span(ref).end - flow.span(causes.front()).end).ps);
    facts.push_back({factTr("Waited for"), (forStores ? factTr("the local stores, %1 after the neighbour's update")
                                                      : factTr("the neighbour's update, %1 after the local stores"))
                                               .arg(longer)});
}

// Adds, for a step of a collective, the chunk that its incoming link was busy with for most of the step. The step ends
// when its own chunk has arrived over that link.
void addLinkWait(const data::Flow& flow, data::SpanRef ref, std::vector<Fact>& facts) {
    const engine::Span& span = flow.span(ref);
    const std::int64_t lasts = (span.end - span.start).ps;
    const bool step = span.kind == SpanKind::reduceScatterStep || span.kind == SpanKind::allGatherStep;
    if (!step || lasts <= 0 || !flow.aroundRing())
        return;
    std::map<std::uint32_t, std::int64_t> busy;  // by recorded chunk
    for (const data::Track& track : flow.run().index->gpu(ref.gpu).linkIn.tracks) {
        const data::SpanList packets = track.spans();
        for (std::size_t i = packets.firstEndingAfter(span.start.ps); i < packets.size(); ++i) {
            if (packets[i].start >= span.end)
                break;
            const auto from = std::max(packets[i].start, span.start), to = std::min(packets[i].end, span.end);
            busy[data::isOfCompanion(packets[i]) ? kCompanionsChunk : packets[i].second] += (to - from).ps;
        }
    }
    const auto most =
        std::max_element(busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == busy.end() || most->first == engine::kNone)
        return;
    const data::RingPlaces& places = flow.places();
    const QString whose = most->first == kCompanionsChunk
                              ? factTr("the companion")
                              : factTr("chunk %1").arg(places.chunkOn(ref.gpu, most->first));
    facts.push_back(
        {factTr("Waits for"), factTr("link %1→%2; busy with %3 for %4 of this time")
                                  .arg(places.upstream(ref.gpu))
                                  .arg(ref.gpu)
                                  .arg(whose)
                                  .arg(formatPercent(static_cast<double>(most->second) / static_cast<double>(lasts)))});
}

QString gap(std::int64_t ps, const QString& together, const QString& apart, const QString& overlapping) {
    if (ps == 0)
        return together;
    return ps >= 0 ? apart.arg(formatTime(ps)) : overlapping.arg(formatTime(-ps));
}

// Returns the chain from the second cause on, because the first is listed among those that the span itself waited for.
std::vector<FactLink> chainOfCauses(const data::Flow& flow, data::SpanRef ref) {
    std::vector<FactLink> why;
    std::optional<data::SpanRef> later = flow.followBack(ref);
    while (later && why.size() < kMostCauses) {
        const auto cause = flow.followBack(*later);
        // A workgroup waited for its slot, so the dependencies of its tile end here.
        if (!cause || flow.span(*later).kind == SpanKind::workgroup || flow.span(*later).kind == SpanKind::gemmWave)
            break;
        const engine::Span& span = flow.span(*cause);
        why.push_back({*cause, spanTitle(flow, *cause),
                       span.start == span.end
                           ? factTr("at %1").arg(formatTime(span.start.ps, kDigits))
                           : factTr("took %1, until %2")
                                 .arg(formatTime((span.end - span.start).ps), formatTime(span.end.ps, kDigits))});
        later = cause;
    }
    return why;
}

}  // namespace

SpanFacts factsOf(const data::Flow& flow, data::SpanRef ref) {
    const engine::Span& span = flow.span(ref);
    SpanFacts description;
    const QString name = spanName(flow, ref);
    description.title = name.left(1).toUpper() + name.mid(1);
    description.facts.push_back({factTr("GPU"), QString::number(ref.gpu)});
    description.facts.push_back({factTr("Lane"), laneName(flow, ref)});
    if (const engine::Experiment& experiment = flow.run().run.experiment; namesKernel(experiment, span))
        description.facts.push_back({factTr("Kernel"), kernelName(experiment, data::kernelNumberOf(span))});
    if (const std::uint32_t tile = tileOf(flow, ref); tile != engine::kNone)
        description.facts.push_back({factTr("Tile"), QString::number(tile)});
    if (const std::uint32_t chunk = chunkOf(flow, ref); chunk != engine::kNone)
        description.facts.push_back({factTr("Chunk"), data::isOfCompanion(span)
                                                          ? factTr("%1 of the companion").arg(chunk)
                                                          : chunkText(flow, ref, chunk)});
    addKind(flow, ref, description.facts);
    addTimes(flow, ref, description.facts);
    addWaiting(flow, ref, description.facts);
    addLinkWait(flow, ref, description.facts);
    for (const data::SpanRef cause : flow.causes(ref)) {
        description.before.push_back({cause, spanTitle(flow, cause),
                                      gap((span.start - flow.span(cause).end).ps, factTr("ended as this began"),
                                          factTr("ended %1 before this began"), factTr("ended %1 after this began"))});
    }
    if (const auto next = flow.followForward(ref)) {
        description.after.push_back({*next, spanTitle(flow, *next),
                                     gap((flow.span(*next).start - span.end).ps, factTr("began as this ended"),
                                         factTr("began %1 after this ended"), factTr("began %1 before this ended"))});
    }
    description.why = chainOfCauses(flow, ref);
    return description;
}

}  // namespace ui
