#pragma once

#include "engine/api/results.h"
#include "engine/api/runner.h"

#include <string>

namespace data {

/// Takes the result of one of many runs that all have to end. Throws engine::RunStopped for a run that was stopped, and
/// engine::Deadlock, "WHAT: why", for one that failed.
engine::RunResult resultOf(engine::RunOutcome&& outcome, const std::string& what);

}  // namespace data
