#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data {

struct Evaluation;

/// One published number to show beside ours, with its label (published, second-hand, derived).
struct PublishedItem {
    std::string id;    ///< "t3-mca-geomean"
    std::string what;  ///< a description
    double value = 0;
    std::string label;
};

/// The name of the evaluation whose numbers are shown beside sub-layers: T3's. Each of its items has one published
/// number.
inline constexpr std::string_view kPublishedEvaluation = "t3";
const Evaluation& publishedEvaluation();

/// Returns all items of that evaluation, in their order.
const std::vector<PublishedItem>& publishedItems();

/// Returns the source of these numbers as an entry of a bibliography.
const std::string& publishedSource();

/// Returns the source as cited in a sentence: "Pati et al., ASPLOS 2024".
const std::string& publishedCitation();

}  // namespace data
