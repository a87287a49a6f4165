// Gives any bytes to the reader of evaluations. It must return a list of problems, or an evaluation whose rows can be
// computed from a table, even if no point of the table has run. Nothing is simulated.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/evaluations/evaluation.h"
#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/measured_file.h"
#include "data/evaluations/task_items.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/figure_document.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_plan.h"
#include "tests/fuzz/checks.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz::evaluation {

constexpr const char* kMeasured = "id,gigabytes\n1,120\n2,31.4\n3,31.5\n4,60\n";

constexpr const char* kSweepBeside =
    R"({"format": "ringside-sweep", "base": {"workload": {"model": "small", "sublayer": "fc-2"}, "parallel": {"tp": 4}},
    "axes": [{"path": "link.bandwidth", "values": ["50 GB/s", "100 GB/s", "400 GB/s"]},
             {"path": "dma.block_tiles", "values": [1, 2]}], "policies": ["sequential", "t3"]})";

/// Returns the text of a file beside the document: a sweep, a measured table, or rows for an axis.
std::string fileOf(const std::string& name, engine::Problems& /*problems*/) {
    return name.ends_with(".json") ? kSweepBeside
           : name == "table.csv"   ? "machine,matrix.m,value\nnvidia-a100,1024,36.5\nnvidia-h100,1024,20\n"
                                   : "id,replicas,fitted\n1,1,1\n2,64,0\n3,64,0\n4,8,0\n";
}

/// Returns a table as a store would: every point is missing, or it has ended with arbitrary numbers.
data::SweepTable tableOf(const data::Evaluation& evaluation, std::size_t sweep, bool done) {
    data::SweepTable table{evaluation.sweeps[sweep].sweep, {}, data::metricsOf(evaluation, sweep), {}};
    table.rows.resize(data::pointCount(table.sweep));
    for (std::size_t index = 0; index < table.rows.size(); ++index) {
        data::PointPlace place = data::placeOf(table.sweep, index);
        table.rows[index] = {index, std::move(place.at), place.policy, {}, {}, {}, {}};
        table.rows[index].state = done ? data::PointState::done : data::PointState::missing;
        for (std::size_t metric = 0; metric < table.metrics.size(); ++metric)
            table.rows[index].values.emplace_back(static_cast<double>((index + metric) % 5));
    }
    return table;
}

void checkPublished(const data::EvaluationItem& item) {
    const std::size_t rows = item.mean == data::EvaluationMean::each ? item.points.size() : 1;
    require(item.published.empty() || item.published.size() == rows, "every row has its published number", item.id);
    for (std::size_t row = 0; row < item.published.size(); ++row) {
        require(std::isfinite(item.published[row].value), "a published number is a number", item.id);
        require(!data::itemText(item, row, item.published[row].value).empty(), "and can be written", item.id);
    }
}

void checkItem(const data::Evaluation& evaluation, const data::EvaluationItem& item) {
    checkPublished(item);
    if (item.tasks) {
        require(*item.tasks < evaluation.tasks.size() && item.points.empty(), "an item of tasks has tasks", item.id);
        return;
    }
    const data::Sweep& sweep = evaluation.sweeps.at(item.sweep).sweep;
    require(!item.points.empty() && item.points.back() < data::pointCount(sweep), "an item has points", item.id);
    require(!evaluation.sweeps.at(item.sweep).rows || item.rows.size() == item.points.size(), "and their rows",
            item.id);
    for (const std::size_t point : item.points)
        require(point % sweep.policies.size() == item.policy, "its points have its policy", item.id);
    for (const std::string& metric : item.metrics)
        require(data::findMetric(metric) != nullptr, "its metrics exist", metric);
    for (const data::EvaluationOperand* operand : data::operandsOf(item))
        require(operand->point || evaluation.sweeps.at(operand->sweep).sweep.axes == sweep.axes,
                "an operand has equal axes", item.id);
    require(!item.least || !item.most || item.least->value < item.most->value, "a claim can hold", item.id);
    require(data::isPlace(item.mean) == item.place.has_value(), "a place has an axis", item.id);
}

void checkMade(const data::FigureSpec& chart, bool done) {
    require(data::problemsOf(chart).empty(), "a figure can be laid out", chart.name);
    require(done || !data::hasValues(chart), "a figure of nothing has no values", chart.name);
}

/// Computes the rows of an evaluation and its figures before and after all points have ended.
void checkRows(const data::Evaluation& evaluation) {
    for (const bool done : {false, true}) {
        std::vector<data::SweepTable> tables;
        for (std::size_t sweep = 0; sweep < evaluation.sweeps.size(); ++sweep)
            tables.push_back(tableOf(evaluation, sweep, done));
        data::Reproduction reproduction;
        std::vector<data::ResultJson> timetables;
        if (done)
            timetables = data::timetablesOf(evaluation);
        reproduction.items = data::rowsOf(evaluation, tables, {}, true, evaluation.frozen, timetables);
        for (const data::ReproducedItem& row : reproduction.items)
            require(!std::isnan(row.value) || !row.note.empty(), "a row without a value says why", row.published.id);
        reproduction.tables = std::move(tables);
        for (const data::EvaluationFigure& figure : evaluation.figures)
            checkMade(data::chartOf(evaluation, figure, reproduction), done);
    }
}

RINGSIDE_FUZZ_TARGET(fuzz_evaluation)(const std::uint8_t* bytes, std::size_t size) {
    const data::EvaluationReading reading =
        data::readEvaluation(std::string_view(reinterpret_cast<const char*>(bytes), size), "input", nullptr, fileOf);
    require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;

    const data::Evaluation& evaluation = reading.evaluation;
    require(!evaluation.items.empty() && evaluation.items.size() <= data::kMostEvaluationItems, "it has items", "");
    std::size_t points = 0;
    for (const data::EvaluationSweep& sweep : evaluation.sweeps)
        points += data::pointCount(sweep.sweep);
    require(points <= data::kMostEvaluationPoints, "it has not too many points", "");
    require(points >= 1 || !evaluation.tasks.empty(), "it has points or tasks", "");
    for (const data::EvaluationItem& item : evaluation.items)
        checkItem(evaluation, item);
    if (evaluation.traffic) {
        for (const std::size_t point : evaluation.traffic->points)
            require(point < data::pointCount(evaluation.sweeps.at(evaluation.traffic->sweep).sweep), "traced", "");
    }
    checkRows(evaluation);
    engine::Problems problems;
    const data::Evaluation measured = data::withMeasured(evaluation, kMeasured, "measured.csv", problems);
    checkMessages(problems);
    if (problems.empty())
        checkRows(measured);
    return 0;
}

}  // namespace fuzz::evaluation
