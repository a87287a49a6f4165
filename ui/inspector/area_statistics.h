#pragma once

#include "data/replay/busy_curve.h"
#include "data/replay/shown_run.h"
#include "data/replay/span_ref.h"
#include "ui/inspector/lane_sums.h"

#include <memory>
#include <optional>
#include <vector>

namespace ui {

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

/// What an area of the picture comes to, as far as it lies within the run. Times and bytes are summed over its GPUs; spans
/// count where they begin.
struct AreaStatistics {
    data::TimeRange range;
    std::uint32_t gpus = 0;
    OverlapIdentity overlap;
    BusyShares busy;
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
    void addGpu(std::uint32_t gpu, std::int64_t alike, AreaStatistics& told) const;

    std::shared_ptr<const data::ShownRun> m_run;
    std::vector<Gpu> m_gpus;  // as recorded
};

/// Sorted, disjoint and not empty: the union of intervals given in any order.
std::vector<data::TimeRange> unionOf(std::vector<data::TimeRange> intervals);

}  // namespace ui
