#include "data/model/message_times.h"

#include "data/document/names.h"
#include "data/model/collective_choice.h"
#include "data/model/simulated_experiment.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace data {
namespace {

using engine::Bytes;
using engine::Duration;
using engine::Experiment;
using engine::MessageGroup;
using engine::MessageOperation;

constexpr std::int64_t kMostGpus = 64;
constexpr Bytes kMostBytes{64LL * 1024 * 1024};
constexpr double kPicoseconds = 1e12;

/// Returns the number of GPUs of a group that are in one node.
std::int64_t gpusOfNode(const Experiment& experiment, MessageGroup group, std::int64_t gpus) {
    if (group != MessageGroup::data)
        return 1;
    // A network's group of more GPUs than replicas has all GPUs of the tensor groups, which are neighbours.
    const std::int64_t apart = gpus > experiment.division.dp ? 1 : experiment.parallel.tp;
    return std::max<std::int64_t>(1, std::min(gpus, experiment.node.gpus / apart));
}

std::int64_t gpusOf(const Experiment& experiment, MessageGroup group) {
    const engine::DivisionConfig& division = experiment.division;
    switch (group) {
    case MessageGroup::tensor: return experiment.parallel.tp;
    case MessageGroup::data: return division.dp;
    case MessageGroup::control: return experiment.parallel.tp * division.dp * division.pp;
    case MessageGroup::pipeline:
    case MessageGroup::tied: break;
    }
    return 2;
}

engine::SubLayer collectiveNamed(MessageOperation operation) {
    switch (operation) {
    case MessageOperation::reduceScatter: return engine::SubLayer::reduceScatter;
    case MessageOperation::allGather: return engine::SubLayer::allGather;
    case MessageOperation::allToAll: return engine::SubLayer::allToAll;
    case MessageOperation::allReduce:
    case MessageOperation::send: break;
    }
    return engine::SubLayer::allReduce;
}

/// Returns (n - 1)(bytes/(n B) + l) in picoseconds, the time of a ring's steps.
double stepsOfRing(const GroupLinks& links, std::int64_t gpus, Bytes bytes) {
    const auto n = static_cast<double>(gpus);
    const double seconds = static_cast<double>(bytes.count) / n / static_cast<double>(links.bandwidth.bytesPerSecond);
    return (n - 1) * (seconds * kPicoseconds + static_cast<double>(links.latency.ps));
}

/// Makes all links those of a ring.
void joinInRing(Experiment& experiment, const GroupLinks& links) {
    experiment.topology = {};
    experiment.link.bandwidth = links.bandwidth;
    experiment.link.latency = links.latency;
    experiment.collective.algorithm = engine::CollectiveAlgorithm::ring;
}

}  // namespace

GroupLinks linksOf(const Experiment& experiment, MessageGroup group) {
    return linksOf(experiment, group, gpusOf(experiment, group));
}

GroupLinks linksOf(const Experiment& experiment, MessageGroup group, std::int64_t gpus) {
    GroupLinks links{gpus, engine::isBetweenNodes(experiment, group), experiment.link.bandwidth,
                     experiment.link.latency};
    if (!links.betweenNodes)
        return links;
    const double shared = static_cast<double>(gpusOfNode(experiment, group, gpus)) *
                          static_cast<double>(experiment.topology.nodeBandwidth.bytesPerSecond);
    if (shared < static_cast<double>(links.bandwidth.bytesPerSecond))
        links.bandwidth = {static_cast<std::int64_t>(shared)};
    links.latency = experiment.topology.nodeLatency;
    return links;
}

std::vector<MessageKind> messageKindsOf(const Experiment& base, const engine::OperatorGraph& graph) {
    std::vector<MessageKind> kinds;
    if (graph.phase != engine::ModelPhase::training)
        return kinds;
    for (std::int64_t stage = 0; stage < base.division.pp; ++stage) {
        for (const engine::StageMessage& message : engine::stepMessages(base, graph, stage)) {
            if (message.group != MessageGroup::control)
                addOnce(kinds, kindOf(message));
        }
    }
    return kinds;
}

MessageSimulation simulationOf(const Experiment& base, const MessageKind& kind, engine::PolicyPreset policy) {
    const GroupLinks links = linksOf(base, kind.group, kind.gpus);
    const std::int64_t gpus = std::min(kind.gpus, kMostGpus);
    const std::int64_t element = engine::elementBytes(base), least = element * gpus;
    const Bytes bytes{std::max(least, std::min(kind.bytes, kMostBytes).count / element * element)};
    engine::Operator op;
    op.kind = engine::OperatorKind::collective;
    op.workload.emplace();
    op.workload->sublayer = collectiveNamed(kind.operation);
    op.workload->bytes = bytes;
    MessageSimulation simulation{simulatedExperiment(withoutTable(base), op, policy)};
    simulation.experiment.parallel.tp = gpus;
    if (const auto rule = ruleOf(base, op.workload->sublayer, kind.gpus, kind.bytes))
        engine::applyRule(*rule, simulation.experiment);
    if (links.betweenNodes || !engine::validate(simulation.experiment).empty())
        joinInRing(simulation.experiment, links);
    if (gpus != kind.gpus || bytes != kind.bytes)
        simulation.scale = stepsOfRing(links, kind.gpus, kind.bytes) / stepsOfRing(links, gpus, bytes);
    return simulation;
}

std::optional<Duration> measuredTimeOf(const Experiment& base, const MessageKind& kind) {
    return measuredTimeOf(base, collectiveNamed(kind.operation), kind.gpus, kind.bytes);
}

Duration sendTime(const Experiment& experiment, Bytes bytes) {
    const GroupLinks links = linksOf(experiment, MessageGroup::pipeline);
    const double seconds = static_cast<double>(bytes.count) / static_cast<double>(links.bandwidth.bytesPerSecond);
    return {static_cast<std::int64_t>(std::ceil(seconds * kPicoseconds))};
}

Duration controlTime(const Experiment& experiment) {
    const GroupLinks links = linksOf(experiment, MessageGroup::control);
    // ceil(log2 n)
    const auto rounds = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(links.gpus - 1)));
    return links.latency * (2 * rounds);
}

}  // namespace data
