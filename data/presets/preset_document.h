#pragma once

#include "data/document/document_reader.h"
#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// What people keep under a name of their own beside the bundled presets: a model, a machine, a whole experiment.
enum class OwnKind { model, machine, experiment };
inline constexpr std::array kOwnKinds{OwnKind::model, OwnKind::machine, OwnKind::experiment};

struct OwnPreset {
    OwnKind kind{};
    std::string name;  ///< also that of its file
    Settings values;
    std::string notes{};                 ///< where the values come from, what was assumed
    std::vector<std::string> removed{};  ///< settings of earlier versions that its file names (ExperimentDraft)
    Preset told{};                       ///< title, sources and degrees, where its file says any; all else is empty
    bool operator==(const OwnPreset&) const = default;
};

/// "model", "machine", "experiment".
std::string_view name(OwnKind kind);

/// The parameter that names a preset of this kind: "machine", "workload.model". Experiments have none.
std::string_view namingPath(OwnKind kind);

/// Whether a preset of this kind may set the parameter.
bool covers(OwnKind kind, const engine::Parameter& parameter);

/// What stands in the place of a model's name: a collective without a model ("collective/all-reduce/tp8"), and every
/// bundled model (`ringside-cli model all`).
inline constexpr std::string_view kNoModel = "collective";

/// What stands there for a GEMM of its own, without a model ("gemm/4096x4096x4096").
inline constexpr std::string_view kOwnGemm = "gemm";
inline constexpr std::string_view kAllModels = "all";

/// Returns whether a bundled preset of this kind has this name or title, in whatever letters.
bool isBundled(OwnKind kind, std::string_view name);

/// What is wrong with a name for a preset of this kind, and what is allowed; nothing when it is fine.
/// A bundled preset's name is not: what people wrote against it must keep its meaning. Nor is a model's that the command
/// line takes for something else.
std::optional<engine::Problem> checkOwnName(OwnKind kind, std::string_view name);

inline constexpr std::string_view kPresetFormat = "ringside-preset";

struct PresetReading {
    OwnPreset preset;  ///< its name is empty where the document has none
    engine::Problems problems;
};

/// A model or a machine as a document of its own, "ringside-preset". `origin` names the text in messages. With `expected`
/// the other kind is refused.
///
/// Beside values and notes it may say its title, the bundled preset whose values it takes where it says none ("base"), the
/// degrees it is published with ("tps": "8, 16"), and where it comes from: "label" and "source", and those of single values
/// ("sources": {"link.bandwidth": "published, NVIDIA H100 SXM data sheet"}).
PresetReading readPreset(FlatDocument document, std::string_view origin, std::optional<OwnKind> expected = {});

/// True for a document that says it is one.
bool isPreset(const FlatDocument& document);

/// The bundled presets of one kind: a document with the list "presets", in which a base stands before what is based on it.
std::vector<Preset> readBundled(OwnKind kind, std::string_view json);

/// "8, 16": the degrees that a model is published with.
std::string degreesText(const Preset& preset);

/// A preset as lists show it.
Preset listedPreset(const OwnPreset& preset);

/// The document of a model or a machine.
std::string writePreset(const OwnPreset& preset);

}  // namespace data
