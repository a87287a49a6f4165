#pragma once

#include "data/replay/time_range.h"
#include "engine/api/trace.h"

#include <cstdint>
#include <vector>

namespace data {

struct ShownRun;

/// A workgroup slot that gets no workgroup of the GEMM's last wave, and the time from which it is empty.
struct EmptySlot {
    std::uint32_t slot = 0;  ///< as Lane::index counts slots; a slot that never had a workgroup has no lane
    std::int64_t from = 0;   ///< when its last workgroup left it, but not before the last wave begins
    bool operator==(const EmptySlot&) const = default;
};

/// The slots that the last wave of a GPU's own GEMM leaves empty, from the trace. A slot whose workgroup still computes
/// is not empty; a slot that computes until the wave ends is not listed.
struct LastWave {
    std::int64_t slots = 0;        ///< workgroups that are resident at once: engine::WaveCount::slots
    TimeRange time{0, 0};          ///< from the moment its first workgroup gets a slot until its last one leaves
    std::vector<EmptySlot> empty;  ///< by slot

    bool hasEmptySlots() const { return !empty.empty(); }
    /// Returns how many slots are empty at a moment: 0 outside `time`.
    std::int64_t emptyAt(std::int64_t ps) const;
};

/// Returns the last wave on GPU `gpu` of a run. The result has no slots for a run that records none, for a collective
/// alone, and for a run with a companion, or with a collective kernel on the same CUs, whose workgroups fill slots
/// that the own GEMM leaves empty. CUs that are kept for a collective kernel have no slots of the GEMM.
LastWave lastWaveOf(const ShownRun& run, std::uint32_t gpu);

}  // namespace data
