#pragma once

#include "data/figure/figure_spec.h"

#include <optional>
#include <string>
#include <string_view>

namespace ui {

/// A unit taken apart: "KiB" is 1024 times "B".
struct PrefixedUnit {
    std::string_view prefix, base;
    double size = 1;
};

/// Returns an empty optional for a unit without a prefix ("s", "%") and for one that is not known.
std::optional<PrefixedUnit> prefixOf(std::string_view unit);

/// Returns the first unit of the same kind in which `largest`, given in `unit`, needs no "k" beside its digits; an empty
/// optional where there is none.
std::optional<std::string> largerUnit(std::string_view unit, double largest);

/// Moves everything along x (or y) of the panel to another unit of the same base.
void useUnit(data::FigurePanel& panel, bool alongX, const std::string& unit);

}  // namespace ui
