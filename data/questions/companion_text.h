#pragma once

#include "data/presets/presets.h"
#include "engine/api/problem.h"

#include <string>
#include <string_view>

namespace data {

/// Returns the values of `companion.*` that a short text sets: "all-gather 896MiB", "all-to-all", "gemm", "gemm
/// 4096x1024x1024 x3" (m x n x k, three copies). Values that the text does not mention are left out. Adds problems of
/// the text to `problems`, under the path `name`.
Settings companionSettings(std::string_view text, std::string_view name, engine::Problems& problems);

/// Returns a description of the allowed texts, with examples.
std::string companionTextAllowed();

}  // namespace data
