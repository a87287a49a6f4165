#include "data/replay/last_wave.h"

#include "data/replay/shown_run.h"
#include "engine/api/gemm.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

namespace data {
namespace {

/// Returns the dispatch position of the last wave's first workgroup, which is the number of workgroups in the waves
/// before.
std::uint32_t firstPositionOfLastWave(const TraceIndex::Gpu& gpu) {
    std::map<std::uint32_t, std::uint32_t> workgroups;  // by wave
    for (const Track& track : gpu.waves.tracks) {
        const SpanList waves = track.spans();
        for (std::size_t i = 0; i < waves.size(); ++i)
            workgroups[waves[i].first] = waves[i].second;
    }
    std::uint32_t before = 0;
    for (auto wave = workgroups.begin(); wave != std::prev(workgroups.end()); ++wave)
        before += wave->second;
    return before;
}

bool isOfCollective(const engine::Span& span) { return span.kind == engine::SpanKind::collectiveWorkgroup; }

/// Returns the tracks of the GEMM's slots: those without a workgroup of a collective kernel on CUs of its own.
std::vector<Track> gemmTracks(const std::vector<Track>& tracks) {
    std::vector<Track> gemm;
    std::ranges::copy_if(tracks, std::back_inserter(gemm),
                         [](const Track& track) { return !std::ranges::all_of(track.lane->spans, isOfCollective); });
    return gemm;
}

/// Returns whether each track is exactly one of the `slots` slots of the GEMM, and holds only
/// workgroups of the GEMM.
bool areSlots(const std::vector<Track>& tracks, std::int64_t slots) {
    return std::ranges::all_of(tracks, [slots](const Track& track) {
        return !track.picked && track.lane->index < slots && std::ranges::none_of(track.lane->spans, isOfCollective);
    });
}

}  // namespace

std::int64_t LastWave::emptyAt(std::int64_t ps) const {
    if (ps < time.start || ps >= time.end)
        return 0;
    return std::count_if(empty.begin(), empty.end(), [ps](const EmptySlot& slot) { return slot.from <= ps; });
}

LastWave lastWaveOf(const ShownRun& run, std::uint32_t gpuNumber) {
    const engine::Experiment experiment = asRun(run.run);  // with the tile that the run used
    if (!run.index || run.index->trace().companionCopies > 0 || !engine::hasOwnGemm(experiment.workload.sublayer))
        return {};
    const TraceIndex::Gpu& gpu = run.index->gpu(gpuNumber);
    const std::int64_t slots = engine::waveCountOf(experiment).slots;
    const std::vector<Track> tracks = gemmTracks(gpu.slots.tracks);
    if (gpu.waves.empty() || tracks.empty() || !areSlots(tracks, slots))
        return {};
    const std::uint32_t first = firstPositionOfLastWave(gpu);
    LastWave last{.slots = slots, .time = {std::numeric_limits<std::int64_t>::max(), 0}, .empty = {}};
    // By slot: when its last workgroup left it, or kTaken if that workgroup belongs to the last wave. The dispatch
    // positions of a slot's workgroups ascend.
    constexpr std::int64_t kTaken = -1;
    std::vector<std::int64_t> leftAt(static_cast<std::size_t>(slots), 0);
    for (const Track& track : tracks) {
        const SpanList workgroups = track.spans();
        std::int64_t& left = leftAt[track.lane->index];
        left = workgroups[workgroups.size() - 1].end.ps;
        last.time.end = std::max(last.time.end, left);
        for (std::size_t i = workgroups.size(); i > 0 && workgroups[i - 1].second >= first; --i) {
            last.time.start = std::min(last.time.start, workgroups[i - 1].start.ps);
            left = kTaken;
        }
    }
    for (std::size_t slot = 0; slot < leftAt.size(); ++slot) {
        const std::int64_t from = std::max(leftAt[slot], last.time.start);
        if (leftAt[slot] != kTaken && from < last.time.end)
            last.empty.push_back({static_cast<std::uint32_t>(slot), from});
    }
    return last;
}

}  // namespace data
