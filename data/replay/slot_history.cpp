#include "data/replay/slot_history.h"

#include "data/replay/span_list.h"
#include "engine/api/gemm.h"
#include "engine/api/run_parts.h"

#include <algorithm>
#include <numeric>

namespace data {

using engine::LaneKind;
using engine::Span;
using engine::SpanKind;

SlotHistory::SlotHistory(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t recorded)
    : m_slotsOfCu(static_cast<std::uint32_t>(engine::slotsOfCu(experiment))),
      m_slots(static_cast<std::size_t>(experiment.cu.count) * m_slotsOfCu) {
    findLanes(trace, recorded);
    findGemms(trace, recorded);
    findKernels(trace, experiment, recorded);
    addStores();
}

void SlotHistory::findLanes(const engine::Trace& trace, std::uint32_t recorded) {
    for (const engine::Lane& lane : trace.lanes) {
        if (lane.gpu != recorded || lane.index >= m_slots.size())
            continue;
        if (lane.kind == LaneKind::workgroupSlot)
            m_slots[lane.index].workgroups = &lane;
        if (lane.kind == LaneKind::loads)
            m_slots[lane.index].loads = &lane;
    }
}

void SlotHistory::findGemms(const engine::Trace& trace, std::uint32_t recorded) {
    const std::size_t copies = trace.companionCopies;
    m_gemms.resize(1 + copies);
    if (recorded < trace.computed.size())
        m_gemms[0] = {&trace.computed[recorded], &trace.output, {}};
    for (std::size_t copy = 0; copy < copies && recorded * copies + copy < trace.companionComputed.size(); ++copy)
        m_gemms[1 + copy] = {&trace.companionComputed[recorded * copies + copy], &trace.companionOutput, {}};
    for (const engine::Lane& lane : trace.lanes) {
        if (lane.gpu != recorded || (lane.kind != LaneKind::gemmWaves && lane.kind != LaneKind::companion))
            continue;
        for (const Span& wave : lane.spans) {
            const bool isWave = wave.kind == SpanKind::gemmWave || wave.kind == SpanKind::companionWave;
            const std::size_t kernel = engine::kernelOf(wave);
            if (!isWave || kernel >= m_gemms.size())
                continue;
            std::vector<std::uint32_t>& ends = m_gemms[kernel].waveEnds;
            ends.resize(std::max<std::size_t>(ends.size(), std::size_t{wave.first} + 1));
            ends[wave.first] = wave.second;
        }
    }
    for (Gemm& gemm : m_gemms)
        std::partial_sum(gemm.waveEnds.begin(), gemm.waveEnds.end(), gemm.waveEnds.begin());
}

// Finds the collective kernels whose workgroups are not in the trace. They are in it with a companion, and if the
// kernel takes the GEMM's output while it is produced. Otherwise a kernel gets compute units in their order, from the
// first one that is not kept for GEMMs. A kernel that shares units with a GEMM gets them as they become free, which
// the trace does not record.
void SlotHistory::findKernels(const engine::Trace& trace, const engine::Experiment& experiment,
                              std::uint32_t recorded) {
    const engine::RunParts parts = engine::runPartsOf(experiment);
    const std::int64_t reserved = engine::reservedCus(experiment);
    const bool areRecorded = engine::hasCompanion(experiment) || parts.asProduced;
    if (areRecorded || recorded >= trace.phases.size() || (parts.sideBySide && reserved == 0))
        return;
    const std::int64_t first = reserved > 0 ? experiment.cu.count - reserved : 0;
    m_firstUnit = static_cast<std::uint32_t>(first);
    m_endUnit = static_cast<std::uint32_t>(std::min(experiment.cu.count, first + engine::collectiveCus(experiment)));
    const engine::PhaseTimes& phases = trace.phases[recorded];
    if (parts.scatters() && !parts.scatterByDma)
        m_kernels.push_back({phases.reduceScatterStart.ps, phases.reduceScatterEnd.ps});
    if (parts.allGather && !parts.gatherByDma)
        m_kernels.push_back({phases.allGatherStart.ps, phases.allGatherEnd.ps});
}

void SlotHistory::addStores() {
    for (const Lanes& lanes : m_slots) {
        if (lanes.workgroups == nullptr)
            continue;
        for (const Span& span : lanes.workgroups->spans) {
            const std::size_t kernel = engine::kernelOf(span);
            if (span.kind != SpanKind::workgroup || kernel >= m_gemms.size() || m_gemms[kernel].output == nullptr)
                continue;
            const std::vector<std::uint32_t>& tiles = m_gemms[kernel].output->tileBytes;
            if (span.first < tiles.size())
                m_stored.emplace_back(span.end.ps, tiles[span.first]);
        }
    }
    std::sort(m_stored.begin(), m_stored.end());
    double sum = 0;
    for (auto& [ps, bytes] : m_stored)
        bytes = sum += bytes;
}

double SlotHistory::storedBetween(std::int64_t from, std::int64_t to) const {
    const auto until = [this](std::int64_t ps) {
        const auto after = std::partition_point(m_stored.begin(), m_stored.end(),
                                                [ps](const auto& stored) { return stored.first <= ps; });
        return after == m_stored.begin() ? 0.0 : std::prev(after)->second;
    };
    return until(to) - until(from);
}

// Returns whether the data of a K-step have arrived. Searches backwards from `ps`: of the loads that have begun by
// then, only a few prefetched ones come after those of the K-step.
bool SlotHistory::dataThere(const Lanes& lanes, const Span& workgroup, std::uint32_t step, std::int64_t ps) {
    if (lanes.loads == nullptr)
        return false;
    const std::vector<Span>& loads = lanes.loads->spans;
    auto load =
        std::partition_point(loads.begin(), loads.end(), [ps](const Span& span) { return span.start.ps <= ps; });
    while (load != loads.begin()) {
        --load;
        if (load->start < workgroup.start)
            return false;
        if (load->first == workgroup.first && load->second == step && load->peer == workgroup.peer)
            return load->end.ps <= ps;
    }
    return false;
}

GpuInside::Slot SlotHistory::slotAt(const Lanes& lanes, std::int64_t ps) const {
    using Doing = GpuInside::Slot::Doing;
    GpuInside::Slot slot;
    const Span* const span = lanes.workgroups == nullptr ? nullptr : spanAt(lanes.workgroups->spans, ps);
    if (span == nullptr)
        return slot;
    slot.kernel = engine::kernelOf(*span);
    if (span->kind == SpanKind::collectiveWorkgroup) {
        slot.doing = Doing::collective;
        return slot;
    }
    slot.doing = Doing::loading;
    slot.tile = span->first;
    slot.position = span->second;
    if (slot.kernel >= m_gemms.size() || m_gemms[slot.kernel].computed == nullptr)
        return slot;
    const Gemm& gemm = m_gemms[slot.kernel];
    const auto wave = std::upper_bound(gemm.waveEnds.begin(), gemm.waveEnds.end(), span->second);
    slot.wave = static_cast<std::uint32_t>(wave - gemm.waveEnds.begin());
    slot.steps = gemm.computed->steps;
    const std::vector<engine::TimePoint>& done = gemm.computed->done;
    const std::size_t first = std::size_t{span->first} * slot.steps;
    if (first + slot.steps > done.size())
        return slot;
    const auto begin = done.begin() + static_cast<std::ptrdiff_t>(first);
    const auto next =
        std::partition_point(begin, begin + slot.steps, [ps](engine::TimePoint at) { return at.ps <= ps; });
    slot.stepsDone = static_cast<std::uint32_t>(next - begin);
    if (slot.stepsDone == slot.steps)
        slot.doing = Doing::storing;
    else if (dataThere(lanes, *span, slot.stepsDone, ps))
        slot.doing = Doing::computing;
    return slot;
}

// Adds the stretches of a GEMM's workgroup: for each K-step until its data have arrived and until it is done, then its
// stores.
void SlotHistory::addWorkgroup(const Lanes& lanes, const Span& workgroup, std::vector<Stretch>& stretches) const {
    using Doing = GpuInside::Slot::Doing;
    std::int64_t from = workgroup.start.ps;
    const auto until = [&](std::int64_t to, Doing doing) {
        to = std::min(to, workgroup.end.ps);
        if (to > from)
            stretches.push_back({from, to, doing});
        from = std::max(from, to);
    };
    const std::uint8_t kernel = engine::kernelOf(workgroup);
    const bool isKnown = kernel < m_gemms.size() && m_gemms[kernel].computed != nullptr;
    const std::uint32_t steps = isKnown ? m_gemms[kernel].computed->steps : 0;
    const std::size_t first = std::size_t{workgroup.first} * steps;
    if (!isKnown || first + steps > m_gemms[kernel].computed->done.size()) {
        until(workgroup.end.ps, Doing::loading);
        return;
    }
    std::vector<std::int64_t> arrived(steps, workgroup.end.ps);
    if (lanes.loads != nullptr) {
        const std::vector<Span>& loads = lanes.loads->spans;
        auto load = std::partition_point(loads.begin(), loads.end(),
                                         [&](const Span& span) { return span.start < workgroup.start; });
        for (; load != loads.end() && load->start < workgroup.end; ++load)
            if (load->first == workgroup.first && load->peer == workgroup.peer && load->second < steps)
                arrived[load->second] = load->end.ps;
    }
    for (std::uint32_t step = 0; step < steps; ++step) {
        const std::int64_t done = m_gemms[kernel].computed->done[first + step].ps;
        until(std::min(arrived[step], done), Doing::loading);
        until(done, Doing::computing);
    }
    until(workgroup.end.ps, Doing::storing);
}

// Returns the stretches of a slot that collective kernels occupy while they run.
std::vector<SlotHistory::Stretch> SlotHistory::withKernels(const std::vector<Stretch>& stretches) const {
    std::vector<Stretch> all;
    for (const TimeRange& kernel : m_kernels)
        if (kernel.start < kernel.end)
            all.push_back({kernel.start, kernel.end, GpuInside::Slot::Doing::collective});
    for (Stretch stretch : stretches) {
        for (const TimeRange& kernel : m_kernels) {  // in the order of time
            if (stretch.start < std::min(kernel.start, stretch.end))
                all.push_back({stretch.start, std::min(kernel.start, stretch.end), stretch.doing});
            stretch.start = std::max(stretch.start, kernel.end);
        }
        if (stretch.start < stretch.end)
            all.push_back(stretch);
    }
    std::ranges::sort(all, {}, &Stretch::start);
    return all;
}

std::vector<SlotHistory::Stretch> SlotHistory::stretchesOf(std::size_t slot) const {
    std::vector<Stretch> stretches;
    const Lanes& lanes = m_slots[slot];
    if (lanes.workgroups != nullptr)
        for (const Span& span : lanes.workgroups->spans) {
            if (span.kind == SpanKind::collectiveWorkgroup)
                stretches.push_back({span.start.ps, span.end.ps, GpuInside::Slot::Doing::collective});
            else
                addWorkgroup(lanes, span, stretches);
        }
    const std::size_t unit = slot / m_slotsOfCu;
    return unit >= m_firstUnit && unit < m_endUnit ? withKernels(stretches) : stretches;
}

std::vector<GpuInside::Slot> SlotHistory::at(std::int64_t ps) const {
    std::vector<GpuInside::Slot> slots;
    slots.reserve(m_slots.size());
    for (const Lanes& lanes : m_slots)
        slots.push_back(slotAt(lanes, ps));
    const bool kernelRuns = std::any_of(m_kernels.begin(), m_kernels.end(),
                                        [ps](const TimeRange& range) { return range.start <= ps && ps < range.end; });
    for (std::size_t slot = std::size_t{m_firstUnit} * m_slotsOfCu;
         kernelRuns && slot < std::size_t{m_endUnit} * m_slotsOfCu; ++slot)
        slots[slot].doing = GpuInside::Slot::Doing::collective;
    return slots;
}

}  // namespace data
