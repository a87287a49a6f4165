#include "data/laboratory/laboratory.h"
#include "data/page/page_document.h"
#include "data/page/page_fit.h"
#include "data/replay/kernel_number.h"
#include "tests/data/run_block_reader.h"
#include "tests/test_program.h"

#include <QtTest>

#include <array>
#include <map>
#include <numeric>
#include <set>

using data::BlockDetail;
using engine::LaneKind;

namespace {

data::LaboratoryRun fitRun(const char* name, std::initializer_list<const char*> settings) {
    data::DraftReading reading = data::draftNamed(name);
    data::applySetting("detail.level=interactive", reading.draft, reading.problems);
    for (const char* setting : settings)
        data::applySetting(setting, reading.draft, reading.problems);
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return data::Laboratory().run(reading.draft, {.recordTrace = true, .attribution = true});
}

const data::LaboratoryRun& plainRun() {
    static const data::LaboratoryRun kRun = fitRun("mega-gpt-2/op/tp4", {"policy=t3-mca"});
    return kRun;
}

std::size_t sizeOf(std::size_t most) {
    return data::pageOf({.runs = {plainRun()}, .title = {}, .mostBytes = most}).html.size();
}

}  // namespace

class TestPageFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void busyTimeIsThatOfTheSpans_data() {
        QTest::addColumn<QString>("companion");
        QTest::newRow("alone") << QString();
        QTest::newRow("beside a companion") << QStringLiteral("companion.operation=all-gather");
    }

    void busyTimeIsThatOfTheSpans() {
        QFETCH(const QString, companion);
        const std::string setting = companion.toStdString();
        const data::LaboratoryRun run =
            companion.isEmpty() ? plainRun() : fitRun("mega-gpt-2/op/tp4", {"policy=t3-mca", setting.c_str()});
        const engine::Trace& trace = *run.result.trace;
        const BlockDetail& least = data::blockDetails().back();
        const tests::ReadRunBlock read =
            tests::RunBlockReader(data::writeRunBlock(trace, run.result.path.get(), least)).read();
        QCOMPARE(read.busy.size(), std::size_t{6});
        std::set<LaneKind> kinds;
        for (const tests::ReadBusyTime& busy : read.busy) {
            const engine::Lane& lane = read.lanes[busy.lane];
            kinds.insert(lane.kind);
            const nlohmann::json& header = read.header["lanes"][busy.lane];
            const std::int64_t bucket = header["bucket"];
            std::map<int, std::map<std::int64_t, std::int64_t>> wanted;  // by kernel, then period
            std::size_t count = 0, lanes = 0;
            for (const engine::Lane& one : trace.lanes) {
                if (one.gpu != lane.gpu || one.kind != lane.kind)
                    continue;
                ++lanes;
                for (const engine::Span& span : one.spans) {
                    if (lane.kind == LaneKind::tracker && span.kind != engine::SpanKind::trackedTile)
                        continue;
                    ++count;
                    for (std::int64_t at = span.start.ps; at < span.end.ps;) {
                        const std::int64_t until = std::min(span.end.ps, (at / bucket + 1) * bucket);
                        wanted[data::kernelNumberOf(span)][at / bucket] += until - at;
                        at = until;
                    }
                }
            }
            QCOMPARE(header["count"].get<std::size_t>(), count);
            for (std::size_t i = 0; i < busy.times.size(); ++i) {
                const std::vector<std::int64_t>& times = busy.times[i];
                QCOMPARE(times.size(), static_cast<std::size_t>((trace.end.ps + bucket - 1) / bucket));
                for (std::size_t period = 0; period < times.size(); ++period)
                    QCOMPARE(times[period], wanted[header["kernels"][i].get<int>()][static_cast<std::int64_t>(period)]);
            }
            if (lane.exclusive)
                QCOMPARE(header["most"].get<std::size_t>(), lanes);
        }
        QVERIFY(kinds == (std::set{LaneKind::loads, LaneKind::stores, LaneKind::tracker, LaneKind::linkOut,
                                   LaneKind::linkIn, LaneKind::dramChannel}));
        // Waves, steps, transfers and triggers stay exact, and the path is whole.
        for (std::size_t i = 0; i < trace.lanes.size(); ++i) {
            const engine::Lane& lane = trace.lanes[i];
            if (lane.kind == LaneKind::gemmWaves || lane.kind == LaneKind::dma ||
                lane.kind == LaneKind::reduceScatter) {
                const auto same = std::ranges::find_if(read.lanes, [&](const engine::Lane& one) {
                    return one.gpu == lane.gpu && one.kind == lane.kind && one.index == lane.index;
                });
                QCOMPARE(same->spans.size(), lane.spans.size());
            }
        }
        QCOMPARE(read.counterPeriods.size(), trace.counters.size());
        QCOMPARE(read.path.size(), run.result.path->steps.size());
        for (std::size_t i = 0; i < read.path.size(); ++i) {
            QCOMPARE(read.path[i].end, run.result.path->steps[i].end);
            if (read.path[i].lane != engine::kNone)
                QVERIFY(read.path[i].lastSpan < read.lanes[read.path[i].lane].spans.size());
        }
    }

    void countersByPeriodHaveTheLowestMeanAndHighestValue() {
        engine::Trace trace;
        trace.end = {10};
        trace.counters = {{engine::CounterKind::dmaQueue, 0, {{{0}, 4}, {{3}, 10}, {{4}, 0}, {{9}, 2}}}};
        BlockDetail detail;
        detail.counters = false;
        detail.buckets = 2;
        const tests::ReadRunBlock read = tests::RunBlockReader(data::writeRunBlock(trace, nullptr, detail)).read();
        QCOMPARE(read.counterPeriods.size(), std::size_t{1});
        QVERIFY(read.counterPeriods[0] == (std::vector<std::array<std::int64_t, 3>>{{0, 4, 10}, {0, 0, 2}}));
        QCOMPARE(read.header["counters"][0]["bucket"].get<int>(), 5);
    }

    void aPageLosesNoMoreThanItMust() {
        const std::size_t exact = sizeOf(100'000'000);
        const data::Page whole = data::pageOf({.runs = {plainRun()}, .title = {}, .mostBytes = exact});
        QVERIFY(whole.detail.isExact());
        const data::Page less = data::pageOf({.runs = {plainRun()}, .title = {}, .mostBytes = exact - 1});
        QVERIFY(less.detail == data::blockDetails()[1]);
        QVERIFY(less.html.size() < exact);
        const data::Page least = data::pageOf({.runs = {plainRun()}, .title = {}, .mostBytes = less.html.size() - 1});
        QVERIFY(least.detail == data::blockDetails()[2]);
    }

    void aPageThatDoesNotFitIsRefusedWithItsSize() {
        try {
            sizeOf(50'000);
            QFAIL("it was written");
        } catch (const engine::InvalidExperiment& refused) {
            const QString why = QString::fromUtf8(refused.what());
            QVERIFY2(why.contains(QStringLiteral("--max-size: 50.0\u00a0kB: the page has ")) &&
                         why.contains(QStringLiteral("sums of 1,024 periods")),
                     qPrintable(why));
        }
    }

    void theWordsNameWhatIsNotExact() {
        QCOMPARE(data::wordsOf({}), std::string("every span exact"));
        QCOMPARE(data::wordsOf(data::blockDetails()[1]),
                 std::string("sums of 4,096 periods for loads, all else exact"));
        QCOMPARE(data::wordsOf(data::blockDetails().back()),
                 std::string(
                     "sums of 1,024 periods for loads, DRAM channels, stores, links, tracked tiles and counters, all "
                     "else exact"));
    }
};

RINGSIDE_TEST(TestPageFit)
#include "tst_page_fit.moc"
