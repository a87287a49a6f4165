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

/// What of `draft` a preset of this kind holds: of a model or a machine all that a bundled one says and whatever else
/// differs from the parameter table, so that it stands without any other preset; of an experiment the draft itself.
Settings ownValuesOf(OwnKind kind, const ExperimentDraft& draft);

/// The presets in one folder, a JSON file each: FOLDER/machines/NAME.json and so on. Models and machines are documents
/// of their own, "ringside-preset"; an experiment is the experiment document that everything else reads.
/// A file that cannot be understood is reported, left as it is, and never written over.
class OwnPresets {
public:
    /// Reads what is there; nothing has to be. An empty path keeps nothing.
    explicit OwnPresets(std::string folder);

    bool keeps() const { return !m_folder.empty(); }
    std::span<const OwnPreset> all() const { return m_presets; }  ///< by kind, then by name
    const OwnPreset* find(OwnKind kind, std::string_view name) const;
    /// Of files that are passed over; the path of each is the file's from "presets" on.
    const engine::Problems& problems() const { return m_problems; }

    /// In place of one with the same name. Throws FileError.
    void save(const OwnPreset& preset);
    /// Throws FileError. What is not there is not missed.
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

/// The values of the own model and machine that the draft names, under what is explicit in it. A draft that has them
/// means the same wherever it is read, with or without the presets.
ExperimentDraft withOwnPresets(const ExperimentDraft& draft, const OwnPresets& presets);

/// Another model or machine for `draft`: what only the own preset before it had said goes, what the new one says comes,
/// and what was set by hand stays.
ExperimentDraft withChosen(OwnKind kind, const std::string& name, const ExperimentDraft& draft,
                           const OwnPresets& presets);

/// The presets of this kind as lists show them beside the bundled ones.
std::vector<Preset> listedPresets(OwnKind kind, const OwnPresets& presets);

/// $XDG_DATA_HOME/ringside/presets or ~/.local/share/ringside/presets; empty when there is no home.
std::string usualPresetFolder();

}  // namespace data
