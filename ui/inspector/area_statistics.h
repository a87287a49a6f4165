#pragma once

#include "data/replay/busy_curve.h"
#include "data/replay/kernel_number.h"
#include "data/replay/shown_run.h"
#include "data/replay/span_ref.h"
#include "data/replay/time_range.h"
#include "engine/api/trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// Sums over the spans of one class.
struct SpanSums {
    std::int64_t count = 0;
    std::int64_t totalPs = 0;
    std::int64_t longestPs = 0;
    std::int64_t bytes = 0;

    void add(const SpanSums& other);
    bool operator==(const SpanSums&) const = default;
};

/// The number of classes: one for each kind of span and stream, since DRAM accesses are divided by stream.
inline constexpr std::size_t kSpanClasses = engine::kSpanKinds * 2;
constexpr std::size_t classOf(engine::SpanKind kind, engine::Stream stream = engine::Stream::compute) {
    return static_cast<std::size_t>(kind) * 2 + static_cast<std::size_t>(stream);
}
using ClassSums = std::array<SpanSums, kSpanClasses>;

/// Sums by class over the spans that begin within a part of a lane. Sums are precomputed for blocks of a few dozen
/// spans, so that a query takes two binary searches and a scan of the two end blocks, however long the part is.
class LaneSums {
public:
    /// `lane` must outlive the sums.
    explicit LaneSums(const engine::Lane& lane);

    void addTo(data::TimeRange range, ClassSums& sums) const;

private:
    void addSpans(std::size_t from, std::size_t to, ClassSums& sums) const;

    static constexpr std::size_t kBlock = 64;

    const engine::Lane& m_lane;
    std::vector<std::size_t> m_classes;  // classes that occur in this lane
    std::vector<SpanSums> m_blocks;      // for each block, then class: sums of that block alone
    std::vector<SpanSums>
        m_before;  // for each block, then class: sums of all blocks before it, except the longest span
};

/// Divides the time of a GPU by unions of intervals: atOnce = compute + communication - active, where active is the
/// time in which at least one of both is in progress; communicationAlone = communication - atOnce; idle = all - active.
/// So compute + communicationAlone + idle equals the whole time exactly. This is not the hidden communication of a run,
/// which engine::hidingOf returns: compute that waits for memory hides nothing.
struct OverlapIdentity {
    std::int64_t all = 0;
    std::int64_t compute = 0;
    std::int64_t communication = 0;
    std::int64_t active = 0;

    std::int64_t atOnce() const { return compute + communication - active; }
    std::int64_t communicationAlone() const { return communication - atOnce(); }
    std::int64_t idle() const { return all - active; }
    bool operator==(const OverlapIdentity&) const = default;
};

/// The mean share of time during which the resources of each kind are busy.
struct BusyShares {
    std::optional<double> workgroupSlots, dramCompute, dramCommunication, linkOut, linkIn, dma;
};

/// The same shares for the resources that kernels share, for one kernel of a run with a companion.
struct KernelShares {
    data::KernelNumber kernel = data::kGemmKernel;
    double workgroupSlots = 0, dram = 0, linkOut = 0;
};

/// The statistics of an area of the timeline, clipped to the run. Times and bytes are summed over the area's GPUs; a
/// span counts in the area in which it begins.
struct AreaStatistics {
    data::TimeRange range;
    std::uint32_t gpus = 0;
    OverlapIdentity overlap;
    BusyShares busy;
    std::vector<KernelShares> kernels;  ///< by kernel number; empty without a companion
    ClassSums sums;

    std::int64_t linkBytes() const;  ///< bytes that left their GPUs
    std::int64_t dramBytes() const;
};

/// Computes the statistics of any area of one run in much less time than a frame takes. Its constructor reads every
/// span once, so call it on a worker thread.
class StatisticsIndex {
public:
    explicit StatisticsIndex(std::shared_ptr<const data::ShownRun> run);

    /// Returns the statistics of an area. Precondition: the run has `area.firstGpu`.
    AreaStatistics of(const data::Area& area) const;

private:
    struct Gpu {
        data::BusyCurve compute, communication, active;
        data::Utilisation slots, linkIn, dma;  // dma: one or more blocks in progress
        std::vector<LaneSums> lanes;
    };
    void readGpu(std::uint32_t gpu);
    void addKernels(const data::TraceIndex::Gpu& lanes, std::int64_t alike, AreaStatistics& facts) const;
    void addGpu(std::uint32_t gpu, std::int64_t alike, AreaStatistics& facts) const;

    std::shared_ptr<const data::ShownRun> m_run;
    std::vector<Gpu> m_gpus;  // recorded GPUs
};

/// Returns the union of intervals, which may be in any order, as sorted, disjoint and non-empty ranges.
std::vector<data::TimeRange> unionOf(std::vector<data::TimeRange> intervals);

}  // namespace ui
