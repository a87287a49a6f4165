#include "data/questions/pair.h"

#include "data/document/names.h"
#include "data/document/parameter_words.h"
#include "data/document/problem_list.h"
#include "data/document/value_places.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/run_outcome.h"
#include "data/laboratory/work_progress.h"
#include "data/results/companion_slowdown.h"
#include "engine/api/baselines.h"
#include "engine/api/run_parts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

namespace data {
namespace {

using engine::CollectiveCarrier;
using engine::CompanionOperation;
using engine::DispatchRule;
using engine::Experiment;

constexpr std::array kRulesForAll{DispatchRule::inOrder, DispatchRule::companionFirst, DispatchRule::roundRobin};

/// Returns a row with this rule, by kernel or DMA, without reserved CUs.
DispatchRow rowOf(const ExperimentDraft& draft, std::string name, DispatchRule rule, CollectiveCarrier by) {
    DispatchRow row{std::move(name), rule, by, std::nullopt, draft};
    Settings& values = row.draft.explicitValues;
    // DMA engines need no CU, so the order of kernels is not read.
    if (by == CollectiveCarrier::dma && rule == DispatchRule::inOrder)
        values.erase("dispatch.rule");
    else
        values.insert_or_assign("dispatch.rule", wordAt("dispatch.rule", rule));
    values.insert_or_assign("companion.by", wordAt("companion.by", by));
    values.erase("dispatch.reserved");
    return row;
}

void reserve(DispatchRow& row, std::int64_t cus) {
    row.name += " " + std::to_string(cus);
    row.reserved = cus;
    row.draft.explicitValues.insert_or_assign("dispatch.reserved", cus);
}

std::vector<DispatchRow> rowsForAll(const ExperimentDraft& draft) {
    std::vector<DispatchRow> rows;
    rows.reserve(kRulesForAll.size());
    for (const DispatchRule rule : kRulesForAll)
        rows.push_back(rowOf(draft, wordAt("dispatch.rule", rule), rule, CollectiveCarrier::kernel));
    return rows;
}

DispatchRow reservedRow(const ExperimentDraft& draft, std::string name, CollectiveCarrier by, std::int64_t cus) {
    DispatchRow row = rowOf(draft, std::move(name), DispatchRule::reserved, by);
    reserve(row, cus);
    return row;
}

/// Returns the row in which the companion's kernel gets room first and a switch adds or copies its packets.
DispatchRow inSwitchRow(const ExperimentDraft& draft) {
    const std::string algorithm = wordAt("collective.algorithm", engine::CollectiveAlgorithm::inSwitch);
    DispatchRow row = rowOf(draft, algorithm, DispatchRule::companionFirst, CollectiveCarrier::kernel);
    row.draft.explicitValues.insert_or_assign("collective.algorithm", algorithm);
    row.inSwitch = true;
    return row;
}

/// Returns how many CUs the question itself reserves.
std::optional<std::int64_t> reservedBy(const PairQuestion& question, const Experiment& experiment) {
    return question.reserved ? question.reserved : experiment.dispatch.reserved;
}

engine::Problems problemsOfReserved(std::int64_t reserved, const Experiment& experiment) {
    const std::string value = std::to_string(reserved);
    if (!canReserve(experiment))
        return {
            {"reserved", value,
             "CUs can be reserved only for a collective beside a GEMM; allowed: a companion such as all-gather, and "
             "own work that has a GEMM"}};
    if (reserved < 1 || reserved >= experiment.cu.count)
        return {{"reserved", value,
                 "at least one CU must be reserved, and not all of them; allowed: 1 to " +
                     std::to_string(experiment.cu.count - 1) + " of the " + std::to_string(experiment.cu.count) +
                     " CUs"}};
    return {};
}

engine::Problems problemsOfExperiment(const Expansion& asked) {
    engine::Problems problems = asked.problems;
    const Experiment& experiment = asked.experiment;
    if (!engine::hasCompanion(experiment))
        addOnce(problems,
                {"companion.operation", "none",
                 "nothing runs beside the experiment; allowed: one of all-gather, reduce-scatter, all-reduce, "
                 "all-to-all, gemm"});
    if (engine::hasInMemoryPass(experiment))
        addOnce(problems, {"companion.operation", "in-memory",
                           "a pass inside memory takes no CU, so that there are no ways to share them; allowed: one of "
                           "all-gather, reduce-scatter, all-reduce, all-to-all, gemm"});
    if (engine::isIdeal(experiment.policy.preset))
        addOnce(problems, engine::problemOfFormula(experiment.policy.preset));
    return problems;
}

/// Expands the rows to experiments and adds their problems.
std::vector<PairRow> expanded(std::vector<DispatchRow> hows, engine::Problems& problems, engine::Notices& notices) {
    std::vector<PairRow> rows;
    for (DispatchRow& how : hows) {
        Expansion expansion = expand(how.draft);
        for (const engine::Problem& problem : expansion.problems)
            addOnce(problems, problem);
        for (const engine::Notice& notice : expansion.notices)
            addOnce(notices, notice);
        rows.push_back({std::move(how), std::move(expansion.experiment), {}});
    }
    return rows;
}

/// Combines the progress of the advice and of the rows.
class PairProgress {
public:
    PairProgress(double advice, double rows, std::function<void(double)> report)
        : m_share(advice / (advice + rows)), m_report(std::move(report)) {}

    std::function<void(double)> ofAdvice() const { return part(0, m_share); }
    std::function<void(double)> ofRows() const { return part(m_share, 1); }

private:
    std::function<void(double)> part(double from, double to) const {
        if (!m_report)
            return {};
        return [from, to, report = m_report](double done) { report(from + (to - from) * done); };
    }

    double m_share;
    std::function<void(double)> m_report;
};

double sumOf(const std::vector<double>& costs) { return std::accumulate(costs.begin(), costs.end(), 0.0); }

void runRows(Pair& pair, const PairOptions& options, const std::function<void(double)>& progress) {
    std::vector<Experiment> experiments;
    experiments.reserve(pair.rows.size());
    for (const PairRow& row : pair.rows)
        experiments.push_back(row.experiment);
    PairOptions ofRows = options;
    ofRows.progress = progress;
    std::vector<engine::RunOutcome> outcomes =
        outcomesOf(experiments, ofRows, {.baselineCache = std::make_shared<engine::BaselineCache>()});
    for (std::size_t i = 0; i < pair.rows.size(); ++i) {
        PairRow& row = pair.rows[i];
        row.result = resultOf(std::move(outcomes[i]), row.how.name);
        pair.broken.add(row.experiment, row.result.invariants);
        for (const engine::Notice& notice : row.result.notices)
            addOnce(pair.notices, notice);
    }
}

/// Returns the time of a row's companion alone as a kernel.
engine::Duration companionAloneOf(const PairRow& row) {
    const engine::CompanionResult& companion = row.result.companion.value();
    return companion.serial.value() - companion.ownAlone.value();
}

/// Returns the first of the rows with the fastest companion alone. The row in the switch, which has another algorithm,
/// does not count.
const PairRow& fastestAlone(const Pair& pair) {
    return *std::ranges::min_element(
        pair.rows, {}, [](const PairRow& row) { return std::pair(row.how.inSwitch, companionAloneOf(row)); });
}

/// Adds a notice if the collective has so few workgroups under some rules that comparing the rules misleads.
void noteFewWorkgroups(Pair& pair) {
    constexpr double kWorthAWord = 1.01;
    const PairRow &fastest = fastestAlone(pair), &asked = pair.rows.front();
    if (static_cast<double>(companionAloneOf(asked).ps) <=
        kWorthAWord * static_cast<double>(companionAloneOf(fastest).ps))
        return;
    const engine::Parameter& workgroups = *engine::findParameter("companion.workgroups");
    const auto number = [&](const PairRow& row) { return std::to_string(row.experiment.companion.workgroups); };
    const double ratio =
        static_cast<double>(companionAloneOf(asked).ps) / static_cast<double>(companionAloneOf(fastest).ps);
    pair.notices.push_back(
        {workgroups.path, "alone the collective takes " + fixedNumber(ratio, 2) + " times as long with " +
                              number(asked) + " workgroups as with the " + number(fastest) + " of the row " +
                              fastest.how.name + ", whose time counts in serial; set " + workgroups.path + "=" +
                              number(fastest) + " to compare the rules with a collective that has enough workgroups"});
}

}  // namespace

bool hasWaysToShare(const Experiment& experiment) {
    return engine::hasCompanion(experiment) && !engine::hasInMemoryPass(experiment);
}

std::vector<DispatchRow> dispatchRows(const ExperimentDraft& draft) {
    const Experiment experiment = expandValues(draft).experiment;
    if (!hasWaysToShare(experiment))
        return {};
    std::vector<DispatchRow> rows = rowsForAll(draft);
    if (canReserve(experiment))
        rows.push_back(reservedRow(draft, "reserved", CollectiveCarrier::kernel,
                                   experiment.dispatch.reserved.value_or(experiment.companion.workgroups)));
    return rows;
}

bool canBeCopied(const Experiment& experiment) {
    const CompanionOperation operation = experiment.companion.operation;
    const bool reduces = operation == CompanionOperation::reduceScatter || operation == CompanionOperation::allReduce;
    return engine::hasCompanionCollective(experiment) && !engine::addsInSwitch(experiment) &&
           (!reduces || experiment.collective.reduction == engine::Reduction::nmc);
}

bool canGoThroughSwitch(const Experiment& experiment) {
    const engine::RunParts own = engine::runPartsOf(experiment);
    return engine::hasCompanionCollective(experiment) && !engine::addsInSwitch(experiment) &&
           experiment.topology.kind == engine::TopologyKind::switched &&
           experiment.companion.operation != CompanionOperation::allToAll && !own.scatters() && !own.allGather;
}

std::vector<DispatchRow> pairRows(const ExperimentDraft& draft, std::optional<std::int64_t> reserved) {
    const Experiment experiment = expandValues(draft).experiment;
    std::vector<DispatchRow> rows = dispatchRows(draft);
    if (reserved && canReserve(experiment)) {
        DispatchRow row = reservedRow(draft, "reserved", CollectiveCarrier::kernel, *reserved);
        row.draft.explicitValues.insert_or_assign("companion.workgroups", *reserved);
        rows.back() = std::move(row);
    }
    if (canBeCopied(experiment)) {
        rows.push_back(rowOf(draft, "dma", DispatchRule::inOrder, CollectiveCarrier::dma));
        if (canReserve(experiment) && kReservedBesideDma < experiment.cu.count)
            rows.push_back(reservedRow(draft, "dma + reserved", CollectiveCarrier::dma, kReservedBesideDma));
    }
    if (canGoThroughSwitch(experiment))
        rows.push_back(inSwitchRow(draft));
    return rows;
}

engine::Duration Pair::ownAlone() const { return rows.front().result.companion.value().ownAlone.value(); }

engine::Duration Pair::companionAlone() const { return companionAloneOf(fastestAlone(*this)); }

double Pair::idealSpeedup() const {
    return static_cast<double>(serial().ps) / static_cast<double>(std::max(ownAlone(), companionAlone()).ps);
}

double Pair::speedupOf(const PairRow& row) const {
    return static_cast<double>(serial().ps) / static_cast<double>(row.result.last.time.total.ps);
}

std::optional<Pair::FreedCus> Pair::freedByCopies() const {
    const auto isDma = [](const PairRow& row) { return row.how.by == CollectiveCarrier::dma; };
    const auto first = std::ranges::find_if(rows, [](const PairRow& row) {
        return row.how.by == CollectiveCarrier::kernel && row.how.rule == DispatchRule::companionFirst;
    });
    if (first == rows.end() || std::ranges::none_of(rows, isDma))
        return std::nullopt;
    const engine::CompanionResult& companion = first->result.companion.value();
    FreedCus freed;
    freed.cus = std::min(first->experiment.companion.workgroups, first->experiment.cu.count);
    freed.time = companion.time - companionBeside(companion).waits;
    const double all =
        static_cast<double>(first->experiment.cu.count) * static_cast<double>(first->result.last.time.total.ps);
    freed.share = static_cast<double>(freed.cus) * static_cast<double>(freed.time.ps) / all;
    return freed;
}

std::optional<double> Pair::fractionOfIdeal(const PairRow& row) const {
    const double ideal = idealSpeedup();
    return ideal > 1 ? std::optional((speedupOf(row) - 1) / (ideal - 1)) : std::nullopt;
}

engine::Problems check(const PairQuestion& question) {
    const Expansion asked = expand(question.draft);
    engine::Problems problems = problemsOfExperiment(asked);
    if (question.reserved)
        append(problems, problemsOfReserved(*question.reserved, asked.experiment));
    if (!problems.empty())
        return problems;
    // If the first candidate of the advice can be reserved, all of them can.
    std::optional<std::int64_t> reserved = reservedBy(question, asked.experiment);
    if (!reserved && canReserve(asked.experiment))
        reserved = reserveCandidates(asked.experiment.cu.count).front();
    engine::Notices notices;
    expanded(pairRows(question.draft, reserved), problems, notices);
    return problems;
}

Pair pairOf(const PairQuestion& question, const PairOptions& options) {
    refuseAny(check(question));
    Pair pair;
    pair.experiment = expand(question.draft).experiment;
    pair.name = caseName(pair.experiment);
    std::optional<std::int64_t> reserved = reservedBy(question, pair.experiment);
    const bool asks = !reserved && canReserve(pair.experiment);
    const std::size_t rows = pairRows(question.draft, reserved).size();
    const PairProgress progress(asks ? sumOf(costsOf(advisingRuns(pair.experiment), false)) : 0,
                                sumOf(costsOf(std::vector(rows, pair.experiment), true)), options.progress);
    if (asks) {
        pair.advice =
            reserveAdvice(pair.experiment, {options.threads, options.stop, progress.ofAdvice(), options.runs});
        pair.broken.add(pair.advice->broken);
        reserved = pair.advice->reserved();
    }
    engine::Problems problems;
    pair.rows = expanded(pairRows(question.draft, reserved), problems, pair.notices);
    refuseAny(std::move(problems));
    runRows(pair, options, progress.ofRows());
    noteFewWorkgroups(pair);
    return pair;
}

}  // namespace data
