#include "data/replay/traffic.h"

#include "data/replay/span_list.h"

#include <algorithm>
#include <numeric>

namespace data {
namespace {

/// Calls `take` with each span of a lane that overlaps [from, to) and with the picoseconds of the overlap.
template <class Take>
void eachWithin(const engine::Lane& lane, std::int64_t from, std::int64_t to, const Take& take) {
    const SpanList spans(lane.spans);
    for (std::size_t i = spans.firstEndingAfter(from); i < spans.size() && spans[i].start.ps < to; ++i)
        if (spans[i].end > spans[i].start)
            take(spans[i], std::min(spans[i].end.ps, to) - std::max(spans[i].start.ps, from));
}

double shareOf(const engine::Span& span, std::int64_t ps) {
    return span.bytes * (static_cast<double>(ps) / static_cast<double>(span.end.ps - span.start.ps));
}

}  // namespace

double Traffic::of(TrafficOwner owner) const {
    const auto& kinds = bytes[static_cast<std::size_t>(owner)];
    return std::accumulate(kinds.begin(), kinds.end(), 0.0);
}

double Traffic::total() const {
    return of(TrafficOwner::compute) + of(TrafficOwner::communication) + of(TrafficOwner::companion);
}

Traffic& Traffic::operator+=(const Traffic& other) {
    for (std::size_t owner = 0; owner < kTrafficOwners; ++owner)
        for (std::size_t kind = 0; kind < kTrafficKinds; ++kind)
            bytes[owner][kind] += other.bytes[owner][kind];
    return *this;
}

Traffic& Traffic::operator*=(double factor) {
    for (auto& kinds : bytes)
        for (double& each : kinds)
            each *= factor;
    return *this;
}

TrafficOwner trafficOwnerOf(const engine::Span& span) {
    if (engine::kernelOf(span) != engine::kOwnKernel)
        return TrafficOwner::companion;
    const bool computes = span.first == static_cast<std::uint32_t>(engine::Stream::compute);
    return computes ? TrafficOwner::compute : TrafficOwner::communication;
}

TrafficKind trafficKindOf(const engine::Span& span) {
    switch (span.kind) {
    case engine::SpanKind::dramWrite: return TrafficKind::write;
    case engine::SpanKind::dramUpdate: return TrafficKind::update;
    case engine::SpanKind::dramPass: return TrafficKind::pass;
    default: return TrafficKind::read;
    }
}

Traffic servedBetween(const engine::Lane& channel, std::int64_t from, std::int64_t to) {
    Traffic traffic;
    eachWithin(channel, from, to, [&](const engine::Span& span, std::int64_t ps) {
        if (trafficKindOf(span) == TrafficKind::pass)
            return;
        const auto owner = static_cast<std::size_t>(trafficOwnerOf(span));
        traffic.bytes[owner][static_cast<std::size_t>(trafficKindOf(span))] += shareOf(span, ps);
    });
    return traffic;
}

Carried carriedBetween(const engine::Lane& link, std::int64_t from, std::int64_t to, std::span<const ChunkPart> parts) {
    Carried carried;
    const auto ownerOf = [&](const engine::Span& span) {
        if (engine::kernelOf(span) != engine::kOwnKernel)
            return TrafficOwner::companion;
        const bool stored = span.second < parts.size() && parts[span.second].direct;
        return stored ? TrafficOwner::compute : TrafficOwner::communication;
    };
    eachWithin(link, from, to, [&](const engine::Span& span, std::int64_t ps) {
        const double bytes = shareOf(span, ps);
        carried.bytes += bytes;
        carried.busyPs += ps;
        carried.ofOwner[static_cast<std::size_t>(ownerOf(span))] += bytes;
    });
    return carried;
}

}  // namespace data
