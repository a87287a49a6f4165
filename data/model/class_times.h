#pragma once

#include "data/model/model_run.h"
#include "engine/api/operator_graph.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace data {

/// Work and time of one operator, or of a class of operators, as one GPU does it.
/// Bytes go through DRAM: of a GEMM both inputs and the output, each once, of attention and element-wise operators and
/// of the optimizer what their formula says. A collective has the bytes of its buffers, which are not DRAM's, and no
/// flops.
struct OperatorWork {
    double flops = 0;
    double bytes = 0;
    engine::Duration time;  ///< of a collective: what is exposed

    double intensity() const;  ///< flops per byte; 0 without bytes
    double rate() const;       ///< flops per second; 0 without time
};

/// Where an operator stands in a roofline plot.
struct OperatorPoint {
    std::size_t index = 0;  ///< of the graph's operators
    OperatorWork work;      ///< of one occurrence, all GEMMs of it
    engine::Duration time;  ///< of all occurrences in the whole model
    double share = 0;       ///< of the phase
    /// Rate / roof at its intensity. More than 1 when a cache spares bytes that are counted here; 0 without flops.
    double shareOfRoof = 0;
};

/// All operators of a class in the whole phase.
struct ClassTime {
    engine::OperatorClass operatorClass{};
    OperatorWork work;             ///< of all occurrences in the whole model
    double share = 0;              ///< of the phase
    std::size_t operators = 0;     ///< of the graph
    std::int64_t occurrences = 0;  ///< in the whole model
};

/// Returns a point for each operator of the graph, in its order. `policy`: of run.policies, or run.sequential.
std::vector<OperatorPoint> operatorPointsOf(const ModelRun& run, const PolicyModelTime& policy);

/// Returns all classes in the order of engine::kOperatorClasses, also those without operators. The times add up to
/// policy.time.total() to the picosecond: what hides of a collective is in no class.
std::vector<ClassTime> classTimesOf(const ModelRun& run, const PolicyModelTime& policy);

}  // namespace data
