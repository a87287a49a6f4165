#include "data/page/run_block.h"
#include "engine/api/runner.h"
#include "tests/data/run_block_reader.h"
#include "tests/golden/golden_runs.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <tuple>

using engine::Lane;
using engine::LaneKind;
using engine::Span;

namespace {

const std::vector<tests::GoldenRun>& blockRuns() {
    static const std::vector<tests::GoldenRun> kRuns = tests::goldenRuns();
    return kRuns;
}

/// The part of a span that a run block has.
auto keptOf(const Span& span) {
    return std::tuple(span.start.ps, span.end.ps, span.first, span.second, span.bytes, span.kind, span.peer);
}

/// Returns the lanes of a trace that a run block has.
std::vector<const Lane*> shownLanes(const engine::Trace& trace) {
    std::vector<const Lane*> lanes;
    for (const Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::landings)
            lanes.push_back(&lane);
    }
    return lanes;
}

/// Returns what differs between a lane and what was read of it; empty if nothing does.
QString differenceIn(const Lane& written, const Lane& read) {
    if (std::tuple(written.gpu, written.kind, written.index, written.exclusive, written.spans.size()) !=
        std::tuple(read.gpu, read.kind, read.index, read.exclusive, read.spans.size()))
        return QStringLiteral("another lane");
    for (std::size_t i = 0; i < written.spans.size(); ++i) {
        if (keptOf(written.spans[i]) != keptOf(read.spans[i]))
            return QStringLiteral("span %1 of %2 lane %3")
                .arg(i)
                .arg(QString::fromStdString(std::string(engine::name(written.kind))))
                .arg(written.index);
    }
    return {};
}

/// Returns the steps of a path with the lanes as a run block counts them.
std::vector<engine::PathStep> inBlock(std::vector<engine::PathStep> steps, const engine::Trace& trace) {
    const std::vector<const Lane*> lanes = shownLanes(trace);
    for (engine::PathStep& step : steps) {
        if (step.lane == engine::kNone)
            continue;
        const auto place = std::find(lanes.begin(), lanes.end(), &trace.lanes[step.lane]);
        if (place != lanes.end())
            step.lane = static_cast<std::uint32_t>(place - lanes.begin());
        else
            step.lane = step.firstSpan = step.lastSpan = engine::kNone;
    }
    return steps;
}

}  // namespace

class TestRunBlock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsReadEqualsTheTrace_data() {
        QTest::addColumn<int>("place");
        const std::vector<tests::GoldenRun>& runs = blockRuns();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (!engine::isIdeal(runs[i].experiment.policy.preset))
                QTest::newRow(runs[i].name.c_str()) << static_cast<int>(i);
        }
    }

    void whatIsReadEqualsTheTrace() {
        QFETCH(const int, place);
        const engine::Experiment experiment = blockRuns()[static_cast<std::size_t>(place)].experiment;
        const engine::RunResult result =
            engine::run(experiment, {.recordTrace = true, .attribution = true, .baselines = false});
        const engine::Trace& trace = *result.trace;
        const std::string block = data::writeRunBlock(trace, result.path.get());
        const tests::ReadRunBlock read = tests::RunBlockReader(block).read();
        const std::vector<const Lane*> lanes = shownLanes(trace);
        QCOMPARE(read.lanes.size(), lanes.size());
        for (std::size_t i = 0; i < lanes.size(); ++i)
            QCOMPARE(differenceIn(*lanes[i], read.lanes[i]), QString());
        QCOMPARE(read.counters.size(), trace.counters.size());
        for (std::size_t i = 0; i < trace.counters.size(); ++i) {
            QVERIFY(read.counters[i].gpu == trace.counters[i].gpu && read.counters[i].kind == trace.counters[i].kind);
            QVERIFY(std::ranges::equal(
                read.counters[i].samples, trace.counters[i].samples,
                [](const auto& a, const auto& b) { return a.time == b.time && a.value == b.value; }));
        }
        QVERIFY(!read.path.empty());
        QVERIFY(read.path == inBlock(result.path->steps, trace));
        QCOMPARE(read.path.back().end, trace.end);
        QCOMPARE(read.header["end"].get<std::int64_t>(), trace.end.ps);
        QCOMPARE(read.header["gpus"].get<std::uint32_t>(), trace.gpus);
        QCOMPARE(read.header["recorded"].get<std::uint32_t>(), trace.recordedGpus());
        QCOMPARE(read.header["chunks"].get<std::uint32_t>(), trace.chunks);
        QCOMPARE(read.header["mirrored"].get<bool>(), trace.mirrored);
        QCOMPARE(read.header["phases"].size(), trace.phases.size());
        for (std::size_t i = 0; i < trace.phases.size(); ++i)
            QVERIFY(read.header["phases"][i] ==
                    nlohmann::json({trace.phases[i].start.ps, trace.phases[i].gemmEnd.ps,
                                    trace.phases[i].reduceScatterStart.ps, trace.phases[i].reduceScatterEnd.ps,
                                    trace.phases[i].allGatherStart.ps, trace.phases[i].allGatherEnd.ps,
                                    trace.phases[i].ownEnd.ps, trace.phases[i].companionEnd.ps}));
        QCOMPARE(read.header["pieces"].size(), trace.pieces.size());
    }

    void theSameRunGivesTheSameBytes() {
        const engine::Experiment experiment = blockRuns()[7].experiment;
        const auto block = [&](int threads) {
            const engine::RunResult result = engine::run(
                experiment, {.recordTrace = true, .attribution = true, .baselines = false, .threads = threads});
            return data::writeRunBlock(*result.trace, result.path.get());
        };
        QVERIFY(block(1) == block(2));
    }

    void numbersThatNoRunHasYetAreKept() {
        engine::Trace trace;
        trace.end = {data::kRunBlockEnd - 1};
        Lane lane{.kind = LaneKind::stores, .gpu = 0, .exclusive = false, .spans = {}};
        Span span;
        span.start = {data::kRunBlockEnd - 3};
        span.end = trace.end;
        span.first = engine::kNone;
        span.second = engine::kNone - 1;
        span.bytes = 0xffffffffu;
        span.kind = engine::SpanKind::dramPass;
        span.peer = 255;
        lane.spans = {Span{}, span, Span{.start = span.start, .end = span.start}};
        trace.lanes = {lane};
        trace.counters = {
            {engine::CounterKind::heldBytes, 0, {{{0}, -1}, {{data::kRunBlockEnd - 1}, data::kRunBlockEnd}}}};
        const tests::ReadRunBlock read = tests::RunBlockReader(data::writeRunBlock(trace, nullptr)).read();
        QCOMPARE(differenceIn(lane, read.lanes.at(0)), QString());
        QCOMPARE(read.counters.at(0).samples[1].value, data::kRunBlockEnd);
        QVERIFY(read.path.empty());
    }

    void landingsAreLeftOutAndTheStepsInThemReferToNoLane() {
        engine::Trace trace;
        trace.end = {10};
        trace.lanes = {{.kind = LaneKind::landings, .spans = {Span{}}}, {.kind = LaneKind::dma, .spans = {Span{}}}};
        engine::CriticalPath path;
        path.steps = {{.start = {0}, .end = {4}, .lane = 0, .firstSpan = 0, .lastSpan = 0},
                      {.start = {4}, .end = {10}, .lane = 1, .firstSpan = 0, .lastSpan = 0}};
        const tests::ReadRunBlock read = tests::RunBlockReader(data::writeRunBlock(trace, &path)).read();
        QCOMPARE(read.lanes.size(), std::size_t{1});
        QCOMPARE(read.path.at(0).lane, engine::kNone);
        QCOMPARE(read.path.at(0).firstSpan, engine::kNone);
        QCOMPARE(read.path.at(1).lane, 0u);
        QCOMPARE(read.path.at(1).firstSpan, 0u);
    }
};

RINGSIDE_TEST(TestRunBlock)
#include "tst_run_block.moc"
