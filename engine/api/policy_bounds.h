#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"

namespace engine {

/// Returns the times that no simulated policy can undercut on the machine of `experiment`, whichever policy it has:
/// - compute: the operations of the GEMM at the peak rate of the CUs;
/// - link: each byte of the collectives that has to leave or reach a GPU, sent once over the links that the algorithm
///   uses, at their full bandwidth, and one latency of each hop on the way of the chunk that comes last;
/// - memory: each byte that DRAM has to serve, at peak bandwidth: both operands once, the stores of the output, and the
///   reads and writes of the collectives. These depend on the chunks and on whether kernels or DMA move them; the
///   smaller number of the two counts;
/// - total: the greatest of these and of the end of communication that begins at once; the all-gather of sums cannot
///   begin before the last sum is computed.
///
/// DRAM efficiency, wave quantisation and start-up costs are left out, so that the bound holds for any of their models.
/// The formulas `ideal-overlap*` let the parts share DRAM and links at no cost, so that only compute and links bound
/// them. `cu-split` moves the data of another sub-layer, whose all-gather waits for no sum, and therefore has bounds of
/// its own. All times are zero for an experiment that cannot be run.
BoundsResult boundsOfAnyPolicy(const Experiment& experiment);

}  // namespace engine
