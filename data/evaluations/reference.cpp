#include "data/evaluations/reference.h"

#include "data/evaluations/evaluation.h"

namespace data {

const Evaluation& publishedEvaluation() {
    static const Evaluation& kEvaluation = *findEvaluation(kPublishedEvaluation);
    return kEvaluation;
}

const std::vector<PublishedItem>& publishedItems() {
    static const std::vector<PublishedItem> kItems = [] {
        std::vector<PublishedItem> items;
        for (const EvaluationItem& item : publishedEvaluation().items)
            items.push_back({item.id, item.what, item.published.front().value, item.label});
        return items;
    }();
    return kItems;
}

const std::string& publishedSource() { return publishedEvaluation().source; }

const std::string& publishedCitation() { return publishedEvaluation().citation; }

}  // namespace data
