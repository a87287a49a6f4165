#pragma once

namespace engine {

struct Experiment;

/// The parts of an experiment's run, and which of them tracker and DMA carry out.
struct RunParts {
    bool gemm = false;
    bool reduceScatter = false;  ///< of the GEMM's output, or alone
    bool allToAll = false;       ///< in place of a reduce-scatter
    bool allGather = false;      ///< of the sums, of the GEMM's input, or alone
    bool reducesAtOnce = false;  ///< `reduceScatter` is an all-reduce in one pass, whose sums come back to every GPU
    bool consumes = false;       ///< the GEMM reads the gathered data
    bool sideBySide = false;     ///< GEMM and collective run beside each other without a dependence
    bool asProduced = false;     ///< software takes the output while the GEMM produces it, part by part
    bool byCopies = false;       ///< copies by DMA carry the collectives of a GEMM in pieces
    bool scatterByDma = false;   ///< tracker and DMA carry out the reduce-scatter or all-to-all; false: a kernel does
    bool gatherByDma = false;    ///< the same for the all-gather

    bool scatters() const { return reduceScatter || allToAll; }
    /// Returns whether the GEMM's stores feed tracker and DMA, or go straight to other GPUs.
    bool fused() const { return gemm && scatterByDma; }
    /// Returns whether the collective's data exist from the beginning instead of coming from the GEMM.
    bool startsWithData() const { return !gemm || consumes || sideBySide; }
};

/// Returns the parts of an experiment's run. The experiment need not be valid.
RunParts runPartsOf(const Experiment& experiment);

/// Returns whether each GPU sends to the next one of the ring only; otherwise all GPUs have to be simulated.
bool sendsAroundRing(const Experiment& experiment);

}  // namespace engine
