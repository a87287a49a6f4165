#pragma once

#include "app/ringside_cli_options.h"
#include "data/laboratory/laboratory.h"
#include "engine/api/runner.h"

#include <iosfwd>
#include <vector>

namespace cli {

/// What `run` prints.
void writeRun(const data::LaboratoryRun& run, Output output, std::ostream& out);

/// What `compare` prints: a line a policy.
void writeComparison(const std::vector<data::LaboratoryRun>& runs, Output output, std::ostream& out);

/// What `verify` prints.
void writeChecks(const engine::Experiment& experiment, const std::vector<engine::Check>& checks, Output output,
                 std::ostream& out);

}  // namespace cli
