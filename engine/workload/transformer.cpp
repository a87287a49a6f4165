#include "engine/workload/transformer.h"

#include "engine/workload/transformer_sources.h"

#include <utility>

namespace engine {
namespace {

std::int64_t ceilDiv(std::int64_t value, std::int64_t divisor) { return (value + divisor - 1) / divisor; }

std::string idOf(OperatorPass pass, const char* id) { return std::string(name(pass)) + "/" + id; }

}  // namespace

TransformerSizes::TransformerSizes(const Experiment& experiment, ModelPhase phase)
    : gpus(experiment.parallel.tp), layers(experiment.workload.layers), batch(experiment.workload.batch),
      sequence(experiment.workload.sequence), tokens(phase == ModelPhase::generation ? batch : batch * sequence),
      hidden(experiment.workload.hidden), queries(queryWidth(experiment.workload)), keys(keyWidth(experiment.workload)),
      feedForward(feedForwardWidth(experiment.workload)),
      firstFeed(experiment.workload.mlp == Mlp::gated ? 2 * feedForward : feedForward),
      vocabulary(ceilDiv(experiment.workload.vocabulary, gpus) * gpus), experts(experiment.workload.experts),
      chosen(experts == 1 ? 1 : experiment.workload.expertsPerToken), gated(experiment.workload.mlp == Mlp::gated),
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

Transformer::Transformer(const Experiment& experiment, ModelPhase phase)
    : m_experiment(experiment), m_phase(phase), m_sizes(experiment, phase) {
    if (phase == ModelPhase::generation)
        m_experiment.workload.sequence = 1;
}

void Transformer::build(OperatorGraph& graph) {
    using enum OperatorPass;
    const TransformerSizes& s = m_sizes;
    const Node rows = elementWise(
        forward, "embedding", "Embedding", kElement * (real(s.tokens) / real(s.gpus) + real(s.tokens)) * real(s.hidden),
        0, "rows of the T/N tokens in the GPU's part of the vocabulary are read, T x H written", {});
    m_builder.at(rows).weights = s.vocabulary / s.gpus * s.hidden;
    const Node input = collective(forward, "embedding/all-reduce", "Embeddings all-reduced", SubLayer::allReduce,
                                  kElement * real(s.tokens) * real(s.hidden), "T x H", kReducedSource, {rows});
    m_inLayer = true;
    m_kept.layerInput = input;
    m_kept.layerOutput = forwardFeedForward(forwardAttention(input));
    m_inLayer = false;
    forwardEnd(m_kept.layerOutput);
    if (m_phase == ModelPhase::training) {
        Node gradient = backwardEnd();
        m_inLayer = true;
        gradient = backwardAttention(backwardFeedForward(gradient));
        m_inLayer = false;
        m_gradients.push_back(elementWise(backward, "embedding", "Gradient of the embedding",
                                          kElement * 3 * real(s.tokens) / real(s.gpus) * real(s.hidden), 0,
                                          "T/N rows of gradients are read and added to the rows of their tokens",
                                          {gradient}));
        addOptimizer();
    }
    m_builder.finish(graph);
}

void Transformer::addOptimizer() {
    const TransformerSizes& s = m_sizes;
    constexpr double kStateBytes = 28, kFlops = 12;
    const auto add = [&](const char* id, const char* title, std::int64_t weights, const char* formula,
                         std::vector<Node> reads) {
        const Node node = elementWise(OperatorPass::optimizer, id, title, kStateBytes * real(weights),
                                      kFlops * real(weights), formula, reads);
        m_builder.at(node).source =
            "ZeRO (arXiv 1910.02054), section 3.1: Adam in mixed precision; read: gradient (2 bytes), fp32 weight and two "
            "moments (12); written: those three (12) and the fp16 weight (2)";
    };
    std::vector<Node> ofLayer, outside;
    for (const Node node : m_gradients)
        (m_builder.at(node).inLayer ? ofLayer : outside).push_back(node);
    m_inLayer = true;
    add("layer", "Adam on a layer's weights", m_layerWeights, "28 bytes for each of the GPU's weights", ofLayer);
    m_inLayer = false;
    add("embedding", "Adam on the embedding", s.vocabulary / s.gpus * s.hidden,
        "28 bytes for each of V/N x H weights, which embedding and head share", outside);
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
    op.formula = std::string("GEMM ") + formula + ", 2 m n k flops";
    op.source = pass == OperatorPass::forward ? kSlicedSource : kGradientSource;
    addWeights(op);
    return m_builder.add(std::move(op), reads, saved);
}

/// The head's are the embedding's.
void Transformer::addWeights(Operator& op) {
    if (op.pass != OperatorPass::forward || !op.inLayer)
        return;
    op.weights = op.gemm->n * op.gemm->k * op.gemms;
    m_layerWeights += op.weights;
}

Transformer::Node Transformer::feeding(OperatorPass pass, const char* id, const char* title,
                                       const WorkloadConfig& workload, const char* formula,
                                       const std::vector<Node>& reads) {
    const TransformerSizes& s = m_sizes;
    Operator op = base(pass, id, title);
    op.kind = OperatorKind::feedingGemm;
    op.gemm = GemmSize{s.tokens, s.hidden, slicedSide(workload) / s.gpus};
    op.flops = 2 * real(op.gemm->m) * real(op.gemm->n) * real(op.gemm->k);
    op.workload = workload;
    op.formula = std::string("GEMM ") + formula + ", 2 m n k flops";
    op.source = kFeedingSource;
    addWeights(op);
    const Node node = m_builder.add(std::move(op), reads);

    Operator reduced = base(pass, id, "All-reduce of its output");
    reduced.id += "/all-reduce";
    reduced.kind = OperatorKind::collective;
    reduced.bytes = clamped(kElement * real(s.tokens) * real(s.hidden));
    reduced.feeder = node;
    reduced.formula = "T x H";
    reduced.source = kReducedSource;
    return m_builder.add(std::move(reduced), {node});
}

Transformer::Node Transformer::feeding(OperatorPass pass, const char* id, const char* title, SubLayer sublayer,
                                       const char* formula, const std::vector<Node>& reads) {
    WorkloadConfig workload = m_experiment.workload;
    workload.sublayer = sublayer;
    return feeding(pass, id, title, workload, formula, reads);
}

Transformer::Node Transformer::elementWise(OperatorPass pass, const char* id, const char* title, double bytes,
                                           double flops, const char* formula, const std::vector<Node>& reads,
                                           const std::vector<Node>& saved) {
    Operator op = base(pass, id, title);
    op.kind = OperatorKind::elementWise;
    op.bytes = clamped(bytes);
    op.flops = flops;
    op.formula = formula;
    op.source = kMovedSource;
    return m_builder.add(std::move(op), reads, saved);
}

Transformer::Node Transformer::collective(OperatorPass pass, const char* id, const char* title, SubLayer which,
                                          double bytes, const char* formula, const char* source,
                                          const std::vector<Node>& reads) {
    Operator op = base(pass, id, title);
    op.kind = OperatorKind::collective;
    op.bytes = clamped(bytes);
    op.workload.emplace();
    op.workload->sublayer = which;
    op.workload->bytes = op.bytes;
    op.formula = formula;
    op.source = source;
    return m_builder.add(std::move(op), reads);
}

void Transformer::weightGradient(const char* id, const char* title, const GemmSize& size, std::int64_t gemms,
                                 const char* formula, Node gradient, Node kept) {
    m_gradients.push_back(gemm(OperatorPass::backward, id, title, size, gemms, formula, {gradient}, {kept}));
}

}  // namespace engine
