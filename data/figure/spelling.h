#pragma once

#include "data/figure/figure_spec.h"

#include <string>

namespace data {

/// Returns a text with American spelling: "normalised colours" becomes "normalized colors".
std::string americanSpelling(std::string text);

/// Spells all texts of a figure in the American way, except its provenance.
void toAmericanSpelling(FigureSpec& figure);

}  // namespace data
