#include "data/document/value_places.h"
#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"
#include "data/replay/time_lapse.h"
#include "engine/api/run_times.h"
#include "engine/api/trace.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

// Figures of address mappings: what the bank groups of a request cost by policy, and where the traffic goes over time.

namespace data {
namespace {

constexpr const char* kGroupMeanings[] = {"neutral/light", "exposed"};

double milliseconds(engine::Duration time) { return static_cast<double>(time.ps) / 1e9; }

std::string numberWord(std::int64_t count) {
    constexpr std::array kWords{"no", "one", "two", "three", "four"};
    return count < std::ssize(kWords) ? kWords[static_cast<std::size_t>(count)] : std::to_string(count);
}

std::string groupsText(const BankGroupRuns& runs, std::size_t mapping) {
    const std::int64_t groups = runs.groups[mapping];
    return numberWord(groups) + (groups == 1 ? " group" : " groups");
}

/// Returns " The mappings need a power of two of channels: 128 of 160." if the machine has more channels than `of`.
std::string channelsText(const engine::Experiment& of, const GalleryRuns& runs) {
    const std::int64_t all = runs.channelsOfMachine();
    return all == of.dram.pseudoChannels
               ? ""
               : " The mappings need a power of two of channels: " + std::to_string(of.dram.pseudoChannels) +
                     " of the machine's " + std::to_string(all) + ".";
}

/// Returns by how much a time grows from the first mapping to the second.
double growthOf(const BankGroupRuns::Pair& pair, engine::Duration engine::TimeResult::*time) {
    return static_cast<double>((engine::timesOfRun(pair.runs[1].result).*time).ps) /
               static_cast<double>((engine::timesOfRun(pair.runs[0].result).*time).ps) -
           1;
}

FigurePanel groupPanel(const BankGroupRuns& runs, const char* title, engine::Duration engine::TimeResult::*time) {
    FigurePanel panel;
    panel.title = title;
    panel.y.title = "Time";
    panel.y.unit = "ms";
    panel.y.from = 0;
    BarMark mark;
    mark.valuesWritten = true;
    for (std::size_t mapping = 0; mapping < runs.groups.size(); ++mapping) {
        FigureSeries series{groupsText(runs, mapping) + " in a request", kGroupMeanings[mapping], {}, {}, {}, 0};
        series.name[0] = static_cast<char>(std::toupper(series.name[0]));
        for (const BankGroupRuns::Pair& pair : runs.byPolicy)
            series.values.emplace_back(milliseconds(engine::timesOfRun(pair.runs[mapping].result).*time));
        mark.bars.push_back({"", {std::move(series)}});
    }
    for (const BankGroupRuns::Pair& pair : runs.byPolicy)
        panel.categories.labels.push_back(policyTitle(engine::name(pair.runs[0].experiment.policy.preset)));
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

/// Returns "by 0.1 % under Sequential, by 19.4 % under T3 and by 10.1 % under T3-MCA".
std::string growthText(const BankGroupRuns& runs, engine::Duration engine::TimeResult::*time) {
    std::string text;
    for (std::size_t i = 0; i < runs.byPolicy.size(); ++i) {
        const BankGroupRuns::Pair& pair = runs.byPolicy[i];
        text += i == 0 ? "" : i + 1 == runs.byPolicy.size() ? " and " : ", ";
        text += "by " + signedText(100 * growthOf(pair, time), 1, "%") + " under " +
                policyTitle(engine::name(pair.runs[0].experiment.policy.preset));
    }
    return text;
}

constexpr std::int64_t kMostPeriods = 400;

/// The unit of the time axis: runs below a millisecond count in microseconds.
struct TimeUnit {
    const char* name;
    double ps;
    int decimals;
};

TimeUnit timeUnitFor(std::int64_t end) {
    constexpr std::int64_t kMillisecond = 1'000'000'000;
    return end < kMillisecond ? TimeUnit{"µs", 1e6, 0} : TimeUnit{"ms", 1e9, 1};
}

/// Returns the names of the columns of a heat map: of some round times, so that they have room. The first is a plain 0,
/// because the name of a narrow column at the edge must not be wide.
std::vector<std::string> columnNames(const Periods& periods, const TimeUnit& unit) {
    constexpr std::int64_t kMostNames = 6;
    const std::int64_t step = wholeNiceStep(periods.end, kMostNames, periods.length);
    std::vector<std::string> names(periods.count());
    names.front() = "0";
    for (std::int64_t ps = step; ps < periods.end; ps += step)
        names[periods.at(ps)] = fixedNumber(static_cast<double>(ps) / unit.ps, unit.decimals);
    return names;
}

FigurePanel heatPanel(const GalleryRun& run, const TimeLapse& lapse) {
    FigurePanel panel;
    panel.title = "Mapping " + run.experiment.address.mapping + ": " +
                  fixedNumber(milliseconds(engine::timesOfRun(run.result).total), 3) + " ms";
    panel.x.title = "Time";
    const TimeUnit unit = timeUnitFor(lapse.periods().end);
    panel.x.unit = unit.name;
    panel.y.title = "Channel";
    HeatMark mark;
    mark.from = 0;
    mark.to = 100;
    mark.valueTitle = "Of peak";
    mark.valueUnit = "%";
    for (std::size_t row = 0; row < lapse.rows(); ++row) {
        mark.rows.push_back(std::to_string(row));
        for (std::size_t period = 0; period < lapse.periods().count(); ++period)
            mark.values.emplace_back(100 * lapse.utilisation(row, period));
    }
    panel.categories.labels = columnNames(lapse.periods(), unit);
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

/// Returns the busiest channel over the mean of all, of the whole run and on average over its periods, from the cells.
std::string campingText(const GalleryRun& run, const HeatMark& heat) {
    const std::size_t rows = heat.rows.size(), periods = heat.values.size() / rows;
    const auto ofMean = [&](const std::vector<double>& amounts) {
        return std::ranges::max(amounts) * static_cast<double>(rows) /
               std::accumulate(amounts.begin(), amounts.end(), 0.0);
    };
    std::vector<double> whole(rows, 0);
    double sum = 0;
    std::size_t counted = 0;
    for (std::size_t period = 0; period < periods; ++period) {
        std::vector<double> amounts;
        for (std::size_t row = 0; row < rows; ++row) {
            amounts.push_back(*heat.values[row * periods + period]);
            whole[row] += amounts.back();
        }
        if (std::ranges::max(amounts) == 0)
            continue;
        sum += ofMean(amounts);
        ++counted;
    }
    return run.experiment.address.mapping + ": " + fixedNumber(ofMean(whole), 2) + " over the run, " +
           fixedNumber(sum / static_cast<double>(counted), 2) + " in a period";
}

}  // namespace

FigureSpec bankGroupsFigure(GalleryRuns& runs) {
    const BankGroupRuns& study = runs.bankGroups();
    FigureSpec figure;
    figure.columns = 2;
    figure.panels = {groupPanel(study, "GEMM", &engine::TimeResult::gemm),
                     groupPanel(study, "Sub-layer", &engine::TimeResult::total)};
    const engine::Experiment& of = study.byPolicy.front().runs[0].experiment;
    figure.caption =
        "T-NLG FC-2 on " + std::to_string(of.parallel.tp) +
        " GPUs with two address mappings (n = 1 sub-layer): a request covers " + groupsText(study, 0) +
        " of banks, whose bursts take turns, or " + groupsText(study, 1) + ", whose bursts wait for each other." +
        channelsText(of, runs) + " With the second mapping the time of the GEMM changes " +
        growthText(study, &engine::TimeResult::gemm) + ": near-memory updates need more groups than reads.";
    figure.alternative = "Two bars for each of three policies in two panels.";
    for (const BankGroupRuns::Pair& pair : study.byPolicy) {
        figure.alternative += " " + policyTitle(engine::name(pair.runs[0].experiment.policy.preset)) + ":";
        for (std::size_t mapping = 0; mapping < study.groups.size(); ++mapping)
            figure.alternative +=
                (mapping == 0 ? " " : ", ") + groupsText(study, mapping) + " GEMM " +
                fixedNumber(milliseconds(engine::timesOfRun(pair.runs[mapping].result).gemm), 3) + " ms, sub-layer " +
                fixedNumber(milliseconds(engine::timesOfRun(pair.runs[mapping].result).total), 3) + " ms";
        figure.alternative += ".";
        for (const GalleryRun& run : pair.runs)
            figure.provenance.experiments.push_back(provenanceOf(run.name, run.experiment, runs.settings()));
    }
    return figure;
}

FigureSpec channelHeatFigure(GalleryRuns& runs) {
    const std::vector<GalleryRun>& study = runs.channelHeat();
    std::int64_t longest = 0;
    for (const GalleryRun& run : study)
        longest = std::max(longest, lapseEnd(*run.result.trace, 0));
    const std::int64_t length = wholeNiceStep(longest, kMostPeriods, 1'000);
    FigureSpec figure;
    figure.size = FigureSize::acmText;
    figure.alternative = "Two heat maps over time, one below the other, with a row for each channel.";
    std::string camping;
    for (const GalleryRun& run : study) {
        const TimeLapse lapse(*run.result.trace, run.experiment, {.gpu = 0}, Periods{length, longest});
        figure.panels.push_back(heatPanel(run, lapse));
        camping +=
            (camping.empty() ? "" : "; ") + campingText(run, std::get<HeatMark>(figure.panels.back().marks.front()));
        figure.provenance.experiments.push_back(provenanceOf(run.name, run.experiment, runs.settings()));
    }
    figure.caption = "Traffic of the DRAM channels of one GPU in T-NLG FC-2 on " +
                     std::to_string(study.front().experiment.parallel.tp) +
                     " GPUs under T3-MCA (n = 1 sub-layer), with the channel bits inside a tile and above it, in "
                     "periods of " +
                     fixedNumber(static_cast<double>(length) / 1e6, length < 1'000'000 ? 3 : 0) + " µs." +
                     channelsText(study.front().experiment, runs) +
                     " Busiest channel over the mean of all: " + camping + ".";
    figure.alternative += " " + camping + ".";
    return figure;
}

}  // namespace data
