#include "engine/workload/transformer.h"

#include <utility>

namespace engine {
namespace {

std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

std::int64_t filledUp(std::int64_t value, std::int64_t divisor) { return ceilDiv(value, divisor) * divisor; }

std::string idOf(OperatorPass pass, const char* id) { return std::string(name(pass)) + "/" + id; }

}  // namespace

TransformerSizes::TransformerSizes(const Experiment& experiment, ModelPhase phase)
    : gpus(experiment.parallel.tp), layers(experiment.workload.layers), element(real(elementBytes(experiment))),
      batch(experiment.workload.batch), sequence(experiment.workload.sequence),
      tokens(phase == ModelPhase::generation ? batch : batch * sequence), hidden(experiment.workload.hidden),
      queries(queryWidth(experiment.workload)), keys(keyWidth(experiment.workload)),
      feedForward(feedForwardWidth(experiment.workload)),
      firstFeed(experiment.workload.mlp == Mlp::gated ? 2 * feedForward : feedForward),
      vocabulary(filledUp(experiment.workload.vocabulary, gpus * experiment.operators.embeddingRows.value_or(1))),
      experts(experiment.workload.experts), chosen(experts == 1 ? 1 : experiment.workload.expertsPerToken),
      gated(experiment.workload.mlp == Mlp::gated), heads(queryHeads(experiment.workload)),
      sliced(gpus > 1 && experiment.collective.operation == CollectiveOperation::reduceScatter),
      cached(phase == ModelPhase::generation) {}

std::int64_t TransformerSizes::expertTokens() const { return ceilDiv(tokens * chosen, experts); }

std::int64_t TransformerSizes::ownTokens() const { return ceilDiv(tokens, gpus); }

std::int64_t TransformerSizes::chosenTokens() const { return ownTokens() * chosen; }

double TransformerSizes::expertElements() const {
    return real(expertTokens()) * real(ownExperts()) * real(feedForward);
}

double TransformerSizes::attendedPairs() const {
    if (cached)
        return real(batch) * real(sequence);
    return real(batch) * real(sequence) * (real(sequence) + 1) / 2;
}

double TransformerSizes::scoredPairs() const { return real(batch) * real(sequence) * (cached ? 1 : real(sequence)); }

std::int64_t TransformerSizes::ownHeads() const { return ceilDiv(heads, gpus); }

std::int64_t TransformerSizes::headSize() const { return std::max<std::int64_t>(1, queries / heads); }

double TransformerSizes::scoreElements() const { return scoredPairs() * real(heads) / real(gpus); }

Transformer::Transformer(const Experiment& experiment, ModelPhase phase)
    : m_experiment(experiment), m_phase(phase), m_sizes(experiment, phase) {
    if (phase == ModelPhase::generation)
        m_experiment.workload.sequence = 1;
}

void Transformer::build(OperatorGraph& graph) {
    const TransformerSizes& s = m_sizes;
    const double tokens = s.element * real(s.tokens) * real(s.hidden);
    const Node rows =
        elementWise(forward, "embedding", "Embedding",
                    s.element * (real(s.tokens) / real(s.gpus) + real(s.tokens)) * real(s.hidden), tokens, 0,
                    "rows of the T/N tokens in the GPU's part of the vocabulary are read, T x H written", {});
    m_builder.at(rows).weights = s.vocabulary / s.gpus * s.hidden;
    const Node input = s.sliced ? collective(forward, "embedding/reduce-scatter", "Embeddings reduce-scattered",
                                             SubLayer::reduceScatter, tokens, "T x H", kReducedSource, {rows})
                                : collective(forward, "embedding/all-reduce", "Embeddings all-reduced",
                                             SubLayer::allReduce, tokens, "T x H", kReducedSource, {rows});
    m_inLayer = true;
    m_kept.layerInput = input;
    m_kept.layerOutput = forwardFeedForward(forwardAttention(input));
    m_inLayer = false;
    forwardEnd(m_kept.layerOutput);
    if (m_phase == ModelPhase::training) {
        Node gradient = backwardEnd();
        m_inLayer = true;
        if (m_experiment.operators.recompute == Recompute::layer)
            recomputeLayer();
        gradient = backwardAttention(backwardFeedForward(gradient));
        m_inLayer = false;
        if (s.sliced)
            gradient = collective(backward, "embedding/all-gather", "Gradients of all tokens", SubLayer::allGather,
                                  tokens, "T x H", kShareSource, {gradient});
        m_gradients.push_back(elementWise(
            backward, "embedding", "Gradient of the embedding", 3 * tokens / real(s.gpus), tokens / real(s.gpus), 0,
            "T/N rows of gradients are read and added to the rows of their tokens", {gradient}));
        addOptimizer();
    }
    m_builder.finish(graph);
}

void Transformer::recomputeLayer() {
    m_pass = OperatorPass::recompute;
    forwardFeedForward(forwardAttention(m_kept.layerInput));
    m_pass = OperatorPass::forward;
}

Bytes Transformer::gemmOutput(const Operator& op) const {
    return clamped(m_sizes.element * real(op.gemm->m) * real(op.gemm->n) * real(op.gemms));
}

Operator Transformer::base(OperatorPass pass, const char* id, const char* title) const {
    Operator op;
    op.id = idOf(pass, id);
    op.title = title;
    op.pass = pass;
    op.inLayer = m_inLayer;
    op.count = m_inLayer ? m_sizes.layers : 1;
    return op;
}

Transformer::Node Transformer::gemm(OperatorPass pass, const char* id, const char* title, const GemmSize& size,
                                    std::int64_t gemms, const char* formula, const std::vector<Node>& reads,
                                    const std::vector<Node>& saved) {
    Operator op = base(pass, id, title);
    op.kind = OperatorKind::gemm;
    op.gemm = size;
    op.gemms = gemms;
    op.flops = 2 * real(size.m) * real(size.n) * real(size.k) * real(gemms);
    op.output = gemmOutput(op);
    op.formula = std::string("GEMM ") + formula + ", 2 m n k flops";
    op.source = pass == OperatorPass::backward ? kGradientSource : kSlicedSource;
    addWeights(op);
    return m_builder.add(std::move(op), reads, saved);
}

/// The head's weights are those of the embedding.
void Transformer::addWeights(Operator& op) {
    if (op.pass != OperatorPass::forward || !op.inLayer)
        return;
    op.weights = op.gemm->n * op.gemm->k * op.gemms;
    m_layerWeights += op.weights;
}

WorkloadConfig Transformer::workloadOf(SubLayer sublayer) const {
    WorkloadConfig workload = m_experiment.workload;
    workload.sublayer = sublayer;
    return workload;
}

Transformer::Node Transformer::fed(Operator op, const char* formula, const std::vector<Node>& reads,
                                   Operator collective) {
    op.kind = OperatorKind::feedingGemm;
    op.flops = 2 * real(op.gemm->m) * real(op.gemm->n) * real(op.gemm->k) * real(op.gemms);
    op.output = gemmOutput(op);
    op.formula = std::string("GEMM ") + formula + ", 2 m n k flops";
    addWeights(op);
    if (m_sizes.gpus == 1) {
        op.kind = OperatorKind::gemm;
        op.workload.reset();
        op.operation = CollectiveOperation::allReduce;
        op.source = op.pass == OperatorPass::backward ? kGradientSource : kSlicedSource;
        return m_builder.add(std::move(op), reads);
    }
    const Node node = m_builder.add(std::move(op), reads);
    collective.kind = OperatorKind::collective;
    collective.operatorClass = OperatorClass::collective;
    collective.feeder = node;
    return m_builder.add(std::move(collective), {node});
}

Transformer::Node Transformer::feeding(OperatorPass pass, const char* id, const char* title,
                                       const WorkloadConfig& workload, const char* formula,
                                       const std::vector<Node>& reads) {
    const TransformerSizes& s = m_sizes;
    Operator op = base(pass, id, title);
    op.gemm = GemmSize{s.tokens, s.hidden, slicedSide(workload) / s.gpus};
    op.workload = workload;
    op.operation = s.sliced ? CollectiveOperation::reduceScatter : CollectiveOperation::allReduce;
    op.source = kFeedingSource;
    Operator reduced = base(pass, id, s.sliced ? "Reduce-scatter of its output" : "All-reduce of its output");
    reduced.id += s.sliced ? "/reduce-scatter" : "/all-reduce";
    reduced.bytes = clamped(s.element * real(s.tokens) * real(s.hidden));
    reduced.output = clamped(s.element * real(s.rows()) * real(s.hidden));
    reduced.formula = "T x H";
    reduced.source = s.sliced ? kShareSource : kReducedSource;
    return fed(std::move(op), formula, reads, std::move(reduced));
}

Transformer::Node Transformer::feeding(OperatorPass pass, const char* id, const char* title, SubLayer sublayer,
                                       const char* formula, const std::vector<Node>& reads) {
    return feeding(pass, id, title, workloadOf(sublayer), formula, reads);
}

Transformer::Node Transformer::sending(OperatorPass pass, const char* id, const char* title, SubLayer sublayer,
                                       const char* formula, Node read) {
    const TransformerSizes& s = m_sizes;
    // The engine's sub-layer on as many tokens as the expert has, with a K that is whole after slicing.
    WorkloadConfig workload = workloadOf(sublayer);
    workload.batch = 1;
    workload.sequence = s.expertTokens();
    workload.feedForward = s.feedForward * s.gpus;
    workload.experts = workload.expertsPerToken = 1;
    Operator op = base(pass, id, title);
    op.gemm = GemmSize{s.expertTokens(), s.hidden, slicedSide(workload) / s.gpus};
    op.gemms = s.ownExperts();
    op.workload = workload;
    op.operation = CollectiveOperation::allToAll;
    op.source = kExpertSource;
    Operator sent = base(pass, id, "All-to-all of their outputs");
    sent.id += "/all-to-all";
    sent.bytes = clamped(s.element * real(s.expertTokens()) * real(s.ownExperts()) * real(s.hidden));
    sent.output = sent.bytes;
    sent.formula = "k T/N x H on each GPU, expert after expert";
    sent.source = kExpertSource;
    return fed(std::move(op), formula, {read}, std::move(sent));
}

Transformer::Node Transformer::gathered(OperatorPass pass, const char* id, Node shared) {
    const TransformerSizes& s = m_sizes;
    if (!s.sliced)
        return shared;
    Operator gather = base(pass, id, "All-gather of its input");
    gather.id += "/all-gather";
    gather.kind = OperatorKind::collective;
    gather.operatorClass = OperatorClass::collective;
    gather.bytes = clamped(s.element * real(s.tokens) * real(s.hidden));
    gather.output = gather.bytes;
    gather.feeder = m_builder.size() + 1;
    gather.formula = "T x H";
    gather.source = kShareSource;
    return m_builder.add(std::move(gather), {shared});
}

Transformer::Node Transformer::consuming(OperatorPass pass, const char* id, const char* title,
                                         const WorkloadConfig& workload, const char* formula,
                                         const std::vector<Node>& reads) {
    const TransformerSizes& s = m_sizes;
    const Node node = gemm(pass, id, title, {s.tokens, slicedSide(workload) / s.gpus, s.hidden}, 1, formula, reads);
    if (s.sliced) {
        Operator& op = m_builder.at(node);
        op.kind = OperatorKind::feedingGemm;
        op.workload = workload;
        op.operation = CollectiveOperation::allGather;
    }
    return node;
}

Transformer::Node Transformer::elementWise(OperatorPass pass, const char* id, const char* title, double bytes,
                                           double written, double flops, const char* formula,
                                           const std::vector<Node>& reads, const std::vector<Node>& saved) {
    Operator op = base(pass, id, title);
    op.kind = OperatorKind::elementWise;
    op.operatorClass = pass == OperatorPass::optimizer ? OperatorClass::optimizer : OperatorClass::elementWise;
    const double passes = pass == OperatorPass::optimizer ? 1 : m_experiment.operators.passes;
    op.bytes = clamped(passes * bytes);
    op.output = clamped(written);
    op.flops = flops;
    op.formula = formula;
    if (passes != 1)
        op.formula += "; moved operators.passes times";
    op.source = kMovedSource;
    return m_builder.add(std::move(op), reads, saved);
}

std::vector<GemmSize> Transformer::ofHeads(std::int64_t rows, std::int64_t columns, std::int64_t k) const {
    constexpr double kMostTiles = 1 << 18;  // of the library's smallest tile, in one run
    constexpr std::int64_t kTile = 64;
    const std::int64_t heads = m_sizes.batch * m_sizes.ownHeads();
    const double tiles = real(ceilDiv(rows, kTile)) * real(ceilDiv(columns, kTile));
    std::int64_t batches = 1;
    while (batches < heads && (heads % batches != 0 || tiles * real(heads / batches) > kMostTiles))
        ++batches;
    const std::int64_t each = heads / batches;
    return {static_cast<std::size_t>(batches), GemmSize{rows, columns, k * each, each}};
}

Transformer::Node Transformer::attentionPart(OperatorPass pass, const char* id, const char* title, double bytes,
                                             double written, double flops, std::vector<GemmSize> products,
                                             const char* formula, const std::vector<Node>& reads,
                                             const std::vector<Node>& saved) {
    const Node node = elementWise(pass, id, title, bytes, written, flops, formula, reads, saved);
    m_builder.at(node).bytes = clamped(bytes);
    m_builder.at(node).formula = formula;
    m_builder.at(node).products = std::move(products);
    m_builder.at(node).kind = OperatorKind::attention;
    m_builder.at(node).operatorClass = OperatorClass::batchedGemm;
    m_builder.at(node).source = kUnfusedSource;
    return node;
}

Transformer::Node Transformer::ofScores(Node node) {
    m_builder.at(node).operatorClass = OperatorClass::attentionElementWise;
    return node;
}

bool Transformer::dropsOut() const {
    return m_phase == ModelPhase::training && m_experiment.operators.dropout == Dropout::on;
}

// Recomputation draws a dropout's mask again from the same seed.
bool Transformer::isRepeated(std::string_view dropout) const {
    const Recompute word = m_experiment.operators.recompute;
    return word == Recompute::layer || (word == Recompute::attention && dropout == kSoftmaxDropout);
}

Transformer::Node Transformer::dropout(const char* id, const char* title, double elements, const char* formula,
                                       Node read) {
    const Node node = elementWise(m_pass, id, title, (2 * m_sizes.element + 1) * elements, m_sizes.element * elements,
                                  elements, formula, {read});
    m_builder.at(node).source = kDropoutSource;
    if (m_pass == recompute || !isRepeated(id))
        m_builder.at(node).mask = clamped(elements);
    return node;
}

Transformer::Node Transformer::dropoutGradient(const char* id, const char* title, double elements, const char* formula,
                                               Node gradient) {
    const Node node = elementWise(OperatorPass::backward, id, title, (2 * m_sizes.element + 1) * elements,
                                  m_sizes.element * elements, elements, formula, {gradient});
    m_builder.at(node).source = kDropoutSource;
    return node;
}

Transformer::Node Transformer::rowDropoutGradient(const char* id, const char* title, Node gradient) {
    return dropoutGradient(id, title, real(m_sizes.rows()) * real(m_sizes.hidden),
                           m_sizes.sliced ? "T/N x H and the mask read, T/N x H written"
                                          : "T x H and the mask read, T x H written",
                           gradient);
}

Transformer::Node Transformer::collective(OperatorPass pass, const char* id, const char* title, SubLayer which,
                                          double bytes, const char* formula, const char* source,
                                          const std::vector<Node>& reads) {
    if (m_sizes.gpus == 1)
        return reads.front();
    Operator op = base(pass, id, title);
    op.kind = OperatorKind::collective;
    op.operatorClass = OperatorClass::collective;
    op.bytes = clamped(bytes);
    op.output = clamped(which == SubLayer::reduceScatter ? bytes / real(m_sizes.gpus) : bytes);
    op.workload.emplace();
    op.workload->sublayer = which;
    op.workload->bytes = op.bytes;
    op.formula = formula;
    op.source = source;
    return m_builder.add(std::move(op), reads);
}

Transformer::Node Transformer::regathered(const char* id, Node gathered, Node share) {
    if (gathered == share || m_experiment.operators.recompute == Recompute::none ||
        m_builder.at(gathered).pass == OperatorPass::recompute)
        return gathered;
    const std::string gather = std::string(id) + "/all-gather";
    return collective(OperatorPass::recompute, gather.c_str(), "All-gather of its input, once more",
                      SubLayer::allGather, m_sizes.element * real(m_sizes.tokens) * real(m_sizes.hidden), "T x H",
                      kRegatheredSource, {share});
}

void Transformer::weightGradient(const char* id, const char* title, const GemmSize& size, std::int64_t gemms,
                                 const char* formula, const std::vector<Node>& gradients, Node kept) {
    m_gradients.push_back(gemm(OperatorPass::backward, id, title, size, gemms, formula, gradients, {kept}));
}

}  // namespace engine
