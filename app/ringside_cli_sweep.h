#pragma once

#include "app/ringside_cli_command.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"

#include <optional>
#include <string>
#include <vector>

namespace cli {

/// What the commands over a sweep have in common.
struct SweepArguments {
    std::string sweep;
    std::vector<std::string> settings;
    std::string store;
    std::string shard;
    std::optional<int> threads;  ///< nothing: all cores
    bool resume = false;
    bool retryFailed = false;
    bool dryRun = false;
    std::string metric;
    bool smallest = false, largest = false;
    std::string output = "table";

    int threadCount() const;
};

/// `sweep` and `best`.
std::vector<DeclaredCommand> declareSweepCommands(CLI::App& app);

/// "link.bandwidth=75 GB/s dma.block_tiles=4 t3-mca": a point of a sweep in the words of --set.
std::string pointText(const data::Sweep& sweep, const std::vector<std::size_t>& at, std::size_t policy);

}  // namespace cli
