#pragma once

namespace engine {

struct Experiment;

/// Which parts an experiment's run has, and which of them tracker and DMA carry.
struct RunParts {
    bool gemm = false;
    bool reduceScatter = false;  ///< of what the GEMM produced, or alone
    bool allToAll = false;       ///< in place of a reduce-scatter
    bool allGather = false;      ///< of the sums, of what the GEMM reads, or alone
    bool consumes = false;       ///< the GEMM reads what is gathered
    bool sideBySide = false;     ///< GEMM and collective run beside each other without a dependence
    bool scatterByDma = false;   ///< tracker and DMA carry the reduce-scatter or all-to-all; otherwise a kernel
    bool gatherByDma = false;    ///< likewise the all-gather

    bool scatters() const { return reduceScatter || allToAll; }
    /// The GEMM's stores feed tracker and DMA, or go straight to other GPUs.
    bool fused() const { return gemm && scatterByDma; }
    /// The collective's data do not come from the GEMM.
    bool startsWithData() const { return !gemm || consumes || sideBySide; }
};

/// Defined for experiments that are not valid as well.
RunParts runPartsOf(const Experiment& experiment);

/// True where each GPU sends to the next of the ring only; otherwise all GPUs have to be simulated.
bool sendsAroundRing(const Experiment& experiment);

}  // namespace engine
