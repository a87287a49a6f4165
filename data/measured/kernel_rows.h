#pragma once

#include "data/measured/gemm_shape.h"
#include "data/measured/interval_report.h"
#include "data/measured/measured_trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Returns the median of times in ps; of an even number, the mean of the middle two, rounded down. An empty optional if
/// there are none.
std::optional<std::int64_t> medianOf(std::vector<std::int64_t> times);

/// Equal compute kernels of all ranks: GEMMs of one shape, type and name, other kernels of one name, grid and block.
struct KernelRow {
    std::string name;
    KernelClass kernelClass = KernelClass::other;
    std::optional<GemmShape> shape;  ///< of a GEMM
    std::string shapeUnknown;        ///< why a GEMM has no shape
    std::string type;                ///< of a GEMM's elements
    std::optional<SpanLaunch> launch;
    std::int64_t total = 0;  ///< sum of the durations, ps
    std::size_t count = 0;
    std::size_t aloneCount = 0;   ///< touched by no communication
    std::size_t besideCount = 0;  ///< at least half of the time beside communication; count - both: partly
    std::optional<std::int64_t> alone, beside;  ///< median durations, ps
    GemmWaves waves;                            ///< of a GEMM

    std::size_t partlyCount() const { return count - aloneCount - besideCount; }
    /// Returns beside / alone.
    std::optional<double> stretch() const;
    /// Returns the rate of the GEMM alone in FLOP/s, 2·B·M·N·K / alone.
    std::optional<double> flopRate() const;
};

/// Collects the compute kernels of all ranks into rows.
class KernelRowBuilder {
public:
    /// Adds the kernels of one rank. `communication` is the union of its communication in the chosen steps.
    void add(const MeasuredTrace& trace, const StepChoice& steps, const IntervalUnion& communication);
    /// Returns the rows with the most time first. Call it once.
    std::vector<KernelRow> take();

private:
    /// Names of different traces have different indices, so rows are found by texts.
    struct Key {
        bool isGemm = false;
        std::string name, type, unknown;
        std::optional<GemmShape> shape;
        std::array<std::int64_t, 6> sides{};  ///< grid and block, of other kernels and of GEMMs without a shape
        auto operator<=>(const Key&) const = default;
    };
    struct Times {
        KernelRow row;
        bool severalGrids = false;
        std::vector<std::int64_t> alone, beside;
    };
    Times& rowOf(const MeasuredTrace& trace, const MeasuredSpan& span);

    std::map<Key, Times> m_rows;
};

}  // namespace data
