#include "engine/run/companion_run.h"

#include "engine/run/baseline_key.h"
#include "engine/workload/gemm_shape.h"

#include <algorithm>

namespace engine {

namespace {

double ratio(Duration a, Duration b) { return b.ps == 0 ? 0 : static_cast<double>(a.ps) / static_cast<double>(b.ps); }

// Returns both slow-downs. t is the first end, and p the share that the other kernel had done by then: at its speed the
// whole takes t / p.
WhileBoth whileBothOf(const CompanionPart& part, const AloneTimes& alone) {
    const bool ownFirst = part.own <= part.time;
    WhileBoth both;
    both.time = std::min(part.own, part.time);
    const double first = ratio(both.time, ownFirst ? alone.own : alone.companion);
    const double other =
        *part.otherDone == 0 ? 0 : ratio(both.time, ownFirst ? alone.companion : alone.own) / *part.otherDone;
    both.ownSlowdown = ownFirst ? first : other;
    both.slowdown = ownFirst ? other : first;
    return both;
}

}  // namespace

Experiment companionAlone(const Experiment& experiment, CollectiveCarrier by, std::int64_t copies) {
    Experiment alone = underPolicy(experiment, PolicyPreset::sequential);
    alone.collective.reduction = experiment.collective.reduction;
    alone.dispatch = {};
    alone.companion.by = by;
    alone.companion.copies = copies;
    if (hasCompanionGemm(experiment)) {
        // Sizes that are `same` as the own GEMM's keep their values without it. The batch is the own GEMM's.
        const GemmSize size = companionGemmOf(experiment);
        alone.companion.m = size.m;
        alone.companion.n = size.n;
        alone.companion.k = size.k / size.partsOfK;
        alone.matrix.batch = size.partsOfK;
    } else {
        // The experiment may not read the sizes of its matrices, so these may have any value.
        alone.matrix = {};
    }
    alone.workload = {};
    alone.workload.model = experiment.workload.model;
    alone.workload.sublayer = SubLayer::gemm;
    return alone;
}

CompanionResult companionResultOf(const Experiment& experiment, const GpuResult& last,
                                  const std::optional<AloneTimes>& alone) {
    const CompanionConfig& config = experiment.companion;
    const CompanionPart& part = *last.companion;
    CompanionResult result;
    result.operation = config.operation;
    result.by = config.by;
    result.copies = config.copies;
    result.bytes = hasCompanionGemm(experiment) ? Bytes{} : config.bytes;
    result.own = part.own;
    result.time = part.time;
    result.ownWaits = part.ownWaits;
    result.waits = part.waits;
    result.perKernel = {last.time.total.ps / (1 + config.copies)};
    result.dramRead = part.dramRead;
    result.dramWritten = part.dramWritten;
    result.sent = part.sent;
    if (!alone)
        return result;
    const Duration companion = alone->kernel * config.copies;
    const Duration serial = alone->own + companion;
    result.ownAlone = alone->own;
    result.alone = alone->companion;
    result.serial = serial;
    result.ownSlowdown = ratio(part.own, alone->own);
    result.slowdown = ratio(part.time, alone->companion);
    const double speedup = ratio(serial, last.time.total);
    const double ideal = ratio(serial, std::max(alone->own, companion));
    result.speedupOverSerial = speedup;
    result.idealSpeedup = ideal;
    if (ideal > 1)
        result.fractionOfIdeal = (speedup - 1) / (ideal - 1);
    const bool waited = part.ownWaits.value_or(Duration{}).ps > 0 || part.waits.value_or(Duration{}).ps > 0;
    if (part.otherDone && !waited)
        result.whileBoth = whileBothOf(part, *alone);
    return result;
}

}  // namespace engine
