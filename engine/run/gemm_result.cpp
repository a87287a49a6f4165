#include "engine/run/gemm_result.h"

#include "engine/api/gemm.h"
#include "engine/workload/gemm_shape.h"

#include <bit>
#include <cmath>

namespace engine {
namespace {

/// Returns the largest power of two that divides every side, in bytes.
Bytes alignmentOf(const GemmSize& size, std::int64_t bytes) {
    const auto sides = static_cast<std::uint64_t>(size.m | size.n | size.sliceOfK());
    return {(std::int64_t{1} << std::countr_zero(sides)) * bytes};
}

}  // namespace

GemmResult gemmResultOf(const Experiment& experiment, Duration time) {
    constexpr double kPicoseconds = 1e12;
    const GemmSize size = gemmShapeOf(experiment);
    const WaveCount waves = waveCountOf(experiment);
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double flops = 2 * real(size.m) * real(size.n) * real(size.k);
    const double peak = real(experiment.cu.count) * real(peakFlopsOfCu(experiment));
    const std::int64_t bytes = elementBytes(experiment);
    const double moved = real(compulsoryBytes(size, bytes).count) + real(outputBytes(size, bytes).count);
    GemmResult result;
    result.tileM = experiment.gemm.tileM;
    result.tileN = experiment.gemm.tileN;
    result.tiles = waves.tiles;
    result.slots = waves.slots;
    result.waves = waves.waves;
    result.pieces = piecesOf(experiment);
    result.tileEfficiency = waves.tileEfficiency;
    result.waveEfficiency = waves.waveEfficiency;
    result.alignment = alignmentOf(size, bytes);
    if (time.ps > 0)
        result.rate.flopsPerSecond = std::llround(flops / real(time.ps) * kPicoseconds);
    result.shareOfPeak = real(result.rate.flopsPerSecond) / peak;
    const bool computes = flops / peak >= moved / real(experiment.memory.bandwidth.bytesPerSecond);
    result.bound = computes ? GemmBound::compute : GemmBound::memory;
    return result;
}

}  // namespace engine
