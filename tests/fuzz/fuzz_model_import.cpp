// The reader of models' configurations against anything. What it takes must be a preset that is kept and read back the
// same, and must come to an experiment or to problems under every sub-layer.
//
// One function in libFuzzer's form. With clang and RINGSIDE_FUZZ libFuzzer drives it, else replay.cpp.

#include "data/document/document_reader.h"
#include "data/experiment/experiment_document.h"
#include "data/model/model_import.h"
#include "data/presets/preset_document.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

using namespace fuzz;

namespace {

void checkPreset(std::string_view text) {
    data::FlatDocument document = data::readFlat(text, "input");
    if (!data::isPreset(document))
        return;
    const data::PresetReading reading = data::readPreset(std::move(document), "input");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return;
    const std::string kept = data::writePreset(reading.preset);
    const data::PresetReading again = data::readPreset(data::readFlat(kept, "kept"), "kept");
    require(again.problems.empty() && again.preset == reading.preset, "a kept preset is the same preset", kept);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer looks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    checkPreset(text);
    const data::ModelImport model = data::importModel(text, "input");
    checkMessages(model.problems);
    if (!model.problems.empty())
        return 0;
    require(model.name.empty() || !data::checkOwnName(data::OwnKind::model, model.name) ||
                data::findModel(model.name) != nullptr,
            "its name is one that a preset may have", model.name);
    checkPreset(data::writePreset({data::OwnKind::model, "model", model.values, model.notes}));
    for (const char* sublayer : {"op", "fc-2", "fc-1", "ip"}) {
        data::ExperimentDraft draft{model.values};
        draft.explicitValues["workload.model"] = std::string("model");
        draft.explicitValues["workload.sublayer"] = std::string(sublayer);
        checkMessages(data::expand(draft).problems);
    }
    return 0;
}
