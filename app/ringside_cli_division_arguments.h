#pragma once

#include "app/ringside_cli_command.h"
#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// The arguments of `footprint` and `messages`: a model or a number of weights, and its division. Options that set a
/// parameter are kept as text and read as `--set` would read them.
struct DivisionArguments : CommonArguments {
    std::string model, weights, tp, pp, dp;
    std::string phase = "training";
    std::vector<std::string> shardings;
};

/// Declares MODEL, --weights, --phase, --tp, --pp, --dp, --sharding, --set and --output.
void addDivision(const Command& command, DivisionArguments& arguments, const char* columns);

/// Refuses settings that no division of a whole model reads.
void refuseUnread(const data::ExperimentDraft& draft, engine::Problems& problems);

engine::ModelPhase phaseOf(const DivisionArguments& arguments);

/// Returns one experiment for each requested sharding, or one experiment if --sharding is not given. Unless it is set,
/// the tensor-parallel degree is 1 with --weights, and the first published degree of a model. Throws
/// engine::InvalidExperiment with all problems.
std::vector<engine::Experiment> experimentsOf(const DivisionArguments& arguments);

/// Returns a line that names the division of the numbers: "gpt-3, training; tp 8, pp 8, dp 1; machine t3-table-1".
std::string divisionText(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the same for JSON.
Json divisionJson(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the word of the experiment's division.sharding.
std::string shardingWord(const engine::Experiment& experiment);

}  // namespace cli
