#include "data/trace/traffic_profile.h"

#include <algorithm>
#include <cstddef>

namespace data {
namespace {

engine::Bytes& partOf(TrafficProfile::Slice& slice, const engine::Span& span, bool gathering) {
    if (engine::kernelOf(span) != engine::kOwnKernel)
        return slice.companion;
    const bool reads = span.kind == engine::SpanKind::dramRead;
    if (static_cast<engine::Stream>(span.first) == engine::Stream::compute)
        return reads ? slice.gemmRead : slice.gemmWrite;
    if (gathering)
        return reads ? slice.agRead : slice.agWrite;
    return reads ? slice.rsRead : slice.rsWrite;
}

}  // namespace

TrafficProfile trafficOf(const engine::Trace& trace, engine::Duration slice) {
    TrafficProfile profile;
    profile.slice = slice;
    profile.slices.resize(static_cast<std::size_t>(trace.end.ps / slice.ps) + 1);
    const bool gathers = trace.allGatherEnd > trace.allGatherStart;
    for (const engine::Lane& lane : trace.lanes) {
        if (lane.gpu != 0 || lane.kind != engine::LaneKind::dramChannel)
            continue;
        for (const engine::Span& span : lane.spans) {
            if (span.kind == engine::SpanKind::dramPass)
                continue;  // no bus carries its bytes
            const auto slot = static_cast<std::size_t>(span.end.ps / slice.ps);
            partOf(profile.slices[std::min(slot, profile.slices.size() - 1)], span,
                   gathers && span.end > trace.allGatherStart)
                .count += span.bytes;
        }
    }
    return profile;
}

}  // namespace data
