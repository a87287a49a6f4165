#pragma once

#include "data/document/document_reader.h"
#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// The kinds of preset that people can save beside the bundled ones: a model, a machine, a whole experiment.
enum class OwnKind { model, machine, experiment };
inline constexpr std::array kOwnKinds{OwnKind::model, OwnKind::machine, OwnKind::experiment};

struct OwnPreset {
    OwnKind kind{};
    std::string name;  ///< also the name of its file
    Settings values;
    std::string notes{};                 ///< where the values come from, what was assumed
    std::vector<std::string> removed{};  ///< settings of earlier versions in its file (ExperimentDraft)
    Preset details{};                    ///< title, sources and degrees, if its file has them; the rest is empty
    bool operator==(const OwnPreset&) const = default;
};

/// Returns "model", "machine" or "experiment".
std::string_view name(OwnKind kind);

/// Returns the parameter that names a preset of this kind: "machine", "workload.model". Experiments have none.
std::string_view namingPath(OwnKind kind);

/// Returns whether a preset of this kind may set the parameter.
bool covers(OwnKind kind, const engine::Parameter& parameter);

/// The word in place of a model's name for a collective without a model ("collective/all-reduce/tp8").
inline constexpr std::string_view kNoModel = "collective";

/// The words in place of a model's name for a GEMM of its own, without a model ("gemm/4096x4096x4096"), and for all
/// bundled models (`ringside-cli model all`).
inline constexpr std::string_view kOwnGemm = "gemm";
/// The name of an access pattern, which has no model.
inline constexpr std::string_view kAccess = "access";
inline constexpr std::string_view kAllModels = "all";

/// Returns whether a bundled preset of this kind has this name or title. Capital and small letters count as equal.
bool isBundled(OwnKind kind, std::string_view name);

/// Returns the problem of a name for a preset of this kind, with what is allowed, or an empty optional. The name of a
/// bundled preset is refused, so that existing documents keep their meaning, and so is a model's name that the command
/// line would read as something else.
std::optional<engine::Problem> checkOwnName(OwnKind kind, std::string_view name);

inline constexpr std::string_view kPresetFormat = "ringside-preset";

struct PresetReading {
    OwnPreset preset;  ///< its name is empty if the document has none
    engine::Problems problems;
};

/// Reads a model or a machine from a document of its own, "ringside-preset". `origin` names the text in messages. If
/// `expected` is given, the other kind is refused.
///
/// Besides values and notes it may have a title, a bundled preset that supplies the values it does not set ("base"),
/// the degrees that it is published with ("tps": "8, 16"), and its source: "label" and "source", and the sources of
/// single values ("sources": {"link.bandwidth": "published, NVIDIA H100 SXM data sheet"}).
PresetReading readPreset(FlatDocument document, std::string_view origin, std::optional<OwnKind> expected = {});

/// Returns whether a document declares itself a preset.
bool isPreset(const FlatDocument& document);

/// Reads the bundled presets of one kind: a document with the list "presets", in which a base comes before the presets
/// that build on it.
std::vector<Preset> readBundled(OwnKind kind, std::string_view json);

/// Returns the degrees that a model is published with: "8, 16".
std::string degreesText(const Preset& preset);

/// Returns a preset in the form in which lists show it.
Preset listedPreset(const OwnPreset& preset);

/// Returns the document of a model or a machine.
std::string writePreset(const OwnPreset& preset);

}  // namespace data
