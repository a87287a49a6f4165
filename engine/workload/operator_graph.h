#pragma once

#include "engine/api/operator_graph.h"

#include <boost/graph/adjacency_list.hpp>

#include <cstdint>
#include <vector>

namespace engine {

/// Operators and who reads what, while they are put together. Holds no knowledge of Transformers.
/// Promise: without cycles, because an operator can only read what was added before it.
class OperatorGraphBuilder {
public:
    using Node = std::uint32_t;

    /// `saved`: read as well, but kept since the forward pass.
    Node add(Operator op, const std::vector<Node>& reads, const std::vector<Node>& saved = {});

    Operator& at(Node node) { return m_graph[node]; }
    Node size() const { return static_cast<Node>(boost::num_vertices(m_graph)); }

    /// Fills operators, edges and depth.
    void finish(OperatorGraph& graph) const;

private:
    struct Edge {
        bool saved = false;
    };
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Operator, Edge>;

    std::vector<std::uint32_t> depths() const;

    Graph m_graph;
};

}  // namespace engine
