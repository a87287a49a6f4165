#pragma once

#include "data/document/value_places.h"
#include "data/evaluations/reproduce.h"
#include "data/figure/figure_spec.h"
#include "data/presets/presets.h"
#include "engine/api/experiment.h"
#include "engine/api/parameters.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

// Texts that all figures of the gallery share.

/// Returns a number with its sign and unit: "+3.9 %", "-4.2 points".
std::string signedText(double value, int decimals, std::string_view unit);

/// Returns the least and the largest value: "1.13 to 1.47".
std::string rangeText(std::span<const double> values, int decimals);

/// Names with the TP degrees at which they stand for a case.
using NamedDegrees = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Returns the names with their degrees: "T-NLG OP (TP 8, 16), T-NLG IP (TP 8) and GPT-3 OP (TP 32)".
std::string withDegrees(const NamedDegrees& degrees);

double geomeanOf(std::span<const double> values);

/// Returns the title of a bundled model, "T-NLG", or `name` itself if no model has it.
std::string modelTitle(std::string_view name);

/// Returns the title of a sub-layer: "OP", "FC-2".
std::string sublayerTitle(std::string_view name);

/// Returns the title of a parameter on an axis of a figure: "Bandwidth of a link", "Number of replicas", "Link latency".
std::string parameterTitle(const engine::Parameter& parameter);

/// Returns the title of a parameter's value, given as text: "T-NLG" for the model t-nlg, else the text.
std::string placeTitle(const engine::Parameter& parameter, const std::string& text);

/// Returns the title of a policy, short enough for a legend: "T3-MCA", "Ideal overlap + NMC".
std::string policyTitle(std::string_view name);

/// Returns the meaning of a policy: "policy/t3-mca".
std::string policyMeaning(std::string_view name);

/// Returns the last sentence of every caption: "Simulated by Ringside 0.1.0 (engine 3) at standard detail." Settings
/// are appended if there are any.
std::string madeSentence(engine::DetailLevel level, const Settings& settings);

/// Returns the last sentence of a caption if nothing was simulated: "Computed by Ringside 0.1.0 (engine 3)."
std::string computedSentence(const Settings& settings);

/// Returns the axis for bars of the speed-up over sequential execution, from zero.
FigureAxis speedupAxis();

/// Returns the axis for stacks that add up to the whole runtime.
FigureAxis shareAxis();

/// Sets these ticks and the end of the axis if the data stays below that end; otherwise leaves both to the layout.
void useTicks(FigureAxis& axis, double most, double to, std::vector<double> ticks);

/// Returns a sentence for each notice, each after a blank, for the caption of a figure.
std::string noticeSentences(const engine::Notices& notices);

/// Returns the provenance of an experiment, with its document: its presets and these settings.
FigureProvenance::Experiment provenanceOf(const std::string& name, const engine::Experiment& experiment,
                                          const Settings& settings);

/// Returns "published: 1.30", or "published: 1.20, second-hand" if the number was not read in the paper itself.
std::string publishedText(const std::string& number, std::string_view label);

/// Returns the published item with this id, for a figure's provenance.
FigureProvenance::Published publishedUse(std::string_view id);

// The sixteen sub-layers of the published evaluation as figures show them: one panel for each model, one group for each
// TP degree.

inline constexpr std::size_t kPanelCases = 8;  ///< of each model

using ReproducedCases = std::vector<const ReproducedCase*>;

/// Returns the cases under one policy, in the order of evaluatedCases().
ReproducedCases casesUnder(const Reproduction& evaluation, std::string_view policy);

/// Returns the categories of one model's panel: its sub-layers by TP degree.
FigureCategories categoriesOf(std::size_t model);

/// Returns the title of the panel that summarises all models: "All 16 sub-layers".
std::string allCasesTitle();
inline constexpr double kAllCasesWeight = 0.8;  ///< the weight of that panel, which has fewer bars

/// Returns the title of one of the evaluated models: "Mega-GPT-2".
std::string evaluatedModel(std::size_t model);

/// Returns the title of a case: "T-NLG FC-2, TP 8".
std::string titleOf(const ReproducedCase& one);

const ReproducedItem& itemOf(const Reproduction& evaluation, std::string_view id);

/// An item with the name that the caption gives it: "T3-MCA".
struct ComparedItem {
    std::string_view id, name;
};

/// Returns a comparison with published numbers that states every difference: "T3-MCA 1.28 (published: 1.30, -1.5 %); T3
/// 1.25 (published: 1.20, second-hand, +3.9 %)".
std::string comparisonText(const Reproduction& evaluation, const std::vector<ComparedItem>& items);

/// Returns the sentence of a caption that explains the marks of published values and cites their source.
std::string publishedSentence();

/// Returns a mark of a published value over one bar of a category, with its number: a bar that differs by 1 % ends
/// within the mark.
FigureReference markOf(const ReproducedItem& item, double value, std::size_t category, std::size_t bar);

/// Adds the experiments of these cases to the provenance, each once.
void addExperiments(const ReproducedCases& cases, const Settings& settings, FigureProvenance& provenance);

}  // namespace data
