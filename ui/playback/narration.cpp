#include "ui/playback/narration.h"

#include "data/replay/run_log.h"
#include "data/replay/trace_index.h"
#include "ui/look/format.h"
#include "ui/shared/view_state.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <set>

namespace ui {
namespace {

QString captionTr(const char* text) { return QCoreApplication::translate("Caption", text); }

// Returns the span that started last among those that cover the time, over all tracks of a lane.
const engine::Span* latestAt(const data::PackedLane& lane, std::int64_t ps) {
    const engine::Span* latest = nullptr;
    for (const data::Track& track : lane.tracks) {
        const engine::Span* span = spanAt(track.spans(), ps);
        if (span != nullptr && (latest == nullptr || latest->start < span->start))
            latest = span;
    }
    return latest;
}

QString chunksAt(const data::TraceIndex& index, std::uint32_t gpu, const data::PackedLane& lane, std::int64_t ps) {
    std::set<std::uint32_t> chunks;
    for (const data::Track& track : lane.tracks) {
        const engine::Span* span = spanAt(track.spans(), ps);
        if (span != nullptr && span->second != engine::kNone)
            chunks.insert(index.chunkOn(gpu, span->second));
    }
    QStringList words;
    for (const std::uint32_t chunk : chunks)
        words << QString::number(chunk);
    if (words.isEmpty())
        return {};
    return (words.size() == 1 ? captionTr("chunk %1") : captionTr("chunks %1")).arg(words.join(QStringLiteral(", ")));
}

QString narrationTr(const char* text) { return QCoreApplication::translate("Narration", text); }

// Events to search. A burst of granules has thousands of them; older ones would not be worth showing.
constexpr std::size_t kMostLookedAt = 20'000;

/// The subject of an event. The caption has one text for each subject.
enum class Subject : std::uint8_t { gemm, tracker, transfer, none };

Subject subjectOf(const data::LogEvent& event) {
    switch (event.kind()) {
    case data::LogEventKind::tileComputed:
    case data::LogEventKind::waveBegun:
    case data::LogEventKind::waveEnded:
    case data::LogEventKind::pieceEnded:
    case data::LogEventKind::gemmEnded: return Subject::gemm;
    case data::LogEventKind::tileClosed: return Subject::tracker;
    case data::LogEventKind::triggered:
    case data::LogEventKind::transferBegun:
    case data::LogEventKind::scatterBegun:
    case data::LogEventKind::scatterEnded:
    case data::LogEventKind::gatherBegun:
    case data::LogEventKind::gatherEnded:
    case data::LogEventKind::stepBegun: return Subject::transfer;
    default: return Subject::none;
    }
}

/// Describes the events of one recorded GPU with the tile and chunk numbers of GPU `gpu`.
class Words {
public:
    Words(const data::RunLog& log, std::uint32_t recorded, std::uint32_t gpu)
        : m_log(log), m_facts(log.facts(recorded)), m_gpu(gpu) {}

    QString of(const data::LogEvent& event) const;
    /// Describes how this event completes a chunk; empty if it completes none.
    QString ofChunk(std::uint32_t recorded, std::size_t event) const;

private:
    QString ofTracker(const data::LogEvent& event) const;
    QString ofStep(const data::LogEvent& event) const;

    std::uint32_t tile(const data::LogEvent& event) const { return m_log.tileOn(m_gpu, event.subject); }
    QString tileOfChunk(const data::LogEvent& event) const {
        return narrationTr("tile %1 of chunk %2")
            .arg(tile(event))
            .arg(m_log.chunkOn(m_gpu, m_facts.chunkOfTile[event.subject]));
    }
    std::uint32_t block(const data::LogEvent& event) const { return m_facts.commands[event.subject].block; }
    QString bytes(const data::LogEvent& event) const {
        return formatBytes(m_facts.granuleBytes(event.subject, event.detail));
    }
    /// Returns "GPU 3", or "another GPU" if data do not go around a ring, because the receiver is not known then.
    QString receiver() const {
        const std::uint32_t gpus = m_log.gpus();
        return m_facts.aroundRing ? narrationTr("GPU %1").arg((m_gpu + gpus - 1) % gpus) : narrationTr("another GPU");
    }
    QString sender() const {
        return m_facts.aroundRing ? narrationTr("GPU %1").arg((m_gpu + 1) % m_log.gpus()) : narrationTr("another GPU");
    }

    QString scatter() const { return m_facts.exchanges ? narrationTr("all-to-all") : narrationTr("reduce-scatter"); }

    const data::RunLog& m_log;
    const data::LogFacts& m_facts;
    std::uint32_t m_gpu;
};

QString Words::of(const data::LogEvent& event) const {
    switch (event.kind()) {
    case data::LogEventKind::tileComputed: return narrationTr("finished %1").arg(tileOfChunk(event));
    case data::LogEventKind::storeLanded:
        return narrationTr("%1 of its %2 landed").arg(bytes(event), tileOfChunk(event));
    case data::LogEventKind::arrivalLanded:
        return narrationTr("%1 from %2 landed in %3").arg(bytes(event)).arg(sender()).arg(tileOfChunk(event));
    case data::LogEventKind::sumLanded: return narrationTr("%1 of %2 summed").arg(bytes(event), tileOfChunk(event));
    case data::LogEventKind::packetSent:
        return narrationTr("%1 of %2 left for %3").arg(formatBytes(event.detail), tileOfChunk(event)).arg(receiver());
    case data::LogEventKind::sendBegun:
        return narrationTr("%1 begins to leave for %2").arg(tileOfChunk(event)).arg(receiver());
    case data::LogEventKind::entryTaken:
    case data::LogEventKind::tileClosed: return ofTracker(event);
    case data::LogEventKind::triggered: return narrationTr("DMA block %1 triggered").arg(block(event));
    case data::LogEventKind::transferBegun:
        return narrationTr("DMA block %1 goes to %2").arg(block(event)).arg(receiver());
    case data::LogEventKind::transferEnded:
        return narrationTr("DMA block %1 has left for %2").arg(block(event)).arg(receiver());
    case data::LogEventKind::stepBegun:
    case data::LogEventKind::stepEnded: return ofStep(event);
    case data::LogEventKind::waveBegun: return narrationTr("wave %1 begins").arg(event.subject + 1);
    case data::LogEventKind::waveEnded: return narrationTr("wave %1 ends").arg(event.subject + 1);
    case data::LogEventKind::pieceEnded:
        return narrationTr("piece %1 of %2 ends").arg(event.subject + 1).arg(m_facts.pieces.size());
    case data::LogEventKind::gemmEnded: return narrationTr("the GEMM ends");
    case data::LogEventKind::scatterBegun: return narrationTr("the %1 begins").arg(scatter());
    case data::LogEventKind::scatterEnded: return narrationTr("the %1 ends").arg(scatter());
    case data::LogEventKind::gatherBegun: return narrationTr("the all-gather begins");
    case data::LogEventKind::gatherEnded: return narrationTr("the all-gather ends");
    case data::LogEventKind::runEnded: return narrationTr("the run ends");
    }
    return {};
}

QString Words::ofChunk(std::uint32_t recorded, std::size_t event) const {
    const std::vector<data::RunLog::ChunkDone>& done = m_log.chunksDone(recorded);
    const auto found =
        std::lower_bound(done.begin(), done.end(), event,
                         [](const data::RunLog::ChunkDone& one, std::size_t at) { return one.event < at; });
    if (found == done.end() || found->event != event)
        return {};
    const std::uint32_t chunk = m_log.chunkOn(m_gpu, found->chunk);
    if (found->final)
        return narrationTr("chunk %1 is whole and final").arg(chunk);
    return m_facts.parts[found->chunk].direct ? narrationTr("chunk %1 has left for %2").arg(chunk).arg(receiver())
                                              : narrationTr("chunk %1 has all its contributions").arg(chunk);
}

QString Words::ofTracker(const data::LogEvent& event) const {
    const bool gathering = event.detail != 0;
    const std::uint32_t set = m_facts.order.positionOf(event.subject, gathering) % m_facts.entries;
    if (event.kind() == data::LogEventKind::entryTaken)
        return narrationTr("tracker set %1 taken by tile %2").arg(set).arg(tile(event));
    const QString threshold = formatCount(std::int64_t{m_facts.output.tileBytes[event.subject]} *
                                          m_facts.contributionsTo(event.subject, gathering));
    return narrationTr("tracker set %1 reached %2 of %2 B").arg(set).arg(threshold);
}

// Steps of a kernel count from 1. With DMA a step is a chunk that is sent, counted from 0 in the order of leaving.
QString Words::ofStep(const data::LogEvent& event) const {
    const bool gathers = (event.detail & data::Step::kGathers) != 0;
    const bool begins = event.kind() == data::LogEventKind::stepBegun;
    const std::uint32_t gpus = m_log.gpus();
    const bool byKernel = (event.detail & data::Step::kByKernel) != 0;
    const std::uint32_t place = byKernel ? event.subject - 1 : event.subject;
    const std::uint32_t chunk = (m_gpu + place + (gathers ? gpus - 1 : 0)) % gpus;
    if (!byKernel)
        return (begins ? narrationTr("chunk %1 begins to leave for %2") : narrationTr("chunk %1 has left for %2"))
            .arg(chunk)
            .arg(receiver());
    if (!gathers && event.subject == gpus && m_facts.aroundRing)
        return begins ? narrationTr("the final reduce of chunk %1 begins").arg(chunk)
                      : narrationTr("chunk %1 is reduced").arg(chunk);
    const QString collective = gathers ? narrationTr("all-gather") : scatter();
    if (!m_facts.aroundRing)  // a step has many chunks then
        return (begins ? narrationTr("%1 step %2 begins") : narrationTr("%1 step %2 ends"))
            .arg(collective)
            .arg(event.subject);
    return (begins ? narrationTr("%1 step %2 begins: chunk %3 to %4")
                   : narrationTr("%1 step %2 ends: chunk %3 is at %4"))
        .arg(collective)
        .arg(event.subject)
        .arg(chunk)
        .arg(receiver());
}

}  // namespace

QString captionAt(const data::TraceIndex& index, std::uint32_t gpu, std::int64_t ps, std::int64_t window,
                  const QString& scatter) {
    const data::TraceIndex::Gpu& lanes = index.gpu(gpu);
    QStringList parts;
    if (const engine::Span* wave = latestAt(lanes.waves, ps)) {
        parts << captionTr("wave %1 of %2 computing").arg(wave->first - lanes.firstWave + 1).arg(lanes.waveCount);
    }
    const QString leaving = chunksAt(index, gpu, lanes.dma, ps);
    const QString reduced = chunksAt(index, gpu, lanes.reduceScatter, ps);
    if (!leaving.isEmpty()) {
        parts << captionTr("%1 leaving by DMA").arg(leaving);
    } else if (!reduced.isEmpty()) {
        parts << captionTr("%1 of %2").arg(scatter, reduced);
    }
    const QString gathered = chunksAt(index, gpu, lanes.allGather, ps);
    if (!gathered.isEmpty())
        parts << captionTr("all-gather of %1").arg(gathered);
    // An access pattern has no kernels and no transfers.
    const bool onlyMemory = lanes.waves.tracks.empty() && lanes.reduceScatter.tracks.empty() &&
                            lanes.allGather.tracks.empty() && lanes.link.empty();
    if (parts.isEmpty() && onlyMemory && ps < index.trace().end.ps)
        parts << captionTr("requests to memory");
    if (parts.isEmpty())
        parts << (ps >= index.trace().end.ps ? captionTr("done") : captionTr("waiting"));
    const data::TimeRange around = windowAround(ps, window, index.trace().end.ps);
    if (!lanes.link.empty())
        parts << captionTr("link %1").arg(formatPercent(lanes.link.fraction(around.start, around.end)));
    if (!lanes.dramCompute.empty()) {
        const double use = lanes.dramCompute.fraction(around.start, around.end) +
                           lanes.dramCommunication.fraction(around.start, around.end);
        parts << captionTr("DRAM %1").arg(formatPercent(use));
    }
    return captionTr("GPU %1: %2").arg(gpu).arg(parts.join(QStringLiteral("  ·  ")));
}

QStringList narrate(const data::RunLog& log, std::uint32_t gpu, std::int64_t ps, std::optional<std::uint64_t> stepped,
                    std::int64_t window) {
    const data::Position position = log.positionAt(ps, stepped);
    if (const auto last = stepped ? log.lastEvent(position) : std::nullopt; last && !log.trace().mirrored)
        gpu = last->log;
    const std::uint32_t recorded = log.trace().recorded(gpu);
    const std::vector<data::LogEvent>& events = log.events(recorded);
    const std::size_t happened = log.happened(recorded, position);
    const Words words(log, recorded, gpu);
    std::array<const data::LogEvent*, static_cast<std::size_t>(Subject::none)> latest{};
    const std::size_t oldest = happened - std::min(happened, kMostLookedAt);
    for (std::size_t i = happened; i > oldest && events[i - 1].ps >= ps - window; --i) {
        const Subject subject = subjectOf(events[i - 1]);
        if (subject != Subject::none && latest[static_cast<std::size_t>(subject)] == nullptr)
            latest[static_cast<std::size_t>(subject)] = &events[i - 1];
    }
    QStringList parts;
    const data::LogEvent* lead = stepped && happened > 0 ? &events[happened - 1] : nullptr;
    if (lead != nullptr) {
        const QString chunk = words.ofChunk(recorded, happened - 1);
        parts << (chunk.isEmpty() ? words.of(*lead) : chunk);
    }
    for (const data::LogEvent* event : latest) {
        if (event != nullptr && event != lead)
            parts << words.of(*event);
    }
    if (!parts.isEmpty())
        parts.front().prepend(narrationTr("GPU %1: ").arg(gpu));
    return parts;
}

}  // namespace ui
