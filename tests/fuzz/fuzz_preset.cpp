// Gives any file to the reader of own presets, as a model, a machine or an experiment, depending on the first letter.
// It must return a problem, or a preset that can be used, saved and read again.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/experiment/own_presets.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace fuzz::preset {

constexpr const char* kName = "tried";

/// Returns an experiment that names the preset, or that is the preset.
data::ExperimentDraft draftWith(const data::OwnPreset& preset) {
    data::ExperimentDraft draft;
    if (preset.kind == data::OwnKind::experiment) {
        draft.explicitValues = preset.values;
    } else {
        draft.explicitValues[std::string(data::namingPath(preset.kind))] = preset.name;
    }
    return draft;
}

void checkPreset(data::OwnPresets& presets, const data::OwnPreset& preset) {
    require(preset.name == kName, "a preset has its file's name", preset.name);
    const data::ExperimentDraft draft = data::withOwnPresets(draftWith(preset), presets);
    const data::Expansion expansion = data::expand(draft);
    checkMessages(expansion.problems);
    if (expansion.runnable() && preset.kind != data::OwnKind::experiment) {
        data::ExperimentDraft alone{data::ownValuesOf(preset.kind, draft)};
        alone.explicitValues[std::string(data::namingPath(preset.kind))] = preset.name;
        require(data::ownValuesOf(preset.kind, alone) == data::ownValuesOf(preset.kind, draft),
                "what a preset says stands without it", preset.name);
    }
    data::withChosen(preset.kind, "default", draft, presets);
    presets.save(preset);
    const data::OwnPreset* again = presets.find(preset.kind, kName);
    require(again != nullptr && again->values == preset.values && again->notes == preset.notes,
            "a preset that was saved is the same preset", readFile(presets.fileOf(preset.kind, kName)));
}

RINGSIDE_FUZZ_TARGET(fuzz_preset)(const std::uint8_t* bytes, std::size_t size) {
    static const ScratchFolder kFolder;
    InputBytes input({reinterpret_cast<const char*>(bytes), size});
    const std::uint8_t letter = input.byte();
    const auto kind = letter == 'e'   ? data::OwnKind::experiment
                      : letter == 'a' ? data::OwnKind::machine
                                      : data::OwnKind::model;
    const data::OwnPresets empty(kFolder.file("presets"));
    const std::string path = empty.fileOf(kind, kName);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    writeFile(path, input.next(size));
    data::OwnPresets presets(kFolder.file("presets"));
    checkMessages(presets.problems());
    require(presets.all().size() + presets.problems().size() == 1, "a preset, or why there is none", readFile(path));
    if (!presets.all().empty()) {
        const data::OwnPreset preset = presets.all().front();
        checkPreset(presets, preset);
    }
    std::filesystem::remove(path);
    return 0;
}

}  // namespace fuzz::preset
