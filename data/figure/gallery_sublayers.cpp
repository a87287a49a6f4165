#include "data/document/names.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

// Figures of the sixteen sub-layers: the parts of their time, and the speed-up of policies.

namespace data {
namespace {

constexpr std::array kParts{"GEMM", "Reduce-scatter", "All-gather"};
constexpr std::array kPartMeanings{"gemm", "reduce-scatter", "all-gather"};

double shareOf(const engine::TimeResult& time, std::size_t part) {
    const engine::Duration parts[]{time.gemm, time.reduceScatter, time.allGather};
    return 100 * static_cast<double>(parts[part].ps) / static_cast<double>(time.total.ps);
}

FigurePanel runtimePanel(const ReproducedCases& cases, std::size_t model) {
    FigurePanel panel;
    panel.title = evaluatedModel(model);
    panel.categories = categoriesOf(model);
    panel.y = shareAxis();
    BarMark mark;
    mark.bars.resize(1);
    for (std::size_t part = 0; part < kParts.size(); ++part) {
        FigureSeries series{kParts[part], kPartMeanings[part], {}, {}, {}, 0};
        for (std::size_t i = model * kPanelCases; i < (model + 1) * kPanelCases; ++i)
            series.values.emplace_back(shareOf(cases[i]->time, part));
        mark.bars.front().stack.push_back(std::move(series));
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

constexpr std::array kPolicies{"t3", "t3-mca", "ideal-overlap", "ideal-overlap-nmc"};
/// The published item of each policy; the last policy has none.
constexpr std::array kGeomeans{"t3-geomean", "t3-mca-geomean", "ideal-overlap-geomean"};
constexpr std::array kMaxima{"t3-max", "t3-mca-max", "ideal-overlap-max"};

std::vector<double> speedups(const Reproduction& evaluation, std::string_view policy) {
    std::vector<double> values;
    for (const ReproducedCase* one : casesUnder(evaluation, policy))
        values.push_back(one->speedup);
    return values;
}

/// Returns a panel with a bar for each policy and with the axis that all panels have. `valuesOf` selects the values of
/// a policy's bars from its 16 speed-ups.
template <class ValuesOf>
FigurePanel speedupPanel(const Reproduction& evaluation, ValuesOf valuesOf) {
    FigurePanel panel;
    panel.y = speedupAxis();
    BarMark mark;
    double highest = 0;
    for (const char* policy : kPolicies) {
        const std::vector<double> all = speedups(evaluation, policy);
        mark.bars.push_back({{}, {{policyTitle(policy), policyMeaning(policy), valuesOf(all), {}, {}, 0}}});
        highest = std::max(highest, *std::max_element(all.begin(), all.end()));
    }
    panel.marks.emplace_back(std::move(mark));
    useTicks(panel.y, highest, 1.8, {0, 0.5, 1, 1.5});  // with room for the numbers at marks
    return panel;
}

FigurePanel modelSpeedupPanel(const Reproduction& evaluation, std::size_t model) {
    FigurePanel panel = speedupPanel(evaluation, [&](const std::vector<double>& all) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(model * kPanelCases);
        return FigureValues(first, first + kPanelCases);
    });
    panel.title = evaluatedModel(model);
    panel.categories = categoriesOf(model);
    return panel;
}

/// Returns a panel with the best of all cases and their geometric mean, beside the published values of both.
FigurePanel allSpeedupsPanel(const Reproduction& evaluation) {
    FigurePanel panel = speedupPanel(evaluation, [](const std::vector<double>& all) {
        return FigureValues{*std::max_element(all.begin(), all.end()), geomeanOf(all)};
    });
    panel.title = allCasesTitle();
    panel.weight = kAllCasesWeight;
    panel.categories.labels = {"Max.", "Geomean"};
    std::size_t category = 0;
    for (const auto& published : {kMaxima, kGeomeans}) {
        for (std::size_t bar = 0; bar < published.size(); ++bar) {
            const ReproducedItem& item = itemOf(evaluation, published[bar]);
            panel.references.push_back(markOf(item, item.published.value, category, bar));
        }
        ++category;
    }
    return panel;
}

/// Returns the names of cases; cases that differ only in their TP degree are joined: "Mega-GPT-2 OP (TP 8, 16)".
std::string casesText(const ReproducedCases& cases) {
    NamedDegrees degrees;
    for (const ReproducedCase* one : cases)
        concernedBy(modelTitle(one->model) + " " + sublayerTitle(one->sublayer), degrees)
            .push_back(std::to_string(one->tp));
    return withDegrees(degrees);
}

/// The ideals that a simulated run is faster than.
enum class Beyond : std::uint8_t { none, overlap, nearMemory, both };

/// Returns the cases in which the runs of `policy` are faster than exactly these ideals.
ReproducedCases casesBeyond(const Reproduction& evaluation, std::string_view policy, Beyond wanted) {
    const ReproducedCases runs = casesUnder(evaluation, policy), overlap = casesUnder(evaluation, "ideal-overlap"),
                          nearMemory = casesUnder(evaluation, "ideal-overlap-nmc");
    ReproducedCases cases;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool one = runs[i]->speedup > overlap[i]->speedup, other = runs[i]->speedup > nearMemory[i]->speedup;
        const Beyond beyond = one && other ? Beyond::both
                              : one        ? Beyond::overlap
                              : other      ? Beyond::nearMemory
                                           : Beyond::none;
        if (beyond == wanted)
            cases.push_back(runs[i]);
    }
    return cases;
}

/// Returns a sentence that says in which cases each policy exceeds these ideals: "T3 and T3-MCA exceed both ideals in
/// T-NLG OP (TP 16) because ..."; empty if no policy does.
std::string beyondSentence(const Reproduction& evaluation, Beyond ideals, const char* named, const char* because) {
    std::vector<std::pair<std::string, std::vector<std::string>>> policies;  // by their cases
    for (const char* policy : {"t3", "t3-mca"}) {
        const ReproducedCases cases = casesBeyond(evaluation, policy, ideals);
        if (!cases.empty())
            concernedBy(casesText(cases), policies).push_back(policyTitle(policy));
    }
    std::vector<std::string> clauses;
    for (const auto& [cases, titles] : policies)
        clauses.push_back(joined(titles, " and ") + (titles.size() > 1 ? " exceed " : " exceeds ") + named + " in " +
                          cases);
    return clauses.empty() ? std::string() : " " + joined(clauses, "; ") + " because " + because + ".";
}

/// Returns sentences that say which policy is faster than which ideal, where, and why that is possible; empty if no
/// policy is.
std::string beyondIdealText(const Reproduction& evaluation) {
    constexpr const char* kAlone = "the ideals overlap a GEMM and a reduce-scatter that take as long as they do alone";
    return beyondSentence(evaluation, Beyond::overlap, "ideal overlap", "ideal overlap has no NMC") +
           beyondSentence(evaluation, Beyond::nearMemory, "ideal overlap with NMC", kAlone) +
           beyondSentence(evaluation, Beyond::both, "both ideals", kAlone);
}

std::string speedupAlternative(const Reproduction& evaluation) {
    std::string text = "Bars by policy for sixteen sub-layers, in three panels: Mega-GPT-2, T-NLG, and the maximum and "
                       "the geometric mean of all sixteen.";
    for (const char* policy : kPolicies) {
        const ReproducedCases cases = casesUnder(evaluation, policy);
        const auto most = std::max_element(cases.begin(), cases.end(),
                                           [](const auto* a, const auto* b) { return a->speedup < b->speedup; });
        const std::vector<double> values = speedups(evaluation, policy);
        text += " " + policyTitle(policy) + ": " + rangeText(values, 2) + " times as fast as sequential, geomean " +
                fixedNumber(geomeanOf(values), 2) + ", most in " + titleOf(**most) + ".";
    }
    return text;
}

}  // namespace

FigureSpec sublayerRuntimeFigure(GalleryRuns& runs) {
    const Reproduction& evaluation = runs.evaluation();
    const ReproducedCases cases = casesUnder(evaluation, "sequential");
    FigureSpec figure;
    figure.columns = 2;
    for (const std::size_t model : {std::size_t{0}, std::size_t{1}})
        figure.panels.push_back(runtimePanel(cases, model));
    figure.caption =
        "Where the time of 16 sub-layers goes when GEMM, reduce-scatter and all-gather follow one another on all "
        "compute units: two models, tensor parallelism over 8 and 16 GPUs in a ring, four sub-layers of a layer (FC-1 "
        "and FC-2 have the same shape).";
    figure.alternative = "Stacked bars of 100 % for sixteen sub-layers, in two panels by model.";
    for (std::size_t part = 0; part < kParts.size(); ++part) {
        std::vector<double> shares;
        for (const ReproducedCase* one : cases)
            shares.push_back(shareOf(one->time, part));
        const auto most = std::max_element(shares.begin(), shares.end());
        figure.alternative += " " + std::string(kParts[part]) + ": " + rangeText(shares, 1) + " %, most in " +
                              titleOf(*cases[static_cast<std::size_t>(most - shares.begin())]) + ".";
    }
    addExperiments(cases, runs.settings(), figure.provenance);
    return figure;
}

FigureSpec sublayerSpeedupFigure(GalleryRuns& runs) {
    const Reproduction& evaluation = runs.evaluation();
    FigureSpec figure;
    figure.columns = 0;
    for (const std::size_t model : {std::size_t{0}, std::size_t{1}})
        figure.panels.push_back(modelSpeedupPanel(evaluation, model));
    figure.panels.push_back(allSpeedupsPanel(evaluation));
    figure.caption =
        "Speed-up of 16 sub-layers (GEMM, reduce-scatter and all-gather) over sequential execution; the last panel "
        "has the maximum and the geometric mean of all 16. " +
        publishedSentence() + " Geomeans: " +
        comparisonText(
            evaluation,
            {{"t3-geomean", "T3"}, {"t3-mca-geomean", "T3-MCA"}, {"ideal-overlap-geomean", "ideal overlap"}}) +
        ". Maxima: " +
        comparisonText(evaluation,
                       {{"t3-max", "T3"}, {"t3-mca-max", "T3-MCA"}, {"ideal-overlap-max", "ideal overlap"}}) +
        ". Ideal overlap with near-memory compute (NMC) has no published geomean." + beyondIdealText(evaluation);
    figure.alternative = speedupAlternative(evaluation);
    addExperiments(casesUnder(evaluation, "sequential"), runs.settings(), figure.provenance);
    for (const char* policy : kPolicies)
        addExperiments(casesUnder(evaluation, policy), runs.settings(), figure.provenance);
    for (const auto& ids : {kGeomeans, kMaxima})
        for (const char* id : ids)
            figure.provenance.published.push_back(publishedUse(id));
    return figure;
}

}  // namespace data
