#pragma once

#include "engine/api/operator_graph.h"
#include "engine/api/units.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace data {

/// The time of a model in parts that add up to the total exactly. A GEMM and the collective that it feeds are one run
/// of the engine: `feedingGemm` is the time of that GEMM alone, as under `sequential`. The rest of the run is exposed
/// communication, including the time by which communication slows down the GEMM: it counts as `allGather` up to the
/// time of the all-gather, otherwise as `reduceScatter`. Hidden communication, the time that the run saves against
/// `sequential`, is in no part. A collective that no GEMM feeds counts completely.
struct ModelTime {
    engine::Duration feedingGemm, gemm, attention, elementWise, reduceScatter, allGather, allToAll;

    engine::Duration total() const;
    engine::Duration exposed() const;  ///< communication: the last three
    ModelTime& operator+=(const ModelTime& other);
    bool operator==(const ModelTime&) const = default;
};
ModelTime operator*(const ModelTime& time, std::int64_t count);

/// Says that the times of a model are projected from those of another model instead of simulated.
struct ModelProjection {
    std::string from;              ///< the model that was simulated, with its degree: "mega-gpt-2/tp8"
    std::int64_t savedEvents = 0;  ///< expected events of the simulations that the projected model would need itself
    bool operator==(const ModelProjection&) const = default;
};

/// A part of a model's time.
struct ModelPart {
    const char* key;      ///< "gemm_feeding": in JSON and CSV, without its unit
    const char* title;    ///< "GEMM that feeds a collective", for people
    const char* meaning;  ///< of its colour (data/figure/figure_meaning.h)
    engine::Duration ModelTime::*time;
    std::optional<engine::OperatorKind> kind{};  ///< the kind of operators that take it; none: exposed communication
};

/// All parts, in the order in which they are shown. Operators of a kind that is neither a GEMM nor a collective take
/// engine::rooflineTime.
inline constexpr std::array kModelParts{
    ModelPart{"gemm_feeding", "GEMM that feeds a collective", "gemm", &ModelTime::feedingGemm,
              engine::OperatorKind::feedingGemm},
    ModelPart{"gemm_other", "other GEMM", "gemm/light", &ModelTime::gemm, engine::OperatorKind::gemm},
    ModelPart{"attention", "attention", "attention", &ModelTime::attention, engine::OperatorKind::attention},
    ModelPart{"element_wise", "element-wise", "element-wise", &ModelTime::elementWise,
              engine::OperatorKind::elementWise},
    ModelPart{"reduce_scatter", "reduce-scatter, exposed", "reduce-scatter", &ModelTime::reduceScatter},
    ModelPart{"all_gather", "all-gather, exposed", "all-gather", &ModelTime::allGather},
    ModelPart{"all_to_all", "all-to-all, exposed", "all-to-all", &ModelTime::allToAll}};

/// Returns the part of a model's time that operators of this kind take. Precondition: not a collective.
const ModelPart& partOf(engine::OperatorKind kind);

}  // namespace data
