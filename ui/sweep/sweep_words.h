#pragma once

#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_runner.h"
#include "ui/look/format.h"
#include "ui/shared/sweep_session.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>

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

/// Returns the point with the best value of the metric with this index; an empty optional if no point has a value, or
/// if no value of this metric is better than another.
std::optional<std::size_t> bestPoint(const data::SweepTable& table, std::size_t metric);
/// Returns "Best speed-up: 1.62 at 100 GB/s, 4, T3-MCA".
QString wordsOfBest(const data::SweepTable& table, std::size_t metric, std::size_t point);

}  // namespace ui
