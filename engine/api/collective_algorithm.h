#pragma once

#include <array>
#include <string_view>

namespace engine {

/// The algorithm by which the chunks of a collective travel. The schedule of each is in a file of `engine/collective`.
enum class CollectiveAlgorithm { ring, direct, hierarchical, halvingDoubling, doubleTree };

struct CollectiveAlgorithmText {
    std::string_view word;     ///< the value of collective.algorithm
    std::string_view meaning;  ///< an explanation that fits into the parameter's description
};

/// The texts, in the order of the enumerators.
inline constexpr std::array<CollectiveAlgorithmText, 5> kCollectiveAlgorithms{{
    {"ring", "N-1 steps to the neighbour"},
    {"direct", "each straight to its owner, all at once"},
    {"hierarchical", "within each of two nodes, then between pairs of GPUs of the two"},
    {"halving-doubling", "log2 N steps, each with another partner: half of what is left is exchanged in each step of "
                         "the reduce-scatter, twice as much in each of the all-gather"},
    {"double-tree", "an all-reduce up and down two binary trees, half of the chunks over each; a GPU with children in "
                    "one tree is a leaf of the other"},
}};

}  // namespace engine
