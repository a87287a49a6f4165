#include "engine/api/parameters.h"
#include "engine/api/trace.h"
#include "engine/memory/access_pattern.h"
#include "tests/engine/attributed_run.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <set>

using namespace engine;
using namespace engine::literals;

namespace {

/// Returns an access pattern on one channel that serves a granule of 256 B in 1 ns, with a latency of 100 ns.
Experiment onePattern() {
    Experiment experiment;
    experiment.workload.sublayer = SubLayer::access;
    applyPolicyPreset(experiment, PolicyPreset::sequential);
    experiment.detail.granule = 256_B;
    experiment.detail.channels = 1;
    experiment.memory.bandwidth = {256'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.latency = 100_ns;
    experiment.access.count = 1000;
    experiment.access.footprint = 1_MiB;
    return experiment;
}

/// Returns the stream and the granule of the first requests, as text: "0:0 0:1".
QString firstOf(const Experiment& experiment, std::uint32_t count) {
    const AccessOrder order(experiment, nullptr);
    QStringList texts;
    for (std::uint32_t number = 0; number < count; ++number)
        texts.append(QString("%1:%2").arg(order[number].stream).arg(order[number].granule));
    return texts.join(' ');
}

/// Returns the path of the first problem; empty for a valid experiment.
QString firstProblem(const Experiment& experiment) {
    const Problems problems = validate(experiment);
    return problems.empty() ? QString() : QString::fromStdString(problems.front().path);
}

RunResult runWith(const Experiment& experiment, AccessRequests requests) {
    RunOptions options;
    options.recordTrace = true;
    options.accesses = std::make_shared<const AccessRequests>(std::move(requests));
    return engine::run(experiment, options);
}

const std::string kDigest(64, 'a');

Experiment ofFile() {
    Experiment experiment = onePattern();
    experiment.access.pattern = AccessPatternKind::trace;
    experiment.access.trace = kDigest;
    return experiment;
}

}  // namespace

class TestAccessPattern : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void streamsTakeTurnsInTheirOrder() {
        Experiment experiment = onePattern();
        experiment.access.reads = 1;
        experiment.access.updates = 1;
        experiment.access.footprint = 512_B;
        // A region of 512 B is rounded up to a row of the first bank: 64 x 1 KiB x 16 = 1 MiB, or 4096 granules.
        QCOMPARE(firstOf(experiment, 6), "0:0 1:4096 0:1 1:4097 0:0 1:4096");
        experiment.access.turn = 512_B;
        QCOMPARE(firstOf(experiment, 6), "0:0 0:1 1:4096 1:4097 0:0 0:1");
        experiment.access.skew = 256_B;
        QCOMPARE(firstOf(experiment, 4), "0:0 0:1 1:4097 1:4098");
        const AccessOrder order(experiment, nullptr);
        QCOMPARE(order.streams(), (std::vector{MemoryOp::read, MemoryOp::update}));
    }

    void strideLeadsFromTurnToTurnAndWrapsAtTheRegionsEnd() {
        Experiment experiment = onePattern();
        experiment.access.stride = 1_KiB;
        experiment.access.footprint = 2560_B;
        QCOMPARE(firstOf(experiment, 5), "0:0 0:4 0:8 0:2 0:6");
        experiment.access.turn = 768_B;
        QCOMPARE(firstOf(experiment, 9), "0:0 0:1 0:2 0:4 0:5 0:6 0:8 0:9 0:0");  // the third turn reaches the end
    }

    void randomTurnsBeginAtWholeTurnsOfTheRegion() {
        Experiment experiment = onePattern();
        experiment.access.pattern = AccessPatternKind::random;
        experiment.access.turn = 1_KiB;
        experiment.access.footprint = 16_KiB;
        const AccessOrder order(experiment, nullptr);
        std::set<std::uint32_t> begins;
        for (std::uint32_t number = 0; number < order.count(); ++number) {
            const std::uint32_t granule = order[number].granule;
            QVERIFY(granule < 64);
            QCOMPARE(granule % 4, number % 4);
            begins.insert(granule / 4);
        }
        QCOMPARE(begins.size(), 16u);
        const QString text = firstOf(experiment, 100);
        QCOMPARE(firstOf(experiment, 100), text);
        experiment.seed = 2;
        QVERIFY(firstOf(experiment, 100) != text);
    }

    void oneChannelServesRequestsWithoutAPause() {
        const RunResult result = engine::run(onePattern());
        QCOMPARE(result.last.time.total, 1000 * 1_ns + 100_ns);
        QCOMPARE(result.access->requests, 1000);
        QCOMPARE(result.access->bytes, Bytes{256'000});
        QCOMPARE(result.access->bandwidth.bytesPerSecond, 256'000 * 1'000'000'000'000 / 1'100'000);
        QCOMPARE(result.bounds.memory, 1000_ns);
        QVERIFY(result.invariants.failed.empty());
        QVERIFY(!result.isolated && !result.speedupOverSequential && !result.gemm);
    }

    void channelsServeAStrideThatSpreadsAtOnceAndOneThatCampsOneAfterTheOther() {
        Experiment experiment = onePattern();
        experiment.detail.channels = 8;
        experiment.memory.bandwidth = {8 * 256'000'000'000};
        QCOMPARE(engine::run(experiment).last.time.total, 125_ns + 100_ns);
        experiment.access.stride = 2_KiB;
        QCOMPARE(engine::run(experiment).last.time.total, 1000_ns + 100_ns);
    }

    void outstandingRequestsLimitWhatChannelsServeAtOnce() {
        Experiment experiment = onePattern();
        experiment.detail.channels = 8;
        experiment.memory.bandwidth = {8 * 256'000'000'000};
        experiment.access.outstanding = 1;
        QCOMPARE(engine::run(experiment).last.time.total, 1000_ns + 100_ns);
        experiment.access.outstanding = 2;
        QCOMPARE(engine::run(experiment).last.time.total, 500_ns + 100_ns);
    }

    void updatesTakeTheTimeOfTheirStream() {
        Experiment experiment = onePattern();
        experiment.access.reads = 0;
        experiment.access.updates = 2;
        experiment.memory.updateCost = 2;
        experiment.memory.arrivingUpdateCost = 4;
        QCOMPARE(engine::run(experiment).last.time.total, 2000_ns + 100_ns);
        experiment.access.communication = 1;
        QCOMPARE(engine::run(experiment).last.time.total, 500 * 2_ns + 500 * 4_ns + 100_ns);
    }

    void communicationStreamsArriveInTheOtherStreamOfTheController() {
        Experiment experiment = onePattern();
        experiment.access.writes = 1;
        experiment.access.communication = 1;
        RunOptions options;
        options.recordTrace = true;
        const RunResult result = engine::run(experiment, options);
        std::int64_t reads = 0, writes = 0;
        for (const Lane& lane : result.trace->lanes) {
            for (const Span& span : lane.spans) {
                const auto stream = static_cast<Stream>(span.first);
                reads += span.kind == SpanKind::dramRead && stream == Stream::compute;
                writes += span.kind == SpanKind::dramWrite && stream == Stream::communication;
            }
        }
        QCOMPARE(reads, 500);
        QCOMPARE(writes, 500);
    }

    void everyPicosecondHasACause_data() {
        QTest::addColumn<int>("communication");
        QTest::addRow("one stream of the controller") << 0;
        QTest::addRow("both streams") << 1;
    }
    void everyPicosecondHasACause() {
        QFETCH(int, communication);
        Experiment experiment = onePattern();
        experiment.access.writes = 1;
        experiment.access.communication = communication;
        experiment.detail.channels = 4;
        experiment.memory.turnaround = 2_ns;
        const RunResult result = tests::attributed(experiment);
        QCOMPARE(tests::defectsOf(result), std::string());
        const CauseTimes& causes = result.attribution->causes;
        QCOMPARE(result.attribution->byPhase[static_cast<std::size_t>(WorkPhase::access)].total(),
                 result.last.time.total);
        QCOMPARE(causes[Cause::latency], experiment.memory.latency);
        QCOMPARE(causes[Cause::memory] + causes[Cause::contention], result.last.time.total - experiment.memory.latency);
        QCOMPARE(causes[Cause::contention].ps > 0, communication == 1);
    }

    void fileOfRequestsIsRunInItsOrder() {
        AccessRequests requests{kDigest, {}};
        for (std::uint64_t number = 0; number < 1000; ++number)
            requests.requests.push_back({number * 256 + number % 256, 0, false});
        const RunResult result = runWith(ofFile(), requests);
        QCOMPARE(result.last.time.total, engine::run(onePattern()).last.time.total);
        QCOMPARE(result.access->requests, 1000);
    }

    void requestIsNotIssuedBeforeItsCycle() {
        Experiment experiment = ofFile();
        experiment.access.clock = 500_MHz;
        const RunResult result =
            runWith(experiment, {kDigest, {{0, 0, false}, {256, 100, false}, {512, 100, true}, {768, 101, false}}});
        std::vector<TimePoint> starts;
        for (const Lane& lane : result.trace->lanes)
            for (const Span& span : lane.spans)
                starts.push_back(span.start);
        QCOMPARE(starts, (std::vector<TimePoint>{{0}, {200'000}, {201'000}, {202'000}}));
        RunOptions options;
        options.attribution = options.recordTrace = true;
        options.accesses = std::make_shared<const AccessRequests>(AccessRequests{kDigest, {{0, 1000, false}}});
        const RunResult waited = engine::run(experiment, options);
        QCOMPARE(tests::defectsOf(waited), std::string());
        QCOMPARE(waited.attribution->causes[Cause::dependency], 2000_ns);
    }

    void runWithoutItsRequestFileIsRefused() {
        const auto messageOf = [](const RunOptions& options) {
            try {
                engine::run(ofFile(), options);
            } catch (const InvalidExperiment& invalid) {
                return invalid.problems().front().path + ": " + invalid.problems().front().text;
            }
            return std::string();
        };
        QCOMPARE(messageOf({}), "access.trace: the requests of this file were not given");
        RunOptions other;
        other.accesses = std::make_shared<const AccessRequests>(AccessRequests{std::string(64, 'b'), {}});
        QVERIFY(messageOf(other).starts_with("access.trace: the given requests are those of another file, bbbb"));
    }

    void combinationsThatCannotBeRunAreRefused() {
        const auto problemWith = [](auto change) {
            Experiment experiment = onePattern();
            change(experiment);
            return firstProblem(experiment);
        };
        using E = Experiment;
        QCOMPARE(problemWith([](E&) {}), "");
        QCOMPARE(problemWith([](E& e) { e.access.reads = 0; }), "access.reads");
        QCOMPARE(problemWith([](E& e) { e.access.reads = 15; }), "");
        QCOMPARE(problemWith([](E& e) { e.access.reads = 16; }), "");
        QCOMPARE(problemWith([](E& e) { e.access.reads = 16, e.access.writes = 1; }), "access.reads");
        QCOMPARE(problemWith([](E& e) { e.access.communication = 1; }), "");
        QCOMPARE(problemWith([](E& e) { e.access.communication = 2; }), "access.communication");
        QCOMPARE(problemWith([](E& e) { e.access.turn = 512_B; }), "");
        QCOMPARE(problemWith([](E& e) { e.access.turn = 300_B; }), "access.turn");
        QCOMPARE(problemWith([](E& e) { e.access.stride = 300_B; }), "access.stride");
        QCOMPARE(problemWith([](E& e) { e.access.skew = 300_B; }), "access.skew");
        QCOMPARE(problemWith([](E& e) { e.access.footprint = 300_B; }), "access.footprint");
        QCOMPARE(problemWith([](E& e) { e.access.stride = 1_MiB; }), "");
        QCOMPARE(problemWith([](E& e) { e.access.stride = 2_MiB; }), "access.footprint");
        QCOMPARE(problemWith([](E& e) { e.access.turn = 512_B, e.access.footprint = 256_B; }), "access.footprint");
        // 2^31 granules of 256 B are 512 GiB.
        QCOMPARE(problemWith([](E& e) { e.access.reads = 8, e.access.footprint = Bytes{64ll << 30}; }), "");
        QCOMPARE(problemWith([](E& e) { e.access.reads = 9, e.access.footprint = Bytes{64ll << 30}; }),
                 "access.footprint");
        QCOMPARE(problemWith([](E& e) { e.companion.operation = CompanionOperation::gemm; }), "companion.operation");
        QCOMPARE(problemWith([](E& e) { applyPolicyPreset(e, PolicyPreset::idealOverlap); }), "policy.preset");
        QCOMPARE(problemWith([](E& e) { e.access.pattern = AccessPatternKind::trace; }), "access.trace");
    }

    void patternVerifies() {
        Experiment experiment = onePattern();
        experiment.access.writes = 2;
        experiment.access.updates = 1;
        experiment.access.communication = 1;
        experiment.detail.channels = 4;
        for (const Check& check : verify(experiment))
            QVERIFY2(check.held, (check.name + ": " + check.evidence).c_str());
    }
};

RINGSIDE_TEST(TestAccessPattern)
#include "tst_access_pattern.moc"
