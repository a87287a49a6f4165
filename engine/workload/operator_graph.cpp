#include "engine/workload/transformer.h"

#include <boost/graph/topological_sort.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace engine {
namespace {

// Each in the order of its enumeration.
constexpr std::array<std::string_view, 3> kPhases{"training", "prompt", "generation"};
constexpr std::array<std::string_view, 4> kPasses{"forward", "recompute", "backward", "optimizer"};

struct KindNames {
    std::string_view name, title;
};
constexpr std::array kKinds{KindNames{"feeding-gemm", "GEMM that feeds a collective"}, KindNames{"gemm", "Other GEMM"},
                            KindNames{"attention", "Attention"}, KindNames{"element-wise", "Element-wise"},
                            KindNames{"collective", "Collective"}};

constexpr std::array kClasses{KindNames{"gemm", "GEMM"},
                              KindNames{"batched-gemm", "Batched GEMM"},
                              KindNames{"attention-element-wise", "Attention element-wise"},
                              KindNames{"element-wise", "Other element-wise"},
                              KindNames{"optimizer", "Optimizer"},
                              KindNames{"collective", "Collective"}};

/// Sums the flops of GEMMs and attention, which matrix units do.
double matrixFlops(const OperatorGraph& graph, bool withRecompute) {
    double sum = 0;
    for (const Operator& op : graph.operators) {
        if ((withRecompute || op.pass != OperatorPass::recompute) && runsOnMatrixUnits(op))
            sum += op.flops * static_cast<double>(op.count);
    }
    return sum;
}

}  // namespace

OperatorGraphBuilder::Node OperatorGraphBuilder::add(Operator op, const std::vector<Node>& reads,
                                                     const std::vector<Node>& saved) {
    const bool repeats = op.pass == OperatorPass::recompute;
    const auto node = static_cast<Node>(boost::add_vertex(std::move(op), m_graph));
    for (const auto& [list, kept] : {std::pair{&reads, false}, {&saved, true}}) {
        for (const Node from : *list) {
            assert(from < node);
            const bool ofForward = m_graph[from].pass == OperatorPass::forward;
            boost::add_edge(from, node, Edge{ofForward && (kept || repeats)}, m_graph);
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

bool isOfEmbedding(const Operator& op) { return !op.inLayer && op.id.find("/embedding") != std::string::npos; }

double OperatorGraph::flopsOfModel() const { return matrixFlops(*this, false); }

double OperatorGraph::flopsWithRecompute() const { return matrixFlops(*this, true); }

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

Roofline rooflineOf(const Experiment& machine) {
    return {static_cast<double>(machine.cu.count) * static_cast<double>(peakFlopsOfCu(machine)) *
                machine.cu.tensorEfficiency,
            static_cast<double>(machine.memory.bandwidth.bytesPerSecond) * machine.memory.efficiency};
}

Duration rooflineTime(const Experiment& machine, double flops, Bytes bytes) {
    constexpr double kPicoseconds = 1e12, kLongest = 9e18;  // which 63 bits still hold
    const Roofline roof = rooflineOf(machine);
    const double seconds =
        std::max(static_cast<double>(bytes.count) / roof.bytesPerSecond, flops / roof.flopsPerSecond);
    return {static_cast<std::int64_t>(std::min(kLongest, std::ceil(seconds * kPicoseconds)))};
}

std::string_view name(ModelPhase phase) { return kPhases.at(static_cast<std::size_t>(phase)); }

std::string_view name(OperatorKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).name; }

std::string_view name(OperatorClass operatorClass) { return kClasses.at(static_cast<std::size_t>(operatorClass)).name; }

std::string_view title(OperatorClass operatorClass) {
    return kClasses.at(static_cast<std::size_t>(operatorClass)).title;
}

std::string_view name(OperatorPass pass) { return kPasses.at(static_cast<std::size_t>(pass)); }

std::string_view title(OperatorKind kind) { return kKinds.at(static_cast<std::size_t>(kind)).title; }

std::optional<ModelPhase> modelPhaseNamed(std::string_view text) {
    const auto found = std::find(kPhases.begin(), kPhases.end(), text);
    return found == kPhases.end() ? std::nullopt : std::optional(static_cast<ModelPhase>(found - kPhases.begin()));
}

}  // namespace engine
