#include "data/document/value_places.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/trace/traffic_profile.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <cmath>

// Figures of the DRAM traffic of one GPU: its amount, and its course over time.

namespace data {
namespace {

/// A kind of access. Reads have a light colour, writes a dark one.
struct AccessKind {
    const char* name;
    const char* meaning;
    engine::Bytes engine::DramResult::*amount;
    engine::Bytes TrafficProfile::Slice::*rate;
};
using Slice = TrafficProfile::Slice;
using Dram = engine::DramResult;
constexpr std::array kKinds{AccessKind{"GEMM reads", "gemm/light", &Dram::gemmRead, &Slice::gemmRead},
                            AccessKind{"GEMM writes", "gemm", &Dram::gemmWrite, &Slice::gemmWrite},
                            AccessKind{"RS reads", "reduce-scatter/light", &Dram::rsRead, &Slice::rsRead},
                            AccessKind{"RS writes", "reduce-scatter", &Dram::rsWrite, &Slice::rsWrite},
                            AccessKind{"AG reads", "all-gather/light", &Dram::agRead, &Slice::agRead},
                            AccessKind{"AG writes", "all-gather", &Dram::agWrite, &Slice::agWrite}};

constexpr std::array kPolicies{"sequential", "t3-mca"};
constexpr std::array kBarNames{"S", "T"};  // under bars too narrow for words

double partOf(engine::Bytes part, engine::Bytes whole) {
    return static_cast<double>(part.count) / static_cast<double>(whole.count);
}

/// Returns the share of the accesses that remains under T3-MCA, by case.
std::vector<double> accessesLeft(const Reproduction& evaluation) {
    const ReproducedCases before = casesUnder(evaluation, "sequential"), after = casesUnder(evaluation, "t3-mca");
    std::vector<double> left;
    for (std::size_t i = 0; i < before.size(); ++i)
        left.push_back(partOf(after[i]->dram->total, before[i]->dram->total));
    return left;
}

/// Returns a bar with its stack for each case.
FigureBar accessBar(const Reproduction& evaluation, std::size_t model, std::size_t policy) {
    const ReproducedCases whole = casesUnder(evaluation, "sequential");
    const ReproducedCases cases = casesUnder(evaluation, kPolicies[policy]);
    FigureBar bar{kBarNames[policy], {}};
    for (const AccessKind& kind : kKinds) {
        FigureSeries series{kind.name, kind.meaning, {}, {}, {}, 0};
        for (std::size_t i = model * kPanelCases; i < (model + 1) * kPanelCases; ++i)
            series.values.emplace_back(partOf((*cases[i]->dram).*kind.amount, whole[i]->dram->total));
        bar.stack.push_back(std::move(series));
    }
    return bar;
}

/// Returns a panel with a bar for each policy, which `barOf` makes, and with the axis that all panels have.
template <class BarOf>
FigurePanel accessPanel(const Reproduction& evaluation, BarOf barOf) {
    const std::vector<double> left = accessesLeft(evaluation);
    FigurePanel panel;
    panel.y.title = "DRAM accesses";
    panel.y.relativeTo = "sequential";
    panel.y.from = 0;
    useTicks(panel.y, *std::max_element(left.begin(), left.end()), 1, {0, 0.25, 0.5, 0.75, 1});
    BarMark mark;
    for (std::size_t policy = 0; policy < kPolicies.size(); ++policy)
        mark.bars.push_back(barOf(policy));
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

FigurePanel modelAccessPanel(const Reproduction& evaluation, std::size_t model) {
    FigurePanel panel =
        accessPanel(evaluation, [&](std::size_t policy) { return accessBar(evaluation, model, policy); });
    panel.title = evaluatedModel(model);
    panel.categories = categoriesOf(model);
    return panel;
}

/// Returns a panel with the smallest share of accesses that T3-MCA leaves, and the geometric mean of the shares; both
/// count all kinds of access together.
FigurePanel allAccessesPanel(const Reproduction& evaluation) {
    const std::vector<double> left = accessesLeft(evaluation);
    const FigureValues sequential{1, 1}, after{*std::min_element(left.begin(), left.end()), geomeanOf(left)};
    FigurePanel panel = accessPanel(evaluation, [&](std::size_t policy) {
        return FigureBar{kBarNames[policy], {{"All accesses", "neutral", policy == 0 ? sequential : after, {}, {}, 0}}};
    });
    panel.title = allCasesTitle();
    panel.weight = kAllCasesWeight;
    panel.categories.labels = {"Min.", "Geomean"};
    std::size_t category = 0;
    for (const char* id : {"dram-reduction-max", "dram-reduction-geomean"}) {
        const ReproducedItem& item = itemOf(evaluation, id);
        panel.references.push_back(markOf(item, 1 - item.published.value, category++, 1));
    }
    return panel;
}

std::string accessAlternative(const Reproduction& evaluation) {
    const std::vector<double> left = accessesLeft(evaluation);
    const ReproducedCases cases = casesUnder(evaluation, "t3-mca");
    const auto least = std::min_element(left.begin(), left.end());
    const auto most = std::max_element(left.begin(), left.end());
    const auto titleAt = [&](auto at) { return titleOf(*cases[static_cast<std::size_t>(at - left.begin())]); };
    std::string text =
        "Two stacked bars for each of sixteen sub-layers, in a panel for each model, and one panel for the least and "
        "the geometric mean of all sixteen: sequential, which is 1, "
        "and T3-MCA, which is " +
        rangeText(left, 2) + " of it, geomean " + fixedNumber(geomeanOf(left), 2) + "; least in " + titleAt(least) +
        ", most in " + titleAt(most) + ".";
    for (const AccessKind& kind : kKinds) {
        engine::Bytes before, after, all;
        for (const ReproducedCase* one : casesUnder(evaluation, "sequential")) {
            before += (*one->dram).*kind.amount;
            all += one->dram->total;
        }
        for (const ReproducedCase* one : cases)
            after += (*one->dram).*kind.amount;
        text += " " + std::string(kind.name) + ": " + percentText(partOf(before, all)) +
                " of all bytes, under T3-MCA " + percentText(partOf(after, all)) + ".";
    }
    return text;
}

/// Returns a round number of microseconds that divides the longest run into at most this number of slices.
engine::Duration sliceOf(const std::vector<GalleryRun>& runs) {
    constexpr std::int64_t kMostSlices = 150;
    std::int64_t longest = 0;
    for (const GalleryRun& run : runs)
        longest = std::max(longest, run.result.trace->end.ps);
    return {wholeNiceStep(longest, kMostSlices - 1, 1'000)};
}

double microseconds(std::int64_t ps) { return static_cast<double>(ps) / 1e6; }

FigurePanel trafficPanel(const GalleryRun& run, engine::Duration slice, double until) {
    const TrafficProfile profile = trafficOf(*run.result.trace, slice);
    const std::string policy(engine::name(run.experiment.policy.preset));
    FigurePanel panel;
    panel.title = policyTitle(policy) + ": " + fixedNumber(microseconds(run.result.trace->end.ps), 0) + " µs";
    panel.x.title = "Time";
    panel.x.unit = "µs";
    panel.x.from = 0;
    panel.x.to = until;
    panel.y.title = "DRAM traffic";
    panel.y.unit = "GB/s";
    panel.y.from = 0;
    AreaMark mark;
    mark.stepped = true;
    for (std::size_t i = 0; i <= profile.slices.size(); ++i)
        mark.x.push_back(microseconds(slice.ps * static_cast<std::int64_t>(i)));
    for (const AccessKind& kind : kKinds) {
        FigureSeries series{kind.name, kind.meaning, {}, {}, {}, 0};
        for (const Slice& one : profile.slices)
            series.values.emplace_back(static_cast<double>((one.*kind.rate).count) * 1e3 /
                                       static_cast<double>(slice.ps));
        mark.series.push_back(std::move(series));
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

/// Returns the height of the highest column of the panel's areas.
double peakOf(const FigurePanel& panel) {
    const auto& mark = std::get<AreaMark>(panel.marks.front());
    double peak = 0;
    for (std::size_t i = 0; i + 1 < mark.x.size(); ++i) {
        double sum = 0;
        for (const FigureSeries& series : mark.series)
            sum += *series.values[i];
        peak = std::max(peak, sum);
    }
    return peak;
}

std::string trafficAlternative(const std::vector<GalleryRun>& runs, const std::vector<FigurePanel>& panels) {
    std::string text = "Stacked areas over time in two panels, one below the other with the same axes.";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const engine::Trace& trace = *runs[i].result.trace;
        const engine::DramResult& dram = *runs[i].result.last.dram;
        const auto at = [](engine::TimePoint time) { return fixedNumber(microseconds(time.ps), 0) + " µs"; };
        text += " " + policyTitle(engine::name(runs[i].experiment.policy.preset)) + ": the GEMM ends at " +
                at(trace.gemmEnd) + ", the reduce-scatter runs from " + at(trace.reduceScatterStart) + " to " +
                at(trace.reduceScatterEnd) + ", the all-gather ends at " + at(trace.allGatherEnd) + "; " +
                fixedNumber(static_cast<double>(dram.total.count) / 1e6, 0) + " MB in all, at most " +
                fixedNumber(peakOf(panels[i]), 0) + " GB/s.";
    }
    return text;
}

}  // namespace

FigureSpec dramAccessFigure(GalleryRuns& runs) {
    const Reproduction& evaluation = runs.evaluation();
    FigureSpec figure;
    figure.columns = 0;
    for (const std::size_t model : {std::size_t{0}, std::size_t{1}})
        figure.panels.push_back(modelAccessPanel(evaluation, model));
    figure.panels.push_back(allAccessesPanel(evaluation));
    figure.caption =
        "DRAM accesses of one GPU in 16 sub-layers under sequential execution (S) and T3-MCA (T), in bytes, normalised "
        "to sequential; RS: reduce-scatter, AG: all-gather; updates near memory count as writes. The last panel has "
        "the smallest share that T3-MCA leaves and the geometric mean of the shares in all 16. " +
        publishedSentence() + " Saved: " +
        comparisonText(evaluation, {{"dram-reduction-geomean", "geomean"}, {"dram-reduction-max", "most"}}) + ".";
    figure.alternative = accessAlternative(evaluation);
    for (const char* policy : kPolicies)
        addExperiments(casesUnder(evaluation, policy), runs.settings(), figure.provenance);
    for (const char* id : {"dram-reduction-geomean", "dram-reduction-max"})
        figure.provenance.published.push_back(publishedUse(id));
    return figure;
}

FigureSpec dramTrafficFigure(GalleryRuns& runs) {
    const std::vector<GalleryRun>& traced = runs.traced();
    const engine::Duration slice = sliceOf(traced);
    double until = 0;
    for (const GalleryRun& run : traced)
        until = std::max(until, microseconds((run.result.trace->end.ps / slice.ps + 1) * slice.ps));
    FigureSpec figure;
    double peak = 0;
    for (const GalleryRun& run : traced) {
        figure.panels.push_back(trafficPanel(run, slice, until));
        peak = std::max(peak, peakOf(figure.panels.back()));
        figure.provenance.experiments.push_back(provenanceOf(run.name, run.experiment, runs.settings()));
    }
    for (FigurePanel& panel : figure.panels) {
        panel.y.to = std::ceil(peak / 250) * 250;  // the same end of the axis in both panels
        useTicks(panel.y, peak, 800, {0, 200, 400, 600, 800});
    }
    figure.caption =
        "DRAM traffic of one GPU in T-NLG FC-2 on 8 GPUs (n = 1 sub-layer), averaged over slices of " +
        fixedNumber(microseconds(slice.ps), slice.ps < 1'000'000 ? 3 : 0) +
        " µs; RS: reduce-scatter, AG: all-gather; updates near memory count as writes. Under T3-MCA the reduce-scatter "
        "runs beside the GEMM that feeds it.";
    figure.alternative = trafficAlternative(traced, figure.panels);
    return figure;
}

}  // namespace data
