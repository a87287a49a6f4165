#include "engine/api/run_times.h"

#include <cmath>

namespace engine {

namespace {

// Returns the total of the sequential run. The speed-up is the quotient of both totals, so that it gives one from the
// other to the picosecond.
std::optional<Duration> sequentialTotalOf(const RunResult& result) {
    if (result.sequentialTotal || !result.speedupOverSequential)
        return result.sequentialTotal;
    return Duration{std::llround(*result.speedupOverSequential * static_cast<double>(result.last.time.total.ps))};
}

std::optional<Duration> gemmAloneOf(const RunResult& result) {
    if (result.sequentialGemm || !result.isolated)
        return result.sequentialGemm;
    return result.isolated->gemm;
}

}  // namespace

const TimeResult& timesOfRun(const RunResult& result) { return result.whole ? result.whole->time : result.last.time; }

std::optional<Hiding> hidingOf(const RunResult& result) {
    const std::optional<Duration> sequential = sequentialTotalOf(result), alone = gemmAloneOf(result);
    if (!sequential || !alone || alone->ps <= 0)
        return std::nullopt;
    const TimeResult& time = timesOfRun(result);
    return Hiding{*sequential - time.total, time.total - *alone,
                  static_cast<double>(time.gemm.ps) / static_cast<double>(alone->ps)};
}

}  // namespace engine
