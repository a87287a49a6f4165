#include "data/document/document_body.h"

#include "data/document/document_reader.h"
#include "data/document/names.h"

#include <algorithm>
#include <set>

namespace data {
namespace {

using engine::Parameter;
using engine::ParameterKind;
using engine::Problem;
using engine::Problems;

constexpr int kBodyVersion = 1;

std::string shown(const DocumentValue& value) { return shownValue(value.text, value.kind); }

bool isHead(std::string_view path) { return path == "format" || path == "version"; }

bool isFreeText(std::string_view path, const DocumentForm& form) { return isAmong(form.texts, path); }

std::vector<std::string> groupNames() {
    std::vector<std::string> names;
    for (const Parameter& parameter : engine::parameters()) {
        const std::string group = parameter.path.substr(0, parameter.path.find('.'));
        if (group != parameter.path)
            addOnce(names, group);
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

/// Returns the problem of an unknown key, with the nearest parameters, groups and keys of the document.
Problem unknownKey(const std::string& path, const std::string& value, const DocumentForm& form) {
    std::vector<std::string> candidates = groupNames();
    for (const Parameter& parameter : engine::parameters())
        candidates.push_back(parameter.path);
    for (const std::string_view own : {"format", "version"})
        candidates.emplace_back(own);
    candidates.insert(candidates.end(), form.texts.begin(), form.texts.end());
    return {path, value, "unknown key, " + suggestionOf(engine::nearestNames(path, candidates))};
}

void readHead(const DocumentValue& value, const DocumentForm& form, Problems& problems) {
    if (value.path == "format") {
        if (value.kind != DocumentValue::Kind::string || value.text != form.format)
            problems.push_back(
                {value.path, shown(value), "not " + std::string(form.what) + "; allowed: " + std::string(form.format)});
    } else if (auto problem = versionProblem(value.text, value.kind, kBodyVersion)) {
        problems.push_back(std::move(*problem));
    }
}

void readValue(const DocumentValue& value, const DocumentForm& form, BodyReading& reading) {
    if (whyRemoved(value.path)) {
        reading.removed.push_back(value.path);
    } else if (isHead(value.path)) {
        readHead(value, form, reading.problems);
    } else if (isFreeText(value.path, form)) {
        if (value.kind == DocumentValue::Kind::string) {
            reading.texts.insert_or_assign(value.path, value.text);
        } else {
            reading.problems.push_back({value.path, value.text, "wrong type, a string is expected"});
        }
    } else if (const Parameter* parameter = parameterNamed(value.path)) {
        if (const auto read = valueOf(value, *parameter, reading.problems))
            reading.values.insert_or_assign(parameter->path, *read);
    } else if (const auto members = membersOf(value.path); !members.empty()) {
        reading.problems.push_back(
            {value.path, shown(value), "an object is expected, with some of " + joinedNames(members, ", ")});
    } else {
        reading.problems.push_back(unknownKey(value.path, shown(value), form));
    }
}

/// Reports an object where none is allowed once, instead of once for each of its values.
std::set<std::string> reportObjects(const std::vector<std::string>& objects, const DocumentForm& form,
                                    Problems& problems) {
    std::set<std::string> refused;
    for (const std::string& path : objects) {
        if (!membersOf(path).empty())
            continue;
        const std::string parent = path.substr(0, path.find('.'));
        if (refused.count(parent) != 0)
            continue;
        refused.insert(path);
        if (engine::findParameter(path) || isFreeText(path, form) || isHead(path)) {
            problems.push_back({path, "{...}", "an object, but one value is expected"});
        } else {
            problems.push_back(unknownKey(path, "{...}", form));
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

/// Returns whether the document is the output of `run --output json`, which contains an experiment but is no experiment
/// document. One message about that helps more than fifty unknown keys.
bool isRunResult(const FlatDocument& document) {
    return std::any_of(document.values.begin(), document.values.end(),
                       [](const DocumentValue& value) { return value.path == "engine_version"; });
}

}  // namespace

std::optional<std::string_view> whyRemoved(std::string_view path) {
    if (path == "dma.queue")
        return "no longer a setting: it never changed a time";
    return std::nullopt;
}

std::optional<engine::ParameterValue> valueOf(const DocumentValue& value, const Parameter& parameter,
                                              Problems& problems) {
    const bool wantsWord = parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::text;
    if (value.kind == DocumentValue::Kind::other || (value.kind == DocumentValue::Kind::number && wantsWord)) {
        problems.push_back({parameter.path, value.text,
                            std::string("wrong type, ") +
                                (wantsWord ? "a string" : "a number or a string with a unit") +
                                " is expected; allowed: " + engine::describeAllowed(parameter)});
        return std::nullopt;
    }
    const std::size_t before = problems.size();
    auto read = engine::parseValue(parameter, value.text, problems);
    for (std::size_t i = before; i < problems.size(); ++i) {
        if (problems[i].value == value.text)
            problems[i].value = shown(value);
    }
    return read;
}

std::optional<Problem> emptyProblem(const FlatDocument& document, std::string_view origin, std::string_view missing) {
    if (!document.values.empty() || !document.objects.empty() || !document.problems.empty())
        return std::nullopt;
    return Problem{std::string(origin), "{}", "an empty document; missing is " + std::string(missing)};
}

const Parameter* parameterNamed(std::string_view key) {
    return engine::findParameter(key == "policy" ? std::string_view("policy.preset") : key);
}

std::string joinedNames(const std::vector<std::string>& names, std::string_view last) {
    if (names.size() < 2)
        return joined(names, last);
    return joined({names.begin(), names.end() - 1}, ", ").append(last).append(names.back());
}

std::string suggestionOf(const std::vector<std::string>& near) {
    return near.empty() ? "`parameters` lists all" : "did you mean " + joinedNames(near, " or ") + "?";
}

BodyReading readBody(std::string_view json, std::string_view origin, const DocumentForm& form) {
    return readBody(readFlat(json, origin), origin, form);
}

BodyReading readBody(FlatDocument document, std::string_view origin, const DocumentForm& form) {
    BodyReading reading;
    if (isRunResult(document)) {
        reading.problems.push_back({std::string(origin), "",
                                    "the result of a run, not " + std::string(form.what) +
                                        "; its experiment is under the key \"experiment\""});
        return reading;
    }
    reading.problems = std::move(document.problems);
    const auto refused = reportObjects(document.objects, form, reading.problems);
    for (const DocumentValue& value : document.values) {
        if (!isInside(value.path, refused))
            readValue(value, form, reading);
    }
    return reading;
}

}  // namespace data
