#include "engine/workload/transformer.h"

#include <utility>

namespace engine {

Transformer::Node Transformer::forwardAttention(Node input) {
    const TransformerSizes& s = m_sizes;
    const double elements = real(s.rows()) * real(s.hidden), moved = s.element * elements;
    m_kept.firstShare = elementWise(m_pass, "norm-1", "Norm before attention", 2 * moved, moved, 5 * elements,
                                    s.sliced ? "T/N x H read and written" : "T x H read and written", {input});
    m_kept.firstNorm = gathered(m_pass, "ip", m_kept.firstShare);
    m_kept.projected = consuming(m_pass, "ip", "Attention input projection", workloadOf(SubLayer::ip),
                                 "T x (Q + 2 KV)/N x H", {m_kept.firstNorm});
    m_kept.attended = attend();
    Node made = feeding(m_pass, "op", "Attention output projection", SubLayer::op, "T x H x Q/N", {m_kept.attended});
    if (dropsOut())
        made = dropout("dropout-1", "Dropout after attention", elements,
                       s.sliced ? "T/N x H read and written, a mask of as many bytes written"
                                : "T x H read and written, a mask of as many bytes written",
                       made);
    m_kept.middle =
        elementWise(m_pass, "residual-1", "Residual after attention", 3 * moved, moved, elements,
                    s.sliced ? "two T/N x H read, one written" : "two T x H read, one written", {input, made});
    return m_kept.middle;
}

Transformer::Node Transformer::attend() {
    return m_experiment.operators.attention == AttentionOperators::separate ? separateAttention() : fusedAttention();
}

Transformer::Node Transformer::separateAttention() {
    const TransformerSizes& s = m_sizes;
    const double scores = s.scoreElements(), pairs = s.scoredPairs();
    const double queries = real(s.tokens) * real(s.queries) / real(s.gpus);
    const double keys = (s.cached ? pairs : real(s.tokens)) * real(s.keys) / real(s.gpus);
    const double product = 2 * pairs * real(s.queries) / real(s.gpus);
    const Node scored = attentionPart(m_pass, "scores", "Attention scores", s.element * (queries + keys + scores),
                                      s.element * scores, product, ofHeads(s.scoredRows(), s.sequence, s.headSize()),
                                      s.cached ? "2 B S Q/N flops; queries and cached keys read, a B S/N scores written"
                                               : "2 B S S Q/N flops; queries and keys read, a B S S/N scores written",
                                      {m_kept.projected});
    m_kept.softmax = ofScores(
        elementWise(m_pass, "softmax", "Softmax of the scores", 2 * s.element * scores, s.element * scores, 5 * scores,
                    s.cached ? "a B S/N read and written" : "a B S S/N read and written", {scored}));
    m_kept.probabilities = m_kept.softmax;
    if (dropsOut())
        m_kept.probabilities =
            ofScores(dropout(kSoftmaxDropout, "Dropout of the softmax", scores,
                             "a B S S/N read and written, a mask of as many bytes written", m_kept.softmax));
    return attentionPart(m_pass, "value", "Attention values", s.element * (scores + keys + queries),
                         s.element * queries, product, ofHeads(s.scoredRows(), s.headSize(), s.sequence),
                         s.cached ? "2 B S Q/N flops; a B S/N and cached values read, B x Q/N written"
                                  : "2 B S S Q/N flops; a B S S/N and values read, T x Q/N written",
                         {m_kept.probabilities, m_kept.projected});
}

Transformer::Node Transformer::fusedAttention() {
    const TransformerSizes& s = m_sizes;
    Operator attention = base(m_pass, "attention", "Attention");
    attention.kind = OperatorKind::attention;
    attention.operatorClass = OperatorClass::batchedGemm;
    attention.flops = 4 * s.attendedPairs() * real(s.queries) / real(s.gpus);
    if (m_phase == ModelPhase::generation) {
        attention.bytes = clamped(s.element * 2 *
                                  (real(s.tokens) * real(s.queries) + s.attendedPairs() * real(s.keys)) / real(s.gpus));
        attention.formula =
            "4 B S Q/N flops; the cached keys and values, B x S x 2 KV/N, are read, and queries and output, B x 2 Q/N, "
            "move once";
        attention.source = "Pope et al. (arXiv 2211.05102), section 3.3: the cache is what generation reads";
    } else {
        attention.bytes = clamped(s.element * 2 * real(s.tokens) * (real(s.queries) + real(s.keys)) / real(s.gpus));
        attention.formula =
            "4 B S (S + 1)/2 Q/N flops: causal, a token attends to itself and those before it; queries, keys, values and "
            "output, T x (2 Q + 2 KV)/N, move once";
        attention.source =
            "FlashAttention (arXiv 2205.14135), section 3: scores never leave the chip; flops as in arXiv 2104.04473, "
            "appendix, times (S + 1)/2S because it is causal";
    }
    attention.output = clamped(s.element * real(s.tokens) * real(s.queries) / real(s.gpus));
    return m_builder.add(std::move(attention), {m_kept.projected});
}

Transformer::Node Transformer::forwardFeedForward(Node input) {
    const TransformerSizes& s = m_sizes;
    const double elements = real(s.rows()) * real(s.hidden), moved = s.element * elements;
    m_kept.secondNorm = m_kept.secondShare =
        elementWise(m_pass, "norm-2", "Norm before the feed-forward part", 2 * moved, moved, 5 * elements,
                    s.sliced ? "T/N x H read and written" : "T x H read and written", {input});
    Node made = s.dense() ? forwardDense(m_kept.secondNorm) : forwardExperts(m_kept.secondNorm);
    if (dropsOut())
        made = dropout("dropout-2", "Dropout after the feed-forward part", elements,
                       s.sliced ? "T/N x H read and written, a mask of as many bytes written"
                                : "T x H read and written, a mask of as many bytes written",
                       made);
    return elementWise(m_pass, "residual-2", "Residual after the feed-forward part", 3 * moved, moved, elements,
                       s.sliced ? "two T/N x H read, one written" : "two T x H read, one written", {input, made});
}

Transformer::Node Transformer::forwardDense(Node normed) {
    const TransformerSizes& s = m_sizes;
    m_kept.secondNorm = gathered(m_pass, "fc-1", normed);
    m_kept.firstFeed = consuming(m_pass, "fc-1", "First feed-forward", workloadOf(SubLayer::fc1),
                                 s.gated ? "T x 2F/N x H" : "T x F/N x H", {m_kept.secondNorm});
    const double inner = real(s.tokens) * real(s.feedForward) / real(s.gpus);
    m_kept.activated = elementWise(
        m_pass, "activation", "Activation", s.element * (s.gated ? 3 : 2) * inner, s.element * inner, 8 * inner,
        s.gated ? "two T x F/N read, one written" : "T x F/N read and written", {m_kept.firstFeed});
    return feeding(m_pass, "fc-2", "Second feed-forward", SubLayer::fc2, "T x H x F/N", {m_kept.activated});
}

Transformer::Node Transformer::forwardExperts(Node normed) {
    const TransformerSizes& s = m_sizes;
    const double sentElements = real(s.chosenTokens()) * real(s.hidden);
    const double own = real(s.ownTokens()) * real(s.hidden);
    const double inner = s.expertElements();
    const Node routed =
        gemm(m_pass, "router", "Router", {s.ownTokens(), s.experts, s.hidden}, 1, "T/N x E x H", {normed});
    m_kept.sent = collective(m_pass, "dispatch", "Tokens to their experts", SubLayer::allToAll,
                             s.element * sentElements, "k T/N x H on each GPU", kExpertSource, {normed, routed});
    m_kept.firstFeed =
        gemm(m_pass, "fc-1", "First feed-forward of the experts", {s.expertTokens(), s.firstFeed, s.hidden},
             s.ownExperts(), s.gated ? "E/N times k T/E x 2F x H" : "E/N times k T/E x F x H", {m_kept.sent});
    m_kept.activated = elementWise(
        m_pass, "activation", "Activation", s.element * (s.gated ? 3 : 2) * inner, s.element * inner, 8 * inner,
        s.gated ? "two k T/N x F read, one written" : "k T/N x F read and written", {m_kept.firstFeed});
    const Node back = sending(m_pass, "fc-2", "Second feed-forward of the experts", SubLayer::fc2,
                              "E/N times k T/E x H x F", m_kept.activated);
    const Node sum = elementWise(m_pass, "expert-sum", "Weighted sum of the experts", s.element * (sentElements + own),
                                 s.element * own, 2 * sentElements, "k T/N x H read, T/N x H written", {back, routed});
    if (s.sliced)
        return sum;
    return collective(m_pass, "expert-sum/all-gather", "Tokens to all GPUs", SubLayer::allGather,
                      s.element * own * real(s.gpus), "T x H", kDealtSource, {sum});
}

void Transformer::forwardEnd(Node layers) {
    const TransformerSizes& s = m_sizes;
    if (m_phase != ModelPhase::training) {
        forwardEndOfInference(layers);
        return;
    }
    const double moved = s.element * real(s.rows()) * real(s.hidden);
    const Node normed = elementWise(forward, "final-norm", "Final norm", 2 * moved, moved, 5 * moved / s.element,
                                    s.sliced ? "T/N x H read and written" : "T x H read and written", {layers});
    m_kept.finalShare = normed;
    m_kept.finalNorm = gathered(forward, "lm-head", normed);
    m_kept.logits = consuming(forward, "lm-head", "Language-model head", headWorkload(SubLayer::fc1), "T x V/N x H",
                              {m_kept.finalNorm});
}

void Transformer::forwardEndOfInference(Node layers) {
    const TransformerSizes& s = m_sizes;
    const double moved = s.element * real(s.batch) * real(s.hidden);
    if (s.sliced)
        layers = collective(forward, "final-norm/all-gather", "Last tokens to all GPUs", SubLayer::allGather, moved,
                            "B x H: the last token of each sequence", kShareSource, {layers});
    const Node normed = elementWise(forward, "final-norm", "Final norm", 2 * moved, moved, 5 * moved / s.element,
                                    "B x H read and written: the last token of each sequence", {layers});
    const Node logits = gemm(forward, "lm-head", "Language-model head", {s.batch, s.vocabulary / s.gpus, s.hidden}, 1,
                             "B x V/N x H: the last token of each sequence", {normed});
    collective(forward, "lm-head/all-gather", "Logits to all GPUs", SubLayer::allGather,
               s.element * real(s.batch) * real(s.vocabulary), "B x V", kSlicedSource, {logits});
}

/// Returns the engine's workload for the head: the feed-forward matrices with the vocabulary as their width.
WorkloadConfig Transformer::headWorkload(SubLayer sublayer) const {
    WorkloadConfig head = workloadOf(sublayer);
    head.feedForward = m_sizes.vocabulary;
    head.mlp = Mlp::plain;
    return head;
}

}  // namespace engine
