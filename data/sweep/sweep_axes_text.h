#pragma once

#include "data/sweep/sweep_document.h"

#include <string>

namespace data {

/// What varies: "Bandwidth per direction × Tiles of a block"; the policies where nothing else does.
std::string axesText(const Sweep& sweep);

}  // namespace data
