#pragma once

#include "data/measured/measured_trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Reads "Input Dims": the sides of each input, none of an input that is no tensor. Returns an empty optional for
/// anything else, such as a list that was cut.
std::optional<std::vector<std::vector<std::int64_t>>> inputDimsOf(std::string_view text);

/// Returns the bytes of an element of this type: "c10::BFloat16", "Half", "float"; an empty optional for a type that is
/// not known.
std::optional<std::int64_t> elementBytesOf(std::string_view type);

/// A GEMM: an M x K matrix times a K x N one, `batch` times.
struct GemmShape {
    std::int64_t batch = 1, m = 0, n = 0, k = 0;
    auto operator<=>(const GemmShape&) const = default;

    /// Returns 2·B·M·N·K.
    double flops() const;
    /// Returns "4096x4096x1024", with the batch before it if there is one.
    std::string text() const;
};

/// The shape of a GEMM by its operator, or why it is unknown.
struct GemmShapeReading {
    std::optional<GemmShape> shape;
    std::string type;     ///< of the elements, as the trace writes it: "c10::BFloat16"
    std::string unknown;  ///< "Input Dims are missing: recorded without record_shapes=True"
};
/// Reads the shape from the inputs of an operator: dims 0 and 1 of aten::mm, aten::_scaled_mm and aten::linear (whose
/// weight is transposed), 1 and 2 of aten::addmm, with a batch aten::bmm (0 and 1) and aten::baddbmm (1 and 2).
GemmShapeReading gemmShapeOf(const MeasuredTrace& trace, const SpanFacts& facts);
/// Does the same for a span of class gemm, which may have no operator.
GemmShapeReading gemmShapeOf(const MeasuredTrace& trace, const MeasuredSpan& span);

/// The tile of a GEMM kernel as its name has it: `first` x `second`.
struct NamedTile {
    std::int64_t first = 0, second = 0;
    bool operator==(const NamedTile&) const = default;
};
/// Finds a tile in names such as "...tilesize128x128x64...", "gemm_256x64_16x4", "nvjet_tst_144x128_..." and
/// "MT256x32x64".
std::optional<NamedTile> tileInName(std::string_view name);

/// How the workgroups of a GEMM fill the GPU.
struct GemmWaves {
    std::optional<std::int64_t> tileM, tileN;  ///< sides along M and N
    std::optional<std::int64_t> tiles;
    std::optional<std::int64_t> perMultiprocessor;  ///< workgroups at once
    bool assumed = false;                           ///< one workgroup on each SM, because a limit is missing
    std::optional<std::int64_t> slots, waves;
    std::string unknown;  ///< why tiles or waves are unknown

    /// Returns tiles / (waves · slots).
    std::optional<double> efficiency() const;
};

/// Counts tiles and waves. A tile a x b of the name counts ceil(N/a)·ceil(M/b) tiles, because BLAS is column-major; a
/// grid that fits only the other order decides. A grid that is a multiple of the tiles (split-K), or no tile in the
/// name: the workgroups of the grid. A grid with a workgroup for each SM and no tile (persistent): unknown.
/// Slots: SMs times the least of three limits, each rounded down: maxThreadsPerMultiprocessor / threads,
/// regsPerMultiprocessor / (registers · threads), sharedMemPerMultiprocessor / (shared memory + 1 KiB).
/// `shape`, `launch` and `device` may be null.
GemmWaves gemmWavesOf(const GemmShape* shape, std::string_view name, const SpanLaunch* launch,
                      const MeasuredDevice* device);

}  // namespace data
