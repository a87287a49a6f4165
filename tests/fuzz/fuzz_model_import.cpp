// Gives any bytes to the reader of models' configurations. If it accepts them, the preset must be the same after it is
// written and read again, and must give an experiment or problems for every sub-layer.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_reader.h"
#include "data/experiment/experiment_document.h"
#include "data/model/model_import.h"
#include "data/presets/preset_document.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::model_import {

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

RINGSIDE_FUZZ_TARGET(fuzz_model_import)(const std::uint8_t* bytes, std::size_t size) {
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

}  // namespace fuzz::model_import
