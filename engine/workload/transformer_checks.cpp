#include "engine/api/parameters.h"
#include "engine/workload/network_graph.h"
#include "engine/workload/transformer.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace engine {
namespace {

Problem problemAt(const char* path, const Experiment& experiment, std::string text) {
    const Parameter* parameter = findParameter(path);
    return {path, formatValue(*parameter, parameter->read(experiment)), std::move(text)};
}

std::string degreesText(std::span<const std::int64_t> sides) {
    const Parameter& degree = *findParameter("parallel.tp");
    std::string text;
    for (auto tp = static_cast<std::int64_t>(degree.minimum); tp <= static_cast<std::int64_t>(degree.maximum); ++tp) {
        if (std::all_of(sides.begin(), sides.end(), [&](std::int64_t side) { return side % tp == 0; }))
            text += (text.empty() ? "" : ", ") + std::to_string(tp);
    }
    return text.empty() ? "no degree divides them; choose another workload.hidden, workload.heads or workload.experts"
                        : "allowed: " + text;
}

/// The size that the degree has to divide, with the name of the part.
struct CutSide {
    std::string name;
    std::int64_t size = 0;
};

std::vector<CutSide> cutSides(const Experiment& experiment) {
    std::vector<CutSide> sides;
    const bool dense = experiment.workload.experts == 1;
    for (const SubLayer sublayer : {SubLayer::op, SubLayer::fc2, SubLayer::fc1, SubLayer::ip}) {
        if (!dense && (sublayer == SubLayer::fc1 || sublayer == SubLayer::fc2))
            continue;
        WorkloadConfig workload = experiment.workload;
        workload.sublayer = sublayer;
        sides.push_back({"K of " + std::string(name(sublayer)), slicedSide(workload)});
    }
    if (!dense)
        sides.push_back({"the number of experts, which are not split", experiment.workload.experts});
    return sides;
}

void checkDegree(const Experiment& experiment, Problems& problems) {
    std::string wrong;
    std::vector<std::int64_t> sizes;
    for (const CutSide& side : cutSides(experiment)) {
        sizes.push_back(side.size);
        if (side.size % experiment.parallel.tp != 0)
            wrong += (wrong.empty() ? "" : ", nor ") + side.name + " (" + std::to_string(side.size) + ")";
    }
    if (!wrong.empty())
        problems.push_back(problemAt("parallel.tp", experiment,
                                     "does not divide " + wrong + ", each before slicing; " + degreesText(sizes)));
}

void addHeadNotices(const Experiment& experiment, Notices& notices) {
    const WorkloadConfig& workload = experiment.workload;
    const std::int64_t tp = experiment.parallel.tp;
    const auto add = [&](const char* path, const char* what, std::int64_t heads) {
        if (heads % tp != 0)
            notices.push_back({path, std::to_string(heads) + " " + what + " are not divided evenly over " +
                                         std::to_string(tp) +
                                         " GPUs: each GPU is counted with 1/N of their columns nevertheless"});
    };
    if (workload.heads)
        add("workload.heads", "query heads", *workload.heads);
    if (workload.kvHeads)
        add("workload.kv_heads", "heads of keys and values", *workload.kvHeads);
}

void addOtherNotices(const Experiment& experiment, const TransformerSizes& sizes, Notices& notices) {
    if (sizes.vocabulary != experiment.workload.vocabulary) {
        const auto rows = experiment.operators.embeddingRows;
        const std::string why = rows ? "a multiple of " + std::to_string(*rows) + " on each GPU, as Megatron-LM does"
                                     : "a multiple of the GPUs, as it is in training";
        notices.push_back({"workload.vocabulary", "rounded up to " + std::to_string(sizes.vocabulary) + ", " + why});
    }
    if (!sizes.dense())
        notices.push_back({"workload.experts",
                           "all experts are chosen equally often; the all-to-all that sends tokens to them is exposed "
                           "under every policy, the one that brings results back follows each expert's GEMM"});
    if (sizes.sliced)
        notices.push_back(
            {"collective.operation",
             "sequence parallelism: outputs are reduce-scattered over the tokens, norms and residuals work "
             "on each GPU's share, and an all-gather feeds the next GEMM"});
}

/// Adds notices about parameters that inference does not read because only a training step does.
void addTrainingNotices(const Experiment& experiment, ModelPhase phase, Notices& notices) {
    if (phase == ModelPhase::training)
        return;
    for (const char* path : {"operators.dropout", "operators.recompute", "training.optimizer"}) {
        const Parameter& parameter = *findParameter(path);
        if (parameter.read(experiment) != parameter.defaultValue)
            notices.push_back({path, "not read: inference has no backward pass and no optimizer"});
    }
}

std::vector<OperatorSymbol> symbolsOf(const TransformerSizes& s, bool separate) {
    std::vector<OperatorSymbol> symbols{
        {"N", s.gpus, "GPUs of the tensor-parallel group"},
        {"L", s.layers, "layers"},
        {"B", s.batch, "sequences"},
        {"S", s.sequence, s.cached ? "tokens of a sequence that are cached" : "tokens of a sequence"},
        {"T", s.tokens, s.cached ? "tokens computed at once, one of each sequence" : "tokens computed at once, B x S"},
        {"H", s.hidden, "hidden size"},
        {"Q", s.queries, "width of all query heads"},
        {"KV", s.keys, "width of all key heads, and of all value heads"},
        {"F", s.feedForward, "feed-forward width"},
        {"V", s.vocabulary, "vocabulary"},
    };
    if (!s.dense()) {
        symbols.push_back({"E", s.experts, "experts"});
        symbols.push_back({"k", s.chosen, "experts of each token"});
    }
    if (separate) {
        symbols.insert(std::find_if(symbols.begin(), symbols.end(), [](const auto& at) { return at.symbol == "F"; }),
                       {"a", s.heads, "query heads"});
    }
    return symbols;
}

}  // namespace

Problems operatorGraphProblems(const Experiment& experiment, ModelPhase phase) {
    if (isNetwork(experiment))
        return networkProblems(experiment, phase);
    Problems problems;
    checkDegree(experiment, problems);
    const WorkloadConfig& workload = experiment.workload;
    if (workload.experts > 1 && workload.expertsPerToken > workload.experts)
        problems.push_back(problemAt("workload.experts_per_token", experiment,
                                     "more than there are experts; allowed: 1 to " + std::to_string(workload.experts)));
    if (experiment.collective.operation != CollectiveOperation::allReduce &&
        experiment.collective.operation != CollectiveOperation::reduceScatter)
        problems.push_back(problemAt("collective.operation", experiment,
                                     "cannot join the sub-layers of a whole model; allowed: all-reduce, or "
                                     "reduce-scatter for sequence parallelism"));
    const std::int64_t widest = static_cast<std::int64_t>(findParameter("workload.feed_forward")->maximum);
    const std::int64_t rows = TransformerSizes(experiment, phase).vocabulary;
    if (phase == ModelPhase::training && rows > widest) {
        const std::int64_t step = experiment.parallel.tp * experiment.operators.embeddingRows.value_or(1);
        problems.push_back(problemAt("workload.vocabulary", experiment,
                                     "the gradient of so wide a head is not simulated; allowed in training: up to " +
                                         std::to_string(widest / step * step)));
    }
    return problems;
}

OperatorGraph operatorGraphOf(const Experiment& experiment, ModelPhase phase) {
    if (isNetwork(experiment))
        return networkGraphOf(experiment, phase);
    OperatorGraph graph;
    const TransformerSizes sizes(experiment, phase);
    graph.phase = phase;
    graph.gpus = sizes.gpus;
    graph.layers = sizes.layers;
    graph.symbols = symbolsOf(sizes, experiment.operators.attention == AttentionOperators::separate);
    addHeadNotices(experiment, graph.notices);
    addOtherNotices(experiment, sizes, graph.notices);
    addTrainingNotices(experiment, phase, graph.notices);
    Transformer(experiment, phase).build(graph);
    return graph;
}

}  // namespace engine
