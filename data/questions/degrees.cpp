#include "data/questions/degrees.h"

#include "data/document/names.h"
#include "data/document/problem_list.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/run_outcome.h"
#include "engine/api/gemm.h"
#include "engine/api/operator_graph.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace data {
namespace {

using engine::Duration;
using engine::Experiment;

constexpr char kDegrees[] = "degrees";

std::string listText(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t number : numbers)
        text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

engine::Problems problemsOfNumbers(const std::vector<std::int64_t>& degrees) {
    const auto refusal = [&](const std::string& what) {
        return engine::Problems{{kDegrees, listText(degrees),
                                 what + "; allowed: up to " + std::to_string(kMostDegrees) +
                                     " rising numbers from 1 to " + std::to_string(kLargestDegree) +
                                     ", such as 1,2,4,8"}};
    };
    if (degrees.empty() || degrees.size() > kMostDegrees)
        return refusal(std::to_string(degrees.size()) + " degrees");
    if (std::adjacent_find(degrees.begin(), degrees.end(), std::greater_equal<>()) != degrees.end())
        return refusal("degrees do not rise");
    if (degrees.front() < 1 || degrees.back() > kLargestDegree)
        return refusal("not a number of kernels at once");
    return {};
}

/// Refuses work that is no GEMM alone, and companions that are not copies of it.
engine::Problems problemsOfKernels(const ExperimentDraft& draft) {
    const Experiment experiment = expandValues(draft).experiment;
    engine::Problems problems;
    const auto refuse = [&](const char* path, const std::string& what) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        problems.push_back({path, engine::formatValue(parameter, parameter.read(experiment)), what});
    };
    if (experiment.workload.sublayer != engine::SubLayer::gemm)
        refuse("workload.sublayer",
               "degrees are numbers of equal GEMMs at once; allowed: gemm, such as gemm/4096x1024x1024");
    if (engine::hasCompanion(experiment) && !engine::hasCompanionGemm(experiment))
        refuse("companion.operation", "the companions of a degree are copies of the GEMM; allowed: none, gemm");
    const auto isOther = [](const std::optional<std::int64_t>& side, std::int64_t own) { return side && *side != own; };
    const engine::CompanionConfig& companion = experiment.companion;
    if (isOther(companion.m, experiment.matrix.m))
        refuse("companion.m", "the companions of a degree are copies of the GEMM; allowed: same");
    if (isOther(companion.n, experiment.matrix.n))
        refuse("companion.n", "the companions of a degree are copies of the GEMM; allowed: same");
    if (isOther(companion.k, experiment.matrix.k))
        refuse("companion.k", "the companions of a degree are copies of the GEMM; allowed: same");
    if (draft.explicitValues.contains("companion.copies"))
        refuse("companion.copies", "the copies follow from the degree; allowed: leave it out");
    return problems;
}

DegreeRow rowOf(const ExperimentDraft& draft, std::int64_t degree) {
    DegreeRow row;
    row.degree = degree;
    row.draft = draftOfDegree(draft, degree);
    row.experiment = expand(row.draft).experiment;
    return row;
}

/// Takes the tile and the time from the result of a degree.
void fill(DegreeRow& row, const engine::RunResult& result) {
    row.tile = {result.gemm->tileM, result.gemm->tileN};
    row.perKernel = result.companion ? result.companion->perKernel : result.last.time.total;
    Experiment with = row.experiment;
    with.tiles.choice = engine::TileChoice::fixed;
    with.gemm.tileM = row.tile.m;
    with.gemm.tileN = row.tile.n;
    row.estimate = estimatedPerKernel(with, row.degree);
}

/// Simulates the rows and fills them. Adds their notices and their broken invariants to the answer.
void simulate(const std::vector<DegreeRow*>& rows, const PairOptions& options, Degrees& answer) {
    std::vector<Experiment> experiments;
    experiments.reserve(rows.size());
    for (const DegreeRow* row : rows)
        experiments.push_back(row->experiment);
    std::vector<engine::RunOutcome> outcomes = outcomesOf(experiments, options, {.baselines = false});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const engine::RunResult result = resultOf(std::move(outcomes[i]), "degree " + std::to_string(rows[i]->degree));
        fill(*rows[i], result);
        answer.broken.add(rows[i]->experiment, result.invariants);
        for (const engine::Notice& notice : result.notices)
            if (notice.path != "tiles.choice")  // the table has the tiles
                addOnce(answer.notices, notice);
    }
}

}  // namespace

ExperimentDraft draftOfDegree(const ExperimentDraft& draft, std::int64_t degree) {
    ExperimentDraft result = draft;
    Settings& values = result.explicitValues;
    if (degree > 1) {
        values.insert_or_assign("companion.operation", std::string("gemm"));
        values.insert_or_assign("companion.copies", degree - 1);
        values.try_emplace("dispatch.rule", std::string("round-robin"));
        values.try_emplace("tiles.choice", std::string("shared"));
        return result;
    }
    std::erase_if(values, [](const auto& value) {
        const std::string_view path = value.first;
        return path.starts_with("companion.") || path.starts_with("dispatch.");
    });
    const auto choice = values.try_emplace("tiles.choice", std::string("best")).first;
    if (choice->second == engine::ParameterValue(std::string("shared")))
        choice->second = std::string("best");
    return result;
}

Duration estimatedPerKernel(const Experiment& experiment, std::int64_t degree) {
    constexpr double kPicoseconds = 1e12;
    const engine::Roofline roof = engine::rooflineOf(experiment);
    const engine::GemmConfig& tile = experiment.gemm;
    const engine::MatrixConfig& matrix = experiment.matrix;
    const std::int64_t cus = experiment.cu.count - engine::reservedCus(experiment);
    const std::int64_t tiles = degree * engine::waveCountOf(experiment).tiles;
    const auto m = static_cast<double>(matrix.m), n = static_cast<double>(matrix.n), k = static_cast<double>(matrix.k);
    const auto kernels = static_cast<double>(degree);

    const double rateOfCu = roof.flopsPerSecond / static_cast<double>(experiment.cu.count);
    const double tileTime = 2 * static_cast<double>(tile.tileM) * static_cast<double>(tile.tileN) * k / rateOfCu;
    const std::int64_t rounds = (tiles + cus - 1) / cus;
    const double compute = static_cast<double>(rounds) * tileTime / kernels;
    const double bytes = static_cast<double>(engine::elementBytes(experiment)) * static_cast<double>(matrix.batch) *
                         (m * k + k * n + m * n);
    const double fixed =
        static_cast<double>((experiment.memory.latency + experiment.gemm.epilogue + experiment.launch.kernel).ps) +
        static_cast<double>(experiment.cu.startJitter.ps) / 2;
    return {std::llround(kPicoseconds * std::max(compute, bytes / roof.bytesPerSecond) + fixed / kernels)};
}

double Degrees::overSequential(const DegreeRow& row) const {
    return static_cast<double>(alone.ps) / static_cast<double>(row.perKernel.ps);
}

const DegreeRow& Degrees::fastest() const { return *std::ranges::min_element(rows, {}, &DegreeRow::perKernel); }

const DegreeRow& Degrees::advised() const { return *std::ranges::min_element(rows, {}, &DegreeRow::estimate); }

std::string Degrees::markOf(const DegreeRow& row) const {
    std::string mark = &row == &fastest() ? "fastest" : "";
    if (&row == &advised())
        mark += mark.empty() ? "advised" : ", advised";
    return mark;
}

engine::Problems check(const DegreesQuestion& question) {
    engine::Problems problems = problemsOfNumbers(question.degrees);
    append(problems, problemsOfKernels(question.draft));
    if (!problems.empty())
        return problems;
    for (const std::int64_t degree : {std::int64_t{1}, question.degrees.back()})
        for (const engine::Problem& problem : expand(draftOfDegree(question.draft, degree)).problems)
            addOnce(problems, problem);
    return problems;
}

Degrees degreesOf(const DegreesQuestion& question, const PairOptions& options) {
    refuseAny(check(question));
    Degrees answer;
    for (const std::int64_t degree : question.degrees)
        answer.rows.push_back(rowOf(question.draft, degree));
    DegreeRow alone = rowOf(question.draft, 1);
    answer.experiment = alone.experiment;
    answer.name = caseName(alone.experiment);
    std::vector<DegreeRow*> rows;
    rows.reserve(question.degrees.size() + 1);
    for (DegreeRow& row : answer.rows)
        rows.push_back(&row);
    const bool asksAlone = question.degrees.front() == 1;
    if (!asksAlone)
        rows.push_back(&alone);
    simulate(rows, options, answer);
    answer.alone = (asksAlone ? answer.rows.front() : alone).perKernel;
    return answer;
}

}  // namespace data
