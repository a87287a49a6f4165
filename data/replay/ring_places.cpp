#include "data/replay/ring_places.h"

#include "engine/api/run_parts.h"

#include <algorithm>

namespace data {

using engine::SpanKind;

bool isOfTile(const engine::Span& span) {
    switch (span.kind) {
    case SpanKind::workgroup:
    case SpanKind::load:
    case SpanKind::store:
    case SpanKind::trackedTile:
    case SpanKind::linkPacket:
    case SpanKind::storeLanded:
    case SpanKind::arrivalLanded:
    case SpanKind::sumLanded: return engine::kernelOf(span) == engine::kOwnKernel;
    case SpanKind::collectiveWorkgroup:
    case SpanKind::companionStep:
    case SpanKind::companionTransfer:
    case SpanKind::companionPacket:
    case SpanKind::companionWave:
    case SpanKind::gemmWave:
    case SpanKind::trigger:
    case SpanKind::dmaTransfer:
    case SpanKind::dramRead:
    case SpanKind::dramWrite:
    case SpanKind::dramUpdate:
    case SpanKind::dramPass:
    case SpanKind::reduceScatterStep:
    case SpanKind::allGatherStep:
    case SpanKind::copy: break;
    }
    return false;
}

bool goesAroundRing(const engine::Experiment& experiment) {
    return engine::sendsAroundRing(experiment) && !engine::runPartsOf(experiment).consumes;
}

RingPlaces::RingPlaces(const engine::Trace& trace)
    : m_gpus(std::max(1u, trace.gpus)), m_mirrored(trace.mirrored), m_firstTile(trace.output.chunkTile) {
    m_firstTile.resize(std::size_t{m_gpus} + 1, m_firstTile.empty() ? 0 : m_firstTile.back());
}

std::uint32_t RingPlaces::chunkOf(const engine::Span& span) const {
    if (isOfTile(span))
        return chunkOfTile(span.first);
    const bool ofChunk = span.kind != SpanKind::gemmWave && span.kind != SpanKind::collectiveWorkgroup &&
                         engine::kernelOf(span) == engine::kOwnKernel;
    return ofChunk ? span.second : engine::kNone;
}

std::uint32_t RingPlaces::chunkOfTile(std::uint32_t tile) const {
    if (tile >= tiles())
        return engine::kNone;
    const auto after = std::upper_bound(m_firstTile.begin(), m_firstTile.end(), tile);
    return static_cast<std::uint32_t>(after - m_firstTile.begin() - 1);
}

std::uint32_t RingPlaces::shifted(std::uint32_t tile, std::uint32_t chunks) const {
    // A run is mirrored only if all chunks have equally many tiles, so a shift by chunks is a fixed shift by tiles.
    return tile >= tiles() ? tile : (tile + m_firstTile[chunks % m_gpus]) % tiles();
}

std::uint32_t RingPlaces::chunkOn(std::uint32_t gpu, std::uint32_t recorded) const {
    return !m_mirrored || recorded >= m_gpus ? recorded : (recorded + gpu) % m_gpus;
}

std::uint32_t RingPlaces::tileOn(std::uint32_t gpu, std::uint32_t recorded) const {
    return m_mirrored ? shifted(recorded, gpu) : recorded;
}

std::uint32_t RingPlaces::recordedChunk(std::uint32_t gpu, std::uint32_t shown) const {
    return !m_mirrored || shown >= m_gpus ? shown : (shown + m_gpus - gpu % m_gpus) % m_gpus;
}

std::uint32_t RingPlaces::recordedTile(std::uint32_t gpu, std::uint32_t shown) const {
    return m_mirrored ? shifted(shown, m_gpus - gpu % m_gpus) : shown;
}

std::uint32_t RingPlaces::placeOf(std::uint32_t gpu, std::uint32_t recordedChunk) const {
    return (recordedChunk + m_gpus - recorded(gpu)) % m_gpus;
}

}  // namespace data
