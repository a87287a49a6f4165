#pragma once

#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"
#include "engine/collective/address_maps.h"
#include "engine/collective/ring_schedule.h"
#include "engine/overlap/collective_work.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

/// The number of a stage in its program.
using StageId = std::uint8_t;

/// One part of a GPU's work: the GEMM, a collective, a pass inside memory, or an access pattern.
struct Stage {
    std::optional<CollectiveKind> collective;  ///< empty: one of the others
    bool byDma = false;                        ///< tracker and DMA carry out the collective; otherwise a kernel does
    std::vector<StageId> after;                ///< stages that have to end on the GPU before this one begins
    std::optional<StageId> beside;  ///< the stage with which this one begins, and whose data it takes as they arrive
    bool byCopies = false;          ///< copies by DMA carry the collective, and a kernel adds
    bool companion = false;         ///< belongs to the companion, on which the own work does not depend
    bool inMemory = false;          ///< a pass inside memory
    bool access = false;            ///< an access pattern, the only stage of its program

    bool isGemm() const { return !collective && !inMemory && !access; }
    bool gathers() const { return collective == CollectiveKind::allGather; }
    bool scatters() const { return collective && !gathers(); }
    /// Returns whether the collective runs on compute units, all of it or its sums.
    bool needsCus() const { return collective && !byDma && (!byCopies || collective == CollectiveKind::reduceScatter); }
    bool ownGemm() const { return isGemm() && !companion; }
};

/// The work of each GPU, as stages and the order between them. A stage begins when all stages in `after` have ended and
/// the stage `beside` has begun. The GPU is done when all stages have ended.
struct Program {
    std::vector<Stage> stages;

    /// Returns the first stage that fits, or an empty optional. The functions below return stages of the own work,
    /// unless they say otherwise.
    template <typename Fits>
    std::optional<StageId> find(Fits fits) const {
        for (StageId id = 0; id < stages.size(); ++id)
            if (fits(stages[id]))
                return id;
        return std::nullopt;
    }
    std::optional<StageId> gemm() const {
        return find([](const Stage& stage) { return stage.ownGemm(); });
    }
    std::optional<StageId> scatter() const {
        return find([](const Stage& stage) { return stage.scatters() && !stage.companion; });
    }
    std::optional<StageId> gather() const {
        return find([](const Stage& stage) { return stage.gathers() && !stage.companion; });
    }
    /// Returns the first stage of the companion.
    std::optional<StageId> companion() const {
        return find([](const Stage& stage) { return stage.companion; });
    }

    /// Returns whether another stage begins after this one or takes its data.
    bool feedsAnother(StageId id) const;
    /// Returns whether the GEMM reads gathered data.
    bool consumes() const;
};

/// The parts of an experiment that a run has: the GEMM, the collectives that belong to it, the companion.
struct ProgramParts {
    bool gemm = true;
    bool collectives = true;
    bool companion = true;
};

/// Returns the stages of an experiment's run: those of the own work, then those of the companion. The companion is one
/// stage, or two in order for an all-reduce. All copies of a companion GEMM are one stage.
Program programOf(const Experiment& experiment, const ProgramParts& of = {});

/// Returns whether those parts of the own work send data between GPUs.
bool ownWorkSends(const Experiment& experiment, const ProgramParts& of = {});

/// Returns whether the companion's collective sends only from each GPU to the next of the ring. Precondition:
/// hasCompanionCollective.
bool companionGoesAroundRing(const Experiment& experiment);

/// Returns the data that the collective of a stage moves and the means by which it moves them. `layout` is the stage's.
CollectiveWork collectiveWorkOf(const Experiment& experiment, const Stage& stage, const OutputLayout& layout);

/// Returns the address map of the GEMM's output: where its stores go, or that they stay for a collective kernel.
AddressMap outputMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring,
                       std::uint32_t chunks);

/// Returns the address map of a collective that tracker and DMA carry out. Precondition: `stage.byDma`.
AddressMap mapOf(const Experiment& experiment, const Stage& stage, const RingSchedule& ring);

// The approximate number of events that a granule of the output costs, whatever the policy: it is stored by the GEMM,
// then sent, read and written again by each of the collectives.
inline constexpr double kStoreEvents = 2, kScatterEvents = 5, kGatherEvents = 3;

/// Returns the work of the isolated reduce-scatter as a share of the work of the whole experiment; 0 without one.
double isolatedScatterShare(const Experiment& experiment);

}  // namespace engine
