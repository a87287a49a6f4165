#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/problem.h"

namespace engine {

/// Returns every reason why the network of an experiment (workload.network, workload.symbols) cannot be computed: text
/// that is none, names without a value, sizes that are not whole, degrees that do not divide. Problems of the text have
/// line and column. Precondition: isNetwork.
Problems networkProblems(const Experiment& experiment, ModelPhase phase);

/// Returns the operators of a network, which count as one layer. `samples`: each GPU of the tensor group computes its
/// share of the batch. `columns`: each has its share of a GEMM's columns; the output is gathered, and the gradients of
/// the input are all-reduced (integrated model and batch parallelism, arXiv 1712.04432). `rows`: each has its share of
/// the rows of every sample. Between operators of different divisions data are gathered, scattered or exchanged. All
/// edges into the backward pass are saved. Precondition: networkProblems is empty.
OperatorGraph networkGraphOf(const Experiment& experiment, ModelPhase phase);

}  // namespace engine
