#pragma once

#include "engine/api/experiment.h"
#include "engine/collective/address_maps.h"
#include "engine/collective/ring_schedule.h"

#include <optional>

namespace engine {

/// Which parts an experiment's run has, and in which order one feeds the other.
struct Program {
    bool gemm = false;
    std::optional<CollectiveKind> scatter;  ///< reduce-scatter or all-to-all, of what the GEMM produced
    bool gather = false;                    ///< all-gather: of the sums, or of what the GEMM reads
    bool consumes = false;                  ///< the GEMM reads what is gathered

    bool exchanges() const { return scatter == CollectiveKind::allToAll; }
};

/// True where each GPU sends to the next of the ring only; otherwise all GPUs have to be simulated.
bool sendsAroundRing(const Experiment& experiment);

/// Without `collectives` the GEMM by itself, without `gemm` the collectives by themselves.
Program programOf(const Experiment& experiment, bool gemm = true, bool collectives = true);

/// Where what the GEMM stores goes, or stays for a collective kernel.
AddressMap outputMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring,
                       std::uint32_t chunks);

/// What tracker and DMA move by themselves: nothing where collective kernels do.
std::optional<AddressMap> scatterMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring);
std::optional<AddressMap> gatherMapOf(const Experiment& experiment, const Program& program, const RingSchedule& ring);

}  // namespace engine
