#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/sweep/sweep_document.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// Returns the paths that the items and figures read of a sweep's points, each once; at least one, as a sweep needs.
std::vector<std::string> metricsOf(const Evaluation& evaluation, std::size_t sweep);

/// Computes the rows of an evaluation, in the order of its items, of tables that have metricsOf. `asked`: ids of items; empty:
/// all. Blind rows have a difference only if `constants` are those that the document froze and the points are `asWritten`,
/// without values over them; rows are judged only then.
std::vector<ReproducedItem> rowsOf(const Evaluation& evaluation, std::span<const SweepTable> tables,
                                   const std::vector<std::string>& asked, bool asWritten, const std::string& constants);

}  // namespace data
