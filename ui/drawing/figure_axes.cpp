#include "ui/drawing/panel_plan.h"

#include "data/document/value_places.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr int kMostTicks = 200;
constexpr double kSlack = 1e-9;

std::vector<double> multiplesIn(double from, double to, double step) {
    std::vector<double> ticks;
    const double first = std::ceil(from / step - kSlack * 100);
    for (int i = 0; i < kMostTicks; ++i) {
        const double tick = (first + i) * step;
        if (tick > to + step * kSlack * 100)
            break;
        ticks.push_back(std::abs(tick) < step * 1e-6 ? 0 : tick);
    }
    return ticks;
}

struct Range {
    double from = 0, to = 1;
};

/// Widens an empty range, so that it always has a positive extent.
Range opened(Range range) {
    const double size = std::max(std::abs(range.from), std::abs(range.to));
    if (range.to - range.from > size * 1e-9 && range.to > range.from)
        return range;
    if (size == 0)
        return {0, 1};
    return {range.from - size * 0.1, range.to + size * 0.1};
}

/// Returns `end` of an axis moved away from `other`, far enough for the texts that are written beyond values.
double withRoom(double other, double end, const std::vector<DataReach::Headroom>& wanted, double length) {
    for (const auto& [value, points] : wanted) {
        const double room = std::max(length - points, length * 0.3);
        const double moved = other + (value - other) * length / room;
        end = end > other ? std::max(end, moved) : std::min(end, moved);
    }
    return end;
}

/// Returns the range for these data. It includes zero if zero is near, and ends on ticks unless that would leave much
/// of the panel empty.
Range linearRange(const DataReach& reach, double length, int mostIntervals) {
    if (reach.empty())
        return {0, 1};
    Range range{reach.least, reach.most};
    if (reach.fromZero || (!reach.tight && range.from >= 0 && range.from < 0.5 * range.to))
        range = {std::min(range.from, 0.0), std::max(range.to, 0.0)};
    range = opened(range);
    if (reach.tight)
        return range;
    if (reach.padded) {
        const double pad = 0.03 * (range.to - range.from);
        range.from -= range.from == 0 ? 0 : pad;
        range.to += pad;
    }
    range = {withRoom(range.to, range.from, reach.footroom, length),
             withRoom(range.from, range.to, reach.headroom, length)};
    const double step = data::niceStep((range.to - range.from) / mostIntervals);
    const auto end = [step](double at, double whole) { return std::abs(whole - at) <= 0.45 * step ? whole : at; };
    const double extent = range.to - range.from;
    const double low = range.from == 0 ? 0 : end(range.from - 0.02 * extent, std::floor(range.from / step) * step);
    const double high = range.to == 0 ? 0 : end(range.to + 0.02 * extent, std::ceil(range.to / step - 1e-6) * step);
    return {low, high};
}

double logFloor(double value, bool toDecade) {
    const double power = std::pow(10, std::floor(std::log10(value) + kSlack));
    if (toDecade)
        return power;
    return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
}

Range logRange(const DataReach& reach, double length) {
    if (!(reach.leastPositive <= reach.most))
        return {1, 10};
    Range range{reach.leastPositive, reach.most};
    if (!reach.tight) {
        // A logarithmic axis has no zero for bars to begin at. Beginning at the decade below the least value shows all
        // of them.
        range.from = reach.fromZero ? logFloor(range.from * 0.5, true) : logFloor(range.from * 0.95, false);
        double high = std::log10(range.to * 1.05);
        const double low = std::log10(range.from);
        for (const auto& [value, points] : reach.headroom) {
            if (value > 0)
                high =
                    std::max(high, low + (std::log10(value) - low) * length / std::max(length - points, 0.3 * length));
        }
        range.to = data::niceStep(std::pow(10, high));
    } else if (reach.padded && range.to > range.from) {
        const double pad = std::pow(range.to / range.from, 0.03);
        range = {range.from / pad, range.to * pad};
    }
    if (!(range.to > range.from * (1 + kSlack)))
        range = {range.from / 2, range.to * 2};
    return range;
}

/// Returns the ticks that the author chose, if within the range, sorted and without duplicates.
std::vector<double> chosenTicks(const data::FigureAxis& axis, const Range& range) {
    std::vector<double> ticks;
    const double slack = (range.to - range.from) * 1e-9;
    for (const double tick : axis.ticks) {
        if (tick >= range.from - slack && tick <= range.to + slack)
            ticks.push_back(tick);
    }
    std::sort(ticks.begin(), ticks.end());
    ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
    return ticks;
}

std::vector<double> inDecades(const Range& range, const std::vector<double>& factors) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.from) - kSlack));
    const int last = static_cast<int>(std::ceil(std::log10(range.to) + kSlack));
    for (int decade = first; decade <= last; ++decade) {
        for (const double factor : factors) {
            const double tick = factor * std::pow(10, decade);
            if (tick >= range.from * (1 - kSlack) && tick <= range.to * (1 + kSlack))
                ticks.push_back(tick);
        }
    }
    return ticks;
}

/// Returns ticks at 1, 2 and 5 of each decade if there is room, else at decades, else at every n-th decade. A range
/// within one decade has linear ticks.
std::vector<double> logTicks(const Range& range, int mostIntervals) {
    const double closest = 0.62 * std::log10(range.to / range.from) / mostIntervals;
    for (const auto& factors : {std::vector<double>{1, 2, 5}, std::vector<double>{1}}) {
        std::vector<double> ticks = inDecades(range, factors);
        const double distance = factors.size() == 1 ? 1 : std::log10(2);
        if (ticks.size() >= 2 && distance >= closest)
            return ticks;
    }
    const std::vector<double> decades = inDecades(range, {1.0});
    if (decades.size() < 3)
        return multiplesIn(range.from, range.to, data::niceStep((range.to - range.from) / mostIntervals));
    const std::size_t every =
        (decades.size() + static_cast<std::size_t>(mostIntervals)) / (static_cast<std::size_t>(mostIntervals) + 1);
    std::vector<double> ticks;
    for (std::size_t i = 0; i < decades.size(); i += every)
        ticks.push_back(decades[i]);
    return ticks;
}

QString plain(double value, int decimals) {
    QString text = QString::number(value, 'f', decimals);
    if (text.startsWith(QLatin1Char('-')))
        text.replace(0, 1, QChar(0x2212));
    return text;
}

int decimalsOf(double step) {
    for (int decimals = 0; decimals < 12; ++decimals) {
        const double scaled = step * std::pow(10, decimals);
        if (std::abs(scaled - std::round(scaled)) < 1e-6 * scaled)
            return decimals;
    }
    return 12;
}

/// Returns the smallest distance between ticks, which labels must show.
double stepOf(const std::vector<double>& ticks) {
    double step = ticks.size() == 1 ? std::abs(ticks.front()) : std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < ticks.size(); ++i)
        step = std::min(step, ticks[i] - ticks[i - 1]);
    return step > 0 && std::isfinite(step) ? step : 1;
}

/// Returns the step that decides the number of decimals: as few as show every tick exactly.
double finestOf(const std::vector<double>& ticks, double largest) {
    double step = stepOf(ticks);
    for (const double tick : ticks) {
        const double rounded = std::round(tick / step) * step;
        if (std::abs(rounded - tick) > largest * 1e-9)
            step = std::pow(10, std::floor(std::log10(std::max(std::abs(tick - rounded), largest * 1e-6))));
    }
    return step;
}

void label(AxisPlan& plan) {
    const std::vector<double>& ticks = plan.place.ticks;
    double largest = 0;
    for (const double tick : ticks)
        largest = std::max(largest, std::abs(tick));
    const double step = finestOf(ticks, largest);
    for (const double tick : ticks)
        plan.labels.push_back(plan.place.logarithmic ? tickLabel(tick, tick == 0 ? 1 : std::abs(tick), std::abs(tick))
                                                     : tickLabel(tick, step, largest));
}

/// Leaves out a part of the axis, with ticks at steps for what is left.
void breakAxis(AxisPlace& place, const data::FigureAxis& axis, int intervals) {
    place.breakFrom = axis.breakFrom;
    place.breakTo = axis.breakTo;
    if (axis.ticks.empty()) {
        const double shown = place.to - place.from - (*axis.breakTo - *axis.breakFrom);
        place.ticks = multiplesIn(place.from, place.to, data::niceStep(shown / intervals));
        // Few multiples may be above the break, which readers could then not read.
        const double above = place.to - *axis.breakTo;
        const double step = data::niceStep(std::min(shown, above * 2) / intervals);
        if (std::ranges::none_of(place.ticks, [&](double tick) { return tick >= *axis.breakTo; })) {
            for (const double tick : multiplesIn(*axis.breakTo, place.to, step))
                place.ticks.push_back(tick);
        }
    }
    std::erase_if(place.ticks, [&](double tick) { return tick > *axis.breakFrom && tick < *axis.breakTo; });
}

}  // namespace

void DataReach::include(double value) {
    if (!std::isfinite(value))
        return;
    least = std::min(least, value);
    most = std::max(most, value);
    if (value > 0)
        leastPositive = std::min(leastPositive, value);
    else
        unusable = true;
}

AxisPlan planAxis(const data::FigureAxis& axis, const DataReach& reach, double length, int mostIntervals) {
    AxisPlan plan;
    const int intervals = std::max(mostIntervals, 1);
    const bool logarithmic = axis.scale == data::FigureScale::logarithmic;
    Range range = logarithmic ? logRange(reach, length) : linearRange(reach, length, intervals);
    if (axis.from && (!logarithmic || *axis.from > 0))
        range.from = *axis.from;
    if (axis.to && (!logarithmic || *axis.to > 0))
        range.to = *axis.to;
    if (range.to <= range.from)
        range = logarithmic ? Range{range.from, range.from * 10} : opened({range.from, range.from});
    std::vector<double> ticks = chosenTicks(axis, range);
    if (axis.ticks.empty()) {
        ticks = logarithmic ? logTicks(range, intervals)
                            : multiplesIn(range.from, range.to, data::niceStep((range.to - range.from) / intervals));
    }
    plan.place = {range.from, range.to, logarithmic, std::move(ticks)};
    if (!logarithmic && axis.breakFrom && axis.breakTo && *axis.breakFrom > range.from && *axis.breakTo < range.to)
        breakAxis(plan.place, axis, intervals);
    if (logarithmic && axis.ticks.empty() && range.to / range.from < 1e4)
        plan.minor = inDecades(range, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    plan.title = titleOf(axis);
    label(plan);
    return plan;
}

QString titleOf(const data::FigureAxis& axis) {
    const QString title = QString::fromStdString(axis.title);
    const QString relative = QString::fromStdString(axis.relativeTo);
    QString unit = QString::fromStdString(axis.unit);
    if (!relative.isEmpty())
        unit = (title.isEmpty() ? QStringLiteral("Normalised to ") : QStringLiteral("normalised to ")) + relative;
    if (title.isEmpty() || unit.isEmpty())
        return title + unit;
    return title + QStringLiteral(" (") + unit + QLatin1Char(')');
}

namespace {

double shareOfBroken(const AxisPlace& axis, double value) {
    const double below = *axis.breakFrom - axis.from, above = axis.to - *axis.breakTo;
    const double perUnit = (1 - kBreakShare) / (below + above);
    if (value <= *axis.breakFrom)
        return (value - axis.from) * perUnit;
    if (value >= *axis.breakTo)
        return 1 - (axis.to - value) * perUnit;
    return below * perUnit + (value - *axis.breakFrom) / (*axis.breakTo - *axis.breakFrom) * kBreakShare;
}

}  // namespace

std::optional<double> shareOf(const AxisPlace& axis, double value) {
    if (axis.isBroken())
        return shareOfBroken(axis, value);
    if (!axis.logarithmic)
        return (value - axis.from) / (axis.to - axis.from);
    if (!(value > 0))
        return std::nullopt;
    return std::log(value / axis.from) / std::log(axis.to / axis.from);
}

double valueAtShare(const AxisPlace& axis, double share) {
    if (axis.logarithmic)
        return axis.from * std::pow(axis.to / axis.from, share);
    if (!axis.isBroken())
        return axis.from + share * (axis.to - axis.from);
    const double below = *shareOf(axis, *axis.breakFrom), above = *shareOf(axis, *axis.breakTo);
    if (share <= below)
        return axis.from + share / below * (*axis.breakFrom - axis.from);
    if (share >= above)
        return *axis.breakTo + (share - above) / (1 - above) * (axis.to - *axis.breakTo);
    return *axis.breakFrom + (share - below) / (above - below) * (*axis.breakTo - *axis.breakFrom);
}

QString tickLabel(double value, double step, double largest) {
    if (value == 0)
        return QStringLiteral("0");
    if (largest < 1e-3 || largest >= 1e18) {
        const int exponent = static_cast<int>(std::floor(std::log10(largest) + kSlack));
        const double power = std::pow(10, exponent);
        return plain(value / power, decimalsOf(step / power)) + QLatin1Char('e') + plain(exponent, 0);
    }
    if (largest < 1e4)
        return plain(value, decimalsOf(step));
    static constexpr std::array kLetters{'k', 'M', 'G', 'T', 'P'};
    const int thousands = std::clamp(static_cast<int>(std::floor((std::log10(largest) + kSlack) / 3)), 1, 5);
    const double power = std::pow(1000, thousands);
    return plain(value / power, decimalsOf(step / power)) +
           QLatin1Char(kLetters[static_cast<std::size_t>(thousands) - 1]);
}

QString valueLabel(double value, std::optional<int> decimals) {
    return decimals ? plain(value, *decimals) : valueLabel(value);
}

QString valueLabel(double value) {
    const double size = std::abs(value);
    if (size == 0)
        return QStringLiteral("0");
    const int exponent = static_cast<int>(std::floor(std::log10(size) + kSlack));
    const double step = std::pow(10, exponent - (size < 1 ? 1 : 2));
    const double rounded = std::round(value / step) * step;
    if (size < 1e-3 || size >= 1e4)
        return tickLabel(rounded, step, std::abs(rounded));
    return plain(value, std::clamp((size < 1 ? 1 : 2) - exponent, 0, 5));
}

}  // namespace ui
