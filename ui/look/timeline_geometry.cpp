#include "ui/look/timeline_geometry.h"

#include "data/document/value_places.h"
#include "ui/look/format.h"

#include <QLocale>

#include <cmath>

namespace ui {

double TimelineGeometry::xOf(std::int64_t ps) const {
    return left + static_cast<double>(ps - range.start) * width / static_cast<double>(range.span());
}

std::int64_t TimelineGeometry::timeAt(double x) const {
    return range.start + std::llround((x - left) * static_cast<double>(range.span()) / width);
}

double TimelineGeometry::columnOf(std::int64_t ps) const { return std::floor(xOf(ps) / pixel) * pixel; }

data::TimeRange TimelineGeometry::zoomed(double x, double factor, std::int64_t runEnd) const {
    const double share = std::clamp((x - left) / width, 0.0, 1.0);
    const double wanted = static_cast<double>(range.span()) / factor;
    const double shortest = static_cast<double>(std::min(kShortestRange, runEnd));
    const double span = std::clamp(wanted, shortest, static_cast<double>(runEnd));
    const double anchor = static_cast<double>(range.span()) * share;
    const std::int64_t length = std::llround(span);
    const std::int64_t start = range.start + std::llround(anchor - span * share);
    const std::int64_t clamped = std::clamp<std::int64_t>(start, 0, runEnd - length);
    return {clamped, clamped + length};
}

data::TimeRange TimelineGeometry::panned(double pixels, std::int64_t runEnd) const {
    const std::int64_t shift = std::llround(pixels * static_cast<double>(range.span()) / width);
    const std::int64_t start =
        std::clamp<std::int64_t>(range.start + shift, 0, std::max<std::int64_t>(0, runEnd - range.span()));
    return {start, start + range.span()};
}

std::vector<Tick> timeTicks(data::TimeRange range, int most) {
    const std::int64_t step = data::wholeNiceStep(range.span(), most);
    const double reach = static_cast<double>(std::max<std::int64_t>(range.end, 1));
    const ScaledUnit& unit = unitFor(kTimeUnits, reach);
    const double stepInUnits = static_cast<double>(step) / unit.size;
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(stepInUnits) - 1e-9)));
    std::vector<Tick> ticks;
    for (std::int64_t at = (range.start + step - 1) / step * step; at <= range.end; at += step) {
        const QString value = QLocale::c().toString(static_cast<double>(at) / unit.size, 'f', decimals);
        ticks.push_back({at, at == 0 ? QStringLiteral("0") : value + QChar(0x00a0) + QString::fromUtf8(unit.name)});
    }
    return ticks;
}

}  // namespace ui
