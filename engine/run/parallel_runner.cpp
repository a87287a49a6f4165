#include "engine/api/runner.h"
#include "engine/kernel/crew.h"

#include <mutex>

namespace engine {

namespace {

RunOutcome runOne(const Experiment& experiment, const RunOptions& options) {
    RunOutcome outcome;
    try {
        outcome.result = run(experiment, options);
    } catch (const RunStopped&) { outcome.stopped = true; } catch (const std::exception& error) {
        outcome.failure = error.what();
    }
    return outcome;
}

}  // namespace

std::vector<RunOutcome> runMany(std::span<const Experiment> experiments, const RunManyOptions& options) {
    std::vector<RunOutcome> outcomes(experiments.size());
    RunOptions each = options.each;
    each.threads = 1;  // the runs themselves fill the cores
    each.stop = options.stop;
    each.progress = nullptr;
    std::mutex reporting;
    std::size_t finished = 0;
    Crew crew(options.threads);
    crew.forEach(experiments.size(), [&](std::size_t index) {
        RunOutcome& outcome = outcomes[index];
        if (options.stop.stop_requested())
            outcome.stopped = true;
        else
            outcome = runOne(experiments[index], each);
        if (outcome.stopped || !options.finished)
            return;
        const std::lock_guard lock(reporting);
        options.finished(index, outcome, ++finished);
    });
    return outcomes;
}

}  // namespace engine
