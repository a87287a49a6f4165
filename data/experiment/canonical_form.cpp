#include "data/experiment/canonical_form.h"

#include "data/document/body_json.h"
#include "data/document/damaged_document.h"
#include "data/document/document_body.h"
#include "data/document/document_reader.h"
#include "data/document/json_reading.h"
#include "data/experiment/experiment_document.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace data {
namespace {

using engine::Experiment;
using engine::Parameter;
using engine::ParameterValue;

constexpr int kIndent = 2;
constexpr std::string_view kFormat = "format", kVersion = "version";

/// As JSON; words of the parameter table need nothing escaped.
std::string quoted(const std::string& word) {
    const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7F && c != '"' && c != '\\';
    });
    return plain ? '"' + word + '"' : BodyJson(word).dump();
}

/// Shortest round-trip form; ".0" marks a real number that happens to be whole, as JSON writers commonly do.
std::string canonicalNumber(const Parameter& parameter, double value) {
    std::string text = engine::formatValue(parameter, value);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

std::string canonicalValue(const Parameter& parameter, const ParameterValue& value) {
    if (const auto* real = std::get_if<double>(&value))
        return canonicalNumber(parameter, *real);
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return std::to_string(*whole);
    return quoted(std::get<std::string>(value));
}

/// Members by key, sorted: the text of one level.
std::string objectText(const std::map<std::string, std::string>& members) {
    std::string text = "{";
    for (const auto& [key, value] : members) {
        text += text.size() == 1 ? "\"" : ",\"";
        text.append(key).append("\":").append(value);
    }
    return text + "}";
}

void place(BodyJson& document, const std::string& path, const std::string& value) {
    BodyJson parsed = parseJson<BodyJson>(value);
    if (parsed.is_discarded())
        throw DamagedDocument(path + ": " + value + " is not a value");
    const std::size_t point = path.find('.');
    (point == std::string::npos ? document[path] : document[path.substr(0, point)][path.substr(point + 1)]) =
        std::move(parsed);
}

}  // namespace

CanonicalValues canonicalValues(const Experiment& experiment, std::span<const Parameter> table) {
    CanonicalValues values;
    for (const Parameter& parameter : table) {
        const ParameterValue value = parameter.read(experiment);
        if (!isNewerThanPins(parameter) || value != parameter.defaultValue)
            values.emplace(parameter.path, canonicalValue(parameter, value));
    }
    return values;
}

void addNewerDefaults(CanonicalValues& values, std::span<const Parameter> table) {
    for (const Parameter& parameter : table) {
        if (isNewerThanPins(parameter))
            values.try_emplace(parameter.path, canonicalValue(parameter, parameter.defaultValue));
    }
}

CanonicalWriter::CanonicalWriter(std::span<const Parameter> table) : m_table(table) {
    // Every key sorted on its level, also those that are no parameters.
    std::map<std::string, std::map<std::string, const Parameter*>> groups;  // a top-level value has no second key
    for (const Parameter& parameter : table) {
        const std::size_t point = parameter.path.find('.');
        const bool nested = point != std::string::npos;
        if (isNewerThanPins(parameter))
            m_newer.push_back(&parameter);
        else
            groups[parameter.path.substr(0, point)].emplace(nested ? parameter.path.substr(point + 1) : "", &parameter);
    }
    const std::map<std::string, std::string> fixed{{std::string(kFormat), quoted(std::string(kExperimentFormat))},
                                                   {std::string(kVersion), "1"}};
    for (const auto& [key, value] : fixed)
        groups[key];
    std::string before = "{";
    for (const auto& [group, members] : groups) {
        before += (before == "{" ? "\"" : ",\"") + group + "\":";
        if (members.empty())
            before += fixed.at(group);
        const bool nested = !members.empty() && !members.begin()->first.empty();
        before += nested ? "{" : "";
        bool first = true;
        for (const auto& [member, parameter] : members) {
            if (nested)
                before += (first ? "\"" : ",\"") + member + "\":";
            first = false;
            m_places.push_back({parameter, std::exchange(before, {})});
        }
        before += nested ? "}" : "";
    }
    m_end = before + "}";
}

std::string CanonicalWriter::form(const Experiment& experiment) const {
    const bool usual = std::all_of(m_newer.begin(), m_newer.end(), [&](const Parameter* parameter) {
        return parameter->read(experiment) == parameter->defaultValue;
    });
    if (!usual)
        return canonicalForm(canonicalValues(experiment, m_table));
    constexpr std::size_t kUsualSize = 2048;
    std::string text;
    text.reserve(kUsualSize);
    for (const Place& place : m_places) {
        text += place.before;
        text += canonicalValue(*place.parameter, place.parameter->read(experiment));
    }
    return text + m_end;
}

std::string canonicalForm(const CanonicalValues& values) {
    std::map<std::string, std::string> top{{std::string(kFormat), BodyJson(kExperimentFormat).dump()},
                                           {std::string(kVersion), "1"}};
    std::map<std::string, std::map<std::string, std::string>> groups;
    for (const auto& [path, value] : values) {
        const std::size_t point = path.find('.');
        if (point == std::string::npos) {
            top.emplace(path, value);
        } else {
            groups[path.substr(0, point)].emplace(path.substr(point + 1), value);
        }
    }
    for (const auto& [group, members] : groups)
        top.emplace(group, objectText(members));
    return objectText(top);
}

std::string canonicalForm(const Experiment& experiment) {
    static const CanonicalWriter kWriter(engine::parameters());
    return kWriter.form(experiment);
}

CanonicalValues readCanonicalForm(std::string_view text) {
    const FlatDocument document = readFlat(text, "the experiment");
    if (!document.problems.empty())
        throw DamagedDocument(engine::describe(document.problems.front()));
    CanonicalValues values;
    for (const DocumentValue& value : document.values) {
        if (value.path != kFormat && value.path != kVersion)
            values.emplace(value.path,
                           value.kind == DocumentValue::Kind::string ? BodyJson(value.text).dump() : value.text);
    }
    return values;
}

std::string differencesFromDefault(const Experiment& experiment, std::span<const Parameter> table) {
    static const Experiment kDefault;
    std::string text;
    for (const Parameter& parameter : table) {
        const ParameterValue value = parameter.read(experiment);
        if (value != parameter.read(kDefault))
            text.append(parameter.path).append("=").append(canonicalValue(parameter, value)).append("\n");
    }
    return text;
}

std::string writeExperiment(const CanonicalValues& values) {
    BodyJson document;
    document[std::string(kFormat)] = kExperimentFormat;
    document[std::string(kVersion)] = 1;
    for (const Parameter& parameter : engine::parameters()) {
        if (const auto found = values.find(parameter.path); found != values.end())
            place(document, found->first, found->second);
    }
    for (const auto& [path, value] : values) {
        if (!engine::findParameter(path))
            place(document, path, value);
    }
    return document.dump(kIndent) + "\n";
}

}  // namespace data
