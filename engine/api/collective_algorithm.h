#pragma once

#include <array>
#include <string_view>

namespace engine {

/// The algorithm by which the chunks of a collective travel. Each has its schedule in a file of `engine/collective`.
enum class CollectiveAlgorithm { ring, direct, hierarchical, halvingDoubling, doubleTree, inSwitch };

struct CollectiveAlgorithmText {
    std::string_view word;     ///< the value of collective.algorithm
    std::string_view meaning;  ///< an explanation that fits into the parameter's description
    /// A switch adds and copies packets. An all-reduce is then one collective, whose sums come back to every GPU;
    /// otherwise it is a reduce-scatter and an all-gather.
    bool addsInSwitch = false;
};

/// The texts, in the order of the enumerators.
inline constexpr std::array<CollectiveAlgorithmText, 6> kCollectiveAlgorithms{{
    {"ring", "N-1 steps to the neighbour"},
    {"direct", "each chunk straight to its owner, all in one step"},
    {"hierarchical", "within each of two nodes, then between pairs of GPUs of the two"},
    {"halving-doubling",
     "log2 N steps, each with another partner: each step of the reduce-scatter exchanges half of the chunks that are "
     "left, each step of the all-gather twice as many as the step before"},
    {"double-tree",
     "an all-reduce up and down two binary trees, with half of the chunks on each tree; a GPU with children in one "
     "tree is a leaf of the other"},
    {"in-switch",
     "the switch that joins all GPUs adds the packets of a reduction and copies those of an all-gather, so that each "
     "GPU sends and receives every byte once; an all-reduce is one pass, which counts as the reduce-scatter",
     true},
}};

}  // namespace engine
