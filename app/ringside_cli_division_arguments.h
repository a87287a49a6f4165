#pragma once

#include "app/ringside_cli_command.h"
#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// What `footprint` and `messages` are asked: a model or a bare number of weights, and how it is dealt out. Options that
/// stand for a parameter are kept as text and read as `--set` would read them.
struct DivisionArguments : CommonArguments {
    std::string model, weights, tp, pp, dp;
    std::string phase = "training";
    std::vector<std::string> shardings;
};

/// MODEL, --weights, --phase, --tp, --pp, --dp, --sharding, --set and the forms of output.
void addDivision(CLI::App& command, DivisionArguments& arguments, const char* columns);

/// Refuses what no division of a whole model reads.
void refuseUnread(const data::ExperimentDraft& draft, engine::Problems& problems);

engine::ModelPhase phaseOf(const DivisionArguments& arguments);

/// Returns the experiment of each sharding that was asked for, or of the one that is set. A bare number of weights is on one
/// GPU of a tensor-parallel group unless --tp says otherwise; a model at its first published degree. Throws
/// engine::InvalidExperiment with everything that is wrong.
std::vector<engine::Experiment> experimentsOf(const DivisionArguments& arguments);

/// Returns "gpt-3, training; tp 8, pp 8, dp 1; machine t3-table-1": what numbers of a division are numbers of.
std::string divisionText(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the same for JSON.
Json divisionJson(const engine::Experiment& experiment, engine::ModelPhase phase);

/// Returns the word of the experiment's division.sharding.
std::string shardingWord(const engine::Experiment& experiment);

}  // namespace cli
