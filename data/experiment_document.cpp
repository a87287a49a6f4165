#include "data/experiment_document.h"

#include "data/document_reader.h"

#include <algorithm>
#include <array>
#include <set>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterKind;
using engine::Problem;
using engine::Problems;

constexpr std::string_view kFormat = "ringside-experiment";
constexpr std::string_view kVersion = "1";

bool isFreeText(std::string_view path) { return path == "label" || path == "name" || path == "notes"; }

std::string joined(const std::vector<std::string>& names, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? std::string() : i + 1 == names.size() ? std::string(last) : std::string(", ")) + names[i];
    return text;
}

std::string suggestion(const std::vector<std::string>& near) {
    return near.empty() ? "`parameters` lists all" : "did you mean " + joined(near, " or ") + "?";
}

std::vector<std::string> groupNames() {
    std::vector<std::string> names;
    for (const Parameter& parameter : engine::parameters()) {
        const std::string group = parameter.path.substr(0, parameter.path.find('.'));
        if (group != parameter.path && std::find(names.begin(), names.end(), group) == names.end())
            names.push_back(group);
    }
    return names;
}

std::vector<std::string> membersOf(std::string_view group) {
    std::vector<std::string> names;
    for (const Parameter& parameter : engine::parameters()) {
        const std::string_view path = parameter.path;
        if (path.size() > group.size() && path.starts_with(group) && path[group.size()] == '.')
            names.emplace_back(path.substr(group.size() + 1));
    }
    return names;
}

/// Nearest to a key that nobody knows: parameters, groups and the document's own keys.
Problem unknownKey(const std::string& path, const std::string& value) {
    std::vector<std::string> candidates = groupNames();
    for (const Parameter& parameter : engine::parameters())
        candidates.push_back(parameter.path);
    for (const char* own : {"format", "version", "label", "notes"})
        candidates.emplace_back(own);
    return {path, value, "unknown key, " + suggestion(engine::nearestNames(path, candidates))};
}

/// The path that a key stands for: `policy` alone is the preset.
std::string_view parameterPath(std::string_view key) {
    return key == "policy" ? std::string_view("policy.preset") : key;
}

void readHead(const DocumentValue& value, Problems& problems) {
    if (value.path == "format") {
        if (value.kind != DocumentValue::Kind::string || value.text != kFormat)
            problems.push_back({value.path, value.text, "not an experiment; allowed: " + std::string(kFormat)});
    } else if (value.kind != DocumentValue::Kind::number || value.text != kVersion) {
        problems.push_back({value.path, value.text,
                            "this version of the format is not known here; allowed: " + std::string(kVersion)});
    }
}

void readParameter(const DocumentValue& value, const Parameter& parameter, DraftReading& reading) {
    const bool wantsWord = parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::text;
    if (value.kind == DocumentValue::Kind::other || (value.kind == DocumentValue::Kind::number && wantsWord)) {
        reading.problems.push_back({parameter.path, value.text,
                                    std::string("wrong type, ") +
                                        (wantsWord ? "a string" : "a number or a string with a unit") +
                                        " is expected; allowed: " + engine::describeAllowed(parameter)});
        return;
    }
    const auto parsed = engine::parseValue(parameter, value.text, reading.problems);
    if (!parsed)
        return;
    reading.draft.explicitValues.insert_or_assign(parameter.path, *parsed);
}

void readValue(const DocumentValue& value, DraftReading& reading) {
    if (value.path == "format" || value.path == "version") {
        readHead(value, reading.problems);
    } else if (isFreeText(value.path)) {
        if (value.kind != DocumentValue::Kind::string)
            reading.problems.push_back({value.path, value.text, "wrong type, a string is expected"});
    } else if (const Parameter* parameter = engine::findParameter(parameterPath(value.path))) {
        readParameter(value, *parameter, reading);
    } else if (const auto members = membersOf(value.path); !members.empty()) {
        reading.problems.push_back(
            {value.path, value.text, "an object is expected, with some of " + joined(members, ", ")});
    } else {
        reading.problems.push_back(unknownKey(value.path, value.text));
    }
}

/// An object where none belongs is reported once, not once for each of its values.
std::set<std::string> reportObjects(const std::vector<std::string>& objects, Problems& problems) {
    std::set<std::string> refused;
    for (const std::string& path : objects) {
        if (!membersOf(path).empty())
            continue;
        const std::string parent = path.substr(0, path.find('.'));
        if (refused.count(parent) != 0)
            continue;
        refused.insert(path);
        if (engine::findParameter(path) || isFreeText(path) || path == "format" || path == "version") {
            problems.push_back({path, "{...}", "an object, but one value is expected"});
        } else {
            problems.push_back(unknownKey(path, "{...}"));
        }
    }
    return refused;
}

bool isInside(const std::string& path, const std::set<std::string>& objects) {
    for (std::size_t point = path.find('.'); point != std::string::npos; point = path.find('.', point + 1)) {
        if (objects.count(path.substr(0, point)) != 0)
            return true;
    }
    return false;
}

std::vector<std::string> sublayerNames() {
    std::vector<std::string> names;
    for (const Preset& preset : sublayers())
        names.push_back(preset.name);
    return names;
}

/// "t-nlg/fc-2/tp8" cut at the slashes; nothing when it has not that shape.
std::optional<std::array<std::string_view, 3>> nameParts(std::string_view name) {
    const std::size_t first = name.find('/');
    const std::size_t second = first == std::string_view::npos ? first : name.find('/', first + 1);
    if (second == std::string_view::npos || name.find('/', second + 1) != std::string_view::npos)
        return std::nullopt;
    const std::array<std::string_view, 3> parts{name.substr(0, first), name.substr(first + 1, second - first - 1),
                                                name.substr(second + 1)};
    if (parts[0].empty() || parts[0] == "." || parts[0] == ".." || !parts[2].starts_with("tp"))
        return std::nullopt;
    return parts;
}

void readModelPart(std::string_view model, std::string_view name, DraftReading& reading) {
    if (model == "collective")
        return;
    std::vector<std::string> names{"collective"};
    for (const Preset& preset : models())
        names.push_back(preset.name);
    if (std::find(names.begin(), names.end(), model) != names.end()) {
        reading.draft.explicitValues.emplace("workload.model", std::string(model));
        return;
    }
    reading.problems.push_back({"EXPERIMENT", std::string(name),
                                "no model is called \"" + std::string(model) + "\"; allowed: " + joined(names, ", ")});
}

void readSublayerPart(std::string_view part, bool collective, std::string_view name, DraftReading& reading) {
    std::vector<std::string> names;
    for (std::string& known : sublayerNames()) {
        if (engine::isCollectiveAlone(*engine::sublayerNamed(known)) == collective)
            names.push_back(std::move(known));
    }
    if (std::find(names.begin(), names.end(), part) != names.end()) {
        reading.draft.explicitValues.emplace("workload.sublayer", std::string(part));
        return;
    }
    reading.problems.push_back({"EXPERIMENT", std::string(name),
                                std::string(collective ? "no collective" : "no sub-layer") + " is called \"" +
                                    std::string(part) + "\"; allowed: " + joined(names, ", ")});
}

}  // namespace

void applySetting(std::string_view assignment, ExperimentDraft& draft, Problems& problems) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        problems.push_back(
            {"--set", std::string(assignment), "not of the form PATH=VALUE, such as link.bandwidth=75GB/s"});
        return;
    }
    const std::string_view path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    const Parameter* parameter = engine::findParameter(parameterPath(path));
    if (!parameter) {
        problems.push_back({std::string(path), std::string(value),
                            "unknown parameter, " + suggestion(engine::nearestParameters(path))});
        return;
    }
    if (const auto parsed = engine::parseValue(*parameter, value, problems))
        draft.explicitValues.insert_or_assign(parameter->path, *parsed);
}

DraftReading readDraft(std::string_view json, std::string_view origin) {
    DraftReading reading;
    FlatDocument document = readFlat(json, origin);
    reading.problems = std::move(document.problems);
    const auto refused = reportObjects(document.objects, reading.problems);
    for (const DocumentValue& value : document.values) {
        if (!isInside(value.path, refused))
            readValue(value, reading);
    }
    return reading;
}

DraftReading readDraftFile(const std::string& path) {
    DraftReading reading;
    const std::string text = readText(path, reading.problems);
    if (!reading.problems.empty())
        return reading;
    return readDraft(text, path == "-" ? "standard input" : path);
}

DraftReading draftNamed(std::string_view name) {
    DraftReading reading;
    const auto parts = nameParts(name);
    if (!parts) {
        reading.problems.push_back(
            {"EXPERIMENT", std::string(name),
             "not of the form MODEL/SUBLAYER/tpN, such as t-nlg/fc-2/tp8 or collective/all-reduce/tp8"});
        return reading;
    }
    const auto& [model, part, degree] = *parts;
    readModelPart(model, name, reading);
    readSublayerPart(part, model == "collective", name, reading);
    const Parameter& tp = *engine::findParameter("parallel.tp");
    if (const auto parsed = engine::parseValue(tp, degree.substr(2), reading.problems))
        reading.draft.explicitValues.emplace(tp.path, *parsed);
    return reading;
}

DraftReading openDraft(const std::string& argument) {
    if (argument != "-" && nameParts(argument))
        return draftNamed(argument);
    DraftReading reading = readDraftFile(argument);
    const bool unopened = !reading.problems.empty() && reading.problems.front().text.starts_with("cannot be opened");
    if (unopened)
        reading.problems.front().text += "; allowed: a file, - for standard input, or a preset such as t-nlg/fc-2/tp8";
    return reading;
}

}  // namespace data
