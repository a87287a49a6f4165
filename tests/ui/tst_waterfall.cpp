#include "engine/api/results.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"
#include "ui/compare/waterfall.h"

#include <QTest>

#include <numeric>
#include <random>

using engine::Cause;
using ui::Waterfall;

namespace {

constexpr std::int64_t kWaterfallUs = 1'000'000;

engine::RunResult runOf(std::initializer_list<std::pair<Cause, std::int64_t>> causes) {
    engine::RunResult result;
    result.attribution.emplace();
    for (const auto& [cause, ps] : causes)
        result.attribution->causes[cause] = {ps};
    result.last.time.total = result.attribution->causes.total();
    return result;
}

std::int64_t sumOf(const Waterfall& waterfall) {
    std::int64_t sum = 0;
    for (const ui::WaterfallStep& step : waterfall.steps)
        sum += step.ps;
    return sum;
}

std::int64_t shownSumOf(const Waterfall& waterfall) {
    std::int64_t sum = 0;
    for (const ui::WaterfallStep& step : waterfall.steps)
        sum += step.shown;
    return sum;
}

engine::RunResult t3() {
    return runOf({{Cause::compute, 900 * kWaterfallUs},
                  {Cause::contention, 300 * kWaterfallUs},
                  {Cause::link, 100 * kWaterfallUs}});
}

}  // namespace

class TestWaterfall : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSentenceIsMadeFromTheNumbers() {
        const engine::RunResult mca = runOf({{Cause::compute, 900 * kWaterfallUs},
                                             {Cause::contention, 160 * kWaterfallUs},
                                             {Cause::link, 120 * kWaterfallUs}});
        const Waterfall waterfall = ui::waterfallOf(t3(), mca);
        QCOMPARE(ui::waterfallHeading(waterfall, QStringLiteral("T3"), QStringLiteral("T3-MCA")),
                 QStringLiteral("T3-MCA is 120\u00a0µs faster than T3"));
        QCOMPARE(ui::waterfallReasons(waterfall), QStringLiteral("−140\u00a0µs memory contention, +20\u00a0µs link"));
        QVERIFY(waterfall.byCause);
        QCOMPARE(ui::waterfallBrief(waterfall, QStringLiteral("T3-MCA")), QStringLiteral("T3-MCA: 120\u00a0µs faster"));
    }

    void whatDoesNotDifferIsNoStep() {
        QVERIFY(ui::waterfallOf(t3(), t3()).steps.empty());
        QCOMPARE(ui::waterfallHeading(ui::waterfallOf(t3(), t3()), QStringLiteral("A"), QStringLiteral("B")),
                 QStringLiteral("B takes exactly as long as A"));
    }

    // FiCCO's two losses have a step each, with the numbers of the results, and the causes show the rest.
    void whatPiecesLoseBesideCopiesHasTwoSteps() {
        engine::Experiment experiment = tests::smallExperiment(engine::PolicyPreset::chunkedDma);
        experiment.collective.algorithm = engine::CollectiveAlgorithm::direct;
        experiment.collective.operation = engine::CollectiveOperation::reduceScatter;
        experiment.topology.kind = engine::TopologyKind::fullyConnected;
        experiment.policy.pieces = 16;
        experiment.launch.kernel = {1'000'000};
        engine::RunOptions options;
        options.attribution = true;
        const engine::RunResult pieces = engine::run(experiment, options);
        engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
        const engine::RunResult sequential = engine::run(experiment, options);
        QVERIFY(!sequential.gemm->decomposition);
        QVERIFY(pieces.loss && pieces.loss->contention);
        const Waterfall waterfall = ui::waterfallOf(sequential, pieces);
        const ui::WaterfallStep* decomposition = waterfall.find(QStringLiteral("decomposition of the GEMM"));
        QVERIFY(decomposition != nullptr);
        QVERIFY(decomposition->ps > 0);
        QCOMPARE(decomposition->ps, pieces.gemm->decomposition->ps);
        const ui::WaterfallStep* contention = waterfall.find(QStringLiteral("contention beside copies"));
        QCOMPARE(contention == nullptr ? 0 : contention->ps, pieces.gemm->contention->ps);
        QCOMPARE((*pieces.gemm->decomposition + *pieces.gemm->contention).ps,
                 (pieces.last.time.gemm - *pieces.sequentialGemm).ps);
        QCOMPARE(sumOf(waterfall), waterfall.difference());
        QVERIFY(waterfall.byCause);
    }

    void stepsLeadFromOneTotalToTheOtherToThePicosecond() {
        std::mt19937_64 random(3);
        for (int round = 0; round < 200; ++round) {
            engine::RunResult a = runOf({}), b = runOf({});
            for (std::size_t i = 0; i < engine::kCauses; ++i) {
                a.attribution->causes.by[i] = {static_cast<std::int64_t>(random() % 3'000'000'000)};
                b.attribution->causes.by[i] = {static_cast<std::int64_t>(random() % 3'000'000'000)};
            }
            a.last.time.total = a.attribution->causes.total();
            b.last.time.total = b.attribution->causes.total();
            const Waterfall waterfall = ui::waterfallOf(a, b);
            QCOMPARE(sumOf(waterfall), waterfall.difference());
            QCOMPARE(waterfall.steps.front().from, a.last.time.total.ps);
            QCOMPARE(waterfall.steps.back().from + waterfall.steps.back().ps, b.last.time.total.ps);
            // The displayed values also add up.
            QCOMPARE(shownSumOf(waterfall), waterfall.shownTotal);
        }
    }

    void roundedPartsSumToTheRoundedSumAndAreNoQuantumOff() {
        QCOMPARE(ui::roundedTogether({14, 14, 14}, 10), (std::vector<std::int64_t>{2, 1, 1}));
        QCOMPARE(ui::roundedTogether({-14, -14, -14}, 10), (std::vector<std::int64_t>{-1, -1, -2}));
        std::mt19937_64 random(4);
        for (int round = 0; round < 500; ++round) {
            std::vector<std::int64_t> parts;
            for (int i = 0; i < 7; ++i)
                parts.push_back(static_cast<std::int64_t>(random() % 20'001) - 10'000);
            const auto rounded = ui::roundedTogether(parts, 100);
            for (std::size_t i = 0; i < parts.size(); ++i)
                QVERIFY(std::abs(rounded[i] * 100 - parts[i]) < 100);
            const std::int64_t sum = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
            const std::int64_t shown = std::accumulate(rounded.begin(), rounded.end(), std::int64_t{0});
            QVERIFY(std::abs(shown * 100 - sum) <= 50);
        }
    }

    void manyReasonsEndInOthersAndStillAddUp() {
        const engine::RunResult slow = runOf({{Cause::compute, 50 * kWaterfallUs},
                                              {Cause::memory, 40 * kWaterfallUs},
                                              {Cause::contention, 30 * kWaterfallUs},
                                              {Cause::link, 20 * kWaterfallUs},
                                              {Cause::dispatch, 2 * kWaterfallUs},
                                              {Cause::dependency, 1 * kWaterfallUs}});
        const QString reasons = ui::waterfallReasons(ui::waterfallOf(slow, runOf({})));
        QVERIFY2(reasons.endsWith(QStringLiteral("−3\u00a0µs others")), qPrintable(reasons));
        QCOMPARE(reasons.count(QLatin1Char(',')), 4);
    }

    void anAttributionThatDoesNotSumToItsTotalExplainsNothing() {
        engine::RunResult wrong = t3();
        wrong.last.time.total += {1};
        QVERIFY(!ui::waterfallOf(t3(), wrong).byCause);
    }

    void withoutCausesThePartsOfTheRunStandIn() {
        engine::RunResult a, b;
        a.last.time = {.total = {1'000 * kWaterfallUs},
                       .gemm = {600 * kWaterfallUs},
                       .exposedCommunication = {400 * kWaterfallUs}};
        b.last.time = {
            .total = {900 * kWaterfallUs}, .gemm = {650 * kWaterfallUs}, .exposedCommunication = {250 * kWaterfallUs}};
        const Waterfall waterfall = ui::waterfallOf(a, b);
        QCOMPARE(sumOf(waterfall), -100 * kWaterfallUs);
        QCOMPARE(ui::waterfallReasons(waterfall), QStringLiteral("−150\u00a0µs outside the GEMM, +50\u00a0µs GEMM"));
    }

    void aDifferenceTooSmallForItsCausesIsNotCalledZero() {
        const engine::RunResult a = runOf({{Cause::compute, 200 * kWaterfallUs}, {Cause::link, 0}});
        const engine::RunResult b = runOf({{Cause::compute, 0}, {Cause::link, 200 * kWaterfallUs - 300}});
        QCOMPARE(ui::waterfallHeading(ui::waterfallOf(a, b), QStringLiteral("A"), QStringLiteral("B")),
                 QStringLiteral("B is less than 1\u00a0µs faster than A"));
    }

    void everyMagnitudeHasThreeDigitsAtMost() {
        const auto headingOf = [](std::int64_t ps) {
            return ui::waterfallHeading(ui::waterfallOf(runOf({}), runOf({{Cause::link, ps}})), QStringLiteral("A"),
                                        QStringLiteral("B"));
        };
        QVERIFY(headingOf(12'345'678).contains(QStringLiteral("12.3\u00a0µs")));
        QVERIFY(headingOf(1'234'567'890).contains(QStringLiteral("1.23\u00a0ms")));
        QVERIFY(headingOf(7).contains(QStringLiteral("7\u00a0ps")));
    }
};

RINGSIDE_CORE_TEST(TestWaterfall)
#include "tst_waterfall.moc"
