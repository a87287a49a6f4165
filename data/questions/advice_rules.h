#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The rules for the sizes of a Transformer (Anthony et al., arXiv 2401.14489), in the order in which they are told. h
/// hidden size, a query heads, b sequences of a micro-batch, s tokens of a sequence, t degree of tensor parallelism.
enum class ShapeRule {
    headsDivideWidth,   ///< a divides h; without it a head has no size
    vocabulary,         ///< the vocabulary is divisible by 64, or operators.embedding_rows pads it
    microBatch,         ///< no larger multiple of b fits into node.memory
    tokens,             ///< b s is divisible by 64; where one token of each sequence is computed, b
    headSize,           ///< h/a, or workload.head_size, is divisible by 64
    widthOfGpu,         ///< h/t is divisible by 64
    headsOfGpu,         ///< b a/t is whole
    degree,             ///< t is the smallest degree that fits into node.memory
    stagesDivideLayers  ///< division.pp divides the layers
};
inline constexpr std::array kShapeRules{
    ShapeRule::headsDivideWidth, ShapeRule::vocabulary, ShapeRule::microBatch,
    ShapeRule::tokens,           ShapeRule::headSize,   ShapeRule::widthOfGpu,
    ShapeRule::headsOfGpu,       ShapeRule::degree,     ShapeRule::stagesDivideLayers};

/// Sides should be divisible by a power of two of at least this: by this, then.
inline constexpr std::int64_t kAlignedSide = 64;

std::string_view name(ShapeRule rule);   ///< "vocabulary-multiple", as in documents
std::string_view title(ShapeRule rule);  ///< "The vocabulary is divisible by 64", for people

/// `unknown`: the rule says nothing about this experiment, because something that it reads is not set.
enum class RuleVerdict { holds, broken, unknown };

/// One edit of an experiment.
struct AdviceEdit {
    std::string path;
    engine::ParameterValue value;
    bool operator==(const AdviceEdit&) const = default;
};
using AdviceChange = std::vector<AdviceEdit>;

/// What a rule says about an experiment.
struct RuleCheck {
    ShapeRule rule{};
    RuleVerdict verdict = RuleVerdict::holds;
    std::optional<double> value{};  ///< what the rule is about: the vocabulary, b s, h/a; empty where it cannot be told
    std::string finding;            ///< "vocabulary 50257 is odd", "b s = 4 x 1024 = 4096 is divisible by 64"
    /// Of a broken rule, the smallest one that satisfies the rule, keeps every other rule that holds and everything
    /// that fits into node.memory; empty where there is none.
    AdviceChange change{};
    bool operator==(const RuleCheck&) const = default;
};

/// Checks one rule, without a change. Precondition: ruleProblems is empty.
RuleCheck checkRule(const engine::Experiment& experiment, engine::ModelPhase phase, ShapeRule rule);

/// Checks all rules in the order of kShapeRules and finds the smallest change for each broken one. Nothing is
/// simulated.
///
/// A change keeps width and depth of the model where that is possible: then tp, pp, batch, sequence, vocabulary, or the
/// number of heads changes. The smallest change is the one with the smallest ratio of the values, of equal ones the
/// larger; of a width with its heads the product of the ratios, the width's squared as the weights go. Heads of keys
/// follow. Precondition: ruleProblems is empty.
std::vector<RuleCheck> checkRules(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns what keeps the rules from being checked: what the parameter table refuses; a bare number of weights, which
/// has no sizes; and, unless heads that do not divide the width explain it, what footprintProblems says.
engine::Problems ruleProblems(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns whether the heads divide the width or have a size of their own. What they do not divide has no times.
bool headsDivideWidth(const engine::Experiment& experiment);

/// Returns the experiment with the edits made.
engine::Experiment withChange(engine::Experiment experiment, const AdviceChange& change);

/// Returns the edits in words: "50304" where the finding names the parameter, "hidden size 4224 and 33 heads".
std::string changeText(const RuleCheck& check);

/// Returns the edits as an order: "Set Vocabulary to 50304", "Set Hidden Size to 4224 and Query Heads to 33".
std::string changeTitle(const AdviceChange& change);

}  // namespace data
