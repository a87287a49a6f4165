#include "data/figure/step_figures.h"

#include "data/document/value_places.h"
#include "data/figure/gallery_words.h"
#include "engine/api/letters.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace data {
namespace {

using engine::Duration;
using engine::PassKind;
using engine::PipelineSchedule;

constexpr std::int64_t kDots = 2000;  // width of a page's column at 600 dots per inch

/// A pass or the optimizer in the lane of a stage, in picoseconds.
struct LaneSpan {
    std::int64_t begin = 0, end = 0;
    std::string meaning, text;
    std::optional<std::size_t> pass;
};

/// Returns the spans of each stage, sorted. A pass that messages cut into several tasks is one span.
std::vector<std::vector<LaneSpan>> lanesOf(const ModelStep& step) {
    std::vector<std::vector<LaneSpan>> lanes(step.stages.size());
    for (std::size_t i = 0; i < step.tasks.size(); ++i) {
        const StepTask& task = step.tasks[i];
        if (task.kind != StepTaskKind::pass && task.kind != StepTaskKind::optimizer)
            continue;
        std::vector<LaneSpan>& lane = lanes[static_cast<std::size_t>(task.stage)];
        const engine::TaskSpan& time = step.timetable.spans[i];
        if (task.kind == StepTaskKind::optimizer) {
            lane.push_back({time.begin, time.end, "optimizer", {}, {}});
        } else if (!lane.empty() && lane.back().pass == task.pass) {
            lane.back().end = time.end;
        } else {
            const engine::PipelineStep& pass = step.plan.passes[task.pass].step;
            lane.push_back({time.begin, time.end, meaningOf(pass), std::to_string(pass.microbatch + 1), task.pass});
        }
    }
    for (std::vector<LaneSpan>& lane : lanes)
        std::ranges::sort(lane, {}, &LaneSpan::begin);
    return lanes;
}

/// Merges spans that begin in the same dot into one with the meaning that covers most of it.
LaneSpan mergedOf(std::span<const LaneSpan> spans) {
    std::map<std::string, std::int64_t> cover;
    for (const LaneSpan& span : spans)
        cover[span.meaning] += span.end - span.begin;
    const auto most = std::ranges::max_element(cover, [](const auto& a, const auto& b) { return a.second < b.second; });
    return {spans.front().begin, spans.back().end, most->first, {}, {}};
}

/// Merges spans that are shorter than a dot of time.
std::vector<LaneSpan> printable(const std::vector<LaneSpan>& spans, std::int64_t dot) {
    const auto isShort = [&](const LaneSpan& span) { return span.end - span.begin < dot; };
    std::vector<LaneSpan> merged;
    for (auto span = spans.begin(); span != spans.end();) {
        if (!isShort(*span)) {
            merged.push_back(*span++);
            continue;
        }
        const auto last = std::find_if(span, spans.end(), [&](const LaneSpan& other) {
            return !isShort(other) || other.begin / dot != span->begin / dot;
        });
        LaneSpan next = mergedOf({span, last});
        if (!merged.empty() && merged.back().text.empty() && merged.back().meaning == next.meaning &&
            next.begin - merged.back().end < dot)
            merged.back().end = next.end;
        else
            merged.push_back(std::move(next));
        span = last;
    }
    return merged;
}

std::string counted(std::int64_t count, const std::string& what, const char* several) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : several);
}

/// Returns "4 stages and 8 micro-batches". A delayed step has as many mini-batches as are played.
std::string sizesText(const ModelStep& step) {
    const std::string stages = counted(step.shape.stages, "stage", "s");
    return step.isDelayed() ? stages : stages + " and " + counted(step.shape.microbatches, "micro-batch", "es");
}

/// Returns "9.401 s, bubble 27.9 %".
std::string resultText(const ModelStep& step, const engine::UnitName& unit) {
    return timeText(step.total, unit) + (step.isDelayed() ? " for each mini-batch" : "") + ", bubble " +
           percentText(step.bubbleShare);
}

/// Returns the title of a step's schedule with a capital letter.
std::string titleOf(const ModelStep& step) {
    std::string title = scheduleTitle(step.shape);
    title.front() = engine::upperLetter(title.front());
    return title;
}

bool hasSchedule(const ModelStep& step) { return step.shape.stages > 1 && !step.shape.forwardOnly; }

std::string captionOf(const std::vector<const ModelStep*>& steps, const engine::UnitName& unit) {
    const ModelStep& first = *steps.front();
    std::string text;
    if (steps.size() == 1) {
        text = "Timetable of one step of " + sizesText(first) +
               (hasSchedule(first) ? " under " + scheduleTitle(first.shape) : "") + ": " + resultText(first, unit);
    } else {
        text = "Timetables of one step of " + sizesText(first) + " under several schedules:";
        for (const ModelStep* step : steps)
            text += (step == &first ? " " : "; ") + scheduleTitle(step->shape) + " " + resultText(*step, unit);
    }
    const auto any = [&](auto holds) { return std::ranges::any_of(steps, holds); };
    const bool delayed = any([](const ModelStep* step) { return step->isDelayed(); });
    text += std::string(". The number of a pass is its ") + (delayed ? "mini-batch" : "micro-batch") +
            "; a pass contains the waits for its tensor messages.";
    if (any([](const ModelStep* step) { return step->shape.chunks > 1 || step->isDelayed(); }))
        text += " Lighter passes go through a later part of the layers of their stage.";
    return text + " Where a lane is empty, its stage waits for other stages or for data messages.";
}

/// Returns the range of a share over the stages: "62.1 to 64.0 %", or "62.1 %" if all stages have the same.
std::string shareText(const ModelStep& step, Duration StepParts::*part) {
    std::vector<double> shares;
    shares.reserve(step.stages.size());
    for (const StageStep& stage : step.stages)
        shares.push_back(100 * static_cast<double>((stage.time.*part).ps) /
                         static_cast<double>(std::max<std::int64_t>(1, step.total.ps)));
    const auto [least, most] = std::ranges::minmax(shares);
    const std::string from = fixedNumber(least, 1), to = fixedNumber(most, 1);
    return (from == to ? from : from + " to " + to) + " %";
}

std::string alternativeOf(const std::vector<const ModelStep*>& steps, const engine::UnitName& unit) {
    std::string text =
        "Lanes over time, one for each stage, with the passes of its micro-batches in the order in which "
        "it works.";
    for (const ModelStep* step : steps)
        text += " " + (hasSchedule(*step) ? titleOf(*step) : "One step of " + sizesText(*step)) + ": " +
                resultText(*step, unit) + "; the stages compute for " + shareText(*step, &StepParts::compute) +
                " of the time, wait for tensor messages for " + shareText(*step, &StepParts::tensor) +
                " and are in the bubble for " + shareText(*step, &StepParts::bubble) + ".";
    return text;
}

Duration endOf(const ModelStep& step) { return {step.timetable.makespan}; }

}  // namespace

std::string meaningOf(const engine::PipelineStep& pass) {
    const std::string meaning = pass.kind == PassKind::forward    ? "forward-pass"
                                : pass.kind == PassKind::backward ? "backward-pass"
                                                                  : "weight-pass";
    return pass.chunk > 0 ? meaning + "/light" : meaning;
}

std::string scheduleTitle(const engine::PipelineShape& shape) {
    switch (shape.schedule) {
    case PipelineSchedule::oneForwardOneBackward:
        return shape.chunks > 1 ? "1F1B with " + std::to_string(shape.chunks) + " chunks" : "1F1B";
    case PipelineSchedule::allForward: return "all forward first";
    case PipelineSchedule::zeroBubbleH1: return "ZB-H1";
    case PipelineSchedule::delayed: return "delayed gradients";
    case PipelineSchedule::delayedPipelined: break;
    }
    return "delayed gradients, pipelined";
}

engine::UnitName axisUnitOf(Duration longest) {
    const std::span<const engine::UnitName> units = engine::unitNames(engine::ParameterUnit::picoseconds);
    engine::UnitName largest = units.front();
    for (const engine::UnitName& unit : units) {
        if (unit.shown && unit.factor <= longest.ps)
            largest = unit;
    }
    return largest;
}

std::string timeText(Duration time, const engine::UnitName& unit) {
    const double value = static_cast<double>(time.ps) / static_cast<double>(unit.factor);
    constexpr double kTen = 10, kHundred = 100;
    return fixedNumber(value, value < kTen ? 3 : value < kHundred ? 2 : 1) + " " + std::string(unit.text);
}

FigurePanel stepPanel(const ModelStep& step, Duration end) {
    const engine::UnitName unit = axisUnitOf(end);
    const auto timeOf = [&](std::int64_t ps) { return static_cast<double>(ps) / static_cast<double>(unit.factor); };
    FigurePanel panel;
    panel.x.title = "Time";
    panel.x.unit = unit.text;
    panel.x.from = 0;
    panel.x.to = timeOf(end.ps);
    TimelineMark mark;
    const std::int64_t dot = std::max<std::int64_t>(1, end.ps / kDots);
    for (const std::vector<LaneSpan>& spans : lanesOf(step)) {
        const std::size_t lane = mark.lanes.size();
        mark.lanes.push_back({"Stage " + std::to_string(lane), {}});
        for (LaneSpan& span : printable(spans, dot))
            mark.spans.push_back(
                {lane, timeOf(span.begin), timeOf(span.end), std::move(span.meaning), std::move(span.text)});
    }
    panel.marks.emplace_back(std::move(mark));
    return panel;
}

FigureSpec stepFigure(const std::vector<const ModelStep*>& steps) {
    Duration end;
    for (const ModelStep* step : steps)
        end = std::max(end, endOf(*step));
    const engine::UnitName unit = axisUnitOf(end);
    FigureSpec figure;
    for (const ModelStep* step : steps) {
        figure.panels.push_back(stepPanel(*step, end));
        if (steps.size() > 1)
            figure.panels.back().title = titleOf(*step) + ": " + resultText(*step, unit);
    }
    figure.caption = captionOf(steps, unit);
    figure.alternative = alternativeOf(steps, unit);
    return figure;
}

}  // namespace data
