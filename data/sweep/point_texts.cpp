#include "data/sweep/point_texts.h"

#include "data/document/value_places.h"
#include "data/results/metric_columns.h"
#include "data/results/metrics.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

namespace data {
namespace {

constexpr int kMostDecimals = 3;
constexpr double kWidest = 1e4;  // a column with numbers further apart has more decimals than its smallest one needs

std::optional<std::string> textIn(const engine::UnitName& unit, std::int64_t number) {
    const auto text = engine::exactQuotient(number, unit.factor, kMostDecimals);
    return text ? std::optional(*text + " " + std::string(unit.text)) : std::nullopt;
}

/// Returns whether all numbers have few decimals in a unit and, unless the document has it, none is below 1.
bool suits(const engine::UnitName& unit, const AxisColumn& column, bool written) {
    return std::ranges::all_of(column.values, [&](const engine::ParameterValue& value) {
        const auto* number = std::get_if<std::int64_t>(&value);
        return number == nullptr ||
               ((written || *number == 0 || std::abs(*number) >= unit.factor) && textIn(unit, *number).has_value());
    });
}

std::string textIn(const std::optional<engine::UnitName>& unit, const AxisColumn& column, std::size_t value) {
    const engine::ParameterValue& given = column.values.at(value);
    if (const auto* number = std::get_if<std::int64_t>(&given); number != nullptr && unit)
        return textIn(*unit, *number).value();
    if (const engine::Parameter* parameter = engine::findParameter(column.path))
        return engine::formatValue(*parameter, given);
    const auto* word = std::get_if<std::string>(&given);
    return word != nullptr ? *word : std::to_string(numberOf(given).value_or(0));
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

std::optional<engine::UnitName> unitOf(const AxisColumn& column) {
    const engine::Parameter* parameter = engine::findParameter(column.path);
    if (parameter == nullptr || parameter->unit == engine::ParameterUnit::none ||
        parameter->unit == engine::ParameterUnit::toOne || std::ranges::none_of(column.values, [](const auto& value) {
            return std::holds_alternative<std::int64_t>(value);
        }))
        return std::nullopt;
    std::vector<engine::UnitName> units;
    for (const engine::UnitName& unit : engine::unitNames(parameter->unit)) {
        if (unit.shown)
            units.push_back(unit);
    }
    std::ranges::stable_sort(units, std::ranges::greater(), &engine::UnitName::factor);
    const auto written = engine::unitFactor(parameter->unit, column.unit);
    for (const engine::UnitName& unit : units) {
        if (written && unit.factor == *written && suits(unit, column, true))
            return unit;
    }
    const auto found = std::ranges::find_if(units, [&](const auto& unit) { return suits(unit, column, false); });
    return found == units.end() ? std::nullopt : std::optional(*found);
}

std::string textOf(const AxisColumn& column, std::size_t value) { return textIn(unitOf(column), column, value); }

PointTexts::PointTexts(const SweepTable& table) : m_table(table) {
    for (const SweepAxis& axis : table.sweep.axes) {
        std::vector<std::vector<std::string>>& columns = m_values.emplace_back();
        for (const AxisColumn& column : axis.columns) {
            std::vector<std::string>& texts = columns.emplace_back();
            const auto unit = unitOf(column);
            for (std::size_t value = 0; value < column.values.size(); ++value)
                texts.push_back(textIn(unit, column, value));
        }
    }
    for (std::size_t metric = 0; metric < table.metrics.size(); ++metric)
        m_like.push_back(likeOf(table, metric));
}

std::string PointTexts::numberOf(std::size_t metric, double number) const {
    return formatMetricLike(*findMetric(m_table.metrics[metric]), number, m_like[metric]);
}

}  // namespace data
