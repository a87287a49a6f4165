#pragma once

#include "data/document/document_reader.h"
#include "engine/api/experiment.h"
#include "engine/api/parameters.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The source of one value.
struct ValueSource {
    engine::SourceLabel label{};
    std::string source;
    bool operator==(const ValueSource&) const = default;
};

/// A named set of values with their sources.
struct Preset {
    std::string name;   ///< "t-nlg"
    std::string title;  ///< "T-NLG"
    Settings settings;
    engine::SourceLabel sourceLabel = engine::SourceLabel::chosen;
    std::map<std::string, ValueSource, std::less<>> sources;  ///< of each value, if the values have different sources
    std::string source;             ///< "Turing-NLG; H and batch read second-hand in notes on T3"
    std::string notes;              ///< e.g. the TP degrees of the published cases
    std::vector<std::int64_t> tps;  ///< models: the published parallel degrees
    bool operator==(const Preset&) const = default;
};

std::span<const Preset> models();    ///< data/presets/models.json
std::span<const Preset> machines();  ///< data/presets/machines.json; a value that a machine does not set is that of the
                                     ///< parameter table
std::span<const Preset> policies();
std::span<const Preset> sublayers();  ///< op, fc-2, fc-1, ip (how K follows from H); the collectives alone; a GEMM
                                      ///< alone

/// Returns the paths that a draft must set to give its machine ("machine") or model ("workload.model") a name that no
/// preset has. All other values that presets set have defaults.
const std::vector<std::string>& neededPaths(std::string_view namingPath);

/// Returns whether a draft sets what a model needs that is a network, instead of the paths that a Transformer needs.
bool setsNetwork(const std::function<bool(const std::string&)>& isSet);

/// Returns all paths that at least one bundled machine or model sets, in order of paths.
const std::vector<std::string>& saidPaths(std::string_view namingPath);

/// Returns "t-nlg/fc-2/tp8" and all other published cases: models x sub-layers x their TPs.
std::vector<std::string> publishedCases();

const Preset* findModel(std::string_view name);
const Preset* findMachine(std::string_view name);
const Preset* findPolicy(std::string_view name);

}  // namespace data
