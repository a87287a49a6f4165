#pragma once

#include "data/figure/figure_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// Units of axes. Two units of the same quantity, such as "GB/s" and "TB/s", differ in their prefix alone.

/// Returns whether a unit begins with a prefix: "KiB", but neither "B" nor a unit of unknown quantity, such as "columns".
bool hasPrefix(std::string_view unit);

/// Returns the units of the same quantity, the smallest first, without the unit itself; empty for a unit of unknown
/// quantity.
std::vector<std::string> unitsLike(std::string_view unit);

/// Returns the first unit of the same quantity in which `largest`, given in `unit`, is less than `limit`; an empty
/// optional if no larger unit is known.
std::optional<std::string> largerUnit(std::string_view unit, double largest, double limit);

/// What a change of an axis' unit does.
enum class UnitChange : std::uint8_t {
    relabelled,  ///< the quantity of the unit is unknown: only the name changes
    rescaled,    ///< values, range, ticks, references and annotations are converted
    refused      ///< the new unit is not of the same quantity, or the names along the axis cannot be converted
};

/// Changes the unit of the panel's x axis or y axis. Changes nothing if it is refused.
UnitChange changeUnit(FigurePanel& panel, bool alongX, const std::string& unit);

}  // namespace data
