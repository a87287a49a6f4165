#pragma once

#include "engine/api/experiment.h"

#include <string>

namespace engine {

struct Parameter;

/// Returns why an experiment does not read a parameter of a GEMM alone, of tiles, of a companion or of dispatch: "of a
/// GEMM alone, workload.sublayer=gemm". Empty where it reads it, and for parameters of other groups. Defined for
/// experiments that are not valid as well.
std::string whyUnread(const Experiment& experiment, const Parameter& parameter);

}  // namespace engine
