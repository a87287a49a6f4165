#pragma once

#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/workload/expression.h"
#include "engine/workload/text_lines.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

inline constexpr std::string_view kNoNetwork = "none";
inline constexpr std::size_t kMostNetworkOperators = 4096;

/// How an operator is divided over the GPUs of a tensor-parallel group.
enum class OperatorDivision : std::uint8_t {
    samples,  ///< each GPU has its share of the samples and all weights
    columns,  ///< each GPU has its share of a GEMM's columns, and with them of the weights
    rows      ///< each GPU has its share of the rows of each sample (domain parallelism) and all weights
};
std::string_view name(OperatorDivision division);
std::optional<OperatorDivision> operatorDivisionNamed(std::string_view word);

/// An expression and where it begins.
struct PlacedExpression {
    Expression expression;
    TextPlace at;
};
struct PlacedWord {
    std::string word;
    TextPlace at;
};

/// A line of a network that is an operator.
struct NetworkLine {
    enum class Kind : std::uint8_t { gemm, work, collective };
    PlacedWord id;
    Kind kind{};
    CollectiveOperation operation{};  ///< of a collective
    /// gemm: rows, columns, inner; work: flops, bytes; collective: bytes.
    std::vector<PlacedExpression> sizes;
    std::optional<PlacedExpression> times, weights, output, halo;  ///< times: of a GEMM; weights: of a GEMM or of work
    std::optional<PlacedWord> division;                            ///< absent: samples
    std::optional<std::vector<PlacedWord>> from;  ///< absent: the operator before; empty: data from outside
};

/// A line `let NAME = EXPRESSION`, or `let NAME = samples|columns|rows`.
struct NetworkLet {
    PlacedWord name;
    std::optional<PlacedExpression> expression;
    std::optional<OperatorDivision> division;
};

/// A network as its text says it; nothing is computed yet.
struct NetworkText {
    std::vector<NetworkLet> lets;
    std::vector<NetworkLine> lines;

    const NetworkLet* find(std::string_view name) const;
};

struct NetworkReading {
    NetworkText network;
    Problems problems;  ///< each with line and column
};

/// Reads workload.network: one line for each operator. A line ends at a new line or a semicolon; `#` begins a comment.
NetworkReading readNetwork(std::string_view text);

/// Reads workload.symbols, "NAME=EXPRESSION, …", and replaces the values of the network's lets. Adds to `problems`.
void replaceSymbols(std::string_view symbols, NetworkText& network, Problems& problems);

/// Returns a problem of workload.network at a place of its text.
Problem networkProblem(const TextPlace& at, std::string value, std::string text);
Problem networkProblem(const PlacedExpression& where, const TextError& error);

}  // namespace engine
