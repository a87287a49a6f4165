#include "data/experiment/canonical_form.h"

#include "data/document/body_json.h"
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

/// Returns a word as JSON; words of the parameter table need no escapes.
std::string quoted(const std::string& word) {
    const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7F && c != '"' && c != '\\';
    });
    return plain ? '"' + word + '"' : BodyJson(word).dump();
}

/// Returns the shortest form that reads back exactly. A whole value of a real parameter ends in ".0", as JSON writers
/// commonly do.
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

/// Returns whether a form leaves the parameter out.
bool isLeftOut(const Parameter& parameter, const ParameterValue& value) {
    return isNewerThanPins(parameter) && value == parameter.leftOutValue;
}

/// Writes values into nested objects. Precondition: values are added sorted by path, so that the values of a group
/// follow each other.
class FormText {
public:
    void add(std::string_view path, std::string_view value) {
        const std::size_t point = path.find('.');
        const std::string_view group = path.substr(0, point == std::string_view::npos ? 0 : point);
        const bool isNewGroup = group != m_group;
        if (isNewGroup && !m_group.empty())
            m_text += '}';
        m_text += m_text.size() == 1 ? "\"" : ",\"";
        if (isNewGroup && !group.empty())
            m_text.append(group).append("\":{\"");
        m_text.append(group.empty() ? path : path.substr(point + 1)).append("\":").append(value);
        m_group = group;
    }

    std::string whole() && { return std::move(m_text) + (m_group.empty() ? "}" : "}}"); }

private:
    std::string m_text = "{";
    std::string_view m_group;
};

/// Returns the entries that every form has besides the parameters.
const CanonicalValues& head() {
    static const CanonicalValues kHead{{std::string(kFormat), quoted(std::string(kExperimentFormat))},
                                       {std::string(kVersion), "1"}};
    return kHead;
}

void place(BodyJson& document, const std::string& path, const std::string& value) {
    BodyJson parsed = parseJson<BodyJson>(value);
    if (parsed.is_discarded())
        throw DamagedDocument(path + ": " + value + " is not a value");
    placeOf(document, path) = std::move(parsed);
}

}  // namespace

CanonicalValues canonicalValues(const Experiment& experiment, std::span<const Parameter> table) {
    const Experiment resolved = engine::withAutomaticValues(experiment);
    CanonicalValues values;
    for (const Parameter& parameter : table) {
        const ParameterValue value = parameter.read(resolved);
        if (!isLeftOut(parameter, value))
            values.emplace(parameter.path, canonicalValue(parameter, value));
    }
    return values;
}

void addNewerDefaults(CanonicalValues& values, std::span<const Parameter> table) {
    for (const Parameter& parameter : table) {
        if (isNewerThanPins(parameter))
            values.try_emplace(parameter.path, canonicalValue(parameter, parameter.leftOutValue));
    }
}

CanonicalWriter::CanonicalWriter(std::span<const Parameter> table) {
    for (const auto& [path, value] : head())
        m_sorted.emplace_back(path, nullptr);
    for (const Parameter& parameter : table)
        m_sorted.emplace_back(parameter.path, &parameter);
    std::sort(m_sorted.begin(), m_sorted.end());
}

std::string CanonicalWriter::form(const Experiment& experiment) const {
    const Experiment resolved = engine::withAutomaticValues(experiment);
    FormText text;
    for (const auto& [path, parameter] : m_sorted) {
        if (parameter == nullptr) {
            text.add(path, head().find(path)->second);
            continue;
        }
        const ParameterValue value = parameter->read(resolved);
        if (!isLeftOut(*parameter, value))
            text.add(path, canonicalValue(*parameter, value));
    }
    return std::move(text).whole();
}

std::string canonicalForm(CanonicalValues values) {
    values.insert(head().begin(), head().end());
    FormText text;
    for (const auto& [path, value] : values)
        text.add(path, value);
    return std::move(text).whole();
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
    static const Experiment kDefault = engine::withAutomaticValues(Experiment{});
    const Experiment resolved = engine::withAutomaticValues(experiment);
    std::string text;
    for (const Parameter& parameter : table) {
        const ParameterValue value = parameter.read(resolved);
        if (value != parameter.read(kDefault))
            text.append(parameter.path).append("=").append(canonicalValue(parameter, value)).append("\n");
    }
    return text;
}

std::string writeExperiment(const Experiment& experiment) {
    CanonicalValues values = canonicalValues(experiment);
    addNewerDefaults(values);
    return writeExperiment(values);
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
