#include "ui/charts/sweep_axes.h"

#include "data/document/value_places.h"
#include "data/sweep/point_texts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <variant>

namespace ui {
namespace {

constexpr ScaledUnit kNone[]{{1, ""}};
constexpr ScaledUnit kEnteredBytes[]{{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {1024, "KiB"}, {1, "B"}};
constexpr ScaledUnit kBytes[]{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
constexpr ScaledUnit kHertz[]{{1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}, {1, "Hz"}};
constexpr ScaledUnit kFlopRates[]{
    {1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}, {1, "FLOP/s"}};
constexpr ScaledUnit kRates[]{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};

std::span<const ScaledUnit> unitsOf(engine::ParameterUnit unit, bool measured) {
    switch (unit) {
    case engine::ParameterUnit::picoseconds: return kTimeUnits;
    case engine::ParameterUnit::bytes: return measured ? std::span<const ScaledUnit>(kBytes) : kEnteredBytes;
    case engine::ParameterUnit::hertz: return kHertz;
    case engine::ParameterUnit::bytesPerSecond: return kRates;
    case engine::ParameterUnit::flopsPerSecond: return kFlopRates;
    case engine::ParameterUnit::none:
    case engine::ParameterUnit::toOne: break;
    }
    return kNone;
}

QString valueText(const data::AxisColumn& column, std::size_t value) {
    return QString::fromStdString(data::textOf(column, value)).replace(u' ', QChar(0x00a0));
}

/// Returns how unequal steps are: their standard deviation divided by their mean.
double unevenness(const std::vector<double>& steps) {
    double sum = 0;
    for (const double step : steps)
        sum += step;
    const double mean = sum / static_cast<double>(steps.size());
    double squares = 0;
    for (const double step : steps)
        squares += (step - mean) * (step - mean);
    return mean > 0 ? std::sqrt(squares / static_cast<double>(steps.size())) / mean : 0;
}

std::optional<std::size_t> nearestNumber(const std::vector<double>& numbers, double wanted) {
    const bool ratio = wanted > 0 && isLogSpaced(numbers);
    const auto distance = [&](double number) {
        return ratio ? std::abs(std::log(number / wanted)) : std::abs(number - wanted);
    };
    const auto nearest =
        std::min_element(numbers.begin(), numbers.end(), [&](double a, double b) { return distance(a) < distance(b); });
    return nearest == numbers.end() ? std::nullopt : std::optional(static_cast<std::size_t>(nearest - numbers.begin()));
}

/// Returns the value of a zipped or non-numeric axis at which every column equals the base experiment.
std::optional<std::size_t> sameAsBase(const data::SweepAxis& axis, const engine::Experiment& base) {
    for (std::size_t value = 0; value < axis.size(); ++value) {
        const bool same = std::all_of(axis.columns.begin(), axis.columns.end(), [&](const data::AxisColumn& column) {
            const engine::Parameter* parameter = engine::findParameter(column.path);
            return parameter != nullptr && parameter->read(base) == column.values.at(value);
        });
        if (same)
            return value;
    }
    return std::nullopt;
}

}  // namespace

QString columnTitle(const data::AxisColumn& column) {
    const engine::Parameter* parameter = engine::findParameter(column.path);
    if (parameter == nullptr)
        return QString::fromStdString(column.path);
    const std::string_view group = engine::name(parameter->group);
    const QString label = QString::fromStdString(parameter->label);
    const QString room = QString::fromUtf8(group.data(), static_cast<qsizetype>(group.size()));
    return label.compare(room, Qt::CaseInsensitive) == 0 ? label : room + QStringLiteral(": ") + label;
}

std::vector<CostColumn> costColumns(const data::Sweep& sweep) {
    std::vector<CostColumn> costs;
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
        for (std::size_t column = 0; column < sweep.axes[axis].columns.size(); ++column) {
            const auto& values = sweep.axes[axis].columns[column].values;
            if (!values.empty() && std::all_of(values.begin(), values.end(),
                                               [](const auto& value) { return data::numberOf(value).has_value(); }))
                costs.push_back({axis, column});
        }
    }
    return costs;
}

QString axisTitle(const data::SweepAxis& axis) {
    QString title;
    for (const data::AxisColumn& column : axis.columns)
        title += (title.isEmpty() ? QString() : QStringLiteral(" + ")) + columnTitle(column);
    return title;
}

QString axisValueText(const data::SweepAxis& axis, std::size_t value) {
    QString text;
    for (const data::AxisColumn& column : axis.columns)
        text += (text.isEmpty() ? QString() : QStringLiteral(" + ")) + valueText(column, value);
    return text;
}

QString axisSetting(const data::SweepAxis& axis, std::size_t value) {
    return axisTitle(axis) + QStringLiteral(" = ") + axisValueText(axis, value);
}

bool isNumeric(const data::SweepAxis& axis) {
    return axis.columns.size() == 1 && axis.size() > 0 &&
           std::all_of(axis.columns.front().values.begin(), axis.columns.front().values.end(),
                       [](const engine::ParameterValue& value) { return data::numberOf(value).has_value(); });
}

std::vector<double> numbersOf(const data::SweepAxis& axis) {
    std::vector<double> numbers;
    if (!isNumeric(axis))
        return numbers;
    for (const engine::ParameterValue& value : axis.columns.front().values)
        numbers.push_back(*data::numberOf(value));
    return numbers;
}

std::vector<std::size_t> risingOrder(const data::SweepAxis& axis) {
    std::vector<std::size_t> order(axis.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<double> numbers = numbersOf(axis);
    if (!numbers.empty())
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return numbers[a] < numbers[b]; });
    return order;
}

engine::ParameterUnit unitOf(const data::SweepAxis& axis) {
    const engine::Parameter* parameter =
        axis.columns.size() == 1 ? engine::findParameter(axis.columns.front().path) : nullptr;
    return parameter != nullptr ? parameter->unit : engine::ParameterUnit::none;
}

const ScaledUnit& axisUnitFor(engine::ParameterUnit unit, bool measured, double magnitude) {
    constexpr double kNearly = 1e-9;
    return unitFor(unitsOf(unit, measured), magnitude * (1 + kNearly));
}

const ScaledUnit& unitOfColumn(const data::AxisColumn& column, double magnitude) {
    const engine::Parameter* parameter = engine::findParameter(column.path);
    const engine::ParameterUnit unit = parameter != nullptr ? parameter->unit : engine::ParameterUnit::none;
    if (const auto shared = data::unitOf(column)) {
        for (const bool measured : {false, true}) {
            for (const ScaledUnit& each : unitsOf(unit, measured)) {
                if (each.size == static_cast<double>(shared->factor))
                    return each;
            }
        }
    }
    return axisUnitFor(unit, false, magnitude);
}

bool isLogSpaced(const std::vector<double>& numbers) {
    std::vector<double> sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.size() < 3 || sorted.front() <= 0)
        return false;
    std::vector<double> steps;
    std::vector<double> ratios;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        steps.push_back(sorted[i] - sorted[i - 1]);
        ratios.push_back(std::log(sorted[i] / sorted[i - 1]));
    }
    return unevenness(ratios) < unevenness(steps);
}

std::vector<std::optional<std::size_t>> nearestToBase(const data::Sweep& sweep) {
    const engine::Experiment base = data::expand(sweep.base).experiment;
    std::vector<std::optional<std::size_t>> nearest;
    for (const data::SweepAxis& axis : sweep.axes) {
        std::optional<std::size_t> value = sameAsBase(axis, base);
        const std::vector<double> numbers = numbersOf(axis);
        const engine::Parameter* parameter =
            numbers.empty() ? nullptr : engine::findParameter(axis.columns.front().path);
        if (!value && parameter != nullptr) {
            if (const std::optional<double> wanted = data::numberOf(parameter->read(base)))
                value = nearestNumber(numbers, *wanted);
        }
        nearest.push_back(value);
    }
    return nearest;
}

}  // namespace ui
