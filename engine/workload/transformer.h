#pragma once

#include "engine/api/operator_graph.h"
#include "engine/workload/operator_graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine {

/// The sides of a model's matrices before and after they are cut over the GPUs.
struct TransformerSizes {
    std::int64_t gpus, layers;
    std::int64_t batch, sequence;         ///< sequence: in generation the tokens whose keys and values are cached
    std::int64_t tokens;                  ///< computed at once: batch x sequence, in generation batch
    std::int64_t hidden, queries, keys;   ///< keys: as wide as values
    std::int64_t feedForward, firstFeed;  ///< firstFeed: what fc-1 makes, twice the width with a gate
    std::int64_t vocabulary;              ///< a multiple of the GPUs
    std::int64_t experts, chosen;         ///< experts 1: dense
    bool gated;
    bool sliced;  ///< sequence parallelism: between the sub-layers each GPU has its share of the tokens
    bool cached;  ///< one token of each sequence is computed, after those that are cached

    TransformerSizes(const Experiment& experiment, ModelPhase phase);

    bool dense() const { return experts == 1; }
    std::int64_t expertTokens() const;  ///< of one expert when all are chosen equally often
    std::int64_t rows() const { return sliced ? ownTokens() : tokens; }  ///< of one GPU between the sub-layers
    std::int64_t ownTokens() const;     ///< of one GPU where tokens are dealt out, around experts
    std::int64_t chosenTokens() const;  ///< what it sends to experts: own tokens x chosen
    std::int64_t ownExperts() const { return experts / gpus; }
    double expertElements() const;  ///< between the matrices of one GPU's experts, without the gate
    double attendedPairs() const;   ///< of a query and a key, in one head
};

/// Puts the operators of a phase together, forward, then backward, then the optimizer. Each takes what it reads from the
/// operators before it. Left out: biases and gains of norms, dropout, position embeddings, the launch of kernels.
class Transformer {
public:
    Transformer(const Experiment& experiment, ModelPhase phase);

    void build(OperatorGraph& graph);

private:
    using Node = OperatorGraphBuilder::Node;

    /// What the backward pass reads of the forward pass.
    struct Kept {
        Node layerInput{}, firstNorm{}, projected{}, attended{}, middle{}, secondNorm{}, firstFeed{}, activated{};
        Node sent{}, layerOutput{}, finalNorm{}, logits{};
    };

    Node forwardAttention(Node input);
    Operator attentionForward() const;
    Node forwardFeedForward(Node input);
    Node forwardDense(Node normed);
    Node forwardExperts(Node normed);
    void forwardEnd(Node layers);
    void forwardEndOfInference(Node layers);
    Node backwardEnd();
    Node backwardFeedForward(Node gradient);
    std::vector<Node> backwardDense(Node gradient);
    std::vector<Node> backwardExperts(Node gradient);
    std::vector<Node> backwardRouter(Node sum, Node back);
    Node backwardAttention(Node gradient);
    Operator attentionBackward() const;
    const char* normGradient() const;
    void addOptimizer();

    Operator base(OperatorPass pass, const char* id, const char* title) const;
    /// `gemms` of one size, one after the other.
    Node gemm(OperatorPass pass, const char* id, const char* title, const GemmSize& size, std::int64_t gemms,
              const char* formula, const std::vector<Node>& reads, const std::vector<Node>& saved = {});
    void weightGradient(const char* id, const char* title, const GemmSize& size, std::int64_t gemms,
                        const char* formula, Node gradient, Node kept);
    /// A GEMM with the all-reduce of its output, or its reduce-scatter; returns that.
    Node feeding(OperatorPass pass, const char* id, const char* title, const WorkloadConfig& workload,
                 const char* formula, const std::vector<Node>& reads);
    Node feeding(OperatorPass pass, const char* id, const char* title, SubLayer sublayer, const char* formula,
                 const std::vector<Node>& reads);
    /// The GEMMs of a GPU's experts, each with the all-to-all of its output; returns that.
    Node sending(OperatorPass pass, const char* id, const char* title, SubLayer sublayer, const char* formula,
                 Node read);
    /// All tokens of `shared` for the GEMM that is added next: an all-gather where each GPU has its share.
    Node gathered(OperatorPass pass, const char* id, Node shared);
    /// A GEMM that reads what `gathered` returned.
    Node consuming(OperatorPass pass, const char* id, const char* title, const WorkloadConfig& workload,
                   const char* formula, const std::vector<Node>& reads);
    WorkloadConfig workloadOf(SubLayer sublayer) const;
    WorkloadConfig headWorkload(SubLayer sublayer) const;
    Node fed(Operator op, const char* formula, const std::vector<Node>& reads, Operator collective);
    Node elementWise(OperatorPass pass, const char* id, const char* title, double bytes, double flops,
                     const char* formula, const std::vector<Node>& reads, const std::vector<Node>& saved = {});
    Node collective(OperatorPass pass, const char* id, const char* title, SubLayer which, double bytes,
                    const char* formula, const char* source, const std::vector<Node>& reads);
    void addWeights(Operator& op);

    Experiment m_experiment;
    ModelPhase m_phase;
    TransformerSizes m_sizes;
    OperatorGraphBuilder m_builder;
    Kept m_kept;
    std::vector<Node> m_gradients;  // of weights
    std::int64_t m_layerWeights = 0;
    bool m_inLayer = false;
};

}  // namespace engine
