#pragma once

#include "engine/api/experiment.h"

#include <string>

namespace engine {

struct Parameter;

/// Returns why an experiment does not read a parameter, for parameters of a GEMM alone, of tiles, of a companion or of
/// dispatch: "it applies to a GEMM alone (workload.sublayer=gemm)". Empty if the experiment reads it, and for
/// parameters of other groups. The experiment need not be valid.
std::string whyUnread(const Experiment& experiment, const Parameter& parameter);

}  // namespace engine
