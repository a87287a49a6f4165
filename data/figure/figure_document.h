#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

inline constexpr std::string_view kFigureFormat = "ringside-figure";
inline constexpr int kFigureVersion = 1;

/// The document of a figure, `spec.json`: format "ringside-figure", version 1. Everything of the value, in the order of
/// its fields; what is at its default is left out.
std::string writeFigure(const FigureSpec& figure);

struct FigureReading {
    std::optional<FigureSpec> figure;  ///< only without problems
    engine::Problems problems;         ///< each by its path ("panels[1].marks[0].series[2].values")
};

/// Reads strictly: unknown keys, wrong types, lists of unequal length, numbers that are not finite, meanings, sizes and
/// themes that do not exist, more than a limit of values. `origin` names the text in messages.
FigureReading readFigure(std::string_view json, std::string_view origin);

/// What is wrong with a value before anything is laid out: the same checks.
engine::Problems problemsOf(const FigureSpec& figure);

/// Published values are of the machine that experiments have where nothing else is said. Returns what an experiment behind a
/// figure has instead, "link.bandwidth = 75 GB/s and 2 more"; an empty text where all have that machine.
std::string changedMachine(const FigureProvenance& provenance);

}  // namespace data
