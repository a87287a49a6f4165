#include "data/results/run_limit.h"

#include "engine/api/gemm.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cmath>

namespace data {
namespace {

using engine::Cause;
using engine::Duration;

constexpr double kHalf = 0.5;
constexpr double kMostIdle = 0.1;  // of the time of a pipe that is busy

engine::CauseTimes timesOf(const engine::RunResult& result) {
    if (result.attribution)
        return result.attribution->causes;
    engine::CauseTimes times;
    for (const engine::PathStep& step : result.path->steps)
        times[step.cause] += step.end - step.start;
    return times;
}

Duration memoryTime(const engine::CauseTimes& times) {
    return times[Cause::latency] + times[Cause::memory] + times[Cause::cacheSlices];
}

/// Returns which part of a wait for memory is the limit. An access pattern waits for the channels that it uses, however
/// idle the others are.
Cause partOfMemory(const engine::CauseTimes& times, double dramBusy) {
    const Duration slices = times[Cause::cacheSlices], latency = times[Cause::latency];
    if (slices > std::max(latency, times[Cause::memory]))
        return Cause::cacheSlices;
    return dramBusy < kHalf || latency > times[Cause::memory] ? Cause::latency : Cause::memory;
}

std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

/// Returns what would help a run whose CUs wait for loads, if more K-steps in flight would.
std::string adviceOnSteps(const engine::Experiment& experiment, const engine::RunResult& result) {
    const Duration load = result.attribution ? result.attribution->load : Duration{};
    if (!result.gemm || load.ps == 0)
        return {};
    engine::Experiment run = experiment;
    run.gemm.tileM = result.gemm->tileM;
    run.gemm.tileN = result.gemm->tileN;
    run.tiles.choice = engine::TileChoice::fixed;
    const engine::GemmConfig tiling = engine::tilingOf(run);
    const double flops =
        2.0 * static_cast<double>(tiling.tileM) * static_cast<double>(tiling.tileN) * static_cast<double>(tiling.kStep);
    const double step = flops / (static_cast<double>(engine::peakFlopsOfCu(run)) * run.cu.tensorEfficiency) * 1e12;
    const std::int64_t cus = std::max<std::int64_t>(1, run.cu.count - engine::reservedCus(run));
    const std::int64_t onCu = std::min(engine::residentWorkgroups(run), ceilDiv(result.gemm->tiles, cus));
    const std::int64_t inFlight = ceilDiv(tiling.prefetch.value(), tiling.kStep);
    const auto needed =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(load.ps) / (step * static_cast<double>(onCu)))) + 1;
    if (needed <= inFlight)
        return {};
    const std::string time = engine::formatValue(*engine::findParameter("memory.latency"), load.ps / 1000 * 1000);
    return "K-steps wait for loads of " + time + ": " + std::to_string(inFlight) +
           (inFlight == 1 ? " step is" : " steps are") + " in flight where " + std::to_string(needed) +
           " would hide them";
}

}  // namespace

double dramBusyShare(const engine::Experiment& experiment, const engine::RunResult& result) {
    const Duration total = result.last.time.total;
    if (!result.last.dram || total.ps == 0)
        return 0;
    const engine::DramResult& dram = *result.last.dram;
    const engine::Bytes ofParts = dram.gemmRead + dram.gemmWrite + dram.rsRead + dram.rsWrite + dram.a2aRead +
                                  dram.a2aWrite + dram.agRead + dram.agWrite;
    const engine::Bytes bytes = result.access ? dram.total : ofParts;
    const double efficiency = experiment.memory.model == engine::DramModel::banks && result.last.dramOutcome
                                  ? result.last.dramOutcome->efficiency
                                  : experiment.memory.efficiency;
    const double rate = static_cast<double>(experiment.memory.bandwidth.bytesPerSecond) * efficiency;
    return rate == 0 ? 0 : static_cast<double>(bytes.count) / rate / (static_cast<double>(total.ps) * 1e-12);
}

std::optional<RunLimit> limitOf(const engine::Experiment& experiment, const engine::RunResult& result) {
    if (!result.attribution && !result.path)
        return std::nullopt;
    const engine::CauseTimes times = timesOf(result);
    RunLimit limit;
    for (std::size_t i = 0; i < engine::kCauses; ++i)
        if (const auto cause = static_cast<Cause>(i); times[cause] > limit.time)
            limit = {cause, times[cause], 0, {}};
    if (const Duration memory = memoryTime(times); memory.ps > 0) {
        const double dramBusy = dramBusyShare(experiment, result);
        const bool isMemory =
            limit.cause == Cause::latency || limit.cause == Cause::memory || limit.cause == Cause::cacheSlices;
        const bool idles = limit.cause == Cause::compute && dramBusy<kHalf&& static_cast<double>(memory.ps)> kMostIdle *
                                                                static_cast<double>((memory + limit.time).ps);
        if (isMemory || idles || memory > limit.time)
            limit = {partOfMemory(times, result.access ? 1 : dramBusy), memory, 0, {}};
    }
    limit.share = static_cast<double>(limit.time.ps) / static_cast<double>(std::max<std::int64_t>(1, times.total().ps));
    if (limit.cause == Cause::latency)
        limit.advice = adviceOnSteps(experiment, result);
    return limit;
}

}  // namespace data
