#include "engine/workload/operator_graph.h"

#include <boost/graph/topological_sort.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace engine {

OperatorGraphBuilder::Node OperatorGraphBuilder::add(Operator op, const std::vector<Node>& reads,
                                                     const std::vector<Node>& saved) {
    const auto node = static_cast<Node>(boost::add_vertex(std::move(op), m_graph));
    for (const auto& [list, kept] : {std::pair{&reads, false}, {&saved, true}}) {
        for (const Node from : *list) {
            assert(from < node);
            boost::add_edge(from, node, Edge{kept}, m_graph);
        }
    }
    return node;
}

std::vector<std::uint32_t> OperatorGraphBuilder::depths() const {
    std::vector<Graph::vertex_descriptor> lastFirst;
    boost::topological_sort(m_graph, std::back_inserter(lastFirst));
    std::vector<std::uint32_t> depth(boost::num_vertices(m_graph), 0);
    for (auto node = lastFirst.rbegin(); node != lastFirst.rend(); ++node) {
        const auto [edge, end] = boost::in_edges(*node, m_graph);
        for (auto in = edge; in != end; ++in)
            depth[*node] = std::max(depth[*node], depth[boost::source(*in, m_graph)] + 1);
    }
    return depth;
}

void OperatorGraphBuilder::finish(OperatorGraph& graph) const {
    const auto [node, lastNode] = boost::vertices(m_graph);
    for (auto each = node; each != lastNode; ++each)
        graph.operators.push_back(m_graph[*each]);
    const auto [edge, lastEdge] = boost::edges(m_graph);
    for (auto each = edge; each != lastEdge; ++each) {
        graph.edges.push_back({static_cast<Node>(boost::source(*each, m_graph)),
                               static_cast<Node>(boost::target(*each, m_graph)), m_graph[*each].saved});
    }
    std::sort(graph.edges.begin(), graph.edges.end());
    graph.depth = depths();
}

double OperatorGraph::flopsOfModel() const {
    double sum = 0;
    for (const Operator& op : operators) {
        if (op.gemm || op.kind == OperatorKind::attention)
            sum += op.flops * static_cast<double>(op.count);
    }
    return sum;
}

std::int64_t OperatorGraph::weightsOfModel() const {
    std::int64_t sum = 0;
    for (const Operator& op : operators)
        sum += op.weights * op.count;
    return sum;
}

const Operator* OperatorGraph::find(std::string_view id) const {
    const auto found =
        std::find_if(operators.begin(), operators.end(), [&](const Operator& op) { return op.id == id; });
    return found == operators.end() ? nullptr : &*found;
}

Duration rooflineTime(const Experiment& machine, double flops, Bytes bytes) {
    constexpr double kPicoseconds = 1e12, kLongest = 9e18;  // which 63 bits still hold
    const double sustained = static_cast<double>(machine.memory.bandwidth.bytesPerSecond) * machine.memory.efficiency;
    const double peak = static_cast<double>(machine.cu.count) * static_cast<double>(machine.cu.flopsPerCycle) *
                        static_cast<double>(machine.cu.clock.hertz) * machine.cu.tensorEfficiency;
    const double seconds = std::max(static_cast<double>(bytes.count) / sustained, flops / peak);
    return {static_cast<std::int64_t>(std::min(kLongest, std::ceil(seconds * kPicoseconds)))};
}

std::string_view name(ModelPhase phase) {
    switch (phase) {
    case ModelPhase::training: return "training";
    case ModelPhase::prompt: return "prompt";
    case ModelPhase::generation: return "generation";
    }
    return "";
}

std::string_view name(OperatorKind kind) {
    switch (kind) {
    case OperatorKind::feedingGemm: return "feeding-gemm";
    case OperatorKind::gemm: return "gemm";
    case OperatorKind::attention: return "attention";
    case OperatorKind::elementWise: return "element-wise";
    case OperatorKind::collective: return "collective";
    }
    return "";
}

std::string_view name(OperatorPass pass) {
    switch (pass) {
    case OperatorPass::forward: return "forward";
    case OperatorPass::backward: return "backward";
    case OperatorPass::optimizer: return "optimizer";
    }
    return "";
}

std::string_view title(OperatorKind kind) {
    switch (kind) {
    case OperatorKind::feedingGemm: return "GEMM that feeds a collective";
    case OperatorKind::gemm: return "Other GEMM";
    case OperatorKind::attention: return "Attention";
    case OperatorKind::elementWise: return "Element-wise";
    case OperatorKind::collective: return "Collective";
    }
    return "";
}

std::optional<ModelPhase> modelPhaseNamed(std::string_view text) {
    for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
        if (name(phase) == text)
            return phase;
    }
    return std::nullopt;
}

}  // namespace engine
