#include "data/page/lesson_runs.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/laboratory/work_progress.h"
#include "engine/api/baselines.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>

namespace data {
namespace {

constexpr std::string_view kDrawnViews[] = {"", "explore", "timeline", "compare"},
                           kViewsWithoutRun[] = {"model", "measured"};

class Planner {
public:
    LessonRunPlan plan(const Lesson& lesson) {
        std::optional<std::size_t> pinned;
        for (const LessonStep& step : lesson.steps) {
            LessonRunPlan::OfStep of;
            of.pinned = pinned;
            if (pagePictureOf(step) != PagePicture::none)
                addRunsOf(step, of);
            if (step.pins)
                pinned = *step.pins && !of.shown.empty() ? std::optional(of.shown.front()) : std::nullopt;
            m_plan.steps.push_back(std::move(of));
        }
        return std::move(m_plan);
    }

private:
    void addRunsOf(const LessonStep& step, LessonRunPlan::OfStep& of) {
        const bool compares = step.scene.view == "compare" && !step.compare.empty();
        if (compares) {
            for (const std::string& policy : step.compare)
                of.shown.push_back(indexOf(with(step.draft, "policy=" + policy)));
        } else {
            of.shown.push_back(indexOf(step.draft));
        }
        if (step.attempt && !step.attempt->value.empty())
            of.tried = indexOf(with(step.draft, step.attempt->parameter + "=" + step.attempt->value));
    }

    static ExperimentDraft with(ExperimentDraft draft, const std::string& setting) {
        engine::Problems problems;
        applySetting(setting, draft, problems);
        refuseAny(std::move(problems));
        return draft;
    }

    std::size_t indexOf(const ExperimentDraft& draft) {
        const auto found = std::ranges::find(m_plan.drafts, draft.explicitValues, &ExperimentDraft::explicitValues);
        if (found != m_plan.drafts.end())
            return static_cast<std::size_t>(found - m_plan.drafts.begin());
        m_plan.drafts.push_back(draft);
        return m_plan.drafts.size() - 1;
    }

    LessonRunPlan m_plan;
};

/// Returns the number of experiments that claims need besides those of the plan.
std::size_t otherExperiments(const Lesson& lesson, const LessonRunPlan& plan) {
    std::set<Settings> others;
    for (const LessonStep& step : lesson.steps) {
        for (const LessonClaim& claim : step.claims) {
            const Settings& settings = claim.draft.explicitValues;
            if (std::ranges::find(plan.drafts, settings, &ExperimentDraft::explicitValues) == plan.drafts.end())
                others.insert(settings);
        }
    }
    return others.size();
}

}  // namespace

PagePicture pagePictureOf(const LessonStep& step) {
    if (isAmong(kDrawnViews, step.scene.view))
        return PagePicture::drawn;
    return isAmong(kViewsWithoutRun, step.scene.view) ? PagePicture::none : PagePicture::timeline;
}

LessonRunPlan lessonRunPlan(const Lesson& lesson) { return Planner().plan(lesson); }

LessonRuns runLesson(const Lesson& lesson, const LessonCheckOptions& options) {
    LessonRuns all{lessonRunPlan(lesson), {}, {}, {}};
    Laboratory laboratory;
    const auto baselines = std::make_shared<engine::BaselineCache>();
    std::vector<engine::Experiment> experiments;
    for (const ExperimentDraft& draft : all.plan.drafts)
        experiments.push_back(expand(draft).experiment);
    std::vector<double> costs = costsOf(experiments, true);
    double sum = RunCosts::kEventsOfAnyRun;
    for (const double cost : costs)
        sum += cost;
    // The others are taken to cost as much as those of the plan do on average.
    const auto others = static_cast<double>(otherExperiments(lesson, all.plan));
    costs.push_back(sum / static_cast<double>(std::max<std::size_t>(1, experiments.size())) * others);
    WorkProgress progress(std::move(costs), options.progress);
    for (std::size_t i = 0; i < experiments.size(); ++i) {
        all.runs.push_back(laboratory.run(all.plan.drafts[i], {.recordTrace = true,
                                                               .attribution = canAttribute(experiments[i]),
                                                               .threads = options.threads,
                                                               .stop = options.stop,
                                                               .progress = progress.of(i),
                                                               .baselineCache = baselines}));
        progress.ended(i);
        all.broken.add(all.runs.back().experiment, all.runs.back().result.invariants);
    }
    LessonChecker checker(lesson, [&](const ExperimentDraft& draft, const engine::RunOptions& given) {
        const auto known = std::ranges::find(all.plan.drafts, draft.explicitValues, &ExperimentDraft::explicitValues);
        return known != all.plan.drafts.end()
                   ? all.runs[static_cast<std::size_t>(known - all.plan.drafts.begin())].result
                   : laboratory.run(draft, given).result;
    });
    LessonCheckOptions check = options;
    check.progress = progress.of(experiments.size());
    for (LessonVerdict& verdict : checker.all(check)) {
        if (!verdict.holds)
            all.failures.push_back(std::move(verdict));
    }
    progress.ended(experiments.size());
    all.broken.add(checker.broken());
    return all;
}

}  // namespace data
