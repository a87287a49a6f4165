// Tests a pass inside memory: as a client of the memory controller, and as the companion of a run.

#include "engine/memory/in_memory_pass.h"

#include "engine/api/parameters.h"
#include "engine/kernel/rate.h"
#include "tests/engine/attributed_run.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace engine;
using namespace engine::literals;

namespace {

/// Two channels, each of which serves 1000 B in 1000 ps. A pass moves 1000 B of one channel in 500 ps, in pieces of
/// 4000 B of one channel, and a switch takes 300 ps.
Experiment memoryWithPass(std::int64_t bytes) {
    Experiment experiment;
    experiment.detail.granule = {1000};
    experiment.detail.channels = 2;
    experiment.memory.bandwidth = {2'000'000'000'000};
    experiment.memory.efficiency = 1;
    experiment.memory.latency = {50};
    experiment.memory.queue = {8000};
    experiment.companion.operation = CompanionOperation::inMemory;
    experiment.companion.bytes = {bytes};
    experiment.pass = {.rate = 4, .cost = 2, .switchTime = {300}, .piece = {8000}};
    experiment.arbitration.policy = ArbitrationPolicy::computeFirst;
    return experiment;
}

/// A pass, and loads of channel 0 that record when they have been served.
class PassBench final : public MemoryClient {
public:
    explicit PassBench(const Experiment& experiment)
        : memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          load(memory.addFlow({Stream::compute, MemoryOp::read, this, false})),
          pass(experiment, loop.port(Phase::completion, [this](std::uint32_t c) { pieceEnded(c); }), memory) {}

    void loadAt(TimePoint time) {
        loop.at(time, [this] { memory.enqueue(0, load, 0, 1000); });
    }
    void beginAt(TimePoint time) {
        loop.at(time, [this] { pass.begin(); });
    }

    void served(FlowId, std::uint32_t, std::uint32_t, TimePoint finish) override { loaded.push_back(finish); }

    tests::EventLoop loop;
    MemoryController memory;
    FlowId load;
    InMemoryPass pass;
    std::vector<TimePoint> loaded;
    std::vector<std::vector<TimePoint>> pieceEnds{2};  // by channel
    std::optional<TimePoint> ended;

private:
    void pieceEnded(std::uint32_t channel) {
        const TimePoint now = loop.queue().now();
        pieceEnds[channel].push_back(now);
        if (pass.onPieceEnded(channel))
            ended = now;
    }
};

/// A run with a pass over `bytes` beside a GEMM that depends on memory.
Experiment gemmBesidePass(Bytes bytes, ArbitrationPolicy rule = ArbitrationPolicy::mca) {
    Experiment experiment = tests::gemmOnSmallGpu(1024, 1024, 512);
    experiment.companion.operation = CompanionOperation::inMemory;
    experiment.companion.bytes = bytes;
    experiment.pass.piece = 256_KiB;
    experiment.arbitration.policy = rule;
    return experiment;
}

std::string passFailures(const std::vector<Check>& checks) {
    std::string text;
    for (const Check& check : checks)
        if (!check.held)
            text += check.group + ": " + check.name + " (" + check.evidence + ")\n";
    return text;
}

bool passRefused(const Experiment& experiment, const std::string& path, const std::string& what) {
    const Problems problems = validate(experiment);
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
        return problem.path == path && problem.text.find(what) != std::string::npos;
    });
}

}  // namespace

class TestInMemoryPass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aloneItTakesOneSwitchAndTheTimeOfItsBytesInEachChannel() {
        // 20,001 B: 10,001 and 10,000 B of a channel, each in pieces of 4000, 4000 and the rest.
        PassBench bench(memoryWithPass(20'001));
        bench.beginAt({100});
        bench.loop.run();
        QCOMPARE(bench.pieceEnds[0].size(), std::size_t{3});
        QCOMPARE(bench.pieceEnds[0].back(), TimePoint{100 + 300 + 5000});  // 5000.5 ps, rounded down once
        QCOMPARE(bench.pieceEnds[1].back(), TimePoint{100 + 300 + 5000});
        QCOMPARE(bench.ended, std::optional(bench.pieceEnds[0].back()));
        QCOMPARE(bench.memory.passedBytes().count, std::int64_t{20'001});
        QCOMPARE(bench.memory.servedBytes().count, std::int64_t{0});
        QCOMPARE(bench.memory.channelStats(0).busy, Duration{});
        QCOMPARE(bench.memory.channelStats(0).pass, Duration{5000});
    }

    void piecesAddUpToTheTimeOfTheWholeAtAnyRate() {
        for (const double rate : {1.0, 3.7, 64.0}) {
            for (const double cost : {1.0, 2.9, 64.0}) {
                Experiment experiment = memoryWithPass(123'457);
                experiment.pass.rate = rate;
                experiment.pass.cost = cost;
                experiment.pass.piece = {1111};
                PassBench bench(experiment);
                bench.beginAt({0});
                bench.loop.run();
                const auto perSecond = static_cast<std::int64_t>(std::llround(2e12 * rate / cost));
                QCOMPARE(bench.pieceEnds[0].back() - TimePoint{},
                         Duration{300} + timeAtRate(std::int64_t{2} * 61'729, perSecond));
                QCOMPARE(bench.pieceEnds[1].back() - TimePoint{},
                         Duration{300} + timeAtRate(std::int64_t{2} * 61'728, perSecond));
            }
        }
    }

    void fewerBytesThanChannelsLeaveChannelsWithoutAPiece() {
        PassBench bench(memoryWithPass(1));
        bench.beginAt({0});
        bench.loop.run();
        QCOMPARE(bench.pieceEnds[0].size(), std::size_t{1});
        QVERIFY(bench.pieceEnds[1].empty());
        QVERIFY(bench.ended);
    }

    void onePieceDelaysALoadByAtMostItselfAndTwoSwitches() {
        constexpr std::int64_t kPiece = 2000, kSwitch = 300, kService = 1000;  // ps
        std::int64_t longest = 0;
        for (std::int64_t at = 0; at <= 3000; at += 10) {
            PassBench bench(memoryWithPass(8000));  // one piece in each channel
            bench.beginAt({500});
            bench.loadAt({at});
            bench.loop.run();
            QCOMPARE(bench.loaded.size(), std::size_t{1});
            const std::int64_t waits = bench.loaded.front().ps - at - kService;
            QVERIFY(waits >= 0 && waits <= kPiece + 2 * kSwitch);
            longest = std::max(longest, waits);
        }
        QCOMPARE(longest, kPiece + 2 * kSwitch - 10);  // a load that comes just after the pass
    }

    void aPieceIsNotInterruptedAndTheNextOneWaitsForLoads() {
        // Pieces of 2000 ps. The load that comes at 1000 is served after the first piece, which ends at 2300, and a
        // switch; the second piece follows after another switch.
        PassBench bench(memoryWithPass(16'000));
        bench.beginAt({0});
        bench.loadAt({1000});
        bench.loop.run();
        QCOMPARE(bench.loaded.front(), TimePoint{2300 + 300 + 1000});
        QCOMPARE(bench.pieceEnds[0], (std::vector<TimePoint>{{2300}, {3600 + 300 + 2000}}));
        QCOMPARE(bench.pieceEnds[1], (std::vector<TimePoint>{{2300}, {4300}}));
    }

    void computeFirstServesItOnlyWhenNoLoadWaits() {
        // Loads fill the DRAM queue of four from time 0 on, and one comes whenever one has been served, until 20,000.
        PassBench bench(memoryWithPass(8000));
        for (int i = 0; i < 5; ++i)
            bench.loadAt({0});
        for (std::int64_t at = 1000; at <= 15'000; at += 1000)
            bench.loadAt({at});
        bench.beginAt({0});
        bench.loop.run();
        QCOMPARE(bench.loaded.size(), std::size_t{20});
        QCOMPARE(bench.loaded.back(), TimePoint{20'000});
        QCOMPARE(bench.pieceEnds[0].front(), TimePoint{20'000 + 300 + 2000});
        QCOMPARE(bench.pieceEnds[1].front(), TimePoint{300 + 2000});  // a channel without loads
        QCOMPARE(bench.memory.arbiter(0).picksAgainstRule(), std::int64_t{0});
    }

    void aSwitchBackIsPaidByTheNextRequest() {
        PassBench bench(memoryWithPass(8000));
        bench.beginAt({0});
        bench.loadAt({1'000'000});
        bench.loadAt({2'000'000});
        bench.loop.run();
        QCOMPARE(bench.loaded, (std::vector<TimePoint>{{1'000'000 + 300 + 1000}, {2'000'000 + 1000}}));
    }

    void itClosesTheRowsOfBanks() {
        Experiment experiment = memoryWithPass(8000);
        experiment.detail.granule = {1024};
        experiment.memory.model = DramModel::banks;
        experiment.dram.refreshTime = {};
        const auto secondLoad = [&](bool passes) {
            PassBench bench(experiment);
            bench.loadAt({0});
            if (passes)
                bench.beginAt({100'000});
            bench.loadAt({1'000'000});  // the same row
            bench.loop.run();
            return bench.loaded.back();
        };
        QCOMPARE(secondLoad(true) - secondLoad(false), experiment.pass.switchTime + experiment.dram.activate);
    }

    void aRunWithAPassEndsWithTheLaterOfBoth() {
        for (const DramModel model : {DramModel::sustained, DramModel::banks}) {
            Experiment experiment = gemmBesidePass(64_MiB);
            experiment.memory.model = model;
            const RunResult result = engine::run(experiment);
            QVERIFY(result.companion && result.companion->alone && result.companion->ownAlone);
            const CompanionResult& companion = *result.companion;
            QCOMPARE(companion.bytes, 64_MiB);
            QCOMPARE(result.last.time.total, std::max(companion.own, companion.time));
            QVERIFY(companion.own > *companion.ownAlone);
            QVERIFY(companion.time >= *companion.alone);
            const std::int64_t rate = experiment.memory.bandwidth.bytesPerSecond * 2;
            QCOMPARE(*companion.alone, 1_us + timeAtRate((64_MiB).count, rate));
            QCOMPARE(companion.dramRead + companion.dramWritten + companion.sent, Bytes{});
            QVERIFY2(result.invariants.failed.empty(),
                     result.invariants.failed.empty() ? "" : result.invariants.failed.front().c_str());
        }
    }

    void theOwnWorkMovesTheSameBytesWithAPass() {
        const Experiment with = gemmBesidePass(16_MiB);
        Experiment without = with;
        without.companion = {};
        const RunResult beside = tests::runAlone(with), alone = tests::runAlone(without);
        QCOMPARE(beside.last.dram->gemmWrite, alone.last.dram->gemmWrite);
        QCOMPARE(beside.last.dram->total, beside.last.dram->gemmRead + beside.last.dram->gemmWrite);
    }

    void underComputeFirstTheOwnWorkLosesLess() {
        const auto own = [](ArbitrationPolicy rule) {
            return tests::runAlone(gemmBesidePass(64_MiB, rule)).companion->own;
        };
        QVERIFY(own(ArbitrationPolicy::computeFirst) < own(ArbitrationPolicy::mca));
    }

    void aTraceShowsThePiecesInTheirChannels() {
        const Experiment experiment = gemmBesidePass(16_MiB);
        const RunResult result = tests::attributed(experiment);
        std::int64_t bytes = 0;
        for (const Lane& lane : result.trace->lanes)
            for (const Span& span : lane.spans)
                if (span.kind == SpanKind::dramPass) {
                    QCOMPARE(lane.kind, LaneKind::dramChannel);
                    QCOMPARE(int{kernelOf(span)}, kOwnKernel + 1);
                    bytes += span.bytes;
                }
        QCOMPARE(bytes, (16_MiB).count);
    }

    void everyPicosecondHasACause() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            for (const Bytes bytes : {1_MiB, 256_MiB}) {
                Experiment experiment = tests::smallExperiment(policy, 4);
                experiment.companion.operation = CompanionOperation::inMemory;
                experiment.companion.bytes = bytes;
                experiment.pass.piece = 256_KiB;
                const RunResult result = tests::attributed(experiment);
                QCOMPARE(tests::defectsOf(result), std::string());
                const CauseTimes& causes = result.attribution->causes;
                const bool outlasts = result.companion->time > result.companion->own;
                QCOMPARE(outlasts, bytes == 256_MiB);
                // A run that ends with the pass waits for the companion; otherwise its own work waits behind it.
                QVERIFY(outlasts ? causes[Cause::companion].ps * 2 > causes.total().ps
                                 : causes[Cause::contention].ps > 0);
            }
        }
    }

    void aSwitchBackIsContention() {
        // A long switch: the time of the own work that the pass costs is nearly all switches.
        Experiment experiment = gemmBesidePass(1_MiB);
        experiment.pass.switchTime = 20_us;
        experiment.pass.rate = 64;
        Experiment without = experiment;
        without.pass.switchTime = {};
        const auto contention = [](const Experiment& e) {
            return tests::attributed(e).attribution->causes[Cause::contention];
        };
        QVERIFY(contention(experiment) - contention(without) > 20_us);
    }

    void verifyHoldsForEveryPolicy() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca, PolicyPreset::chunked}) {
            for (const DramModel model : {DramModel::sustained, DramModel::banks}) {
                Experiment experiment = tests::smallExperiment(policy, 4);
                experiment.companion.operation = CompanionOperation::inMemory;
                experiment.companion.bytes = 4_MiB;
                experiment.pass.piece = 128_KiB;
                experiment.memory.model = model;
                QCOMPARE(passFailures(verify(experiment)), std::string());
            }
        }
    }

    void whatAPassCannotHaveIsRefused() {
        const Experiment sound = gemmBesidePass(16_MiB);
        QVERIFY(validate(sound).empty());
        Experiment copies = sound;
        copies.companion.copies = 2;
        QVERIFY(passRefused(copies, "companion.copies", "one copy"));
        Experiment dma = sound;
        dma.companion.by = CollectiveCarrier::dma;
        QVERIFY(passRefused(dma, "companion.by", "processors at the banks"));
        Experiment ideal = tests::smallExperiment(PolicyPreset::idealOverlap, 4);
        ideal.companion.operation = CompanionOperation::inMemory;
        QVERIFY(passRefused(ideal, "policy.preset", "companion.operation=none"));
        Experiment tiny = sound;
        tiny.pass.piece = 64_KiB;
        tiny.detail.channels = 64;
        tiny.companion.bytes = {std::int64_t{16} << 30};  // 2^18 pieces of all channels, 2^24 of single ones
        QVERIFY(!passRefused(tiny, "pass.piece", "pieces"));
        tiny.companion.bytes += {1};
        QVERIFY(passRefused(tiny, "pass.piece", "allowed are 16777216"));
    }

    void parametersOfAPassAreReadWithAPassOnly() {
        const Experiment pass = gemmBesidePass(16_MiB);
        Experiment gemm = pass, none = pass;
        gemm.companion.operation = CompanionOperation::gemm;
        none.companion = {};
        for (const char* path : {"pass.rate", "pass.cost", "pass.switch", "pass.piece"}) {
            const Parameter& parameter = *findParameter(path);
            QVERIFY(isRead(parameter, pass));
            QVERIFY(!isRead(parameter, gemm));
            QVERIFY(!isRead(parameter, none));
        }
        QVERIFY(isRead(*findParameter("companion.bytes"), pass));
        QVERIFY(!isRead(*findParameter("companion.m"), pass));
        QVERIFY(isReadByRun(*findParameter("arbitration.starvation_limit"), pass));
        QVERIFY(!isReadByRun(*findParameter("arbitration.starvation_limit"), none));
        QVERIFY(!isReadByRun(*findParameter("link.bandwidth"), pass));
    }
};

RINGSIDE_TEST(TestInMemoryPass)
#include "tst_in_memory_pass.moc"
