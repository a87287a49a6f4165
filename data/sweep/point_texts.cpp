#include "data/sweep/point_texts.h"

#include "data/results/metric_columns.h"
#include "data/results/metrics.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace data {
namespace {

constexpr int kMostDecimals = 3;
constexpr double kWidest = 1e4;  // a column with numbers further apart has more decimals than its smallest one needs

/// Returns the values in a unit, or an empty list if one of them is below 1 or needs too many decimals.
std::vector<std::string> inUnit(const engine::Parameter& parameter, const std::vector<engine::ParameterValue>& values,
                                const engine::UnitName& unit) {
    std::vector<std::string> texts;
    for (const engine::ParameterValue& value : values) {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (number == nullptr) {
            texts.push_back(engine::formatValue(parameter, value));
            continue;
        }
        const bool fits = *number == 0 || std::abs(*number) >= unit.factor;
        const auto text = fits ? engine::exactQuotient(*number, unit.factor, kMostDecimals) : std::nullopt;
        if (!text)
            return {};
        texts.push_back(*text + " " + std::string(unit.text));
    }
    return texts;
}

/// Returns the values in the largest unit that gives all of them with few decimals.
std::vector<std::string> textsOf(const AxisColumn& column) {
    const engine::Parameter& parameter = *engine::findParameter(column.path);
    std::vector<engine::UnitName> units;
    for (const engine::UnitName& unit : engine::unitNames(parameter.unit)) {
        if (unit.shown && parameter.unit != engine::ParameterUnit::toOne)
            units.push_back(unit);
    }
    std::stable_sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.factor > b.factor; });
    for (const engine::UnitName& unit : units) {
        if (std::vector<std::string> texts = inUnit(parameter, column.values, unit); !texts.empty())
            return texts;
    }
    std::vector<std::string> texts;
    for (const engine::ParameterValue& value : column.values)
        texts.push_back(engine::formatValue(parameter, value));
    return texts;
}

/// Returns the smallest number of a metric besides 0, or a larger one if the greatest is very far from it.
double likeOf(const SweepTable& table, std::size_t metric) {
    double least = 0, most = 0;
    for (const SweepRow& row : table.rows) {
        if (row.state != PointState::done || !row.values[metric] || *row.values[metric] == 0)
            continue;
        const double size = std::abs(*row.values[metric]);
        least = least == 0 ? size : std::min(least, size);
        most = std::max(most, size);
    }
    return std::max(least, most / kWidest);
}

}  // namespace

PointTexts::PointTexts(const SweepTable& table) : m_table(table) {
    for (const SweepAxis& axis : table.sweep.axes) {
        std::vector<std::vector<std::string>>& columns = m_values.emplace_back();
        for (const AxisColumn& column : axis.columns)
            columns.push_back(textsOf(column));
    }
    for (std::size_t metric = 0; metric < table.metrics.size(); ++metric)
        m_like.push_back(likeOf(table, metric));
}

std::string PointTexts::numberOf(std::size_t metric, double number) const {
    return formatMetricLike(*findMetric(m_table.metrics[metric]), number, m_like[metric]);
}

}  // namespace data
