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

/// The question "What do the sizes of this model cost on this machine?"
struct AdviceQuestion {
    engine::Experiment experiment;  ///< steps are timed under its policy
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
    std::int64_t tokens = 0;  ///< tokens of all its micro-batches
    std::int64_t gpus = 0;    ///< tp x pp

    engine::Duration ofToken() const;  ///< the time of one token, summed over all GPUs
    bool operator==(const AdvisedStep&) const = default;
};

/// The times of one side of a comparison: of the experiment as it is, or with the change of a rule.
struct AdviceTimes {
    engine::Duration part;         ///< time of the part that the rule is about
    engine::Duration partOfToken;  ///< the same for one token, summed over the GPUs that work on it together
    AdvisedStep step;
    bool operator==(const AdviceTimes&) const = default;
};

/// The verdict of a rule and, if it is broken, the time that this costs.
struct RuleAdvice {
    RuleCheck check;
    AdviceScope scope{};
    std::optional<AdviceTimes> now, changed;  ///< for a broken rule with a change: both or neither
        /// True if the change does not alter the numbers of tiles and waves of the part's GEMMs; false if the part has
        /// no GEMM.
    bool hasSameWaves = false;
    /// The relative change in the number of weights: 0.001 is 0.1 % more. Only for a broken rule with a change.
    std::optional<double> weightsChange;
    std::string notSimulated{};  ///< why a broken rule has no times; otherwise empty

    bool isBroken() const { return check.verdict == RuleVerdict::broken; }
    /// Returns whether the change alters the number of tokens or GPUs of a step, so that times for one token have to be
    /// compared. Precondition: there are times.
    bool comparesTokens() const;
};

struct ModelAdvice {
    engine::Experiment experiment;
    engine::ModelPhase phase{};
    std::vector<RuleAdvice> rules;  ///< in the order of kShapeRules
    engine::Notices notices;        ///< costs that the times do not include
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
    std::shared_ptr<ModelMemory> memory{};   ///< results of earlier steps; changes no result
};

/// Checks the rules, and simulates each broken one and its change: every distinct GEMM and every distinct step once.
///
/// A GEMM is SubLayer::gemm of its size, as `run gemm/MxNxK` does it under `sequential`; edges of tiles cost what
/// tiles.padding says. A step is modelRun of one micro-batch on one stage under the experiment's policy, extrapolated
/// to m micro-batches, p stages and v chunks for each stage: (m + (p-1)/v) times the layers of the slowest stage,
/// ceil(L/p), and m times the operators outside the layers, then the optimizer (derived; the bubble is Narayanan et
/// al., arXiv 2104.04473, section 2.2). Messages between stages and replicas are left out. If the heads do not divide
/// the width, nothing is simulated.
///
/// Throws engine::InvalidExperiment if the question has ruleProblems, engine::RunStopped and engine::Deadlock.
ModelAdvice modelAdviceOf(const AdviceQuestion& question, const AdviceOptions& options = {});

/// Returns the sentence of a rule: "vocabulary 50257 is odd: the head's GEMM takes 123.4 µs; 50304 would take 120.1 µs
/// (+0.1 % weights)". Without times, returns the finding alone, and what prevents a change.
std::string adviceSentence(const RuleAdvice& advice);

/// Returns a relative change with as many decimals as are needed to see it: "+0.1 %", "-12.3 %", "+0.0003 %", "no
/// change".
std::string relativeText(double relative);

/// Returns how the change affects the step. If nothing is gained, says so and why: times with the same numbers of tiles
/// and waves that differ by less than 0.1 % count as equal. Empty without times.
std::string adviceDetail(const RuleAdvice& advice);

}  // namespace data
