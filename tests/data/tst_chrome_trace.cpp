#include "data/trace/chrome_trace.h"
#include "data/trace/trace_flows.h"
#include "tests/data/said.h"
#include "tests/data/trace_checker.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <sstream>

using namespace data;
using engine::Lane;
using engine::LaneKind;
using engine::Span;
using engine::SpanKind;
using tests::TraceChecker;

namespace {

using tests::contains;

LaboratoryRun ran(const char* name, std::initializer_list<const char*> settings) {
    DraftReading reading = draftNamed(name);
    applySetting("detail.level=interactive", reading.draft, reading.problems);
    applySetting("workload.batch=1", reading.draft, reading.problems);
    applySetting("workload.hidden=2048", reading.draft, reading.problems);
    for (const char* setting : settings)
        applySetting(setting, reading.draft, reading.problems);
    return Laboratory().run(reading.draft, {.recordTrace = true, .attribution = true, .baselines = false});
}

/// Returns a run with a trace that is made by hand instead of simulated.
LaboratoryRun madeOf(engine::Trace trace) {
    LaboratoryRun run;
    run.name = "a \"title\"";
    run.result.trace = std::make_shared<const engine::Trace>(std::move(trace));
    return run;
}

std::string traceText(const LaboratoryRun& run, const TraceChoice& choice = {}) {
    std::ostringstream out;
    writeChromeTrace(run, out, choice);
    return out.str();
}

std::string brokenIn(TraceChecker& checker, const std::string& text) {
    std::string lines;
    for (const std::string& line : checker.check(text))
        lines += line + "\n";
    return lines;
}

std::string brokenIn(const std::string& text) {
    TraceChecker checker;
    return brokenIn(checker, text);
}

Span span(std::int64_t start, std::int64_t end, SpanKind kind = SpanKind::store) {
    Span made;
    made.start = {start};
    made.end = {end};
    made.kind = kind;
    return made;
}

LaboratoryRun withLane(LaneKind kind, std::vector<Span> spans) {
    engine::Trace trace;
    Lane lane;
    lane.kind = kind;
    lane.exclusive = false;
    lane.spans = std::move(spans);
    trace.lanes.push_back(lane);
    return madeOf(std::move(trace));
}

}  // namespace

class TestChromeTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRuleOfTheFormatHoldsForEveryPolicyAndTopology_data();
    void everyRuleOfTheFormatHoldsForEveryPolicyAndTopology();
    void arrowsLeadFromATriggerOverItsTransferToTheUpdate();
    void aFullRunHasTheSameArrowsAsAMirroredRun();
    void spansThatMeetShareAThreadAndSpansThatOverlapDoNot();
    void picosecondsSurvive();
    void instantsAndCountersHaveTheirOwnEvents();
    void theCriticalPathIsAProcessOfItsOwnWithoutAGap();
    void aPieceLastsFromItsLaunchUntilItsOutputIsInMemory();
    void piecesAreLeftOutWithTheWaves();
    void theSizeIsKnownBeforehandWithinAFewPercent();
    void whatIsLeftOutIsNotThereAndTheRestIsAsBefore();
    void aStopEndsTheWritingAndProgressRises();
    void theSameRunGivesTheSameBytesOnOneThreadAndOnTwo();
    void theCheckerFindsWhatIsWrong_data();
    void theCheckerFindsWhatIsWrong();
};

void TestChromeTrace::everyRuleOfTheFormatHoldsForEveryPolicyAndTopology_data() {
    using Chosen = std::initializer_list<const char*>;
    QTest::addColumn<QStringList>("settings");
    const auto row = [](const char* name, const Chosen& settings) {
        QStringList list;
        for (const char* setting : settings)
            list << QString::fromLatin1(setting);
        QTest::newRow(name) << list;
    };
    row("sequential", {"policy=sequential"});
    row("chunked", {"policy=chunked"});
    row("chunked, every GPU by itself", {"policy=chunked", "detail.mode=full"});
    row("t3", {"policy=t3"});
    row("t3-mca", {"policy=t3-mca"});
    row("through a switch", {"policy=t3-mca", "topology.kind=switch"});
    row("every GPU by itself", {"policy=t3-mca", "detail.mode=full"});
    row("direct", {"policy=t3", "collective.algorithm=direct"});
}

void TestChromeTrace::everyRuleOfTheFormatHoldsForEveryPolicyAndTopology() {
    QFETCH(const QStringList, settings);
    DraftReading reading = draftNamed("t-nlg/op/tp8");
    applySetting("detail.level=interactive", reading.draft, reading.problems);
    applySetting("workload.batch=1", reading.draft, reading.problems);
    applySetting("workload.hidden=2048", reading.draft, reading.problems);
    for (const QString& setting : settings)
        applySetting(setting.toStdString(), reading.draft, reading.problems);
    QCOMPARE(reading.problems.size(), std::size_t{0});
    const LaboratoryRun run =
        Laboratory().run(reading.draft, {.recordTrace = true, .attribution = true, .baselines = false});
    TraceChecker checker;
    const std::string broken = brokenIn(checker, traceText(run));
    QVERIFY2(broken.empty(), broken.c_str());
    // No span is lost: each one becomes an event.
    std::int64_t steps = 0;
    for (const engine::PathStep& step : run.result.path ? run.result.path->steps : std::vector<engine::PathStep>())
        steps += step.start < step.end;
    std::size_t pieces = 0;
    for (const auto& ofGpu : run.result.trace->pieces)
        pieces += ofGpu.size();
    QCOMPARE(pieces > 0, settings.front() == QLatin1String("policy=chunked"));
    QCOMPARE(checker.counts["X"] + checker.counts["i"],
             static_cast<std::int64_t>(run.result.trace->spanCount() + pieces) + steps);
    std::int64_t samples = 0;
    for (const engine::CounterSeries& series : run.result.trace->counters)
        if (!engine::isSum(series.kind))
            samples += static_cast<std::int64_t>(series.samples.size());
    QCOMPARE(checker.counts["C"], samples);
    QCOMPARE(checker.counts["s"], checker.counts["f"]);
}

void TestChromeTrace::arrowsLeadFromATriggerOverItsTransferToTheUpdate() {
    const LaboratoryRun run = ran("t-nlg/op/tp8", {"policy=t3-mca"});
    TraceChecker checker;
    QCOMPARE(brokenIn(checker, traceText(run)), std::string());
    QCOMPARE(checker.counts["s"], checker.names["trigger"]);
    QVERIFY(checker.counts["s"] > 0);
    std::int64_t landed = 0;
    for (const auto& [id, way] : checker.ways) {
        QCOMPARE(way.at(0), std::string("trigger"));
        QCOMPARE(way.at(1), std::string("DMA transfer"));
        if (way.size() > 2) {
            QCOMPARE(way.at(2), std::string(engine::name(SpanKind::trackedTile)));
            ++landed;
        }
    }
    QVERIFY2(landed * 10 > checker.counts["s"] * 9, std::to_string(landed).c_str());
}

// What lands does so after it was sent, on the neighbour, and is of the block that was sent.
void TestChromeTrace::aFullRunHasTheSameArrowsAsAMirroredRun() {
    const LaboratoryRun mirrored = ran("t-nlg/op/tp8", {"policy=t3-mca"});
    const LaboratoryRun full = ran("t-nlg/op/tp8", {"policy=t3-mca", "detail.mode=full"});
    QVERIFY(mirrored.result.trace->mirrored && !full.result.trace->mirrored);
    const auto spanOf = [](const LaboratoryRun& run, engine::SpanPlace at) {
        return run.result.trace->lanes[at.lane].spans[at.span];
    };
    std::vector<TraceFlow> ofFirst;
    for (const TraceFlow& flow : flowsOf(*full.result.trace, full.experiment)) {
        const Lane& sender = full.result.trace->lanes[flow.transfer.lane];
        QCOMPARE(full.result.trace->lanes[flow.trigger.lane].gpu, sender.gpu);
        if (flow.landed) {
            QCOMPARE(full.result.trace->lanes[flow.landed->lane].gpu, (sender.gpu + 7) % 8);
            QCOMPARE(spanOf(full, *flow.landed).second, spanOf(full, flow.transfer).second);
            QVERIFY(spanOf(full, *flow.landed).end > spanOf(full, flow.transfer).start);
        }
        if (sender.gpu == 0)
            ofFirst.push_back(flow);
    }
    const std::vector<TraceFlow> alone = flowsOf(*mirrored.result.trace, mirrored.experiment);
    QCOMPARE(alone.size(), ofFirst.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
        QCOMPARE(alone[i].landed.has_value(), ofFirst[i].landed.has_value());
        QCOMPARE(spanOf(mirrored, alone[i].transfer).start.ps, spanOf(full, ofFirst[i].transfer).start.ps);
        if (alone[i].landed)
            QCOMPARE(spanOf(mirrored, *alone[i].landed).end.ps, spanOf(full, *ofFirst[i].landed).end.ps);
    }
}

void TestChromeTrace::spansThatMeetShareAThreadAndSpansThatOverlapDoNot() {
    // 10-20 and 20-30 touch; 15-25 overlaps both; 30-40 fits on the first row again.
    const LaboratoryRun run = withLane(LaneKind::stores, {span(10, 20), span(15, 25), span(20, 30), span(30, 40)});
    TraceChecker checker;
    QCOMPARE(brokenIn(checker, traceText(run)), std::string());
    QCOMPARE(checker.threads.size(), std::size_t{2});
    QCOMPARE(checker.counts["X"], 4);
}

void TestChromeTrace::picosecondsSurvive() {
    const LaboratoryRun run = withLane(LaneKind::dma, {span(1'234'567'890'123, 1'234'567'890'124)});
    QVERIFY(contains(traceText(run), "\"ts\":1234567.890123,\"dur\":0.000001"));
    const LaboratoryRun whole = withLane(LaneKind::dma, {span(0, 2'000'010)});
    QVERIFY(contains(traceText(whole), "\"ts\":0.000000,\"dur\":2.000010"));
}

void TestChromeTrace::instantsAndCountersHaveTheirOwnEvents() {
    engine::Trace trace;
    Lane lane;
    lane.kind = LaneKind::landings;
    lane.spans = {span(5, 5, SpanKind::storeLanded)};
    trace.lanes.push_back(lane);
    lane.kind = LaneKind::tracker;
    lane.spans = {span(5, 5, SpanKind::trigger)};
    trace.lanes.push_back(lane);
    trace.counters.push_back({engine::CounterKind::dmaQueue, 0, {{{7}, 3}}});
    TraceChecker checker;
    QCOMPARE(brokenIn(checker, traceText(madeOf(trace))), std::string());
    QCOMPARE(checker.counts["i"], 1);
    QCOMPARE(checker.counts["C"], 1);
    QCOMPARE(checker.counts["X"], 1);  // the trigger, which lasts for its latency
}

void TestChromeTrace::theCriticalPathIsAProcessOfItsOwnWithoutAGap() {
    LaboratoryRun run = withLane(LaneKind::dma, {span(0, 100, SpanKind::dmaTransfer)});
    auto path = std::make_shared<engine::CriticalPath>();
    engine::PathStep step;
    step.start = {0};
    step.end = {40};
    step.cause = engine::Cause::compute;
    path->steps.push_back(step);
    step.start = {40};
    step.end = {100};
    step.cause = engine::Cause::link;
    path->steps.push_back(step);
    run.result.path = path;
    TraceChecker checker;
    QCOMPARE(brokenIn(checker, traceText(run)), std::string());
    QCOMPARE(checker.processes[1], std::string("Critical path"));
    QCOMPARE(checker.names[std::string(engine::name(engine::Cause::link))], 1);
    TraceChoice without;
    without.path = false;
    QVERIFY(!contains(traceText(run, without), "Critical path"));
}

void TestChromeTrace::aPieceLastsFromItsLaunchUntilItsOutputIsInMemory() {
    engine::Trace trace;
    Lane lane;
    lane.kind = LaneKind::gemmWaves;
    lane.spans = {span(1'000, 9'000, SpanKind::gemmWave)};
    trace.lanes.push_back(lane);
    trace.pieces = {{{{1'000}, {6'000}, 5}, {{2'000}, {8'000}, 7}, {{6'000}, {9'000}, 3}}};
    TraceChecker checker;
    const std::string text = traceText(madeOf(trace));
    QCOMPARE(brokenIn(checker, text), std::string());
    for (const char* name : {"piece 1", "piece 2", "piece 3"})
        QCOMPARE(checker.names[name], 1);
    QVERIFY(contains(text, R"("name":"piece 2","pid":0,"tid":2,"ts":0.002000,"dur":0.006000,)"
                           R"("args":{"piece":2,"workgroups":7}})"));
    // The second piece overlaps the first; the third begins when the first has ended.
    QCOMPARE((checker.threads[{0, 1}]), std::string("GEMM pieces · row 1"));
    QCOMPARE((checker.threads[{0, 2}]), std::string("GEMM pieces · row 2"));
    QCOMPARE(checker.threads.size(), std::size_t{3});
}

void TestChromeTrace::piecesAreLeftOutWithTheWaves() {
    const LaboratoryRun run = ran("t-nlg/op/tp8", {"policy=chunked"});
    TraceChoice without;
    for (const TracePart& part : traceParts())
        choose(without, part, part.name != "workgroups");
    QVERIFY(contains(traceText(run), "GEMM pieces"));
    QVERIFY(!contains(traceText(run, without), "piece 1"));
    QVERIFY(!contains(traceText(run, without), "GEMM pieces"));
}

void TestChromeTrace::theSizeIsKnownBeforehandWithinAFewPercent() {
    for (const char* policy : {"policy=sequential", "policy=chunked", "policy=t3-mca"}) {
        const LaboratoryRun run = ran("t-nlg/op/tp8", {policy});
        TraceChoice small;
        for (const TracePart& part : traceParts())
            choose(small, part, part.name == "dma" || part.name == "links" || part.name == "workgroups");
        for (const TraceChoice& choice : {TraceChoice(), small}) {
            const auto written = static_cast<double>(traceText(run, choice).size());
            const auto estimated = static_cast<double>(estimatedTraceSize(run, choice));
            QVERIFY2(std::abs(estimated / written - 1) < 0.03, std::to_string(estimated / written).c_str());
        }
    }
}

void TestChromeTrace::whatIsLeftOutIsNotThereAndTheRestIsAsBefore() {
    const LaboratoryRun run = ran("t-nlg/op/tp8", {"policy=t3-mca"});
    TraceChecker all, some;
    QCOMPARE(brokenIn(all, traceText(run)), std::string());
    TraceChoice choice;
    for (const TracePart& part : traceParts())
        choose(choice, part, part.name != "loads" && part.name != "dram" && part.name != "counters");
    const std::string text = traceText(run, choice);
    QCOMPARE(brokenIn(some, text), std::string());
    QVERIFY(text.size() < traceText(run).size() * 4 / 5);
    QVERIFY(contains(text, R"("without":["loads","dram","counters"])"));
    QCOMPARE(some.names["load"], 0);
    QCOMPARE(some.counts["C"], 0);
    QCOMPARE(some.counts["s"], all.counts["s"]);
    QCOMPARE(some.names["workgroup"], all.names["workgroup"]);
}

void TestChromeTrace::aStopEndsTheWritingAndProgressRises() {
    const LaboratoryRun run = ran("t-nlg/op/tp8", {"policy=t3-mca"});
    double last = 0;
    std::stop_source stop;
    std::ostringstream out;
    TraceWatch watch{stop.get_token(), [&](double fraction) {
                         QVERIFY(fraction >= last);
                         last = fraction;
                     }};
    writeChromeTrace(run, out, {}, watch);
    QCOMPARE(last, 1.0);
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(writeChromeTrace(run, out, {}, watch), engine::RunStopped);
}

void TestChromeTrace::theSameRunGivesTheSameBytesOnOneThreadAndOnTwo() {
    DraftReading reading = draftNamed("t-nlg/op/tp8");
    applySetting("detail.level=interactive", reading.draft, reading.problems);
    applySetting("workload.batch=1", reading.draft, reading.problems);
    applySetting("workload.hidden=2048", reading.draft, reading.problems);
    applySetting("detail.mode=full", reading.draft, reading.problems);
    const LaboratoryRun one = Laboratory().run(reading.draft, {.recordTrace = true, .baselines = false, .threads = 1});
    const LaboratoryRun two = Laboratory().run(reading.draft, {.recordTrace = true, .baselines = false, .threads = 2});
    QVERIFY(traceText(one) == traceText(two));
}

void TestChromeTrace::theCheckerFindsWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QByteArray>("says");
    const QByteArray names = R"({"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"p"}},)"
                             R"({"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"a"}},)"
                             R"({"ph":"M","name":"thread_name","pid":0,"tid":2,"args":{"name":"b"}},)"
                             R"({"ph":"X","name":"x","pid":0,"tid":1,"ts":1,"dur":2,"args":{}},)"
                             R"({"ph":"X","name":"y","pid":0,"tid":2,"ts":5,"dur":2,"args":{}})";
    const auto row = [&](const char* says, const char* more) {
        QTest::newRow(says) << names + "," + more << QByteArray(says);
    };
    row("without dur", R"({"ph":"X","name":"x","pid":0,"tid":1,"ts":9})");
    row("without tid", R"({"ph":"X","name":"x","pid":0,"ts":9,"dur":1})");
    row("is no time", R"({"ph":"X","name":"x","pid":0,"tid":1,"ts":"9","dur":1})");
    row("overlap", R"({"ph":"X","name":"x","pid":0,"tid":1,"ts":2,"dur":5})");
    row("unknown ph", R"({"ph":"Q","name":"x","pid":0,"tid":1,"ts":2})");
    row("without a scope", R"({"ph":"i","name":"x","pid":0,"tid":1,"ts":2})");
    row("given twice", R"({"ph":"M","name":"thread_name","pid":0,"tid":1,"args":{"name":"c"}})");
    row("two threads of one name", R"({"ph":"M","name":"thread_name","pid":0,"tid":3,"args":{"name":"a"}})");
    row("a thread without a name", R"({"ph":"i","s":"t","name":"x","pid":0,"tid":9,"ts":2})");
    row("a process without a name", R"({"ph":"C","name":"x","pid":7,"ts":2,"args":{"value":1}})");
    row("a counter that is no number", R"({"ph":"C","name":"x","pid":0,"ts":2,"args":{"value":"1"}})");
    row("does not go from a beginning", R"({"ph":"s","cat":"c","name":"x","id":1,"pid":0,"tid":1,"ts":2})");
    row("bind to the slice after it", R"({"ph":"s","cat":"c","name":"x","id":1,"pid":0,"tid":1,"ts":2},)"
                                      R"({"ph":"f","cat":"c","name":"x","id":1,"pid":0,"tid":2,"ts":6})");
    row("goes back in time", R"({"ph":"s","cat":"c","name":"x","id":1,"pid":0,"tid":2,"ts":6},)"
                             R"({"ph":"f","bp":"e","cat":"c","name":"x","id":1,"pid":0,"tid":1,"ts":2})");
    row("stands in no slice", R"({"ph":"s","cat":"c","name":"x","id":1,"pid":0,"tid":1,"ts":2},)"
                              R"({"ph":"f","bp":"e","cat":"c","name":"x","id":1,"pid":0,"tid":2,"ts":7})");
    QTest::newRow("fine") << names << QByteArray();
}

void TestChromeTrace::theCheckerFindsWhatIsWrong() {
    QFETCH(const QByteArray, events);
    QFETCH(const QByteArray, says);
    const QByteArray text = R"({"displayTimeUnit":"ns","traceEvents":[)" + events + "]}";
    const std::string broken = brokenIn(text.toStdString());
    QVERIFY2(says.isEmpty() ? broken.empty() : contains(broken, says.toStdString()), broken.c_str());
    QVERIFY(!brokenIn(text.chopped(1).toStdString()).empty());
}

RINGSIDE_TEST(TestChromeTrace)
#include "tst_chrome_trace.moc"
