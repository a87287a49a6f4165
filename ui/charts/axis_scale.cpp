#include "ui/charts/axis_scale.h"

#include "data/document/value_places.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace ui {
namespace {

constexpr double kRoom = 0.04;              // margin beyond the outermost values of an axis, as a share
constexpr double kAutomaticRatio = 50;      // from here on a linear axis would compress small values too much
constexpr std::size_t kMostOwnValues = 16;  // of a numeric axis that are ticks; an axis with more has round numbers
constexpr double kNearly = 1e-9;

constexpr ScaledUnit kNone[]{{1, ""}};
constexpr ScaledUnit kEnteredBytes[]{{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {1024, "KiB"}, {1, "B"}};
constexpr ScaledUnit kBytes[]{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
constexpr ScaledUnit kHertz[]{{1e9, "GHz"}, {1e6, "MHz"}, {1e3, "kHz"}, {1, "Hz"}};
constexpr ScaledUnit kFlopRates[]{
    {1e15, "PFLOP/s"}, {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}, {1, "FLOP/s"}};
constexpr ScaledUnit kRates[]{{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};

std::span<const ScaledUnit> unitsOf(AxisMeasure measure) {
    switch (measure.unit) {
    case engine::ParameterUnit::picoseconds: return kTimeUnits;
    case engine::ParameterUnit::bytes: return measure.measured ? std::span<const ScaledUnit>(kBytes) : kEnteredBytes;
    case engine::ParameterUnit::hertz: return kHertz;
    case engine::ParameterUnit::bytesPerSecond: return kRates;
    case engine::ParameterUnit::flopsPerSecond: return kFlopRates;
    case engine::ParameterUnit::none:
    case engine::ParameterUnit::toOne: break;
    }
    return kNone;
}

QString labelOf(double value, const ScaledUnit& unit, int decimals) {
    const double inUnits = value / unit.size;
    QString text = std::abs(inUnits) >= 1e6 || (inUnits != 0 && decimals > 6)
                       ? QLocale::c().toString(inUnits, 'g', 3)
                       : QLocale::c().toString(inUnits, 'f', decimals);
    if (text.startsWith(u'-') && inUnits > -kNearly)
        text.remove(0, 1);
    return *unit.name == '\0' || value == 0 ? text : text + QChar(0x00a0) + QString::fromUtf8(unit.name);
}

double stepOf(double span, int most) { return data::niceStep(span / std::max(1, most)); }

int decimalsOf(double step) { return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - kNearly))); }

std::vector<AxisTick> linearTicks(const AxisScale& scale, int most, AxisMeasure which) {
    const ScaledUnit& unit = axisUnitFor(which, std::max(std::abs(scale.from), std::abs(scale.to)));
    const double step = stepOf((scale.to - scale.from) / unit.size, most) * unit.size;
    std::vector<AxisTick> ticks;
    for (double k = std::ceil(scale.from / step - kNearly); k * step <= scale.to + step * kNearly; ++k)
        ticks.push_back({*scale.shareOf(k * step), labelOf(k * step, unit, decimalsOf(step / unit.size))});
    return ticks;
}

std::vector<AxisTick> logTicks(const AxisScale& scale, int most, AxisMeasure which) {
    const auto ticksAt = [&](std::span<const double> factors, int everyDecade) {
        std::vector<AxisTick> ticks;
        const ScaledUnit& least = axisUnitFor(which, scale.from);
        const int first = static_cast<int>(std::floor(std::log10(scale.from / least.size)));
        for (int decade = first; least.size * std::pow(10, decade) <= scale.to; decade += everyDecade) {
            for (const double factor : factors) {
                const double value = factor * std::pow(10, decade) * least.size;
                if (value < scale.from * (1 - kNearly) || value > scale.to * (1 + kNearly))
                    continue;
                const ScaledUnit& unit = axisUnitFor(which, value);
                const double digits = std::floor(std::log10(value / unit.size) + kNearly);
                ticks.push_back({*scale.shareOf(value), labelOf(value, unit, std::max(0, static_cast<int>(-digits)))});
            }
        }
        return ticks;
    };
    constexpr double kFine[]{1, 2, 5};
    constexpr double kCoarse[]{1};
    std::vector<AxisTick> ticks = ticksAt(kFine, 1);
    for (int every = 1; static_cast<int>(ticks.size()) > most && every < 400; ++every)
        ticks = ticksAt(kCoarse, every);
    // Fewer than two ticks at 1, 2 and 5: the ticks of a linear axis are more informative, at their logarithmic
    // positions.
    return ticks.size() >= 2 ? ticks : linearTicks(scale, most, which);
}

std::vector<AxisTick> everyNth(const AxisPlaces& places, std::size_t n) {
    std::vector<AxisTick> ticks;
    for (std::size_t i = 0; i < places.shares.size(); i += n)
        ticks.push_back({places.shares[i], places.labels[i]});
    std::sort(ticks.begin(), ticks.end(), [](const AxisTick& a, const AxisTick& b) { return a.share < b.share; });
    return ticks;
}

bool fit(const std::vector<AxisTick>& ticks, double length, const std::function<double(const QString&)>& measure) {
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        const double room = (ticks[i].share - ticks[i - 1].share) * length;
        if ((measure(ticks[i].label) + measure(ticks[i - 1].label)) / 2 > room)
            return false;
    }
    return true;
}

/// Returns, from left to right, the ticks whose label does not overlap that of the tick before.
std::vector<AxisTick> thatFit(const std::vector<AxisTick>& ticks, double length,
                              const std::function<double(const QString&)>& measure) {
    std::vector<AxisTick> kept;
    for (const AxisTick& tick : ticks) {
        if (kept.empty() || fit({kept.back(), tick}, length, measure))
            kept.push_back(tick);
    }
    return kept;
}

}  // namespace

AxisMeasure AxisMeasure::ofMetric(engine::ParameterUnit unit) {
    AxisMeasure measure(unit);
    measure.measured = true;
    return measure;
}

const ScaledUnit& axisUnitFor(AxisMeasure measure, double magnitude) {
    return unitFor(unitsOf(measure), magnitude * (1 + kNearly));
}

std::optional<double> AxisScale::shareOf(double value) const {
    if (!logarithmic)
        return (value - from) / (to - from);
    if (value <= 0)
        return std::nullopt;
    return std::log(value / from) / std::log(to / from);
}

double AxisScale::valueAt(double share) const {
    return logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
}

bool wantsLogarithmic(const std::vector<double>& values) {
    if (values.empty())
        return false;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least > 0 && *most >= *least * kAutomaticRatio;
}

AxisScale scaleFor(const std::vector<double>& values, bool logarithmic, int mostTicks, AxisMeasure measure) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const double value : values) {
        if (!logarithmic || value > 0) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    if (least > most)
        return {logarithmic ? 1.0 : 0.0, logarithmic ? 10.0 : 1.0, logarithmic};
    if (logarithmic) {
        const double room = most > least ? std::pow(most / least, kRoom) : 1.5;
        return {least / room, most * room, true};
    }
    if (most - least <= std::max(std::abs(most), std::abs(least)) * kNearly) {
        const double around = most == 0 ? 1 : std::abs(most) * 0.1;
        least -= around;
        most += around;
    }
    const double size = axisUnitFor(measure, std::max(std::abs(least), std::abs(most))).size;
    const double step = stepOf((most - least) / size, mostTicks) * size;
    return {std::floor(least / step + kNearly) * step, std::ceil(most / step - kNearly) * step, false};
}

std::vector<AxisTick> ticksOf(const AxisScale& scale, int most, AxisMeasure measure) {
    return scale.logarithmic ? logTicks(scale, most, measure) : linearTicks(scale, most, measure);
}

AxisPlaces placesOf(const data::SweepAxis& axis) {
    std::vector<QString> labels;
    for (std::size_t value = 0; value < axis.size(); ++value)
        labels.push_back(axisValueText(axis, value));
    const std::vector<double> numbers = numbersOf(axis);
    if (numbers.empty())
        return evenPlacesOf(std::move(labels));
    AxisPlaces places;
    places.labels = std::move(labels);
    places.measure = unitOf(axis);
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    AxisScale scale{*least, *most, isLogSpaced(numbers)};
    if (scale.logarithmic) {
        const double room = std::pow(*most / *least, kRoom);
        scale = {*least / room, *most * room, true};
    } else {
        const double room = *most > *least ? (*most - *least) * kRoom : std::max(1.0, std::abs(*most) * 0.1);
        scale = {*least - room, *most + room, false};
    }
    for (const double number : numbers)
        places.shares.push_back(*scale.shareOf(number));
    places.scale = scale;
    return places;
}

AxisPlaces evenPlacesOf(std::vector<QString> labels) {
    AxisPlaces places;
    const auto count = static_cast<double>(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i)
        places.shares.push_back((static_cast<double>(i) + 0.5) / count);
    places.labels = std::move(labels);
    return places;
}

std::vector<AxisTick> ticksOf(const AxisPlaces& places, double length,
                              const std::function<double(const QString&)>& measure) {
    if (places.scale && places.shares.size() <= kMostOwnValues)
        return thatFit(everyNth(places, 1), length, measure);
    if (places.scale) {
        for (int most = 12; most >= 1; --most) {
            std::vector<AxisTick> ticks = ticksOf(*places.scale, most, places.measure);
            if (fit(ticks, length, measure))
                return ticks;
        }
    }
    // Every n-th word has a label, so that a reader can count the values between two labels.
    for (std::size_t n = 1; n < places.shares.size(); n += std::max<std::size_t>(1, n / 4)) {
        std::vector<AxisTick> ticks = everyNth(places, n);
        if (fit(ticks, length, measure))
            return ticks;
    }
    return everyNth(places, std::max<std::size_t>(1, places.shares.size()));
}

}  // namespace ui
