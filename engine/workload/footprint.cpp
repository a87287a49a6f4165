#include "engine/api/footprint.h"

#include "engine/api/pipeline.h"
#include "engine/api/weight_copies.h"
#include "engine/workload/stages.h"
#include "engine/workload/transformer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace engine {
namespace {

/// Rounds up. A size that no GPU could hold is limited, so that the sum of all parts stays within 63 bits.
Bytes heldBytes(double bytes) { return {static_cast<std::int64_t>(std::ceil(std::min(bytes, 1e18)))}; }

constexpr std::int64_t kFp32Bytes = 4;

std::int64_t momentsOf(OptimizerKind optimizer) {
    switch (optimizer) {
    case OptimizerKind::adam:
    case OptimizerKind::lamb: break;
    case OptimizerKind::momentum: return 1;
    case OptimizerKind::sgd: return 0;
    }
    return 2;
}

std::int64_t gradientBytes(const StateAccount& account) {
    return account.accounting == Accounting::zero ? account.elementBytes : kFp32Bytes;
}

std::int64_t optimizerBytes(const StateAccount& account) {
    if (account.states)
        return account.states->count - weightAndGradientBytes(account);
    const std::int64_t copies = account.elementBytes == kFp32Bytes ? 0 : 1;
    return kFp32Bytes * (momentsOf(account.optimizer) + copies);
}

StateAccount accountOf(const Experiment& experiment) {
    return {experiment.training.accounting, experiment.training.optimizer, experiment.division.sharding,
            experiment.division.dp,         elementBytes(experiment),      experiment.training.states};
}

/// The bytes that the forward pass of one micro-batch keeps.
struct KeptBytes {
    double layer = 0;       ///< of one layer
    double first = 0;       ///< of the first stage besides its layers
    double last = 0;        ///< of the last stage besides its layers
    double recomputed = 0;  ///< activations of the one layer that is recomputed

    explicit KeptBytes(const OperatorGraph& graph) {
        for (const Operator& op : graph.operators) {
            if (op.pass == OperatorPass::forward)
                add(op, real(op.mask.count));
        }
        // A tensor that several operators read is kept once.
        std::vector<const Operator*> reader(graph.operators.size(), nullptr);
        std::vector<bool> again(graph.operators.size(), false);
        for (const OperatorDependency& edge : graph.edges) {
            const Operator& to = graph.operators[edge.to];
            if (edge.saved && (reader[edge.from] == nullptr || reader[edge.from]->count < to.count))
                reader[edge.from] = &to;
            again[edge.from] = again[edge.from] || (!edge.saved && to.pass == OperatorPass::backward &&
                                                    graph.operators[edge.from].pass == OperatorPass::recompute);
        }
        for (std::size_t i = 0; i < reader.size(); ++i) {
            const Operator& op = graph.operators[i];
            if (reader[i] != nullptr)
                add(*reader[i], real(op.output.count));
            if (op.pass == OperatorPass::recompute)
                recomputed += real(op.mask.count) + (again[i] ? real(op.output.count) : 0);
        }
    }

private:
    /// Counts a tensor on the stage of the operator that reads it.
    void add(const Operator& op, double bytes) {
        if (op.inLayer)
            layer += bytes;
        else
            (standsIn({0, true, false}, op) ? first : last) += bytes;
    }
};

/// Returns the bytes of keys and values of all tokens of all micro-batches, in one layer. A network caches none.
double cacheOfLayer(const Experiment& experiment, const OperatorGraph& graph) {
    if (graph.network)
        return 0;
    const TransformerSizes sizes(experiment, graph.phase);
    return 2 * sizes.element * real(sizes.keys) / real(sizes.gpus) * real(sizes.sequence) * real(sizes.batch) *
           real(experiment.division.microbatches);
}

class FootprintSum {
public:
    FootprintSum(const Experiment& experiment, DividedWeights weights, const OperatorGraph* graph)
        : m_experiment(experiment), m_weights(std::move(weights)), m_graph(graph),
          m_kept(graph != nullptr ? KeptBytes(*graph) : KeptBytes(OperatorGraph{})),
          m_copyBits(trains() ? bitsOf(readCopies(experiment.training.copies).copies) : 0) {}

    Footprint footprint() {
        Footprint result;
        for (std::size_t i = 0; i < m_weights.stages.size(); ++i) {
            result.stages.push_back(ofStage(static_cast<std::int64_t>(i)));
            if (result.stages[i].bytes.total() > result.stages[result.largest].bytes.total())
                result.largest = i;
        }
        if (const auto memory = m_experiment.node.memory) {
            result.fits = result.bytes().total() <= *memory;
            result.mostWeights = mostWeights(*memory);
        }
        addNotices(result);
        return result;
    }

private:
    bool trains() const { return m_graph == nullptr || m_graph->phase == ModelPhase::training; }

    FootprintBytes statesOf(std::int64_t weights) const {
        if (trains())
            return modelStates(accountOf(m_experiment), weights, m_weights.layer);
        FootprintBytes bytes;
        bytes.weights = heldBytes(real(elementBytes(m_experiment)) * real(weights));
        return bytes;
    }

    /// Returns the bytes of the copies in other formats on a GPU of `layers` layers with these weights.
    Bytes copiesOf(std::int64_t weights, std::int64_t layers) const {
        constexpr std::int64_t kLayersInUse = 2;  // one that is in use, and the next one
        constexpr double kBits = 8;
        if (m_experiment.training.quantise == Quantise::justInTime)
            weights = m_weights.layer * std::min(layers, kLayersInUse);
        const bool divided = m_experiment.division.sharding == Sharding::weights;
        const double parts = kBits * (divided ? real(m_experiment.division.dp) : 1);
        return heldBytes(real(m_copyBits) * real(weights) / parts);
    }

    StageFootprint ofStage(std::int64_t index) const {
        const ModelStage& stage = m_weights.stages[static_cast<std::size_t>(index)];
        StageFootprint result;
        result.layers = stage.layers;
        result.bytes = statesOf(m_weights.of(stage));
        result.bytes.copies = copiesOf(m_weights.of(stage), stage.layers);
        result.layerStates = statesOf(m_weights.layer * stage.layers).states();
        if (m_graph == nullptr)
            return result;
        if (trains())
            addActivations(stage, index, result);
        else
            result.bytes.cache = heldBytes(cacheOfLayer(m_experiment, *m_graph) * real(stage.layers));
        return result;
    }

    void addActivations(const ModelStage& stage, std::int64_t index, StageFootprint& result) const {
        const PipelineShape shape = shapeOf(m_experiment.division);
        const std::int64_t parts = partsOf(shape, index);
        const double ofLayers = m_kept.layer * real(stage.layers) / real(parts);
        std::vector<double> chunks(static_cast<std::size_t>(parts), ofLayers);
        chunks.front() += stage.first ? m_kept.first : 0;
        chunks.back() += stage.last ? m_kept.last : 0;
        const PipelineHeld held = playPipeline(shape, index, chunks);
        result.inFlight = real(held.chunks) / real(parts);
        result.bytes.activations = heldBytes(held.bytes);
        for (const double chunk : chunks)
            result.chunkActivations.push_back(heldBytes(chunk));
        result.layerActivations = heldBytes(ofLayers * real(held.chunks));
        if (m_experiment.operators.recompute == Recompute::layer)
            result.bytes.buffers += heldBytes(m_kept.recomputed);
    }

    /// Returns the most weights that fit. States and copies grow with the weights, so bisection finds this number.
    std::int64_t mostWeights(Bytes memory) const {
        const auto fit = [&](std::int64_t weights) {
            const FootprintBytes bytes = statesOf(weights);
            return bytes.states() + bytes.buffers + copiesOf(weights, m_weights.stages.front().layers) <= memory;
        };
        if (!fit(0))
            return 0;
        // No weight takes less than half a byte before it is sharded, and the whole model's number stays within 63 bits.
        const double replicas = real(m_experiment.division.dp), groups = real(m_weights.tp) * real(m_weights.pp);
        std::int64_t fits = 0;
        auto tooMany = static_cast<std::int64_t>(std::min(2 * real(memory.count) * replicas, 9e18 / groups)) + 1;
        while (tooMany - fits > 1) {
            const std::int64_t middle = fits + (tooMany - fits) / 2;
            (fit(middle) ? fits : tooMany) = middle;
        }
        return m_graph != nullptr && m_graph->network ? mostOfNetwork(fits) : fits * m_weights.tp * m_weights.pp;
    }

    /// Returns the weights of a network that is divided as this one, if a GPU has `fits` of them.
    std::int64_t mostOfNetwork(std::int64_t fits) const {
        double own = 0, whole = 0;
        for (const NetworkWeights& each : m_graph->network->weights) {
            own += real(each.weights);
            whole += real(each.whole);
        }
        return own == 0 ? 0 : static_cast<std::int64_t>(std::min(9e18, std::floor(real(fits) / own * whole)));
    }

    void addElementNotice(Notices& notices) const {
        const auto add = [&](const char* text) { notices.push_back({"operators.element_bits", text}); };
        switch (m_experiment.operators.elementBits) {
        case 8:
            add("8 bits: assumed, the optimizer keeps an fp32 copy of the weights and fp32 moments as with 16 bits");
            break;
        case 32:
            add("32 bits: the weights are the optimizer's fp32 copy, so that its state is the moments alone");
            break;
        default: break;
        }
    }

    void addNotices(Footprint& result) const {
        if (m_graph != nullptr) {
            result.notices = m_graph->notices;
            if (m_graph->layers % m_weights.pp != 0)
                result.notices.push_back(
                    {"division.pp", std::to_string(m_graph->layers) + " layers are not divided evenly over " +
                                        std::to_string(m_weights.pp) + " stages: the first stages have one more"});
        }
        if (trains())
            addElementNotice(result.notices);
        if (m_copyBits > 0 && m_experiment.training.quantise == Quantise::justInTime)
            result.notices.push_back({"training.quantise", m_graph != nullptr
                                                               ? "copies of two layers are held at once (assumed)"
                                                               : "no copies are held, because no layer is known"});
        const bool copies = m_copyBits > 0;
        result.notices.push_back(
            {"footprint",
             m_graph == nullptr
                 ? std::string(copies ? "only model states and copies of the weights" : "only model states") +
                       ", because only the number of weights is known; without activations, the allocator, the context "
                       "and workspaces"
                 : std::string(copies ? "model states, copies of the weights" : "model states") +
                       " and activations, without the allocator, the context and workspaces"});
    }

    const Experiment& m_experiment;
    DividedWeights m_weights;
    const OperatorGraph* m_graph;
    KeptBytes m_kept;
    std::int64_t m_copyBits;  // of all copies of a weight together
};

}  // namespace

std::int64_t weightAndGradientBytes(const StateAccount& account) {
    return account.elementBytes + gradientBytes(account);
}

FootprintBytes modelStates(const StateAccount& account, std::int64_t weights, std::int64_t largestLayer) {
    const double all = real(weights), replicas = real(account.replicas);
    const auto part = [&](std::int64_t bytes, Sharding from) {
        return heldBytes(account.sharding >= from ? real(bytes) * all / replicas : real(bytes) * all);
    };
    FootprintBytes bytes;
    bytes.weights = part(account.elementBytes, Sharding::weights);
    bytes.gradients = part(gradientBytes(account), Sharding::gradients);
    bytes.optimizer = part(optimizerBytes(account), Sharding::optimizer);
    if (account.accounting == Accounting::deepspeed)
        bytes.buffers = heldBytes(account.sharding == Sharding::weights ? 4 * real(largestLayer) : 2 * all);
    return bytes;
}

Footprint footprintOf(const Experiment& experiment, ModelPhase phase) {
    if (experiment.division.weights)
        return FootprintSum(experiment, dividedBareWeights(experiment), nullptr).footprint();
    return footprintOf(experiment, operatorGraphOf(experiment, phase));
}

Footprint footprintOf(const Experiment& experiment, const OperatorGraph& graph) {
    return FootprintSum(experiment, dividedWeights(experiment, graph), &graph).footprint();
}

}  // namespace engine
