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

/// As the form says it, "Collective: Block": "Block" alone could be anything's.
QString placeOf(const engine::Parameter& parameter);

/// What a start would do, before it: "135 runs · 40 are in the store · about 0.8 s on 2 cores"; of a sweep that was
/// started before "95 of 135 done · about 0.3 s on 2 cores".
QString wordsOf(const SweepLook& look, int threads);
/// While it runs: "52 of 135 runs · 310 a second · 0.3 s left".
QString wordsOf(const data::SweepProgress& progress, bool paused);
/// How it went: "135 points in 0.8 s, 40 of them from the store".
QString wordsOf(const data::SweepSummary& summary);

/// The point with the best value of the metric at this place, among those that have one; nothing where there is none,
/// or where no value of this metric is better than another.
std::optional<std::size_t> bestPoint(const data::SweepTable& table, std::size_t metric);
/// "Best speed-up: 1.62 at 100 GB/s, 4, T3-MCA".
QString wordsOfBest(const data::SweepTable& table, std::size_t metric, std::size_t point);

}  // namespace ui
