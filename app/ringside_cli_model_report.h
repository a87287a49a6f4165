#pragma once

#include "app/ringside_cli_report.h"
#include "data/model_run.h"

#include <iosfwd>

namespace cli {

/// What `model` prints. Table and JSON have every number of the run in whole picoseconds, so that the parts of a time can
/// be added up; CSV has a line a policy.
void writeModelRun(const data::ModelRun& run, int threads, Output output, std::ostream& out);

}  // namespace cli
