#pragma once

#include "data/replay/output_grid.h"
#include "data/replay/partial_sums.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace data {
struct ShownRun;
}

namespace ui {

class TileWords;

/// The way in which a run distributes its work over its GPUs.
enum class SplitKind : std::uint8_t {
    alongK,      ///< each GPU has columns of A and rows of B, so that its output is a partial sum
    gathered,    ///< rows of A are gathered, each GPU has columns of B and of the output
    exchanged,   ///< alongK, but the outputs are not summed: their chunks go to other GPUs
    whole,       ///< each GPU has a GEMM of its own
    collective,  ///< a collective alone, or beside a GEMM of other data
};

/// The facts of a run's split that do not depend on time.
struct SplitFacts {
    SplitKind kind = SplitKind::collective;
    std::uint32_t gpus = 1;
    std::int64_t m = 0, n = 0,
                 k = 0;      ///< sizes of the matrices before they are cut; 0 if no GEMM computes the collective's data
    std::int64_t batch = 1;  ///< number of GEMMs of these sizes on each GPU
    bool beside = false;     ///< the collective does not move the results of the GEMM
    data::OutputGrid grid;
    data::SumPlan plan;

    bool hasMatrices() const { return m > 0; }
    std::uint32_t chunks() const { return grid.chunks(); }
    data::ChunkSums sums(const data::GpuState& state, std::uint32_t gpu, std::uint32_t chunk) const;
};

/// Returns the facts of a run. Precondition: the run has a trace with at least one tile.
SplitFacts splitFactsOf(const data::ShownRun& run);

/// The elements [first, end) of a side that is distributed over GPUs.
struct SideSlice {
    std::int64_t first = 0, end = 0;
};
SideSlice sliceOf(std::int64_t side, std::uint32_t gpus, std::uint32_t gpu);

/// Describes the share of a GPU: "GPU 2 holds columns 2 128 to 3 191 of A (8 192 × 8 512) and the same rows of B (8 512
/// × 4 256): its output is one of 8 partial sums." Other kinds of split have other sentences.
QString splitText(const SplitFacts& facts, std::uint32_t gpu);

/// Returns how many partial sums the tiles of a chunk contain: "3 of 8", "1 to 3 of 8".
QString sumsText(const data::ChunkSums& sums, std::uint32_t parts);
/// Returns the same in short form: "3", "1–3".
QString shortSumsText(const data::ChunkSums& sums);

/// Describes the state of a chunk on a GPU, in a sentence.
QString chunkText(const SplitFacts& facts, std::uint32_t gpu, std::uint32_t chunk, const data::ChunkSums& sums,
                  const TileWords& words);
/// Describes the progress of a GPU with all its chunks, in a sentence. `sums`: by chunk.
QString gpuText(const SplitFacts& facts, std::uint32_t gpu, const std::vector<data::ChunkSums>& sums);

/// Returns "C = A₀B₀ + A₁B₁ + … + A₇B₇": the product as the sum of what the GPUs compute.
QString sumFormula(std::uint32_t gpus);

/// Describes a matrix and its cuts: "A  8 192 × 8 512  (M × K), 8 × 1 064 columns".
QString matrixText(const SplitFacts& facts, char matrix);

}  // namespace ui
