#pragma once

#include "data/results/metrics.h"
#include "engine/api/results.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace data {

/// One number of a result: its key in the JSON and the texts of its metric. Its type implies its unit.
struct ResultField {
    const char* key;              ///< "dram_bytes.read": inside an object of the group
    const char* label = nullptr;  ///< null: no metric
    const char* meaning = "";
    Better better = Better::neither;
    bool later = false;  ///< written last; absent if all fields of the group with `later` are 0
};

// The numbers of each group of a result, listed once, for writer, reader and metrics, in the order of the metrics.
// visitFields calls `field(ResultField, MEMBER)` for all of them. The pointer argument only selects the group. A member
// may be optional, or a group itself: then its key is that of an object.

template <class Visitor>
void visitFields(const engine::Shape*, Visitor&& field) {
    using engine::Shape;
    field({"m", "M", "Rows of the GEMM's output."}, &Shape::m);
    field({"n", "N", "Columns of the GEMM's output."}, &Shape::n);
    field({"k", "K", "Length of the GEMM's sums on one GPU, after slicing."}, &Shape::k);
    field({"tiles", "Tiles", "Workgroups of the GEMM, or slabs of a collective alone."}, &Shape::tiles);
    field({"output_bytes", "Output", "Bytes that are reduced and gathered."}, &Shape::outputBytes);
}

template <class Visitor>
void visitFields(const engine::TimeResult*, Visitor&& field) {
    using engine::TimeResult;
    using enum Better;
    field({"total", "Total time", "From the start to the last end.", smaller}, &TimeResult::total);
    field({"gemm", "GEMM time", "From the first workgroup's start to the last store landed or sent.", smaller},
          &TimeResult::gemm);
    field({"reduce_scatter", "Reduce-scatter time",
           "From its kernel's start, or the first remote store, to the last update that landed.", smaller},
          &TimeResult::reduceScatter);
    field({"all_gather", "All-gather time", "From the all-gather's start to its last write.", smaller},
          &TimeResult::allGather);
    field({"all_to_all", "All-to-all time",
           "From the all-to-all's start, or the first store that leaves, to its last write.", smaller, true},
          &TimeResult::allToAll);
    field({"overlapped", "GEMM and collective at once",
           "Time in which GEMM and reduce-scatter ran at once, including time in which the GEMM waited.", larger},
          &TimeResult::overlapped);
    field({"exposed_communication", "Total without the GEMM",
           "Time until the own work has ended, minus that of the GEMM in this run, including its waiting.", smaller},
          &TimeResult::exposedCommunication);
}

template <class Visitor>
void visitFields(const engine::WholeRun*, Visitor&& field) {  // everything except its times
    using engine::WholeRun;
    field({"gemm_start"}, &WholeRun::gemmStart);
    field({"reduce_scatter_start"}, &WholeRun::scatterStart);
    field({"all_gather_start"}, &WholeRun::gatherStart);
}

template <class Visitor>
void visitFields(const engine::IsolatedTimes*, Visitor&& field) {
    using engine::IsolatedTimes;
    using enum Better;
    field({"gemm", "GEMM alone", "The GEMM alone on the machine.", smaller}, &IsolatedTimes::gemm);
    field({"reduce_scatter", "Reduce-scatter alone",
           "The reduce-scatter alone on the machine, reduced by compute units.", smaller},
          &IsolatedTimes::reduceScatter);
    field({"reduce_scatter_nmc", "Reduce-scatter alone, NMC",
           "The reduce-scatter alone on the machine, reduced near memory.", smaller},
          &IsolatedTimes::reduceScatterNmc);
    field({"all_gather", "All-gather alone", "The all-gather alone on the machine.", smaller},
          &IsolatedTimes::allGather);
    field({"all_to_all", "All-to-all alone", "The all-to-all alone on the machine.", smaller, true},
          &IsolatedTimes::allToAll);
}

template <class Visitor>
void visitFields(const engine::DramResult*, Visitor&& field) {
    using engine::DramResult;
    using enum Better;
    field({"gemm_read", "DRAM read, GEMM", "Read from DRAM by the GEMM.", smaller}, &DramResult::gemmRead);
    field({"gemm_write", "DRAM written, GEMM", "Written to DRAM by the GEMM, its own updates included.", smaller},
          &DramResult::gemmWrite);
    field({"rs_read", "DRAM read, RS", "Read from DRAM by the reduce-scatter.", smaller}, &DramResult::rsRead);
    field(
        {"rs_write", "DRAM written, RS", "Written to DRAM by the reduce-scatter, arriving updates included.", smaller},
        &DramResult::rsWrite);
    field({"ag_read", "DRAM read, AG", "Read from DRAM by the all-gather.", smaller}, &DramResult::agRead);
    field({"ag_write", "DRAM written, AG", "Written to DRAM by the all-gather.", smaller}, &DramResult::agWrite);
    field({"a2a_read", "DRAM read, all-to-all", "Read from DRAM by the all-to-all.", smaller, true},
          &DramResult::a2aRead);
    field({"a2a_write", "DRAM written, all-to-all", "Written to DRAM by the all-to-all.", smaller, true},
          &DramResult::a2aWrite);
    field({"total", "DRAM traffic", "Bytes that one GPU reads from and writes to DRAM.", smaller}, &DramResult::total);
}

template <class Visitor>
void visitFields(const engine::DramOutcome*, Visitor&& field) {
    using engine::DramOutcome;
    using enum Better;
    field({"efficiency", "DRAM efficiency", "Share of its peak bandwidth that the bank model reached while it served.",
           larger},
          &DramOutcome::efficiency);
    field({"update_cost", "Update cost", "Service time of an update's bytes, divided by that of a plain request's.",
           smaller},
          &DramOutcome::updateCost);
    field({"row_hit_rate", "Row hit rate", "Share of column accesses that found their row open.", larger},
          &DramOutcome::rowHitRate);
    field({"activations", "Activations", "Rows opened.", smaller}, &DramOutcome::activations);
    field({"turnaround_ps", "Turnaround", "Time lost between reads and writes.", smaller}, &DramOutcome::turnaround);
    field({"refresh_ps", "Refresh", "Time lost to refreshes.", smaller}, &DramOutcome::refresh);
}

template <class Visitor>
void visitFields(const engine::CampingResult*, Visitor&& field) {
    using engine::CampingResult;
    using enum Better;
    field({"camping", "Channel camping", "Bytes of the busiest DRAM channel, divided by the mean of all channels.",
           smaller},
          &CampingResult::camping);
    field({"camping_window", "Channel camping in windows",
           "The same, as a mean over windows of 16 requests a channel: shows channels that take turns.", smaller},
          &CampingResult::campingWindow);
}

template <class Visitor>
void visitFields(const engine::LinkResult*, Visitor&& field) {
    using engine::LinkResult;
    using enum Better;
    field({"reduce_scatter", "Sent, RS", "Payload that left one GPU for the reduce-scatter.", smaller},
          &LinkResult::reduceScatter);
    field({"all_gather", "Sent, AG", "Payload that left one GPU for the all-gather.", smaller}, &LinkResult::allGather);
    field({"all_to_all", "Sent, all-to-all", "Payload that left one GPU for the all-to-all.", smaller, true},
          &LinkResult::allToAll);
}

template <class Visitor>
void visitFields(const engine::NetworkResult*, Visitor&& field) {
    using engine::NetworkResult;
    using enum Better;
    field({"links", "Links", "Directed links of the topology."}, &NetworkResult::links);
    field({"switches", "Switches", "Switches of the topology."}, &NetworkResult::switches);
    field({"egress_bytes_per_s", "Egress of a GPU", "Bandwidth of all links that leave the GPU, together."},
          &NetworkResult::egress);
    field({"links_shared_by_ring", "Links shared by the ring", "Links that more than one hop of the ring takes.",
           smaller},
          &NetworkResult::linksSharedByRing);
    field({"links_of_gpu", "Links of a GPU", "Links that leave the GPU.", neither, true}, &NetworkResult::linksOfGpu);
    field({"links_used", "Links used", "Links of the GPU on which the collective algorithm sends.", neither, true},
          &NetworkResult::linksUsed);
    field({"used_bytes_per_s", "Egress used", "Bandwidth of the links on which the algorithm sends, together.", neither,
           true},
          &NetworkResult::used);
}

template <class Visitor>
void visitFields(const engine::TrackerResult*, Visitor&& field) {
    using engine::TrackerResult;
    using enum Better;
    field({"peak_entries", "Tracker entries, peak", "Workgroups tracked at once.", smaller},
          &TrackerResult::peakEntries);
    field({"capacity_stalls", "Tracker stalls", "Pairs of tile and source that had to wait for a set of the tracker.",
           smaller},
          &TrackerResult::capacityStalls);
    field({"triggers", "Triggers", "DMA commands that the tracker made ready."}, &TrackerResult::triggers);
    field({"updates", "Updates", "Update requests that landed."}, &TrackerResult::updates);
    field({"held_peak_bytes", "Held updates, peak",
           "Receive buffer for updates that had to wait for a set of the tracker.", smaller},
          &TrackerResult::heldPeak);
    field(
        {"arrival_stalls", "Arrivals stalled",
         "How often the arrivals of a GPU began to wait because tracker.held_bytes had no room for the first of them.",
         smaller, true},
        &TrackerResult::arrivalStalls);
}

template <class Visitor>
void visitFields(const engine::DmaResult*, Visitor&& field) {
    using engine::DmaResult;
    field({"commands", "DMA commands", "DMA commands carried out."}, &DmaResult::commands);
    field({"bytes", "DMA traffic", "Read and sent by the DMA engines."}, &DmaResult::bytes);
    field({"peak_queue", "DMA queue, peak", "Ready DMA commands waiting at once.", Better::smaller},
          &DmaResult::peakQueue);
}

template <class Visitor>
void visitFields(const engine::LlcResult*, Visitor&& field) {
    using engine::LlcResult;
    using enum Better;
    field({"hit_bytes", "LLC hits", "Found in the last-level cache.", larger}, &LlcResult::hit);
    field({"miss_bytes", "LLC misses", "Not found in the last-level cache.", smaller}, &LlcResult::miss);
    field({"hit_rate", "LLC hit rate", "Share of bytes found in the last-level cache.", larger}, &LlcResult::hitRate);
}

template <class Visitor>
void visitFields(const engine::BoundsResult*, Visitor&& field) {
    using engine::BoundsResult;
    using enum Better;
    field({"compute", "Compute bound", "The shortest possible time of the arithmetic.", smaller},
          &BoundsResult::compute);
    field({"memory", "Memory bound", "The shortest possible time of the DRAM traffic.", smaller},
          &BoundsResult::memory);
    field({"link", "Link bound", "The shortest possible time of the link traffic.", smaller}, &BoundsResult::link);
    field({"total", "Bound of this policy", "No run under this policy with this traffic can be faster.", smaller},
          &BoundsResult::total);
}

template <class Visitor>
void visitFields(const engine::CompanionPart*, Visitor&& field) {
    using engine::CompanionPart;
    field({"own_ps"}, &CompanionPart::own);
    field({"time_ps"}, &CompanionPart::time);
    field({"own_waits_ps"}, &CompanionPart::ownWaits);
    field({"waits_ps"}, &CompanionPart::waits);
    field({"dram_bytes.read"}, &CompanionPart::dramRead);
    field({"dram_bytes.write"}, &CompanionPart::dramWritten);
    field({"link_bytes"}, &CompanionPart::sent);
    field({"other_done", "Other's share at the first end",
           "The share of its work that the kernel that ended last had done when the first one ended: K-steps or "
           "received bytes, 0 to 1."},
          &CompanionPart::otherDone);
}

template <class Visitor>
void visitFields(const engine::WhileBoth*, Visitor&& field) {
    using engine::WhileBoth;
    using enum Better;
    field({"time_ps", "Both kernels at once", "Until the first of the two kernels has ended."}, &WhileBoth::time);
    field({"own_slowdown", "Own kernel slower while both run",
           "How many times longer the own kernel takes while the companion runs, too.", smaller},
          &WhileBoth::ownSlowdown);
    field({"slowdown", "Companion slower while both run",
           "How many times longer the companion takes while the own kernel runs, too.", smaller},
          &WhileBoth::slowdown);
}

// Copies and bytes are left out: they are numbers of the experiment, and a metric with a parameter's name would hide
// the parameter.
template <class Visitor>
void visitFields(const engine::CompanionResult*, Visitor&& field) {
    using engine::CompanionResult;
    using enum Better;
    field({"copies"}, &CompanionResult::copies);
    field({"bytes"}, &CompanionResult::bytes);
    field({"own_ps", "Own work ends", "Time until the experiment's own work has ended beside its companion.", smaller},
          &CompanionResult::own);
    field({"time_ps", "Companion ends", "Time until the companion has ended.", smaller}, &CompanionResult::time);
    field({"own_waits_ps", "Own work waits for a CU",
           "Time from the launch of the own work's first kernel until a workgroup of it has room on a CU.", smaller},
          &CompanionResult::ownWaits);
    field({"waits_ps", "Companion waits for a CU",
           "Time from the launch of the companion until a workgroup of it has room on a CU.", smaller},
          &CompanionResult::waits);
    field({"own_alone_ps", "Own work alone", "The experiment's own work on a GPU of its own.", smaller},
          &CompanionResult::ownAlone);
    field({"alone_ps", "Companion alone", "The companion, carried as it is set, on a GPU of its own.", smaller},
          &CompanionResult::alone);
    field({"serial_ps", "One after the other",
           "The own work alone plus each copy of the companion alone; a collective counts as a kernel.", smaller},
          &CompanionResult::serial);
    field({"per_kernel_ps", "Time per kernel", "Total time, divided by the own kernel and the copies beside it.",
           smaller},
          &CompanionResult::perKernel);
    field({"own_slowdown", "Own work slower",
           "The end of the own work beside its companion, divided by its time alone; a wait for a CU counts.", smaller},
          &CompanionResult::ownSlowdown);
    field({"slowdown", "Companion slower",
           "The end of the companion beside the own work, divided by its time alone; a wait for a CU counts.", smaller},
          &CompanionResult::slowdown);
    field({"speedup_over_serial", "Speed-up over serial", "One after the other, divided by the total time.", larger},
          &CompanionResult::speedupOverSerial);
    field({"ideal_speedup", "Ideal speed-up over serial",
           "One after the other, divided by the longer of own work and companion alone."},
          &CompanionResult::idealSpeedup);
    field({"fraction_of_ideal", "Share of the ideal speed-up",
           "The speed-up over serial minus 1, divided by the ideal speed-up minus 1.", larger},
          &CompanionResult::fractionOfIdeal);
    field({"while_both"}, &CompanionResult::whileBoth);
    field({"dram_bytes.read", "DRAM read, companion", "Read from DRAM by the companion.", smaller},
          &CompanionResult::dramRead);
    field({"dram_bytes.write", "DRAM written, companion", "Written to DRAM by the companion.", smaller},
          &CompanionResult::dramWritten);
    field({"link_bytes", "Sent, companion", "Payload that left one GPU for the companion.", smaller},
          &CompanionResult::sent);
}

// The tile is no metric: it has the path of its parameter, and a metric with that name would hide the parameter. The
// metrics of the tile are gemm.used_tile_m and gemm.used_tile_n.
template <class Visitor>
void visitFields(const engine::GemmResult*, Visitor&& field) {
    using engine::GemmResult;
    using enum Better;
    field({"tile_m"}, &GemmResult::tileM);
    field({"tile_n"}, &GemmResult::tileN);
    field({"tiles_tried", "Tiles tried",
           "Tiles from which tiles.choice has chosen that of the GEMM; 0 if the tile was set by hand."},
          &GemmResult::tilesTried);
    field({"tiles", "GEMM tiles", "Tiles of the GEMM's output, of all GEMMs of a batch."}, &GemmResult::tiles);
    field({"slots", "Slots", "Workgroups of the GEMM that the GPU holds at once."}, &GemmResult::slots);
    field({"waves", "Waves", "How often the workgroups of the GEMM fill all slots of the GPU, the last time in part.",
           smaller},
          &GemmResult::waves);
    field(
        {"pieces", "Pieces", "Kernels as which the GEMM is launched (policy.pieces); its waves are the sum over them."},
        &GemmResult::pieces);
    field({"decomposition_ps", "Lost by pieces",
           "How much longer the pieces of the GEMM take alone than one kernel (policy.preset=chunked-dma).", smaller},
          &GemmResult::decomposition);
    field({"contention_ps", "Lost beside copies",
           "How much longer the pieces of the GEMM take beside the copies than alone, waits for chunks included "
           "(policy.preset=chunked-dma).",
           smaller},
          &GemmResult::contention);
    field({"tile_efficiency", "Tile efficiency", "Elements of the output, divided by those of all its tiles.", larger},
          &GemmResult::tileEfficiency);
    field({"wave_efficiency", "Wave efficiency", "Tiles, divided by the slots of all waves.", larger},
          &GemmResult::waveEfficiency);
    field({"alignment_bytes", "Alignment", "The largest power of two of bytes that divides every side of the GEMM.",
           larger},
          &GemmResult::alignment);
    field({"flops_per_second", "GEMM rate",
           "Operations of the GEMM, divided by its time; a multiply-add counts as two.", larger},
          &GemmResult::rate);
    field({"share_of_peak", "Share of peak", "Rate of the GEMM, divided by the peak rate of the GPU.", larger},
          &GemmResult::shareOfPeak);
}

template <class Visitor>
void visitFields(const engine::AccessResult*, Visitor&& field) {
    using engine::AccessResult;
    using enum Better;
    field({"requests", "Requests", "Requests of the access pattern."}, &AccessResult::requests);
    field({"bytes", "Bytes accessed", "Bytes of all requests of the access pattern."}, &AccessResult::bytes);
    field({"bandwidth_bytes_per_s", "Bandwidth of the pattern", "Bytes of the access pattern, divided by its time.",
           larger},
          &AccessResult::bandwidth);
    field({"share_of_peak", "Share of peak bandwidth", "Bandwidth of the access pattern, divided by memory.bandwidth.",
           larger},
          &AccessResult::shareOfPeak);
}

template <class Visitor>
void visitFields(const engine::InvariantsResult*, Visitor&& field) {
    field({"checked", "Invariants checked", "Invariants checked on this run."}, &engine::InvariantsResult::checked);
}

template <class Visitor>
void visitFields(const engine::RunResult*, Visitor&& field) {  // the numbers outside of groups, written last
    using engine::RunResult;
    field({"events", "Events", "Events simulated for this run."}, &RunResult::events);
    field({"wall_ns", "Simulation time, ns", "Nanoseconds that the simulation took; differs from machine to machine."},
          &RunResult::wallNs);
    field({"threads", "Threads", "Threads that simulated it."}, &RunResult::threads);
}

/// Visits the groups of one GPU that only some policies have: calls `group(KEY, MEMBER)` for all of them.
template <class Visitor>
void visitGroups(Visitor&& group) {
    using engine::GpuResult;
    group("dram_bytes", &GpuResult::dram);
    group("dram_outcome", &GpuResult::dramOutcome);
    group("memory", &GpuResult::memory);
    group("link_bytes", &GpuResult::link);
    group("tracker", &GpuResult::tracker);
    group("dma", &GpuResult::dma);
    group("llc", &GpuResult::llc);
}

/// Return a number of a result in base units, as a plain type: std::int64_t, double for ratios, bool.
inline std::int64_t plain(engine::Duration time) { return time.ps; }
inline std::int64_t plain(engine::Bytes bytes) { return bytes.count; }
inline std::int64_t plain(engine::Bandwidth rate) { return rate.bytesPerSecond; }
inline std::int64_t plain(engine::FlopRate rate) { return rate.flopsPerSecond; }
inline std::int64_t plain(std::int64_t count) { return count; }
inline std::int64_t plain(int count) { return count; }
inline double plain(double ratio) { return ratio; }
inline bool plain(bool truth) { return truth; }

template <class Value>
struct OptionalField : std::false_type {
    using Type = Value;
};
template <class Value>
struct OptionalField<std::optional<Value>> : std::true_type {
    using Type = Value;
};

/// Shows whether a member is optional, and the type of its value.
template <class Value>
inline constexpr bool kIsOptional = OptionalField<Value>::value;
template <class Value>
using FieldValue = typename OptionalField<Value>::Type;

/// True if a member is a group of numbers instead of a number.
template <class Value>
inline constexpr bool kIsGroup = !requires(const Value& value) { plain(value); };

/// Returns a pointer to the value of a member, or null if it is missing.
template <class Value>
const Value* pointerTo(const Value& value) {
    return &value;
}
template <class Value>
const Value* pointerTo(const std::optional<Value>& value) {
    return value ? &*value : nullptr;
}
template <class Value>
const Value* pointerTo(const Value&&) = delete;  // the pointer would dangle

/// Returns whether the fields of a group with `later` are written.
template <class Group>
bool hasLaterFields(const Group& group) {
    bool tells = false;
    visitFields(&group, [&](const ResultField& field, auto member) {
        using Value = std::remove_cvref_t<std::invoke_result_t<decltype(member), const Group&>>;
        if constexpr (!kIsOptional<Value>)
            tells = tells || (field.later && plain(std::invoke(member, group)) != 0);
    });
    return tells;
}

/// A key of the attribution, and the causes whose times it adds up.
struct AttributionPart {
    bool detail = false;  ///< under "attribution_detail_ps" instead of "attribution_ps"
    const char* key = "";
    std::vector<engine::Cause> causes{};
    bool later = false;  ///< written only if it is not 0, so that older documents stay unchanged

    std::int64_t ps(const engine::CauseTimes& times) const;
};

/// Returns the parts of the attribution. "memory" includes the time that a collective kernel needs for its loads and
/// stores. Its components are given as well: "memory_own" and "memory_contention" add up to it, and
/// "collective_kernel", "memory_latency", "memory_bandwidth" and "cache_slices" to "memory_own".
const std::vector<AttributionPart>& attributionParts();

}  // namespace data
