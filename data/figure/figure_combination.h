#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"

#include <string>
#include <vector>

namespace data {

/// A figure that becomes a part of another one, with the name of its file.
struct CombinedPart {
    std::string file;
    FigureSpec figure;
};

/// Returns one figure with the panels of all parts in their order. The first part decides size, theme and legend, and
/// entries of the legend that are equal appear once. Its source has the documents of all parts, so that each can be edited
/// and made again. Adds a problem for fewer than two parts, for a figure that is there twice or in itself, for a number of
/// panels above the limit, and for two series of one name and different looks. `remarks` gets a sentence for each part of
/// another size or theme.
FigureSpec combined(const std::vector<CombinedPart>& parts, engine::Problems& problems,
                    std::vector<std::string>& remarks);

/// Reads the parts of a combined figure; adds a problem for each that cannot be read.
std::vector<CombinedPart> partsIn(const FigureSource& source, engine::Problems& problems);

}  // namespace data
