#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data {

struct Evaluation;

/// One published figure to stand beside ours, with its label (published, second-hand, derived).
struct PublishedItem {
    std::string id;    ///< "t3-mca-geomean"
    std::string what;  ///< in words
    double value = 0;
    std::string label;
};

/// The evaluation whose numbers stand beside sub-layers: that of T3. Each of its items has one published number.
inline constexpr std::string_view kPublishedEvaluation = "t3";
const Evaluation& publishedEvaluation();

/// All of its items, in their order.
const std::vector<PublishedItem>& publishedItems();

/// Where they come from, as an entry of a bibliography.
const std::string& publishedSource();

/// The same as it stands in a sentence: "Pati et al., ASPLOS 2024".
const std::string& publishedCitation();

}  // namespace data
