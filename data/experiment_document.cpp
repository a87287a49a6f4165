#include "data/experiment_document.h"

#include "data/document_body.h"
#include "data/document_reader.h"

#include <algorithm>
#include <array>

namespace data {
namespace {

using engine::Parameter;
using engine::Problems;

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
    reading.problems.push_back(
        {"EXPERIMENT", std::string(name),
         "no model is called \"" + std::string(model) + "\"; allowed: " + joinedNames(names, ", ")});
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
                                    std::string(part) + "\"; allowed: " + joinedNames(names, ", ")});
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
    const Parameter* parameter = parameterNamed(path);
    if (!parameter) {
        problems.push_back({std::string(path), std::string(value),
                            "unknown parameter, " + suggestionOf(engine::nearestParameters(path))});
        return;
    }
    if (const auto parsed = engine::parseValue(*parameter, value, problems))
        draft.explicitValues.insert_or_assign(parameter->path, *parsed);
}

DraftReading readDraft(std::string_view json, std::string_view origin) {
    BodyReading body = readBody(json, origin, {kExperimentFormat, "an experiment", {"label", "name", "notes"}});
    return {{std::move(body.values)}, std::move(body.texts), std::move(body.problems)};
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
