#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/units.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Who takes part: the GPUs of one layer, the replicas of a stage, neighbours of the pipeline, the two ends that share the
/// embedding, or all.
enum class MessageGroup { tensor, data, pipeline, tied, control };
enum class MessageOperation { allReduce, reduceScatter, allGather, allToAll, send };

std::string_view name(MessageGroup group);          ///< "tensor"
std::string_view name(MessageOperation operation);  ///< "all-reduce"

/// Equal messages of one GPU in one step.
struct MessageRow {
    MessageGroup group{};
    MessageOperation operation{};
    std::int64_t gpus = 1;  ///< of the group, n; 2 for a send
    Bytes bytes;            ///< of one: the whole buffer
    std::int64_t count = 0;
    Bytes volume;  ///< of all, the papers' convention: all-reduce twice its bytes, all others once
    Bytes sent;    ///< of all: 2(n-1)/n of an all-reduce's bytes, (n-1)/n of other collectives', all of a send's
    bool betweenNodes = false;  ///< some GPUs of a group are in different nodes
    std::string source;
    bool ofLayers = false;  ///< tensor: a collective of the layers; otherwise of embedding or head
};

/// All messages of one GPU in one training step, or in one pass of inference.
struct Messages {
    std::int64_t stage = 0;  ///< whose GPU: the first of those that send most
    std::vector<MessageRow> rows;

    std::int64_t count() const;
    Bytes volume() const;
    Bytes sent() const;
    Bytes sentBetweenNodes() const;
    Bytes sentWithinNode() const { return sent() - sentBetweenNodes(); }
};

/// Returns the messages of a division. A bare number of weights has data-parallel messages only. Ranks count tensor first,
/// then data, then pipeline, as in Megatron-LM. Precondition: footprintProblems is empty.
Messages messagesOf(const Experiment& experiment, ModelPhase phase);

/// The same for a graph that is at hand, as footprintOf takes it.
Messages messagesOf(const Experiment& experiment, const OperatorGraph& graph);

/// Returns the messages of a GPU of one stage. Precondition: 0 <= stage < division.pp.
Messages messagesOfStage(const Experiment& experiment, const OperatorGraph& graph, std::int64_t stage);

}  // namespace engine
