#include "ui/look/format.h"

#include "data/document/readable_number.h"
#include "data/presets/presets.h"
#include "engine/api/quantity.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

namespace ui {
namespace {

QString number(double value, int decimals) { return QLocale::c().toString(value, 'f', std::max(0, decimals)); }

int decimalsFor(double value, int digits) {
    const double magnitude = std::abs(value);
    const int whole = magnitude < 1 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return digits - whole;
}

Quantity quantityOf(const data::ReadableNumber& number) { return {text(number.value), text(number.unit)}; }

QString waitTr(const char* text) { return QCoreApplication::translate("WaitText", text); }

std::string_view withoutBlanks(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

/// Returns the text after the number at the start of `text`, or an empty optional if there is no number.
std::optional<std::string_view> behindNumber(std::string_view words) {
    words = withoutBlanks(words);
    if (!engine::readDecimal(words))
        return std::nullopt;
    return withoutBlanks(words);
}

QString titleOf(const data::Preset* preset, std::string_view name) {
    return text(preset != nullptr ? std::string_view(preset->title) : name);
}

}  // namespace

QString titleOfPolicy(std::string_view name) { return titleOf(data::findPolicy(name), name); }

QString titleOfModel(std::string_view name) { return titleOf(data::findModel(name), name); }

QString text(const engine::Problems& problems) {
    QStringList lines;
    for (const engine::Problem& problem : problems)
        lines << QString::fromStdString(engine::describe(problem));
    return lines.join(QLatin1Char('\n'));
}

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

Quantity timeQuantity(std::int64_t ps, int digits) { return quantityOf(data::readableTime(ps, digits)); }

QString formatTime(std::int64_t ps, int digits) { return timeQuantity(ps, digits).text(); }

QString formatTimeSteady(std::int64_t ps, std::int64_t scalePs) {
    const ScaledUnit& unit = unitFor(kTimeUnits, static_cast<double>(std::max<std::int64_t>(scalePs, 1)));
    const int decimals = unit.size == 1 ? 0 : std::max(1, decimalsFor(static_cast<double>(scalePs) / unit.size, 5));
    return Quantity{number(static_cast<double>(ps) / unit.size, decimals), QString::fromUtf8(unit.name)}.text();
}

QString formatBytes(std::int64_t bytes) { return quantityOf(data::readableBytes(bytes)).text(); }

QString formatPercent(double fraction) { return quantityOf(data::readablePercent(fraction)).text(); }

QString formatCount(std::int64_t count) {
    QString digits = QString::number(count);
    const qsizetype first = digits.startsWith(QLatin1Char('-')) ? 1 : 0;
    for (qsizetype at = digits.size() - 3; at > first; at -= 3)
        digits.insert(at, QChar(0x00a0));
    return digits;
}

QString formatWait(std::chrono::nanoseconds wait) {
    const double seconds = std::chrono::duration<double>(wait).count();
    if (seconds < 0.95)
        return waitTr("%1 s").arg(std::max(0.1, seconds), 0, 'f', 1);
    if (seconds < 90)
        return waitTr("%1 s").arg(std::lround(seconds));
    const long minutes = std::lround(seconds / 60);
    if (minutes < 90)
        return waitTr("%1 min").arg(minutes);
    return waitTr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString withUnitOf(const engine::Parameter& parameter, const QString& typed, const QString& shown) {
    const std::string number = typed.toStdString(), before = shown.toStdString();
    const auto behind = behindNumber(number), unit = behindNumber(before);
    if (!behind || !behind->empty() || !unit || !engine::unitFactor(parameter.unit, *unit))
        return typed;
    return typed.trimmed() + QLatin1Char(' ') + text(*unit);
}

QString runHint() {
    return QCoreApplication::translate(
        "RunHint", "Choose a preset on the left, or correct the marked entries there, and run it (Ctrl+Return).");
}

QString noRunHint() { return QCoreApplication::translate("RunHint", "No run yet. %1").arg(runHint()); }

}  // namespace ui
