#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <string>

// The rules of check(const Sweep&) one by one, for the reader of documents: what could be read is checked even where
// something else could not. Everybody else calls check.

namespace data {

/// "axes[2]", or "axes[2].zip[1]" where several parameters go together.
std::string wherein(const SweepAxis& axis, std::size_t index, std::size_t column);

void checkPath(const std::string& path, const std::string& where, engine::Problems& problems);

/// An axis for itself: paths, values, ranges, equal lengths, steps that differ.
void checkAxis(const SweepAxis& axis, std::size_t index, engine::Problems& problems);

/// Number of axes and points, parameters set twice.
void checkTogether(const Sweep& sweep, engine::Problems& problems);

/// Machines and models that are neither bundled nor spelled out.
void checkNames(const Sweep& sweep, engine::Problems& problems);

/// Policies and metrics.
void checkLists(const Sweep& sweep, engine::Problems& problems);

}  // namespace data
