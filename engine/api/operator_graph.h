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

/// What a whole model does: a training step; a prompt, sequence x batch tokens at once; or the generation of one token
/// for each of batch sequences whose keys and values are cached.
enum class ModelPhase { training, prompt, generation };

/// `feedingGemm`: a GEMM whose output goes straight into a collective, or whose input comes straight out of one, as in the
/// sub-layers that the engine simulates.
enum class OperatorKind { feedingGemm, gemm, attention, elementWise, collective };
/// `recompute`: what the forward pass did, once more, because its results were not kept for the backward pass.
enum class OperatorPass { forward, recompute, backward, optimizer };

/// What an operator's time is spent on, for shares by class. Set where the operator is made, never derived from its
/// name. `batchedGemm`: the products of attention, fused attention among them. `attentionElementWise`: softmax and its
/// dropout.
enum class OperatorClass { gemm, batchedGemm, attentionElementWise, elementWise, optimizer, collective };
/// In the order of the enumeration, in which they are shown.
inline constexpr std::array kOperatorClasses{
    OperatorClass::gemm,        OperatorClass::batchedGemm, OperatorClass::attentionElementWise,
    OperatorClass::elementWise, OperatorClass::optimizer,   OperatorClass::collective};

/// One operator as one GPU of the tensor-parallel group does it. Sizes, flops and bytes are of one occurrence.
struct Operator {
    std::string id;     ///< stable: "forward/fc-2", "backward/ip/weights"; a collective's: "forward/fc-2/all-reduce"
    std::string title;  ///< "Second feed-forward"
    OperatorKind kind{};
    OperatorClass operatorClass{};
    OperatorPass pass{};
    bool inLayer = true;             ///< else before the first layer or after the last
    std::int64_t count = 1;          ///< occurrences in the whole model
    std::optional<GemmSize> gemm{};  ///< of both kinds of GEMM
    std::int64_t gemms = 1;          ///< of that size, one after the other: the experts of one GPU
    double flops = 0;                ///< of all of them
    Bytes bytes{};                   ///< attention, element-wise: through DRAM; collective: the whole buffer; GEMM: 0
    Bytes output{};  ///< what it writes and others read, on this GPU; a collective: what the GPU then has
    /// Of a dropout, one byte an element. In the forward pass: kept for the backward pass, without an edge of its own. In
    /// recompute: of the one layer that is repeated.
    Bytes mask{};
    std::int64_t weights = 0;  ///< elements of the matrix it multiplies by that this GPU holds; forward only
    /// What the engine simulates for it in place of the experiment's own workload, with `operation` for its
    /// collective.operation: a feeding GEMM together with its collective, or a collective apart from any GEMM. Sub-layers of
    /// the layer carry their own name in it.
    std::optional<WorkloadConfig> workload{};
    CollectiveOperation operation = CollectiveOperation::allReduce;
    std::optional<std::uint32_t> feeder{};  ///< collective: the GEMM in whose run it is simulated
    std::string formula;                    ///< with the symbols of OperatorGraph::symbols
    std::string source;                     ///< where the formula comes from
    bool operator==(const Operator&) const = default;
};

/// `to` reads what `from` makes.
struct OperatorDependency {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    /// The forward pass keeps the output of `from` for the backward pass or for what that repeats. Several edges may leave
    /// one operator: its output is kept once.
    bool saved = false;
    auto operator<=>(const OperatorDependency&) const = default;
};

/// A letter of the formulas: "T" = 8192, "tokens".
struct OperatorSymbol {
    std::string symbol;
    std::int64_t value = 0;
    std::string meaning;
};

/// One layer of a Transformer under tensor parallelism as in Megatron-LM, and what stands before and after the layers.
/// With collective.operation=all-reduce every GPU has all tokens between the sub-layers; with reduce-scatter each has its
/// share of them, norms and residuals included, and an all-gather feeds the next GEMM (sequence parallelism).
/// A directed graph without cycles: the layer stands once, with its count. Operators come in an order in which they can
/// be done, so that an edge always goes to a higher index.
struct OperatorGraph {
    ModelPhase phase{};
    std::int64_t gpus = 1;
    std::int64_t layers = 1;
    std::vector<Operator> operators;
    std::vector<OperatorDependency> edges;  ///< sorted
    std::vector<OperatorSymbol> symbols;
    Notices notices;  ///< heads that the degree does not divide, and what else is assumed
    /// By operator: steps from the beginning on the longest way, for drawing in columns.
    std::vector<std::uint32_t> depth;

    /// Of one GPU's GEMMs and attention, each operator's times its count; without what is recomputed.
    double flopsOfModel() const;
    /// The same with what is recomputed.
    double flopsWithRecompute() const;
    std::int64_t weightsOfModel() const;
    const Operator* find(std::string_view id) const;
};

/// The graph of an experiment's model (workload.*) under parallel.tp, with operators.* and training.optimizer. On one GPU
/// there are no collectives. The sub-layer, the bytes of a collective alone and
/// the policy are not read. Precondition: `operatorGraphProblems` is empty.
OperatorGraph operatorGraphOf(const Experiment& experiment, ModelPhase phase);

/// Everything that keeps the model from being cut over the GPUs: a degree that does not divide a sub-layer's K or the
/// experts, names the sub-layer and what would. The table's own checks have passed.
Problems operatorGraphProblems(const Experiment& experiment, ModelPhase phase);

/// What one GPU sustains: the roof of a roofline plot (Williams et al., Communications of the ACM 52(4), 2009).
struct Roofline {
    double flopsPerSecond = 0;  ///< peak at operators.element_bits x cu.tensor_efficiency
    double bytesPerSecond = 0;  ///< memory.bandwidth x memory.efficiency

    /// Returns the flops per byte from which on an operator is bound by computing.
    double ridge() const { return flopsPerSecond / bytesPerSecond; }
    /// Returns the highest rate at so many flops per byte, in flops per second.
    double at(double intensity) const { return std::min(flopsPerSecond, intensity * bytesPerSecond); }
};
Roofline rooflineOf(const Experiment& machine);

/// What attention and element-wise operators take on the roof: max(bytes / bytes per second, flops / flops per second),
/// rounded up to a picosecond.
Duration rooflineTime(const Experiment& machine, double flops, Bytes bytes);

std::string_view name(ModelPhase phase);              ///< "training", as on the command line
std::string_view name(OperatorKind kind);             ///< "feeding-gemm", as in documents
std::string_view name(OperatorClass operatorClass);   ///< "batched-gemm", as in documents
std::string_view title(OperatorClass operatorClass);  ///< "Batched GEMM", for people
std::string_view name(OperatorPass pass);             ///< "forward"
std::string_view title(OperatorKind kind);            ///< "GEMM that feeds a collective", for people
std::optional<ModelPhase> modelPhaseNamed(std::string_view name);

}  // namespace engine
