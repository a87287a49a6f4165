#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/units.h"
#include "engine/record/expected_counts.h"

#include <cstdint>
#include <vector>

namespace engine {

/// The best that the network allows one GPU to send and receive.
struct GpuNetwork {
    Bandwidth egress;     ///< bandwidth of all links together on which its collectives send
    Bandwidth ingress;    ///< bandwidth of all links together by which its collectives' data arrive
    Duration latencyOut;  ///< least latency of data that it sends
    Duration latencyIn;   ///< least latency of data that it receives
    bool operator==(const GpuNetwork&) const = default;
};

/// The network as the collectives of an experiment use it, and the bytes that they have to move.
struct NetworkFacts {
    /// Each GPU sends only to the GPU before it. Then `ingress` and `latencyIn` are those of the route from the GPU
    /// after it.
    bool aroundRing = false;
    std::vector<GpuNetwork> gpus;
    std::vector<GpuNetwork> shared;  ///< the same for own work and a companion's collective together; empty without one
    CollectiveCounts counts;
};

/// Returns, by GPU, times that the GPU cannot undercut: its compute, its links without any compute, and its total,
/// without DRAM. They hold for any links, clocks and chunks:
/// - data that a GPU sends leave by its own links, so that it ends no sooner than these links take for them;
/// - data that it receives arrive by the links that end there, after at least the least latency of them;
/// - around a ring the chunk that comes last has passed all GPUs but one: it pays each hop's latency and, if kernels
///   wait for a whole step, each hop's time on the wire; if it is forwarded piece by piece, the time of the slowest
///   hop;
/// - no data leave before the phase that sends them has begun;
/// - beside a companion, CUs and links have to do the work of both.
std::vector<BoundsResult> boundsOfGpus(const Experiment& experiment, const Shape& shape, const NetworkFacts& network);

/// Returns the same for a run, which ends with its last GPU: the longest time of all GPUs, whichever ends last, and the
/// time at which the data that each GPU sends have arrived. `gpus` are the results of all GPUs, or of the one that
/// stands for all.
BoundsResult boundsOfRun(const Experiment& experiment, const Shape& shape, const NetworkFacts& network,
                         const std::vector<const GpuResult*>& gpus);

/// Returns times that the experiment could not undercut even if all its communication began at once and was forwarded
/// piece by piece, and the least time that DRAM needs for its bytes at peak bandwidth. They do not depend on a run.
BoundsResult leastBounds(const Experiment& experiment, const Shape& shape, const NetworkFacts& network);

/// Returns the time of the bytes that one GPU's DRAM served, at peak bandwidth; 0 if nothing was simulated.
Duration memoryBound(const Experiment& experiment, const GpuResult& result);

/// Returns times that an ideal overlap, which is a formula over the parts of GPU `gpu` under `sequential`, cannot
/// undercut. If not all GPUs do the same, a part can begin late and be short because the data that it waits for are
/// already there. Then only the computation and the sends of the GPU itself bound the formula.
BoundsResult boundsOfFormula(const Experiment& experiment, const Shape& shape, const NetworkFacts& network,
                             std::uint32_t gpu, bool gpusDoTheSame);

}  // namespace engine
