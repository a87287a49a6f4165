#include "app/ringside_cli_report.h"

#include "app/ringside_cli_table.h"
#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/laboratory/laboratory.h"
#include "data/model/collective_choice.h"
#include "data/results/result_json.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

namespace cli {
namespace {

using data::ModelRun;
using data::ModelSurvey;
using data::ModelTime;
using data::noticesJson;
using data::PolicyModelTime;
using engine::Duration;
using engine::Operator;

std::string nameOf(engine::PolicyPreset policy) { return std::string(engine::name(policy)); }

/// Returns milliseconds with all digits down to the picosecond.
std::string exactText(Duration time) {
    constexpr std::int64_t kMillisecond = 1'000'000'000;
    constexpr std::size_t kDigits = 9;
    std::string rest = std::to_string(time.ps % kMillisecond);
    rest.insert(0, kDigits - rest.size(), '0');
    return std::to_string(time.ps / kMillisecond) + "." + rest;
}

std::string sizeText(const engine::GemmSize& size) {
    return std::to_string(size.m) + " x " + std::to_string(size.n) + " x " + std::to_string(size.k);
}

Json timeJson(const ModelTime& time) {
    Json json{{"total", time.total().ps}};
    for (const data::ModelPart& part : data::kModelParts)
        json[part.key] = (time.*part.time).ps;
    return json;
}

Json policyJson(const PolicyModelTime& policy) {
    return {{"policy", nameOf(policy.policy)},
            {"time_ps", timeJson(policy.time)},
            {"exposed_ps", policy.time.exposed().ps},
            {"communication_share", policy.communicationShare},
            {"speedup_over_sequential", policy.speedupOverSequential},
            {"sublayer_speedup_geomean", policy.sublayerGeomean}};
}

/// Returns one number of an operator under every policy.
template <typename Value>
Json byPolicy(const ModelRun& run, std::size_t index, Value value) {
    Json json = Json::object();
    for (const PolicyModelTime& policy : run.policies)
        json[nameOf(policy.policy)] = value(policy.operators[index]).ps;
    return json;
}

Json operatorJson(const ModelRun& run, std::size_t index) {
    const Operator& op = run.graph.operators[index];
    Json json{{"id", op.id},
              {"title", op.title},
              {"kind", engine::name(op.kind)},
              {"class", engine::name(op.operatorClass)},
              {"pass", engine::name(op.pass)},
              {"in_layer", op.inLayer},
              {"count", op.count}};
    if (op.gemm)
        json["gemm"] = {{"m", op.gemm->m}, {"n", op.gemm->n}, {"k", op.gemm->k}, {"times", op.gemms}};
    if (op.gemm && !run.projection)
        json["gemm"]["parts_of_k"] = run.partsOfK[index];
    if (op.workload)
        json["sublayer"] = engine::name(op.workload->sublayer);
    if (op.feeder)
        json["fed_by"] = run.graph.operators[*op.feeder].id;
    if (!op.division.empty())
        json["in"] = op.division;
    if (const std::string line = data::tableLineOf(run.base, run.graph, op); !line.empty())
        json["table_line"] = line;
    json["flops"] = op.flops;
    json["bytes"] = op.bytes.count;
    json["weights"] = op.weights;
    json["formula"] = op.formula;
    json["source"] = op.source;
    json["time_ps"] = byPolicy(run, index, [](const data::OperatorTime& time) { return time.time.total(); });
    json["exposed_ps"] = byPolicy(run, index, [](const data::OperatorTime& time) { return time.time.exposed(); });
    json["whole_ps"] = byPolicy(run, index, [](const data::OperatorTime& time) { return time.whole; });
    return json;
}

Json graphJson(const ModelRun& run) {
    const auto symbolJson = [](const engine::OperatorSymbol& symbol) {
        return Json{{"symbol", symbol.symbol}, {"value", symbol.value}, {"meaning", symbol.meaning}};
    };
    const auto edgeJson = [&](const engine::OperatorDependency& edge) {
        return Json{{"from", run.graph.operators[edge.from].id},
                    {"to", run.graph.operators[edge.to].id},
                    {"saved", edge.saved}};
    };
    return {{"symbols", jsonList(run.graph.symbols, symbolJson)}, {"edges", jsonList(run.graph.edges, edgeJson)}};
}

Json policiesJson(const ModelRun& run) {
    Json policies = jsonList(run.policies, policyJson);
    for (std::size_t i = 0; i < run.policies.size(); ++i)
        policies[i]["step"] = stepJson(data::stepOf(run, run.policies[i]));
    return policies;
}

Json runJson(const ModelRun& run, int threads) {
    Json operators = Json::array();
    for (std::size_t i = 0; i < run.graph.operators.size(); ++i)
        operators.push_back(operatorJson(run, i));
    Json json{{"engine_version", engine::engineVersion()},
              {"model", run.base.workload.model},
              {"phase", engine::name(run.graph.phase)},
              {"tp", run.graph.gpus},
              {"layers", run.graph.layers},
              {"machine", run.base.machine},
              {"detail", engine::name(run.base.detail.level)},
              {"policies", policiesJson(run)},
              {"operators", std::move(operators)},
              {"classes", classesJson(run)}};
    json.update(graphJson(run));
    json["flops"] = run.graph.flopsOfModel();
    json["weights"] = run.graph.weightsOfModel();
    if (run.projection)
        json["projected"] = {{"from", run.projection->from}, {"saved_events", run.projection->savedEvents}};
    json["simulated"] = {{"sublayers", run.simulatedRuns}, {"gemms", run.simulatedGemms}, {"for", run.operatorsTimed}};
    json["notices"] = noticesJson(run.notices);
    json["wall_ns"] = run.wallNs;
    json["threads"] = threads;
    return json;
}

void writeCsvHeading(std::ostream& out) {
    std::vector<std::string> names{"model", "phase", "tp", "machine", "policy", "total_ps"};
    for (const data::ModelPart& part : data::kModelParts)
        names.push_back(std::string(part.key) + "_ps");
    names.insert(names.end(),
                 {"exposed_ps", "communication_share", "speedup_over_sequential", "sublayer_speedup_geomean"});
    out << csvLine(names);
}

void writeCsvLines(const ModelRun& run, std::ostream& out) {
    constexpr int kDecimals = 9;
    for (const PolicyModelTime& policy : run.policies) {
        std::vector<std::string> cells = csvCellsOf(run, policy.policy);
        cells.push_back(std::to_string(policy.time.total().ps));
        for (const data::ModelPart& part : data::kModelParts)
            cells.push_back(std::to_string((policy.time.*part.time).ps));
        cells.push_back(std::to_string(policy.time.exposed().ps));
        for (const double ratio : {policy.communicationShare, policy.speedupOverSequential, policy.sublayerGeomean})
            cells.push_back(fixedText(ratio, kDecimals));
        out << csvLine(cells);
    }
}

/// Returns "a training step of 8192 tokens", "a prompt of 8192 tokens", "one token for each of 8 sequences".
std::string workText(const ModelRun& run) {
    const engine::WorkloadConfig& workload = run.base.workload;
    const std::string tokens = run.graph.network ? std::to_string(workload.batch) + " samples"
                                                 : std::to_string(workload.batch * workload.sequence) + " tokens";
    switch (run.graph.phase) {
    case engine::ModelPhase::training: return "a training step of " + tokens;
    case engine::ModelPhase::prompt: return "a prompt of " + tokens;
    case engine::ModelPhase::generation: break;
    }
    return "one token for each of " + std::to_string(workload.batch) + " sequences of " +
           std::to_string(workload.sequence);
}

std::string flopsText(double flops) {
    return flops < 1e12 ? fixedText(flops / 1e9, 1) + " Gflop" : fixedText(flops / 1e12, 1) + " Tflop";
}

/// Returns "96 layers" or, of a network, "a network of 33 operators".
std::string sizeText(const engine::OperatorGraph& graph) {
    return graph.network ? "a network of " + std::to_string(graph.operators.size()) + " operators"
                         : std::to_string(graph.layers) + " layers";
}

void writeHead(const ModelRun& run, std::ostream& out) {
    // Of a divided model these are one micro-batch and the layers of all stages.
    out << run.base.workload.model << ", " << (data::isStep(run.base) ? "one micro-batch of " : "") << workText(run)
        << " on " << run.graph.gpus << (run.graph.gpus == 1 ? " GPU: " : " GPUs: ") << sizeText(run.graph) << ", "
        << bytesText({engine::elementBytes(run.base) * run.graph.weightsOfModel()}) << " of weights and "
        << flopsText(run.graph.flopsOfModel()) << " on each GPU\nmachine " << run.base.machine << ", "
        << engine::name(run.base.detail.level) << " detail; "
        << (run.projection ? "projected from " + run.projection->from + ": " : std::string()) << run.simulatedRuns
        << " sub-layers and " << run.simulatedGemms << " GEMMs simulated for " << run.operatorsTimed
        << " operators under all policies\n\n";
}

/// Prints the parts of the time with one column for each policy; the parts add up exactly.
void writeParts(const ModelRun& run, std::ostream& out) {
    Table table({{"", Align::left}});
    for (const PolicyModelTime& policy : run.policies)
        table.addColumn(nameOf(policy.policy), Align::right, "ms");
    const auto addRow = [&](const std::string& heading, auto text) {
        std::vector<std::string> cells{heading};
        for (const PolicyModelTime& policy : run.policies)
            cells.push_back(text(policy));
        table.addRow(std::move(cells));
    };
    for (const data::ModelPart& part : data::kModelParts) {
        const auto isZero = [&](const PolicyModelTime& policy) { return (policy.time.*part.time).ps == 0; };
        if (part.time == &ModelTime::allToAll && std::all_of(run.policies.begin(), run.policies.end(), isZero))
            continue;
        addRow(part.title, [&](const PolicyModelTime& policy) { return exactText(policy.time.*part.time); });
    }
    addRow("sum of the parts = total", [](const PolicyModelTime& policy) { return exactText(policy.time.total()); });
    addRow("exposed communication", [](const PolicyModelTime& policy) { return exactText(policy.time.exposed()); });
    addRow("share of the total", [](const PolicyModelTime& policy) { return fixedText(policy.communicationShare, 4); });
    addRow("speed-up over sequential",
           [](const PolicyModelTime& policy) { return fixedText(policy.speedupOverSequential, 4); });
    if (!run.graph.network)
        addRow("of its sub-layers, geomean",
               [](const PolicyModelTime& policy) { return fixedText(policy.sublayerGeomean, 4); });
    table.write(out);
}

void writeOperators(const ModelRun& run, std::ostream& out) {
    Duration longest{};
    for (const PolicyModelTime& policy : run.policies) {
        for (const data::OperatorTime& time : policy.operators)
            longest = std::max(longest, time.time.total());
    }
    const TimeScale scale = TimeScale::forLongest(longest);
    Table table({{"operator", Align::left}, {"times"}, {"m x n x k, or bytes"}});
    if (run.graph.network)
        table.addColumn("in", Align::left);
    for (const PolicyModelTime& policy : run.policies)
        table.addColumn(nameOf(policy.policy), Align::right, std::string(scale.unit));
    const bool hasTable = run.base.collective.table != engine::CollectiveConfig{}.table;
    if (hasTable)
        table.addColumn("line of the table", Align::left);
    for (std::size_t i = 0; i < run.graph.operators.size(); ++i) {
        const Operator& op = run.graph.operators[i];
        std::string size = op.gemm ? sizeText(*op.gemm) : bytesText(op.bytes);
        if (op.gemms > 1)
            size = std::to_string(op.gemms) + " of " + size;
        std::vector<std::string> cells{op.id, std::to_string(op.count), size};
        if (run.graph.network)
            cells.push_back(op.division);
        for (const PolicyModelTime& policy : run.policies)
            cells.push_back(scale.text(policy.operators[i].time.total()));
        if (hasTable)
            cells.push_back(data::tableLineOf(run.base, run.graph, op));
        table.addRow(std::move(cells));
    }
    table.write(out);
}

std::vector<data::ModelStep> stepsOf(const ModelRun& run) {
    std::vector<data::ModelStep> steps;
    for (const PolicyModelTime& policy : run.policies)
        steps.push_back(data::stepOf(run, policy));
    return steps;
}

void writeTable(const ModelRun& run, const ModelTable& table, std::ostream& out) {
    switch (table) {
    case ModelTable::step: writeStep(run, stepsOf(run), out); break;
    case ModelTable::parts:
        writeParts(run, out);
        out << "\nA GEMM and the collective that it feeds are simulated together. The GEMM counts until it ends; "
               "reduce-scatter\nand all-gather count only after that. Communication hidden behind the GEMM is not part "
               "of the breakdown.\n";
        break;
    case ModelTable::operators:
        out << "One occurrence of each operator:\n\n";
        writeOperators(run, out);
        break;
    case ModelTable::classes:
        out << "All occurrences of each class of operators:\n\n";
        writeClasses(run, out);
        out << "\nBytes are DRAM traffic: a GEMM moves both inputs and the output once, a collective moves its "
               "buffers. The time\nof a collective is its exposed time.\n";
        break;
    }
}

void writeTables(const ModelRun& run, const std::vector<ModelTable>& tables, std::ostream& out) {
    writeHead(run, out);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        out << (i > 0 ? "\n" : "");
        writeTable(run, tables[i], out);
    }
    for (std::size_t i = 0; i < run.notices.size(); ++i)
        out << (i == 0 ? "\n" : "") << "notice  " << run.notices[i].path << ": " << run.notices[i].text << "\n";
}

Json surveyJson(const ModelSurvey& survey, int threads, bool operators) {
    const ModelRun& first = survey.runs.front();
    const auto modelJson = [&](const ModelRun& run) {
        Json model = runJson(run, threads);
        if (!operators)
            model.erase("operators");
        return model;
    };
    Json geomeans = Json::object(), maxima = Json::object();
    for (const ModelSurvey::Gain& gain : survey.gains) {
        geomeans[nameOf(gain.policy)] = gain.geomean;
        maxima[nameOf(gain.policy)] = gain.maximum;
    }
    return {{"engine_version", engine::engineVersion()},
            {"phase", engine::name(first.graph.phase)},
            {"machine", first.base.machine},
            {"detail", engine::name(first.base.detail.level)},
            {"models", jsonList(survey.runs, modelJson)},
            {"speedup_geomean", std::move(geomeans)},
            {"speedup_max", std::move(maxima)},
            {"notices", noticesJson(survey.notices)}};
}

/// Prints the gains of each model. The speed-up of the sequential policy over itself is 1 and has no column.
void writeGains(const ModelSurvey& survey, std::ostream& out) {
    constexpr int kDecimals = 4;
    constexpr std::size_t kColumnsBefore = 4;
    Duration longest{};
    for (const ModelRun& run : survey.runs)
        longest = std::max(longest, run.sequential.time.total());
    const TimeScale scale = TimeScale::forLongest(longest);
    Table table({{"model", Align::left},
                 {"tp"},
                 {"sequential", Align::right, std::string(scale.unit)},
                 {"communication", Align::right, "share"}});
    std::vector<std::string> geomeans{"geomean", "", "", ""}, maxima{"maximum", "", "", ""};
    for (const ModelSurvey::Gain& gain : survey.gains) {
        if (gain.policy == engine::PolicyPreset::sequential)
            continue;
        table.addColumn(nameOf(gain.policy), Align::right, "speed-up");
        geomeans.push_back(fixedText(gain.geomean, kDecimals));
        maxima.push_back(fixedText(gain.maximum, kDecimals));
    }
    for (const ModelRun& run : survey.runs) {
        std::vector<std::string> cells{run.base.workload.model, std::to_string(run.graph.gpus),
                                       scale.text(run.sequential.time.total()),
                                       fixedText(run.sequential.communicationShare, kDecimals)};
        for (const PolicyModelTime& policy : run.policies) {
            if (policy.policy != engine::PolicyPreset::sequential)
                cells.push_back(fixedText(policy.speedupOverSequential, kDecimals));
        }
        table.addRow(std::move(cells));
    }
    if (geomeans.size() > kColumnsBefore) {
        table.addRow(std::move(geomeans));
        table.addRow(std::move(maxima));
    }
    table.write(out);
}

/// Prints which models are left out, then the notices of the runs, each once, with the models that have it unless all
/// do.
std::vector<std::string> noticeLines(const ModelSurvey& survey) {
    std::vector<std::pair<engine::Notice, std::vector<std::string>>> found;
    for (const ModelRun& run : survey.runs) {
        for (const engine::Notice& notice : run.notices)
            data::concernedBy(notice, found).push_back(data::modelCaseName(run.base));
    }
    std::vector<std::string> lines;
    for (const engine::Notice& notice : survey.notices)
        lines.push_back("notice  " + notice.path + ": " + notice.text);
    for (const auto& [notice, models] : found) {
        const bool all = models.size() == survey.runs.size();
        lines.push_back("notice  " + notice.path + ": " + (all ? "" : data::joinedNames(models, ", ") + ": ") +
                        notice.text);
    }
    return lines;
}

void writeSurveyTable(const ModelSurvey& survey, std::ostream& out) {
    const ModelRun& first = survey.runs.front();
    std::size_t sublayers = 0, gemms = 0, remembered = 0;
    for (const ModelRun& run : survey.runs) {
        sublayers += run.simulatedRuns;
        gemms += run.simulatedGemms;
        remembered += run.remembered;
    }
    out << "all models, " << (data::isStep(first.base) ? "one micro-batch of " : "") << engine::name(first.graph.phase)
        << "; machine " << first.base.machine << ", " << engine::name(first.base.detail.level) << " detail; "
        << sublayers << " sub-layers and " << gemms << " GEMMs"
        << (remembered > 0 ? ", " + std::to_string(remembered) + " of them reused" : std::string()) << "\n\n";
    writeGains(survey, out);
    const std::vector<std::string> lines = noticeLines(survey);
    for (std::size_t i = 0; i < lines.size(); ++i)
        out << (i == 0 ? "\n" : "") << lines[i] << "\n";
}

}  // namespace

void writeModelRun(const ModelRun& run, int threads, Output output, const std::vector<ModelTable>& tables,
                   std::ostream& out) {
    if (output == Output::json) {
        printJson(runJson(run, threads), out);
    } else if (output != Output::csv) {
        writeTables(run, tables, out);
    } else if (tables.front() == ModelTable::step) {
        writeStepCsv(run, stepsOf(run), out);
    } else if (tables.front() == ModelTable::classes) {
        writeClassesCsv(run, out);
    } else if (tables.front() == ModelTable::operators) {
        writeOperatorsCsv(run, out);
    } else {
        writeCsvHeading(out);
        writeCsvLines(run, out);
    }
}

void writeModelSurvey(const ModelSurvey& survey, int threads, Output output, bool operators, std::ostream& out) {
    if (output == Output::json) {
        printJson(surveyJson(survey, threads, operators), out);
    } else if (output == Output::csv) {
        writeCsvHeading(out);
        for (const ModelRun& run : survey.runs)
            writeCsvLines(run, out);
    } else {
        writeSurveyTable(survey, out);
    }
}

}  // namespace cli
