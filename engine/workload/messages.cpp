#include "engine/api/messages.h"

#include "engine/api/pipeline.h"
#include "engine/workload/stages.h"
#include "engine/workload/transformer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

namespace engine {
namespace {

constexpr std::array<std::string_view, kMessageGroups.size()> kGroupNames{"tensor", "data", "pipeline", "tied",
                                                                          "control"};
constexpr std::array<std::string_view, 5> kMessageOperations{"all-reduce", "reduce-scatter", "all-gather", "all-to-all",
                                                             "send"};

constexpr const char* kLayerSource = "published, Megatron-LM (arXiv 1909.08053), section 3: the layers' collectives";
constexpr const char* kEndSource = "published, Megatron-LM (arXiv 1909.08053), section 3: embedding and head";
constexpr const char* kBucketSource =
    "second-hand, DeepSpeed: gradients are summed, and weights gathered, in buckets (division.bucket)";
constexpr const char* kDealtGradientSource =
    "derived: gradients are dealt out before they are summed, so that each micro-batch has its reduce-scatter";
constexpr const char* kGatheredWeightSource =
    "second-hand, ZeRO (arXiv 1910.02054), section 7: weights are gathered for the forward and for the backward pass";
constexpr const char* kSendSource =
    "second-hand, arXiv 2408.10197: activations go to the next stage, their gradients back";
constexpr const char* kTiedSource =
    "second-hand, Megatron-LM: first and last stage sum the gradient of the embedding that they share";
constexpr const char* kOperatorSource =
    "published, integrated model and batch parallelism (arXiv 1712.04432), section 2: the gradients of each operator's "
    "weights are summed";
constexpr const char* kHaloSource =
    "published, integrated model, batch and domain parallelism (arXiv 1712.04432), section 2: rows at the edge of a "
    "GPU's share go to its neighbours";
constexpr const char* kControlSource = "assumed: loss, gradient norm and overflow flag";

/// Limits the sizes of a step that is too large to run, so that all rows together stay within 63 bits.
Bytes sentBytes(double bytes) { return {static_cast<std::int64_t>(std::ceil(std::min(bytes, 1e17)))}; }

/// Returns the part of `bytes` that a GPU sends: 2(n-1)/n, (n-1)/n or all.
double sentOf(double bytes, MessageOperation operation, std::int64_t gpus) {
    if (operation == MessageOperation::send)
        return bytes;
    return (operation == MessageOperation::allReduce ? 2 : 1) * bytes * real(gpus - 1) / real(gpus);
}

/// Returns whether a group spans several nodes, if groups are blocks of neighbouring ranks of that length.
bool leavesNode(const Experiment& experiment, std::int64_t block) {
    const DivisionConfig& division = experiment.division;
    const std::int64_t all = experiment.parallel.tp * division.dp * division.pp, node = experiment.node.gpus;
    return all > node && node % block != 0;
}

/// Lists the messages of one GPU that belong to a step and not to the passes themselves.
class StepMessages {
public:
    /// `graph` is null if only the number of weights is known.
    StepMessages(const Experiment& experiment, const DividedWeights& weights, const OperatorGraph* graph,
                 std::int64_t stage)
        : m_experiment(experiment), m_division(experiment.division), m_element(real(elementBytes(experiment))),
          m_weights(weights), m_graph(graph), m_stage(weights.stages[static_cast<std::size_t>(stage)]) {
        if (graph != nullptr)
            m_chunks = chunksOfStage(m_division, graph->layers, stage);
    }

    std::vector<StageMessage> data() {
        using enum MessageMoment;
        if (m_graph != nullptr && m_graph->network) {
            addNetwork(*m_graph->network);
            return std::move(m_messages);
        }
        switch (m_division.sharding) {
        case Sharding::none: addBuckets(MessageOperation::allReduce, gradients, false, kBucketSource); break;
        case Sharding::optimizer:
            addBuckets(MessageOperation::reduceScatter, gradients, false, kBucketSource);
            addBuckets(MessageOperation::allGather, weights, false, kBucketSource);
            break;
        case Sharding::gradients:
            addBuckets(MessageOperation::reduceScatter, gradients, true, kDealtGradientSource);
            addBuckets(MessageOperation::allGather, weights, false, kBucketSource);
            break;
        case Sharding::weights:
            addSections(MessageOperation::allGather, forwardGather);
            addSections(MessageOperation::allGather, backwardGather);
            addSections(MessageOperation::reduceScatter, gradients);
            break;
        }
        return std::move(m_messages);
    }

    /// In a delayed schedule one stage has both ends of the model, and no step ends for all stages at once. A network has
    /// no tied embedding, and control is not modelled (assumed: it is for Transformers in mixed precision).
    std::vector<StageMessage> ends() {
        constexpr double kControlBytes = 4;
        constexpr std::int64_t kControls = 3;
        if (isDelayed(m_division.schedule) || (m_graph != nullptr && m_graph->network))
            return {};
        if (m_weights.pp > 1 && (m_stage.first || m_stage.last))
            add({MessageGroup::tied, MessageOperation::allReduce, 2, sentBytes(m_element * real(m_weights.embedding)),
                 1, MessageMoment::tied, false, 0, 0, false, kTiedSource});
        add({MessageGroup::control, MessageOperation::allReduce, m_weights.tp * m_division.dp * m_weights.pp,
             sentBytes(kControlBytes), kControls, MessageMoment::control, false, 0, 0, false, kControlSource});
        return std::move(m_messages);
    }

private:
    void add(StageMessage message) {
        if (message.gpus == 1 || message.count == 0)
            return;
        message.betweenNodes = isBetweenNodes(m_experiment, message.group);
        m_messages.push_back(std::move(message));
    }

    void addData(MessageOperation operation, double bytes, std::int64_t count, MessageMoment moment, bool each,
                 std::int64_t chunk, std::int64_t section, const char* source) {
        add({MessageGroup::data, operation, m_division.dp, sentBytes(bytes), count, moment, each, chunk, section, false,
             source});
    }

    /// Returns the weights of a section. A stage with both ends has the embedding's matrix once, and its gradient is
    /// complete at the beginning.
    std::int64_t weightsOf(const StageChunk& chunk, std::int64_t section) const {
        if (chunk.begin && section == 0)
            return m_weights.embedding;
        if (chunk.end && section + 1 == chunk.sections())
            return m_stage.first ? 0 : m_weights.embedding;
        return m_weights.layer;
    }

    /// Calls `visit(chunk, section, weights)` in the order in which gradients come. Without a graph all weights come at
    /// once.
    template <typename Visit>
    void eachSectionBackward(const Visit& visit) const {
        if (m_graph == nullptr)
            visit(0, 0, m_weights.of(m_stage));
        for (std::int64_t chunk = static_cast<std::int64_t>(m_chunks.size()) - 1; chunk >= 0; --chunk) {
            const StageChunk& of = m_chunks[static_cast<std::size_t>(chunk)];
            for (std::int64_t section = of.sections() - 1; section >= 0; --section)
                visit(chunk, section, weightsOf(of, section));
        }
    }

    /// Adds the gradients of each operator, in the order of the backward pass. They are due after it: all operators are in
    /// one section.
    void addNetwork(const NetworkMessages& network) {
        constexpr std::int64_t kSectionOfLayer = 1;  // after that of the embedding, which is empty
        for (auto each = network.weights.rbegin(); each != network.weights.rend(); ++each)
            add({MessageGroup::data, MessageOperation::allReduce, each->gpus,
                 sentBytes(m_element * real(each->weights)), 1, MessageMoment::gradients, false, 0, kSectionOfLayer,
                 false, kOperatorSource});
    }

    void addBuckets(MessageOperation operation, MessageMoment moment, bool each, const char* source) {
        const std::int64_t all = m_weights.of(m_stage), bucket = m_division.bucket;
        std::int64_t before = 0;
        eachSectionBackward([&](std::int64_t chunk, std::int64_t section, std::int64_t weights) {
            const std::int64_t full = (before + weights) / bucket - before / bucket;
            before += weights;
            addData(operation, m_element * real(bucket), full, moment, each, chunk, section, source);
            if (before == all && weights > 0 && all % bucket > 0)
                addData(operation, m_element * real(all % bucket), 1, moment, each, chunk, section, source);
        });
    }

    /// Adds the collectives of sharded weights, layer by layer, then the embedding; in buckets if no layers are known.
    void addSections(MessageOperation operation, MessageMoment moment) {
        if (m_graph == nullptr)
            return addBuckets(operation, moment, true, kGatheredWeightSource);
        for (const bool ofLayers : {true, false}) {
            eachSectionBackward([&](std::int64_t chunk, std::int64_t section, std::int64_t) {
                const StageChunk& of = m_chunks[static_cast<std::size_t>(chunk)];
                const bool atBegin = of.begin && section == 0, atEnd = of.end && section + 1 == of.sections();
                // Embedding and head share a matrix, which each direction gathers where it begins.
                const bool ofEmbedding = moment == MessageMoment::backwardGather ? atEnd : atBegin;
                if (ofLayers ? !atBegin && !atEnd : ofEmbedding)
                    addData(operation, m_element * real(ofLayers ? m_weights.layer : m_weights.embedding), 1, moment,
                            true, chunk, section, kGatheredWeightSource);
            });
        }
    }

    const Experiment& m_experiment;
    const DivisionConfig& m_division;
    double m_element;  // bytes
    const DividedWeights& m_weights;
    const OperatorGraph* m_graph;
    ModelStage m_stage;
    std::vector<StageChunk> m_chunks;
    std::vector<StageMessage> m_messages;
};

/// Collects the rows of one GPU. Rows that differ in their count alone become one.
class MessageRows {
public:
    MessageRows(const Experiment& experiment, DividedWeights weights, const OperatorGraph* graph, std::int64_t index)
        : m_experiment(experiment), m_division(experiment.division), m_weights(std::move(weights)), m_graph(graph),
          m_index(index), m_stage(m_weights.stages[static_cast<std::size_t>(index)]) {}

    Messages messages() {
        StepMessages step(m_experiment, m_weights, m_graph, m_index);
        if (m_graph != nullptr)
            addTensor();
        if (trains())
            addAll(step.data());
        if (m_graph != nullptr) {
            addPipeline();
            if (trains())
                addAll(step.ends());
        }
        Messages messages{m_index, std::move(m_rows)};
        if (m_graph != nullptr)
            addWork(messages);
        return messages;
    }

private:
    bool trains() const { return m_graph == nullptr || m_graph->phase == ModelPhase::training; }

    void add(MessageGroup group, MessageOperation operation, std::int64_t gpus, double bytes, std::int64_t count,
             const std::string& source, bool ofLayers = false) {
        if (gpus == 1 || count == 0)
            return;
        const Bytes one = sentBytes(bytes);
        for (MessageRow& row : m_rows) {
            if (row.group == group && row.operation == operation && row.gpus == gpus && row.bytes == one &&
                row.source == source) {
                count += row.count;
                row = rowOf(group, operation, gpus, one, count, source, ofLayers);
                return;
            }
        }
        m_rows.push_back(rowOf(group, operation, gpus, one, count, source, ofLayers));
    }

    MessageRow rowOf(MessageGroup group, MessageOperation operation, std::int64_t gpus, Bytes one, std::int64_t count,
                     const std::string& source, bool ofLayers) const {
        const double all = real(one.count) * real(count);
        return {group,
                operation,
                gpus,
                one,
                count,
                sentBytes(operation == MessageOperation::allReduce ? 2 * all : all),
                sentBytes(sentOf(all, operation, gpus)),
                isBetweenNodes(m_experiment, group),
                source,
                ofLayers};
    }

    /// Returns how often the GPU performs an operator in all micro-batches of a step.
    std::int64_t timesOf(const Operator& op) const {
        const std::int64_t timesInPass = op.inLayer ? m_stage.layers : standsIn(m_stage, op) ? 1 : 0;
        return timesInPass * m_division.microbatches;
    }

    /// Adds the collectives of the graph: first those of the layers, then those of the model's ends.
    void addTensor() {
        for (const bool inLayer : {true, false}) {
            for (const Operator& op : m_graph->operators) {
                if (op.kind == OperatorKind::collective && op.inLayer == inLayer)
                    add(MessageGroup::tensor, operationOf(*m_graph, op), m_weights.tp, real(op.bytes.count),
                        timesOf(op),
                        m_graph->network ? op.source
                        : inLayer        ? kLayerSource
                                         : kEndSource,
                        inLayer);
            }
        }
        if (m_graph->network)
            addHalos(m_graph->network->halos);
    }

    /// Adds the rows that a GPU in the middle sends to its neighbours: results forward, gradients backward.
    void addHalos(const std::vector<NetworkHalo>& halos) {
        const std::int64_t passes = trains() ? 2 : 1;
        for (const NetworkHalo& halo : halos)
            add(MessageGroup::tensor, MessageOperation::send, 2, real(halo.bytes.count),
                halo.neighbours * passes * m_division.microbatches, kHaloSource, true);
    }

    void addAll(const std::vector<StageMessage>& messages) {
        for (const StageMessage& message : messages)
            add(message.group, message.operation, message.gpus, real(message.bytes.count),
                message.count * (message.eachMicrobatch ? m_division.microbatches : 1), message.source);
    }

    void addWork(Messages& messages) const {
        const std::vector<bool> isRead = readByOptimizer();
        for (std::size_t i = 0; i < m_graph->operators.size(); ++i) {
            const Operator& op = m_graph->operators[i];
            const double flops = op.flops * real(timesOf(op));
            if (op.inLayer && runsOnMatrixUnits(op))
                messages.layerFlops += flops;
            if (op.gemm && isRead[i])
                messages.weightGradientFlops += flops;
        }
    }

    /// Returns for each operator of the graph whether an operator of the optimizer reads its output.
    std::vector<bool> readByOptimizer() const {
        std::vector<bool> isRead(m_graph->operators.size(), false);
        for (const OperatorDependency& edge : m_graph->edges)
            isRead[edge.from] = isRead[edge.from] || m_graph->operators[edge.to].pass == OperatorPass::optimizer;
        return isRead;
    }

    /// Adds the messages of the pipeline: activations leave each chunk except the model's last, their gradients each
    /// chunk except its first.
    void addPipeline() {
        if (m_weights.pp == 1)
            return;
        const std::int64_t chunks = partsOf(shapeOf(m_division), m_index);
        const std::int64_t onward = chunks - (m_stage.last ? 1 : 0);
        const std::int64_t back = trains() ? chunks - (m_stage.first ? 1 : 0) : 0;
        add(MessageGroup::pipeline, MessageOperation::send, 2, real(sendBytes(m_experiment, *m_graph).count),
            (onward + back) * m_division.microbatches, kSendSource);
    }

    const Experiment& m_experiment;
    const DivisionConfig& m_division;
    DividedWeights m_weights;
    const OperatorGraph* m_graph;
    std::int64_t m_index;
    ModelStage m_stage;
    std::vector<MessageRow> m_rows;
};

}  // namespace

MessageOperation operationOf(const OperatorGraph& graph, const Operator& op) {
    switch (collectiveOf(graph, op)) {
    case SubLayer::reduceScatter: return MessageOperation::reduceScatter;
    case SubLayer::allGather: return MessageOperation::allGather;
    case SubLayer::allToAll: return MessageOperation::allToAll;
    default: return MessageOperation::allReduce;
    }
}

bool isBetweenNodes(const Experiment& experiment, MessageGroup group) {
    const DivisionConfig& division = experiment.division;
    const std::int64_t tp = experiment.parallel.tp;
    if (group == MessageGroup::tensor)
        return leavesNode(experiment, tp);
    return leavesNode(experiment, tp * division.dp * (group == MessageGroup::data ? 1 : division.pp));
}

Bytes sendBytes(const Experiment& experiment, const OperatorGraph& graph) {
    const TransformerSizes sizes(experiment, graph.phase);
    return sentBytes(real(elementBytes(experiment)) * real(sizes.tokens) * real(sizes.hidden) /
                     (sizes.sliced ? real(sizes.gpus) : 1));
}

std::vector<StageMessage> stepMessages(const Experiment& experiment, const OperatorGraph& graph, std::int64_t stage) {
    const DividedWeights weights = dividedWeights(experiment, graph);
    StepMessages step(experiment, weights, &graph, stage);
    std::vector<StageMessage> all = step.data();
    const std::vector<StageMessage> ends = step.ends();
    all.insert(all.end(), ends.begin(), ends.end());
    return all;
}

std::string_view name(MessageGroup group) { return kGroupNames.at(static_cast<std::size_t>(group)); }

std::string_view name(MessageOperation operation) { return kMessageOperations.at(static_cast<std::size_t>(operation)); }

std::int64_t Messages::count() const {
    std::int64_t sum = 0;
    for (const MessageRow& row : rows)
        sum += row.count;
    return sum;
}

Bytes Messages::volume() const {
    Bytes sum;
    for (const MessageRow& row : rows)
        sum += row.volume;
    return sum;
}

Bytes Messages::sent() const {
    Bytes sum;
    for (const MessageRow& row : rows)
        sum += row.sent;
    return sum;
}

Bytes Messages::sentIn(MessageGroup group) const {
    Bytes sum;
    for (const MessageRow& row : rows)
        sum += row.group == group ? row.sent : Bytes{};
    return sum;
}

Bytes Messages::sentByLayers() const {
    Bytes sum;
    for (const MessageRow& row : rows)
        sum += row.ofLayers ? row.sent : Bytes{};
    return sum;
}

Bytes Messages::sentBetweenNodes() const {
    Bytes sum;
    for (const MessageRow& row : rows)
        sum += row.betweenNodes ? row.sent : Bytes{};
    return sum;
}

namespace {

/// Returns the rounds of a message of the row: ceil(log2 n), twice for an all-reduce; 1 for a send.
std::int64_t roundsOf(const MessageRow& row) {
    if (row.operation == MessageOperation::send)
        return 1;
    const auto rounds = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(row.gpus - 1)));
    return row.operation == MessageOperation::allReduce ? 2 * rounds : rounds;
}

std::optional<double> flopsPerByte(double flops, Bytes sent) {
    return flops > 0 && sent.count > 0 ? std::optional(flops / real(sent.count)) : std::nullopt;
}

void takeMost(MostSent& most, Bytes sent, std::int64_t stage) {
    if (sent > most.sent)
        most = {sent, stage};
}

/// Returns the messages of `stage`, or without one of the first of the stages that send most in total.
Messages messagesOfSome(const Experiment& experiment, const OperatorGraph& graph, std::optional<std::int64_t> stage) {
    const DividedWeights weights = dividedWeights(experiment, graph);
    // The first stages have the most layers, and all between the ends are otherwise alike.
    const std::int64_t last = experiment.division.pp - 1;
    Messages chosen, most;
    for (const std::int64_t each : std::set<std::int64_t>{0, std::min<std::int64_t>(1, last), last}) {
        Messages messages = MessageRows(experiment, weights, &graph, each).messages();
        for (std::size_t group = 0; group < kMessageGroups.size(); ++group)
            takeMost(most.mostInGroup[group], messages.sentIn(kMessageGroups[group]), each);
        takeMost(most.mostBetweenNodes, messages.sentBetweenNodes(), each);
        if (each == 0 || messages.sent() > chosen.sent())
            chosen = std::move(messages);
    }
    if (stage)
        chosen = MessageRows(experiment, weights, &graph, *stage).messages();
    chosen.mostInGroup = most.mostInGroup;
    chosen.mostBetweenNodes = most.mostBetweenNodes;
    return chosen;
}

}  // namespace

Duration floorTimeOf(const Experiment& experiment, const Messages& messages) {
    double picoseconds = 0;
    for (const MessageRow& row : messages.rows) {
        const Duration latency = row.betweenNodes ? experiment.topology.nodeLatency : experiment.link.latency;
        const Bandwidth bandwidth =
            row.betweenNodes ? experiment.topology.nodeBandwidth : packetBandwidth(experiment.link);
        picoseconds += real(row.count) * real(roundsOf(row)) * real(latency.ps) +
                       1e12 * real(row.sent.count) / real(bandwidth.bytesPerSecond);
    }
    return {static_cast<std::int64_t>(std::ceil(std::min(picoseconds, 9e18)))};
}

MessageRatios ratiosOf(const Experiment& experiment, const Messages& messages) {
    MessageRatios ratios{flopsPerByte(messages.layerFlops, messages.sentByLayers()),
                         flopsPerByte(messages.weightGradientFlops, messages.sentIn(MessageGroup::data)),
                         {}};
    if (ratios.flopsPerTensorByte) {
        const double flopsInTimeOfByte =
            rooflineOf(experiment).flopsPerSecond / real(experiment.link.bandwidth.bytesPerSecond);
        ratios.serialisedShare = 1 / (1 + *ratios.flopsPerTensorByte / flopsInTimeOfByte);
    }
    return ratios;
}

Messages messagesOfStage(const Experiment& experiment, const OperatorGraph& graph, std::int64_t stage) {
    return messagesOfSome(experiment, graph, stage);
}

Messages messagesOf(const Experiment& experiment, const OperatorGraph& graph) {
    return messagesOfSome(experiment, graph, std::nullopt);
}

Messages messagesOfStage(const Experiment& experiment, ModelPhase phase, std::int64_t stage) {
    if (experiment.division.weights)
        return messagesOf(experiment, phase);
    return messagesOfStage(experiment, operatorGraphOf(experiment, phase), stage);
}

Messages messagesOf(const Experiment& experiment, ModelPhase phase) {
    if (!experiment.division.weights)
        return messagesOf(experiment, operatorGraphOf(experiment, phase));
    Messages messages = MessageRows(experiment, dividedBareWeights(experiment), nullptr, 0).messages();
    for (std::size_t group = 0; group < kMessageGroups.size(); ++group)
        messages.mostInGroup[group].sent = messages.sentIn(kMessageGroups[group]);
    messages.mostBetweenNodes.sent = messages.sentBetweenNodes();
    return messages;
}

}  // namespace engine
