#include "data/figure/figure_document.h"
#include "data/figure/step_figures.h"
#include "data/model/model_run.h"
#include "tests/data/said.h"
#include "tests/small_model.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

using data::FigureSpec;
using data::ModelStep;
using data::TimelineMark;
using engine::Duration;
using engine::PipelineSchedule;

namespace {

/// Returns the step of a small model of 8 layers.
ModelStep stepOfSmallModel(PipelineSchedule schedule, std::int64_t microbatches, std::int64_t chunks = 1,
                           std::int64_t stages = 4) {
    engine::Experiment base = tests::smallModel();
    base.workload.layers = 8;
    base.division.pp = stages;
    base.division.microbatches = microbatches;
    base.division.schedule = schedule;
    base.division.interleave = chunks;
    data::ModelRunOptions options;
    options.policies = {engine::PolicyPreset::sequential};
    const data::ModelRun run = data::modelRun(base, options);
    return data::stepOf(run, run.sequential);
}

const TimelineMark& laneMark(const FigureSpec& figure, std::size_t panel = 0) {
    return std::get<TimelineMark>(figure.panels.at(panel).marks.front());
}

std::vector<TimelineMark::Span> spansOf(const TimelineMark& mark, std::size_t lane) {
    std::vector<TimelineMark::Span> spans;
    std::ranges::copy_if(mark.spans, std::back_inserter(spans), [&](const auto& span) { return span.lane == lane; });
    return spans;
}

/// Returns whether a figure has no problem once its caller has given it a name.
bool isValid(FigureSpec figure) {
    figure.name = "step";
    return data::problemsOf(figure).empty();
}

/// Returns the numbers of the passes of a lane that have a meaning, in order.
std::string passesOf(const TimelineMark& mark, std::size_t lane, const std::string& meaning) {
    std::string numbers;
    for (const TimelineMark::Span& span : spansOf(mark, lane))
        if (span.meaning == meaning)
            numbers += span.text + " ";
    return numbers;
}

}  // namespace

class TestStepFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachStageIsALaneWithItsPassesInOrderAndItsOptimizer() {
        const ModelStep step = stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 8);
        const FigureSpec figure = data::stepFigure(step);
        QVERIFY(isValid(figure));
        const TimelineMark& mark = laneMark(figure);
        QCOMPARE(mark.lanes.size(), std::size_t{4});
        for (std::size_t lane = 0; lane < mark.lanes.size(); ++lane) {
            QCOMPARE(mark.lanes[lane].label, "Stage " + std::to_string(lane));
            QCOMPARE(passesOf(mark, lane, "forward-pass"), std::string("1 2 3 4 5 6 7 8 "));
            QCOMPARE(passesOf(mark, lane, "backward-pass"), std::string("1 2 3 4 5 6 7 8 "));
            QCOMPARE(passesOf(mark, lane, "weight-pass"), std::string());
            QVERIFY(spansOf(mark, lane).back().meaning == "optimizer");
        }
    }

    void spansOfALaneNeverOverlapAndTheLastEndsWithTheStep() {
        const ModelStep step = stepOfSmallModel(PipelineSchedule::zeroBubbleH1, 8);
        const FigureSpec figure = data::stepFigure(step);
        const TimelineMark& mark = laneMark(figure);
        double last = 0;
        for (std::size_t lane = 0; lane < mark.lanes.size(); ++lane) {
            double before = 0;
            for (const TimelineMark::Span& span : spansOf(mark, lane)) {
                QVERIFY(span.from >= before && span.to > span.from);
                before = span.to;
            }
            last = std::max(last, before);
        }
        const engine::UnitName unit = data::axisUnitOf({step.timetable.makespan});
        QCOMPARE(last * static_cast<double>(unit.factor), static_cast<double>(step.timetable.makespan));
        QCOMPARE(*figure.panels.front().x.to, last);
        QCOMPARE(figure.panels.front().x.unit, std::string(unit.text));
    }

    // Messages of gradients become ready inside the last backward pass, which is cut there into several tasks.
    void aPassThatMessagesCutIsOneSpan() {
        engine::Experiment base = tests::smallModel();
        base.workload.layers = 8;
        base.division.pp = 2;
        base.division.dp = 4;
        base.division.bucket = 500'000;
        data::ModelRunOptions options;
        options.policies = {engine::PolicyPreset::sequential};
        const data::ModelRun run = data::modelRun(base, options);
        const ModelStep step = data::stepOf(run, run.sequential);
        const auto tasks = std::ranges::count_if(
            step.tasks, [](const data::StepTask& task) { return task.kind == data::StepTaskKind::pass; });
        QVERIFY(tasks > 4);
        const FigureSpec figure = data::stepFigure(step);
        QCOMPARE(laneMark(figure).spans.size(), std::size_t{2 * 2 + 2});  // two passes and an optimizer on each stage
    }

    void aSplitBackwardPassHasWeightPassesAndALaterChunkIsLighter() {
        const FigureSpec split = data::stepFigure(stepOfSmallModel(PipelineSchedule::zeroBubbleH1, 8));
        QCOMPARE(passesOf(laneMark(split), 3, "weight-pass"), std::string("1 2 3 4 5 6 7 8 "));
        QVERIFY(!tests::contains(split.caption, "Lighter"));
        const FigureSpec chunks = data::stepFigure(stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 8, 2));
        QCOMPARE(passesOf(laneMark(chunks), 0, "forward-pass"), std::string("1 2 3 4 5 6 7 8 "));
        QCOMPARE(passesOf(laneMark(chunks), 0, "backward-pass/light"), std::string("1 2 3 4 5 6 7 8 "));
        QVERIFY(tests::contains(chunks.caption, "Lighter passes"));
    }

    // A lane of a column has 2,000 dots.
    void passesThatPrintCannotShowAreMergedAndOthersAreNot() {
        const auto busyOf = [](const TimelineMark& mark) {
            double busy = 0;
            for (const TimelineMark::Span& span : mark.spans)
                busy += span.to - span.from;
            return busy;
        };
        const ModelStep few = stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 200, 1, 2);
        QCOMPARE(laneMark(data::stepFigure(few)).spans.size(), std::size_t{2 * (2 * 200 + 1)});
        const ModelStep many = stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 3'000, 1, 2);
        const FigureSpec figure = data::stepFigure(many);
        const TimelineMark& mark = laneMark(figure);
        QVERIFY(mark.spans.size() <= 2 * 2'001);
        const double all = 2 * *figure.panels.front().x.to;
        QVERIFY(busyOf(mark) / all > 1 - many.bubbleShare - 0.01);
        QVERIFY(std::ranges::none_of(mark.spans, [](const auto& span) { return span.meaning.empty(); }));
        QVERIFY(std::ranges::count_if(mark.spans, [](const auto& span) { return !span.text.empty(); }) < 100);
    }

    void severalStepsHaveAPanelEachOnOneTimeAxis() {
        const ModelStep slow = stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 8);
        const ModelStep fast = stepOfSmallModel(PipelineSchedule::zeroBubbleH1, 8);
        QVERIFY(fast.total < slow.total);
        const FigureSpec figure = data::stepFigure({&fast, &slow});
        QVERIFY(isValid(figure));
        QCOMPARE(figure.panels.size(), std::size_t{2});
        QVERIFY(figure.panels[0].x == figure.panels[1].x);
        QVERIFY(tests::contains(figure.panels[0].title, "ZB-H1: ") &&
                tests::contains(figure.panels[1].title, "1F1B: "));
        const engine::UnitName unit = data::axisUnitOf(slow.total);
        QCOMPARE(*figure.panels[0].x.to * static_cast<double>(unit.factor),
                 static_cast<double>(slow.timetable.makespan));
        for (const ModelStep* step : {&fast, &slow})
            QVERIFY(tests::contains(figure.caption,
                                    data::scheduleTitle(step->shape) + " " + data::timeText(step->total, unit)));
        QVERIFY(data::stepFigure(slow).panels.front().title.empty());
    }

    void theCaptionSaysSizesScheduleTotalAndBubble() {
        const ModelStep step = stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 8);
        const FigureSpec figure = data::stepFigure(step);
        const std::string bubble = QByteArray::number(100 * step.bubbleShare, 'f', 1).toStdString() + " %";
        QVERIFY2(tests::contains(figure.caption, "4 stages and 8 micro-batches under 1F1B: "), figure.caption.c_str());
        QVERIFY(tests::contains(figure.caption,
                                data::timeText(step.total, data::axisUnitOf(step.total)) + ", bubble " + bubble));
        QVERIFY(tests::contains(figure.alternative, bubble));
        const FigureSpec one = data::stepFigure(stepOfSmallModel(PipelineSchedule::oneForwardOneBackward, 2, 1, 1));
        QVERIFY2(tests::contains(one.caption, "1 stage and 2 micro-batches: "), one.caption.c_str());
    }

    void aDelayedStepCountsMiniBatches() {
        const ModelStep step = stepOfSmallModel(PipelineSchedule::delayed, 1);
        const FigureSpec figure = data::stepFigure(step);
        QVERIFY(isValid(figure));
        QVERIFY2(tests::contains(figure.caption, "4 stages under delayed gradients: ") &&
                     tests::contains(figure.caption, " for each mini-batch, bubble ") &&
                     tests::contains(figure.caption, "The number of a pass is its mini-batch;"),
                 figure.caption.c_str());
    }

    void timesHaveTheLargestUnitThatTheyReach() {
        for (const auto& [ps, text] : {std::pair<std::int64_t, const char*>{999, "999.0 ps"},
                                       {1'000, "1.000 ns"},
                                       {999'999, "1000.0 ns"},
                                       {1'000'000, "1.000 µs"},
                                       {12'345'678'901, "12.35 ms"},
                                       {9'170'400'000'000, "9.170 s"}})
            QCOMPARE(data::timeText({ps}, data::axisUnitOf({ps})), std::string(text));
    }
};

RINGSIDE_TEST(TestStepFigures)
#include "tst_step_figures.moc"
