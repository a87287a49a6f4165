#pragma once

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// A measured row with a number of ours.
struct MeasuredPair {
    std::size_t row = 0;  ///< position in the rows that it was taken from
    double ours = 0, measured = 0;
    std::string machine;

    double ratio() const { return ours / measured; }
    /// Returns |ours / measured - 1|.
    double error() const;
};

/// Returns the rows of a measured table that have both numbers and may be compared, in their order. `rows` are those of
/// the evaluation, or a part of them.
std::vector<MeasuredPair> pairsOf(const Evaluation& evaluation, const EvaluationMeasured& measured,
                                  std::span<const ReproducedItem> rows);

/// Returns what each table shows together: an answer for each target and machine, and one for all machines of a target
/// if there are several. An answer says whether its target holds if the points are `asWritten` and all its rows have
/// ended; the answer for all machines never does. Tables whose rows are not among `rows` are left out.
std::vector<MeasuredAnswer> measuredAnswers(const Evaluation& evaluation, std::span<const ReproducedItem> rows,
                                            bool asWritten);

/// Returns an answer in one line: "108 of 120 rows: bias +12.3 %, median error 8.1 %, …".
std::string sentenceOf(const MeasuredAnswer& answer);

}  // namespace data
