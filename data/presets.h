#pragma once

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Values that a preset stands for, by parameter path.
using Settings = std::map<std::string, engine::ParameterValue, std::less<>>;

/// A named set of values with where they come from.
struct Preset {
    std::string name;   ///< "t-nlg"
    std::string title;  ///< "T-NLG"
    Settings settings;
    engine::SourceLabel sourceLabel{};
    std::string source;             ///< "Turing-NLG; H and batch read second-hand in notes on T3"
    std::string notes;              ///< e.g. the TP degrees of the published cases
    std::vector<std::int64_t> tps;  ///< models: the published parallel degrees
    std::int64_t layers = 0;        ///< models only
};

std::span<const Preset> models();
std::span<const Preset> machines();
std::span<const Preset> policies();
std::span<const Preset> sublayers();  ///< op, fc-2, fc-1, ip: how K follows from H; and the collectives alone

/// What each bundled machine ("machine") or model ("workload.model") says. A draft that says all of it itself may give
/// its machine or model any name: it needs no preset.
const std::vector<std::string>& presetPaths(std::string_view namingPath);

/// "t-nlg/fc-2/tp8" and all the other published cases, models x sub-layers x their TPs.
std::vector<std::string> publishedCases();

const Preset* findModel(std::string_view name);
const Preset* findMachine(std::string_view name);
const Preset* findPolicy(std::string_view name);

}  // namespace data
