#include "data/document/body_json.h"
#include "data/document/json_reading.h"
#include "data/document/text_hash.h"
#include "data/experiment/own_presets.h"
#include "data/model/projection.h"
#include "data/sweep/sweep_document.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <set>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterValue;

constexpr int kSweepIndent = 2;
constexpr std::size_t kIdDigits = 12;

const Parameter& parameterAt(const std::string& path) { return *engine::findParameter(path); }

/// Returns a value in the unit in which it was written, or an empty optional if it was written in none.
std::optional<std::string> textIn(const std::string& unit, const Parameter& parameter, const ParameterValue& value) {
    constexpr int kWrittenDecimals = 9;
    const auto factor = engine::unitFactor(parameter.unit, unit);
    const auto* number = std::get_if<std::int64_t>(&value);
    const auto text =
        factor && number != nullptr ? engine::exactQuotient(*number, *factor, kWrittenDecimals) : std::nullopt;
    return text ? std::optional(*text + " " + unit) : std::nullopt;
}

BodyJson columnJson(const AxisColumn& column) {
    const Parameter& parameter = parameterAt(column.path);
    const auto json = [&](const ParameterValue& value) {
        const std::optional<std::string> text = textIn(column.unit, parameter, value);
        return text ? BodyJson(*text) : valueJson(parameter, value);
    };
    if (!column.range)
        return {{"path", column.path}, {"values", jsonList(column.values, json)}};
    return {{"path", column.path},
            {"range",
             {{"from", json(column.range->from)},
              {"to", json(column.range->to)},
              {"count", column.range->count},
              {"scale", column.range->logarithmic ? "log" : "linear"}}}};
}

BodyJson axisJson(const SweepAxis& axis) {
    if (axis.columns.size() == 1)
        return columnJson(axis.columns.front());
    return {{"zip", jsonList(axis.columns, columnJson)}};
}

/// Returns a text that is the same for equal values, in whatever form they were written.
std::string identityText(const std::string& path, const ParameterValue& value) {
    return path + "=" + engine::formatValue(parameterAt(path), value) + "\n";
}

/// Returns the value in an own preset of this kind, or the table's default if this preset does not set it and another
/// does.
ParameterValue saidBy(OwnKind kind, const std::string& name, const std::string& path, const OwnPresets& own) {
    const auto in = [&](const Settings& settings) -> std::optional<ParameterValue> {
        const auto found = settings.find(path);
        return found == settings.end() ? std::nullopt : std::optional(found->second);
    };
    std::optional<ParameterValue> value;
    if (const OwnPreset* preset = own.find(kind, name)) {
        value = in(preset->values);
    } else if (const Preset* bundled = kind == OwnKind::machine ? findMachine(name) : findModel(name)) {
        value = in(bundled->settings);
    }
    return value.value_or(parameterAt(path).defaultValue);
}

/// Adds columns to an axis that names own presets: one for each parameter that they set. Bundled presets on the same
/// axis have their values there as well.
void addOwnColumns(OwnKind kind, const OwnPresets& own, const std::set<std::string>& taken, SweepAxis& axis) {
    const auto naming = std::find_if(axis.columns.begin(), axis.columns.end(),
                                     [&](const AxisColumn& column) { return column.path == namingPath(kind); });
    if (naming == axis.columns.end())
        return;
    const std::vector<ParameterValue> names = naming->values;
    std::set<std::string> said;
    for (const ParameterValue& name : names) {
        if (const OwnPreset* preset = own.find(kind, std::get<std::string>(name))) {
            for (const auto& [path, value] : preset->values)
                said.insert(path);
        }
    }
    for (const std::string& path : said) {
        if (taken.count(path) != 0)
            continue;
        AxisColumn column{path, {}, {}};
        for (const ParameterValue& name : names)
            column.values.push_back(saidBy(kind, std::get<std::string>(name), path, own));
        axis.columns.push_back(std::move(column));
    }
}

}  // namespace

std::string writeSweep(const Sweep& sweep) {
    BodyJson document;
    document["format"] = kSweepFormat;
    document["version"] = 1;
    for (const auto& [key, text] : sweep.texts)
        document[key] = text;
    if (isOfModels(sweep.of))
        document["of"] = name(sweep.of);
    document["base"] = BodyJson::object();
    addValues(sweep.base.explicitValues, document["base"]);
    if (sweep.projectFrom) {
        document[kProjectFrom] = BodyJson::object();
        addValues(sweep.projectFrom->explicitValues, document[kProjectFrom]);
    }
    document["axes"] = jsonList(sweep.axes, axisJson);
    if (isTimed(sweep.of))
        document["policies"] = sweep.policies;
    document["metrics"] = sweep.metrics;
    return document.dump(kSweepIndent) + "\n";
}

Sweep withOwnPresets(const Sweep& sweep, const OwnPresets& own) {
    Sweep full = sweep;
    const std::vector<std::string> ofAxes = axisPaths(sweep);
    std::set<std::string> taken(ofAxes.begin(), ofAxes.end());  // values set by hand take precedence over presets
    for (const auto& [path, value] : sweep.base.explicitValues)
        taken.insert(path);
    for (SweepAxis& axis : full.axes) {
        for (const OwnKind kind : {OwnKind::model, OwnKind::machine})
            addOwnColumns(kind, own, taken, axis);
    }
    full.base = withOwnPresets(sweep.base, own);
    if (sweep.projectFrom)
        full.projectFrom = withOwnPresets(*sweep.projectFrom, own);
    return full;
}

std::string sweepId(const Sweep& sweep) {
    std::string text = "ringside-sweep 1\n";
    for (const auto& [path, value] : sweep.base.explicitValues) {
        if (path != "policy.preset")  // every point has its own policy
            text += identityText(path, value);
    }
    for (const SweepAxis& axis : sweep.axes) {
        text += "axis\n";
        for (const AxisColumn& column : axis.columns) {
            for (const ParameterValue& value : column.values)
                text += identityText(column.path, value);
        }
    }
    if (isOfModels(sweep.of))
        text += "of " + std::string(name(sweep.of)) + "\n";
    if (sweep.projectFrom) {
        text += std::string(kProjectFrom) + "\n";
        for (const auto& [path, value] : sweep.projectFrom->explicitValues)
            text += identityText(path, value);
    }
    for (const std::string& policy : sweep.policies)
        text += "policy " + policy + "\n";
    return sha256(text).substr(0, kIdDigits);
}

}  // namespace data
