#pragma once

#include "engine/api/experiment.h"

#include <string>
#include <vector>

namespace engine {

/// The traffic and work of one kernel of an optimizer for each weight.
struct OptimizerStep {
    std::string suffix;  ///< end of the operator's id: "", "/first-pass"
    std::string title;   ///< "Adam"
    double read;         ///< bytes
    double written;      ///< bytes
    double flops;
    std::string source;

    /// Returns "22 bytes for each of" the weights that `ofWeights` names.
    std::string formula(const std::string& ofWeights) const;
};

/// Returns the kernels of an optimizer for weights of `element` bytes, one after the other.
std::vector<OptimizerStep> optimizerSteps(OptimizerKind kind, double element);

}  // namespace engine
