#include "data/document/document_body.h"
#include "data/document/document_reader.h"
#include "data/document/names.h"
#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

// Opens the argument of a command: a case by its name, a file, or the file of a preset.

namespace data {
namespace {

using engine::Parameter;
using engine::Problems;

/// Splits a name such as "t-nlg/fc-2/tp8" at the slashes. Returns an empty optional for a name of another form.
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

/// Reads the name of a GEMM of its own: "4096x4096x4096", "4096x4096x4096/tp4". Returns an empty optional for any other
/// name.
std::optional<std::string_view> ownGemmPart(std::string_view name) {
    if (!name.starts_with(kOwnGemm) || !name.substr(kOwnGemm.size()).starts_with('/'))
        return std::nullopt;
    const std::string_view part = name.substr(kOwnGemm.size() + 1);
    const std::size_t sides = std::min(part.find('/'), part.size());
    const bool isDegree = sides == part.size() || part.substr(sides).starts_with("/tp");
    if (sides == 0 || !isDegree || part.substr(0, sides).find_first_not_of("0123456789x") != std::string_view::npos)
        return std::nullopt;
    return part;
}

void readDegree(std::string_view text, DraftReading& reading) {
    const Parameter& tp = *engine::findParameter("parallel.tp");
    if (const auto parsed = engine::parseValue(tp, text, reading.problems))
        reading.draft.explicitValues.emplace(tp.path, *parsed);
}

std::vector<std::string_view> partsBetween(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    parts.push_back(text);
    return parts;
}

/// Reads MxNxK, or BxMxNxK for a batch, with /tpN if the number of GPUs is not the usual one.
DraftReading draftOfOwnGemm(std::string_view name, std::string_view part) {
    DraftReading reading;
    const std::size_t end = std::min(part.find('/'), part.size());
    const std::vector<std::string_view> sides = partsBetween(part.substr(0, end), 'x');
    std::vector<const char*> paths{"matrix.m", "matrix.n", "matrix.k"};
    if (sides.size() == paths.size() + 1)
        paths.insert(paths.begin(), "matrix.batch");
    if (sides.size() != paths.size()) {
        reading.problems.push_back({"EXPERIMENT", std::string(name),
                                    "not of the form gemm/MxNxK, gemm/BxMxNxK or gemm/MxNxK/tpN, such as "
                                    "gemm/4096x4096x4096"});
        return reading;
    }
    reading.draft.explicitValues.emplace("workload.sublayer", std::string(engine::name(engine::SubLayer::gemm)));
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (const auto parsed = engine::parseValue(*engine::findParameter(paths[i]), sides[i], reading.problems))
            reading.draft.explicitValues.emplace(paths[i], *parsed);
    }
    if (end < part.size())
        readDegree(part.substr(end + std::string_view("/tp").size()), reading);
    return reading;
}

std::vector<std::string> modelNames(const OwnPresets* own) {
    std::vector<std::string> names = namesOf(models(), &Preset::name);
    if (own != nullptr) {
        for (const Preset& preset : listedPresets(OwnKind::model, *own))
            names.push_back(preset.name);
    }
    return names;
}

/// Adds the problems of the file of an own model with this name: they are the reason why the model is unknown.
void addProblemOfFile(std::string_view model, const OwnPresets* own, Problems& problems) {
    if (own == nullptr)
        return;
    for (const engine::Problem& problem : own->problems()) {
        if (problem.path.ends_with("/models/" + std::string(model) + ".json"))
            problems.push_back(problem);
    }
}

void readModelPart(std::string_view model, std::string_view name, const OwnPresets* own, DraftReading& reading) {
    if (model == kNoModel)
        return;
    std::vector<std::string> names = modelNames(own);
    if (isAmong(names, model)) {
        reading.draft.explicitValues.emplace("workload.model", std::string(model));
        return;
    }
    names.insert(names.begin(), std::string(kNoModel));
    reading.problems.push_back(
        {"EXPERIMENT", std::string(name),
         "no model is called \"" + std::string(model) + "\"; allowed: " + joinedNames(names, ", ")});
    addProblemOfFile(model, own, reading.problems);
}

void readSublayerPart(std::string_view part, bool collective, std::string_view name, DraftReading& reading) {
    std::vector<std::string> names;
    for (std::string& known : namesOf(sublayers(), &Preset::name)) {
        const engine::SubLayer sublayer = *engine::sublayerNamed(known);
        if (collective ? engine::isCollectiveAlone(sublayer) : engine::isPartOfModel(sublayer))
            names.push_back(std::move(known));
    }
    if (isAmong(names, part)) {
        reading.draft.explicitValues.emplace("workload.sublayer", std::string(part));
        return;
    }
    reading.problems.push_back({"EXPERIMENT", std::string(name),
                                std::string(collective ? "no collective" : "no sub-layer") + " is called \"" +
                                    std::string(part) + "\"; allowed: " + joinedNames(names, ", ")});
}

/// Returns the default experiment with the model or the machine of a document.
DraftReading draftOfPreset(FlatDocument document, const std::string& origin, std::optional<OwnKind> expected) {
    DraftReading reading;
    reading.ofPreset = true;
    PresetReading preset = readPreset(std::move(document), origin, expected);
    reading.problems = std::move(preset.problems);
    std::string name = std::move(preset.preset.name);
    if (name.empty())
        name = std::filesystem::path(origin).stem().string();
    if (reading.problems.empty()) {
        // Under the name of a bundled preset, values that the file does not set would come from the bundled preset.
        if (auto problem = checkOwnName(preset.preset.kind, name))
            reading.problems.push_back(std::move(*problem));
    }
    reading.draft = {std::move(preset.preset.values), std::move(preset.preset.removed)};
    reading.draft.explicitValues.insert_or_assign(std::string(namingPath(preset.preset.kind)), name);
    return reading;
}

std::string originOf(const std::string& argument) { return argument == "-" ? "standard input" : argument; }

}  // namespace

DraftReading draftNamed(std::string_view name, const OwnPresets* own) {
    if (name == kAccess)
        return {.draft = {{{"workload.sublayer", std::string(kAccess)}}}};
    if (const auto part = ownGemmPart(name))
        return draftOfOwnGemm(name, *part);
    DraftReading reading;
    const auto parts = nameParts(name);
    if (!parts) {
        reading.problems.push_back({"EXPERIMENT", std::string(name),
                                    "not of the form MODEL/SUBLAYER/tpN, such as t-nlg/fc-2/tp8 or "
                                    "collective/all-reduce/tp8, gemm/MxNxK, gemm/BxMxNxK or access"});
        return reading;
    }
    const auto& [model, part, degree] = *parts;
    readModelPart(model, name, own, reading);
    readSublayerPart(part, model == kNoModel, name, reading);
    readDegree(degree.substr(2), reading);
    return reading;
}

DraftReading openDraft(const std::string& argument, const OwnPresets* own) {
    if (argument != "-" && (argument == kAccess || nameParts(argument) || ownGemmPart(argument)))
        return draftNamed(argument, own);
    DraftReading reading;
    const std::string text = readText(argument, reading.problems);
    if (!reading.problems.empty()) {
        if (reading.problems.front().text.starts_with("cannot be opened"))
            reading.problems.front().text +=
                "; allowed: a file, - for standard input, or a preset such as t-nlg/fc-2/tp8, gemm/4096x4096x4096 or access";
        return reading;
    }
    const std::string origin = originOf(argument);
    if (FlatDocument document = readFlat(text, origin); isPreset(document))
        return draftOfPreset(std::move(document), origin, {});
    return readDraft(text, origin);
}

DraftReading openModel(const std::string& argument, const OwnPresets& own) {
    DraftReading reading;
    const std::vector<std::string> names = modelNames(&own);
    if (isAmong(names, argument)) {
        reading.draft.explicitValues.emplace("workload.model", argument);
        return reading;
    }
    std::error_code error;
    if (argument != "-" && !std::filesystem::exists(argument, error)) {
        const auto near = engine::nearestNames(argument, names);
        reading.problems.push_back(
            {"MODEL", argument,
             "neither a model nor a file" + (near.empty() ? std::string() : ", did you mean " + near.front() + "?") +
                 "; allowed: " + joinedNames(names, ", ") + ", or the file of a model as `convert` writes it, or " +
                 std::string(kAllModels)});
        addProblemOfFile(argument, &own, reading.problems);
        return reading;
    }
    const std::string text = readText(argument, reading.problems);
    if (!reading.problems.empty())
        return reading;
    FlatDocument document = readFlat(text, originOf(argument));
    if (auto problem = emptyProblem(document, originOf(argument), "a model, as `convert` writes one")) {
        reading.problems.push_back(std::move(*problem));
        return reading;
    }
    return draftOfPreset(std::move(document), originOf(argument), OwnKind::model);
}

}  // namespace data
