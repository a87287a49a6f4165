// An engine that breaks an invariant in every run, for tst_exit_codes: no run of the real engine is known to do so.
// The linker replaces the engine's functions by these (--wrap), in a program that is otherwise ringside-cli.

#include "engine/api/runner.h"

namespace broken {

#define RUN "_ZN6engine3runERKNS_10ExperimentERKNS_10RunOptionsE"
#define RUN_VALUES "_ZN6engine7runManyESt4spanIKNS_10ExperimentELm18446744073709551615EERKNS_14RunManyOptionsE"
#define RUN_POINTERS "_ZN6engine7runManyESt4spanIKPKNS_10ExperimentELm18446744073709551615EERKNS_14RunManyOptionsE"

using Values = std::span<const engine::Experiment>;
using Pointers = std::span<const engine::Experiment* const>;
using Outcomes = std::vector<engine::RunOutcome>;

engine::RunResult realRun(const engine::Experiment&, const engine::RunOptions&) asm("__real_" RUN);
Outcomes realRunMany(Values, const engine::RunManyOptions&) asm("__real_" RUN_VALUES);
Outcomes realRunMany(Pointers, const engine::RunManyOptions&) asm("__real_" RUN_POINTERS);

engine::RunResult run(const engine::Experiment&, const engine::RunOptions&) asm("__wrap_" RUN);
Outcomes runMany(Values, const engine::RunManyOptions&) asm("__wrap_" RUN_VALUES);
Outcomes runMany(Pointers, const engine::RunManyOptions&) asm("__wrap_" RUN_POINTERS);

void breakIn(engine::RunResult& result) {
    if (result.invariants.failed.empty())
        result.invariants.failed.emplace_back("conservation: bytes sent = bytes received (1 = 2)");
}

engine::RunManyOptions breaking(const engine::RunManyOptions& options) {
    engine::RunManyOptions changed = options;
    changed.finished = [&options](std::size_t index, engine::RunOutcome& outcome, std::size_t count) {
        if (outcome.result)
            breakIn(*outcome.result);
        if (options.finished)
            options.finished(index, outcome, count);
    };
    return changed;
}

Outcomes broken(Outcomes outcomes) {
    for (engine::RunOutcome& outcome : outcomes) {
        if (outcome.result)
            breakIn(*outcome.result);
    }
    return outcomes;
}

engine::RunResult run(const engine::Experiment& experiment, const engine::RunOptions& options) {
    engine::RunResult result = realRun(experiment, options);
    breakIn(result);
    return result;
}

Outcomes runMany(Values experiments, const engine::RunManyOptions& options) {
    return broken(realRunMany(experiments, breaking(options)));
}

Outcomes runMany(Pointers experiments, const engine::RunManyOptions& options) {
    return broken(realRunMany(experiments, breaking(options)));
}

}  // namespace broken
