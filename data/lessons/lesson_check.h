#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/lessons/lesson.h"
#include "data/lessons/lesson_trace.h"
#include "data/model/model_memory.h"
#include "data/model/model_run.h"
#include "data/results/model_point_fields.h"
#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace data {

/// The result of checking one claim of a lesson, by simulation or, for a footprint, by arithmetic.
struct LessonVerdict {
    std::size_t step = 0;             ///< the step that states the claim, from 0
    LessonClaim claim;                ///< its `text` is the number in the lesson
    std::string path;                 ///< path of the claim's number in the document: "steps[2].claims.gained.value"
    std::optional<double> simulated;  ///< in base units; absent if simulation has no such number
    std::string simulatedText;        ///< formatted as the claim, with as many digits as it takes to see that the two
                                      ///< differ: "18 %"
    std::string allowedText;          ///< the range that would hold: "1.974 ms to 1.976 ms"
    std::string failure;              ///< why there is no number; empty if there is one
    enum class Source { simulation, division, trace };
    Source source =
        Source::simulation;  ///< what gives the number; a footprint and a measured number need no simulation
    bool holds = false;
};

/// Returns a sentence: "step 3 says 41 % (gained), simulation gives 18 %; allowed: 40 % to 42 %"; for a footprint "the
/// division gives". Steps are counted from 1 for people.
std::string describe(const LessonVerdict& verdict);

struct LessonCheckOptions {
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, rising, on the calling thread
};

/// Checks the claims of one lesson by simulation. Each experiment is run once, even if steps are checked one by one;
/// training steps of whole models share the simulations of their operators; claims about footprints are computed, and
/// those about traces read, without a run. Not thread-safe.
class LessonChecker {
public:
    using Run = std::function<engine::RunResult(const ExperimentDraft&, const engine::RunOptions&)>;

    /// Runs the experiments through the laboratory, which keeps none of them.
    explicit LessonChecker(Lesson lesson);
    LessonChecker(Lesson lesson, Run run);

    /// Checks every claim, in the order of the document. Throws engine::RunStopped.
    std::vector<LessonVerdict> all(const LessonCheckOptions& options = {});
    /// Checks the claims of a step, and those of earlier steps that its texts or its question mention. Throws
    /// engine::RunStopped.
    std::vector<LessonVerdict> step(std::size_t step, const LessonCheckOptions& options = {});

    const Lesson& lesson() const { return m_lesson; }
    /// Returns the broken invariants of all runs so far.
    const BrokenInvariants& broken() const { return m_broken; }

private:
    struct Place {
        std::size_t step = 0;
        const LessonClaim* claim = nullptr;
    };
    struct Answer {
        std::optional<double> number;
        std::string failure;
    };
    /// The result of a whole model, or why there is none.
    struct ModelOutcome {
        std::optional<ModelPoint> point;
        std::string failure;
    };

    std::vector<LessonVerdict> check(const std::vector<Place>& places, const LessonCheckOptions& options);
    void runFor(const std::vector<Place>& places, const LessonCheckOptions& options);
    void run(const ExperimentDraft& draft, engine::RunOptions options);
    void train(const ExperimentDraft& draft, ModelRunOptions options);
    Answer answerTo(const LessonClaim& claim) const;
    Answer answerOfRun(const LessonClaim& claim) const;
    Answer answerOfTraining(const LessonClaim& claim) const;
    static Answer answerOfFootprint(const LessonClaim& claim);
    Answer answerOfTrace(const LessonClaim& claim) const;
    Answer answerOfTwo(const LessonClaim& claim) const;

    Lesson m_lesson;
    Run m_run;
    std::shared_ptr<engine::BaselineCache> m_baselines;
    std::shared_ptr<ModelMemory> m_memory;
    std::map<Settings, engine::RunOutcome> m_outcomes;
    std::map<Settings, ModelOutcome> m_trainings;
    std::map<LessonTraces, LessonTraceReport> m_traces;
    BrokenInvariants m_broken;
};

/// A number in a text that no claim backs.
struct LooseNumber {
    std::size_t step = 0;  ///< from 0
    std::string path;      ///< "steps[2].reveal"
    std::string text;      ///< "41 %"
};

/// Returns the numbers in a lesson's texts that no claim backs, in order. Numbers in names and formulas do not count:
/// digits behind letters (T3, FC-2), a number after GPU, TP, rank, step or lesson, arithmetic with one capital letter
/// (2N, N − 1), and the schedule 1F1B.
std::vector<LooseNumber> looseNumbers(const Lesson& lesson);

}  // namespace data
