// Gives any bytes to the reader of experiments. It must return a list of problems, or an experiment that is the same
// after it is written and read again. Small experiments are also run: their invariants must hold, and a deadlock must
// be reported.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/experiment/experiment_document.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/fuzz/checks.h"
#include "tests/random_experiments/drawn_groups.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace fuzz::experiment {

constexpr int kMostReports = 8;  // a report comes about every 16,000 events; then the run is stopped

/// Returns a value that the table may allow: a limit of the range, the default, a word, or a value in between.
engine::ParameterValue valueFor(const engine::Parameter& parameter, unsigned choice, unsigned fraction) {
    if (!parameter.words.empty() && (parameter.kind == engine::ParameterKind::choice || choice % 8 == 0))
        return parameter.words[fraction % parameter.words.size()];
    double value = parameter.minimum;
    switch (choice % 8) {
    case 1: break;
    case 2: value = parameter.maximum; break;
    case 3: return parameter.defaultValue;
    case 4: value += fraction; break;
    case 5: value += (parameter.maximum - parameter.minimum) * fraction / 255; break;
    default: value = std::exp2(fraction % 48); break;
    }
    if (parameter.kind == engine::ParameterKind::real)
        return value;
    return static_cast<std::int64_t>(std::min(value, 9e18));
}

/// Reads each three bytes as a setting and applies them to a small experiment. The result is nearly always a valid
/// experiment, so that the fuzzer spends its time on different machines, not on commas.
data::ExperimentDraft machineFrom(std::string_view bytes) {
    data::ExperimentDraft draft;
    for (const auto& [path, value] : {std::pair{"workload.hidden", 64},
                                      {"workload.sequence", 64},
                                      {"workload.batch", 2},
                                      {"parallel.tp", 2},
                                      {"gemm.tile_m", 32},
                                      {"gemm.tile_n", 32},
                                      {"gemm.k_step", 16},
                                      {"cu.count", 2},
                                      {"matrix.m", 64},
                                      {"matrix.n", 64},
                                      {"matrix.k", 64},
                                      {"companion.bytes", 65536},
                                      {"companion.workgroups", 1},
                                      {"detail.granule", 1024},
                                      {"detail.channels", 2}})
        draft.explicitValues.insert_or_assign(path, std::int64_t{value});
    const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[at])); };
    for (std::size_t at = 0; at + 3 <= bytes.size(); at += 3) {
        const engine::Parameter& parameter = engine::parameters()[byte(at) % engine::parameters().size()];
        if (parameter.kind != engine::ParameterKind::text)
            draft.explicitValues.insert_or_assign(parameter.path, valueFor(parameter, byte(at + 1), byte(at + 2)));
    }
    // Sizes that the kind of workload does not allow would only make the experiment invalid.
    const auto sublayer = draft.explicitValues.find("workload.sublayer");
    const auto kind = sublayer == draft.explicitValues.end()
                          ? std::nullopt
                          : engine::sublayerNamed(std::get<std::string>(sublayer->second));
    const bool hasModel = !kind || engine::isPartOfModel(*kind);
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (!hasModel && parameter.group == engine::ParameterGroup::model)
            draft.explicitValues.erase(parameter.path);
    }
    if (kind && engine::isCollectiveAlone(*kind))
        draft.explicitValues.try_emplace("workload.bytes", std::int64_t{65536});
    else
        draft.explicitValues.erase("workload.bytes");
    return draft;
}

/// Reads a JSON document; after `=` it reads one `--set` from each line, and after `~` settings from bytes.
data::DraftReading readAnything(std::string_view text) {
    if (!text.empty() && text.front() == '~')
        return {machineFrom(text.substr(1)), {}};
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

RINGSIDE_FUZZ_TARGET(fuzz_experiment)(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const data::DraftReading reading = readAnything(text);
    checkMessages(reading.problems);
    const data::Expansion expansion = data::expand(reading.draft);
    if (!reading.problems.empty() || !expansion.runnable())
        return 0;

    const std::string kept = data::writeDraft(reading.draft);
    const data::DraftReading again = data::readDraft(kept, "kept");
    require(again.problems.empty() && data::expand(again.draft).experiment == expansion.experiment,
            "a kept document is the same experiment", kept);
    const std::string complete = data::writeExperiment(expansion.experiment);
    const data::Expansion whole = data::expand(data::readDraft(complete, "complete").draft);
    require(whole.runnable() && whole.experiment == engine::withAutomaticValues(expansion.experiment),
            "a complete document is the same experiment", complete);
    require(data::canonicalForm(whole.experiment) == data::canonicalForm(expansion.experiment),
            "the canonical form is one", complete);
    const bool canRun = tests::kDrawsCompanions || !engine::hasCompanion(expansion.experiment);
    if (canRun && isSmall(expansion.experiment))
        runSmall(expansion.experiment);
    return 0;
}

}  // namespace fuzz::experiment
