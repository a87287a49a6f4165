#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"
#include "engine/workload/network_text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine {

/// The weights of one operator of a network, whose gradients GPUs sum after the backward pass.
struct NetworkWeights {
    std::string id;            ///< of the operator
    std::int64_t weights = 0;  ///< elements on this GPU
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

/// A network under an experiment: its operators on one GPU, and what is sent besides the collectives between them.
struct NetworkPlan {
    OperatorGraph graph;
    std::vector<NetworkWeights> weights;  ///< of each operator with weights, in the order of the text
    std::vector<NetworkHalo> halos;       ///< of each operator that has some
};

/// Returns every reason why a network cannot be computed under an experiment: names without a value, sizes that are not
/// whole, degrees that do not divide. Problems have line and column.
Problems networkProblems(const NetworkText& network, const Experiment& experiment, ModelPhase phase);

/// Returns the operators of a network, which count as one layer. `samples`: each GPU of the tensor group computes its
/// share of the batch. `columns`: each has its share of a GEMM's columns; the output is gathered, and the gradients of
/// the input are all-reduced (integrated model and batch parallelism, arXiv 1712.04432). `rows`: each has its share of
/// the rows of every sample. Between operators of different divisions data are gathered, scattered or exchanged. All
/// edges into the backward pass are saved. Precondition: networkProblems is empty.
NetworkPlan networkPlanOf(const NetworkText& network, const Experiment& experiment, ModelPhase phase);

}  // namespace engine
