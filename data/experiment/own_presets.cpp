#include "data/experiment/own_presets.h"

#include "data/document/document_body.h"
#include "data/document/document_reader.h"
#include "data/document/names.h"
#include "data/document/whole_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace data {
namespace {

using engine::Parameter;
using engine::Problem;

constexpr std::string_view kSuffix = ".json";
constexpr std::size_t kMostFiles = 1000;

std::string folderOf(OwnKind kind) { return std::string(name(kind)) + "s"; }

/// Returns the own preset of this kind that a draft names, or null.
const OwnPreset* namedIn(const ExperimentDraft& draft, OwnKind kind, const OwnPresets& presets) {
    const auto found = draft.explicitValues.find(namingPath(kind));
    const auto* word = found == draft.explicitValues.end() ? nullptr : std::get_if<std::string>(&found->second);
    return word != nullptr ? presets.find(kind, *word) : nullptr;
}

}  // namespace

Settings ownValuesOf(OwnKind kind, const ExperimentDraft& draft) {
    if (kind == OwnKind::experiment)
        return draft.explicitValues;
    const engine::Experiment experiment = expand(draft).experiment;
    const std::vector<std::string>& said = saidPaths(namingPath(kind));
    Settings values;
    for (const Parameter& parameter : engine::parameters()) {
        const engine::ParameterValue value = parameter.read(experiment);
        const bool isDefault = value == parameter.defaultValue;
        const bool isUnread = parameter.reading.whyNot != nullptr && !parameter.reading.whyNot(experiment).empty();
        if (!covers(kind, parameter) || (isDefault && (isUnread || parameter.kind == engine::ParameterKind::text)))
            continue;
        if (!isDefault || isAmong(said, parameter.path))
            values.emplace(parameter.path, value);
    }
    return values;
}

OwnPresets::OwnPresets(std::string folder) : m_folder(std::move(folder)) { reload(); }

std::string OwnPresets::fileOf(OwnKind kind, std::string_view name) const {
    return m_folder + "/" + folderOf(kind) + "/" + std::string(name) + std::string(kSuffix);
}

const OwnPreset* OwnPresets::find(OwnKind kind, std::string_view name) const {
    const auto found = std::find_if(m_presets.begin(), m_presets.end(), [&](const OwnPreset& preset) {
        return preset.kind == kind && preset.name == name;
    });
    return found == m_presets.end() ? nullptr : &*found;
}

void OwnPresets::reload() {
    m_presets.clear();
    m_problems.clear();
    if (m_folder.empty())
        return;
    for (const OwnKind kind : kOwnKinds)
        readKind(kind);
}

void OwnPresets::readKind(OwnKind kind) {
    const std::string folder = m_folder + "/" + folderOf(kind);
    std::error_code error;
    std::vector<std::string> files;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == kSuffix && files.size() < kMostFiles)
            files.push_back(entry->path().string());
    }
    if (error && error != std::errc::no_such_file_or_directory)
        m_problems.push_back({folder, "", "cannot be read: " + error.message()});
    std::sort(files.begin(), files.end());  // a folder lists its files in any order
    for (const std::string& file : files)
        readFile(kind, file);
}

void OwnPresets::readFile(OwnKind kind, const std::string& file) {
    OwnPreset preset{kind, std::filesystem::path(file).stem().string(), {}};
    // The path from "presets" on, which is short enough to be shown completely.
    const std::string origin = "presets/" + folderOf(kind) + "/" + std::filesystem::path(file).filename().string();
    engine::Problems problems;
    if (auto problem = checkOwnName(kind, preset.name))
        problems.push_back({origin, "", "as a preset's name: " + problem->text});
    const std::string text = problems.empty() ? readText(file, problems) : std::string();
    if (problems.empty() && kind == OwnKind::experiment) {
        DraftReading reading = readDraft(text, origin);
        preset.values = std::move(reading.draft.explicitValues);
        preset.removed = std::move(reading.draft.removed);
        problems = std::move(reading.problems);
    } else if (problems.empty()) {
        PresetReading reading = readPreset(readFlat(text, origin), origin, kind);
        reading.preset.name = preset.name;  // the name of the file counts, even if the file was renamed
        preset = std::move(reading.preset);
        problems = std::move(reading.problems);
    }
    if (problems.empty()) {
        m_presets.push_back(std::move(preset));
        return;
    }
    const Problem& first = problems.front();
    m_problems.push_back(first.path == origin ? first : Problem{origin, "", engine::describe(first)});
}

void OwnPresets::save(const OwnPreset& preset) {
    if (const auto problem = checkOwnName(preset.kind, preset.name))
        throw FileError(engine::describe(*problem));
    const std::string file = fileOf(preset.kind, preset.name);
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), error);
    if (error)
        throw FileError(m_folder + ": cannot be created: " + error.message());
    const std::string text = preset.kind == OwnKind::experiment ? writeDraft({preset.values}) : writePreset(preset);
    if (find(preset.kind, preset.name) != nullptr)
        writeWholeFile(file, text);
    else
        writeNewFile(file, text);
    reload();
}

void OwnPresets::remove(OwnKind kind, std::string_view name) {
    const std::string file = fileOf(kind, name);
    std::error_code error;
    std::filesystem::remove(file, error);
    if (error)
        throw FileError(file + ": cannot be removed: " + error.message());
    reload();
}

ExperimentDraft withOwnPresets(const ExperimentDraft& draft, const OwnPresets& presets) {
    ExperimentDraft full = draft;
    for (const OwnKind kind : {OwnKind::model, OwnKind::machine}) {
        if (const OwnPreset* preset = namedIn(draft, kind, presets)) {
            full.explicitValues.insert(preset->values.begin(), preset->values.end());
            full.removed.insert(full.removed.end(), preset->removed.begin(), preset->removed.end());
        }
    }
    return full;
}

ExperimentDraft withChosen(OwnKind kind, const std::string& name, const ExperimentDraft& draft,
                           const OwnPresets& presets) {
    ExperimentDraft chosen = draft;
    if (const OwnPreset* left = namedIn(draft, kind, presets)) {
        std::erase_if(chosen.explicitValues, [&](const auto& entry) {
            const auto said = left->values.find(entry.first);
            return said != left->values.end() && said->second == entry.second;
        });
    }
    chosen.explicitValues.insert_or_assign(std::string(namingPath(kind)), name);
    return withOwnPresets(chosen, presets);
}

std::vector<Preset> listedPresets(OwnKind kind, const OwnPresets& presets) {
    std::vector<Preset> listed;
    for (const OwnPreset& own : presets.all()) {
        if (own.kind != kind)
            continue;
        Preset& preset = listed.emplace_back(listedPreset(own));
        if (preset.source.empty())
            preset.source = presets.fileOf(kind, own.name);
        if (preset.notes.empty())
            preset.notes = "your own";
    }
    return listed;
}

std::string usualPresetFolder() {
    // The XDG specification says to ignore a path that is not absolute.
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
        return std::string(data) + "/ringside/presets";
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? std::string(home) + "/.local/share/ringside/presets" : std::string();
}

}  // namespace data
