#pragma once

#include "app/ringside_cli_report.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cli {

/// What `results` was asked for.
struct ResultsArguments {
    std::string store;
    std::string sweep;
    std::string where;
    std::vector<std::string> columns;
    bool full = false;
    bool sweeps = false;
    std::vector<std::string> note, tag;         ///< ID and text; ID and words
    std::vector<std::int64_t> remove, restore;  ///< IDs
};

/// What `merge` was asked for.
struct MergeArguments {
    std::string into;
    std::vector<std::string> from;
};

void declareResults(CLI::App& command, ResultsArguments& arguments);
void declareMerge(CLI::App& command, MergeArguments& arguments);

/// Reads the store, or changes notes, tags and trash where that is asked for. Throws engine::InvalidExperiment with
/// every problem of the arguments, data::StoreError. Damaged runs are left out and named on `err`, as by merge.
void results(const ResultsArguments& arguments, Output output, std::ostream& out, std::ostream& err);

/// Joins stores and says what each brought. Throws engine::InvalidExperiment with what is wrong with any of them, before
/// one is joined; data::StoreError.
void merge(const MergeArguments& arguments, Output output, std::ostream& out, std::ostream& err);

}  // namespace cli
