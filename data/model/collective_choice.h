#pragma once

#include "engine/api/collective_table.h"
#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"

#include <optional>
#include <string>

namespace data {

/// Returns the line of collective.table that a collective of these GPUs and bytes uses; empty without a table, or if none
/// fits. `alone`: no GEMM feeds it.
std::optional<engine::CollectiveRule> ruleOf(const engine::Experiment& base, engine::SubLayer collective,
                                             std::int64_t gpus, engine::Bytes bytes, bool alone = true);

/// Returns the line that an operator's simulation uses: that of a collective alone or, if the experiment keeps the output
/// local (policy.mapping=local), that of a GEMM with its collective. Precondition: `experiment` is the operator's.
std::optional<engine::CollectiveRule> ruleOf(const engine::Experiment& base, const engine::Experiment& experiment);

/// Returns the measured time of a collective that no GEMM feeds; empty if the table has none.
std::optional<engine::Duration> measuredTimeOf(const engine::Experiment& base, engine::SubLayer collective,
                                               std::int64_t gpus, engine::Bytes bytes);
std::optional<engine::Duration> measuredTimeOf(const engine::Experiment& base, const engine::Operator& op);

/// Returns the text of the line that a collective of the graph uses under a policy whose output is local, as that of
/// `sequential`; empty if none does.
std::string tableLineOf(const engine::Experiment& base, const engine::OperatorGraph& graph, const engine::Operator& op);

}  // namespace data
