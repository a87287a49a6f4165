#pragma once

#include "engine/api/operator_graph.h"
#include "engine/api/units.h"
#include "engine/workload/gemm_shape.h"

#include <boost/graph/adjacency_list.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Collects operators and the edges between them. It contains no knowledge of Transformers. Promise: the graph has no
/// cycles, because an operator can only read operators that were added before it.
class OperatorGraphBuilder {
public:
    using Node = std::uint32_t;

    /// Adds an operator that reads the outputs of `reads` and `saved`. Those in `saved` were kept since the forward
    /// pass, unless the operator is recomputed. Outputs of the forward pass that recomputation reads are saved too.
    Node add(Operator op, const std::vector<Node>& reads, const std::vector<Node>& saved = {});

    Operator& at(Node node) { return m_graph[node]; }
    Node size() const { return static_cast<Node>(boost::num_vertices(m_graph)); }

    /// Fills the operators, edges and depths of `graph`.
    void finish(OperatorGraph& graph) const;

private:
    struct Edge {
        bool saved = false;
    };
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Operator, Edge>;

    std::vector<std::uint32_t> depths() const;

    Graph m_graph;
};

inline constexpr const char* kSlicedSource =
    "Megatron-LM (arXiv 1909.08053), section 3: columns of the first matrix of a pair are divided over the GPUs, so "
    "that no communication is needed";
inline constexpr const char* kGradientSource =
    "Narayanan et al. (arXiv 2104.04473), appendix: the gradients of a GEMM's input and of its weights are a GEMM of as "
    "many flops each";
inline constexpr const char* kFeedingSource =
    "T3 (arXiv 2401.16677), section 2, and Megatron-LM (arXiv 1909.08053), section 3: each GPU has a part of K, so that "
    "its output is a partial sum";
inline constexpr const char* kMovedSource = "assumed: one kernel moves each tensor through DRAM once";
inline constexpr const char* kReducedSource =
    "Megatron-LM (arXiv 1909.08053), section 3: the partial sums are all-reduced";
inline constexpr const char* kShareSource =
    "Korthikanti et al. (arXiv 2205.05198), section 4.2: sequence parallelism; assumed: what was gathered in the forward "
    "pass is kept for the backward pass";
inline constexpr const char* kRegatheredSource =
    "Korthikanti et al. (arXiv 2205.05198), section 4.2.2: each GPU keeps its share, which is gathered once more for the "
    "gradient of the weights; assumed: with no work beside it";
inline constexpr const char* kExpertSource =
    "Switch Transformers (arXiv 2101.03961), section 2: whole experts are distributed over the GPUs; assumed: all are "
    "chosen equally often";
inline constexpr const char* kDealtSource =
    "DeepSpeed-TED (arXiv 2303.06318), duplicate token dropping: tokens are divided before the experts and gathered "
    "after them";

inline constexpr const char* kUnfusedSource =
    "Korthikanti et al. (arXiv 2205.05198), section 4.1: scores, softmax and value of all pairs of tokens; assumed: one "
    "kernel each, which moves each tensor through DRAM once";
inline constexpr const char* kDropoutSource =
    "Korthikanti et al. (arXiv 2205.05198), section 4.1: a mask of one byte per element is kept; assumed: one kernel "
    "moves each tensor through DRAM once";

inline constexpr const char kSoftmaxDropout[] = "softmax-dropout";

inline double real(std::int64_t value) { return static_cast<double>(value); }

/// Returns whether matrix units do the work of an operator: a GEMM, or attention.
inline bool runsOnMatrixUnits(const Operator& op) { return op.gemm || op.kind == OperatorKind::attention; }

/// Returns a number of bytes, limited to 9e18. Models that are too large to run may exceed 63 bits; a run refuses them
/// because of their time.
inline Bytes clamped(double bytes) { return {static_cast<std::int64_t>(std::min(bytes, 9e18))}; }

/// The sides of a model's matrices before and after they are divided over the GPUs.
struct TransformerSizes {
    std::int64_t gpus, layers;
    double element;                       ///< bytes
    std::int64_t batch, sequence;         ///< sequence: in generation, the tokens whose keys and values are cached
    std::int64_t tokens;                  ///< tokens computed at once: batch x sequence; in generation batch
    std::int64_t hidden, queries, keys;   ///< widths; that of values is `keys`
    std::int64_t feedForward, firstFeed;  ///< firstFeed: output width of fc-1, twice feedForward with a gate
    std::int64_t vocabulary;              ///< rows, a multiple of the GPUs x operators.embedding_rows
    std::int64_t experts, chosen;         ///< experts 1: dense
    bool gated;
    std::int64_t heads;  ///< heads of the queries
    bool sliced;  ///< sequence parallelism on several GPUs: between the sub-layers each GPU has its share of the tokens
    bool cached;  ///< one token of each sequence is computed, after the cached tokens

    TransformerSizes(const Experiment& experiment, ModelPhase phase);

    bool dense() const { return experts == 1; }
    std::int64_t expertTokens() const;  ///< tokens of one expert if all experts are chosen equally often
    std::int64_t rows() const { return sliced ? ownTokens() : tokens; }  ///< tokens of one GPU between the sub-layers
    std::int64_t ownTokens() const;     ///< tokens of one GPU where tokens are divided, around the experts
    std::int64_t chosenTokens() const;  ///< tokens that a GPU sends to experts: own tokens x chosen
    std::int64_t ownExperts() const { return experts / gpus; }
    double expertElements() const;  ///< elements between the matrices of one GPU's experts, without the gate
    double attendedPairs() const;   ///< pairs of a query and a key, in one head
    double scoredPairs() const;     ///< the same if scores are computed before the causal mask is applied
    double scoreElements() const;   ///< scores of the heads of one GPU
    std::int64_t ownHeads() const;  ///< heads of the GPU that has most
    std::int64_t headSize() const;
    std::int64_t scoredRows() const { return cached ? 1 : sequence; }  ///< queries of one sequence
};

/// Builds the operators of a phase: forward, then backward, then the optimizer. Each operator reads operators before
/// it. A weight gradient comes after the input gradient of the same matrix and its collective, so that it can run beside
/// that collective (second-hand, Megatron-LM). Left out: biases and gains of norms, position embeddings, the launch of kernels.
class Transformer {
public:
    Transformer(const Experiment& experiment, ModelPhase phase);

    void build(OperatorGraph& graph);

private:
    using enum OperatorPass;
    using Node = OperatorGraphBuilder::Node;

    /// The operators of the forward pass that the backward pass reads.
    struct Kept {
        Node layerInput{}, firstNorm{}, projected{}, attended{}, middle{}, secondNorm{}, firstFeed{}, activated{};
        Node sent{}, layerOutput{}, finalNorm{}, logits{};
        Node softmax{}, probabilities{};                 // of separate attention; probabilities: after dropout
        Node firstShare{}, secondShare{}, finalShare{};  // of norms: each GPU's tokens, before they are gathered
    };

    Node forwardAttention(Node input);
    Node attend();
    Node separateAttention();
    Node fusedAttention();
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
    std::vector<Node> backwardAttend(Node gradient);
    std::vector<Node> backwardSeparateAttention(Node gradient);
    Operator attentionBackward() const;
    void recomputeLayer();
    bool dropsOut() const;
    bool isRepeated(std::string_view dropout) const;
    Node dropout(const char* id, const char* title, double elements, const char* formula, Node read);
    Node dropoutGradient(const char* id, const char* title, double elements, const char* formula, Node gradient);
    /// Adds the same for the rows that are a GPU's own.
    Node rowDropoutGradient(const char* id, const char* title, Node gradient);
    /// Returns the output that `gathered` made of `share`: as it was kept, or gathered again.
    Node regathered(const char* id, Node gathered, Node share);
    const char* normGradient() const;
    void addOptimizer();
    void addOptimizer(const char* id, const char* what, std::int64_t weights, const char* ofWeights,
                      std::vector<Node> reads);

    Operator base(OperatorPass pass, const char* id, const char* title) const;
    /// Adds `gemms` GEMMs of one size, one after the other.
    Node gemm(OperatorPass pass, const char* id, const char* title, const GemmSize& size, std::int64_t gemms,
              const char* formula, const std::vector<Node>& reads, const std::vector<Node>& saved = {});
    void weightGradient(const char* id, const char* title, const GemmSize& size, std::int64_t gemms,
                        const char* formula, const std::vector<Node>& gradients, Node kept);
    /// Adds a GEMM with the all-reduce or reduce-scatter of its output, and returns the collective. On one GPU adds and
    /// returns the GEMM alone.
    Node feeding(OperatorPass pass, const char* id, const char* title, const WorkloadConfig& workload,
                 const char* formula, const std::vector<Node>& reads);
    Node feeding(OperatorPass pass, const char* id, const char* title, SubLayer sublayer, const char* formula,
                 const std::vector<Node>& reads);
    /// Adds the GEMMs of a GPU's experts, each with the all-to-all of its output, and returns the collective.
    Node sending(OperatorPass pass, const char* id, const char* title, SubLayer sublayer, const char* formula,
                 Node read);
    /// Returns all tokens of `shared` for the GEMM that is added next; adds an all-gather if each GPU has its share of
    /// them.
    Node gathered(OperatorPass pass, const char* id, Node shared);
    /// Adds a GEMM that reads the operator that `gathered` returned.
    Node consuming(OperatorPass pass, const char* id, const char* title, const WorkloadConfig& workload,
                   const char* formula, const std::vector<Node>& reads);
    WorkloadConfig workloadOf(SubLayer sublayer) const;
    WorkloadConfig headWorkload(SubLayer sublayer) const;
    Node fed(Operator op, const char* formula, const std::vector<Node>& reads, Operator collective);
    /// Adds an element-wise operator that moves `bytes` through DRAM, of which `written` are its output.
    Node elementWise(OperatorPass pass, const char* id, const char* title, double bytes, double written, double flops,
                     const char* formula, const std::vector<Node>& reads, const std::vector<Node>& saved = {});
    /// Adds a product of attention, or its gradient, which the batched GEMMs `products` compute.
    Node attentionPart(OperatorPass pass, const char* id, const char* title, double bytes, double written, double flops,
                       std::vector<GemmSize> products, const char* formula, const std::vector<Node>& reads,
                       const std::vector<Node>& saved = {});
    /// Returns the GEMMs rows x columns x `k` of all heads of one GPU: one batch, or equal batches if one is too large.
    std::vector<GemmSize> ofHeads(std::int64_t rows, std::int64_t columns, std::int64_t k) const;
    /// Marks an element-wise operator as one of attention, which works on the scores.
    Node ofScores(Node node);
    /// Adds a collective and returns it. On one GPU adds nothing and returns the first of `reads`.
    Node collective(OperatorPass pass, const char* id, const char* title, SubLayer which, double bytes,
                    const char* formula, const char* source, const std::vector<Node>& reads);
    void addWeights(Operator& op);
    Bytes gemmOutput(const Operator& op) const;

    Experiment m_experiment;
    ModelPhase m_phase;
    TransformerSizes m_sizes;
    OperatorGraphBuilder m_builder;
    Kept m_kept;
    std::vector<Node> m_gradients;  // gradients of weights
    std::int64_t m_layerWeights = 0;
    OperatorPass m_pass = OperatorPass::forward;  // of the layer's operators: forward, or recompute
    bool m_inLayer = false;
};

}  // namespace engine
