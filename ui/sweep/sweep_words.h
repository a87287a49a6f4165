#pragma once

#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_runner.h"
#include "ui/look/format.h"
#include "ui/shared/sweep_session.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// Returns the name of a parameter with its group, "Collective: Block", because "Block" alone is ambiguous.
QString placeOf(const engine::Parameter& parameter);

/// Describes what a start would do: "135 points · 40 are in the store · about 0.8 s on 2 cores"; for a sweep that was
/// started before: "95 of 135 points done · about 0.3 s on 2 cores".
QString wordsOf(const SweepLook& look, int threads);
/// Describes the progress: "52 of 135 points · 310 a second · 0.3 s left".
QString wordsOf(const data::SweepProgress& progress, bool paused);
/// Describes the outcome: "135 points in 0.8 s, 40 of them from the store".
QString wordsOf(const data::SweepSummary& summary);

/// The answer to the question for the best point of a sweep.
struct BestAnswer {
    /// "Best total time: 1.62 ms at Entries 256, T3. 5 points are within 1 %: the cheapest is 1.63 ms at Entries 64, T3."
    QString words;
    std::vector<std::size_t> points;  ///< the points to mark: the cheapest of the equally good ones, else the best ones
};
/// Answers for the metric with this index; an empty optional if no point has a value, or if no value of this metric is
/// better than another.
std::optional<BestAnswer> answerOfBest(const data::SweepTable& table, std::size_t metric);

}  // namespace ui
