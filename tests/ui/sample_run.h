#pragma once

#include "data/laboratory/laboratory.h"
#include "data/replay/shown_run.h"

#include <initializer_list>
#include <memory>
#include <string>

namespace tests {

/// Returns a simulated run with its trace, at interactive detail unless `settings` set another one; with its
/// attribution if `attributed`.
inline std::shared_ptr<const data::ShownRun>
simulated(const std::string& name, std::initializer_list<std::string> settings, bool attributed = false) {
    data::ExperimentDraft draft = data::draftNamed(name).draft;
    engine::Problems problems;
    data::applySetting("detail.level=interactive", draft, problems);
    for (const std::string& setting : settings)
        data::applySetting(setting, draft, problems);
    auto run = std::make_shared<data::ShownRun>();
    run->run = data::Laboratory().run(draft, {.recordTrace = true, .attribution = attributed, .baselines = false});
    run->index.emplace(run->run.result.trace);
    return run;
}

}  // namespace tests
