#include "app/ringside_cli_report.h"
#include "app/ringside_cli_table.h"
#include "data/model/model_step.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

using data::ModelStep;
using data::StepParts;
using engine::Duration;

struct PartOfStep {
    const char* key;
    Duration StepParts::*time;
};
constexpr std::array kPartsOfStep{PartOfStep{"compute", &StepParts::compute}, PartOfStep{"tensor", &StepParts::tensor},
                                  PartOfStep{"data", &StepParts::data}, PartOfStep{"pipeline", &StepParts::pipeline}};

Json partsJson(const StepParts& parts) {
    Json json = Json::object();
    for (const PartOfStep& part : kPartsOfStep)
        json[part.key] = (parts.*part.time).ps;
    return json;
}

Json stageJson(const data::StageStep& stage) {
    Json parts = partsJson(stage.time);
    parts["bubble"] = stage.time.bubble.ps;
    return {{"layers", stage.footprint.layers},
            {"ps", std::move(parts)},
            {"in_flight", stage.footprint.inFlight},
            {"peak_bytes", stage.footprint.bytes.total().count}};
}

engine::Bytes largestStage(const ModelStep& step) {
    engine::Bytes most;
    for (const data::StageStep& stage : step.stages)
        most = std::max(most, stage.footprint.bytes.total());
    return most;
}

}  // namespace

Json stepJson(const ModelStep& step) {
    Json parts{{"total", step.total.ps}};
    parts.update(partsJson(step.time));
    Json json{
        {"ps", std::move(parts)}, {"bubble_share", step.bubbleShare}, {"bubble_over_ideal", step.bubbleOverIdeal}};
    if (step.isDelayed()) {
        json["mini_batch_ps"] = step.total.ps;
        json["staleness"] = step.staleness;
    }
    json["passes"] = step.plan.passes.size();
    json["pairs"] = {{"simulated", step.simulatedPairs}, {"without_rate", step.pairsWithoutRate}};
    json["stages"] = jsonList(step.stages, stageJson);
    return json;
}

std::string divisionOfStepText(const engine::Experiment& base) {
    const engine::DivisionConfig& division = base.division;
    const auto counted = [](std::int64_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    std::string text = counted(division.pp, "stage") + ", " + counted(division.dp, "replica") + ", " +
                       std::to_string(division.microbatches) +
                       (division.microbatches == 1 ? " micro-batch" : " micro-batches");
    const auto word = [&](const char* path) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        return engine::formatValue(parameter, parameter.read(base));
    };
    if (division.pp > 1)
        text += ", schedule " + word("division.schedule");
    if (division.interleave > 1)
        text += " with " + counted(division.interleave, "chunk") + " a stage";
    if (base.step != engine::StepConfig{})
        text += ", look-ahead " + word("step.lookahead");
    return text;
}

void writeStep(const data::ModelRun& run, const std::vector<ModelStep>& steps, std::ostream& out) {
    Duration longest{};
    for (const ModelStep& step : steps)
        longest = std::max(longest, step.total);
    const TimeScale scale = TimeScale::forLongest(longest);
    const std::string unit(scale.unit);
    const bool isDelayed = steps.front().isDelayed();
    Table table({{"policy", Align::left}, {isDelayed ? "mini-batch" : "total", Align::right, unit}});
    for (const PartOfStep& part : kPartsOfStep)
        table.addColumn(part.key, Align::right, unit);
    table.addColumn("bubble", Align::right, "%");
    table.addColumn("footprint", Align::right, "GB");
    constexpr double kPercent = 100, kGiga = 1e9;
    for (const ModelStep& step : steps) {
        std::vector<std::string> cells{std::string(engine::name(step.policy)), scale.text(step.total)};
        for (const PartOfStep& part : kPartsOfStep)
            cells.push_back(scale.text(step.time.*part.time));
        cells.push_back(fixedText(kPercent * step.bubbleShare, 1));
        cells.push_back(fixedText(static_cast<double>(largestStage(step).count) / kGiga, 2));
        table.addRow(std::move(cells));
    }
    out << divisionOfStepText(run.base) << ":\n\n";
    table.write(out);
    out << (isDelayed
                ? "\nThe parts are means over the stages and the measured mini-batches; the rest is bubble.\n"
                : "\nThe parts follow the critical chain and add up to the total. The bubble is the mean share of "
                  "the step in which a\nstage waits for another stage.\n");
}

void writeStepCsv(const data::ModelRun& run, const std::vector<ModelStep>& steps, std::ostream& out) {
    out << "model,phase,tp,machine,policy,total_ps";
    for (const PartOfStep& part : kPartsOfStep)
        out << "," << part.key << "_ps";
    out << ",bubble_share,bubble_over_ideal,footprint_bytes\n";
    for (const ModelStep& step : steps) {
        std::vector<std::string> cells = csvCellsOf(run, step.policy);
        cells.push_back(std::to_string(step.total.ps));
        for (const PartOfStep& part : kPartsOfStep)
            cells.push_back(std::to_string((step.time.*part.time).ps));
        for (const double share : {step.bubbleShare, step.bubbleOverIdeal})
            cells.push_back(engine::shortestText(share));
        cells.push_back(std::to_string(largestStage(step).count));
        out << csvLine(cells);
    }
}

}  // namespace cli
