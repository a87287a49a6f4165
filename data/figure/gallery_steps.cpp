#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/figure/step_figures.h"
#include "data/laboratory/laboratory.h"
#include "data/model/model_step.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <utility>

// Figures of a divided training step: its timetable under several schedules of the pipeline, and its parts over the
// bandwidth of a link.

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

/// The steps of one policy over the bandwidth.
struct PolicySteps {
    std::string letter, title;  ///< "S", "sequential execution"
    std::vector<ModelStep> steps;
};

FigurePanel partsPanel(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies) {
    engine::Duration longest;
    for (const PolicySteps& policy : policies)
        for (const ModelStep& step : policy.steps)
            longest = std::max(longest, step.total);
    const engine::UnitName unit = axisUnitOf(longest);
    FigurePanel panel;
    panel.x.title = "Bandwidth of a link";
    panel.x.unit = "GB/s";
    panel.y.title = "Time of a step";
    panel.y.unit = unit.text;
    panel.y.from = 0;
    for (const ModelRun& run : runs)
        panel.categories.labels.push_back(bandwidthText(run));
    BarMark mark;
    for (const PolicySteps& policy : policies) {
        FigureBar& bar = mark.bars.emplace_back(FigureBar{policy.letter, {}});
        for (const StepPart& part : kStepParts) {
            FigureSeries series{part.name, part.meaning, {}, {}, {}, 0};
            for (const ModelStep& step : policy.steps)
                series.values.emplace_back(meanOf(step, part) / static_cast<double>(unit.factor));
            bar.stack.push_back(std::move(series));
        }
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

double shorterBy(const ModelStep& before, const ModelStep& after) {
    return 1 - static_cast<double>(after.total.ps) / static_cast<double>(before.total.ps);
}

std::string partsAlternative(const std::vector<ModelRun>& runs, const std::vector<PolicySteps>& policies) {
    std::string text = "Two stacked bars for each bandwidth of a link, with the parts of a step.";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        text += " " + bandwidthText(runs[i]) + " GB/s:";
        for (const PolicySteps& policy : policies) {
            const ModelStep& step = policy.steps[i];
            text += std::string(&policy == &policies.front() ? " " : "; ") + policy.title + " " +
                    timeText(step.total, axisUnitOf(step.total)) + " with";
            for (const StepPart& part : kStepParts)
                text += std::string(part.time == &StepParts::compute ? " " : ", ") + part.inText + " " +
                        percentText(meanOf(step, part) / static_cast<double>(step.total.ps));
        }
        text += ".";
    }
    return text;
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
    std::vector<PolicySteps> policies{{"S", "sequential execution", {}}, {"T", "T3-MCA", {}}};
    for (const ModelRun& run : timed)
        for (std::size_t policy = 0; policy < policies.size(); ++policy)
            policies[policy].steps.push_back(stepOf(run, run.policies[policy]));
    FigureSpec figure;
    figure.panels.push_back(partsPanel(timed, policies));
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

}  // namespace data
