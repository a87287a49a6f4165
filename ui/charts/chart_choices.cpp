#include "ui/charts/chart_choices.h"

#include "data/document/document_body.h"
#include "data/document/names.h"
#include "data/figure/figure_choice.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_plan.h"
#include "engine/api/parameters.h"
#include "ui/charts/sweep_axes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ui {
namespace {

using engine::Problems;

std::string listed(const std::vector<std::string>& names) { return data::joinedNames(names, " and "); }

/// Reads the words of a chart one after the other.
class ChoiceReader {
public:
    ChoiceReader(data::Sweep sweep, Problems& problems) : m_problems(problems) { m_choice.sweep = std::move(sweep); }

    ChartChoice read(const std::vector<std::string>& words) {
        for (const std::string& word : words) {
            const auto [option, value] = data::choiceOf(word);
            if (option == "where") {
                m_conditions.push_back(value);
                keepOnly(value);
            } else {
                m_asked.emplace_back(option, value);
            }
        }
        if (m_problems.empty())
            chooseMetric();
        if (m_problems.empty())
            chooseKind();
        if (m_problems.empty())
            giveRoles();
        return std::move(m_choice);
    }

private:
    data::Sweep& sweep() { return m_choice.sweep; }

    void refuse(const std::string& option, const std::string& value, const std::string& text) {
        m_problems.push_back({"--" + option, value, text});
    }

    std::optional<std::string> asked(const std::string& option) const {
        for (const auto& [name, value] : m_asked) {
            if (name == option)
                return value;
        }
        return {};
    }

    /// Returns the axis that varies this parameter.
    std::optional<std::size_t> axisOf(const std::string& path) {
        for (std::size_t axis = 0; axis < sweep().axes.size(); ++axis) {
            if (std::ranges::any_of(sweep().axes[axis].columns,
                                    [&](const data::AxisColumn& column) { return column.path == path; }))
                return axis;
        }
        return {};
    }

    std::string axesText() {
        const std::vector<std::string> paths = data::axisPaths(sweep());
        return paths.empty() ? "the sweep has no axes" : "the axes of the sweep are " + listed(paths);
    }

    void keepOnly(const std::string& condition) {
        if (condition.find('=') == std::string::npos)
            return refuse("where", condition, "PATH=VALUE is expected, such as workload.sublayer=fc-2");
        const auto [path, list] = data::choiceOf(condition);
        const std::vector<std::string> values = data::wordsOfList(list);
        if (path == "policy" || path == "policy.preset")
            return keepPolicies(condition, values);
        const std::optional<std::size_t> axis = axisOf(path);
        if (!axis)
            return refuse("where", condition,
                          "no axis of the sweep varies this parameter; " + axesText() + ", and policy");
        keepValues(condition, *axis, path, values);
    }

    void keepPolicies(const std::string& condition, const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            if (!data::isAmong(sweep().policies, name))
                return refuse("where", condition,
                              "nothing is selected: the sweep has no policy " + name + "; its policies are " +
                                  listed(sweep().policies));
        }
        std::erase_if(sweep().policies, [&](const std::string& policy) { return !data::isAmong(names, policy); });
    }

    void keepValues(const std::string& condition, std::size_t axis, const std::string& path,
                    const std::vector<std::string>& texts) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        std::vector<data::AxisColumn>& columns = sweep().axes[axis].columns;
        const auto column = std::ranges::find(columns, path, &data::AxisColumn::path);
        std::vector<std::string> there;
        for (const engine::ParameterValue& value : column->values)
            there.push_back(engine::formatValue(parameter, value));
        std::vector<std::size_t> kept;
        for (const std::string& text : texts) {
            Problems ignored;
            const auto value = engine::parseValue(parameter, text, ignored);
            const auto found = value ? std::ranges::find(column->values, *value) : column->values.end();
            if (found == column->values.end())
                return refuse("where", condition,
                              "nothing is selected: the axis has no value " + text + "; it has " + listed(there));
            data::addOnce(kept, static_cast<std::size_t>(found - column->values.begin()));
        }
        std::ranges::sort(kept);
        for (data::AxisColumn& one : columns) {
            std::vector<engine::ParameterValue> values;
            for (const std::size_t index : kept)
                values.push_back(one.values[index]);
            one.values = std::move(values);
            one.range.reset();
        }
    }

    /// Returns the index of a metric of the sweep, which is added if only the results have it.
    std::optional<std::size_t> metricNamed(const std::string& option, const std::string& path) {
        std::vector<std::string>& metrics = sweep().metrics;
        if (!data::isAmong(metrics, path)) {
            if (data::findMetric(path, sweep().of) == nullptr) {
                const auto near = data::nearestMetrics(path, sweep().of);
                refuse(option, path,
                       "no such metric" + (near.empty() ? std::string() : ", did you mean " + near.front() + "?") +
                           "; the sweep has " + listed(metrics));
                return {};
            }
            metrics.push_back(path);
        }
        return static_cast<std::size_t>(std::ranges::find(metrics, path) - metrics.begin());
    }

    void chooseMetric() {
        if (const auto y = asked("y"))
            m_choice.metric = metricNamed("y", *y).value_or(0);
        if (const auto against = asked("against"))
            m_choice.settings.against = metricNamed("against", *against);
        const auto scale = asked("scale");
        if (scale && *scale != "linear" && *scale != "logarithmic")
            refuse("scale", *scale, "allowed: linear and logarithmic");
        if (scale)
            m_choice.settings.scale = *scale == "linear" ? ValueScale::linear : ValueScale::logarithmic;
        m_choice.settings.published = asked("published") == "true";
        m_choice.settings.points = asked("points") == "true";
        if (m_choice.settings.points && !data::seedAxis(sweep()))
            refuse("points", "true",
                   "the points are those behind means over seeds, and the sweep has no axis of seeds");
    }

    void chooseKind() {
        const auto word = asked("kind");
        if (!word)
            return;
        std::vector<std::string> words;
        for (const ChartKind kind : kChartKinds) {
            words.emplace_back(wordOf(kind));
            if (words.back() == *word)
                m_choice.settings.kind = kind;
        }
        if (!m_choice.settings.kind)
            refuse("kind", *word, "no such chart; allowed: " + listed(words));
    }

    /// Returns the axis that an option gives a place.
    std::optional<std::size_t> placed(const std::string& option) {
        const auto path = asked(option);
        if (!path)
            return {};
        const std::optional<std::size_t> axis = axisOf(*path);
        if (!axis)
            refuse(option, *path,
                   "no axis of the sweep varies this parameter; " + axesText() +
                       (option == "series" ? ", and policy is allowed as well" : ""));
        else if (data::isAmong(m_placed, *axis))
            refuse(option, *path, "the axis has a place in the chart already");
        else
            m_placed.push_back(*axis);
        return axis;
    }

    /// Returns the first axis with several values that has no place yet.
    std::optional<std::size_t> nextFree(bool numeric = false) {
        for (std::size_t axis = 0; axis < sweep().axes.size(); ++axis) {
            if (sweep().axes[axis].size() > 1 && !data::isAmong(m_placed, axis) &&
                (!numeric || isNumeric(sweep().axes[axis]))) {
                m_placed.push_back(axis);
                return axis;
            }
        }
        return {};
    }

    /// Seeds need no place in charts of lines, which show their mean.
    void aggregateSeeds() {
        const std::optional<std::size_t> seeds = data::seedAxis(sweep());
        const auto seed = std::ranges::find_if(sweep().axes, [](const data::SweepAxis& axis) {
            return axis.columns.size() == 1 && axis.columns.front().path == "seed";
        });
        const bool conditioned =
            std::ranges::any_of(m_conditions, [](const std::string& one) { return one.starts_with("seed="); });
        if (seed != sweep().axes.end() && !seeds && !conditioned)
            refuse("where", "seed",
                   "the axis has one seed, and a mean with an interval needs at least two; allowed: --where "
                   "seed=N for the runs with one seed");
        const bool lines = !m_choice.settings.kind || !hasPolicyPanels(*m_choice.settings.kind);
        const bool wanted = asked("x") == "seed" || asked("series") == "seed" || asked("panels") == "seed";
        if (seeds && lines && !wanted)
            m_placed.push_back(*seeds);
    }

    void giveRoles() {
        ChartSettings& settings = m_choice.settings;
        settings.held.assign(sweep().axes.size(), 0);
        aggregateSeeds();
        if (settings.kind && rolesOf(*settings.kind) == 0)
            return;
        settings.across = placed("x");
        const bool ofPolicies = asked("series") == "policy";
        if (!ofPolicies)
            settings.second = placed("series");
        settings.panels = placed("panels");
        if (!m_problems.empty())
            return;
        if (!settings.across)
            settings.across = nextFree(true);
        if (!settings.across)
            settings.across = nextFree();
        if (!settings.across && !sweep().axes.empty())  // every axis has one value
            settings.across = 0;
        if (!settings.second && !ofPolicies)
            settings.second = nextFree();
        if (!settings.panels)
            settings.panels = nextFree();
        while (const std::optional<std::size_t> axis = nextFree())
            refuse(
                "where", sweep().axes[*axis].columns.front().path,
                "the axis has " + std::to_string(sweep().axes[*axis].size()) +
                    " values and no place in the chart, so that several points would have one place; give it one with "
                    "--x, --series or --panels, or select one value with --where");
        if (settings.kind)
            return checkKind(*settings.kind);
        settings.kind = settings.panels   ? ChartKind::smallMultiples
                        : settings.second ? ChartKind::groupedLines
                                          : ChartKind::lines;
    }

    void checkKind(ChartKind kind) {
        const std::size_t needed = std::size_t{m_choice.settings.across.has_value()} +
                                   std::size_t{m_choice.settings.second.has_value()} +
                                   std::size_t{m_choice.settings.panels.has_value()};
        if (rolesOf(kind) < needed)
            refuse("kind", std::string(wordOf(kind)),
                   "this chart has places for " + std::to_string(rolesOf(kind)) + " axes, and " +
                       std::to_string(needed) + " have several values or a place");
    }

    ChartChoice m_choice;
    std::vector<std::pair<std::string, std::string>> m_asked;
    std::vector<std::string> m_conditions;
    std::vector<std::size_t> m_placed;
    Problems& m_problems;
};

/// Returns the condition that leaves the first parameter of an axis this value.
std::string condition(const data::SweepAxis& axis, std::size_t value) {
    const data::AxisColumn& column = axis.columns.front();
    return "where=" + column.path + "=" +
           engine::formatValue(*engine::findParameter(column.path), column.values[value]);
}

}  // namespace

ChartChoice readChartChoice(data::Sweep sweep, const std::vector<std::string>& words, Problems& problems) {
    return ChoiceReader(std::move(sweep), problems).read(words);
}

std::vector<std::string> chartWords(const data::Sweep& sweep, const ChartPlan& plan, std::size_t metric,
                                    ValueScale scale, bool published, bool points) {
    std::vector<std::string> words;
    for (const std::size_t axis : plan.heldAxes) {
        if (sweep.axes[axis].size() > 1)
            words.push_back(condition(sweep.axes[axis], plan.held[axis]));
    }
    if (plan.policies.size() < sweep.policies.size()) {
        std::vector<std::string> names;
        for (const std::size_t policy : plan.policies)
            names.push_back(sweep.policies[policy]);
        words.push_back("where=policy=" + data::joined(names, ","));
    }
    words.push_back("kind=" + std::string(wordOf(plan.kind)));
    for (const auto& [option, axis] :
         {std::pair{"x", plan.across}, std::pair{"series", plan.second}, std::pair{"panels", plan.panels}}) {
        if (axis)
            words.push_back(std::string(option) + "=" + sweep.axes[*axis].columns.front().path);
    }
    if (metric < sweep.metrics.size())
        words.push_back("y=" + sweep.metrics[metric]);
    if (plan.kind == ChartKind::pareto && plan.against && *plan.against < sweep.metrics.size())
        words.push_back("against=" + sweep.metrics[*plan.against]);
    if (scale != ValueScale::automatic)
        words.emplace_back(scale == ValueScale::linear ? "scale=linear" : "scale=logarithmic");
    if (published)
        words.emplace_back("published=true");
    if (points)
        words.emplace_back("points=true");
    return words;
}

}  // namespace ui
