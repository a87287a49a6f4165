#include "ui/look/shown_unit.h"

#include "engine/api/quantity.h"
#include "ui/look/text.h"

#include <optional>
#include <string>
#include <string_view>

namespace ui {
namespace {

std::string_view withoutBlanks(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

/// Returns what stands behind the number at the start of `text`, or an empty optional where there is none.
std::optional<std::string_view> behindNumber(std::string_view words) {
    words = withoutBlanks(words);
    if (!engine::readDecimal(words))
        return std::nullopt;
    return withoutBlanks(words);
}

}  // namespace

QString withUnitOf(const engine::Parameter& parameter, const QString& typed, const QString& shown) {
    const std::string number = typed.toStdString(), before = shown.toStdString();
    const auto behind = behindNumber(number), unit = behindNumber(before);
    if (!behind || !behind->empty() || !unit || !engine::unitFactor(parameter.unit, *unit))
        return typed;
    return typed.trimmed() + QLatin1Char(' ') + text(*unit);
}

}  // namespace ui
