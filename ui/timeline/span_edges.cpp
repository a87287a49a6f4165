#include "ui/timeline/span_edges.h"

#include <algorithm>
#include <cstdlib>

namespace ui {

std::int64_t snapped(const std::vector<RowTrack>& tracks, std::int64_t ps, std::int64_t reach) {
    std::optional<std::int64_t> best;
    const auto offer = [&](std::int64_t edge) {
        const std::int64_t away = std::abs(edge - ps);
        const std::int64_t nearest = best ? std::abs(*best - ps) : reach;
        if (away < nearest || (away == nearest && edge < best.value_or(edge + 1)))
            best = edge;
    };
    for (const RowTrack& track : tracks) {
        // The span around the moment or the next one, and the one before it: no other edge can be nearer.
        const std::size_t after = track.spans.firstEndingAfter(ps);
        for (std::size_t i = after == 0 ? 0 : after - 1; i < std::min(track.spans.size(), after + 1); ++i) {
            offer(track.spans[i].start.ps);
            offer(track.spans[i].end.ps);
        }
    }
    return best.value_or(ps);
}

}  // namespace ui
