#include "data/lessons/lesson_footprint.h"

#include "data/document/names.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"

#include <array>
#include <utility>

namespace data {
namespace {

using engine::Footprint;
using engine::Messages;

/// One number of a division: it is read from the footprint or from the messages, the other reader is null.
struct DivisionNumber {
    const char* path;
    engine::ParameterUnit unit = engine::ParameterUnit::bytes;
    std::int64_t (*held)(const Footprint&) = nullptr;
    std::int64_t (*sent)(const Messages&) = nullptr;
    bool needsMemory = false;  ///< there is no such number where node.memory is unlimited
};

constexpr auto kNoUnit = engine::ParameterUnit::none;

constexpr std::array kNumbers{
    DivisionNumber{.path = "footprint_bytes.weights",
                   .held = [](const Footprint& f) { return f.bytes().weights.count; }},
    DivisionNumber{.path = "footprint_bytes.gradients",
                   .held = [](const Footprint& f) { return f.bytes().gradients.count; }},
    DivisionNumber{.path = "footprint_bytes.optimizer",
                   .held = [](const Footprint& f) { return f.bytes().optimizer.count; }},
    DivisionNumber{.path = "footprint_bytes.activations",
                   .held = [](const Footprint& f) { return f.bytes().activations.count; }},
    DivisionNumber{.path = "footprint_bytes.cache", .held = [](const Footprint& f) { return f.bytes().cache.count; }},
    DivisionNumber{.path = "footprint_bytes.buffers",
                   .held = [](const Footprint& f) { return f.bytes().buffers.count; }},
    DivisionNumber{.path = "footprint_bytes.total", .held = [](const Footprint& f) { return f.bytes().total().count; }},
    DivisionNumber{.path = "of_layers_bytes.states",
                   .held = [](const Footprint& f) { return f.stage().layerStates.count; }},
    DivisionNumber{.path = "of_layers_bytes.activations",
                   .held = [](const Footprint& f) { return f.stage().layerActivations.count; }},
    DivisionNumber{.path = "most_weights",
                   .unit = kNoUnit,
                   .held = [](const Footprint& f) { return f.mostWeights.value_or(0); },
                   .needsMemory = true},
    DivisionNumber{.path = "messages.count", .unit = kNoUnit, .sent = [](const Messages& m) { return m.count(); }},
    DivisionNumber{.path = "messages.volume_bytes", .sent = [](const Messages& m) { return m.volume().count; }},
    DivisionNumber{.path = "messages.sent_bytes", .sent = [](const Messages& m) { return m.sent().count; }},
    DivisionNumber{.path = "messages.within_node_bytes",
                   .sent = [](const Messages& m) { return m.sentWithinNode().count; }},
    DivisionNumber{.path = "messages.between_nodes_bytes",
                   .sent = [](const Messages& m) { return m.sentBetweenNodes().count; }},
};

const DivisionNumber* findNumber(std::string_view path) { return findNamed(kNumbers, &DivisionNumber::path, path); }

}  // namespace

std::optional<engine::ParameterUnit> lessonFootprintUnit(std::string_view path) {
    const DivisionNumber* number = findNumber(path);
    return number != nullptr ? std::optional(number->unit) : std::nullopt;
}

std::vector<std::string> nearestLessonFootprints(std::string_view path) {
    return engine::nearestNames(path, namesOf(kNumbers, &DivisionNumber::path));
}

engine::Problems lessonFootprintProblems(const ExperimentDraft& draft, engine::ModelPhase phase,
                                         std::string_view path) {
    Expansion expansion = expand(draft);
    expansion.problems.resize(expansion.ofValues);  // what follows them concerns the sub-layer alone
    if (!expansion.problems.empty())
        return std::move(expansion.problems);
    engine::Problems problems = engine::footprintProblems(expansion.experiment, phase);
    const DivisionNumber* number = findNumber(path);
    if (number != nullptr && number->needsMemory && !expansion.experiment.node.memory)
        problems.push_back({"node.memory", "unlimited",
                            std::string(path) + " needs the memory of a GPU; allowed: a capacity such as 80 GB"});
    return problems;
}

double lessonFootprint(const ExperimentDraft& draft, engine::ModelPhase phase, std::string_view path) {
    const DivisionNumber& number = *findNumber(path);
    const engine::Experiment experiment = expand(draft).experiment;
    return static_cast<double>(number.held != nullptr ? number.held(engine::footprintOf(experiment, phase))
                                                      : number.sent(engine::messagesOf(experiment, phase)));
}

}  // namespace data
