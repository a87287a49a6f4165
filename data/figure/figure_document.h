#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

inline constexpr std::string_view kFigureFormat = "ringside-figure";
inline constexpr int kFigureVersion = 1;

/// Returns the document of a figure, `spec.json`: format "ringside-figure", version 1. It has the fields of the value
/// in their order, except fields that have their default.
std::string writeFigure(const FigureSpec& figure);

struct FigureReading {
    std::optional<FigureSpec> figure;  ///< only if there are no problems
    engine::Problems problems;         ///< each by its path ("panels[1].marks[0].series[2].values")
};

/// Reads the document of a figure strictly. Reports unknown keys, wrong types, lists of unequal length, numbers that
/// are not finite, meanings, sizes and themes that do not exist, and more values than the limit. `origin` names the
/// text in messages.
FigureReading readFigure(std::string_view json, std::string_view origin);

/// Checks a figure value before its layout, with the same checks as readFigure.
engine::Problems problemsOf(const FigureSpec& figure);

/// Returns how the machine of the first experiment that differs deviates from the default machine, to which published
/// values apply: "link.bandwidth = 75 GB/s and 2 more". Returns an empty text if all experiments have the default
/// machine.
std::string changedMachine(const FigureProvenance& provenance);

}  // namespace data
