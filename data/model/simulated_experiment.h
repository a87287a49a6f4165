#pragma once

#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/policy_preset.h"

namespace data {

/// Returns the experiment that the engine runs for an operator with a workload under a policy. Sub-layers of the same
/// shape give the same experiment, whatever their names are. A collective that no GEMM feeds cannot be hidden: it runs
/// as under `sequential` unless the policy changes the collective itself, as do `t3`, `t3-mca` and `ideal-overlap-nmc`,
/// which use near-memory compute. A line of collective.table that fits gives the collective its settings.
engine::Experiment simulatedExperiment(const engine::Experiment& base, const engine::Operator& op,
                                       engine::PolicyPreset policy);

/// Returns the experiment with an empty collective.table.
engine::Experiment withoutTable(engine::Experiment experiment);

/// Gives an operator's experiment the settings of the line of base.collective.table that fits, and takes the table out.
void useTable(const engine::Experiment& base, engine::Experiment& experiment);

}  // namespace data
