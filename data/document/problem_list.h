#pragma once

#include "engine/api/problem.h"

#include <utility>

namespace data {

/// Appends `more` to `problems`.
inline void append(engine::Problems& problems, const engine::Problems& more) {
    problems.insert(problems.end(), more.begin(), more.end());
}

/// Throws engine::InvalidExperiment unless `problems` is empty.
inline void refuseAny(engine::Problems problems) {
    if (!problems.empty())
        throw engine::InvalidExperiment(std::move(problems));
}

}  // namespace data
