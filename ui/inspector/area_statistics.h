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

/// Spans of one class added up.
struct SpanSums {
    std::int64_t count = 0;
    std::int64_t totalPs = 0;
    std::int64_t longestPs = 0;
    std::int64_t bytes = 0;

    void add(const SpanSums& other);
    bool operator==(const SpanSums&) const = default;
};

/// A kind of span, DRAM accesses further by their stream.
inline constexpr std::size_t kSpanClasses = engine::kSpanKinds * 2;
constexpr std::size_t classOf(engine::SpanKind kind, engine::Stream stream = engine::Stream::compute) {
    return static_cast<std::size_t>(kind) * 2 + static_cast<std::size_t>(stream);
}
using ClassSums = std::array<SpanSums, kSpanClasses>;

/// What began in a stretch of a lane, added up by class. A sum is kept for every few dozen spans, so that an answer
/// costs two binary searches and a look at the edges, however long the stretch.
class LaneSums {
public:
    /// `lane` must outlive it.
    explicit LaneSums(const engine::Lane& lane);

    void addTo(data::TimeRange range, ClassSums& sums) const;

private:
    void addSpans(std::size_t from, std::size_t to, ClassSums& sums) const;

    static constexpr std::size_t kBlock = 64;

    const engine::Lane& m_lane;
    std::vector<std::size_t> m_classes;  // that occur in this lane
    std::vector<SpanSums> m_blocks;      // for each block, for each class: of that block alone
    std::vector<SpanSums> m_before;      // likewise: of all blocks before it, but for the longest
};

/// How the time of a GPU divides, as unions of intervals: atOnce = compute + communication - active, where active is
/// the time in which at least one of both is under way; communicationAlone = communication - atOnce; idle = all - active.
/// So compute + communicationAlone + idle is all of the time, to the picosecond. What a run hides is another question,
/// answered by engine::hidingOf: compute that waits for memory hides nothing.
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

/// Mean share of the time that the resources of a kind are busy.
struct BusyShares {
    std::optional<double> workgroupSlots, dramCompute, dramCommunication, linkOut, linkIn, dma;
};

/// The same of what kernels share, for one kernel of a run with a companion.
struct KernelShares {
    data::KernelNumber kernel = data::kGemmKernel;
    double workgroupSlots = 0, dram = 0, linkOut = 0;
};

/// What an area of the picture comes to, as far as it lies within the run. Times and bytes are summed over its GPUs; spans
/// count where they begin.
struct AreaStatistics {
    data::TimeRange range;
    std::uint32_t gpus = 0;
    OverlapIdentity overlap;
    BusyShares busy;
    std::vector<KernelShares> kernels;  ///< by number; empty without a companion
    ClassSums sums;

    std::int64_t linkBytes() const;  ///< that left its GPUs
    std::int64_t dramBytes() const;
};

/// Answers for any area of one run in far less than a frame. Building it reads every span once, which is work for
/// another thread.
class StatisticsIndex {
public:
    explicit StatisticsIndex(std::shared_ptr<const data::ShownRun> run);

    /// Precondition: `area.firstGpu` is in the run.
    AreaStatistics of(const data::Area& area) const;

private:
    struct Gpu {
        data::BusyCurve compute, communication, active;
        data::Utilisation slots, linkIn, dma;  // dma: one or more blocks under way
        std::vector<LaneSums> lanes;
    };
    void readGpu(std::uint32_t gpu);
    void addKernels(const data::TraceIndex::Gpu& lanes, std::int64_t alike, AreaStatistics& told) const;
    void addGpu(std::uint32_t gpu, std::int64_t alike, AreaStatistics& told) const;

    std::shared_ptr<const data::ShownRun> m_run;
    std::vector<Gpu> m_gpus;  // as recorded
};

/// Sorted, disjoint and not empty: the union of intervals given in any order.
std::vector<data::TimeRange> unionOf(std::vector<data::TimeRange> intervals);

}  // namespace ui
