#pragma once

#include <string>
#include <vector>

namespace data {

/// One published figure to stand beside ours, with its label (published, second-hand, derived).
struct PublishedItem {
    std::string id;    ///< "t3-mca-geomean"
    std::string what;  ///< in words
    double value = 0;
    std::string label;
};

/// All of data/evaluations/published.json, in its order.
const std::vector<PublishedItem>& publishedItems();

/// Where they come from, as an entry of a bibliography.
const std::string& publishedSource();

/// The same as it stands in a sentence: "Pati et al., ASPLOS 2024".
const std::string& publishedCitation();

}  // namespace data
