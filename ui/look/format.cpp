#include "ui/look/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ui {
namespace {

constexpr std::array<ScaledUnit, 4> kByteUnits{{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};

QString number(double value, int decimals) { return QLocale::c().toString(value, 'f', std::max(0, decimals)); }

int decimalsFor(double value, int digits) {
    const double magnitude = std::abs(value);
    const int whole = magnitude < 1 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return digits - whole;
}

}  // namespace

const ScaledUnit& unitFor(std::span<const ScaledUnit> units, double magnitude) {
    const auto reached = std::find_if(units.begin(), units.end() - 1,
                                      [magnitude](const ScaledUnit& unit) { return magnitude >= unit.size; });
    return *reached;
}

double psPerUnit(const QString& typed) {
    const QString name = typed == QLatin1String("us") || typed == QStringLiteral("μs") ? QStringLiteral("µs") : typed;
    for (const ScaledUnit& unit : kTimeUnits) {
        if (name == QString::fromUtf8(unit.name))
            return unit.size;
    }
    return 0;
}

QString Quantity::text() const { return unit.isEmpty() ? value : value + QChar(0x00a0) + unit; }

Quantity timeQuantity(std::int64_t ps, int digits) {
    if (ps == 0)
        return {QStringLiteral("0"), QStringLiteral("ns")};
    const ScaledUnit& unit = unitFor(kTimeUnits, std::abs(static_cast<double>(ps)));
    const double value = static_cast<double>(ps) / unit.size;
    const int decimals = unit.size == 1 ? 0 : decimalsFor(value, digits);
    return {number(value, decimals), QString::fromUtf8(unit.name)};
}

QString formatTime(std::int64_t ps, int digits) { return timeQuantity(ps, digits).text(); }

QString formatTimeSteady(std::int64_t ps, std::int64_t scalePs) {
    const ScaledUnit& unit = unitFor(kTimeUnits, static_cast<double>(std::max<std::int64_t>(scalePs, 1)));
    const int decimals = unit.size == 1 ? 0 : std::max(1, decimalsFor(static_cast<double>(scalePs) / unit.size, 5));
    return Quantity{number(static_cast<double>(ps) / unit.size, decimals), QString::fromUtf8(unit.name)}.text();
}

QString formatBytes(std::int64_t bytes) {
    const ScaledUnit& unit = unitFor(kByteUnits, std::abs(static_cast<double>(bytes)));
    const double value = static_cast<double>(bytes) / unit.size;
    return Quantity{number(value, unit.size == 1 ? 0 : decimalsFor(value, 3)), QString::fromUtf8(unit.name)}.text();
}

QString formatPercent(double fraction) { return Quantity{number(fraction * 100, 0), QStringLiteral("%")}.text(); }

QString formatCount(std::int64_t count) {
    QString digits = QString::number(count);
    const qsizetype first = digits.startsWith(QLatin1Char('-')) ? 1 : 0;
    for (qsizetype at = digits.size() - 3; at > first; at -= 3)
        digits.insert(at, QChar(0x00a0));
    return digits;
}

}  // namespace ui
