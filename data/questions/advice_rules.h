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

/// The rules for the sizes of a Transformer (Anthony et al., arXiv 2401.14489), in the order in which they are
/// reported. h is the hidden size, a the number of query heads, b the sequences of a micro-batch, s the tokens of a
/// sequence, t the degree of tensor parallelism.
enum class ShapeRule {
    headsDivideWidth,   ///< a divides h; without it a head has no size
    vocabulary,         ///< the vocabulary is divisible by 64, or operators.embedding_rows pads it
    microBatch,         ///< no larger multiple of b fits into node.memory
    tokens,             ///< b s is divisible by 64; if one token of each sequence is computed, b is
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

/// The power of two by which sides of matrices should be divisible at least.
inline constexpr std::int64_t kAlignedSide = 64;

std::string_view name(ShapeRule rule);   ///< "vocabulary-multiple", as in documents
std::string_view title(ShapeRule rule);  ///< "The vocabulary is divisible by 64", for people

/// The verdict of a rule. `unknown`: something that the rule reads is not set.
enum class RuleVerdict { holds, broken, unknown };

/// One edit of an experiment.
struct AdviceEdit {
    std::string path;
    engine::ParameterValue value;
    bool operator==(const AdviceEdit&) const = default;
};
using AdviceChange = std::vector<AdviceEdit>;

/// The result of checking a rule on an experiment.
struct RuleCheck {
    ShapeRule rule{};
    RuleVerdict verdict = RuleVerdict::holds;
    std::optional<double> value{};  ///< the number that the rule is about: the vocabulary, b s, h/a; empty if it is
                                    ///< unknown
    std::string finding;            ///< "vocabulary 50257 is odd", "b s = 4 x 1024 = 4096 is divisible by 64"
    /// For a broken rule, the smallest change that satisfies it, keeps every other rule that holds, and still fits into
    /// node.memory if the experiment did; empty if there is none.
    AdviceChange change{};
    bool operator==(const RuleCheck&) const = default;
};

/// Checks one rule, without a change. Precondition: ruleProblems is empty.
RuleCheck checkRule(const engine::Experiment& experiment, engine::ModelPhase phase, ShapeRule rule);

/// Checks all rules in the order of kShapeRules and finds the smallest change for each broken one. Nothing is
/// simulated.
///
/// A change keeps width and depth of the model if possible: it then changes tp, pp, batch, sequence, vocabulary or the
/// number of heads. The smallest change is the one with the smallest ratio between old and new value; of two equal
/// ratios the one with the larger value is taken. If the width changes with its heads, the product of both ratios
/// counts, with that of the width squared, as the weights grow. The number of key heads is adapted. Precondition:
/// ruleProblems is empty.
std::vector<RuleCheck> checkRules(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the problems that prevent the rules from being checked: values that the parameter table does not allow; a
/// number of weights without a model, which has no sizes; and the problems of footprintProblems, unless they follow
/// from heads that do not divide the width.
engine::Problems ruleProblems(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns whether the heads divide the width or have a size of their own. If not, the model has no times.
bool headsDivideWidth(const engine::Experiment& experiment);

/// Returns the experiment with the edits made.
engine::Experiment withChange(engine::Experiment experiment, const AdviceChange& change);

/// Returns the edits in words: "50304" if the finding names the parameter, "hidden size 4224 and 33 heads".
std::string changeText(const RuleCheck& check);

/// Returns the edits as an instruction: "Set Vocabulary to 50304", "Set Hidden Size to 4224 and Query Heads to 33".
std::string changeTitle(const AdviceChange& change);

}  // namespace data
