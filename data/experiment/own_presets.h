#pragma once

#include "data/experiment/experiment_document.h"
#include "data/presets/preset_document.h"
#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Returns the values of `draft` that a preset of this kind stores. For a model or a machine these are all values that
/// a bundled preset sets and all others that differ from the parameter table, so that the preset needs no other preset.
/// For an experiment it is the draft itself.
Settings ownValuesOf(OwnKind kind, const ExperimentDraft& draft);

/// The presets in one folder, each in a JSON file of its own: FOLDER/machines/NAME.json and so on. Models and machines
/// are "ringside-preset" documents; an experiment is an ordinary experiment document. A file that cannot be read is
/// reported, left as it is, and never overwritten.
class OwnPresets {
public:
    /// Reads the presets in `folder`, which need not exist. With an empty path nothing is kept.
    explicit OwnPresets(std::string folder);

    bool keeps() const { return !m_folder.empty(); }
    std::span<const OwnPreset> all() const { return m_presets; }  ///< by kind, then by name
    const OwnPreset* find(OwnKind kind, std::string_view name) const;
    /// Returns the problems of files that are skipped. Each problem's path is that of the file, from "presets" on.
    const engine::Problems& problems() const { return m_problems; }

    /// Saves a preset and replaces one of these presets with the same name. A file that is not among them, because it
    /// cannot be read or another program has saved it since, is left as it is. Throws FileExists or FileError.
    void save(const OwnPreset& preset);
    /// Removes a preset; does nothing if it does not exist. Throws FileError.
    void remove(OwnKind kind, std::string_view name);
    void reload();

    std::string fileOf(OwnKind kind, std::string_view name) const;

private:
    void readKind(OwnKind kind);
    void readFile(OwnKind kind, const std::string& file);

    std::string m_folder;
    std::vector<OwnPreset> m_presets;
    engine::Problems m_problems;
};

/// Returns the draft with the values of the own model and machine that it names added; explicit values take precedence.
/// The result means the same wherever it is read, with or without the presets.
ExperimentDraft withOwnPresets(const ExperimentDraft& draft, const OwnPresets& presets);

/// Returns `draft` with another model or machine: removes values that came only from the own preset chosen before, adds
/// those of the new one, and keeps everything that was set by hand.
ExperimentDraft withChosen(OwnKind kind, const std::string& name, const ExperimentDraft& draft,
                           const OwnPresets& presets);

/// Returns the presets of this kind in the form in which lists show them beside the bundled ones.
std::vector<Preset> listedPresets(OwnKind kind, const OwnPresets& presets);

/// Returns $XDG_DATA_HOME/ringside/presets or ~/.local/share/ringside/presets, or an empty text if there is no home
/// folder.
std::string usualPresetFolder();

}  // namespace data
