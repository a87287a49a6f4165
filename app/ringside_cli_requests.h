#pragma once

#include "app/ringside_cli_command.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"

#include <optional>
#include <string>

namespace cli {

/// The options of `run` that read and write request files.
struct RequestArguments {
    std::string read, write;
    std::string form = "dramsim3";
    std::string size = "64 B";
};

void addRequestFiles(const Command& command, RequestArguments& arguments);

/// Reads the file of --read-requests: sets the draft's access pattern to it, and gives its requests to `options`. Does
/// nothing without one. Throws engine::InvalidExperiment with all problems.
void readRequests(const RequestArguments& arguments, data::ExperimentDraft& draft, engine::RunOptions& options);

/// Checks --write-requests and has the run record what it needs. Does nothing without it.
void prepareWriting(const RequestArguments& arguments, const engine::Experiment& experiment,
                    engine::RunOptions& options);

/// Writes the file of --write-requests. Does nothing without one. Throws data::FileError.
void writeRequests(const RequestArguments& arguments, const data::LaboratoryRun& run);

}  // namespace cli
