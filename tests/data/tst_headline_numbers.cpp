#include "data/laboratory/laboratory.h"
#include "data/results/headline_numbers.h"
#include "engine/api/run_times.h"
#include "tests/test_program.h"

#include <QtTest>

using data::HeadlineKind;
using data::HeadlineNumber;

namespace {

engine::RunResult headlineRun(const char* name, std::initializer_list<const char*> settings) {
    data::DraftReading reading = data::draftNamed(name);
    data::applySetting("detail.level=interactive", reading.draft, reading.problems);
    for (const char* setting : settings)
        data::applySetting(setting, reading.draft, reading.problems);
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return data::Laboratory().run(reading.draft).result;
}

std::vector<HeadlineKind> kindsOf(const std::vector<HeadlineNumber>& numbers) {
    std::vector<HeadlineKind> kinds;
    for (const HeadlineNumber& number : numbers)
        kinds.push_back(number.kind);
    return kinds;
}

}  // namespace

class TestHeadlineNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNumbersAreThoseOfTheResult() {
        const engine::RunResult result = headlineRun("t-nlg/fc-2/tp8", {"policy=t3-mca"});
        const auto numbers = data::headlineNumbersOf(result);
        QVERIFY(kindsOf(numbers) == (std::vector{HeadlineKind::total, HeadlineKind::gemm, HeadlineKind::reduceScatter,
                                                 HeadlineKind::allGather, HeadlineKind::hidden, HeadlineKind::exposed,
                                                 HeadlineKind::speedup}));
        const engine::TimeResult& time = engine::timesOfRun(result);
        const engine::Hiding hiding = engine::hidingOf(result).value();
        QCOMPARE(numbers[0].time.value(), time.total);
        QVERIFY(!numbers[0].whole);
        QCOMPARE(numbers[1].time.value(), time.gemm);
        QCOMPARE(numbers[1].alone.value(), result.sequentialGemm.value());
        QCOMPARE(numbers[1].stretch.value(), hiding.gemmStretch);
        QCOMPARE(numbers[2].time.value(), time.reduceScatter);
        QCOMPARE(numbers[3].time.value(), time.allGather);
        QCOMPARE(numbers[4].time.value() + numbers[5].time.value(), numbers[4].whole.value());
        QVERIFY(!numbers[4].isLost());
        QCOMPARE(numbers[6].ratio, result.speedupOverSequential);
        QCOMPARE(numbers[6].alone.value(), result.sequentialTotal.value());
        QCOMPARE(numbers[3].share().value(),
                 static_cast<double>(time.allGather.ps) / static_cast<double>(time.total.ps));
    }

    void aRunSlowerThanSequentialHasLostTime() {
        engine::RunResult result = headlineRun("t-nlg/fc-2/tp8", {"policy=t3-mca"});
        result.last.time.total = result.sequentialTotal.value() + engine::Duration{1'000};
        const HeadlineNumber hidden = data::headlineNumbersOf(result)[4];
        QVERIFY(hidden.isLost());
        QCOMPARE(hidden.time->ps, std::int64_t{-1'000});
        QVERIFY(!hidden.share());
    }

    void anAllToAllTakesThePlaceOfTheReduceScatter() {
        const engine::RunResult result = headlineRun("mega-gpt-2/op/tp8", {"collective.operation=all-to-all"});
        const auto numbers = data::headlineNumbersOf(result);
        QVERIFY(numbers[2].kind == HeadlineKind::allToAll);
        QCOMPARE(numbers[2].time.value(), engine::timesOfRun(result).allToAll);
        QVERIFY(!numbers[3].time);
    }

    void aCollectiveAloneHasNoRunToCompareWith() {
        const auto numbers = data::headlineNumbersOf(headlineRun("collective/all-gather/tp8", {"workload.bytes=8MiB"}));
        QVERIFY(!numbers[1].time && !numbers[4].time && !numbers[5].time && !numbers[6].ratio);
        QVERIFY(numbers[3].time);
    }

    void aCompanionTakesThePlaceOfHiddenAndExposed() {
        const engine::RunResult result = headlineRun(
            "gemm/2048x2048x1024", {"policy=sequential", "companion.operation=all-gather", "companion.bytes=8MiB"});
        const auto numbers = data::headlineNumbersOf(result);
        QVERIFY(numbers[4].kind == HeadlineKind::ownWork && numbers[5].kind == HeadlineKind::companion);
        QCOMPARE(numbers[4].time.value(), result.companion->own);
        QCOMPARE(numbers[5].alone, result.companion->alone);
        QVERIFY(numbers[5].beside.has_value() && numbers[4].inCompany && numbers[6].inCompany && !numbers[0].inCompany);
        QCOMPARE(numbers[6].ratio, result.companion->speedupOverSerial);
    }
};

RINGSIDE_TEST(TestHeadlineNumbers)
#include "tst_headline_numbers.moc"
