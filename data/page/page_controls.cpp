#include "data/page/page_controls.h"

#include "data/document/document_body.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace data {
namespace {

using engine::ParameterKind;

constexpr const char* kUsualControls[] = {"policy.preset",    "link.bandwidth", "link.latency",
                                          "memory.bandwidth", "cu.count",       "dma.block_tiles"};
constexpr const char* kPolicyPath = "policy.preset";
constexpr double kControlReach = 8;
constexpr std::size_t kMostControls = 12;

bool isText(const engine::ParameterValue& value) { return std::holds_alternative<std::string>(value); }

double numberIn(const engine::ParameterValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

/// Returns why a page cannot offer a parameter, or an empty text.
std::string reasonAgainst(const engine::Parameter& parameter, const engine::ParameterValue& value) {
    if (parameter.kind == ParameterKind::choice)
        return {};
    if (parameter.kind == ParameterKind::text)
        return "a text; allowed: parameters with a number or a choice";
    if (isText(value))
        return "its value is the word " + std::get<std::string>(value) +
               "; allowed: parameters that have a number in this experiment, or a choice";
    return numberIn(value) > 0 ? std::string()
                               : "its value is 0; allowed: parameters with a value above 0, or a choice";
}

PageJson numberControl(const engine::Parameter& parameter, double value) {
    PageJson json{{"least", std::max(parameter.minimum, value / kControlReach)},
                  {"most", std::min(parameter.maximum, value * kControlReach)},
                  {"whole", parameter.kind == ParameterKind::integer}};
    if (parameter.powerOfTwo)
        json["power"] = true;
    if (parameter.kind == ParameterKind::integer) {
        json["least"] = std::ceil(json["least"].get<double>());
        json["most"] = std::floor(json["most"].get<double>());
    }
    PageJson units = PageJson::array();
    for (const engine::UnitName& name : engine::unitNames(parameter.unit)) {
        if (name.shown)
            units.push_back({name.text, name.factor});
    }
    std::ranges::reverse(units);
    json["units"] = std::move(units);
    return json;
}

/// Returns the label with its group, which a page does not show beside it: "Latency (link)".
std::string controlLabel(const engine::Parameter& parameter) {
    std::string group(engine::name(parameter.group));
    if (parameter.label.find(group) != std::string::npos || parameter.kind == ParameterKind::choice)
        return parameter.label;
    if (group.size() > 1 && std::islower(static_cast<unsigned char>(group[1])))
        group.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(group.front())));
    return parameter.label + " (" + group + ")";
}

PageJson controlJson(const engine::Parameter& parameter, const engine::Experiment& experiment) {
    const engine::ParameterValue value = parameter.read(experiment);
    PageJson json{{"path", parameter.path},
                  {"label", controlLabel(parameter)},
                  {"meaning", parameter.meaning},
                  {"text", engine::formatValue(parameter, value)}};
    std::visit([&](const auto& held) { json["value"] = held; }, value);
    if (parameter.kind == ParameterKind::choice)
        json["words"] = parameter.words;
    else
        json.update(numberControl(parameter, numberIn(value)));
    return json;
}

}  // namespace

std::vector<std::string> usualControls(const ExperimentDraft& draft, bool compares) {
    const engine::Experiment experiment = expand(draft).experiment;
    std::vector<std::string> paths;
    for (const char* path : kUsualControls) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        const bool isOffered = engine::isRead(parameter, experiment) &&
                               reasonAgainst(parameter, parameter.read(experiment)).empty() &&
                               !(compares && parameter.path == kPolicyPath);
        if (isOffered)
            paths.emplace_back(path);
    }
    return paths;
}

void checkControls(const ExperimentDraft& draft, std::span<const std::string> paths, engine::Problems& problems) {
    const engine::Experiment experiment = expand(draft).experiment;
    if (paths.size() > kMostControls)
        problems.push_back({"--controls", std::to_string(paths.size()),
                            "too many controls; allowed: 1 to " + std::to_string(kMostControls)});
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const engine::Parameter* parameter = engine::findParameter(paths[i]);
        if (parameter == nullptr) {
            const auto near = engine::nearestParameters(paths[i]);
            problems.push_back(
                {"--controls", paths[i], "no such parameter" + (near.empty() ? "" : "; " + suggestionOf(near))});
            continue;
        }
        if (std::string reason = reasonAgainst(*parameter, parameter->read(experiment)); !reason.empty())
            problems.push_back({"--controls", paths[i], std::move(reason)});
        if (std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(i), paths[i]) !=
            paths.begin() + static_cast<std::ptrdiff_t>(i))
            problems.push_back({"--controls", paths[i], "named twice"});
    }
}

PageJson controlsJson(const ExperimentDraft& draft, std::span<const std::string> paths) {
    const engine::Experiment experiment = expand(draft).experiment;
    PageJson json = PageJson::array();
    for (const std::string& path : paths)
        json.push_back(controlJson(*engine::findParameter(path), experiment));
    return json;
}

}  // namespace data
