#pragma once

#include "engine/api/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace engine {

/// A number format in which a GPU may hold copies of the weights (training.copies).
struct WeightFormat {
    std::string_view word;
    std::int64_t bits = 0;  ///< of a weight, its part of a block's shared bits included
};
inline constexpr std::array kWeightFormats{WeightFormat{"mx9", 9}, WeightFormat{"mx6", 6}, WeightFormat{"mx4", 4},
                                           WeightFormat{"bf16", 16}};

inline constexpr std::int64_t kMostCopies = 16;  ///< of the weights, all formats together

/// Copies of the weights in one format.
struct WeightCopies {
    WeightFormat format;
    std::int64_t count = 1;
};

struct CopiesReading {
    std::vector<WeightCopies> copies;
    std::optional<Problem> problem;  ///< the first one, under the path training.copies
};

/// Reads the value of training.copies: "none", or formats divided by commas, each with ":" and a number if there are
/// several copies: "mx9:2,bf16".
CopiesReading readCopies(std::string_view text);

/// Returns the bits of all copies of one weight together.
std::int64_t bitsOf(const std::vector<WeightCopies>& copies);

}  // namespace engine
