#include "data/questions/carrier_crossover.h"

#include "data/questions/pair.h"
#include "data/results/metrics.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cstdint>

namespace data {
namespace {

constexpr std::int64_t kSmallest = 64 * 1024;
constexpr std::int64_t kLargest = 64 * 1024 * 1024;
constexpr double kTolerance = 0.05;  // sizes that are 5 % apart need not be told apart

}  // namespace

std::optional<BreakEvenQuestion> carrierQuestion(const ExperimentDraft& draft) {
    const engine::Experiment experiment = expandValues(draft).experiment;
    if (!canBeCopied(experiment))
        return std::nullopt;
    BreakEvenQuestion question;
    for (DispatchRow& row : dispatchRows(draft))
        if (row.rule == engine::DispatchRule::companionFirst)
            question.draft = std::move(row.draft);
    question.parameter = "companion.bytes";
    question.from = kSmallest;
    question.to = std::max(kLargest, experiment.companion.bytes.count);
    question.metric = "companion.time_ps";
    question.target = 1;
    question.against = "companion.by=dma";
    question.tolerance = kTolerance;
    return question;
}

std::string carrierSentence(const BreakEvenQuestion& question, const BreakEven& answer) {
    const engine::Parameter& bytes = *engine::findParameter(question.parameter);
    const Metric& time = *findMetric(question.metric);
    const auto at = [&](std::size_t index) {
        const BreakEvenStep& step = answer.steps[index];
        return engine::formatValue(bytes, step.value) + " (" + formatApart(time, step.number, step.target) +
               ", copies " + formatApart(time, step.target, step.number) + ")";
    };
    const std::string kernel = "A kernel takes no longer than copies ";
    if (!answer.crossings.empty())
        return kernel + stretchesText(answer, at) + ".";
    return kernel + (answer.holdsEverywhere() ? "at all " : "at none of the ") + std::to_string(answeredSteps(answer)) +
           " sizes that were tried, from " + at(0) + " to " + at(answer.steps.size() - 1) + ".";
}

}  // namespace data
