#pragma once

#include "data/document/value_places.h"
#include "data/evaluations/reproduce.h"
#include "data/figure/figure_spec.h"
#include "data/presets/presets.h"
#include "engine/api/experiment.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// What the figures of the gallery say in words, the same in all of them.

/// "25.1 %", of a fraction.
std::string percentText(double fraction, int decimals = 1);

/// "+3.9 %", "-4.2 points".
std::string signedText(double value, int decimals, std::string_view unit);

/// "1.13 to 1.47": the least and the most of them.
std::string rangeText(std::span<const double> values, int decimals);

double geomeanOf(std::span<const double> values);

/// The title of a bundled model, "T-NLG", or the name itself.
std::string modelTitle(std::string_view name);

/// "OP", "FC-2".
std::string sublayerTitle(std::string_view name);

/// "T3-MCA", "Ideal overlap + NMC": short enough for a legend.
std::string policyTitle(std::string_view name);

/// "policy/t3-mca".
std::string policyMeaning(std::string_view name);

/// What closes every caption: "Simulated by Ringside 0.1.0 (engine 3) at standard detail." With settings, those too.
std::string madeSentence(engine::DetailLevel level, const Settings& settings);

/// The same where nothing was simulated: "Computed by Ringside 0.1.0 (engine 3)."
std::string computedSentence(const Settings& settings);

/// Of bars over sequential execution, from zero.
FigureAxis speedupAxis();

/// Of stacks that add up to the whole runtime.
FigureAxis shareAxis();

/// Ticks by hand and where the axis ends, as long as the data stays below that; otherwise the layout chooses both.
void useTicks(FigureAxis& axis, double most, double to, std::vector<double> ticks);

/// "ringside figure sublayer-speedup --set link.bandwidth=75GB/s".
std::string figureCommand(std::string_view name, const Settings& settings);

/// With its document: its presets and these settings.
FigureProvenance::Experiment provenanceOf(const std::string& name, const engine::Experiment& experiment,
                                          const Settings& settings);

/// "published: 1.30", or "published: 1.20, second-hand" where the number was not read in the paper itself.
std::string publishedText(const std::string& number, std::string_view label);

/// A published item by its id, to stand in the provenance.
FigureProvenance::Published publishedUse(std::string_view id);

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
