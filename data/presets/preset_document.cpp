#include "data/presets/preset_document.h"

#include "data/document/document_body.h"
#include "data/document/document_tree.h"
#include "data/document/names.h"
#include "engine/api/letters.h"

#include <algorithm>
#include <utility>

namespace data {
namespace {

using engine::Parameter;
using engine::Problem;
using engine::SourceLabel;

constexpr std::size_t kLongestName = 64;

bool sameLetters(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return engine::lowerLetter(x) == engine::lowerLetter(y); });
}

std::span<const Preset> bundled(OwnKind kind) {
    return kind == OwnKind::model ? models() : kind == OwnKind::machine ? machines() : std::span<const Preset>();
}

/// Returns why a model must not have this name, because the command line reads the word as something else, and what is
/// allowed; empty if the name is free.
std::string otherMeaning(std::string_view name) {
    if (name == kNoModel)
        return "means a collective without a model, as in collective/all-reduce/tp8; choose another name";
    if (name == kOwnGemm)
        return "means a GEMM without a model, as in gemm/4096x4096x4096; choose another name";
    if (name == kAccess)
        return "means an access pattern, as in `ringside-cli run access`; choose another name";
    if (name == kAllModels)
        return "means all bundled models, as in `ringside-cli model all`; choose another name";
    if (name.starts_with('-'))
        return "begins with -, so that the command line takes it for an option; allowed: any other first character";
    return {};
}

/// Returns whether a text is strict UTF-8, as JSON requires: without overlong forms, surrogates and code points beyond
/// U+10FFFF.
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
    if (kind == OwnKind::model && setsNetwork([&](const std::string& path) { return values.contains(path); }))
        return {};
    for (const std::string& path : neededPaths(namingPath(kind))) {
        if (values.count(path) == 0)
            missing.push_back(path);
    }
    return joinedNames(missing, " and ");
}

engine::Problems check(OwnKind kind, const Settings& values) {
    engine::Problems problems;
    const std::vector<std::string>& bundledSay = saidPaths(namingPath(kind));
    for (const auto& [path, value] : values) {
        const Parameter& parameter = *engine::findParameter(path);
        if (!covers(kind, parameter) && !isAmong(bundledSay, path))
            problems.push_back({path, engine::formatValue(parameter, value),
                                "cannot be set by a " + std::string(name(kind)) + "; leave it out"});
    }
    if (const std::string missing = missingList(kind, values); !missing.empty())
        problems.push_back({missing, "", "missing; every " + std::string(name(kind)) + " must set it"});
    return problems;
}

constexpr std::array kLabels{SourceLabel::published,  SourceLabel::secondHand, SourceLabel::derived,
                             SourceLabel::calibrated, SourceLabel::assumed,    SourceLabel::chosen};

std::optional<SourceLabel> labelNamed(std::string_view word) {
    const auto found =
        std::find_if(kLabels.begin(), kLabels.end(), [&](SourceLabel label) { return engine::name(label) == word; });
    return found == kLabels.end() ? std::nullopt : std::optional(*found);
}

std::string labelNames() {
    std::vector<std::string> names;
    for (const SourceLabel label : kLabels)
        names.emplace_back(engine::name(label));
    return joinedNames(names, ", ");
}

/// Removes the sources of single values from a document and returns them: by path, and as one text in the order
/// written.
void takeSources(FlatDocument& document, Preset& preset, engine::Problems& problems) {
    const std::string inside = std::string(kSourcesKey) + ".";
    std::string last;
    for (const DocumentValue& value : document.values) {
        if (!value.path.starts_with(inside))
            continue;
        const std::string path = value.path.substr(inside.size());
        const std::size_t comma = std::min(value.text.find(", "), value.text.size());
        const auto label = labelNamed(std::string_view(value.text).substr(0, comma));
        if (engine::findParameter(path) == nullptr || !label || comma == value.text.size()) {
            problems.push_back(
                {value.path, value.text,
                 "not a label and the source of a parameter's value, such as \"published, T3, table 1\"; "
                 "labels: " +
                     labelNames()});
            continue;
        }
        preset.sources.emplace(path, ValueSource{*label, value.text.substr(comma + 2)});
        preset.source += value.text == last ? ", " + path : (last.empty() ? "" : "; ") + value.text + ": " + path;
        last = value.text;
    }
    std::erase_if(document.values, [&](const DocumentValue& value) { return value.path.starts_with(inside); });
    std::erase_if(document.objects,
                  [&](const std::string& path) { return path == kSourcesKey || path.starts_with(inside); });
}

std::vector<std::int64_t> degreesOf(std::string_view text, engine::Problems& problems) {
    std::vector<std::int64_t> degrees;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(", "), text.size());
        if (const auto tp = engine::parseValue(*engine::findParameter("parallel.tp"), text.substr(0, end), problems))
            degrees.push_back(std::get<std::int64_t>(*tp));
        text.remove_prefix(std::min(end + 2, text.size()));
    }
    return degrees;
}

std::optional<OwnKind> kindNamed(std::string_view word) {
    for (const OwnKind kind : {OwnKind::model, OwnKind::machine}) {
        if (name(kind) == word)
            return kind;
    }
    return std::nullopt;
}

/// Reads everything that the document sets, whether or not a preset must or may set it. `before`: the bundled presets
/// that have been read so far, while the bundled presets are being read.
PresetReading read(FlatDocument document, std::string_view origin, std::optional<OwnKind> expected,
                   std::optional<std::span<const Preset>> before = {}) {
    PresetReading reading;
    Preset preset;
    takeSources(document, preset, reading.problems);
    BodyReading body =
        readBody(std::move(document), origin,
                 {kPresetFormat, "a preset", {"kind", "name", "notes", "title", "base", "label", "source", "tps"}});
    reading.problems.insert(reading.problems.begin(), body.problems.begin(), body.problems.end());
    const auto text = [&](const char* key) { return body.texts.contains(key) ? body.texts.at(key) : std::string(); };
    const std::optional<OwnKind> kind = kindNamed(text("kind"));
    if (reading.problems.empty() && (!kind || (expected && kind != expected)))
        reading.problems.push_back({"kind", text("kind"),
                                    "another kind of preset is expected here; allowed: " +
                                        (expected ? std::string(name(*expected)) : "model or machine")});
    preset.title = text("title");
    preset.tps = degreesOf(text("tps"), reading.problems);
    if (const auto label = labelNamed(text("label")))
        preset.sourceLabel = *label;
    else if (body.texts.contains("label"))
        reading.problems.push_back({"label", text("label"), "unknown; allowed: one of " + labelNames()});
    if (!text("source").empty())
        preset.source = text("source");
    else if (!preset.source.empty() && kind == OwnKind::machine)
        preset.source += "; all else assumed, as on T3's machine";
    if (body.texts.contains("base")) {
        const std::span<const Preset> bases = before ? *before : bundled(kind.value_or(OwnKind::model));
        const Preset* base = findNamed(bases, &Preset::name, text("base"));
        if (base == nullptr)
            reading.problems.push_back(
                {"base", text("base"),
                 "no bundled preset of this kind has this name; allowed: a name that `list` shows"});
        else
            body.values.insert(base->settings.begin(), base->settings.end());
    }
    reading.preset = {kind.value_or(OwnKind::model), text("name"),     std::move(body.values), text("notes"),
                      std::move(body.removed),       std::move(preset)};
    return reading;
}

}  // namespace

std::string_view name(OwnKind kind) {
    constexpr std::array<std::string_view, kOwnKinds.size()> kNames{"model", "machine", "experiment"};
    return kNames[static_cast<std::size_t>(kind)];
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
    constexpr std::array kMachine{cu, llc, memory, dram, tracker, dma, link, topology, node};
    if (kind == OwnKind::machine && parameter.path == "collective.table")
        return true;  // measured on that machine
    return kind == OwnKind::model ? parameter.group == model : isAmong(kMachine, parameter.group);
}

bool isBundled(OwnKind kind, std::string_view name) {
    const std::span<const Preset> presets = bundled(kind);
    return std::any_of(presets.begin(), presets.end(), [&](const Preset& preset) {
        return sameLetters(preset.name, name) || sameLetters(preset.title, name);
    });
}

std::optional<Problem> checkOwnName(OwnKind kind, std::string_view name) {
    const std::string path = std::string(data::name(kind)) + " preset";
    const auto refused = [&](const std::string& why) { return Problem{path, std::string(name), why}; };
    const auto isSpace = [](char c) { return c == ' ' || c == '.'; };
    if (name.empty())
        return refused("empty; a name is expected");
    if (name.size() > kLongestName)
        return refused("too long; allowed: " + std::to_string(kLongestName) + " bytes");
    if (isSpace(name.front()) || isSpace(name.back()))
        return refused("must not begin or end with a space or a dot");
    if (!isUtf8(name))
        return refused("not UTF-8");
    for (const char c : name) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            return refused("must not contain a control character");
        if (std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos)
            return refused(std::string("contains ") + c +
                           ", which some systems do not allow in file names; allowed: all characters except "
                           "/ \\ : * ? \" < > |");
    }
    if (const std::string meaning = kind == OwnKind::model ? otherMeaning(name) : ""; !meaning.empty())
        return refused(meaning);
    if (isBundled(kind, name))
        return refused("a bundled preset has this name and cannot be replaced; choose another name");
    return std::nullopt;
}

bool isPreset(const FlatDocument& document) {
    return std::any_of(document.values.begin(), document.values.end(), [](const DocumentValue& value) {
        return value.path == "format" && value.text == kPresetFormat;
    });
}

PresetReading readPreset(FlatDocument document, std::string_view origin, std::optional<OwnKind> expected) {
    PresetReading reading = read(std::move(document), origin, expected);
    if (reading.problems.empty())
        reading.problems = check(reading.preset.kind, reading.preset.values);
    return reading;
}

std::vector<Preset> readBundled(OwnKind kind, std::string_view json) {
    const DocumentTree tree = readTree(json, name(kind));
    std::vector<Preset> presets;
    for (const DocumentNode& preset : tree.root->find("presets")->children)
        presets.push_back(listedPreset(read(flatten(preset), name(kind), kind, presets).preset));
    return presets;
}

std::string degreesText(const Preset& preset) {
    std::vector<std::string> degrees;
    for (const std::int64_t tp : preset.tps)
        degrees.push_back(std::to_string(tp));
    return joinedNames(degrees, ", ");
}

Preset listedPreset(const OwnPreset& preset) {
    Preset listed = preset.details;
    listed.name = preset.name;
    if (listed.title.empty())
        listed.title = preset.name;
    listed.settings = preset.values;
    listed.notes = preset.notes;
    return listed;
}

std::string writePreset(const OwnPreset& preset) {
    const Preset& details = preset.details;
    DocumentTexts texts{{"kind", std::string(name(preset.kind))}, {"name", preset.name}};
    const std::string label =
        details.sourceLabel == SourceLabel::chosen ? "" : std::string(engine::name(details.sourceLabel));
    for (const auto& [key, text] : {std::pair{"notes", preset.notes},
                                    {"title", details.title},
                                    {"label", label},
                                    {"source", details.source},
                                    {"tps", degreesText(details)}}) {
        if (!text.empty())
            texts.emplace(key, text);
    }
    for (const auto& [path, value] : details.sources)
        texts.emplace(std::string(kSourcesKey) + "." + path,
                      std::string(engine::name(value.label)) + ", " + value.source);
    return writeBody(kPresetFormat, texts, preset.values);
}

}  // namespace data
