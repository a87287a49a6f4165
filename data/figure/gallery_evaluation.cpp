#include "data/figure/gallery_evaluation.h"

#include "data/figure/gallery_words.h"
#include "data/laboratory/laboratory.h"

#include <algorithm>
#include <cassert>

namespace data {

ReproducedCases casesUnder(const Reproduction& evaluation, std::string_view policy) {
    ReproducedCases cases;
    for (const ReproducedCase& one : evaluation.cases) {
        if (one.policy == policy)
            cases.push_back(&one);
    }
    return cases;
}

FigureCategories categoriesOf(std::size_t model) {
    FigureCategories categories;
    const std::vector<EvaluatedCase> cases = evaluatedCases();
    for (std::size_t i = model * kPanelCases; i < (model + 1) * kPanelCases; ++i) {
        const std::string group = "TP " + std::to_string(cases[i].tp);
        if (categories.groups.empty() || categories.groups.back().label != group)
            categories.groups.push_back({group, 0});
        ++categories.groups.back().count;
        categories.labels.push_back(sublayerTitle(cases[i].sublayer));
    }
    return categories;
}

std::string allCasesTitle() { return "All " + std::to_string(evaluatedCases().size()) + " sub-layers"; }

std::string evaluatedModel(std::size_t model) { return modelTitle(evaluatedCases()[model * kPanelCases].model); }

std::string titleOf(const ReproducedCase& one) {
    return modelTitle(one.model) + " " + sublayerTitle(one.sublayer) + ", TP " + std::to_string(one.tp);
}

const ReproducedItem& itemOf(const Reproduction& evaluation, std::string_view id) {
    const auto found = std::find_if(evaluation.items.begin(), evaluation.items.end(),
                                    [&](const ReproducedItem& item) { return item.published.id == id; });
    assert(found != evaluation.items.end());
    return *found;
}

std::string comparisonText(const Reproduction& evaluation, const std::vector<ComparedItem>& items) {
    std::string text;
    for (const ComparedItem& compared : items) {
        const ReproducedItem& item = itemOf(evaluation, compared.id);
        const auto number = [&](double value) {
            return item.isFraction ? percentText(value, 1) : fixedNumber(value, 2);
        };
        const PublishedItem& published = item.published;
        text += (text.empty() ? "" : "; ") + std::string(compared.name) + " " + number(item.value) + " (" +
                publishedText(item.isFraction ? percentText(published.value, 0) : number(published.value),
                              published.label) +
                ", " + signedText(100 * item.difference, 1, item.isFraction ? "points" : "%") + ")";
    }
    return text;
}

std::string publishedSentence() { return "Marks are published values (" + publishedCitation() + ")."; }

FigureReference markOf(const ReproducedItem& item, double value, std::size_t category, std::size_t bar) {
    return {value, "Published", item.published.label, category, bar};
}

void addExperiments(const ReproducedCases& cases, const Settings& settings, FigureProvenance& provenance) {
    for (const ReproducedCase* one : cases)
        provenance.experiments.push_back(
            provenanceOf(caseName(one->experiment) + " " + one->policy, one->experiment, settings));
}

}  // namespace data
