#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/model/model_memory.h"
#include "data/questions/advice_rules.h"
#include "data/questions/reserve_advice.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// "What do the sizes of this model cost on this machine?"
struct AdviceQuestion {
    engine::Experiment experiment;  ///< its policy is the one under which steps are timed
    engine::ModelPhase phase = engine::ModelPhase::training;
};

/// The part of a step that a rule is about.
enum class AdviceScope {
    head,       ///< the head's GEMM, forward
    attention,  ///< the batched GEMMs of attention in one layer, scores and values, forward
    layer,      ///< the other GEMMs of one layer, forward
    pipeline,   ///< the layers of the slowest stage in all micro-batches, with the pipeline's bubble
    step        ///< the whole step
};
std::string_view name(AdviceScope scope);   ///< "attention-gemms", as in documents
std::string_view title(AdviceScope scope);  ///< "the batched GEMMs of attention", for people

/// A step of one replica.
struct AdvisedStep {
    engine::Duration time;
    std::int64_t tokens = 0;  ///< of all its micro-batches
    std::int64_t gpus = 0;    ///< tp x pp

    engine::Duration ofToken() const;  ///< time of all GPUs together for one token
    bool operator==(const AdvisedStep&) const = default;
};

/// One side of a comparison, as the experiment is or with the change of a rule.
struct AdviceTimes {
    engine::Duration part;         ///< of what the rule is about
    engine::Duration partOfToken;  ///< the same for one token, of all GPUs that do it together
    AdvisedStep step;
    bool operator==(const AdviceTimes&) const = default;
};

/// What a rule says and what it costs to break it.
struct RuleAdvice {
    RuleCheck check;
    AdviceScope scope{};
    std::optional<AdviceTimes> now, changed;  ///< of a broken rule with a change, both or neither
    /// Whether the GEMMs of the part have as many tiles and waves as before; false for a part that is no GEMM.
    bool hasSameWaves = false;
    /// Change in the number of weights, relative: 0.001 is 0.1 % more. Of a broken rule with a change.
    std::optional<double> weightsChange;
    std::string notSimulated{};  ///< why there are no times of a broken rule; else empty

    bool isBroken() const { return check.verdict == RuleVerdict::broken; }
    /// Returns whether the change makes a step of other tokens or on other GPUs, so that times of a token are to be
    /// compared. Precondition: there are times.
    bool comparesTokens() const;
};

struct ModelAdvice {
    engine::Experiment experiment;
    engine::ModelPhase phase{};
    std::vector<RuleAdvice> rules;  ///< in the order of kShapeRules
    engine::Notices notices;        ///< what the times leave out
    std::size_t gemms = 0;          ///< distinct GEMMs that were simulated
    std::size_t steps = 0;          ///< distinct steps that were timed
    BrokenInvariants broken;        ///< of the runs

    std::size_t brokenRules() const;
};

struct AdviceOptions {
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, 0 to 1, rising; one call at a time, on any thread
    ManyRuns runs = usualRuns();             ///< of the GEMMs
    std::shared_ptr<ModelMemory> memory{};   ///< of steps that were timed before; changes no result
};

/// Checks the rules and simulates each broken one and its change: every distinct GEMM and every distinct step once.
///
/// A GEMM is SubLayer::gemm of its size, as `run gemm/MxNxK` does it under `sequential`; edges of tiles are paid as
/// tiles.padding says. A step is modelRun of one micro-batch on one stage under the experiment's policy, put together
/// with m micro-batches, p stages and v chunks a stage: (m + (p-1)/v) times the layers of the slowest stage, ceil(L/p),
/// and m times what stands outside the layers, then the optimizer (derived; the bubble is Narayanan et al., arXiv
/// 2104.04473, section 2.2). Messages between stages and replicas are left out. While heads do not divide the width
/// nothing is simulated.
///
/// The question has no ruleProblems, or throws engine::InvalidExperiment; also throws engine::RunStopped and
/// engine::Deadlock.
ModelAdvice modelAdviceOf(const AdviceQuestion& question, const AdviceOptions& options = {});

/// Returns the sentence of a rule: "vocabulary 50257 is odd: the head's GEMM takes 123.4 µs; 50304 would take 120.1 µs
/// (+0.1 % weights)". The finding alone, with what keeps the rule from a change, where there are no times.
std::string adviceSentence(const RuleAdvice& advice);

/// "+0.1 %", "-12.3 %", "+0.0003 %", "no change": with as many decimals as a small change needs to be seen.
std::string relativeText(double relative);

/// Returns what the change does to the step; and that nothing was gained, and why, where that is so: times of as many
/// tiles and waves that differ by less than 0.1 % are the same. Empty without times.
std::string adviceDetail(const RuleAdvice& advice);

}  // namespace data
