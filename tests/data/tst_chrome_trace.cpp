#include "data/chrome_trace.h"
#include "data/experiment_document.h"
#include "engine/api/runner.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>
#include <sstream>

using namespace data;
using engine::Lane;
using engine::LaneKind;
using engine::Span;
using engine::SpanKind;

namespace {

struct Event {
    std::int64_t start;
    std::int64_t end;
};

QJsonArray eventsOf(const engine::Trace& trace) {
    std::ostringstream out;
    writeChromeTrace(trace, "a \"title\"", out);
    return QJsonDocument::fromJson(QByteArray::fromStdString(out.str())).object()["traceEvents"].toArray();
}

std::int64_t picoseconds(const QJsonValue& microseconds) { return std::llround(microseconds.toDouble() * 1e6); }

/// Complete events by process and thread.
std::map<std::pair<int, int>, std::vector<Event>> threadsOf(const QJsonArray& events) {
    std::map<std::pair<int, int>, std::vector<Event>> threads;
    for (const QJsonValue& event : events) {
        if (event["ph"] != "X")
            continue;
        const std::int64_t start = picoseconds(event["ts"]);
        threads[{event["pid"].toInt(), event["tid"].toInt()}].push_back({start, start + picoseconds(event["dur"])});
    }
    return threads;
}

int overlaps(const QJsonArray& events) {
    int count = 0;
    for (auto& [thread, spans] : threadsOf(events)) {
        std::vector<Event> inOrder = spans;
        std::sort(inOrder.begin(), inOrder.end(), [](const Event& a, const Event& b) { return a.start < b.start; });
        for (std::size_t i = 1; i < inOrder.size(); ++i)
            count += inOrder[i].start < inOrder[i - 1].end;
    }
    return count;
}

Span span(std::int64_t start, std::int64_t end, SpanKind kind = SpanKind::store) {
    Span made;
    made.start = {start};
    made.end = {end};
    made.kind = kind;
    return made;
}

}  // namespace

class TestChromeTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTwoCompleteEventsOfARunOverlapOnAThread() {
        DraftReading reading = draftNamed("t-nlg/op/tp16");
        applySetting("detail.level=interactive", reading.draft, reading.problems);
        engine::RunOptions options;
        options.recordTrace = true;
        options.baselines = false;
        for (const char* policy : {"policy=sequential", "policy=t3", "policy=t3-mca"}) {
            applySetting(policy, reading.draft, reading.problems);
            const engine::RunResult result = engine::run(expand(reading.draft).experiment, options);
            const QJsonArray events = eventsOf(*result.trace);
            QCOMPARE(overlaps(events), 0);
            // Nothing is lost on the way: every span is an event.
            const auto isSpan = [](const QJsonValue& e) { return e["ph"] == "X" || e["ph"] == "i"; };
            QCOMPARE(static_cast<std::size_t>(std::count_if(events.begin(), events.end(), isSpan)),
                     result.trace->spanCount());
        }
    }

    void spansThatMeetShareAThreadAndSpansThatOverlapDoNot() {
        engine::Trace trace;
        Lane lane;
        lane.kind = LaneKind::stores;
        lane.exclusive = false;
        // 10-20 and 20-30 meet; 15-25 overlaps both; 30-40 fits on the first row again.
        lane.spans = {span(10, 20), span(15, 25), span(20, 30), span(30, 40)};
        trace.lanes.push_back(lane);
        const auto threads = threadsOf(eventsOf(trace));
        QCOMPARE(threads.size(), std::size_t{2});
        QCOMPARE(threads.begin()->second.size(), std::size_t{3});
        QCOMPARE(overlaps(eventsOf(trace)), 0);
    }

    void picosecondsSurvive() {
        engine::Trace trace;
        Lane lane;
        lane.kind = LaneKind::dma;
        lane.spans = {span(1'234'567'890'123, 1'234'567'890'124)};
        trace.lanes.push_back(lane);
        std::ostringstream out;
        writeChromeTrace(trace, "", out);
        QVERIFY(out.str().find("\"ts\":1234567.890123,\"dur\":0.000001") != std::string::npos);
    }

    void instantsAndCountersHaveTheirOwnEvents() {
        engine::Trace trace;
        Lane lane;
        lane.kind = LaneKind::tracker;
        lane.spans = {span(5, 5, SpanKind::trigger)};
        trace.lanes.push_back(lane);
        trace.counters.push_back({engine::CounterKind::dmaQueue, 0, {{{7}, 3}}});
        const QJsonArray events = eventsOf(trace);
        const auto count = [&](const char* phase) {
            return std::count_if(events.begin(), events.end(), [&](const QJsonValue& e) { return e["ph"] == phase; });
        };
        QCOMPARE(count("i"), 1);
        QCOMPARE(count("C"), 1);
        QCOMPARE(count("X"), 0);
    }
};

QTEST_APPLESS_MAIN(TestChromeTrace)
#include "tst_chrome_trace.moc"
