#pragma once

#include "engine/api/attribution.h"
#include "engine/api/runner.h"
#include "engine/api/trace.h"

#include <string>
#include <vector>

namespace tests {

inline engine::RunResult attributed(const engine::Experiment& experiment, bool recordTrace = true, int threads = 1) {
    engine::RunOptions options;
    options.baselines = false;
    options.attribution = true;
    options.recordTrace = recordTrace;
    options.threads = threads;
    return engine::run(experiment, options);
}

inline engine::Duration sumOf(const std::vector<engine::CauseTimes>& parts) {
    engine::Duration sum;
    for (const engine::CauseTimes& part : parts)
        sum += part.total();
    return sum;
}

inline double share(const engine::RunResult& result, engine::Cause cause) {
    return static_cast<double>(result.attribution->causes[cause].ps) / static_cast<double>(result.last.time.total.ps);
}

/// Returns a description of the defects of an attributed run; empty if there are none.
inline std::string defectsOf(const engine::RunResult& result) {
    if (!result.attribution || !result.path)
        return "no attribution";
    const engine::Duration total = result.last.time.total;
    const engine::AttributionResult& sums = *result.attribution;
    std::string defects;
    if (sums.causes.total() != total)
        defects += "causes sum to " + std::to_string(sums.causes.total().ps) + "; ";
    if (sumOf({sums.byPhase.begin(), sums.byPhase.end()}) != total)
        defects += "phases do not sum to the total; ";
    if (sumOf(sums.byGpu) != total)
        defects += "GPUs do not sum to the total; ";
    engine::TimePoint reached;
    for (const engine::PathStep& step : result.path->steps) {
        if (step.start != reached || step.end <= step.start)
            defects += "a gap or an overlap at " + std::to_string(step.start.ps) + "; ";
        reached = step.end;
        if (step.lane == engine::kNone)
            continue;
        const std::vector<engine::Lane>& lanes = result.trace->lanes;
        if (step.lane >= lanes.size() || step.firstSpan > step.lastSpan ||
            step.lastSpan >= lanes[step.lane].spans.size())
            defects += "a step is shown by no span at " + std::to_string(step.start.ps) + "; ";
    }
    if (reached - engine::TimePoint{} != total)
        defects += "the path ends at " + std::to_string(reached.ps) + "; ";
    return defects;
}

}  // namespace tests
