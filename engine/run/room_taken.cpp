#include "engine/run/room_taken.h"

#include "engine/compute/dispatcher.h"
#include "engine/workload/gemm_shape.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace engine {

namespace {

/// The room that is taken (positive) or freed (negative) from a point in time on.
using RoomChange = std::pair<TimePoint, std::int64_t>;

std::int64_t roomOfWorkgroup(const Span& span, const Experiment& experiment) {
    if (span.kind == SpanKind::collectiveWorkgroup)
        return kWholeCu;
    const bool own = span.peer == kOwnKernel;
    return kWholeCu / (own ? residentWorkgroups(experiment) : companionSlots(experiment));
}

// Returns the most room that is taken at once. Room that is freed at one time can be taken at the same time.
std::int64_t mostOf(std::vector<RoomChange>& changes) {
    std::sort(changes.begin(), changes.end());
    std::int64_t taken = 0, most = 0;
    for (const RoomChange& change : changes) {
        taken += change.second;
        most = std::max(most, taken);
    }
    return most;
}

}  // namespace

std::int64_t mostRoomTaken(const Trace& trace, const Experiment& experiment) {
    const auto slots = static_cast<std::uint32_t>(slotsOfCu(experiment));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<RoomChange>> cus;  // by GPU and CU
    for (const Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::workgroupSlot)
            continue;
        std::vector<RoomChange>& changes = cus[{lane.gpu, lane.index / slots}];
        for (const Span& span : lane.spans) {
            // One of a collective kernel is shown in each slot of its CU.
            if (span.kind == SpanKind::collectiveWorkgroup && lane.index % slots != 0)
                continue;
            const std::int64_t room = roomOfWorkgroup(span, experiment);
            changes.emplace_back(span.start, room);
            changes.emplace_back(span.end, -room);
        }
    }
    std::int64_t most = 0;
    for (auto& [cu, changes] : cus)
        most = std::max(most, mostOf(changes));
    return most;
}

}  // namespace engine
