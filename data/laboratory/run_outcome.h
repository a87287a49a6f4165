#pragma once

#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <string>

namespace data {

/// Returns the result of one of several runs that all must complete. Throws engine::RunStopped for a run that was
/// stopped, and engine::Deadlock, "WHAT: why", for one that failed.
engine::RunResult resultOf(engine::RunOutcome&& outcome, const std::string& what);

}  // namespace data
