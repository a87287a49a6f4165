#include "ui/look/time_axis.h"

#include "data/document/value_places.h"
#include "ui/look/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace ui {

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
