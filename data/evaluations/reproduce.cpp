#include "data/evaluations/reproduce.h"

#include "data/document/json_reading.h"
#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/work_progress.h"
#include "data/results/result_json.h"
#include "engine/api/baselines.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>

namespace data {
namespace {

constexpr std::array kPolicies{"sequential", "t3", "t3-mca", "ideal-overlap", "ideal-overlap-nmc"};
constexpr std::array kTraced{"sequential", "t3"};
constexpr std::array kModels{"mega-gpt-2", "t-nlg"};
constexpr std::array kSublayers{"op", "fc-2", "fc-1", "ip"};
constexpr std::array<std::int64_t, 2> kDegrees{8, 16};
constexpr std::int64_t kTrafficSlices = 48;

engine::Experiment experimentOf(const std::string& model, const std::string& sublayer, std::int64_t tp,
                                const std::string& policy, const Settings& settings) {
    ExperimentDraft draft;
    draft.explicitValues = settings;
    draft.explicitValues.insert_or_assign("workload.model", model);
    draft.explicitValues.insert_or_assign("workload.sublayer", sublayer);
    draft.explicitValues.insert_or_assign("parallel.tp", tp);
    draft.explicitValues.insert_or_assign("policy.preset", policy);
    return runnableExperiment(draft);
}

/// One case of the evaluation with its runs, in the order of kPolicies.
struct Case {
    ReproducedCase name;
    std::array<engine::RunResult, kPolicies.size()> runs;

    double speedup(std::size_t policy) const {
        return static_cast<double>(runs[0].last.time.total.ps) / static_cast<double>(runs[policy].last.time.total.ps);
    }
    const engine::DramResult& dram(std::size_t policy) const { return *runs[policy].last.dram; }
};

constexpr std::size_t kSequential = 0, kT3 = 1, kT3Mca = 2, kIdeal = 3, kIdealNmc = 4;

double ratio(engine::Bytes a, engine::Bytes b) { return static_cast<double>(a.count) / static_cast<double>(b.count); }

/// Everything that the published figures are made of, over all cases.
class Evaluation {
public:
    explicit Evaluation(const std::vector<Case>& cases) : m_cases(cases) {}

    template <typename Value>
    double geomean(Value value, std::int64_t tp = 0) const {
        double sum = 0;
        int count = 0;
        for (const Case& one : m_cases) {
            if (tp != 0 && one.name.tp != tp)
                continue;
            sum += std::log(value(one));
            ++count;
        }
        return std::exp(sum / count);
    }

    template <typename Value>
    double most(Value value) const {
        double best = value(m_cases.front());
        for (const Case& one : m_cases)
            best = std::max(best, value(one));
        return best;
    }

private:
    const std::vector<Case>& m_cases;
};

std::map<std::string, double, std::less<>> evaluate(const std::vector<Case>& cases) {
    const Evaluation all(cases);
    const auto speedup = [](std::size_t policy) { return [policy](const Case& c) { return c.speedup(policy); }; };
    const auto fasterByNmc = [](const Case& c) {
        const engine::IsolatedTimes& parts = *c.runs[kSequential].isolated;
        return static_cast<double>(parts.reduceScatter.ps) / static_cast<double>(parts.reduceScatterNmc.ps);
    };
    const auto trafficLeft = [](const Case& c) { return ratio(c.dram(kT3Mca).total, c.dram(kSequential).total); };
    const auto readsFewer = [](const Case& c) { return ratio(c.dram(kSequential).rsRead, c.dram(kT3Mca).rsRead); };
    const auto writes = [](const engine::DramResult& dram) { return dram.gemmWrite + dram.rsWrite; };
    return {
        {"ideal-overlap-geomean", all.geomean(speedup(kIdeal))},
        {"ideal-overlap-max", all.most(speedup(kIdeal))},
        {"t3-geomean", all.geomean(speedup(kT3))},
        {"t3-max", all.most(speedup(kT3))},
        {"t3-mca-geomean", all.geomean(speedup(kT3Mca))},
        {"t3-mca-max", all.most(speedup(kT3Mca))},
        {"t3-mca-over-t3-geomean", all.geomean([](const Case& c) { return c.speedup(kT3Mca) / c.speedup(kT3); })},
        {"rs-nmc-tp8", all.geomean(fasterByNmc, 8)},
        {"rs-nmc-tp16", all.geomean(fasterByNmc, 16)},
        {"ideal-nmc-gain-max", all.most([](const Case& c) { return c.speedup(kIdealNmc) / c.speedup(kIdeal); })},
        {"dram-reduction-geomean", 1 - all.geomean(trafficLeft)},
        {"dram-reduction-max", all.most([&](const Case& c) { return 1 - trafficLeft(c); })},
        {"rs-read-reduction-tp8", all.geomean(readsFewer, 8)},
        {"rs-read-reduction-tp16", all.geomean(readsFewer, 16)},
        {"write-reduction-geomean",
         1 - all.geomean([&](const Case& c) { return ratio(writes(c.dram(kT3Mca)), writes(c.dram(kSequential))); })},
        {"gemm-read-reduction-geomean",
         all.geomean([](const Case& c) { return ratio(c.dram(kSequential).gemmRead, c.dram(kT3Mca).gemmRead); })},
    };
}

bool isFraction(std::string_view id) { return id.starts_with("dram-reduction") || id.starts_with("write-reduction"); }

/// What is run: the cases under all policies, then T-NLG FC-2 once more with a trace under those of kTraced.
struct Runs {
    std::vector<Case> cases;
    std::vector<engine::Experiment> experiments;
    std::vector<engine::Experiment> traced;
};

Runs runsOf(const ReproduceOptions& options) {
    Runs runs;
    for (const EvaluatedCase& evaluated : evaluatedCases()) {
        Case one;
        one.name.model = evaluated.model;
        one.name.sublayer = evaluated.sublayer;
        one.name.tp = evaluated.tp;
        runs.cases.push_back(std::move(one));
        for (const char* policy : kPolicies)
            runs.experiments.push_back(
                experimentOf(evaluated.model, evaluated.sublayer, evaluated.tp, policy, options.settings));
    }
    for (const char* policy : kTraced)
        runs.traced.push_back(experimentOf("t-nlg", "fc-2", 8, policy, options.settings));
    return runs;
}

/// By run, as they stand.
std::vector<double> workOf(const Runs& runs) {
    std::vector<double> work = costsOf(runs.experiments, true);
    for (const engine::Experiment& experiment : runs.traced)
        work.push_back(RunCosts::kEventsOfAnyRun + engine::expectedEvents(experiment));
    return work;
}

void runCases(Runs& runs, const ReproduceOptions& options, WorkProgress& progress) {
    engine::RunManyOptions many;
    many.threads = options.threads;
    many.each.baselineCache = std::make_shared<engine::BaselineCache>();
    many.stop = options.stop;
    progress.follow(many);
    std::vector<engine::RunOutcome> outcomes = engine::runMany(runs.experiments, many);
    if (options.stop.stop_requested())
        throw engine::RunStopped();
    for (std::size_t index = 0; index < outcomes.size(); ++index) {
        if (!outcomes[index].result)
            throw engine::Deadlock(outcomes[index].failure);
        runs.cases[index / kPolicies.size()].runs[index % kPolicies.size()] = std::move(*outcomes[index].result);
    }
}

TrafficProfile trafficIn(const engine::Experiment& experiment, const ReproduceOptions& options,
                         std::function<void(double)> progress) {
    engine::RunOptions traced;
    traced.recordTrace = true;
    traced.baselines = false;
    traced.stop = options.stop;
    traced.progress = std::move(progress);
    const engine::RunResult result = engine::run(experiment, traced);
    // As many slices for every policy, however long its run is.
    TrafficProfile profile = trafficOf(*result.trace, {result.trace->end.ps / kTrafficSlices + 1});
    profile.policy = engine::name(experiment.policy.preset);
    return profile;
}

}  // namespace

std::vector<EvaluatedCase> evaluatedCases() {
    std::vector<EvaluatedCase> cases;
    for (const char* model : kModels)
        for (const std::int64_t tp : kDegrees)
            for (const char* sublayer : kSublayers)
                cases.push_back({model, sublayer, tp});
    return cases;
}

engine::Problems checkItems(const std::vector<std::string>& items) {
    const std::vector<std::string> known = namesOf(publishedItems(), &PublishedItem::id);
    engine::Problems problems;
    for (const std::string& item : items) {
        if (isAmong(known, item))
            continue;
        std::string text = "is no published figure";
        const std::vector<std::string> near = engine::nearestNames(item, known);
        for (std::size_t i = 0; i < near.size(); ++i)
            text += (i == 0 ? "; did you mean " : ", ") + near[i];
        problems.push_back({"ITEM", item, text + "; without an item all are printed"});
    }
    return problems;
}

Reproduction reproduce(const ReproduceOptions& options) {
    Runs runs = runsOf(options);
    WorkProgress progress(workOf(runs), options.progress);
    runCases(runs, options, progress);
    const std::vector<Case>& cases = runs.cases;
    const auto values = evaluate(cases);
    Reproduction reproduction;
    for (const PublishedItem& published : publishedItems()) {
        const bool asked = options.items.empty() || isAmong(options.items, published.id);
        const auto found = values.find(published.id);
        if (!asked || found == values.end())
            continue;
        ReproducedItem item{published, found->second, 0, isFraction(published.id)};
        item.difference = item.isFraction ? item.value - published.value : item.value / published.value - 1;
        reproduction.items.push_back(item);
    }
    for (const Case& one : cases)
        for (std::size_t policy = 0; policy < kPolicies.size(); ++policy) {
            ReproducedCase row = one.name;
            row.policy = kPolicies[policy];
            row.experiment = experimentOf(row.model, row.sublayer, row.tp, row.policy, options.settings);
            reproduction.broken.add(row.experiment, one.runs[policy].invariants);
            row.speedup = one.speedup(policy);
            row.time = one.runs[policy].last.time;
            row.dram = one.runs[policy].last.dram;
            reproduction.cases.push_back(std::move(row));
        }
    for (std::size_t i = 0; i < runs.traced.size(); ++i)
        reproduction.traffic.push_back(trafficIn(runs.traced[i], options, progress.of(runs.experiments.size() + i)));
    return reproduction;
}

std::string writeReproduction(const Reproduction& reproduction) {
    const auto itemJson = [](const ReproducedItem& item) {
        return ResultJson{{"id", item.published.id},       {"what", item.published.what},
                          {"value", item.value},           {"published", item.published.value},
                          {"difference", item.difference}, {"label", item.published.label}};
    };
    const auto caseJson = [](const ReproducedCase& one) {
        ResultJson row{{"model", one.model},   {"sublayer", one.sublayer}, {"tp", one.tp},
                       {"policy", one.policy}, {"speedup", one.speedup},   {"time_ps", timeJson(one.time)}};
        if (one.dram)
            row["dram_bytes"] = dramJson(*one.dram);
        return row;
    };
    const auto trafficJson = [](const TrafficProfile& profile) {
        using Slice = TrafficProfile::Slice;
        const auto bytes = [&](engine::Bytes (*of)(const Slice&)) {
            return jsonList(profile.slices, [of](const Slice& slice) { return of(slice).count; });
        };
        return ResultJson{
            {"case", "t-nlg/fc-2/tp8"},
            {"policy", profile.policy},
            {"slice_ps", profile.slice.ps},
            {"compute_read", bytes([](const Slice& slice) { return slice.gemmRead; })},
            {"compute_write", bytes([](const Slice& slice) { return slice.gemmWrite; })},
            {"communication_read", bytes([](const Slice& slice) { return slice.rsRead + slice.agRead; })},
            {"communication_write", bytes([](const Slice& slice) { return slice.rsWrite + slice.agWrite; })}};
    };
    return ResultJson{{"items", jsonList(reproduction.items, itemJson)},
                      {"cases", jsonList(reproduction.cases, caseJson)},
                      {"traffic", jsonList(reproduction.traffic, trafficJson)}}
               .dump(2) +
           "\n";
}

}  // namespace data
