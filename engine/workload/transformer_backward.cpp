#include "engine/workload/transformer.h"

#include <utility>

namespace engine {

Transformer::Node Transformer::backwardEnd() {
    const TransformerSizes& s = m_sizes;
    const double logits = real(s.tokens) * real(s.vocabulary) / real(s.gpus);
    const Node loss = elementWise(backward, "loss", "Loss and its gradient", s.element * 3 * logits, s.element * logits,
                                  5 * logits, "T x V/N read twice and written once", {m_kept.logits});
    const Node reduced = feeding(backward, "lm-head", "Input gradient of the language-model head",
                                 headWorkload(SubLayer::fc2), "T x H x V/N", {loss});
    weightGradient("lm-head/weights", "Weight gradient of the language-model head",
                   {s.vocabulary / s.gpus, s.hidden, s.tokens}, 1, "V/N x H x T", {loss},
                   regathered("lm-head", m_kept.finalNorm, m_kept.finalShare));
    const double elements = real(s.rows()) * real(s.hidden);
    return elementWise(backward, "final-norm", "Gradient of the final norm", s.element * 3 * elements,
                       s.element * elements, 10 * elements,
                       s.sliced ? "two T/N x H read, one written" : "two T x H read, one written", {reduced},
                       {m_kept.layerOutput});
}

Transformer::Node Transformer::backwardFeedForward(Node gradient) {
    const TransformerSizes& s = m_sizes;
    const double elements = real(s.rows()) * real(s.hidden);
    Node made = gradient;
    if (dropsOut())
        made = rowDropoutGradient("dropout-2", "Gradient of the dropout after the feed-forward part", gradient);
    std::vector<Node> reads = s.dense() ? backwardDense(made) : backwardExperts(made);
    reads.push_back(gradient);
    return elementWise(backward, "norm-2", "Gradient of the norm before the feed-forward part",
                       s.element * 4 * elements, s.element * elements, 11 * elements, normGradient(), reads,
                       {m_kept.middle});
}

const char* Transformer::normGradient() const {
    return m_sizes.sliced ? "three T/N x H read (its own, its input, the residual's), one written"
                          : "three T x H read (its own, its input, the residual's), one written";
}

std::vector<Transformer::Node> Transformer::backwardDense(Node gradient) {
    const TransformerSizes& s = m_sizes;
    const double inner = real(s.tokens) * real(s.feedForward) / real(s.gpus);
    gradient = gathered(backward, "fc-2", gradient);
    const Node second = consuming(backward, "fc-2", "Input gradient of the second feed-forward",
                                  workloadOf(SubLayer::fc2), "T x F/N x H", {gradient});
    weightGradient("fc-2/weights", "Weight gradient of the second feed-forward",
                   {s.feedForward / s.gpus, s.hidden, s.tokens}, 1, "F/N x H x T", {gradient}, m_kept.activated);
    const Node activation = elementWise(
        backward, "activation", "Gradient of the activation", s.element * (s.gated ? 5 : 3) * inner,
        s.element * (s.gated ? 2 : 1) * inner, 10 * inner,
        s.gated ? "three T x F/N read, two written" : "two T x F/N read, one written", {second}, {m_kept.firstFeed});
    const Node reduced = feeding(backward, "fc-1", "Input gradient of the first feed-forward", SubLayer::fc1,
                                 s.gated ? "T x H x 2F/N" : "T x H x F/N", {activation});
    weightGradient("fc-1/weights", "Weight gradient of the first feed-forward",
                   {s.hidden, s.firstFeed / s.gpus, s.tokens}, 1, s.gated ? "H x 2F/N x T" : "H x F/N x T",
                   {activation}, regathered("fc-1", m_kept.secondNorm, m_kept.secondShare));
    return {reduced};
}

std::vector<Transformer::Node> Transformer::backwardExperts(Node gradient) {
    const TransformerSizes& s = m_sizes;
    const double sentElements = real(s.chosenTokens()) * real(s.hidden);
    const double own = real(s.ownTokens()) * real(s.hidden);
    const double inner = s.expertElements();
    const Node sum = elementWise(backward, "expert-sum", "Gradient of the weighted sum",
                                 s.element * (2 * sentElements + own), s.element * sentElements, 4 * sentElements,
                                 "T/N x H and k T/N x H read, k T/N x H written", {gradient});
    const Node sent = collective(backward, "expert-sum/all-to-all", "Gradients to the experts", SubLayer::allToAll,
                                 s.element * sentElements, "k T/N x H on each GPU", kExpertSource, {sum});
    const Node second =
        gemm(backward, "fc-2", "Input gradient of the experts' second feed-forward",
             {s.expertTokens(), s.feedForward, s.hidden}, s.ownExperts(), "E/N times k T/E x F x H", {sent});
    weightGradient("fc-2/weights", "Weight gradient of the experts' second feed-forward",
                   {s.feedForward, s.hidden, s.expertTokens()}, s.ownExperts(), "E/N times F x H x k T/E", {sent},
                   m_kept.activated);
    const Node activation =
        elementWise(backward, "activation", "Gradient of the activation", s.element * (s.gated ? 5 : 3) * inner,
                    s.element * (s.gated ? 2 : 1) * inner, 10 * inner,
                    s.gated ? "three k T/N x F read, two written" : "two k T/N x F read, one written", {second},
                    {m_kept.firstFeed});
    const Node back = sending(backward, "fc-1", "Input gradient of the experts' first feed-forward", SubLayer::fc1,
                              s.gated ? "E/N times k T/E x H x 2F" : "E/N times k T/E x H x F", activation);
    weightGradient("fc-1/weights", "Weight gradient of the experts' first feed-forward",
                   {s.hidden, s.firstFeed, s.expertTokens()}, s.ownExperts(),
                   s.gated ? "E/N times H x 2F x k T/E" : "E/N times H x F x k T/E", {activation}, m_kept.sent);
    return backwardRouter(sum, back);
}

std::vector<Transformer::Node> Transformer::backwardRouter(Node sum, Node back) {
    const TransformerSizes& s = m_sizes;
    const double own = real(s.ownTokens()) * real(s.hidden);
    const Node router = gemm(backward, "router", "Input gradient of the router", {s.ownTokens(), s.hidden, s.experts},
                             1, "T/N x H x E", {sum});
    weightGradient("router/weights", "Weight gradient of the router", {s.hidden, s.experts, s.ownTokens()}, 1,
                   "H x E x T/N", {sum}, m_kept.secondNorm);
    if (s.sliced || s.gpus == 1)
        return {back, router};
    return {collective(backward, "router/all-gather", "Gradients to all GPUs", SubLayer::allGather,
                       s.element * own * real(s.gpus), "T x H", kDealtSource, {back, router})};
}

Transformer::Node Transformer::backwardAttention(Node gradient) {
    const TransformerSizes& s = m_sizes;
    const std::int64_t projected = (s.queries + 2 * s.keys) / s.gpus;
    const double elements = real(s.rows()) * real(s.hidden);
    Node made = gradient;
    if (dropsOut())
        made = rowDropoutGradient("dropout-1", "Gradient of the dropout after attention", gradient);
    const Node whole = gathered(backward, "op", made);
    const Node output = consuming(backward, "op", "Input gradient of the output projection", workloadOf(SubLayer::op),
                                  "T x Q/N x H", {whole});
    weightGradient("op/weights", "Weight gradient of the output projection", {s.queries / s.gpus, s.hidden, s.tokens},
                   1, "Q/N x H x T", {whole}, m_kept.attended);
    const std::vector<Node> ofProjected = backwardAttend(output);
    const Node reduced = feeding(backward, "ip", "Input gradient of the input projection", SubLayer::ip,
                                 "T x H x (Q + 2 KV)/N", ofProjected);
    weightGradient("ip/weights", "Weight gradient of the input projection", {s.hidden, projected, s.tokens}, 1,
                   "H x (Q + 2 KV)/N x T", ofProjected, regathered("ip", m_kept.firstNorm, m_kept.firstShare));
    return elementWise(backward, "norm-1", "Gradient of the norm before attention", s.element * 4 * elements,
                       s.element * elements, 11 * elements, normGradient(), {reduced, gradient}, {m_kept.layerInput});
}

std::vector<Transformer::Node> Transformer::backwardAttend(Node gradient) {
    if (m_experiment.operators.attention == AttentionOperators::fused)
        return {m_builder.add(attentionBackward(), {gradient}, {m_kept.projected, m_kept.attended})};
    if (m_experiment.operators.recompute == Recompute::attention) {
        m_pass = OperatorPass::recompute;
        separateAttention();
        m_pass = OperatorPass::forward;
    }
    return backwardSeparateAttention(gradient);
}

std::vector<Transformer::Node> Transformer::backwardSeparateAttention(Node gradient) {
    const TransformerSizes& s = m_sizes;
    const double scores = s.scoreElements(), product = 2 * s.scoredPairs() * real(s.queries) / real(s.gpus);
    const double queries = real(s.tokens) * real(s.queries) / real(s.gpus);
    const double keys = real(s.tokens) * real(s.keys) / real(s.gpus);
    // The gradients of a product's two factors. Those of the value's factors are as large as the scores and the values.
    const std::vector<GemmSize> ofScoresAgain = ofHeads(s.sequence, s.sequence, s.headSize());
    const std::vector<GemmSize> ofHeadRows = ofHeads(s.sequence, s.headSize(), s.sequence);
    const auto both = [](std::vector<GemmSize> all, const std::vector<GemmSize>& others) {
        all.insert(all.end(), others.begin(), others.end());
        return all;
    };
    const Node value = attentionPart(
        backward, "value", "Gradient of the attention values", s.element * (queries + 2 * keys + 2 * scores),
        s.element * (keys + scores), 2 * product, both(ofScoresAgain, ofHeadRows),
        "4 B S S Q/N flops; the output's gradient, values and a B S S/N read, gradients of both written", {gradient},
        {m_kept.probabilities, m_kept.projected});
    Node ofSoftmax = value;
    if (dropsOut())
        ofSoftmax = ofScores(dropoutGradient(kSoftmaxDropout, "Gradient of the softmax's dropout", scores,
                                             "a B S S/N and the mask read, a B S S/N written", value));
    const Node softmax =
        ofScores(elementWise(backward, "softmax", "Gradient of the softmax", 3 * s.element * scores, s.element * scores,
                             4 * scores, "two a B S S/N read, one written", {ofSoftmax}, {m_kept.softmax}));
    const Node scored = attentionPart(
        backward, "scores", "Gradient of the attention scores", s.element * (2 * queries + 2 * keys + scores),
        s.element * (queries + keys), 2 * product, both(ofHeadRows, ofHeadRows),
        "4 B S S Q/N flops; the scores' gradient, queries and keys read, gradients of both written", {softmax},
        {m_kept.projected});
    return {scored, value};
}

Operator Transformer::attentionBackward() const {
    const TransformerSizes& s = m_sizes;
    Operator attention = base(OperatorPass::backward, "attention", "Gradient of attention");
    attention.kind = OperatorKind::attention;
    attention.operatorClass = OperatorClass::batchedGemm;
    attention.flops = 10 * s.attendedPairs() * real(s.queries) / real(s.gpus);
    attention.bytes = clamped(s.element * 4 * real(s.tokens) * (real(s.queries) + real(s.keys)) / real(s.gpus));
    attention.output = clamped(s.element * real(s.tokens) * (real(s.queries) + 2 * real(s.keys)) / real(s.gpus));
    attention.formula =
        "10 B S (S + 1)/2 Q/N flops: five products, the scores among them once more; queries, keys, values, output and "
        "their gradients, T x (4 Q + 4 KV)/N, move once";
    attention.source = "FlashAttention-2 (arXiv 2307.08691), section 4.1: five products where the forward pass has two";
    return attention;
}

}  // namespace engine
