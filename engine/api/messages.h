#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/units.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// The GPUs that take part: those of one tensor-parallel group, the replicas of a stage, neighbours of the pipeline,
/// the two ends of the pipeline that share the embedding, or all.
enum class MessageGroup { tensor, data, pipeline, tied, control };
enum class MessageOperation { allReduce, reduceScatter, allGather, allToAll, send };

std::string_view name(MessageGroup group);          ///< "tensor"
std::string_view name(MessageOperation operation);  ///< "all-reduce"

/// Returns the operation of a collective operator, whether it stands alone or is fed by a GEMM. Precondition: `op` is a
/// collective of the graph.
MessageOperation operationOf(const OperatorGraph& graph, const Operator& op);

/// Equal messages of one GPU in one step, counted in one row.
struct MessageRow {
    MessageGroup group{};
    MessageOperation operation{};
    std::int64_t gpus = 1;  ///< GPUs of the group, n; 2 for a send
    Bytes bytes;            ///< whole buffer of one message
    std::int64_t count = 0;
    Bytes volume;  ///< of all messages, as papers count it: twice the bytes of an all-reduce, once those of all others
    Bytes sent;  ///< of all messages: 2(n-1)/n of an all-reduce's bytes, (n-1)/n of other collectives', all of a send's
    bool betweenNodes = false;  ///< some GPUs of the group are in different nodes
    std::string source;
    /// MessageGroup::tensor: a collective of the layers; otherwise of the embedding or the head.
    bool ofLayers = false;
};

/// When a message of a step is due.
enum class MessageMoment {
    forwardGather,   ///< before the forward pass goes through the section
    backwardGather,  ///< before the backward pass goes through the section
    gradients,       ///< once the gradients of the section's weights are there
    weights,         ///< after the optimizer
    tied,            ///< after the gradients of both ends of the pipeline
    control          ///< after all gradients, before the optimizer
};

/// Equal messages of one GPU that are due at the same time.
struct StageMessage {
    MessageGroup group{};
    MessageOperation operation{};
    std::int64_t gpus = 1;
    Bytes bytes;  ///< of one message
    std::int64_t count = 1;
    MessageMoment moment{};
    bool eachMicrobatch = false;          ///< otherwise once a step, with the last micro-batch
    std::int64_t chunk = 0, section = 0;  ///< of the stage; sections are counted from the beginning of the chunk
    bool betweenNodes = false;
    std::string source;
    bool operator==(const StageMessage&) const = default;
};

/// The most bytes that a GPU of any stage sends of some kind, and the first stage that sends as much.
struct MostSent {
    Bytes sent;
    std::int64_t stage = 0;
    bool operator==(const MostSent&) const = default;
};

inline constexpr std::array kMessageGroups{MessageGroup::tensor, MessageGroup::data, MessageGroup::pipeline,
                                           MessageGroup::tied, MessageGroup::control};

/// All messages of one GPU in one training step, or in one pass of inference.
struct Messages {
    std::int64_t stage = 0;  ///< the stage of the GPU: by default the first of the stages that send most in total
    std::vector<MessageRow> rows;
    /// Over all stages: a GPU that sends less in total may send more in one group. In the order of kMessageGroups.
    std::array<MostSent, kMessageGroups.size()> mostInGroup{};
    MostSent mostBetweenNodes{};
    // Work of the same GPU in the same step; 0 if only the number of weights is known.
    double layerFlops = 0;           ///< flops of the GEMMs and the attention of its layers, with recomputation
    double weightGradientFlops = 0;  ///< flops of the GEMMs of the backward pass whose outputs the optimizer reads

    std::int64_t count() const;
    Bytes volume() const;
    Bytes sent() const;
    Bytes sentIn(MessageGroup group) const;
    Bytes sentByLayers() const;  ///< by the tensor messages of the layers
    Bytes sentBetweenNodes() const;
    Bytes sentWithinNode() const { return sent() - sentBetweenNodes(); }
};

/// How much work one GPU has for each byte that it sends. A ratio is empty if the GPU sends no such bytes, or if only
/// the number of weights is known.
struct MessageRatios {
    std::optional<double> flopsPerTensorByte;  ///< Messages::layerFlops / Messages::sentByLayers
    std::optional<double> flopsPerDataByte;    ///< Messages::weightGradientFlops / bytes of the data messages
    /// Time of the tensor messages of the layers at link.bandwidth, divided by that time and the time of the layers'
    /// flops at the peak rate x cu.tensor_efficiency: 1 / (1 + flopsPerTensorByte x link.bandwidth / flops per second).
    std::optional<double> serialisedShare;
    bool operator==(const MessageRatios&) const = default;
};

/// Returns the ratios of the GPU whose messages these are.
MessageRatios ratiosOf(const Experiment& experiment, const Messages& messages);

/// Returns a floor for the time of these messages one after the other: the sum over rows of count x rounds x latency +
/// sent bytes / bandwidth, with rounds = ceil(log2 n), twice that for an all-reduce and 1 for a send (published, arXiv
/// 1712.04432, section 2). Inside a node it takes link.*, between nodes topology.node_*. A ring has more rounds.
Duration floorTimeOf(const Experiment& experiment, const Messages& messages);

/// Returns the messages of a divided model. If only the number of weights is known (division.weights), there are
/// data-parallel messages only. Ranks are numbered tensor first, then data, then pipeline, as in Megatron-LM.
/// Precondition: footprintProblems is empty.
Messages messagesOf(const Experiment& experiment, ModelPhase phase);

/// Returns the same from an existing graph; footprintOf states the requirements of the graph.
Messages messagesOf(const Experiment& experiment, const OperatorGraph& graph);

/// Returns the messages of a GPU of one stage. Precondition: 0 <= stage < division.pp.
Messages messagesOfStage(const Experiment& experiment, const OperatorGraph& graph, std::int64_t stage);
Messages messagesOfStage(const Experiment& experiment, ModelPhase phase, std::int64_t stage);

/// Returns the messages of a GPU of one stage in a training step besides those of the tensor group and the sends of the
/// pipeline: those of the data-parallel group, of the tied embedding and of control. messagesOfStage counts its rows from
/// them. Gradients fill the buckets in the order of the backward pass; a bucket is due when its last element is there.
/// Precondition: footprintProblems is empty for ModelPhase::training, `graph` is of that phase and division.weights is
/// not set.
std::vector<StageMessage> stepMessages(const Experiment& experiment, const OperatorGraph& graph, std::int64_t stage);

/// Returns the bytes that one GPU sends to the next stage for one micro-batch: activations, or their gradients.
Bytes sendBytes(const Experiment& experiment, const OperatorGraph& graph);

/// Returns whether a group of these GPUs spans several nodes. Ranks are numbered as messagesOf says.
bool isBetweenNodes(const Experiment& experiment, MessageGroup group);

}  // namespace engine
