#pragma once

#include "data/laboratory/laboratory.h"
#include "ui/shared/ring_moment.h"

#include <memory>
#include <string>

namespace tests {

/// Simulates an experiment at interactive detail, in a few milliseconds, and returns it as the window shows runs.
inline std::shared_ptr<const data::ShownRun>
simulatedRun(const std::string& experiment, const std::string& policy = "t3-mca", const data::Settings& settings = {}) {
    auto draft = data::openDraft(experiment).draft;
    for (const auto& [path, value] : settings)
        draft.explicitValues[path] = value;
    draft.explicitValues["detail.level"] = std::string("interactive");
    draft.explicitValues["policy.preset"] = policy;
    engine::RunOptions options;
    options.recordTrace = true;
    auto shown = std::make_shared<data::ShownRun>();
    shown->run = data::Laboratory().run(draft, options);
    if (shown->run.result.trace)
        shown->index.emplace(shown->run.result.trace);
    return shown;
}

inline std::shared_ptr<const data::RunLog> logOf(const data::ShownRun& run) {
    return run.index ? std::make_shared<data::RunLog>(run.run.result.trace, run.run.experiment) : nullptr;
}

/// Shows a run and then its log, as the window does.
inline void show(ui::RingMoment& moment, const std::shared_ptr<const data::ShownRun>& run) {
    moment.showRun(run);
    moment.showLog(logOf(*run));
}

}  // namespace tests
