#include "data/figure/gallery_runs.h"
#include "data/figure/gallery_words.h"

#include <algorithm>
#include <utility>

// A figure of the speed-up of T3-MCA beside unrelated traffic on the same GPUs: the weights of the next layer, or the
// gradients of the layer before.

namespace data {
namespace {

/// Returns one time of a run.
using TrafficTime = engine::Duration (*)(const engine::RunResult& run);

engine::Duration ownTime(const engine::RunResult& run) {
    return run.last.companion ? run.last.companion->own : run.last.time.total;
}
engine::Duration wholeTime(const engine::RunResult& run) { return run.last.time.total; }

double gainOf(const TrafficStudy::Pair& pair, TrafficTime time) {
    return static_cast<double>(time(pair.sequential.result).ps) / static_cast<double>(time(pair.overlapped.result).ps);
}

std::vector<double> gainsOf(const std::vector<TrafficStudy::Pair>& cases, TrafficTime time) {
    std::vector<double> gains;
    for (const TrafficStudy::Pair& pair : cases)
        gains.push_back(gainOf(pair, time));
    return gains;
}

FigureSeries gainSeries(const TrafficStudy& study, const TrafficStudy::Traffic& traffic, TrafficTime time) {
    FigureSeries series{traffic.name, traffic.meaning, {}, {}, {}, 0};
    for (std::size_t size = 0; size < study.sizes.size(); ++size) {
        const std::vector<double> gains = gainsOf(traffic.bySize[size], time);
        series.values.emplace_back(geomeanOf(gains));
    }
    return series;
}

double mebibytesOf(engine::Bytes bytes) { return static_cast<double>(bytes.count) / (1024.0 * 1024.0); }

FigurePanel trafficPanel(const TrafficStudy& study, const char* title, TrafficTime time) {
    FigurePanel panel;
    panel.title = title;
    panel.x.title = "Size of the traffic";
    panel.x.unit = "MiB";
    panel.x.scale = FigureScale::logarithmic;
    panel.y = speedupAxis();
    LineMark mark;
    for (const engine::Bytes size : study.sizes) {
        mark.x.push_back(mebibytesOf(size));
        panel.x.ticks.push_back(mebibytesOf(size));
    }
    mark.series.push_back(
        {"No traffic", "ideal", FigureValues(study.sizes.size(), geomeanOf(gainsOf(study.without, time))), {}, {}, 0});
    for (const TrafficStudy::Traffic& traffic : study.traffics)
        mark.series.push_back(gainSeries(study, traffic, time));
    double most = 0;
    for (const FigureSeries& series : mark.series)
        for (const std::optional<double>& value : series.values)
            most = std::max(most, value.value_or(0));
    panel.y.from = 0.95;  // not 0: values differ by a tenth, and lines, unlike bars, need no zero
    useTicks(panel.y, most, 1.35, {1, 1.1, 1.2, 1.3});
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

std::string endsText(const FigureSeries& series) {
    return series.name + ": " + fixedNumber(*series.values.front(), 2) + " to " + fixedNumber(*series.values.back(), 2);
}

}  // namespace

FigureSpec trafficFigure(GalleryRuns& runs) {
    const TrafficStudy& study = runs.traffic();
    FigureSpec figure;
    figure.panels = {trafficPanel(study, "The sub-layer", ownTime),
                     trafficPanel(study, "Sub-layer and traffic", wholeTime)};
    const auto& own = std::get<LineMark>(figure.panels[0].marks.front()).series;
    const auto& whole = std::get<LineMark>(figure.panels[1].marks.front()).series;
    figure.caption =
        "Speed-up of T3-MCA over sequential execution while independent traffic runs on the same GPUs from the "
        "start, the same under both: geometric means over the four sub-layers of T-NLG on 8 GPUs (n = 4). "
        "Without traffic " +
        fixedNumber(*own.front().values.front(), 2) + ". Kernels of the traffic are dispatched first and have " +
        std::to_string(study.traffics.back().bySize.front().front().overlapped.experiment.companion.workgroups) +
        " compute units.";
    figure.alternative = "Two panels of lines over the bytes of the traffic, " +
                         fixedNumber(mebibytesOf(study.sizes.front()), 0) + " to " +
                         fixedNumber(mebibytesOf(study.sizes.back()), 0) + " MiB. Speed-up of the sub-layer.";
    for (const FigureSeries& series : own)
        figure.alternative += " " + endsText(series) + ".";
    figure.alternative += " Speed-up of sub-layer and traffic together.";
    for (const FigureSeries& series : whole)
        figure.alternative += " " + endsText(series) + ".";
    const auto add = [&](const TrafficStudy::Pair& pair, const std::string& beside) {
        for (const GalleryRun* run : {&pair.sequential, &pair.overlapped})
            figure.provenance.experiments.push_back(provenanceOf(run->name + beside, run->experiment, runs.settings()));
    };
    for (const TrafficStudy::Pair& pair : study.without)
        add(pair, "");
    for (const TrafficStudy::Traffic& traffic : study.traffics)
        for (std::size_t size = 0; size < study.sizes.size(); ++size)
            for (const TrafficStudy::Pair& pair : traffic.bySize[size])
                add(pair, std::string(" beside ") + traffic.name + ", " +
                              fixedNumber(mebibytesOf(study.sizes[size]), 0) + " MiB");
    return figure;
}

}  // namespace data
