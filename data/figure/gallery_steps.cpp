#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/figure/step_figures.h"
#include "data/laboratory/laboratory.h"
#include "data/model/model_step.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

// Figures of a divided training step: its timetable under several schedules of the pipeline, its parts over the
// bandwidth of a link, and its exposed messages over replicas and stages.

namespace data {
namespace {

/// Adds an experiment, with the values that the figure sets or varies.
void addStep(const engine::Experiment& base, const std::string& variant, const Settings& settings,
             FigureProvenance& provenance) {
    Settings own = settings;
    for (const char* path : {"division.pp", "division.dp", "division.microbatches", "division.schedule",
                             "division.interleave", "link.bandwidth"})
        own.insert_or_assign(path, engine::findParameter(path)->read(base));
    provenance.experiments.push_back(provenanceOf(modelCaseName(base) + " " + variant, base, own));
}

std::string titleOfModel(const engine::Experiment& base) {
    return modelTitle(base.workload.model) + " at TP " + std::to_string(base.parallel.tp);
}

/// The parts of a step as a stage spends its time, bubble last.
struct StepPart {
    const char* name;
    const char* inText;
    const char* meaning;
    engine::Duration StepParts::*time;
};
constexpr std::array kStepParts{StepPart{"Compute", "compute", "gemm", &StepParts::compute},
                                StepPart{"Tensor messages", "tensor messages", "exposed", &StepParts::tensor},
                                StepPart{"Data messages", "data messages", "reduce-scatter", &StepParts::data},
                                StepPart{"Sends", "sends", "link", &StepParts::pipeline},
                                StepPart{"Bubble", "bubble", "empty-slots", &StepParts::bubble}};

/// The messages among them, of which the critical chain has a part too, and those whose part is small.
constexpr std::span<const StepPart> kMessageParts{&kStepParts[1], 3};
constexpr std::span<const StepPart> kSmallParts = kMessageParts.subspan(1);

/// Returns the mean of a part over the stages, in picoseconds.
double meanOf(const ModelStep& step, const StepPart& part) {
    double sum = 0;
    for (const StageStep& stage : step.stages)
        sum += static_cast<double>((stage.time.*part.time).ps);
    return sum / static_cast<double>(step.stages.size());
}

std::string bandwidthText(const ModelRun& run) {
    constexpr double kGiga = 1e9;
    return engine::shortestText(static_cast<double>(run.base.link.bandwidth.bytesPerSecond) / kGiga);
}

/// The steps of one policy, one for each run.
struct PolicySteps {
    std::string letter, title;  ///< "S", "sequential execution"
    std::vector<ModelStep> steps;
};

std::vector<PolicySteps> stepsByPolicy(const std::vector<ModelRun>& runs) {
    std::vector<PolicySteps> policies{{"S", "sequential execution", {}}, {"T", "T3-MCA", {}}};
    for (const ModelRun& run : runs)
        for (std::size_t policy = 0; policy < policies.size(); ++policy)
            policies[policy].steps.push_back(stepOf(run, run.policies[policy]));
    return policies;
}

/// Returns a part of a step in picoseconds.
using PartOf = double (*)(const ModelStep&, const StepPart&);

/// Returns a part of a step along its critical chain, in picoseconds.
double onChain(const ModelStep& step, const StepPart& part) { return static_cast<double>((step.time.*part.time).ps); }

/// Returns a panel with the parts of all steps, a stacked bar for each policy in each category. The caller sets
/// categories and titles.
FigurePanel partsPanel(const std::vector<PolicySteps>& policies, std::span<const StepPart> parts, PartOf partOf) {
    double highest = 0;
    BarMark mark;
    for (const PolicySteps& policy : policies) {
        FigureBar& bar = mark.bars.emplace_back(FigureBar{policy.letter, {}});
        for (const StepPart& part : parts)
            bar.stack.push_back({part.name, part.meaning, {}, {}, {}, 0});
        for (const ModelStep& step : policy.steps) {
            double height = 0;
            for (std::size_t i = 0; i < parts.size(); ++i)
                height += *bar.stack[i].values.emplace_back(partOf(step, parts[i]));
            highest = std::max(highest, height);
        }
    }
    const engine::UnitName unit = axisUnitOf({std::llround(highest)});
    for (FigureBar& bar : mark.bars)
        for (FigureSeries& series : bar.stack)
            for (std::optional<double>& value : series.values)
                *value /= static_cast<double>(unit.factor);
    FigurePanel panel;
    panel.y.unit = unit.text;
    panel.y.from = 0;
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

double shorterBy(const ModelStep& before, const ModelStep& after) {
    return 1 - static_cast<double>(after.total.ps) / static_cast<double>(before.total.ps);
}

/// Returns a sentence for each run: " 75 GB/s: sequential execution ...; T3-MCA ...."
template <typename NameOfRun, typename TextOfStep>
std::string sentencesOf(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies,
                        NameOfRun nameOfRun, TextOfStep textOfStep) {
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        text += " " + nameOfRun(runs[i]);
        const char* before = ": ";
        for (const PolicySteps& policy : policies)
            text += std::exchange(before, "; ") + policy.title + " " + textOfStep(policy.steps[i]);
        text += ".";
    }
    return text;
}

std::string partsAlternative(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies) {
    const auto nameOf = [](const ModelRun& run) { return bandwidthText(run) + " GB/s"; };
    const auto textOf = [](const ModelStep& step) {
        std::string text = timeText(step.total, axisUnitOf(step.total));
        const char* before = " with ";
        for (const StepPart& part : kStepParts)
            text += std::exchange(before, ", ") + std::string(part.inText) + " " +
                    percentText(meanOf(step, part) / static_cast<double>(step.total.ps));
        return text;
    };
    return "Two stacked bars for each bandwidth of a link, with the parts of a step." +
           sentencesOf(runs, policies, nameOf, textOf);
}

/// Returns "64 replicas and 8 stages".
std::string divisionText(const ModelRun& run) {
    const auto counted = [](std::int64_t count, const std::string& one) {
        return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
    };
    return counted(run.base.division.dp, "replica") + " and " + counted(run.base.division.pp, "stage");
}

/// Returns one label for each run, its replicas, in groups of equal numbers of stages.
FigureCategories divisionsOf(const std::vector<ModelRun>& runs) {
    FigureCategories categories;
    std::int64_t stages = 0;
    for (const ModelRun& run : runs) {
        categories.labels.push_back(std::to_string(run.base.division.dp));
        if (std::exchange(stages, run.base.division.pp) != run.base.division.pp)
            categories.groups.push_back({"p = " + std::to_string(run.base.division.pp), 0});
        ++categories.groups.back().count;
    }
    return categories;
}

bool haveAny(const std::vector<PolicySteps>& policies, std::span<const StepPart> parts) {
    return std::ranges::any_of(policies, [&](const PolicySteps& policy) {
        return std::ranges::any_of(policy.steps, [&](const ModelStep& step) {
            return std::ranges::any_of(parts, [&](const StepPart& part) { return onChain(step, part) > 0; });
        });
    });
}

void addExposed(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies, const char* title,
                std::span<const StepPart> parts, FigureSpec& figure) {
    FigurePanel& panel = figure.panels.emplace_back(partsPanel(policies, parts, onChain));
    panel.title = title;
    panel.categories = divisionsOf(runs);
    panel.x.title = "Number of replicas (d) by number of stages (p)";
    panel.y.title = "Exposed";
}

std::string exposedShare(const ModelStep& step) {
    double exposed = 0;
    for (const StepPart& part : kMessageParts)
        exposed += onChain(step, part);
    return percentText(exposed / static_cast<double>(step.total.ps));
}

/// Returns "8 micro-batches for each stage", or "16 micro-batches" if steps of several stages have the same number.
std::string microbatchesText(const std::vector<ModelRun>& runs) {
    const engine::DivisionConfig &least = runs.front().base.division, &most = runs.back().base.division;
    const bool forEach = least.microbatches * most.pp == most.microbatches * least.pp;
    const std::int64_t count = forEach ? most.microbatches / most.pp : most.microbatches;
    return std::to_string(count) + " micro-batch" + (count == 1 ? "" : "es") + (forEach ? " for each stage" : "");
}

std::string exposedCaption(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies) {
    const auto sharesAt = [&](std::size_t i) {
        return exposedShare(policies[0].steps[i]) + " of the step under S and " + exposedShare(policies[1].steps[i]) +
               " under T with " + divisionText(runs[i]);
    };
    std::string text = "Messages for which a training step of " + titleOfModel(runs.front().base) +
                       " waits under sequential execution (S) and T3-MCA (T), over replicas (d) and stages (p), with " +
                       microbatchesText(runs) +
                       " under 1F1B. Parts follow the critical chain of the step; hidden messages are left out. "
                       "Exposed messages are " +
                       sharesAt(0);
    if (runs.size() > 1)
        text += ", and " + sharesAt(runs.size() - 1);
    return text + ".";
}

std::string exposedAlternative(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies) {
    const auto textOf = [](const ModelStep& step) {
        std::string text;
        for (const StepPart& part : kMessageParts) {
            const engine::Duration time = step.time.*part.time;
            if (time.ps > 0)
                text += (text.empty() ? "" : ", ") + std::string(part.inText) + " " + timeText(time, axisUnitOf(time));
        }
        return text.empty() ? "no messages" : text;
    };
    return "Two stacked bars for each number of replicas and stages, with the exposed messages of a step." +
           sentencesOf(runs, policies, divisionText, textOf);
}

}  // namespace

FigureSpec pipelineSchedulesFigure(GalleryRuns& runs) {
    const std::vector<ModelRun>& timed = runs.schedules();
    std::vector<ModelStep> steps;
    std::vector<const ModelStep*> shown;
    steps.reserve(timed.size());
    shown.reserve(timed.size());
    for (const ModelRun& run : timed)
        shown.push_back(&steps.emplace_back(stepOf(run, run.sequential)));
    FigureSpec figure = stepFigure(shown);
    const engine::Experiment& base = timed.front().base;
    figure.caption = "Training step of " + titleOfModel(base) + " under sequential execution. " + figure.caption;
    figure.size = FigureSize::acmText;  // a column has no room for the numbers of forward passes
    for (std::size_t i = 0; i < timed.size(); ++i)
        addStep(timed[i].base, scheduleTitle(steps[i].shape), runs.settings(), figure.provenance);
    return figure;
}

FigureSpec stepTimeFigure(GalleryRuns& runs) {
    const std::vector<ModelRun>& timed = runs.stepsByBandwidth();
    const std::vector<PolicySteps> policies = stepsByPolicy(timed);
    FigureSpec figure;
    FigurePanel& panel = figure.panels.emplace_back(partsPanel(policies, kStepParts, meanOf));
    panel.x.title = "Bandwidth of a link";
    panel.x.unit = "GB/s";
    panel.y.title = "Time of a step";
    for (const ModelRun& run : timed)
        panel.categories.labels.push_back(bandwidthText(run));
    const engine::Experiment& base = timed.front().base;
    const engine::PipelineShape& shape = policies.front().steps.front().shape;
    const auto gainAt = [&](std::size_t i) {
        return percentText(shorterBy(policies[0].steps[i], policies[1].steps[i])) + " at " + bandwidthText(timed[i]) +
               " GB/s";
    };
    figure.caption = "Where the time of a training step of " + titleOfModel(base) +
                     " goes under sequential execution (S) and T3-MCA (T), " + "with " + std::to_string(shape.stages) +
                     " stages (" + scheduleTitle(shape) + "), " + std::to_string(base.division.dp) + " replicas and " +
                     std::to_string(shape.microbatches) +
                     " micro-batches. Each part is a mean over the stages: a stage computes, waits for messages, or is "
                     "in the bubble, where it waits for other stages. T3-MCA shortens the step by " +
                     gainAt(0) + " and by " + gainAt(timed.size() - 1) + ".";
    figure.alternative = partsAlternative(timed, policies);
    for (const ModelRun& run : timed)
        addStep(run.base, bandwidthText(run) + " GB/s", runs.settings(), figure.provenance);
    return figure;
}

FigureSpec stepExposedFigure(GalleryRuns& runs) {
    const std::vector<ModelRun>& timed = runs.stepsByDivision();
    const std::vector<PolicySteps> policies = stepsByPolicy(timed);
    FigureSpec figure;
    figure.columns = 1;
    addExposed(timed, policies, "All messages", kMessageParts, figure);
    if (haveAny(policies, kSmallParts))
        addExposed(timed, policies, "Without tensor messages", kSmallParts, figure);
    figure.caption = exposedCaption(timed, policies);
    figure.alternative = exposedAlternative(timed, policies);
    for (const ModelRun& run : timed)
        addStep(run.base, divisionText(run), runs.settings(), figure.provenance);
    return figure;
}

}  // namespace data
