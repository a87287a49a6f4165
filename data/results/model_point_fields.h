#pragma once

#include "data/results/model_time.h"
#include "data/results/result_fields.h"
#include "data/results/result_subject.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace data {

/// Ratios of the times of a whole model.
struct ModelRatios {
    double communicationShare = 0;
    double speedupOverSequential = 1;
    double flopsUtilisation = 0;  ///< flops of the model on one GPU / (time x its peak)
    bool operator==(const ModelRatios&) const = default;
};

/// The time of a whole step in parts along its critical chain, and the share of it that a stage waits for other stages.
struct StepTime {
    engine::Duration compute, tensor, data, pipeline;
    engine::Duration bubble;  ///< of a delayed schedule, whose parts are means over the stages; otherwise 0
    double bubbleShare = 0;

    engine::Duration total() const { return compute + tensor + data + pipeline + bubble; }
    bool operator==(const StepTime&) const = default;
};

/// The shares of the model's time for each class of operators, and for operators that are bound by memory.
struct TimeShares {
    double gemm = 0, batchedGemm = 0, attentionElementWise = 0, elementWise = 0, optimizer = 0, collective = 0;
    double memoryBound = 0, memoryBoundWithoutOptimizer = 0;
    bool operator==(const TimeShares&) const = default;
};

/// Bytes of the layers alone, without embedding and head.
struct LayerBytes {
    engine::Bytes states, activations;
    bool operator==(const LayerBytes&) const = default;
};

/// Whether the model fits into the memory of one GPU, and how many weights fit at most.
struct MemoryFit {
    bool fits = false;
    std::int64_t mostWeights = 0;
    bool operator==(const MemoryFit&) const = default;
};

/// Messages of one GPU in one step or pass.
struct MessageTotals {
    std::int64_t count = 0;
    engine::Bytes volume, sent, withinNode, betweenNodes;
    engine::Bytes mostBetweenNodes;  ///< over all stages of the pipeline
    engine::Duration time;           ///< a floor for all of them one after the other (engine::floorTimeOf)
    bool operator==(const MessageTotals&) const = default;
};

/// The messages of one group.
struct MessageSum {
    engine::Bytes bytes;  ///< bytes of the largest message
    std::int64_t count = 0;
    engine::Bytes volume, sent;
    bool operator==(const MessageSum&) const = default;
};

/// A group of messages with the key of its sums: the groups of engine::MessageGroup and, among the tensor messages,
/// those of the layers.
struct MessageKey {
    const char* key;
    const char* title;  ///< begins the labels of its metrics
    engine::MessageGroup group{};
    bool ofLayers = false;  ///< only messages of the layers
};
inline constexpr std::array kMessageKeys{
    MessageKey{"tensor", "Tensor messages", engine::MessageGroup::tensor},
    MessageKey{"layers", "Messages of the layers", engine::MessageGroup::tensor, true},
    MessageKey{"data", "Data messages", engine::MessageGroup::data},
    MessageKey{"pipeline", "Pipeline messages", engine::MessageGroup::pipeline},
    MessageKey{"tied", "Tied messages", engine::MessageGroup::tied},
    MessageKey{"control", "Control messages", engine::MessageGroup::control}};

/// The result of one point of a sweep of whole models.
struct ModelPoint {
    ResultSubject subject = ResultSubject::footprint;
    std::optional<ModelTime> time;              ///< set if the subject has times
    std::optional<ModelProjection> projection;  ///< set if the times are projected
    std::optional<StepTime> step;               ///< set if the step is more than one pass through one group (isStep)
    std::optional<ModelRatios> ratios;          ///< set if the subject has times
    std::optional<TimeShares> shares;           ///< set if the subject has times
    engine::FootprintBytes footprint;           ///< of a GPU of the largest stage
    LayerBytes ofLayers;                        ///< of the layers on that GPU
    std::optional<MemoryFit> fit;               ///< set if node.memory is limited
    MessageTotals messages;                     ///< of the GPU that sends most
    std::array<MessageSum, kMessageKeys.size()> byGroup;
    engine::MessageRatios messageRatios;  ///< of the GPU that sends most
    engine::Notices notices;
    bool operator==(const ModelPoint&) const = default;
};

/// Returns the step of a point: that of one pass through one group is the model's time. Empty without times.
std::optional<StepTime> stepTimeOf(const ModelPoint& point);

// The numbers of each group, listed once, for documents and metrics (result_fields.h). A member may be a function.

template <class Visitor>
void visitFields(const ModelTime*, Visitor&& field) {
    using enum Better;
    field({"total", "Time of the model", "Of a training step, of a prompt or of one generated token.", smaller},
          &ModelTime::total);
    field({"exposed", "Exposed communication of the model", "The time of its collectives that is not hidden.", smaller},
          &ModelTime::exposed);
    for (const ModelPart& part : kModelParts)
        field({part.key, part.title, "A part of the model's time; the parts sum to it.", smaller}, part.time);
}

template <class Visitor>
void visitFields(const ModelProjection*, Visitor&& field) {
    field({"saved_events", "Events saved by the projection",
           "Expected events of the simulations that the projected model would need itself.", Better::larger},
          &ModelProjection::savedEvents);
}

template <class Visitor>
void visitFields(const StepTime*, Visitor&& field) {
    using enum Better;
    field(
        {"total", "Time of the step",
         "Of all stages, replicas and micro-batches of a training step or of inference; of a delayed schedule, of one "
         "mini-batch.",
         smaller},
        &StepTime::total);
    constexpr const char* kAlongChain = "A part of the step's time along its critical chain; the parts sum to it.";
    field({"compute", "Compute in the step", kAlongChain, smaller}, &StepTime::compute);
    field({"tensor", "Exposed tensor messages in the step", kAlongChain, smaller}, &StepTime::tensor);
    field({"data", "Exposed data messages in the step", kAlongChain, smaller}, &StepTime::data);
    field({"pipeline", "Exposed sends in the step", kAlongChain, smaller}, &StepTime::pipeline);
}

template <class Visitor>
void visitFields(const ModelRatios*, Visitor&& field) {
    using enum Better;
    field({"communication_share", "Communication share", "Exposed communication, divided by the time of the step.",
           smaller},
          &ModelRatios::communicationShare);
    field({"model_speedup_over_sequential", "Speed-up of the model",
           "Time of the step under `sequential`, divided by this one.", larger},
          &ModelRatios::speedupOverSequential);
    field({"flops_utilisation", "Utilisation of flops",
           "Operations of the model without recomputation, divided by those of the GPU at its peak in this time.",
           larger},
          &ModelRatios::flopsUtilisation);
}

template <class Visitor>
void visitFields(const TimeShares*, Visitor&& field) {
    using enum Better;
    constexpr const char* kOfClass = "Of the model's time; hidden communication is in no class.";
    field({"gemm", "Share of GEMMs", kOfClass}, &TimeShares::gemm);
    field({"batched_gemm", "Share of batched GEMMs", kOfClass}, &TimeShares::batchedGemm);
    field({"attention_element_wise", "Share of attention's element-wise operators", kOfClass},
          &TimeShares::attentionElementWise);
    field({"element_wise", "Share of other element-wise operators", kOfClass}, &TimeShares::elementWise);
    field({"optimizer", "Share of the optimizer", kOfClass}, &TimeShares::optimizer);
    field({"collective", "Share of exposed collectives", kOfClass}, &TimeShares::collective);
    field({"memory_bound", "Share of operators bound by memory",
           "Of the model's time, in operators whose bytes at the bandwidth of memory take longer than their operations "
           "at the peak rate of the GPU.",
           smaller},
          &TimeShares::memoryBound);
    field({"memory_bound_without_optimizer", "Share of operators bound by memory, without the optimizer",
           "The same without the operators of the optimizer.", smaller},
          &TimeShares::memoryBoundWithoutOptimizer);
}

template <class Visitor>
void visitFields(const engine::FootprintBytes*, Visitor&& field) {
    using engine::FootprintBytes;
    using enum Better;
    field({"weights", "Weights held", "On one GPU of the largest stage.", smaller}, &FootprintBytes::weights);
    field({"gradients", "Gradients held", "On one GPU of the largest stage.", smaller}, &FootprintBytes::gradients);
    field({"optimizer", "Optimizer held", "On one GPU of the largest stage.", smaller}, &FootprintBytes::optimizer);
    field({"activations", "Activations held", "Of all micro-batches in flight, on one GPU of the largest stage.",
           smaller},
          &FootprintBytes::activations);
    field({"cache", "Keys and values held", "In inference, on one GPU of the largest stage.", smaller},
          &FootprintBytes::cache);
    field({"buffers", "Buffers held", "Gathered gradients or layers, or the layer that is recomputed.", smaller},
          &FootprintBytes::buffers);
    field(
        {"copies", "Copies held", "Copies of the weights in other formats, on one GPU of the largest stage.", smaller},
        &FootprintBytes::copies);
    field({"total", "Footprint", "Bytes that one GPU of the largest stage holds.", smaller}, &FootprintBytes::total);
}

template <class Visitor>
void visitFields(const LayerBytes*, Visitor&& field) {
    using enum Better;
    field({"states", "States of the layers", "Weights, gradients and optimizer without embedding and head.", smaller},
          &LayerBytes::states);
    field({"activations", "Activations of the layers", "Activations held, without embedding and head.", smaller},
          &LayerBytes::activations);
}

template <class Visitor>
void visitFields(const MemoryFit*, Visitor&& field) {
    using enum Better;
    field({"fits", "Fits", "1 if the footprint fits into node.memory, else 0.", larger}, &MemoryFit::fits);
    field({"most_weights", "Most weights", "Weights of the largest model whose states fit into node.memory.", larger},
          &MemoryFit::mostWeights);
}

template <class Visitor>
void visitFields(const MessageTotals*, Visitor&& field) {
    using enum Better;
    field({"count", "Messages", "Messages of one GPU in one step.", smaller}, &MessageTotals::count);
    field({"volume_bytes", "Message volume", "Bytes of all messages; those of an all-reduce count twice.", smaller},
          &MessageTotals::volume);
    field(
        {"sent_bytes", "Sent by messages", "Bytes that the GPU which sends most in total sends in one step.", smaller},
        &MessageTotals::sent);
    field({"within_node_bytes", "Sent within nodes", "Bytes that the same GPU sends to GPUs of its node.", smaller},
          &MessageTotals::withinNode);
    field({"between_nodes_bytes", "Sent between nodes",
           "Bytes that the same GPU sends in groups that span several nodes; another stage may send more.", smaller},
          &MessageTotals::betweenNodes);
    field({"most_between_nodes_bytes", "Most sent between nodes",
           "The most bytes that a GPU of any stage sends in groups that span several nodes.", smaller},
          &MessageTotals::mostBetweenNodes);
    field({"time_ps", "Time of messages, at least",
           "All messages of the same GPU one after the other, with the fewest rounds and the bandwidth of one link.",
           smaller},
          &MessageTotals::time);
}

template <class Visitor>
void visitFields(const MessageSum*, Visitor&& field) {
    using enum Better;
    field({"bytes", "largest", "Bytes of the largest message.", smaller}, &MessageSum::bytes);
    field({"count", "count", "Messages of this group of one GPU in one step.", smaller}, &MessageSum::count);
    field({"volume_bytes", "volume", "Bytes of all messages; those of an all-reduce count twice.", smaller},
          &MessageSum::volume);
    field({"sent_bytes", "sent", "Bytes of these messages that one GPU sends in one step.", smaller},
          &MessageSum::sent);
}

template <class Visitor>
void visitFields(const engine::MessageRatios*, Visitor&& field) {
    using engine::MessageRatios;
    using enum Better;
    field({"flops_per_tensor_byte", "Flops per tensor byte",
           "Flops of the GEMMs and the attention of the layers, with recomputation, for each byte that the layers' "
           "collectives send, of the GPU that sends most in total; absent without tensor messages.",
           larger},
          &MessageRatios::flopsPerTensorByte);
    field({"flops_per_data_byte", "Flops per data byte",
           "Flops of the gradients of weights, which data messages can hide behind, for each byte that data messages "
           "send, of the same GPU; absent without data messages.",
           larger},
          &MessageRatios::flopsPerDataByte);
    field({"serialised_share", "Serialised share",
           "Time of the layers' tensor messages at link.bandwidth, divided by that time and the time of the layers' "
           "flops at the peak rate x cu.tensor_efficiency, without a simulation; absent without tensor messages.",
           smaller},
          &MessageRatios::serialisedShare);
}

}  // namespace data
