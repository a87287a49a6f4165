#include "tests/test_program.h"
#include "tests/ui/machine_run.h"

#include "data/replay/output_grid.h"
#include "data/replay/partial_sums.h"

#include <QTest>

#include <random>

using data::ChunkSums;
using data::SumPlan;
using data::TileState;

namespace {

/// A run with the data from which its partial sums are counted.
struct SummedRun {
    explicit SummedRun(const std::string& experiment, const std::string& policy = "t3-mca",
                       const data::Settings& settings = {})
        : shown(tests::simulatedRun(experiment, policy, settings)), log(tests::logOf(*shown)),
          plan(shown->run.experiment, log->gpus()), first(log->trace().output.chunkTile) {}

    std::uint32_t chunks() const { return static_cast<std::uint32_t>(first.size()) - 1; }
    std::int64_t end() const { return log->trace().end.ps; }
    std::vector<data::GpuState> at(std::int64_t ps) const { return log->statesAt(log->positionAt(ps)); }
    ChunkSums sums(const data::GpuState& state, std::uint32_t gpu, std::uint32_t chunk) const {
        return data::sumsOf(plan, state, gpu, chunk, first[chunk], first[chunk + 1]);
    }

    std::shared_ptr<const data::ShownRun> shown;
    std::shared_ptr<const data::RunLog> log;
    SumPlan plan;
    std::vector<std::uint32_t> first;
};

std::vector<std::int64_t> someMoments(std::int64_t end, int count) {
    std::mt19937_64 random(25);
    std::vector<std::int64_t> moments{0, end};
    for (int i = 0; i < count; ++i)
        moments.push_back(std::uniform_int_distribution<std::int64_t>(0, end)(random));
    std::sort(moments.begin(), moments.end());
    return moments;
}

}  // namespace

class TestPartialSums : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aroundTheRingASumGrowsByOneAtEachGpu() {
        const SummedRun run("t-nlg/op/tp8");
        QCOMPARE(run.plan.parts(), 8u);
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                // GPU i begins with chunk i and keeps chunk i-1.
                QCOMPARE(run.plan.allOthers(gpu, chunk), (chunk + 8 - gpu) % 8);
                QCOMPARE(run.plan.keeperOf(chunk), (chunk + 1) % 8);
            }
        }
    }

    void everyAlgorithmGivesEachChunkOneKeeperWithEveryPart() {
        for (const char* algorithm : {"ring", "direct", "halving-doubling", "hierarchical"}) {
            data::Settings settings{{"collective.algorithm", std::string(algorithm)}};
            if (std::string(algorithm) == "hierarchical")
                settings["topology.kind"] = std::string("two-nodes");
            else if (std::string(algorithm) != "ring")
                settings["topology.kind"] = std::string("fully-connected");
            const SummedRun run("t-nlg/op/tp8", "t3", settings);
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                const std::uint32_t keeper = run.plan.keeperOf(chunk);
                QVERIFY2(keeper < 8, algorithm);
                QCOMPARE(run.plan.allOthers(keeper, chunk), 7u);
            }
            QCOMPARE(run.plan.others(run.plan.keeperOf(0), 0, 0), 0u);
            const data::GpuState last = run.at(run.end())[0];
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
                QCOMPARE(run.sums(last, 0, chunk).least, 8u);
        }
    }

    void inTheSwitchTheSumOfAllComesAtOnce() {
        const data::Settings settings{{"collective.algorithm", std::string("in-switch")},
                                      {"topology.kind", std::string("switch")}};
        // An all-reduce brings every sum to every GPU.
        const SummedRun all("t-nlg/op/tp8", "sequential", settings);
        const std::vector<data::GpuState> states = all.at(all.end());
        for (std::uint32_t gpu = 0; gpu < 8; ++gpu)
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                QCOMPARE(all.plan.allOthers(gpu, chunk), 7u);
                QCOMPARE(all.sums(states[gpu], gpu, chunk).whole, all.first[chunk + 1] - all.first[chunk]);
            }
        // Of a reduce-scatter the one arrival has all other parts.
        data::Settings scatter = settings;
        scatter["collective.operation"] = std::string("reduce-scatter");
        const SummedRun run("t-nlg/op/tp8", "sequential", scatter);
        const std::vector<data::GpuState> last = run.at(run.end());
        for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
            const std::uint32_t keeper = run.plan.keeperOf(chunk);
            QCOMPARE(keeper, (chunk + 1) % 8);
            QCOMPARE(run.plan.others(keeper, chunk, 1), 7u);
            QCOMPARE(run.sums(last[keeper], keeper, chunk).whole, run.first[chunk + 1] - run.first[chunk]);
        }
    }

    void atRandomMomentsTheSumsAreThoseOfTheTilesStates() {
        for (const char* policy : {"sequential", "t3", "t3-mca"}) {
            const SummedRun run("t-nlg/op/tp8", policy);
            for (const std::int64_t ps : someMoments(run.end(), 30)) {
                const std::vector<data::GpuState> states = run.at(ps);
                for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
                    for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                        const ChunkSums sums = run.sums(states[gpu], gpu, chunk);
                        const auto& counts = states[gpu].chunkTiles[chunk];
                        const auto in = [&](TileState state) { return counts[static_cast<std::size_t>(state)]; };
                        QCOMPARE(sums.whole, in(TileState::reduced));
                        QCOMPARE(sums.sent, in(TileState::sent));
                        QCOMPARE(sums.tiles, run.first[chunk + 1] - run.first[chunk]);
                        checkTiles(run, states[gpu], gpu, chunk, sums);
                    }
                }
            }
        }
    }

    void nothingIsCountedTwiceAndNothingIsLost() {
        for (const char* policy : {"sequential", "t3-mca"}) {
            const SummedRun run("t-nlg/op/tp8", policy);
            std::vector<std::uint32_t> before(std::size_t{8} * run.first.back());
            for (const std::int64_t ps : someMoments(run.end(), 25)) {
                const std::vector<data::GpuState> states = run.at(ps);
                for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
                    for (std::uint32_t tile = run.first[chunk]; tile < run.first[chunk + 1]; ++tile) {
                        std::uint32_t held = 0;
                        bool whole = false;
                        for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
                            const data::TileSums sums = data::tileSums(run.plan, states[gpu], gpu, chunk, tile);
                            held += sums.sent ? 0 : sums.count();
                            whole = whole || sums.whole;
                            std::uint32_t& last = before[std::size_t{gpu} * run.first.back() + tile];
                            QVERIFY(sums.count() >= last);  // partial sums that have arrived stay counted
                            last = sums.count();
                        }
                        QVERIFY(whole || held <= 8);
                    }
                }
            }
            QVERIFY(std::all_of(before.begin(), before.end(), [](std::uint32_t count) { return count == 8; }));
        }
    }

    void atTheBeginningOutputsAreEmpty() {
        for (const char* policy : {"sequential", "t3-mca"}) {
            const SummedRun run("t-nlg/op/tp8", policy);
            const data::GpuState state = run.log->stateOf(3, run.log->beginning());
            for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
                QCOMPARE(run.sums(state, 3, chunk).most, 0u);
        }
    }

    void oneGpuStandsForAllWithItsPlacesTurned() {
        const SummedRun one("t-nlg/op/tp8", "t3-mca", {{"detail.mode", std::string("mirrored")}});
        const SummedRun all("t-nlg/op/tp8", "t3-mca", {{"detail.mode", std::string("full")}});
        QVERIFY(one.log->trace().mirrored && !all.log->trace().mirrored);
        for (const std::int64_t ps : someMoments(one.end(), 10)) {
            const auto mirrored = one.at(ps);
            const auto full = all.at(ps);
            for (std::uint32_t gpu = 0; gpu < 8; ++gpu) {
                for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
                    QCOMPARE(one.sums(mirrored[gpu], gpu, chunk), all.sums(full[gpu], gpu, chunk));
            }
        }
    }

    void whereNothingIsSummedATileHasOnePart() {
        const SummedRun run("collective/all-gather/tp8", "sequential");
        QCOMPARE(run.plan.parts(), 1u);
        const data::GpuState begin = run.log->stateOf(0, run.log->beginning());
        std::uint32_t there = 0;
        for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
            there += run.sums(begin, 0, chunk).most;
        QCOMPARE(there, 1u);  // its own share
        for (std::uint32_t chunk = 0; chunk < 8; ++chunk)
            QCOMPARE(run.sums(run.at(run.end())[0], 0, chunk).least, 1u);
    }

private:
    /// Counts the chunk's tiles again, only from their states and the updates that have landed.
    static void checkTiles(const SummedRun& run, const data::GpuState& state, std::uint32_t gpu, std::uint32_t chunk,
                           const ChunkSums& sums) {
        const std::uint32_t place = (chunk + 8 - gpu) % 8;
        std::uint32_t least = 8, most = 0, own = 0;
        for (std::uint32_t tile = run.first[chunk]; tile < run.first[chunk + 1]; ++tile) {
            std::uint32_t count = 0;
            switch (state.tiles[tile]) {
            case TileState::notProduced: break;
            case TileState::stored: count = 1; break;
            case TileState::oneUpdate:
                count = (state.copies[tile].own || state.copies[tile].computed ? 1 : 0) +
                        (state.copies[tile].arrived > 0 ? place : 0);
                QVERIFY(count >= 1 && count <= place + 1);
                break;
            case TileState::ready:
            case TileState::inFlight:
            case TileState::sent: count = place + 1; break;
            case TileState::reduced: count = 8; break;
            }
            least = std::min(least, count);
            most = std::max(most, count);
            const bool hasOwn = count > 0 && (state.tiles[tile] != TileState::oneUpdate || state.copies[tile].own ||
                                              state.copies[tile].computed);
            own += hasOwn && state.tiles[tile] != TileState::sent && state.tiles[tile] != TileState::reduced ? 1 : 0;
        }
        QCOMPARE(sums.least, least);
        QCOMPARE(sums.most, most);
        QCOMPARE(sums.in[0], own);
    }
};

RINGSIDE_CORE_TEST(TestPartialSums)
#include "tst_partial_sums.moc"
