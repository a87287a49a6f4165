#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/results/result_json.h"
#include "data/sweep/sweep_document.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// Returns the paths of the metrics that the items and figures read of a sweep's points, each once. There is at least
/// one, as a sweep requires.
std::vector<std::string> metricsOf(const Evaluation& evaluation, std::size_t sweep);

/// Computes the rows of an evaluation, in the order of its items, from tables that contain metricsOf. `asked` lists ids
/// of items; if it is empty, all are computed. A row is judged if the points are `asWritten`, that is, without settings
/// over them, and if its item has a published number and is exact or has a tolerance. A blind row gets a difference and
/// is judged only if `constants` also equals the constants that the document froze; otherwise a blind comparison with
/// measured numbers has no number. Items whose measured numbers are not attached are not compared. Such a row does not hold if its
/// number cannot be computed, even a blind row under other constants; it is not judged if its points were not run.
/// `timetables` are those of timetablesOf; without them rows of tasks have not been run.
std::vector<ReproducedItem> rowsOf(const Evaluation& evaluation, std::span<const SweepTable> tables,
                                   const std::vector<std::string>& asked, bool asWritten, const std::string& constants,
                                   std::span<const ResultJson> timetables = {});

/// Returns the number of one point of an item, as a row of its own would have it; an empty optional if it cannot be
/// computed. Precondition: the item has points, and its mean is neither a comparison nor a value of an axis.
std::optional<double> numberOfPoint(const EvaluationItem& item, std::size_t point, std::span<const SweepTable> tables);

}  // namespace data
