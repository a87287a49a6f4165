#include "data/questions/advice_rules.h"

#include "data/document/problem_list.h"
#include "data/questions/advice_moves.h"
#include "engine/api/footprint.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace data {
namespace {

using engine::Experiment;
using engine::ModelPhase;

struct RuleNames {
    std::string_view name, title;
};
// In the order of the enumeration.
constexpr std::array<RuleNames, kShapeRules.size()> kRuleNames{
    {{"heads-divide-width", "The heads divide the hidden size"},
     {"vocabulary-multiple", "The vocabulary is divisible by 64"},
     {"micro-batch-largest", "The micro-batch is as large as the memory allows"},
     {"tokens-multiple", "b s, the tokens of a micro-batch, is divisible by 64"},
     {"head-size-multiple", "h/a, the size of a head, is divisible by 64"},
     {"width-multiple", "h/t, the width on each GPU, is divisible by 64"},
     {"heads-whole", "b a/t, the heads of a micro-batch on each GPU, is whole"},
     {"degree-smallest", "t, the degree of tensor parallelism, is as small as the memory allows"},
     {"stages-divide-layers", "The stages divide the layers"}}};

std::string whole(std::int64_t value) { return std::to_string(value); }

/// Returns above / below, such as "12.5", with as many decimals as it takes to see that it is not whole, at most four.
std::string fraction(std::int64_t above, std::int64_t below) {
    const double value = static_cast<double>(above) / static_cast<double>(below);
    const auto scaled = std::llround(value * 1e4);
    std::string text = whole(scaled / 10'000), decimals = whole(10'000 + scaled % 10'000).substr(1);
    while (!decimals.empty() && decimals.back() == '0')
        decimals.pop_back();
    return decimals.empty() ? text : text + "." + decimals;
}

RuleCheck verdictOf(ShapeRule rule, bool holds, double value, std::string finding) {
    return {rule, holds ? RuleVerdict::holds : RuleVerdict::broken, value, std::move(finding), {}};
}

RuleCheck unknownFor(ShapeRule rule, std::string why) { return {rule, RuleVerdict::unknown, {}, std::move(why), {}}; }

/// Checks whether a side of `above`/`below` elements is a multiple of kAlignedSide. `what` describes it: "h/a =
/// 2560/32".
RuleCheck checkSide(ShapeRule rule, const std::string& what, std::int64_t above, std::int64_t below) {
    const bool isWhole = above % below == 0, holds = isWhole && (above / below) % kAlignedSide == 0;
    std::string says = what + (below == 1 ? "" : " = " + fraction(above, below));
    if (!isWhole)
        says += " is not whole";
    else if (above / below % 2 != 0)
        says += " is odd";
    else
        says += (holds ? " is divisible by " : " is not divisible by ") + whole(kAlignedSide);
    return verdictOf(rule, holds, static_cast<double>(above) / static_cast<double>(below), std::move(says));
}

RuleCheck checkHeads(const Experiment& e) {
    const std::int64_t heads = engine::queryHeads(e.workload), hidden = e.workload.hidden;
    constexpr auto kRule = ShapeRule::headsDivideWidth;
    if (e.workload.headSize)
        return verdictOf(kRule, true, static_cast<double>(*e.workload.headSize),
                         "heads have a size of their own, " + whole(*e.workload.headSize));
    const bool divide = hidden % heads == 0;
    return verdictOf(kRule, divide, static_cast<double>(hidden) / static_cast<double>(heads),
                     whole(heads) + " heads " + (divide ? "divide" : "do not divide") + " the hidden size, " +
                         whole(hidden));
}

RuleCheck checkVocabulary(const Experiment& e) {
    if (!e.operators.embeddingRows)
        return checkSide(ShapeRule::vocabulary, "vocabulary " + whole(e.workload.vocabulary), e.workload.vocabulary, 1);
    return verdictOf(ShapeRule::vocabulary, true, static_cast<double>(e.workload.vocabulary),
                     "operators.embedding_rows pads the vocabulary to a multiple of " +
                         whole(*e.operators.embeddingRows) + " on each GPU");
}

RuleCheck checkTokens(const Experiment& e, ModelPhase phase) {
    const std::int64_t batch = e.workload.batch, sequence = e.workload.sequence;
    if (phase == ModelPhase::generation)
        return checkSide(ShapeRule::tokens, "b = " + whole(batch) + ", one token of each sequence,", batch, 1);
    return checkSide(ShapeRule::tokens,
                     "b s = " + whole(batch) + " x " + whole(sequence) + " = " + whole(batch * sequence),
                     batch * sequence, 1);
}

RuleCheck checkHeadSize(const Experiment& e) {
    constexpr auto kRule = ShapeRule::headSize;
    if (e.workload.headSize)
        return checkSide(kRule, "head size " + whole(*e.workload.headSize), *e.workload.headSize, 1);
    if (!headsDivideWidth(e))
        return unknownFor(kRule, "h/a is known once the heads divide the hidden size");
    const std::int64_t heads = engine::queryHeads(e.workload);
    return checkSide(kRule, "h/a = " + whole(e.workload.hidden) + "/" + whole(heads), e.workload.hidden, heads);
}

RuleCheck checkWidth(const Experiment& e) {
    return checkSide(ShapeRule::widthOfGpu, "h/t = " + whole(e.workload.hidden) + "/" + whole(e.parallel.tp),
                     e.workload.hidden, e.parallel.tp);
}

RuleCheck checkHeadsOfGpu(const Experiment& e) {
    const std::int64_t heads = engine::queryHeads(e.workload), all = e.workload.batch * heads, tp = e.parallel.tp;
    const bool isWhole = all % tp == 0;
    return verdictOf(ShapeRule::headsOfGpu, isWhole, static_cast<double>(all) / static_cast<double>(tp),
                     "b a/t = " + whole(e.workload.batch) + " x " + whole(heads) + "/" + whole(tp) + " = " +
                         fraction(all, tp) + (isWhole ? " is whole" : " is not whole"));
}

RuleCheck checkStages(const Experiment& e) {
    const std::int64_t layers = e.workload.layers, stages = e.division.pp;
    const bool divide = layers % stages == 0;
    return verdictOf(ShapeRule::stagesDivideLayers, divide, static_cast<double>(layers) / static_cast<double>(stages),
                     whole(stages) + (stages == 1 ? " stage " : " stages ") +
                         (divide ? (stages == 1 ? "divides " : "divide ") : "do not divide ") + whole(layers) +
                         " layers");
}

/// Returns why the rules about memory cannot be checked; empty if they can.
std::string whyNoMemory(const Experiment& e, ModelPhase phase) {
    if (!e.node.memory)
        return "node.memory is unlimited: set it, or choose a machine that states it";
    if (!engine::footprintProblems(e, phase).empty())
        return "the footprint is known once the heads divide the hidden size";
    return {};
}

RuleCheck checkMicroBatch(const Experiment& e, ModelPhase phase) {
    constexpr auto kRule = ShapeRule::microBatch;
    if (std::string why = whyNoMemory(e, phase); !why.empty())
        return unknownFor(kRule, std::move(why));
    const std::int64_t batch = e.workload.batch;
    const auto best = bestMicroBatch(e, phase);
    if (!best)
        return unknownFor(kRule, "not even a micro-batch of one sequence fits into node.memory");
    const std::string set = "micro-batch " + whole(batch);
    const std::string says = *best == batch  ? set + " is the largest multiple of it that fits"
                             : *best > batch ? set + " is smaller than memory allows, since " + whole(*best) + " fits"
                                             : set + " does not fit into node.memory";
    return verdictOf(kRule, *best == batch, static_cast<double>(batch), says);
}

RuleCheck checkDegree(const Experiment& e, ModelPhase phase) {
    constexpr auto kRule = ShapeRule::degree;
    if (std::string why = whyNoMemory(e, phase); !why.empty())
        return unknownFor(kRule, std::move(why));
    const std::int64_t tp = e.parallel.tp;
    const auto best = smallestDegree(e, phase);
    if (!best)
        return unknownFor(kRule, "no degree up to " + whole(std::max(tp, e.node.gpus)) + " fits into node.memory");
    const std::string set = "tp " + whole(tp);
    const std::string says = *best == tp  ? set + " is the smallest that fits"
                             : *best < tp ? set + " is larger than memory requires, since " + whole(*best) + " fits"
                                          : set + " does not fit into node.memory";
    return verdictOf(kRule, *best == tp, static_cast<double>(tp), says);
}

bool isOfMemory(ShapeRule rule) { return rule == ShapeRule::microBatch || rule == ShapeRule::degree; }

/// Finds the first change that satisfies a rule and is allowed.
class ChangeSearch {
public:
    ChangeSearch(const Experiment& experiment, ModelPhase phase, const std::vector<RuleCheck>& checks)
        : m_experiment(experiment), m_phase(phase), m_fits(fits(experiment)) {
        for (const RuleCheck& check : checks) {
            if (check.verdict == RuleVerdict::holds)
                m_kept.push_back(check.rule);
        }
        // Rules that compare numbers come first, rules that need footprints last.
        std::ranges::stable_partition(m_kept, [](ShapeRule rule) { return !isOfMemory(rule); });
    }

    AdviceChange changeFor(ShapeRule rule) const {
        for (const AdviceChange& move : movesFor(m_experiment, m_phase, rule)) {
            if (isAllowed(withChange(m_experiment, move), rule))
                return move;
        }
        return {};
    }

private:
    bool fits(const Experiment& changed) const {
        return whyNoMemory(changed, m_phase).empty() && fitsMemory(changed, m_phase).value_or(false);
    }

    bool holds(const Experiment& changed, ShapeRule rule) const {
        return checkRule(changed, m_phase, rule).verdict == RuleVerdict::holds;
    }

    bool isAllowed(const Experiment& changed, ShapeRule rule) const {
        if (!isOfMemory(rule) && !holds(changed, rule))
            return false;
        if (!ruleProblems(changed, m_phase).empty())
            return false;
        if (m_fits && !fits(changed))
            return false;
        return std::ranges::all_of(m_kept, [&](ShapeRule kept) { return holds(changed, kept); }) &&
               (!isOfMemory(rule) || holds(changed, rule));
    }

    const Experiment& m_experiment;
    ModelPhase m_phase;
    bool m_fits;
    std::vector<ShapeRule> m_kept;
};

}  // namespace

std::string_view name(ShapeRule rule) { return kRuleNames.at(static_cast<std::size_t>(rule)).name; }

std::string_view title(ShapeRule rule) { return kRuleNames.at(static_cast<std::size_t>(rule)).title; }

bool headsDivideWidth(const Experiment& e) {
    return e.workload.headSize || e.workload.hidden % engine::queryHeads(e.workload) == 0;
}

RuleCheck checkRule(const Experiment& experiment, ModelPhase phase, ShapeRule rule) {
    switch (rule) {
    case ShapeRule::headsDivideWidth: return checkHeads(experiment);
    case ShapeRule::vocabulary: return checkVocabulary(experiment);
    case ShapeRule::microBatch: return checkMicroBatch(experiment, phase);
    case ShapeRule::tokens: return checkTokens(experiment, phase);
    case ShapeRule::headSize: return checkHeadSize(experiment);
    case ShapeRule::widthOfGpu: return checkWidth(experiment);
    case ShapeRule::headsOfGpu: return checkHeadsOfGpu(experiment);
    case ShapeRule::degree: return checkDegree(experiment, phase);
    case ShapeRule::stagesDivideLayers: break;
    }
    return checkStages(experiment);
}

std::vector<RuleCheck> checkRules(const Experiment& experiment, ModelPhase phase) {
    std::vector<RuleCheck> checks;
    for (const ShapeRule rule : kShapeRules)
        checks.push_back(checkRule(experiment, phase, rule));
    const ChangeSearch search(experiment, phase, checks);
    for (RuleCheck& check : checks) {
        if (check.verdict == RuleVerdict::broken)
            check.change = search.changeFor(check.rule);
    }
    return checks;
}

engine::Problems ruleProblems(const Experiment& experiment, ModelPhase phase) {
    engine::Problems problems = engine::tableProblems(experiment);
    if (!problems.empty())
        return problems;
    if (engine::isNetwork(experiment))
        return {{"workload.model", experiment.workload.model,
                 "the rules are for Transformers, and this is a network; allowed: a Transformer"}};
    if (const auto weights = experiment.division.weights)
        return {{"division.weights", std::to_string(*weights),
                 "a number of weights alone has no sizes to check; allowed: model"}};
    if (headsDivideWidth(experiment))
        problems = engine::footprintProblems(experiment, phase);
    return problems;
}

Experiment withChange(Experiment experiment, const AdviceChange& change) {
    for (const AdviceEdit& edit : change)
        engine::findParameter(edit.path)->write(experiment, edit.value);
    return experiment;
}

}  // namespace data
