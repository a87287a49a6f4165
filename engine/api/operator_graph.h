#pragma once

#include "engine/api/experiment.h"
#include "engine/api/gemm.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// The phase of a whole model: a training step; a prompt (prefill), which processes sequence x batch tokens at once; or
/// generation (decode) of one token for each of batch sequences, whose keys and values are cached.
enum class ModelPhase { training, prompt, generation };

/// `feedingGemm`: a GEMM whose output goes straight into a collective, or whose input comes straight from one, as in
/// the sub-layers that the engine simulates.
enum class OperatorKind { feedingGemm, gemm, attention, elementWise, collective };
/// `recompute`: operators of the forward pass that are repeated because their results were not kept for the backward
/// pass.
enum class OperatorPass { forward, recompute, backward, optimizer };

/// The class of an operator, for shares of time by class. It is set where the operator is made and never derived from
/// its name. `batchedGemm`: the products of attention, also of fused attention. `attentionElementWise`: softmax and its
/// dropout.
enum class OperatorClass { gemm, batchedGemm, attentionElementWise, elementWise, optimizer, collective };
/// All classes, in the order of the enumeration, which is the order in which they are shown.
inline constexpr std::array kOperatorClasses{
    OperatorClass::gemm,        OperatorClass::batchedGemm, OperatorClass::attentionElementWise,
    OperatorClass::elementWise, OperatorClass::optimizer,   OperatorClass::collective};

/// One operator as one GPU of the tensor-parallel group executes it. Sizes, flops and bytes are of one occurrence.
struct Operator {
    std::string id;     ///< stable: "forward/fc-2", "backward/ip/weights"; a collective's: "forward/fc-2/all-reduce"
    std::string title;  ///< "Second feed-forward"
    OperatorKind kind{};
    OperatorClass operatorClass{};
    OperatorPass pass{};
    bool inLayer = true;             ///< true: part of a layer; false: before the first layer or after the last
    std::int64_t count = 1;          ///< occurrences in the whole model
    std::optional<GemmSize> gemm{};  ///< set for both kinds of GEMM
    std::int64_t gemms = 1;          ///< GEMMs of that size, one after the other: the experts of one GPU
    /// Separate attention: the batched GEMMs that compute a product, one after the other; the engine simulates them.
    std::vector<GemmSize> products{};
    double flops = 0;  ///< flops of all its GEMMs together
    Bytes bytes{};     ///< attention, element-wise: DRAM traffic; collective: the whole buffer; GEMM: 0
    /// Bytes that it writes on this GPU and others read; a collective: bytes that the GPU has afterwards.
    Bytes output{};
    /// Bytes of a dropout's mask, one for each element. In the forward pass the mask is kept for the backward pass and
    /// has no edge of its own. In a recompute pass it is the mask of the one layer that is repeated.
    Bytes mask{};
    std::int64_t weights = 0;  ///< elements, on this GPU, of the matrix by which it multiplies; forward pass only
    std::string division{};    ///< of a network: "samples", "columns" or "rows" over the tensor group; otherwise empty
    /// The workload that the engine simulates for this operator in place of the experiment's own, with `operation` as
    /// its collective.operation: a feeding GEMM together with its collective, or a collective apart from any GEMM. For
    /// a sub-layer of the layer, `workload` carries that sub-layer's name.
    std::optional<WorkloadConfig> workload{};
    CollectiveOperation operation = CollectiveOperation::allReduce;
    std::optional<std::uint32_t> feeder{};  ///< collective: index of the GEMM in whose run it is simulated
    std::string formula;                    ///< formula of its cost, with the symbols of OperatorGraph::symbols
    std::string source;                     ///< where the formula comes from
    bool operator==(const Operator&) const = default;
};

/// Returns whether an operator outside the layers belongs to the embedding, before the first layer; the others follow the
/// last layer.
bool isOfEmbedding(const Operator& op);

/// Operator `to` reads the output of operator `from`.
struct OperatorDependency {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    /// The forward pass keeps the output of `from` for the backward pass or for recomputation. Several edges may leave
    /// one operator: its output is kept once.
    bool saved = false;
    auto operator<=>(const OperatorDependency&) const = default;
};

/// A symbol of the formulas with its value and meaning: "T", 8192, "tokens".
struct OperatorSymbol {
    std::string symbol;
    std::int64_t value = 0;
    std::string meaning;
};

/// The weights of one operator of a network, whose gradients GPUs sum after the backward pass.
struct NetworkWeights {
    std::string id;            ///< of the operator
    std::int64_t weights = 0;  ///< elements on this GPU
    std::int64_t whole = 0;    ///< elements over the tensor-parallel group, each once
    std::int64_t gpus = 1;     ///< that sum their gradients: D with divided columns, otherwise N x D
    bool operator==(const NetworkWeights&) const = default;
};

/// What an operator that is divided by rows exchanges with each of its neighbours in a pass through the network.
struct NetworkHalo {
    std::string id;
    Bytes bytes;                  ///< to one neighbour
    std::int64_t neighbours = 0;  ///< of a GPU in the middle: 0, 1 or 2
    bool operator==(const NetworkHalo&) const = default;
};

/// What a network sends besides the collectives between its operators.
struct NetworkMessages {
    std::vector<NetworkWeights> weights;  ///< of each operator with weights, in the order of the text
    std::vector<NetworkHalo> halos;       ///< of each operator that has some
    bool operator==(const NetworkMessages&) const = default;
};

/// The operators of one Transformer layer under tensor parallelism as in Megatron-LM, and the operators before and
/// after the layers. With collective.operation=all-reduce every GPU has all tokens between the sub-layers. With
/// reduce-scatter each GPU has its share of the tokens, also for norms and residuals, and an all-gather feeds the next
/// GEMM (sequence parallelism). The graph is directed and acyclic; it contains the layer once, with its count.
/// Operators are in an order in which they can be executed, so that an edge always leads to a higher index. The graph of
/// a network (workload.network) has all its operators in one layer.
struct OperatorGraph {
    ModelPhase phase{};
    std::int64_t gpus = 1;
    std::int64_t layers = 1;
    std::vector<Operator> operators;
    std::vector<OperatorDependency> edges;  ///< sorted
    std::vector<OperatorSymbol> symbols;
    Notices notices;  ///< heads that the tensor-parallel degree does not divide, and other assumptions
    std::optional<NetworkMessages> network{};  ///< set if the model is a network
    /// By operator: the length of the longest path from the beginning to it, for drawing in columns.
    std::vector<std::uint32_t> depth;

    /// Returns the flops of one GPU's GEMMs and attention, each operator's times its count, without recomputation.
    double flopsOfModel() const;
    /// Returns the same with recomputation.
    double flopsWithRecompute() const;
    std::int64_t weightsOfModel() const;
    const Operator* find(std::string_view id) const;
};

/// Returns the graph of an experiment's model (workload.*) under parallel.tp, with operators.* and training.optimizer.
/// With one GPU there are no collectives. The sub-layer, the bytes of a collective alone and the policy are not read.
/// Precondition: `operatorGraphProblems` is empty.
OperatorGraph operatorGraphOf(const Experiment& experiment, ModelPhase phase);

/// Returns every reason why the model cannot be divided over the GPUs. A problem with a degree that does not divide a
/// sub-layer's K or the experts names the sub-layer and degrees that would. Precondition: each value has passed the
/// checks of the parameter table.
Problems operatorGraphProblems(const Experiment& experiment, ModelPhase phase);

/// The rates that one GPU sustains: the roof of a roofline plot (Williams et al., Communications of the ACM 52(4),
/// 2009).
struct Roofline {
    double flopsPerSecond = 0;  ///< peak at operators.element_bits x cu.tensor_efficiency
    double bytesPerSecond = 0;  ///< memory.bandwidth x memory.efficiency

    /// Returns the arithmetic intensity, in flops per byte, above which an operator is compute-bound.
    double ridge() const { return flopsPerSecond / bytesPerSecond; }
    /// Returns the highest rate at `intensity` flops per byte, in flops per second.
    double at(double intensity) const { return std::min(flopsPerSecond, intensity * bytesPerSecond); }
};
Roofline rooflineOf(const Experiment& machine);

/// Returns the time of an attention or element-wise operator under the roofline: max(bytes / bytes per second, flops /
/// flops per second), rounded up to a picosecond.
Duration rooflineTime(const Experiment& machine, double flops, Bytes bytes);

std::string_view name(ModelPhase phase);              ///< "training", as on the command line
std::string_view name(OperatorKind kind);             ///< "feeding-gemm", as in documents
std::string_view name(OperatorClass operatorClass);   ///< "batched-gemm", as in documents
std::string_view title(OperatorClass operatorClass);  ///< "Batched GEMM", for people
std::string_view name(OperatorPass pass);             ///< "forward"
std::string_view title(OperatorKind kind);            ///< "GEMM that feeds a collective", for people
std::optional<ModelPhase> modelPhaseNamed(std::string_view name);

}  // namespace engine
