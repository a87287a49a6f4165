#include "data/figure/figure_gallery.h"
#include "tests/gallery_figures.h"
#include "tests/test_program.h"

#include "data/document/value_places.h"
#include "data/evaluations/evaluation.h"
#include "data/evaluations/reference.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/figure_table.h"
#include "data/figure/step_figures.h"
#include "data/model/model_run.h"
#include "data/model/model_step.h"
#include "data/presets/presets.h"
#include "engine/api/runner.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace data;

namespace {

using Numbers = std::vector<std::string>;

/// Reads the tables of a figure as its CSV files have them.
class Tables {
public:
    explicit Tables(const FigureSpec& figure) : m_tables(tablesOf(figure)) {}

    std::size_t rows(std::size_t table) const { return m_tables.at(table).rows.size(); }
    std::size_t tables() const { return m_tables.size(); }
    std::string name(std::size_t table, std::size_t column) const { return m_tables.at(table).columns.at(column); }
    std::size_t columns(std::size_t table) const { return m_tables.at(table).columns.size(); }
    std::string text(std::size_t table, std::size_t row, std::size_t column) const {
        return m_tables.at(table).rows.at(row).at(column);
    }
    double at(std::size_t table, std::size_t row, std::size_t column) const {
        return std::stod(text(table, row, column));
    }
    std::vector<double> column(std::size_t table, std::size_t column) const {
        std::vector<double> values;
        for (std::size_t row = 0; row < rows(table); ++row)
            values.push_back(at(table, row, column));
        return values;
    }
    std::size_t columnNamed(std::size_t table, const std::string& name) const {
        const std::vector<std::string>& names = m_tables.at(table).columns;
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    std::size_t rowNamed(std::size_t table, const std::string& name) const {
        std::size_t row = 0;
        while (text(table, row, 0) != name)
            ++row;
        return row;
    }

private:
    std::vector<FigureTable> m_tables;
};

std::string fixed(double value, int decimals) { return fixedNumber(value, decimals); }

std::string withSign(double value, int decimals) {
    const std::string number = fixed(std::abs(value), decimals);
    return (number.find_first_not_of("0.") == std::string::npos ? "" : value < 0 ? "-" : "+") + number;
}

double publishedValue(const std::string& id) {
    for (const PublishedItem& item : publishedItems())
        if (item.id == id)
            return item.value;
    throw std::out_of_range(id);
}

engine::Experiment experimentOf(const FigureSpec& figure) {
    const auto& first = figure.provenance.experiments.front();
    return expand(readDraft(first.document, first.name).draft).experiment;
}

std::string degreeOf(const FigureSpec& figure) { return std::to_string(experimentOf(figure).parallel.tp); }

/// Returns the value, the published value and their difference: "1.31", "1.30", "+0.5".
Numbers compared(double value, const std::string& id, int decimals) {
    const double published = publishedValue(id);
    return {fixed(value, decimals), fixed(published, decimals), withSign(100 * (value / published - 1), 1)};
}

Numbers operator+(Numbers numbers, const Numbers& more) {
    numbers.insert(numbers.end(), more.begin(), more.end());
    return numbers;
}

Numbers rangeOf(const std::vector<double>& values, int decimals) {
    return {fixed(*std::min_element(values.begin(), values.end()), decimals),
            fixed(*std::max_element(values.begin(), values.end()), decimals)};
}

Numbers ofSublayerRuntime(const FigureSpec& figure, const Tables& tables) {
    std::vector<std::string> degrees;
    for (const FigureCategories::Group& group : figure.panels.front().categories.groups)
        degrees.push_back(group.label.substr(3));  // "TP 8"
    return Numbers{std::to_string(tables.rows(0) + tables.rows(1))} + degrees;
}

Numbers ofSublayerSpeedup(const FigureSpec&, const Tables& tables) {
    const std::string cases = std::to_string(tables.rows(0) + tables.rows(1));
    Numbers numbers{cases, cases};
    for (const auto& [row, suffix] : {std::pair("Geomean", "-geomean"), {"Max.", "-max"}}) {
        std::size_t column = 1;
        for (const char* policy : {"t3", "t3-mca", "ideal-overlap"})
            numbers =
                numbers + compared(tables.at(2, tables.rowNamed(2, row), column++), std::string(policy) + suffix, 2);
    }
    return numbers;
}

Numbers ofDramAccess(const FigureSpec&, const Tables& tables) {
    const std::string cases = std::to_string(tables.rows(0) + tables.rows(1));
    Numbers numbers{cases, cases};
    for (const auto& [row, id] : {std::pair("Geomean", "dram-reduction-geomean"), {"Min.", "dram-reduction-max"}}) {
        const double saved = 1 - tables.at(2, tables.rowNamed(2, row), 2), published = publishedValue(id);
        numbers =
            numbers + Numbers{fixed(100 * saved, 1), fixed(100 * published, 0), withSign(100 * (saved - published), 1)};
    }
    return numbers;
}

Numbers ofDramTraffic(const FigureSpec& figure, const Tables& tables) {
    return {degreeOf(figure), "1", fixed(tables.at(0, 1, 0) - tables.at(0, 0, 0), 0)};
}

Numbers ofEndToEnd(const FigureSpec&, const Tables& tables) {
    return {std::to_string(tables.rows(0) - 1)};  // without the mean
}

Numbers ofCommunicationShare(const FigureSpec&, const Tables& tables) {
    Numbers numbers{std::to_string(tables.rows(0))};
    for (const std::size_t table : {0U, 1U}) {
        std::vector<double> shares(tables.rows(table));
        for (const char* part : {"Reduce-scatter", "All-gather", "All-to-all"}) {
            const std::size_t column = tables.columnNamed(table, part);
            for (std::size_t row = 0; column < tables.columns(table) && row < shares.size(); ++row)
                shares[row] += tables.at(table, row, column);
        }
        numbers = numbers + rangeOf(shares, 0);
    }
    return numbers;
}

Numbers ofCuSplit(const FigureSpec& figure, const Tables& tables) {
    const std::vector<double> gains = tables.column(1, tables.columnNamed(1, "CU split, geomean and range"));
    const auto best = std::max_element(gains.begin(), gains.end());
    const std::string samples =
        std::to_string(std::get<LineMark>(figure.panels[1].marks.front()).series.back().samples);
    Numbers numbers{samples, samples, fixed(*best, 2),
                    tables.text(1, static_cast<std::size_t>(best - gains.begin()), 0), fixed(tables.at(1, 0, 1), 2)};
    for (const std::size_t first : {std::size_t{1}, std::size_t{3}}) {  // beside the other kernel, and alone
        bool near = true;
        for (std::size_t row = 0; row < tables.rows(0); ++row)
            near = near && std::abs(tables.at(0, row, first) - tables.at(0, row, first + 1)) <= 0.05;
        if (near)
            numbers.push_back("0.05");
    }
    return numbers;
}

Numbers ofReduceScatter(const FigureSpec& figure, const Tables& tables) {
    std::vector<double> gains;
    for (const char* size : {"50", "100"}) {
        const std::size_t row = tables.rowNamed(0, size);
        gains.push_back(tables.at(0, row, 1) / tables.at(0, row, 2));
    }
    return Numbers{degreeOf(figure), "50", "100"} + rangeOf(gains, 2) + Numbers{fixed(publishedValue("rs-nmc-tp8"), 2)};
}

Numbers ofTraffic(const FigureSpec& figure, const Tables& tables) {
    return {degreeOf(figure), "4", fixed(tables.at(0, 0, 1), 2),
            std::to_string(experimentOf(figure).companion.workgroups)};
}

/// The waves follow from the tiles: on the CUs that the collective leaves, those of each piece are rounded up.
Numbers ofOverlapPieces(const FigureSpec& figure, const Tables& tables) {
    const engine::Experiment first = experimentOf(figure);
    const engine::RunResult whole = engine::run(first);
    const std::int64_t kept = whole.gemm->slots / first.cu.count * 16;  // of the 16 CUs of the collective
    const std::string most = tables.text(0, tables.rows(0) - 1, 0);
    const std::int64_t tilesOfPiece = (whole.gemm->tiles + std::stoll(most) - 1) / std::stoll(most);
    const std::int64_t slots = whole.gemm->slots - kept;
    const std::vector<double> totals = tables.column(0, tables.columnNamed(0, "Chunked"));
    const auto best = std::ranges::min_element(totals);
    Numbers numbers{degreeOf(figure), fixed(static_cast<double>(first.launch.kernel.ps) / 1e6, 1),
                    tables.text(0, static_cast<std::size_t>(best - totals.begin()), 0), fixed(*best, 0)};
    for (std::size_t policy = 1; policy <= 3; ++policy)
        numbers.push_back(fixed(tables.at(0, 0, policy), 0));
    numbers = numbers + Numbers{std::to_string(whole.gemm->waves), tables.text(0, 0, 0),
                                std::to_string(std::stoll(most) * ((tilesOfPiece + slots - 1) / slots)), most};
    for (std::size_t queues = 1; queues <= 2; ++queues)
        numbers.push_back(fixed(tables.at(1, tables.rows(1) - 1, queues), 0));
    return numbers;
}

Numbers ofSawtooth(const FigureSpec& figure, const Tables& tables) {
    const engine::RunResult first = engine::run(experimentOf(figure));
    Numbers numbers{std::to_string(first.shape.m), std::to_string(first.shape.k), std::to_string(first.gemm->tileM),
                    std::to_string(first.gemm->tileN), std::to_string(first.gemm->slots)};
    // The limit of tiles and waves falls exactly where a wave begins.
    const std::vector<double> limits = tables.column(0, 1), rates = tables.column(0, 2);
    std::vector<std::size_t> tips;
    for (std::size_t row = 0; row + 1 < limits.size(); ++row)
        if (limits[row + 1] < limits[row])
            tips.push_back(row);
    for (std::size_t tip = 0; tip < std::min<std::size_t>(tips.size(), 3); ++tip)
        numbers.push_back(tables.text(0, tips[tip], 0));
    return numbers + Numbers{fixed(rates.at(tips.at(0)), 0), fixed(rates.at(tips.at(0) + 1), 0)};
}

Numbers ofBert(const FigureSpec& figure, const Tables&) {
    const engine::Experiment experiment = experimentOf(figure);
    return {std::to_string(experiment.workload.batch), std::to_string(experiment.workload.sequence),
            std::to_string(experiment.operators.elementBits)};
}

Numbers ofRoofline(const FigureSpec& figure, const Tables& tables) {
    const double ridge = tables.at(0, 1, 0), roof = tables.at(0, 1, 1);
    return Numbers{fixed(1000 * roof / ridge, 0), fixed(roof, 1), fixed(ridge, 1)} + ofBert(figure, tables);
}

/// Returns all numbers of a text.
Numbers numbersOf(const QString& text) {
    static const QRegularExpression kNumber(QStringLiteral("(?<![\\w.\\-\\[=])[+-]?\\d+(?:\\.\\d+)?(?:e\\d+)?"));
    Numbers numbers;
    for (auto found = kNumber.globalMatch(text); found.hasNext();)
        numbers.push_back(found.next().captured().toStdString());
    return numbers;
}

/// Returns the times and bubbles of the figure's experiments, simulated again, in seconds or the unit of the axis.
Numbers ofSchedules(const FigureSpec& figure, const Tables& tables) {
    std::set<std::string> stages, numbers;
    for (std::size_t row = 0; row < tables.rows(0); ++row) {
        stages.insert(tables.text(0, row, 1));
        if (const std::string& number = tables.text(0, row, 5); !number.empty())
            numbers.insert(number);
    }
    Numbers all{degreeOf(figure), std::to_string(stages.size()), std::to_string(numbers.size())};
    const std::string& unit = figure.panels.front().x.unit;
    for (const FigureProvenance::Experiment& each : figure.provenance.experiments) {
        ModelRunOptions options;
        options.policies = {engine::PolicyPreset::sequential};
        const ModelRun run = modelRun(expand(readDraft(each.document, each.name).draft).experiment, options);
        const ModelStep step = stepOf(run, run.sequential);
        const double total = static_cast<double>(step.total.ps) / (unit == "s" ? 1e12 : 1e9);
        const int decimals = total < 10 ? 3 : total < 100 ? 2 : 1;
        all = all + numbersOf(QString::fromStdString(scheduleTitle(step.shape))) +
              Numbers{fixed(total, decimals), fixed(100 * step.bubbleShare, 1)};
    }
    return all;
}

Numbers ofStepTime(const FigureSpec& figure, const Tables& tables) {
    const engine::Experiment experiment = experimentOf(figure);
    Numbers numbers{degreeOf(figure), std::to_string(experiment.division.pp), "1",  // of 1F1B
                    std::to_string(experiment.division.dp), std::to_string(experiment.division.microbatches)};
    const std::size_t parts = (tables.columns(0) - 1) / 2;
    for (const std::size_t row : {std::size_t{0}, tables.rows(0) - 1}) {
        double sequential = 0, overlapped = 0;
        for (std::size_t part = 0; part < parts; ++part) {
            sequential += tables.at(0, row, 1 + part);
            overlapped += tables.at(0, row, 1 + parts + part);
        }
        numbers = numbers + Numbers{fixed(100 * (1 - overlapped / sequential), 1), tables.text(0, row, 0)};
    }
    return numbers;
}

/// The parts of a bar are in the tables; the whole step is simulated again.
Numbers ofStepExposed(const FigureSpec& figure, const Tables& tables) {
    const auto baseOf = [&](const FigureProvenance::Experiment& each) {
        return expand(readDraft(each.document, each.name).draft).experiment;
    };
    const std::vector<FigureProvenance::Experiment>& experiments = figure.provenance.experiments;
    const engine::DivisionConfig most = baseOf(experiments.back()).division;
    Numbers numbers{degreeOf(figure), std::to_string(most.microbatches / most.pp), "1"};  // of 1F1B
    const std::size_t parts = (tables.columns(0) - 2) / 2;
    for (const std::size_t row : {std::size_t{0}, tables.rows(0) - 1}) {
        ModelRunOptions options;
        options.policies = {engine::PolicyPreset::sequential, engine::PolicyPreset::t3Mca};
        const ModelRun run = modelRun(baseOf(experiments[row]), options);
        for (std::size_t policy = 0; policy < options.policies.size(); ++policy) {
            double exposed = 0;
            for (std::size_t part = 0; part < parts; ++part)
                exposed += tables.at(0, row, 2 + policy * parts + part);
            const double total = static_cast<double>(stepOf(run, run.policies[policy]).total.ps) /
                                 (figure.panels.front().y.unit == "s" ? 1e12 : 1e9);
            numbers.push_back(fixed(100 * exposed / total, 1));
        }
        numbers = numbers + Numbers{std::to_string(run.base.division.dp), std::to_string(run.base.division.pp)};
    }
    return numbers;
}

/// Returns how many points of a sweep each value of an evaluation's chart combines.
std::string pointsForEach(const FigureSpec& figure, const Tables& tables, std::size_t summaries) {
    const std::size_t values = (tables.rows(0) - summaries) * (tables.columns(0) - 1);
    return std::to_string(figure.provenance.experiments.size() / values);
}

Numbers ofT3Speedup(const FigureSpec& figure, const Tables& tables) {
    Numbers numbers{pointsForEach(figure, tables, 1)};
    std::size_t column = 1;
    for (const char* id : {"t3-geomean", "t3-mca-geomean", "ideal-overlap-geomean"})
        numbers = numbers + compared(tables.at(0, tables.rowNamed(0, "All"), column++), id, 3);
    return numbers;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const double next = values[std::min(below + 1, values.size() - 1)];
    return values[below] + (next - values[below]) * (place - std::floor(place));
}

/// Returns Spearman's rank correlation of numbers that all differ from each other, or share the mean of their ranks.
double rankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto rank = [](const std::vector<double>& all, double value) {
        double place = 0.5;
        for (const double other : all)
            place += other < value ? 1 : other == value ? 0.5 : 0;
        return place;
    };
    const double mean = (static_cast<double>(a.size()) + 1) / 2;
    double both = 0, ofA = 0, ofB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = rank(a, a[i]) - mean, y = rank(b, b[i]) - mean;
        both += x * y;
        ofA += x * x;
        ofB += y * y;
    }
    return both / std::sqrt(ofA * ofB);
}

/// Returns the numbers that a caption says of rows: how many, bias, median error, 90 %, rank correlation.
Numbers answerOf(const std::vector<std::pair<double, double>>& rows) {
    std::vector<double> ours, measured, errors;
    double logarithms = 0;
    for (const auto& [simulated, reference] : rows) {
        ours.push_back(simulated);
        measured.push_back(reference);
        errors.push_back(100 * std::abs(simulated / reference - 1));
        logarithms += std::log(simulated / reference);
    }
    const double bias = 100 * (std::exp(logarithms / static_cast<double>(rows.size())) - 1);
    return {std::to_string(rows.size()),     withSign(bias, 1),
            fixed(quantile(errors, 0.5), 1), "90",
            fixed(quantile(errors, 0.9), 1), fixed(rankCorrelation(ours, measured), 3)};
}

/// Returns the evaluation that has the figure, and the measured table of the figure.
std::pair<const Evaluation*, const EvaluationMeasured*> measuredOf(const FigureSpec& figure) {
    for (const Evaluation& evaluation : evaluations())
        for (const EvaluationFigure& each : evaluation.figures)
            if (chartName(evaluation, each) == figure.name)
                return {&evaluation, &evaluation.measured.at(each.measured)};
    throw std::out_of_range(figure.name);
}

/// The last table of the figure has a row for each row of the measured table, in its order.
Numbers ofMeasured(const FigureSpec& figure, const Tables& tables) {
    const auto [ofFigure, itsTable] = measuredOf(figure);
    const Evaluation& evaluation = *ofFigure;
    const EvaluationMeasured& measured = *itsTable;
    Numbers numbers = numbersOf(QString::fromStdString(evaluation.items[measured.item].what)) + Numbers{"10"};
    const std::size_t table = tables.tables() - 1, machines = tables.columns(table) - 1;
    for (const MeasuredTarget& target : measured.targets) {
        const Numbers ofTarget = numbersOf(QString::fromStdString(target.what));
        std::vector<std::pair<double, double>> all;
        for (std::size_t machine = 1; machine <= machines; ++machine) {
            std::vector<std::pair<double, double>> rows;
            for (const std::size_t point : target.points)
                if (!tables.text(table, point, machine).empty())
                    rows.emplace_back(tables.at(table, point, machine), tables.at(table, point, 0));
            all.insert(all.end(), rows.begin(), rows.end());
            numbers =
                numbers + numbersOf(QString::fromStdString(tables.name(table, machine))) + ofTarget + answerOf(rows);
        }
        if (machines > 1)
            numbers = numbers + ofTarget + answerOf(all);
    }
    return numbers +
           numbersOf(QString::fromStdString(measured.citation.empty() ? evaluation.citation : measured.citation));
}

Numbers ofZeroStates(const FigureSpec& figure, const Tables& tables) {
    const engine::Experiment experiment = experimentOf(figure);
    Numbers numbers{fixed(static_cast<double>(*experiment.division.weights) / 1e9, 1) + "e9",
                    std::to_string(experiment.division.dp)};
    for (std::size_t row = 0; row < tables.rows(0); ++row) {
        const double value = tables.at(0, row, 1), published = figure.panels.front().references.at(row).value;
        const auto digits = [](double number, int count) {
            return fixed(number, std::max(0, count - 1 - static_cast<int>(std::floor(std::log10(number)))));
        };
        numbers = numbers + Numbers{digits(value, 4), digits(published, 3), withSign(100 * (value / published - 1), 1)};
    }
    return numbers;
}

/// The GPUs of the grids: rows x columns.
Numbers ofGrids(const FigureSpec&, const Tables&) {
    double gpus = 1;
    for (const AxisColumn& column : findEvaluation("integrated")->sweeps.back().sweep.axes.front().columns)
        if (column.path == "parallel.tp" || column.path == "division.dp")
            gpus *= numberOf(column.values.front()).value();
    return {fixed(gpus, 0)};
}

/// The channels of the study and of the machine, if an address mapping could not use them all.
Numbers fewerChannels(const FigureSpec& figure) {
    static const QRegularExpression kMachine(QStringLiteral(" machine = ([\\w-]+)"));
    ExperimentDraft machine;
    if (const auto found = kMachine.match(QString::fromStdString(figure.caption)); found.hasMatch())
        machine.explicitValues["machine"] = found.captured(1).toStdString();
    const std::int64_t used = experimentOf(figure).dram.pseudoChannels;
    const std::int64_t all = expand(machine).experiment.dram.pseudoChannels;
    return used == all ? Numbers{} : Numbers{std::to_string(used), std::to_string(all)};
}

Numbers ofBankGroups(const FigureSpec& figure, const Tables& tables) {
    Numbers numbers = Numbers{degreeOf(figure), "1"} + fewerChannels(figure);
    for (std::size_t row = 0; row < tables.rows(0); ++row)
        numbers.push_back(withSign(100 * (tables.at(0, row, 2) / tables.at(0, row, 1) - 1), 1));
    return numbers;
}

/// The largest over the mean.
double overMean(const std::vector<double>& amounts) {
    double sum = 0;
    for (const double amount : amounts)
        sum += amount;
    return *std::max_element(amounts.begin(), amounts.end()) * static_cast<double>(amounts.size()) / sum;
}

/// The length of the periods, in µs, follows from the two columns of the panels that have a name.
Numbers ofChannelHeat(const FigureSpec& figure, const Tables&) {
    const FigurePanel& first = figure.panels.front();
    const std::vector<std::string>& names = first.categories.labels;
    const auto named =
        std::ranges::find_if(names.begin() + 1, names.end(), [](const auto& name) { return !name.empty(); });
    const double length =
        std::stod(*named) * (first.x.unit == "ms" ? 1000 : 1) / static_cast<double>(named - names.begin());
    Numbers numbers = Numbers{degreeOf(figure), "1", fixed(length, 0)} + fewerChannels(figure);
    for (const FigurePanel& panel : figure.panels) {
        const auto& heat = std::get<HeatMark>(panel.marks.front());
        const std::size_t rows = heat.rows.size(), periods = heat.values.size() / rows;
        std::vector<double> whole(rows, 0), campings;
        for (std::size_t period = 0; period < periods; ++period) {
            std::vector<double> amounts;
            for (std::size_t row = 0; row < rows; ++row)
                amounts.push_back(heat.values[row * periods + period].value());
            for (std::size_t row = 0; row < rows; ++row)
                whole[row] += amounts[row];
            if (*std::max_element(amounts.begin(), amounts.end()) > 0)
                campings.push_back(overMean(amounts));
        }
        double sum = 0;
        for (const double camping : campings)
            sum += camping;
        numbers = numbers + Numbers{fixed(overMean(whole), 2), fixed(sum / static_cast<double>(campings.size()), 2)};
    }
    return numbers;
}

using NumbersOf = Numbers (*)(const FigureSpec&, const Tables&);

const std::map<std::string, NumbersOf>& wanted() {
    static const std::map<std::string, NumbersOf> kWanted{
        {"sublayer-runtime", ofSublayerRuntime},
        {"sublayer-speedup", ofSublayerSpeedup},
        {"dram-access", ofDramAccess},
        {"dram-traffic", ofDramTraffic},
        {"end-to-end", ofEndToEnd},
        {"communication-share", ofCommunicationShare},
        {"cu-split", ofCuSplit},
        {"reduce-scatter-time", ofReduceScatter},
        {"t3-beside-traffic", ofTraffic},
        {"overlap-pieces", ofOverlapPieces},
        {"gemm-sawtooth", ofSawtooth},
        {"operator-roofline", ofRoofline},
        {"operator-classes", ofBert},
        {"pipeline-schedules", ofSchedules},
        {"bank-groups", ofBankGroups},
        {"channel-heat", ofChannelHeat},
        {"step-time", ofStepTime},
        {"step-exposed", ofStepExposed},
        {"t3-speed-up", ofT3Speedup},
        {"t3-dram", [](const FigureSpec& figure, const Tables&) { return Numbers{degreeOf(figure)}; }},
        {"zero-states", ofZeroStates},
        {"integrated-columns", ofGrids},
        {"integrated-samples", ofGrids},
        {"collectives-visible", ofMeasured},
        {"gemms-visible", ofMeasured},
        {"overlap-h100", ofMeasured},
        {"overlap-software-fused-h100", ofMeasured},
        {"gemms-saw-tooth",
         [](const FigureSpec&, const Tables&) {
             return Numbers{"128", "2048", "2048"};
         }},
        {"comp-vs-comm-formula",
         [](const FigureSpec&, const Tables&) {
             return Numbers{"16384", "2048", "50"};
         }},
        {"comp-vs-comm-models", [](const FigureSpec&, const Tables&) { return Numbers{}; }},
        {"c3-shared-cus",
         [](const FigureSpec& figure, const Tables& tables) { return Numbers{pointsForEach(figure, tables, 0)}; }}};
    return kWanted;
}

QStringList sentencesOf(const FigureSpec& figure) {
    static const QRegularExpression kBetween(QStringLiteral("(?<=\\.) (?=[A-Z])"));
    QString caption = QString::fromStdString(figure.caption);
    caption.replace(QStringLiteral("et al., ASPLOS 2024"), QString());
    caption.replace(QStringLiteral("et al., SC 2020"), QString());
    return caption.split(kBetween);
}

bool isOfMaking(const QString& sentence) {
    return sentence.startsWith(QLatin1String("Simulated by ")) || sentence.startsWith(QLatin1String("Computed by "));
}

/// Returns the numbers of a caption in their order. The sentence about the program, sentences about cases that exceed
/// others, and the notices of runs have tests of their own.
Numbers numbersIn(const FigureSpec& figure) {
    Numbers numbers;
    for (const QString& sentence : sentencesOf(figure)) {
        if (isOfMaking(sentence) || sentence.contains(QLatin1String(" exceed")) ||
            sentence.startsWith(QLatin1String("Notice (")))
            continue;
        numbers = numbers + numbersOf(sentence);
    }
    return numbers;
}

/// One case in which a series exceeds another: "T3-MCA > both ideals: T-NLG OP, TP 16".
using Excesses = std::set<std::string>;

/// Returns the cases that a list names: "T-NLG OP (TP 8, 16) and PaLM (TP 32)".
std::vector<std::string> casesIn(const QString& list) {
    static const QRegularExpression kCase(QStringLiteral("([A-Z][\\w. -]*?) \\((TP [\\d, ]+)\\)"));
    std::vector<std::string> cases;
    QString rest = list;
    for (auto found = kCase.globalMatch(list); found.hasNext();) {
        const QRegularExpressionMatch one = found.next();
        rest.remove(one.captured());
        for (const QString& degree : one.captured(2).mid(3).split(QStringLiteral(", ")))
            cases.push_back((one.captured(1) + ", TP " + degree).toStdString());
    }
    static const QRegularExpression kBetween(QStringLiteral("^(, |and | )*$"));
    return kBetween.match(rest).hasMatch() ? cases : std::vector<std::string>{"unreadable: " + list.toStdString()};
}

Excesses excessesIn(const FigureSpec& figure) {
    static const QRegularExpression kClause(QStringLiteral(
        "^(T3|T3-MCA|T3 and T3-MCA) exceeds? (ideal overlap|ideal overlap with NMC|both ideals) in (.+?)( because .+)?$"));
    Excesses excesses;
    for (const QString& sentence : sentencesOf(figure)) {
        if (!sentence.contains(QLatin1String("exceed")))
            continue;
        for (const QString& clause : sentence.split(QStringLiteral("; "))) {
            const QRegularExpressionMatch match = kClause.match(clause);
            if (!match.hasMatch())
                excesses.insert("unreadable: " + clause.toStdString());
            for (const QString& series : match.captured(1).split(QStringLiteral(" and ")))
                for (const std::string& one : casesIn(match.captured(3)))
                    excesses.insert((series + " > " + match.captured(2) + ": ").toStdString() + one);
        }
    }
    return excesses;
}

/// Returns the cases in which a series of the tables exceeds another.
Excesses excessesOf(const FigureSpec& figure) {
    const Tables tables(figure);
    Excesses excesses;
    for (const std::size_t table : {0U, 1U}) {
        for (std::size_t row = 0; row < tables.rows(table); ++row) {
            const double overlap = tables.at(table, row, tables.columnNamed(table, "Ideal overlap"));
            const double nearMemory = tables.at(table, row, tables.columnNamed(table, "Ideal overlap + NMC"));
            for (const char* series : {"T3", "T3-MCA"}) {
                const double value = tables.at(table, row, tables.columnNamed(table, series));
                const char* ideals = value > overlap && value > nearMemory ? "both ideals"
                                     : value > overlap                     ? "ideal overlap"
                                     : value > nearMemory                  ? "ideal overlap with NMC"
                                                                           : nullptr;
                if (ideals != nullptr)
                    excesses.insert(std::string(series) + " > " + ideals + ": " + figure.panels[table].title + " " +
                                    tables.text(table, row, 0) + ", " + tables.text(table, row, 1));
            }
        }
    }
    return excesses;
}

/// The machines and sizes with which captions are compared. Figures that simulate whole models or many pairs on the
/// larger machine have small models there.
enum class Machine { usual, h100, h100Small };

/// Returns the options of a gallery on the larger machine. Its large K-steps take a quarter of the events.
GalleryOptions optionsOn(Machine machine) {
    GalleryOptions options = tests::GalleryFigures::options();
    options.settings["machine"] = std::string("nvidia-h100");
    options.settings["gemm.k_step"] = std::int64_t{128};
    options.settings["cu.local_memory"] = std::int64_t{4} << 20;
    if (machine == Machine::h100Small)
        options.settings["workload.hidden"] = std::int64_t{1024};
    return options;
}

/// Precondition: not the usual machine.
Gallery& galleryOn(Machine machine) {
    static std::map<Machine, std::unique_ptr<Gallery>> galleries;
    std::unique_ptr<Gallery>& gallery = galleries[machine];
    if (!gallery)
        gallery = std::make_unique<Gallery>(optionsOn(machine));
    return *gallery;
}

const FigureSpec& figureOn(Machine machine, const std::string& name) {
    if (machine == Machine::usual) {
        static tests::GalleryFigures figures(tests::GalleryFigures::Use::reads);
        return figures.figure(name);
    }
    static std::map<std::pair<Machine, std::string>, FigureSpec> made;
    const auto found = made.find({machine, name});
    return found != made.end() ? found->second
                               : made.emplace(std::pair(machine, name), galleryOn(machine).make(name)).first->second;
}

}  // namespace

class TestFigureCaptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNumberOfACaptionFollowsFromTheTables_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("machine");
        // These take minutes on the larger machine, and their captions have no numbers but those of points or titles.
        const std::set<std::string> slow{"c3-shared-cus", "comp-vs-comm-formula", "comp-vs-comm-models"};
        const std::set<std::string> large{"end-to-end",        "communication-share", "cu-split",
                                          "t3-beside-traffic", "pipeline-schedules",  "step-time",
                                          "step-exposed"};
        for (const GalleryEntry& entry : galleryEntries()) {
            const std::string name(entry.name);
            const QString shown = QString::fromStdString(name);
            QTest::newRow(name.c_str()) << shown << static_cast<int>(Machine::usual);
            if (!slow.contains(name))
                QTest::newRow((name + " on nvidia-h100").c_str())
                    << shown << static_cast<int>(large.contains(name) ? Machine::h100Small : Machine::h100);
        }
    }
    void everyNumberOfACaptionFollowsFromTheTables() {
        QFETCH(QString, name);
        QFETCH(int, machine);
        const FigureSpec& figure = figureOn(static_cast<Machine>(machine), name.toStdString());
        const auto numbers = wanted().find(figure.name);
        QVERIFY2(numbers != wanted().end(), "a new figure of the gallery needs its numbers here");
        const auto shown = [](const Numbers& all) {
            QStringList words;
            for (const std::string& number : all)
                words << QString::fromStdString(number);
            return words.join(u' ');
        };
        QCOMPARE(shown(numbersIn(figure)), shown(numbers->second(figure, Tables(figure))));
    }

    void aSeriesExceedsAnIdealWhereItsOwnNumbersDoAndNowhereElse() {
        const auto shown = [](const Excesses& all) {
            QStringList words;
            for (const std::string& one : all)
                words << QString::fromStdString(one);
            return words.join(u'\n');
        };
        for (const Machine machine : {Machine::usual, Machine::h100}) {
            const FigureSpec& figure = figureOn(machine, "sublayer-speedup");
            QVERIFY(!excessesOf(figure).empty());
            QCOMPARE(shown(excessesIn(figure)), shown(excessesOf(figure)));
        }
        // Here T3-MCA exceeds an ideal that T3 does not exceed.
        const Excesses usual = excessesIn(figureOn(Machine::usual, "sublayer-speedup"));
        QVERIFY(usual.contains("T3-MCA > ideal overlap: Mega-GPT-2 OP, TP 8"));
        QVERIFY(!usual.contains("T3 > ideal overlap: Mega-GPT-2 OP, TP 8"));
    }

    void noOtherCaptionSaysThatSomethingExceeds() {
        for (const GalleryEntry& entry : galleryEntries())
            if (entry.name != "sublayer-speedup")
                QVERIFY(excessesIn(figureOn(Machine::usual, std::string(entry.name))).empty());
    }

    // The caption of a figure that is made after others is that of the figure alone.
    void whichFiguresWereMadeBeforeChangesNoCaption() {
        const FigureSpec& after = figureOn(Machine::h100Small, "end-to-end");
        QVERIFY(after.caption.find("Notice (detail.mode): ") != std::string::npos);
        QVERIFY(Gallery(optionsOn(Machine::h100Small)).make("communication-share") ==
                figureOn(Machine::h100Small, "communication-share"));
    }
};

RINGSIDE_TEST(TestFigureCaptions)
#include "tst_figure_captions.moc"
