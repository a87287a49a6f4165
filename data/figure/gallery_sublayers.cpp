#include "data/figure/gallery_evaluation.h"
#include "data/figure/gallery_figures.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"

#include <algorithm>
#include <array>

// The sixteen sub-layers: where their time goes, and what policies gain.

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
/// What is published of each of them; of the last nothing.
constexpr std::array kGeomeans{"t3-geomean", "t3-mca-geomean", "ideal-overlap-geomean"};
constexpr std::array kMaxima{"t3-max", "t3-mca-max", "ideal-overlap-max"};

std::vector<double> speedups(const Reproduction& evaluation, std::string_view policy) {
    std::vector<double> values;
    for (const ReproducedCase* one : casesUnder(evaluation, policy))
        values.push_back(one->speedup);
    return values;
}

/// The first model's panel closes with the best of the sixteen, the second's with their geomean.
FigurePanel speedupPanel(const Reproduction& evaluation, std::size_t model) {
    const bool best = model == 0;
    FigurePanel panel;
    panel.title = evaluatedModel(model);
    panel.categories = categoriesOf(model, best ? "Max." : "Geomean");
    panel.y = speedupAxis();
    BarMark mark;
    double highest = 0;
    for (const char* policy : kPolicies) {
        const std::vector<double> all = speedups(evaluation, policy);
        FigureSeries series{policyTitle(policy), policyMeaning(policy), {}, {}, {}, 0};
        for (std::size_t i = 0; i < kPanelCases; ++i)
            series.values.emplace_back(all[model * kPanelCases + i]);
        const double most = *std::max_element(all.begin(), all.end());
        series.values.emplace_back(best ? most : geomeanOf(all));
        highest = std::max(highest, most);
        mark.bars.push_back({{}, {std::move(series)}});
    }
    panel.marks.emplace_back(std::move(mark));
    useTicks(panel.y, highest, 1.6, {0, 0.5, 1, 1.5});
    const auto& published = best ? kMaxima : kGeomeans;
    for (std::size_t bar = 0; bar < published.size(); ++bar) {
        const ReproducedItem& item = itemOf(evaluation, published[bar]);
        panel.references.push_back(markOf(item, item.published.value, kPanelCases, bar));
    }
    return panel;
}

std::string speedupAlternative(const Reproduction& evaluation) {
    std::string text = "Bars by policy for sixteen sub-layers, in two panels: Mega-GPT-2 above, T-NLG below.";
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
    for (const std::size_t model : {std::size_t{0}, std::size_t{1}})
        figure.panels.push_back(speedupPanel(evaluation, model));
    figure.caption =
        "Speed-up of 16 sub-layers (GEMM, reduce-scatter and all-gather) over sequential execution, with the maximum and "
        "the geometric mean of all 16 set off. Marks are published values. Geomeans: " +
        comparisonText(
            evaluation,
            {{"t3-geomean", "T3"}, {"t3-mca-geomean", "T3-MCA"}, {"ideal-overlap-geomean", "ideal overlap"}}) +
        ". Maxima: " +
        comparisonText(evaluation,
                       {{"t3-max", "T3"}, {"t3-mca-max", "T3-MCA"}, {"ideal-overlap-max", "ideal overlap"}}) +
        ". Ideal overlap with near-memory updates has no published geomean.";
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
