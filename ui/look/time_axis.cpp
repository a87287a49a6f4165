#include "ui/look/time_axis.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

std::int64_t niceStep(std::int64_t span, int most) {
    std::int64_t power = 1;
    while (true) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (span / (power * factor) <= std::max(1, most))
                return power * factor;
        }
        power *= 10;
    }
}

}  // namespace

std::vector<Tick> timeTicks(data::TimeRange range, int most) {
    const std::int64_t step = niceStep(range.span(), most);
    const double reach = static_cast<double>(std::max<std::int64_t>(range.end, 1));
    double size = 1;
    const char* unit = "ps";
    for (const auto& [unitSize, name] : {std::pair{1e12, "s"}, {1e9, "ms"}, {1e6, "µs"}, {1e3, "ns"}}) {
        if (reach >= unitSize) {
            size = unitSize;
            unit = name;
            break;
        }
    }
    const double stepInUnits = static_cast<double>(step) / size;
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(stepInUnits) - 1e-9)));
    std::vector<Tick> ticks;
    for (std::int64_t at = (range.start + step - 1) / step * step; at <= range.end; at += step) {
        const QString value = QLocale::c().toString(static_cast<double>(at) / size, 'f', decimals);
        ticks.push_back({at, at == 0 ? QStringLiteral("0") : value + QChar(0x00a0) + QString::fromUtf8(unit)});
    }
    return ticks;
}

}  // namespace ui
