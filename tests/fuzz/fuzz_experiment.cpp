// What a person, a script or a damaged disk may hand to the reader of experiments: anything. Whatever it is must end
// in a list of problems or in a run, and what is accepted must survive being written and read again. Small experiments
// are also run: then the invariants have to hold, and a machine that cannot go on has to say so.
//
// One function in libFuzzer's form. With clang and RINGSIDE_FUZZ libFuzzer drives it, else replay.cpp.

#include "data/experiment_document.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

// Requests and K-steps of all GPUs together: some milliseconds under the sanitizers.
constexpr double kSmall = 20'000;
constexpr int kMostReports = 8;  // one about every 16,000 events; then the run is stopped

[[noreturn]] void fail(const char* what, const std::string& evidence) {
    std::fprintf(stderr, "does not hold: %s\n%s\n", what, evidence.c_str());
    std::abort();
}

void require(bool held, const char* what, const std::string& evidence) {
    if (!held)
        fail(what, evidence);
}

/// A JSON document, or one `--set` a line.
data::DraftReading readAnything(std::string_view text) {
    if (text.empty() || text.front() != '=')
        return data::readDraft(text, "input");
    data::DraftReading reading;
    for (std::size_t start = 1; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        data::applySetting(text.substr(start, end - start), reading.draft, reading.problems);
        start = end + 1;
    }
    return reading;
}

bool isSmall(const engine::Experiment& experiment) {
    const engine::Shape shape = engine::shapeOf(experiment);
    const auto granule = static_cast<double>(experiment.detail.granule.count);
    const auto gpus = static_cast<double>(experiment.parallel.tp);
    const double steps = static_cast<double>(shape.k) / static_cast<double>(experiment.gemm.kStep) + 1;
    const double slab = 2.0 * static_cast<double>(experiment.gemm.tileM + experiment.gemm.tileN) *
                            static_cast<double>(experiment.gemm.kStep) / granule +
                        2;
    const auto tiles = static_cast<double>(shape.tiles);
    const double output = static_cast<double>(shape.outputBytes.count) / granule + tiles;
    const double loads = shape.k == 0 ? 0 : tiles * steps * slab;
    // Background reads go on for as long as the run takes, whatever that is.
    const bool background = experiment.variation.backgroundTraffic.bytesPerSecond > 0;
    const double slots = static_cast<double>(experiment.cu.count) * static_cast<double>(experiment.cu.slots);
    return !background && gpus * (loads + 4 * output) < kSmall && slots < kSmall;
}

void runSmall(const engine::Experiment& experiment) {
    std::stop_source stop;
    int reports = 0;
    engine::RunOptions options;
    options.stop = stop.get_token();
    options.progress = [&](double) {
        if (++reports > kMostReports)
            stop.request_stop();
    };
    try {
        const engine::RunResult result = engine::run(experiment, options);
        if (!result.invariants.failed.empty())
            fail(result.invariants.failed.front().c_str(), data::writeExperiment(experiment));
    } catch (const engine::RunStopped&) {
    } catch (const engine::Deadlock&) {
        require(experiment.tracker.ways == 0, "only a tracker without ways can stop a run",
                data::writeExperiment(experiment));
    }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer looks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const data::DraftReading reading = readAnything(text);
    for (const engine::Problem& problem : reading.problems)
        require(!engine::describe(problem).empty(), "every problem has words", "");
    const data::Expansion expansion = data::expand(reading.draft);
    if (!reading.problems.empty() || !expansion.runnable())
        return 0;

    const std::string kept = data::writeDraft(reading.draft);
    const data::DraftReading again = data::readDraft(kept, "kept");
    require(again.problems.empty() && data::expand(again.draft).experiment == expansion.experiment,
            "a kept document is the same experiment", kept);
    const std::string complete = data::writeExperiment(expansion.experiment);
    const data::Expansion whole = data::expand(data::readDraft(complete, "complete").draft);
    require(whole.runnable() && whole.experiment == expansion.experiment, "a complete document is the same experiment",
            complete);
    require(data::canonicalForm(whole.experiment) == data::canonicalForm(expansion.experiment),
            "the canonical form is one", complete);
    if (isSmall(expansion.experiment))
        runSmall(expansion.experiment);
    return 0;
}
