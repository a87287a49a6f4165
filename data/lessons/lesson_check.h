#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/lessons/lesson.h"
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

/// What simulation, or the arithmetic of a division, says to one claim of a lesson.
struct LessonVerdict {
    std::size_t step = 0;             ///< that states it, from 0
    LessonClaim claim;                ///< its `text` is what the lesson says
    std::string path;                 ///< of its number in the document: "steps[2].claims.gained.value"
    std::optional<double> simulated;  ///< in base units; nothing where simulation has no such number
    std::string simulatedText;        ///< as the claim is written, with as many digits as tell the two apart: "18 %"
    std::string allowedText;          ///< what would hold: "1.974 ms to 1.976 ms"
    std::string failure;              ///< why there is no number; empty where there is one
    bool simulates = true;            ///< false: of a footprint, for which nothing is simulated
    bool holds = false;
};

/// "step 3 says 41 % (gained), simulation gives 18 %; allowed: 40 % to 42 %"; of a footprint, what the division gives. Steps are
/// counted from 1 for people.
std::string describe(const LessonVerdict& verdict);

struct LessonCheckOptions {
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, rising, on the calling thread
};

/// Checks the claims of one lesson by simulation. Each experiment is run once, also when steps are checked one by one; claims of
/// footprints are computed and run nothing.
/// Not for two threads at a time.
class LessonChecker {
public:
    using Run = std::function<engine::RunResult(const ExperimentDraft&, const engine::RunOptions&)>;

    /// Runs go through the laboratory, and are not kept.
    explicit LessonChecker(Lesson lesson);
    LessonChecker(Lesson lesson, Run run);

    /// Every claim, in the order of the document. Throws engine::RunStopped.
    std::vector<LessonVerdict> all(const LessonCheckOptions& options = {});
    /// Those that the step states, and those of steps before that its texts or its question say. Throws
    /// engine::RunStopped.
    std::vector<LessonVerdict> step(std::size_t step, const LessonCheckOptions& options = {});

    const Lesson& lesson() const { return m_lesson; }
    /// Of all runs so far.
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

    std::vector<LessonVerdict> check(const std::vector<Place>& places, const LessonCheckOptions& options);
    void runFor(const std::vector<Place>& places, const LessonCheckOptions& options);
    Answer answerTo(const LessonClaim& claim) const;
    static Answer answerOfFootprint(const LessonClaim& claim);
    Answer answerOfTwo(const LessonClaim& claim) const;

    Lesson m_lesson;
    Run m_run;
    std::shared_ptr<engine::BaselineCache> m_baselines;
    std::map<Settings, engine::RunOutcome> m_outcomes;
    BrokenInvariants m_broken;
};

/// A number that a text says although no claim backs it.
struct LooseNumber {
    std::size_t step = 0;  ///< from 0
    std::string path;      ///< "steps[2].reveal"
    std::string text;      ///< "41 %"
};

/// Numbers in a lesson's texts that are no claims, in order. What is a name or a formula is none: digits behind letters
/// (T3, FC-2), a number after GPU, TP, step or lesson, and arithmetic with one capital letter (2N, N − 1).
std::vector<LooseNumber> looseNumbers(const Lesson& lesson);

}  // namespace data
