#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/laboratory/laboratory.h"
#include "data/lessons/lesson.h"
#include "data/lessons/lesson_check.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace data {

/// The runs that a page shows in a lesson's steps.
struct LessonRunPlan {
    struct OfStep {
        std::vector<std::size_t> shown;     ///< several: a comparison; none: the step shows no run
        std::optional<std::size_t> tried;   ///< after the step's task, if it names a value
        std::optional<std::size_t> pinned;  ///< that an earlier step has pinned
        bool operator==(const OfStep&) const = default;
    };
    std::vector<ExperimentDraft> drafts;  ///< each experiment once, in the order of the steps
    std::vector<OfStep> steps;            ///< indices in `drafts`
};

LessonRunPlan lessonRunPlan(const Lesson& lesson);

/// What a page has of a view of the window.
enum class PagePicture {
    drawn,     ///< the timelines, which the player draws
    timeline,  ///< another picture of a run: a page has its timeline
    none       ///< a whole model or a measured trace, which has no run
};
PagePicture pagePictureOf(const LessonStep& step);

/// A lesson's runs with traces and critical paths, and what they say about its claims.
struct LessonRuns {
    LessonRunPlan plan;
    std::vector<LaboratoryRun> runs;      ///< of `plan.drafts`
    std::vector<LessonVerdict> failures;  ///< the claims that do not hold
    BrokenInvariants broken;
};

/// Runs and checks a lesson; each experiment runs once. Throws engine::RunStopped, engine::InvalidExperiment and
/// engine::Deadlock.
LessonRuns runLesson(const Lesson& lesson, const LessonCheckOptions& options);

}  // namespace data
