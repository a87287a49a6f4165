#include "data/laboratory/laboratory.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/laboratory/broken_invariants.h"
#include "data/laboratory/work_progress.h"
#include "data/presets/preset_document.h"
#include "data/store/store.h"
#include "engine/api/baselines.h"
#include "engine/api/expected_work.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "engine/api/run_times.h"

#include <algorithm>
#include <array>
#include <utility>

namespace data {
namespace {

constexpr std::array<std::string_view, 6> kPresetPaths{"machine",     "workload.model", "workload.sublayer",
                                                       "parallel.tp", "policy.preset",  "detail.level"};
constexpr std::array<std::string_view, 4> kSidesOfGemm{"matrix.batch", "matrix.m", "matrix.n", "matrix.k"};

bool isOwnGemm(const engine::Experiment& experiment) { return experiment.workload.sublayer == engine::SubLayer::gemm; }

constexpr std::size_t kMostPresets = 1000;

/// Returns the draft's presets without values that were set by hand.
ExperimentDraft presetsOf(const ExperimentDraft& draft) {
    ExperimentDraft presets;
    for (const std::string_view path : kPresetPaths) {
        const auto found = draft.explicitValues.find(path);
        if (found != draft.explicitValues.end())
            presets.explicitValues.insert(*found);
    }
    return presets;
}

/// Returns the name of a parameter for the middle of a sentence: "entries". If several parameters have the same label,
/// its group comes before it: "link latency".
std::string wordsOf(const engine::Parameter& parameter) {
    const auto table = engine::parameters();
    const auto alike = std::count_if(table.begin(), table.end(),
                                     [&](const engine::Parameter& other) { return other.label == parameter.label; });
    const std::string label = engine::inASentence(parameter.label);
    return alike == 1 ? label : engine::inASentence(std::string(engine::name(parameter.group))) + " " + label;
}

/// Returns how an experiment differs from its presets: ", entries 32, link latency 1 µs and 3 more". Parameters in
/// `first` are always named, before all others, even if they equal the presets.
// Returns the beginning of a digest, and any other text unchanged.
std::string withShortDigest(std::string text) {
    constexpr std::size_t kDigest = 64, kShown = 12;
    const bool isDigest = text.size() == kDigest && text.find_first_not_of("0123456789abcdef") == std::string::npos;
    return isDigest ? text.substr(0, kShown) : text;
}

std::string differencesText(const engine::Experiment& experiment, const engine::Experiment& presets,
                            const std::vector<std::string>& first) {
    constexpr std::size_t kMostListed = 3;
    std::vector<const engine::Parameter*> listed;
    for (const std::string& path : first) {
        // The name already has the presets.
        if (!isAmong(kPresetPaths, path))
            listed.push_back(engine::findParameter(path));
    }
    std::size_t more = 0;
    for (const engine::Parameter& parameter : engine::parameters()) {
        if (isOwnGemm(experiment) && isAmong(kSidesOfGemm, parameter.path))
            continue;  // in the name
        if (isAmong(first, parameter.path) || parameter.read(experiment) == parameter.read(presets))
            continue;
        if (listed.size() < kMostListed)
            listed.push_back(&parameter);
        else
            ++more;
    }
    std::string text;
    for (const engine::Parameter* each : listed)
        text += ", " + wordsOf(*each) + " " + withShortDigest(engine::formatValue(*each, each->read(experiment)));
    return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

/// Computes the ratios of all runs against the run that is shown as sequential. If parts of the policy were set by
/// hand, that run has them as well, so it differs from the sequential run that each run has computed for itself.
void relateToSequential(std::vector<LaboratoryRun>& runs) {
    const auto sequential = std::find_if(runs.begin(), runs.end(), [](const LaboratoryRun& run) {
        return run.experiment.policy.preset == engine::PolicyPreset::sequential && run.result.sequentialTotal;
    });
    if (sequential == runs.end())
        return;
    const engine::Duration total = sequential->result.last.time.total;
    for (LaboratoryRun& run : runs) {
        engine::RunResult& result = run.result;
        if (!result.sequentialTotal || *result.sequentialTotal == total)
            continue;
        result.sequentialTotal = total;
        result.sequentialGemm = engine::timesOfRun(sequential->result).gemm;
        result.speedupOverSequential = static_cast<double>(total.ps) / static_cast<double>(result.last.time.total.ps);
        result.notices.push_back({"policy.preset",
                                  "speed-ups are over the run shown as sequential, which has the parts "
                                  "of the policy that were set by hand"});
    }
}

}  // namespace

void BrokenInvariants::add(const engine::Experiment& experiment, const engine::InvariantsResult& invariants) {
    if (invariants.failed.empty())
        return;
    ++runs;
    const std::string run = caseName(experiment) + " " + std::string(engine::name(experiment.policy.preset));
    for (const std::string& failed : invariants.failed) {
        if (shown.size() < kMostShown)
            shown.push_back(run + ": " + failed);
    }
}

void BrokenInvariants::add(const BrokenInvariants& others) {
    runs += others.runs;
    shown.insert(shown.end(), others.shown.begin(), others.shown.end());
    shown.resize(std::min(shown.size(), kMostShown));
}

LaboratoryRun Laboratory::run(const ExperimentDraft& draft, const engine::RunOptions& options) {
    LaboratoryRun done = runOne(draft, options);
    keep(done);
    return done;
}

std::vector<LaboratoryRun> Laboratory::compare(const ExperimentDraft& draft, const std::vector<std::string>& policies,
                                               const engine::RunOptions& options) {
    // All experiments are checked before the first one runs, so that a problem in the last one does not cost the time
    // of the others.
    std::vector<ExperimentDraft> drafts(policies.size(), draft);
    std::vector<engine::Experiment> experiments;
    engine::Problems problems;
    for (std::size_t i = 0; i < policies.size(); ++i) {
        drafts[i].explicitValues.insert_or_assign("policy.preset", policies[i]);
        Expansion expansion = expand(drafts[i]);
        experiments.push_back(std::move(expansion.experiment));
        for (const engine::Problem& problem : expansion.problems)
            addOnce(problems, problem);
    }
    refuseAny(std::move(problems));

    std::vector<LaboratoryRun> runs;
    WorkProgress progress(costsOf(experiments, options.baselines), options.progress);
    // The baselines of the parts alone do not depend on the policy, so all runs share them.
    const auto shared = options.baselineCache ? options.baselineCache : std::make_shared<engine::BaselineCache>();
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        engine::RunOptions one = options;
        one.baselineCache = shared;
        one.progress = progress.of(i);
        LaboratoryRun done = runOne(drafts[i], one);
        progress.ended(i);
        keep(done);
        runs.push_back(std::move(done));
    }
    relateToSequential(runs);
    return runs;
}

LaboratoryRun Laboratory::runOne(const ExperimentDraft& draft, const engine::RunOptions& options) {
    Expansion expansion = expand(draft);
    refuseAny(expansion.problems);
    LaboratoryRun done;
    done.draft = draft;
    done.name = m_names.nameOf(draft, expansion.experiment);
    done.experiment = std::move(expansion.experiment);
    done.hash = experimentHash(done.experiment);
    done.result = engine::run(done.experiment, options);
    done.result.notices.insert(done.result.notices.begin(), expansion.notices.begin(), expansion.notices.end());
    return done;
}

void Laboratory::keep(LaboratoryRun& run) {
    if (!m_store)
        return;
    try {
        m_store->keep(run.name, writeDraft(run.draft), run.experiment, run.result);
    } catch (const StoreError& error) { run.keepFailure = error.what(); }
}

bool canAttribute(const engine::Experiment& experiment) {
    constexpr double kMostEvents = 1e8;
    return engine::expectedEvents(experiment) <= kMostEvents;
}

std::string caseName(const engine::Experiment& experiment) {
    const engine::SubLayer sublayer = experiment.workload.sublayer;
    if (isOwnGemm(experiment)) {
        const engine::MatrixConfig& sides = experiment.matrix;
        const std::string batch = sides.batch == 1 ? "" : std::to_string(sides.batch) + "x";
        std::string name = std::string(kOwnGemm) + "/" + batch + std::to_string(sides.m) + "x" +
                           std::to_string(sides.n) + "x" + std::to_string(sides.k);
        if (experiment.parallel.tp != engine::ParallelConfig{}.tp)
            name += "/tp" + std::to_string(experiment.parallel.tp);
        return name;
    }
    if (sublayer == engine::SubLayer::access)
        return std::string(kAccess);
    const std::string owner = engine::isCollectiveAlone(sublayer) ? std::string(kNoModel) : experiment.workload.model;
    return owner + "/" + std::string(engine::name(sublayer)) + "/tp" + std::to_string(experiment.parallel.tp);
}

std::string modelCaseName(const engine::Experiment& base) {
    const auto& weights = base.division.weights;
    return (weights ? std::to_string(*weights) + " weights" : base.workload.model) + "/tp" +
           std::to_string(base.parallel.tp);
}

std::string displayName(const ExperimentDraft& draft) { return NameGiver().nameOf(draft, expand(draft).experiment); }

std::string NameGiver::nameOf(const ExperimentDraft& draft, const engine::Experiment& experiment) {
    return named(caseName(experiment) + " " + std::string(engine::name(experiment.policy.preset)), draft, experiment);
}

std::string NameGiver::nameOfModel(const ExperimentDraft& draft, const engine::Experiment& experiment,
                                   std::string_view what, bool hasPolicy) {
    std::string name = modelCaseName(experiment) + " " + std::string(what);
    if (hasPolicy)
        name += " " + std::string(engine::name(experiment.policy.preset));
    return named(std::move(name), draft, experiment);
}

std::string NameGiver::nameOfBase(const ExperimentDraft& draft, const engine::Experiment& experiment, bool ofModel) {
    return named(ofModel ? modelCaseName(experiment) : caseName(experiment), draft, experiment);
}

std::string NameGiver::named(std::string name, const ExperimentDraft& draft, const engine::Experiment& experiment) {
    if (experiment.machine != engine::Experiment{}.machine)
        name += " on " + experiment.machine;
    ExperimentDraft presets = presetsOf(draft);
    auto found = m_expanded.find(presets.explicitValues);
    if (found == m_expanded.end()) {
        if (m_expanded.size() >= kMostPresets)
            m_expanded.clear();
        found = m_expanded.emplace(presets.explicitValues, expand(presets).experiment).first;
    }
    return name + differencesText(experiment, found->second, m_first);
}

}  // namespace data
