#include "data/figure/evaluation_chart.h"

#include "data/document/names.h"
#include "data/document/value_places.h"
#include "data/evaluations/axis_scale.h"
#include "data/evaluations/evaluation_rows.h"
#include "data/evaluations/measured_answer.h"
#include "data/evaluations/statistics.h"
#include "data/experiment/experiment_document.h"
#include "data/figure/gallery_words.h"
#include "data/laboratory/laboratory.h"
#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "data/sweep/point_texts.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace data {
namespace {

constexpr std::size_t kMostOwnTicks = 8;
constexpr std::size_t kMostListedValues = 8;   // in the alternative text; of more values it gives the range
constexpr std::size_t kMostExperiments = 256;  // in the provenance; with more experiments it has the sweep's base
constexpr std::size_t kLongestChartName = 80;
constexpr std::size_t kLongestNumber = 40;  // characters of a published number
constexpr double kHeadroom = 1.12;          // end of the axis over the highest bar, for the texts at marks
constexpr double kCorrelationRoom = 1.5;    // factor between the outermost points of a correlation and its axes' ends
constexpr double kCorrelationBand = 0.1;
constexpr double kCorrelationWeight = 2.4;  // of a panel: about square in a column, and as high as a slide on a slide

const AxisColumn kNoColumn;  // of a figure without an axis along x

const AxisColumn& columnOf(const Evaluation& evaluation, const EvaluationFigure& figure) {
    return evaluation.sweeps[figure.sweep].sweep.axes[figure.axis].columns[figure.column];
}

/// The unit that all numbers of an axis share, with its size in base units.
struct SharedUnit {
    std::string name;
    double size = 1;
};

/// Returns the unit after the number in `text`.
SharedUnit unitIn(engine::ParameterUnit unit, const std::string& text) {
    const std::size_t blank = text.rfind(' ');
    if (unit == engine::ParameterUnit::none || blank == std::string::npos)
        return {};
    const auto factor = engine::unitFactor(unit, std::string_view(text).substr(blank + 1));
    return factor ? SharedUnit{text.substr(blank + 1), static_cast<double>(*factor)} : SharedUnit{};
}

/// The unit of an axis of shares.
const SharedUnit kPercent{"%", 0.01};
constexpr int kPercentDecimals = 1;

/// Returns whether a metric is a share of a whole, which a figure writes in per cent.
bool isShare(const Metric& metric) { return metric.path.ends_with("_share") || metric.path.starts_with("time_share."); }

/// Combines several numbers; returns an empty optional if they have no geometric mean.
std::optional<double> meanOf(EvaluationMean mean, const std::vector<double>& values) {
    if (values.empty())
        return std::nullopt;
    switch (mean) {
    case EvaluationMean::min: return *std::min_element(values.begin(), values.end());
    case EvaluationMean::max: return *std::max_element(values.begin(), values.end());
    case EvaluationMean::median: return medianOf(values);
    case EvaluationMean::mean:
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    default: break;
    }
    if (values.size() == 1)
        return values.front();
    const bool positive = std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
    return positive ? std::optional(geomeanOf(values)) : std::nullopt;
}

std::string meanWords(EvaluationMean mean) {
    switch (mean) {
    case EvaluationMean::min: return "minimum";
    case EvaluationMean::max: return "maximum";
    case EvaluationMean::mean: return "mean";
    case EvaluationMean::median: return "median";
    default: return "geometric mean";
    }
}

/// Returns the axis of seeds over which the figure averages: one that it draws nowhere.
std::optional<std::size_t> seedsOf(const Evaluation& evaluation, const EvaluationFigure& figure) {
    const std::optional<std::size_t> seeds = seedAxis(evaluation.sweeps[figure.sweep].sweep);
    const auto draws = [&](const std::optional<FigureAxisChoice>& choice) { return choice && choice->axis == seeds; };
    const bool isDrawn = (figure.hasX && figure.axis == seeds) || draws(figure.series) || draws(figure.panels);
    return figure.hasX && !isDrawn ? seeds : std::nullopt;
}

/// Returns the largest number of points that have the same value of x, the same policy and the same seed.
std::size_t pointsAtOnePlace(const Evaluation& evaluation, const EvaluationFigure& figure) {
    const Sweep& sweep = evaluation.sweeps[figure.sweep].sweep;
    const std::optional<std::size_t> seeds = seedsOf(evaluation, figure);
    std::map<std::vector<std::size_t>, std::size_t> counts;
    std::size_t most = 0;
    for (const std::size_t index : figure.points) {
        const PointPlace place = placeOf(sweep, index);
        std::vector<std::size_t> at{place.at[figure.axis], place.policy};
        if (seeds)
            at.push_back(place.at[*seeds]);
        for (const auto& choice : {figure.series, figure.panels}) {
            if (choice)
                at.push_back(place.at[choice->axis]);
        }
        most = std::max(most, ++counts[at]);
    }
    return most;
}

/// Returns the name of the axis along x in a sentence.
std::string axisLabel(const Evaluation& evaluation, const EvaluationFigure& figure) {
    return engine::inASentence(figure.xLabel.empty() ? engine::findParameter(columnOf(evaluation, figure).path)->label
                                                     : figure.xLabel);
}

/// Returns what the figure shows along y: the label of the metric, or the items in words.
std::string quantityOf(const Evaluation& evaluation, const EvaluationFigure& figure) {
    if (figure.items.empty())
        return figure.yLabel.empty() ? findMetric(figure.metric)->label : figure.yLabel;
    std::vector<std::string> words;
    for (const std::size_t item : figure.items)
        words.push_back(evaluation.items[item].what);
    return joinedNames(words, " and ");
}

/// Adds the line of equal numbers, and lines 10 % above and below it.
void addBand(FigurePanel& panel) {
    const auto line = [&](const char* name, const char* meaning, double factor) {
        const double from = std::max(*panel.x.from, *panel.y.from / factor);
        const double to = std::min(*panel.x.to, *panel.y.to / factor);
        LineMark mark;
        mark.markers = false;
        mark.x = {from, to};
        mark.series.push_back({name, meaning, {from * factor, to * factor}, {}, {}, 0});
        panel.marks.emplace_back(std::move(mark));
    };
    line("equal", "neutral", 1);
    line("10 % apart", "neutral/light", 1 + kCorrelationBand);
    line("10 % apart", "neutral/light", 1 / (1 + kCorrelationBand));
}

std::string titleOfMachine(const std::string& machine) {
    const Preset* preset = findMachine(machine);
    return preset == nullptr ? machine : preset->title;
}

const AxisColumn& columnOf(const Sweep& sweep, const FigureAxisChoice& choice) {
    return sweep.axes[choice.axis].columns[choice.column];
}

/// Returns the name of a parameter without a unit before its value: its label, or its path in words if the label is a
/// single word, "Tracker entries".
std::string countName(const engine::Parameter& parameter) {
    if (parameter.label.find(' ') != std::string::npos)
        return parameter.label;
    std::string words = parameter.path;
    std::replace_if(
        words.begin(), words.end(), [](char c) { return c == '.' || c == '_'; }, ' ');
    words.front() = engine::upperLetter(words.front());
    return words;
}

/// Returns a value of an axis as a name of a series or a panel: "FC-2", "Tracker entries 64".
std::string valueName(const AxisColumn& column, std::size_t at) {
    const engine::Parameter& parameter = *engine::findParameter(column.path);
    const std::string title = placeTitle(parameter, textOf(column, at));
    const bool isBare = parameter.unit == engine::ParameterUnit::none && numberOf(column.values[at]).has_value();
    return isBare ? countName(parameter) + " " + title : title;
}

class ChartBuilder {
public:
    ChartBuilder(const Evaluation& evaluation, const EvaluationFigure& figure, const Reproduction& reproduction,
                 const Settings& settings)
        : m_evaluation(evaluation), m_figure(figure), m_reproduction(reproduction), m_settings(settings),
          m_table(reproduction.tables[figure.sweep]), m_sweep(m_table.sweep), m_metric(*findMetric(figure.metric)),
          m_column(figure.hasX ? columnOf(evaluation, figure) : kNoColumn),
          m_parameter(figure.hasX ? *engine::findParameter(m_column.path) : engine::parameters().front()),
          m_seeds(seedsOf(evaluation, figure)) {
        const auto found = std::ranges::find(m_table.metrics, figure.metric);
        m_metricAt = static_cast<std::size_t>(found - m_table.metrics.begin());
    }

    FigureSpec build() {
        if (m_figure.mark == EvaluationMark::correlation)
            return buildCorrelation();
        FigureSpec spec;
        spec.name = chartName(m_evaluation, m_figure);
        spec.title = chartTitle(m_evaluation, m_figure);
        if (m_figure.hasX) {
            orderPlaces();
            makeLines();
        }
        if (m_lines.size() <= 1)
            spec.legend = FigureLegend::none;
        findUnit();
        for (const std::optional<std::size_t> panel : panelValues()) {
            m_panel = panel;
            addPanel(spec.panels.emplace_back());
        }
        if (spec.panels.size() > 1) {
            spec.columns = 0;
            shareRange(spec.panels);
        }
        // The legend says what the marks are.
        if (std::ranges::any_of(spec.panels, [](const FigurePanel& panel) { return !panel.references.empty(); }))
            spec.legend = FigureLegend::top;
        describe(spec.panels.front(), spec);
        addProvenance(spec.provenance);
        return spec;
    }

private:
    using Points = std::vector<std::size_t>;

    /// The points of one bar in each category, or of one line.
    struct Line {
        std::string name, meaning;
        std::size_t policy = 0;
        const EvaluationItem* item = nullptr;  ///< whose numbers are shown; null: those of the metric
        std::optional<std::size_t> at{};       ///< index of its value of the axis of series
    };

    void addPanel(FigurePanel& panel) {
        panel.y = valueAxis();
        if (m_panel) {
            panel.title = valueName(columnOf(m_sweep, *m_figure.panels), *m_panel);
            m_told += " " + panel.title + ":";
        }
        if (!m_figure.hasX)
            addItems(panel);
        else if (m_figure.mark == EvaluationMark::bars)
            addBars(panel);
        else
            addLines(panel);
        for (const std::size_t item : m_figure.references)
            addReferences(m_evaluation.items[item], panel);
        if (m_figure.hasX && m_figure.mark == EvaluationMark::bars)
            addOwnMarks(panel);
        makeRoom(panel);
        if (!m_figure.xLabel.empty())
            panel.x.title = m_figure.xLabel;
    }

    /// Returns the steps of an axis that have points, in the order of the axis.
    std::vector<std::size_t> stepsOf(const FigureAxisChoice& choice) const {
        std::set<std::size_t> steps;
        for (const std::size_t index : m_figure.points)
            steps.insert(placeOf(m_sweep, index).at[choice.axis]);
        return {steps.begin(), steps.end()};
    }

    std::vector<std::optional<std::size_t>> panelValues() const {
        if (!m_figure.panels)
            return {std::nullopt};
        const std::vector<std::size_t> steps = stepsOf(*m_figure.panels);
        return {steps.begin(), steps.end()};
    }

    void makeLines() {
        const bool byPolicy = m_figure.items.empty();
        for (const std::size_t position : m_figure.items) {
            const EvaluationItem& item = m_evaluation.items[position];
            m_lines.push_back({item.what, policyMeaning(m_sweep.policies[item.policy]), item.policy, &item});
        }
        for (std::size_t i = 0; byPolicy && i < m_figure.policies.size(); ++i) {
            const std::string& policy = m_sweep.policies[m_figure.policies[i]];
            m_lines.push_back(hasPolicies() ? Line{policyTitle(policy), policyMeaning(policy), m_figure.policies[i]}
                                            : Line{m_metric.label, "series/0", m_figure.policies[i]});
        }
        const bool ownColours =
            m_figure.series || !hasPolicies() || (!byPolicy && m_figure.items.size() != m_figure.policies.size());
        if (m_figure.series)
            divideLines();
        for (std::size_t i = 0; ownColours && i < m_lines.size(); ++i)
            m_lines[i].meaning = "series/" + std::to_string(i);
    }

    /// Makes a line for each value of the axis of series out of each line.
    void divideLines() {
        std::vector<Line> divided;
        for (const Line& line : m_lines) {
            for (const std::size_t at : stepsOf(*m_figure.series)) {
                const std::string value = valueName(columnOf(m_sweep, *m_figure.series), at);
                divided.push_back(line);
                divided.back().at = at;
                divided.back().name = m_lines.size() == 1 ? value : line.name + ", " + value;
            }
        }
        m_lines = std::move(divided);
    }

    /// Gives all panels the same range of y, so that they can be compared.
    static void shareRange(std::vector<FigurePanel>& panels) {
        constexpr double kSteps = 5;
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const FigurePanel& panel : panels) {
            const auto take = [&](const FigureSeries& series) {
                for (const std::optional<double>& value : series.values) {
                    least = value ? std::min(least, *value) : least;
                    most = value ? std::max(most, *value) : most;
                }
            };
            if (const auto* lines = std::get_if<LineMark>(&panel.marks.front()))
                std::ranges::for_each(lines->series, take);
            else
                for (const FigureBar& bar : std::get<BarMark>(panel.marks.front()).bars)
                    take(bar.stack.front());
            if (panel.y.from)
                least = std::min(least, *panel.y.from);
        }
        if (!(most > least))
            return;
        const double step = niceStep((most - least) / kSteps);
        for (FigurePanel& panel : panels) {
            panel.y.from = std::floor(least / step + 1e-9) * step;
            panel.y.to = std::ceil(most / step - 1e-9) * step;
        }
    }

    /// Adds the published numbers of items at the bars that show one point.
    void addOwnMarks(FigurePanel& panel) {
        for (std::size_t bar = 0; bar < m_lines.size(); ++bar) {
            const EvaluationItem* item = m_lines[bar].item;
            for (std::size_t i = 0; item != nullptr && !item->published.empty() && i < m_places.size(); ++i) {
                const Points points = pointsAt(m_lines[bar], m_places[i]);
                if (points.size() != 1)
                    continue;
                const auto row =
                    static_cast<std::size_t>(std::ranges::find(item->points, points.front()) - item->points.begin());
                addMark(*item, row, i, bar, panel);
            }
        }
    }

    /// Adds the published number of an item's row at a bar.
    void addMark(const EvaluationItem& item, std::size_t row, std::size_t category, std::size_t bar,
                 FigurePanel& panel) {
        const EvaluationNumber& number = item.published[row];
        panel.references.push_back({number.value / m_unit.size, "Published: " + number.text.substr(0, kLongestNumber),
                                    item.label, category, bar});
        m_published.push_back({item.id, item.label, number.value});
    }

    /// Draws the numbers of the items as bars, with the published ones as marks.
    void addItems(FigurePanel& panel) {
        FigureSeries series{"Ours", "series/0", {}, {}, {}, 0};
        for (std::size_t i = 0; i < m_figure.items.size(); ++i) {
            const EvaluationItem& item = m_evaluation.items[m_figure.items[i]];
            panel.categories.labels.push_back(item.what);
            const auto row = std::ranges::find(m_reproduction.items, item.id,
                                               [](const ReproducedItem& one) { return one.published.id; });
            const bool isThere = row != m_reproduction.items.end() && !std::isnan(row->value);
            series.values.push_back(isThere ? std::optional(row->value / m_unit.size) : std::nullopt);
            m_told += " " + item.what + ": " + (isThere ? row->valueText : std::string("no value")) + ".";
            if (!item.published.empty())
                addMark(item, 0, i, 0, panel);
        }
        BarMark mark;
        mark.bars.push_back({{}, {std::move(series)}});
        panel.marks.emplace_back(std::move(mark));
    }

    FigureSpec buildCorrelation() {
        const EvaluationMeasured& measured = m_evaluation.measured[m_figure.measured];
        const std::vector<MeasuredPair> pairs = pairsOf(m_evaluation, measured, m_reproduction.items);
        FigureSpec spec;
        spec.name = chartName(m_evaluation, m_figure);
        spec.title = chartTitle(m_evaluation, m_figure);
        spec.panels.push_back(correlationPanel(pairs, m_metric));
        spec.panels.front().weight = kCorrelationWeight;
        for (const MeasuredPair& pair : pairs) {
            const ReproducedItem& row = m_reproduction.items[pair.row];
            m_published.push_back({row.published.id, row.published.label, pair.measured});
        }
        describeCorrelation(measured, spec);
        addProvenance(spec.provenance);
        return spec;
    }

    void describeCorrelation(const EvaluationMeasured& measured, FigureSpec& spec) const {
        std::string answers;
        for (const MeasuredAnswer& answer : measuredAnswers(m_evaluation, m_reproduction.items, false)) {
            if (answer.table != m_evaluation.items[measured.item].id || (answer.machine.empty() && answer.n == 0))
                continue;
            answers += " " + (answer.machine.empty() ? std::string("All") : titleOfMachine(answer.machine)) +
                       (answer.target.empty() ? "" : " (" + answer.what + ")") + ": " + sentenceOf(answer) + ".";
        }
        const std::string source = !measured.citation.empty()       ? measured.citation
                                   : !m_evaluation.citation.empty() ? m_evaluation.citation
                                                                    : m_evaluation.source;
        spec.caption = chartSentence(m_evaluation, m_figure) + answers;
        if (!source.empty())
            spec.caption += " Measured values: " + source + (source.ends_with('.') ? "" : ".");
        spec.caption +=
            " " + madeSentence(detailsOf(m_sweep, m_figure.points.front()).experiment.detail.level, m_settings);
        spec.alternative = "Points of simulated over measured " + engine::inASentence(m_metric.label) +
                           ", one for each row, with a line where both are equal. Both axes are logarithmic." + answers;
    }

    /// Collects the values of x that have a point; numbers are in rising order.
    void orderPlaces() {
        std::set<std::size_t> used;
        for (const std::size_t index : m_figure.points)
            used.insert(placeOf(m_sweep, index).at[m_figure.axis]);
        m_places.assign(used.begin(), used.end());
        const auto number = [&](std::size_t at) { return numberOf(m_column.values[at]); };
        m_numeric = std::all_of(m_places.begin(), m_places.end(), [&](std::size_t at) { return number(at); });
        if (m_numeric)
            std::stable_sort(m_places.begin(), m_places.end(),
                             [&](std::size_t a, std::size_t b) { return *number(a) < *number(b); });
    }

    /// Returns the points of a line in the present panel at a value of x, or at all of them.
    Points pointsAt(const Line& line, std::optional<std::size_t> at) const {
        Points points;
        for (const std::size_t index : m_figure.points) {
            const PointPlace place = placeOf(m_sweep, index);
            if (place.policy == line.policy && (!at || place.at[m_figure.axis] == *at) &&
                (!line.at || place.at[m_figure.series->axis] == *line.at) &&
                (!m_panel || place.at[m_figure.panels->axis] == *m_panel) &&
                (line.item == nullptr || std::ranges::binary_search(line.item->points, index)))
                points.push_back(index);
        }
        return points;
    }

    /// Returns the number of a point in base units, or an empty optional if it has none.
    std::optional<double> numberAt(const EvaluationItem* item, std::size_t index) const {
        if (item != nullptr)
            return numberOfPoint(*item, index, m_reproduction.tables);
        const SweepRow& row = m_table.rows[index];
        return row.state == PointState::done ? row.values[m_metricAt] : std::nullopt;
    }

    /// Returns the value in base units, or an empty optional unless each of the points has a value.
    std::optional<double> valueOf(const Points& points, const EvaluationItem* item) const {
        std::vector<double> values;
        for (const std::size_t index : points) {
            const std::optional<double> number = numberAt(item, index);
            if (!number)
                return std::nullopt;
            values.push_back(*number);
        }
        return meanOf(m_figure.mean, values);
    }

    void findUnit() {
        const EvaluationItem* first = firstItem();
        if (first != nullptr ? isPercentage(*first, 0) : isShare(m_metric)) {
            m_unit = kPercent;
            return;
        }
        if (first != nullptr) {
            findUnitOf(*first);
            return;
        }
        double most = 0;
        for (const std::size_t index : m_figure.points)
            most = std::max(most, std::abs(numberAt(nullptr, index).value_or(0)));
        for (const std::size_t item : m_figure.references) {
            for (const EvaluationNumber& number : m_evaluation.items[item].published)
                most = std::max(most, std::abs(number.value));
        }
        m_unit = unitIn(m_metric.unit, formatMetric(m_metric, most));
    }

    const EvaluationItem* firstItem() const {
        return m_figure.items.empty() ? nullptr : &m_evaluation.items[m_figure.items.front()];
    }

    /// Finds the unit of the numbers of items, which have the unit of `first`.
    void findUnitOf(const EvaluationItem& first) {
        double most = 0;
        for (const std::size_t position : m_figure.items) {
            const EvaluationItem& item = m_evaluation.items[position];
            for (const EvaluationNumber& number : item.published)
                most = std::max(most, std::abs(number.value));
            for (const std::size_t index : m_figure.hasX ? item.points : Points())
                most = std::max(most, std::abs(numberAt(&item, index).value_or(0)));
        }
        for (const ReproducedItem& row : m_reproduction.items) {
            const auto isShown = [&](std::size_t position) { return m_evaluation.items[position].id == itemIdOf(row); };
            if (std::ranges::any_of(m_figure.items, isShown) && !std::isnan(row.value))
                most = std::max(most, std::abs(row.value));
        }
        if (unitOf(first) != engine::ParameterUnit::none)
            m_unit = unitIn(unitOf(first), first.place ? axisText(first, most) : formatMetric(m_metric, most));
    }

    FigureAxis valueAxis() const {
        FigureAxis axis = usualValueAxis();
        if (!m_figure.yLabel.empty()) {
            axis.title = m_figure.yLabel;
            if (axis.title.find(axis.relativeTo) != std::string::npos)
                axis.relativeTo.clear();
        }
        if (m_figure.mark == EvaluationMark::lines && (m_figure.series || m_figure.panels))
            axis.from.reset();  // lines of one metric differ by little
        return axis;
    }

    FigureAxis usualValueAxis() const {
        FigureAxis axis;
        if (const EvaluationItem* item = firstItem()) {
            axis.title = m_figure.items.size() == 1 ? item->what
                         : item->place              ? engine::findParameter(item->place->path)->label
                         : item->gain               ? "Gain"
                         : item->saving             ? "Saving"
                         : item->over               ? "Ratio"
                         : item->minus              ? "Difference"
                                                    : m_metric.label;
            axis.unit = m_unit.name;
            if (m_figure.mark == EvaluationMark::bars && !item->gain && !item->minus)
                axis.from = 0;
            return axis;
        }
        if (m_metric.path == "speedup_over_sequential")
            return speedupAxis();
        axis.title = m_metric.label;
        axis.unit = m_unit.name;
        if (m_metric.path == "companion.speedup_over_serial") {
            axis.title = "Speed-up";
            axis.relativeTo = "one after the other";
        } else if (m_metric.path == "companion.fraction_of_ideal") {
            axis.title = "Gain";
            axis.relativeTo = "ideal";
        }
        if (m_figure.mark == EvaluationMark::bars)
            axis.from = 0;
        return axis;
    }

    bool hasPolicies() const { return isTimed(m_sweep.of); }

    /// Returns the values for each seed in base units, without those that are missing.
    std::vector<double> seedValues(const Line& line, std::optional<std::size_t> at) const {
        std::map<std::size_t, Points> bySeed;
        for (const std::size_t index : pointsAt(line, at))
            bySeed[placeOf(m_sweep, index).at[*m_seeds]].push_back(index);
        std::vector<double> values;
        for (const auto& [seed, points] : bySeed) {
            if (const std::optional<double> value = valueOf(points, line.item))
                values.push_back(*value);
        }
        return values;
    }

    /// Adds the error bar of a sample to a series. Returns the mean, or the value of a sample of one.
    std::optional<double> addInterval(FigureSeries& series, const std::vector<double>& sample) const {
        const std::optional<MeanInterval> interval = meanInterval(sample);
        series.low.push_back(interval ? std::optional(interval->low / m_unit.size) : std::nullopt);
        series.high.push_back(interval ? std::optional(interval->high / m_unit.size) : std::nullopt);
        series.samples = static_cast<int>(m_sweep.axes[*m_seeds].size());
        return interval ? std::optional(interval->mean) : sample.empty() ? std::nullopt : std::optional(sample.front());
    }

    /// Returns the numbers of a line.
    FigureSeries seriesOf(const Line& line) {
        FigureSeries series{line.name, line.meaning, {}, {}, {}, 0};
        std::vector<double> values;
        const auto put = [&](std::optional<std::size_t> at) {
            std::optional<double> value =
                m_seeds ? addInterval(series, seedValues(line, at)) : valueOf(pointsAt(line, at), line.item);
            if (value)
                values.push_back(*value /= m_unit.size);
            series.values.push_back(value);
        };
        for (const std::size_t at : m_places)
            put(at);
        if (m_figure.all)
            put(std::nullopt);
        const bool few = m_lines.size() == 1 && series.values.size() <= kMostListedValues;
        m_told += " " + series.name + ": " + (few ? eachText(series.values) : spanText(values)) + ".";
        return series;
    }

    /// Returns all values in the order of the places: "120 GB, 31.4 GB".
    std::string eachText(const FigureValues& values) const {
        std::string text;
        for (const std::optional<double>& value : values)
            text += (text.empty() ? "" : ", ") + (value ? valueText(*value) : std::string("no value"));
        return text;
    }

    /// Returns a value in the unit of the axis: "120 GB".
    std::string valueText(double value) const {
        if (m_unit.name == kPercent.name)
            return fixedNumber(value, kPercentDecimals) + " " + m_unit.name;
        const EvaluationItem* item = firstItem();
        return item == nullptr ? formatMetric(m_metric, value * m_unit.size) : itemText(*item, 0, value * m_unit.size);
    }

    /// Returns the range of the values: "1.13 to 1.47 us".
    std::string spanText(const std::vector<double>& values) const {
        if (values.empty())
            return "no value";
        return rangeText(values, decimalsFor(values)) + (m_unit.name.empty() ? "" : " " + m_unit.name);
    }

    static int decimalsFor(const std::vector<double>& values) {
        const double most = *std::max_element(values.begin(), values.end());
        return std::clamp(2 - static_cast<int>(std::floor(std::log10(std::max(most, 1e-3)))), 0, 4);
    }

    void addCategories(FigurePanel& panel) const {
        for (const std::size_t at : m_places)
            panel.categories.labels.push_back(placeTitle(m_parameter, textOf(m_column, at)));
        if (m_figure.all)
            panel.categories.labels.emplace_back("All");
        panel.x.title = m_parameter.label;
    }

    void addBars(FigurePanel& panel) {
        addCategories(panel);
        BarMark mark;
        for (const Line& line : m_lines)
            mark.bars.push_back({{}, {seriesOf(line)}});
        panel.marks.emplace_back(std::move(mark));
    }

    void addLines(FigurePanel& panel) {
        LineMark mark;
        if (m_numeric) {
            const engine::ParameterValue& largest = m_column.values[m_places.back()];
            SharedUnit unit = unitIn(m_parameter.unit, engine::formatValue(m_parameter, largest));
            if (const auto shared = unitOf(m_column))
                unit = {std::string(shared->text), static_cast<double>(shared->factor)};
            panel.x.title = parameterTitle(m_parameter);
            panel.x.unit = unit.name;
            for (const std::size_t at : m_places)
                mark.x.push_back(*numberOf(m_column.values[at]) / unit.size);
            if (mark.x.size() <= kMostOwnTicks)
                panel.x.ticks = mark.x;
            if (isByRatio(m_column, mark.x))
                panel.x.scale = FigureScale::logarithmic;
        } else {
            addCategories(panel);
        }
        for (const Line& line : m_lines)
            mark.series.push_back(seriesOf(line));
        if (reachesDown(mark))
            panel.y.from = 0;
        panel.marks.emplace_back(std::move(mark));
    }

    /// Returns whether the axis of these lines, which have no negative value, has most of its length down to zero
    /// anyway.
    static bool reachesDown(const LineMark& mark) {
        constexpr double kHigh = 0.75;  // of the largest value
        double least = std::numeric_limits<double>::infinity(), most = 0;
        for (const FigureSeries& series : mark.series) {
            for (const std::optional<double>& value : series.values) {
                least = value ? std::min(least, *value) : least;
                most = value ? std::max(most, *value) : most;
            }
        }
        return least >= 0 && least < kHigh * most;
    }

    /// Returns the bar with the item's policy, the only bar of the figure that the item reads.
    std::optional<std::size_t> barOf(const EvaluationItem& item) const {
        std::optional<std::size_t> bar;
        for (std::size_t i = 0; i < m_figure.policies.size(); ++i) {
            const std::size_t policy = m_figure.policies[i];
            const bool read = (item.sweep == m_figure.sweep && item.policy == policy) ||
                              (item.over && item.over->sweep == m_figure.sweep && item.over->policy == policy);
            if (read && bar)
                return std::nullopt;
            if (read)
                bar = i;
        }
        return bar;
    }

    /// Returns the category whose bar combines exactly these points; the last category combines all places.
    std::optional<std::size_t> categoryOf(const Points& points, std::size_t bar) const {
        const Line& line = m_lines[bar];
        const std::size_t count = m_sweep.policies.size();
        const auto areThose = [&](const Points& own) {
            return std::ranges::equal(
                own, points, {}, [&](std::size_t index) { return index / count; },
                [&](std::size_t index) { return index / count; });
        };
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            if (areThose(pointsAt(line, m_places[i])))
                return i;
        }
        return m_figure.all && areThose(pointsAt(line, std::nullopt)) ? std::optional(m_places.size()) : std::nullopt;
    }

    void addReferences(const EvaluationItem& item, FigurePanel& panel) {
        const bool each = item.mean == EvaluationMean::each;
        const auto bar = m_figure.mark == EvaluationMark::bars ? barOf(item) : std::nullopt;
        const bool comparable =
            each || item.mean == EvaluationMean::value || item.mean == m_figure.mean || item.points.size() == 1;
        for (std::size_t row = 0; row < item.published.size(); ++row) {
            const EvaluationNumber& number = item.published[row];
            const Points points = each ? Points{item.points[row]} : item.points;
            const auto category = bar && comparable ? categoryOf(points, *bar) : std::nullopt;
            if (each && !category)
                continue;  // the figure has no bar for this point alone
            const std::string shown = number.text.substr(0, kLongestNumber);
            FigureReference mark{number.value / m_unit.size, item.id + ", published: " + shown, item.label, {}, {}};
            if (category) {
                mark.text = "Published: " + shown;
                mark.category = category;
                mark.bar = bar;
            }
            panel.references.push_back(std::move(mark));
            m_published.push_back({item.id, item.label, number.value});
        }
    }

    /// Raises the end of the axis so that the texts at marks and lines have room above the highest bar.
    void makeRoom(FigurePanel& panel) const {
        if (m_figure.mark != EvaluationMark::bars || panel.references.empty())
            return;
        double most = 0;
        for (const FigureReference& reference : panel.references)
            most = std::max(most, reference.value);
        for (const FigureBar& bar : std::get<BarMark>(panel.marks.front()).bars) {
            for (const std::optional<double>& value : bar.stack.front().values)
                most = std::max(most, value.value_or(0));
        }
        if (most > 0)
            panel.y.to = roundedTo(most * kHeadroom, 2);
    }

    std::string comparedText() const {
        std::string text;
        for (const std::size_t item : m_figure.items.empty() ? m_figure.references : m_figure.items) {
            const EvaluationItem& compared = m_evaluation.items[item];
            for (const ReproducedItem& row : m_reproduction.items) {
                const bool own = row.published.id == compared.id || row.published.id.starts_with(compared.id + "[");
                if (!own || row.publishedText.empty())
                    continue;
                text += (text.empty() ? " " : "; ") + row.published.id + " " +
                        (!row.valueText.empty()              ? row.valueText
                         : row.verdict == RowVerdict::notRun ? std::string("not run")
                                                             : row.note) +
                        " (" + publishedText(row.publishedText, compared.label);
                if (!std::isnan(row.difference))
                    text += ", " + signedText(100 * row.difference, 1, row.isFraction ? "points" : "%");
                text += ")";
            }
        }
        return text.empty() ? text : text + ".";
    }

    std::string markWords() const {
        const bool bars = m_figure.mark == EvaluationMark::bars;
        if (m_figure.series || !m_figure.items.empty())
            return bars ? "Bars" : "Lines";
        if (hasPolicies())
            return bars ? "Bars by policy" : "Lines by policy";
        return bars ? "Bars" : "A line";
    }

    void describe(const FigurePanel& panel, FigureSpec& spec) const {
        spec.caption = chartSentence(m_evaluation, m_figure);
        const std::string source = m_evaluation.citation.empty() ? m_evaluation.source : m_evaluation.citation;
        if (!panel.references.empty())
            spec.caption +=
                " Marks are published values" + (source.empty() ? "" : " (" + source + ")") + ":" + comparedText();
        std::string values;
        for (const std::size_t at : m_places)
            values += (values.empty() ? "" : ", ") + placeTitle(m_parameter, textOf(m_column, at));
        spec.alternative = markWords();
        if (m_figure.hasX)
            spec.alternative += " over " + engine::inASentence(m_parameter.label) + ": " + values +
                                (m_figure.all ? ", and all together" : "");
        spec.alternative += "." + (hasPolicies() && m_figure.items.empty() ? " " + m_metric.label + "." : "") + m_told;
        const engine::Experiment first = detailsOf(m_sweep, m_figure.points.front()).experiment;
        spec.provenance.notices = qualifyingNotices(m_table, m_figure.points);
        spec.caption += noticeSentences(spec.provenance.notices);
        spec.caption +=
            " " + (hasPolicies() ? madeSentence(first.detail.level, m_settings) : computedSentence(m_settings));
    }

    /// Returns the name of a point's subject: "small/fc-2/tp4 t3", "gpt-3/tp8 prompt t3", "7500000000 weights/tp1
    /// footprint".
    std::string subjectName(const PointDetails& details) const {
        std::string name = isOfModels(m_sweep.of)
                               ? modelCaseName(details.experiment) + " " + std::string(data::name(m_sweep.of))
                               : caseName(details.experiment);
        return hasPolicies() ? name + " " + m_sweep.policies[details.policy] : name;
    }

    bool isInSubjectName(const std::string& path) const {
        return path == "workload.model" || path == "parallel.tp" ||
               path == (isOfModels(m_sweep.of) ? "division.weights" : "workload.sublayer");
    }

    /// Returns a name that distinguishes a point from other points of the same sub-layer or model.
    std::string experimentName(std::size_t index, const PointDetails& details) const {
        std::string name = subjectName(details);
        for (std::size_t axis = 0; axis < m_sweep.axes.size(); ++axis) {
            for (const AxisColumn& column : m_sweep.axes[axis].columns) {
                if (isInSubjectName(column.path))
                    continue;
                name += " " + column.path + "=" +
                        engine::formatValue(*engine::findParameter(column.path), column.values[details.at[axis]]);
            }
        }
        return m_names.contains(name) ? name + " #" + std::to_string(index) : name;
    }

    void addProvenance(FigureProvenance& provenance) {
        provenance.program = "Ringside " RINGSIDE_VERSION;
        provenance.engine = engine::engineVersion();
        provenance.published = m_published;
        if (!m_published.empty())
            provenance.publishedSource = m_evaluation.source;
        Points carried = m_figure.points;
        if (carried.size() > kMostExperiments)
            carried.resize(1);
        for (const std::size_t index : carried) {
            const PointDetails details = detailsOf(m_sweep, index);
            const std::string name = experimentName(index, details);
            m_names.insert(name);
            provenance.experiments.push_back({name, experimentHash(details.experiment), writeDraft(details.draft)});
        }
    }

    const Evaluation& m_evaluation;
    const EvaluationFigure& m_figure;
    const Reproduction& m_reproduction;
    const Settings& m_settings;
    const SweepTable& m_table;
    const Sweep& m_sweep;
    const Metric& m_metric;
    const AxisColumn& m_column;
    const engine::Parameter& m_parameter;
    std::optional<std::size_t> m_seeds;  // the axis over whose values the figure averages
    std::size_t m_metricAt = 0;
    std::vector<Line> m_lines;
    std::optional<std::size_t> m_panel;  // the value of the axis of panels in the present panel
    std::vector<std::size_t> m_places;   // indices of the values along x
    bool m_numeric = false;
    SharedUnit m_unit;
    std::string m_told;
    std::vector<FigureProvenance::Published> m_published;
    std::set<std::string> m_names;
};

}  // namespace

FigurePanel correlationPanel(const std::vector<MeasuredPair>& pairs, const Metric& metric) {
    FigurePanel panel;
    panel.x.title = "Measured " + engine::inASentence(metric.label);
    panel.y.title = "Simulated " + engine::inASentence(metric.label);
    if (pairs.empty())
        return panel;
    double least = pairs.front().ours, most = least, logarithms = 0;
    for (const MeasuredPair& pair : pairs) {
        least = std::min({least, pair.ours, pair.measured});
        most = std::max({most, pair.ours, pair.measured});
        logarithms += std::log(pair.measured);
    }
    const SharedUnit unit =
        unitIn(metric.unit, formatMetric(metric, std::exp(logarithms / static_cast<double>(pairs.size()))));
    for (FigureAxis* axis : {&panel.x, &panel.y}) {
        axis->unit = unit.name;
        axis->scale = FigureScale::logarithmic;
        axis->from = roundedTo(least / unit.size / kCorrelationRoom, 2);
        axis->to = roundedTo(most / unit.size * kCorrelationRoom, 2);
    }
    addBand(panel);
    LineMark points;
    points.joined = false;
    std::vector<std::string> machines;
    for (const MeasuredPair& pair : pairs) {
        points.x.push_back(pair.measured / unit.size);
        if (isAmong(machines, pair.machine))
            continue;
        points.series.push_back(
            {titleOfMachine(pair.machine), "series/" + std::to_string(machines.size()), {}, {}, {}, 0});
        machines.push_back(pair.machine);
    }
    for (std::size_t i = 0; i < machines.size(); ++i) {
        for (const MeasuredPair& pair : pairs)
            points.series[i].values.push_back(pair.machine == machines[i] ? std::optional(pair.ours / unit.size)
                                                                          : std::nullopt);
    }
    panel.marks.emplace_back(std::move(points));
    return panel;
}

std::string chartName(const Evaluation& evaluation, const EvaluationFigure& figure) {
    std::string name = evaluation.name;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_'; }, '-');
    name.resize(std::min(name.size(), kLongestChartName - figure.name.size() - 1));
    return name + "-" + figure.name;
}

std::string chartTitle(const Evaluation& evaluation, const EvaluationFigure& figure) {
    if (!figure.title.empty())
        return figure.title;
    if (figure.mark == EvaluationMark::correlation)
        return evaluation.title + ": " +
               engine::inASentence(evaluation.items[evaluation.measured[figure.measured].item].what) +
               ", simulated and measured";
    const std::string by = figure.hasX ? " by " + axisLabel(evaluation, figure) : "";
    return evaluation.title + ": " + engine::inASentence(quantityOf(evaluation, figure)) + by;
}

std::string chartSentence(const Evaluation& evaluation, const EvaluationFigure& figure) {
    if (figure.mark == EvaluationMark::correlation)
        return chartTitle(evaluation, figure) + ". " + findMetric(figure.metric)->label +
               " over the measured one, with lines where both are equal and where they are 10 % apart.";
    std::string text = figure.title.empty() ? "" : figure.title + ". ";
    text += quantityOf(evaluation, figure);
    if (!figure.hasX)
        return text + ".";
    text += " by " + axisLabel(evaluation, figure);
    const Sweep& sweep = evaluation.sweeps[figure.sweep].sweep;
    const auto divided = [&](const char* what, const std::optional<FigureAxisChoice>& by) {
        if (by)
            text += std::string(", ") + what + " for each value of " +
                    engine::inASentence(countName(*engine::findParameter(columnOf(sweep, *by).path)));
    };
    divided(figure.mark == EvaluationMark::bars ? "a bar" : "a line", figure.series);
    divided("a panel", figure.panels);
    if (const std::size_t points = pointsAtOnePlace(evaluation, figure); points > 1)
        text += ", the " + meanWords(figure.mean) + " of " + std::to_string(points) + " points each";
    if (const auto seeds = seedsOf(evaluation, figure))
        text += "; means over " + std::to_string(sweep.axes[*seeds].size()) +
                " seeds, error bars are 95 % confidence intervals (Student's t)";
    if (figure.all)
        text += "; the last group has the " + meanWords(figure.mean) + " of all points";
    return text + ".";
}

FigureSpec chartOf(const Evaluation& evaluation, const EvaluationFigure& figure, const Reproduction& reproduction,
                   const Settings& settings) {
    return ChartBuilder(evaluation, figure, reproduction, settings).build();
}

bool hasValues(const FigureSpec& chart) {
    const auto some = [](const FigureSeries& series) {
        return std::any_of(series.values.begin(), series.values.end(),
                           [](const auto& value) { return value.has_value(); });
    };
    for (const FigurePanel& panel : chart.panels) {
        for (const FigureMark& mark : panel.marks) {
            if (const auto* bars = std::get_if<BarMark>(&mark);
                bars != nullptr && std::any_of(bars->bars.begin(), bars->bars.end(), [&](const FigureBar& bar) {
                    return std::any_of(bar.stack.begin(), bar.stack.end(), some);
                }))
                return true;
            if (const auto* lines = std::get_if<LineMark>(&mark);
                lines != nullptr && std::any_of(lines->series.begin(), lines->series.end(), some))
                return true;
        }
    }
    return false;
}

}  // namespace data
