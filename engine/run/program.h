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

/// One thing that a GPU does: the GEMM, or a collective.
struct Stage {
    std::optional<CollectiveKind> collective;  ///< nothing: the GEMM
    bool byDma = false;                        ///< tracker and DMA carry the collective; otherwise a kernel does
    std::vector<StageId> after;                ///< stages that have to end on the GPU before this one begins
    std::optional<StageId> beside;  ///< the stage with which this one begins, and whose data it takes as they come
    bool companion = false;         ///< no part of the experiment's own work, which does not depend on it

    bool isGemm() const { return !collective; }
    bool gathers() const { return collective == CollectiveKind::allGather; }
    bool scatters() const { return collective && !gathers(); }
    bool ownGemm() const { return isGemm() && !companion; }
};

/// What each GPU does, as stages and the order between them. A stage begins when all stages of `after` have ended and that
/// of `beside` has begun; the GPU is done when all have ended.
struct Program {
    std::vector<Stage> stages;

    /// The first stage that fits, or nothing. What follows names stages of the own work, unless it says otherwise.
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
    /// The first stage of the companion.
    std::optional<StageId> companion() const {
        return find([](const Stage& stage) { return stage.companion; });
    }

    /// True where another stage begins after this one or takes its data.
    bool feedsAnother(StageId id) const;
    /// True where the GEMM reads what is gathered.
    bool consumes() const;
};

/// What of an experiment a run has: the GEMM, the collectives that belong to it, the companion.
struct ProgramParts {
    bool gemm = true;
    bool collectives = true;
    bool companion = true;
};

/// Returns the stages of an experiment's run: those of the own work, then those of the companion, which is one stage, or two
/// in order for an all-reduce. All copies of a companion GEMM are one stage.
Program programOf(const Experiment& experiment, const ProgramParts& of = {});

/// True where something of those parts of the own work goes from GPU to GPU.
bool ownWorkSends(const Experiment& experiment, const ProgramParts& of = {});

/// True where each GPU sends what the companion moves to the next of the ring only. Precondition: hasCompanionCollective.
bool companionGoesAroundRing(const Experiment& experiment);

/// Returns what the collective of a stage moves and with what means. `layout` is the stage's.
CollectiveWork collectiveWorkOf(const Experiment& experiment, const Stage& stage, const OutputLayout& layout);

/// Returns where what the GEMM stores goes, or stays for a collective kernel.
AddressMap outputMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring,
                       std::uint32_t chunks);

/// Returns the address map of a collective that tracker and DMA carry. Precondition: `stage.byDma`.
AddressMap mapOf(const Experiment& experiment, const Stage& stage, const RingSchedule& ring);

// About how many events a granule of the output costs, whatever the policy: stored by the GEMM, then sent, read and
// written again by each of the collectives.
inline constexpr double kStoreEvents = 2, kScatterEvents = 5, kGatherEvents = 3;

/// What the isolated reduce-scatter takes, as a share of what the whole experiment does; 0 where there is none.
double isolatedScatterShare(const Experiment& experiment);

}  // namespace engine
