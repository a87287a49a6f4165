#include "data/presets/preset_document.h"

#include "data/document/document_body.h"
#include "engine/api/letters.h"

#include <algorithm>

namespace data {
namespace {

using engine::Parameter;
using engine::Problem;

constexpr std::size_t kLongestName = 64;

bool sameLetters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return engine::lowerLetter(x) == engine::lowerLetter(y); });
}

bool isBundled(OwnKind kind, std::string_view name) {
    const std::span<const Preset> bundled = kind == OwnKind::model     ? models()
                                            : kind == OwnKind::machine ? machines()
                                                                       : std::span<const Preset>();
    return std::any_of(bundled.begin(), bundled.end(), [&](const Preset& preset) {
        return sameLetters(preset.name, name) || sameLetters(preset.title, name);
    });
}

/// Models are named on command lines, where some words mean something else. Returns what this name means there, and what
/// is allowed; an empty text for a name that is free.
std::string otherMeaning(std::string_view name) {
    if (name == kNoModel)
        return "stands for a collective without a model, as in collective/all-reduce/tp8; choose another name";
    if (name == kAllModels)
        return "stands for every bundled model, as in `ringside-cli model all`; choose another name";
    if (name.starts_with('-'))
        return "begins with -, so that the command line takes it for an option; allowed: any other first character";
    return {};
}

/// Strict: no overlong forms, no surrogates, nothing beyond U+10FFFF. JSON can hold nothing else.
bool isUtf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (length == 0 || first > 0xF4 || i + length > text.size())
            return false;
        for (std::size_t k = 1; k < length; ++k) {
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0u) != 0x80u)
                return false;
        }
        const auto second = length > 1 ? static_cast<unsigned char>(text[i + 1]) : 0x80;
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
            (first == 0xF4 && second > 0x8F))
            return false;
        i += length;
    }
    return true;
}

std::string missingList(OwnKind kind, const Settings& values) {
    std::vector<std::string> missing;
    for (const std::string& path : neededPaths(namingPath(kind))) {
        if (values.count(path) == 0)
            missing.push_back(path);
    }
    return joinedNames(missing, " and ");
}

engine::Problems check(OwnKind kind, const Settings& values) {
    engine::Problems problems;
    for (const auto& [path, value] : values) {
        const Parameter& parameter = *engine::findParameter(path);
        if (!covers(kind, parameter))
            problems.push_back({path, engine::formatValue(parameter, value),
                                "no business of a " + std::string(name(kind)) + "; leave it out"});
    }
    if (const std::string missing = missingList(kind, values); !missing.empty())
        problems.push_back({missing, "", "missing, and every " + std::string(name(kind)) + " has to say it"});
    return problems;
}

std::optional<OwnKind> kindNamed(std::string_view word) {
    for (const OwnKind kind : {OwnKind::model, OwnKind::machine}) {
        if (name(kind) == word)
            return kind;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name(OwnKind kind) {
    switch (kind) {
    case OwnKind::model: return "model";
    case OwnKind::machine: return "machine";
    case OwnKind::experiment: return "experiment";
    }
    return {};
}

std::string_view namingPath(OwnKind kind) {
    return kind == OwnKind::machine ? "machine" : kind == OwnKind::model ? "workload.model" : "";
}

bool covers(OwnKind kind, const Parameter& parameter) {
    using enum engine::ParameterGroup;
    if (kind == OwnKind::experiment)
        return true;
    if (parameter.path == namingPath(kind))
        return false;
    constexpr std::array kMachine{cu, llc, memory, dram, tracker, dma, link, topology};
    return kind == OwnKind::model ? parameter.group == model
                                  : std::find(kMachine.begin(), kMachine.end(), parameter.group) != kMachine.end();
}

std::optional<Problem> checkOwnName(OwnKind kind, std::string_view name) {
    const std::string path = std::string(data::name(kind)) + " preset";
    const auto refused = [&](const std::string& why) { return Problem{path, std::string(name), why}; };
    const auto isSpace = [](char c) { return c == ' ' || c == '.'; };
    if (name.empty())
        return refused("a name is needed");
    if (name.size() > kLongestName)
        return refused("too long; allowed: " + std::to_string(kLongestName) + " bytes");
    if (isSpace(name.front()) || isSpace(name.back()))
        return refused("begins or ends with a space or a dot");
    if (!isUtf8(name))
        return refused("not UTF-8");
    for (const char c : name) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            return refused("has a control character in it");
        if (std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
            return refused(std::string("has ") + c +
                           " in it, which no file name can carry everywhere; allowed: all but "
                           "/ \\ : * ? \" < > |");
    }
    if (const std::string meaning = kind == OwnKind::model ? otherMeaning(name) : ""; !meaning.empty())
        return refused(meaning);
    if (isBundled(kind, name))
        return refused("the name of a bundled preset, which stays as it is; choose another");
    return std::nullopt;
}

bool isPreset(const FlatDocument& document) {
    return std::any_of(document.values.begin(), document.values.end(), [](const DocumentValue& value) {
        return value.path == "format" && value.text == kPresetFormat;
    });
}

PresetReading readPreset(FlatDocument document, std::string_view origin, std::optional<OwnKind> expected) {
    BodyReading body = readBody(std::move(document), origin, {kPresetFormat, "a preset", {"kind", "name", "notes"}});
    PresetReading reading;
    reading.problems = std::move(body.problems);
    const auto text = [&](const char* key) {
        const auto found = body.texts.find(key);
        return found == body.texts.end() ? std::string() : found->second;
    };
    const std::optional<OwnKind> kind = kindNamed(text("kind"));
    if (reading.problems.empty() && (!kind || (expected && kind != expected)))
        reading.problems.push_back({"kind", text("kind"),
                                    "not the one that is expected here; allowed: " +
                                        (expected ? std::string(name(*expected)) : "model or machine")});
    reading.preset = {kind.value_or(OwnKind::model), text("name"), std::move(body.values), text("notes"),
                      std::move(body.removed)};
    if (reading.problems.empty())
        reading.problems = check(*kind, reading.preset.values);
    return reading;
}

std::string writePreset(const OwnPreset& preset) {
    DocumentTexts texts{{"kind", std::string(name(preset.kind))}, {"name", preset.name}};
    if (!preset.notes.empty())
        texts.emplace("notes", preset.notes);
    return writeBody(kPresetFormat, texts, preset.values);
}

}  // namespace data
