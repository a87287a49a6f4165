#pragma once

#include "data/evaluations/reproduce.h"
#include "data/figure/figure_spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// The sixteen sub-layers of the published evaluation as figures show them: a panel a model, a group a TP degree.

inline constexpr std::size_t kPanelCases = 8;  ///< of each model

using ReproducedCases = std::vector<const ReproducedCase*>;

/// The cases under one policy, in the order of evaluatedCases().
ReproducedCases casesUnder(const Reproduction& evaluation, std::string_view policy);

/// The categories of one model's panel: its sub-layers by TP degree.
FigureCategories categoriesOf(std::size_t model);

/// The title of the panel that sums up all models: "All 16 sub-layers".
std::string allCasesTitle();
inline constexpr double kAllCasesWeight = 0.7;  ///< it has fewer bars

/// "Mega-GPT-2".
std::string evaluatedModel(std::size_t model);

/// "T-NLG FC-2, TP 8".
std::string titleOf(const ReproducedCase& one);

const ReproducedItem& itemOf(const Reproduction& evaluation, std::string_view id);

/// One item beside what a reader is to call it: "T3-MCA".
struct ComparedItem {
    std::string_view id, name;
};

/// "T3-MCA 1.28 (published: 1.30, -1.5 %); T3 1.25 (published: 1.20, second-hand, +3.9 %)": no difference is left out.
std::string comparisonText(const Reproduction& evaluation, const std::vector<ComparedItem>& items);

/// Says in a caption what the marks of published values are, and cites their source.
std::string publishedSentence();

/// A mark of what was published over one bar of a category. Bars are too narrow for numbers: the caption has them.
FigureReference markOf(const ReproducedItem& item, double value, std::size_t category, std::size_t bar);

/// The runs behind these cases, each once.
void addExperiments(const ReproducedCases& cases, const Settings& settings, FigureProvenance& provenance);

}  // namespace data
