#pragma once

#include "engine/api/experiment.h"
#include "engine/api/messages.h"
#include "engine/api/policy_preset.h"
#include "engine/api/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace data {

/// The links over which the messages of a group go.
struct GroupLinks {
    std::int64_t gpus = 1;  ///< n
    bool betweenNodes = false;
    engine::Bandwidth bandwidth;  ///< of the ring on which a message goes between nodes; else link.bandwidth
    engine::Duration latency;
};

/// Returns the links of a group. Within a node they are link.*. Between nodes they are those of a ring over all GPUs,
/// with the bandwidth min(link.bandwidth, g x topology.node_bandwidth), where g GPUs of the group share a node, and the
/// latency topology.node_latency: libraries build a ring for each link that leaves a node (derived). A send, and a tensor
/// group, has g = 1.
GroupLinks linksOf(const engine::Experiment& experiment, engine::MessageGroup group);

/// Returns the same for a group of `gpus` GPUs. The gradients of a network's operator may be summed over all GPUs of the
/// tensor groups of all replicas.
GroupLinks linksOf(const engine::Experiment& experiment, engine::MessageGroup group, std::int64_t gpus);

/// Messages that take the same time.
struct MessageKind {
    engine::MessageGroup group{};
    engine::MessageOperation operation{};
    std::int64_t gpus = 1;
    engine::Bytes bytes;
    bool operator==(const MessageKind&) const = default;
};
inline MessageKind kindOf(const engine::StageMessage& message) {
    return {message.group, message.operation, message.gpus, message.bytes};
}

/// Returns the kinds of the collectives of a step that the engine simulates, each once. Control messages are not among
/// them.
std::vector<MessageKind> messageKindsOf(const engine::Experiment& base, const engine::OperatorGraph& graph);

/// The simulation of a message: the collective alone, on at most 64 GPUs and with at most 64 MiB.
struct MessageSimulation {
    engine::Experiment experiment;
    double scale = 1;  ///< of the simulated time: the ratio of (n - 1)(bytes/(n B) + l) of both (derived)
};

/// Returns the simulation of a message under a policy. Within a node it runs on the topology of the experiment or, where
/// that cannot have n GPUs, on a ring of link.*.
MessageSimulation simulationOf(const engine::Experiment& base, const MessageKind& kind, engine::PolicyPreset policy);

/// Returns the time that collective.table has for a message; empty if it has none.
std::optional<engine::Duration> measuredTimeOf(const engine::Experiment& base, const MessageKind& kind);

/// Returns the time of a send on the lane of the sender, without its latency: bytes / bandwidth, rounded up.
engine::Duration sendTime(const engine::Experiment& experiment, engine::Bytes bytes);

/// Returns the time of one control message: 2 ceil(log2 n) latencies of its group (assumed).
engine::Duration controlTime(const engine::Experiment& experiment);

}  // namespace data
