#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/units.h"
#include "engine/record/expected_counts.h"

#include <cstdint>
#include <vector>

namespace engine {

/// What the network lets one GPU send and receive at best.
struct GpuNetwork {
    Bandwidth egress;     ///< of the links that its collectives send on, together
    Bandwidth ingress;    ///< of those that what comes in takes
    Duration latencyOut;  ///< what it sends takes at least as long from its departure to its arrival
    Duration latencyIn;   ///< likewise what it receives
    bool operator==(const GpuNetwork&) const = default;
};

/// How the collectives of an experiment see the network, and what they have to move.
struct NetworkFacts {
    /// Each GPU sends to the one before it only: then `ingress` and `latencyIn` are those of the way from the one behind.
    bool aroundRing = false;
    std::vector<GpuNetwork> gpus;
    std::vector<GpuNetwork> shared;  ///< what own work and a companion's collective send on together; empty without one
    CollectiveCounts counts;
};

/// Times that no GPU can beat, by GPU: its compute, its links without any compute, and its total, DRAM aside.
/// They hold for any links, clocks and chunks:
/// - what a GPU sends leaves by its own links, so that it ends no sooner than they take for that;
/// - what it receives comes in by the links that end there and sees the least latency of them;
/// - around a ring the chunk that comes last has passed all GPUs but one: it pays each hop's latency and, where kernels
///   wait for a whole step, each hop's time on the wire; carried on piece by piece, that of the slowest hop;
/// - nothing leaves before the phase that sends it has begun;
/// - beside a companion CUs and links have to do the work of both.
std::vector<BoundsResult> boundsOfGpus(const Experiment& experiment, const Shape& shape, const NetworkFacts& network);

/// The same of a run, which ends with its last GPU: the longest of all GPUs, whichever ends last, and the time at which
/// what each GPU sends has arrived somewhere. `gpus` are the results of all GPUs, or of the one that stands for all.
BoundsResult boundsOfRun(const Experiment& experiment, const Shape& shape, const NetworkFacts& network,
                         const std::vector<const GpuResult*>& gpus);

/// What the experiment could not undercut if all that it communicates began at once and went on piece by piece, and what
/// its DRAM has to serve at least, at peak bandwidth. Nothing of a run goes into it.
BoundsResult leastBounds(const Experiment& experiment, const Shape& shape, const NetworkFacts& network);

/// Bytes that one GPU's DRAM served, at peak bandwidth; nothing where nothing was simulated.
Duration memoryBound(const Experiment& experiment, const GpuResult& result);

/// What an ideal overlap cannot beat, which is a formula over the parts of GPU `gpu` under `sequential`. Where GPUs do
/// not all do the same, a part can begin late and be short, since what it waits for is there already: then only what the
/// GPU computes and sends itself bounds it.
BoundsResult boundsOfFormula(const Experiment& experiment, const Shape& shape, const NetworkFacts& network,
                             std::uint32_t gpu, bool gpusDoTheSame);

}  // namespace engine
