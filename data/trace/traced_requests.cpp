#include "data/trace/traced_requests.h"

#include <algorithm>
#include <functional>

namespace data {
namespace {

using engine::Lane;
using engine::Span;
using engine::TimePoint;

struct Asked {
    TimePoint at;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool write = false;
};

void forEachRequest(const engine::Trace& trace, std::uint32_t gpu,
                    const std::function<void(const Lane&, std::size_t)>& use) {
    for (const Lane& lane : trace.lanes) {
        if (lane.gpu != gpu || lane.kind != engine::LaneKind::dramChannel)
            continue;
        for (std::size_t span = 0; span < lane.spans.size(); ++span)
            if (lane.granules[span] != engine::kNone)
                use(lane, span);
    }
}

std::int64_t partsOf(const Span& span, const RequestCut& cut) {
    return (span.bytes + cut.size.count - 1) / cut.size.count;
}

std::uint64_t cycleAt(TimePoint time, engine::Frequency clock) {
    constexpr double kPicoseconds = 1e12;
    return static_cast<std::uint64_t>(static_cast<long double>(time.ps) * static_cast<long double>(clock.hertz) /
                                      static_cast<long double>(kPicoseconds));
}

}  // namespace

std::int64_t countRequests(const engine::Trace& trace, std::uint32_t gpu, const RequestCut& cut) {
    std::int64_t count = 0;
    forEachRequest(trace, gpu, [&](const Lane& lane, std::size_t span) { count += partsOf(lane.spans[span], cut); });
    return count;
}

std::vector<engine::AccessRequest> requestsOf(const engine::Trace& trace, std::uint32_t gpu, const RequestCut& cut) {
    std::vector<Asked> all;
    forEachRequest(trace, gpu, [&](const Lane& lane, std::size_t span) {
        const Span& served = lane.spans[span];
        const auto address = std::uint64_t{lane.granules[span]} * static_cast<std::uint64_t>(cut.granule.count);
        all.push_back({lane.askedAt[span], address, served.bytes, served.kind != engine::SpanKind::dramRead});
    });
    std::stable_sort(all.begin(), all.end(), [](const Asked& a, const Asked& b) { return a.at < b.at; });
    std::vector<engine::AccessRequest> requests;
    const auto size = static_cast<std::uint64_t>(cut.size.count);
    for (const Asked& one : all)
        for (std::uint64_t part = 0; part < one.bytes; part += size)
            requests.push_back({one.address + part, cycleAt(one.at, cut.clock), one.write});
    return requests;
}

}  // namespace data
