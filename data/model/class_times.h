#pragma once

#include "data/model/model_run.h"
#include "engine/api/operator_graph.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace data {

/// Work and time of one operator, or of a class of operators, on one GPU. Bytes are DRAM traffic: for a GEMM both
/// inputs and the output, each once; for attention, element-wise operators and the optimizer according to their
/// formulas. A collective has no flops, and its bytes are the sizes of its buffers instead of DRAM traffic.
struct OperatorWork {
    double flops = 0;
    double bytes = 0;
    engine::Duration time;  ///< for a collective only the exposed time

    double intensity() const;  ///< flops per byte; 0 without bytes
    double rate() const;       ///< flops per second; 0 without time
};

/// The position of an operator in a roofline plot.
struct OperatorPoint {
    std::size_t index = 0;  ///< index among the graph's operators
    OperatorWork work;      ///< of one occurrence, with all its GEMMs
    engine::Duration time;  ///< of all occurrences in the whole model
    double share = 0;       ///< of the phase
    /// Rate divided by the roof at this intensity. Above 1 if a cache saves traffic that is counted here; 0 without
    /// flops.
    double shareOfRoof = 0;
};

/// All operators of a class in the whole phase.
struct ClassTime {
    engine::OperatorClass operatorClass{};
    OperatorWork work;             ///< of all occurrences in the whole model
    double share = 0;              ///< of the phase
    std::size_t operators = 0;     ///< number of operators of the graph
    std::int64_t occurrences = 0;  ///< in the whole model
};

/// Returns a point for each operator of the graph, in its order. `policy` is one of run.policies, or run.sequential.
std::vector<OperatorPoint> operatorPointsOf(const ModelRun& run, const PolicyModelTime& policy);

/// Returns all classes in the order of engine::kOperatorClasses, including those without operators. Hidden
/// communication is in no class, so the times add up to policy.time.total() exactly.
std::vector<ClassTime> classTimesOf(const ModelRun& run, const PolicyModelTime& policy);

}  // namespace data
