// How much of its communication does T3-MCA hide? Uses Ringside's engine as a library:
//
//   cmake --install build/release --component engine --prefix ~/ringside
//   cmake -S resources/library -B build/library -DCMAKE_PREFIX_PATH=~/ringside
//   cmake --build build/library && build/library/hidden_time

#include "engine/api/experiment.h"
#include "engine/api/run_times.h"
#include "engine/api/runner.h"

#include <cstdio>
#include <exception>

int main() {
    // The defaults are T-NLG's second GEMM of the feed-forward part, FC-2, on 8 GPUs of T3's machine.
    engine::Experiment experiment;
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::t3Mca);
    engine::applyDetailLevel(experiment, engine::DetailLevel::standard);
    try {
        const engine::RunResult result = engine::run(experiment);
        const engine::Hiding hiding = engine::hidingOf(result).value();
        std::printf("total   %lld ps\n", static_cast<long long>(result.last.time.total.ps));
        std::printf("hidden  %lld ps of %lld ps\n", static_cast<long long>(hiding.hidden.ps),
                    static_cast<long long>(hiding.communication().ps));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hidden_time: %s\n", error.what());
        return 1;
    }
    return 0;
}
