#pragma once

#include "data/replay/gpu_inside.h"
#include "data/replay/time_range.h"
#include "engine/api/experiment.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace data {

/// Returns what each workgroup slot of one recorded GPU did at any moment. The trace must outlive this object.
class SlotHistory {
public:
    SlotHistory(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t recorded);

    /// Returns the slots by compute unit, then slot; tiles as the recorded GPU numbers them.
    std::vector<GpuInside::Slot> at(std::int64_t ps) const;
    /// A time in which a slot did one thing.
    struct Stretch {
        std::int64_t start = 0, end = 0;
        GpuInside::Slot::Doing doing{};
    };
    /// Returns what a slot did, as `at` has it, in the order of time. Between the stretches the slot is empty.
    std::vector<Stretch> stretchesOf(std::size_t slot) const;
    std::size_t slots() const { return m_slots.size(); }
    std::uint32_t slotsOfCu() const { return m_slotsOfCu; }
    /// Returns the bytes of the tiles whose workgroups ended in (from, to].
    double storedBetween(std::int64_t from, std::int64_t to) const;

private:
    struct Lanes {
        const engine::Lane* workgroups = nullptr;
        const engine::Lane* loads = nullptr;
    };
    /// A GEMM: the own one, or a copy of a companion.
    struct Gemm {
        const engine::ComputedSteps* computed = nullptr;
        const engine::TiledOutput* output = nullptr;
        std::vector<std::uint32_t> waveEnds;  // by wave: workgroups up to and including it, in the order of dispatch
    };
    void findLanes(const engine::Trace& trace, std::uint32_t recorded);
    void findGemms(const engine::Trace& trace, std::uint32_t recorded);
    void findKernels(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t recorded);
    void addStores();
    GpuInside::Slot slotAt(const Lanes& lanes, std::int64_t ps) const;
    void addWorkgroup(const Lanes& lanes, const engine::Span& workgroup, std::vector<Stretch>& stretches) const;
    std::vector<Stretch> withKernels(const std::vector<Stretch>& stretches) const;
    static bool dataThere(const Lanes& lanes, const engine::Span& workgroup, std::uint32_t step, std::int64_t ps);

    std::uint32_t m_slotsOfCu;
    std::vector<Lanes> m_slots;
    std::vector<Gemm> m_gemms;                              // by kernel
    std::vector<std::pair<std::int64_t, double>> m_stored;  // end of a workgroup, and the bytes up to and including it
    // Collective kernels of a run that does not record their workgroups: while they run they occupy these compute
    // units.
    std::vector<TimeRange> m_kernels;
    std::uint32_t m_firstUnit = 0, m_endUnit = 0;
};

}  // namespace data
