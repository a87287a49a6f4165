#include "ui/playback/caption.h"

#include "data/replay/trace_index.h"
#include "ui/look/format.h"
#include "ui/shared/time_window.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace ui {
namespace {

QString captionTr(const char* text) { return QCoreApplication::translate("Caption", text); }

// The latest started span that covers the moment, over all tracks of a lane.
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

}  // namespace ui
