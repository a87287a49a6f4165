#include "data/questions/degrees.h"
#include "engine/api/gemm.h"
#include "tests/random_experiments/random_numbers.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace data;

// Tests the question of how many copies of a GEMM to run at once.

namespace {

/// A GEMM alone on amd-mi100.
ExperimentDraft gemmOnMi100(std::int64_t m, std::int64_t n, std::int64_t k, const Settings& more = {}) {
    ExperimentDraft draft;
    draft.explicitValues = {{"machine", "amd-mi100"},
                            {"detail.level", "interactive"},
                            {"parallel.tp", std::int64_t{4}},
                            {"workload.sublayer", "gemm"},
                            {"matrix.m", m},
                            {"matrix.n", n},
                            {"matrix.k", k}};
    for (const auto& [path, value] : more)
        draft.explicitValues.insert_or_assign(path, value);
    return draft;
}

std::string refusalOf(const DegreesQuestion& question) {
    std::string text;
    for (const engine::Problem& problem : check(question))
        text += problem.path + ": " + problem.value + ": " + problem.text + "\n";
    return text;
}

std::string refusalOf(const std::vector<std::int64_t>& degrees) {
    return refusalOf({gemmOnMi100(512, 512, 256), degrees});
}

std::string refusalWith(const Settings& more) { return refusalOf({gemmOnMi100(512, 512, 256, more), {1, 2}}); }

bool begins(const std::string& text, const char* with) { return text.starts_with(with); }

/// Answers by a formula: degree d takes `perKernel(d)` for each kernel, with tiles of 128 x 128.
struct FormulaKernels {
    std::function<std::int64_t(std::int64_t degree)> perKernel;
    std::vector<engine::Experiment> asked{};

    PairOptions options() {
        PairOptions options;
        options.runs = [this](std::span<const engine::Experiment> experiments, const engine::RunManyOptions& many) {
            std::vector<engine::RunOutcome> outcomes(experiments.size());
            for (std::size_t i = 0; i < experiments.size(); ++i) {
                asked.push_back(experiments[i]);
                engine::RunResult& result = outcomes[i].result.emplace();
                const std::int64_t degree =
                    engine::hasCompanion(experiments[i]) ? 1 + experiments[i].companion.copies : 1;
                result.gemm.emplace();
                result.gemm->tileM = result.gemm->tileN = 128;
                result.last.time.total = {degree * perKernel(degree)};
                if (degree > 1)
                    result.companion.emplace().perKernel = {perKernel(degree)};
                result.notices = {{"tiles.choice", "128 x 128 chosen"}, {"node.gpus", "not read"}};
                if (many.progress)
                    many.progress(i, 1);
                if (many.finished)
                    many.finished(i, outcomes[i], i + 1);
            }
            return outcomes;
        };
        return options;
    }
};

engine::Experiment withTile(const ExperimentDraft& draft, std::int64_t m, std::int64_t n) {
    engine::Experiment experiment = expand(draft).experiment;
    experiment.tiles.choice = engine::TileChoice::fixed;
    experiment.gemm.tileM = m;
    experiment.gemm.tileN = n;
    return experiment;
}

}  // namespace

class TestDegrees : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void degreesAreUpToEightRisingNumbersFromOneToSixteen() {
        QCOMPARE(refusalOf({1}), std::string());
        QCOMPARE(refusalOf({16}), std::string());
        QCOMPARE(refusalOf({1, 2, 3, 4, 5, 6, 7, 16}), std::string());
        const char* const allowed = "; allowed: up to 8 rising numbers from 1 to 16, such as 1,2,4,8\n";
        QCOMPARE(refusalOf({0, 2}), std::string("degrees: 0,2: not a number of kernels at once") + allowed);
        QCOMPARE(refusalOf({2, 17}), std::string("degrees: 2,17: not a number of kernels at once") + allowed);
        QCOMPARE(refusalOf({2, 2}), std::string("degrees: 2,2: degrees do not rise") + allowed);
        QCOMPARE(refusalOf({4, 2}), std::string("degrees: 4,2: degrees do not rise") + allowed);
        QCOMPARE(refusalOf({1, 2, 3, 4, 5, 6, 7, 8, 9}),
                 std::string("degrees: 1,2,3,4,5,6,7,8,9: 9 degrees") + allowed);
        QCOMPARE(refusalOf(std::vector<std::int64_t>{}), std::string("degrees: : 0 degrees") + allowed);
    }

    void theKernelsOfADegreeAreCopiesOfAGemmAlone() {
        QCOMPARE(refusalWith({{"companion.operation", "gemm"}}), std::string());
        QCOMPARE(refusalWith({{"companion.operation", "gemm"}, {"companion.m", std::int64_t{512}}}), std::string());
        for (const char* path : {"companion.m", "companion.n", "companion.k"}) {
            const std::string refused = refusalWith({{"companion.operation", "gemm"}, {path, std::int64_t{1024}}});
            QVERIFY2(begins(refused, path) && refused.find("1024: the companions of a degree are copies of the GEMM; "
                                                           "allowed: same") != std::string::npos,
                     refused.c_str());
        }
        QVERIFY(begins(refusalWith({{"companion.operation", "all-gather"}}),
                       "companion.operation: all-gather: the companions of a degree are copies of the GEMM"));
        QVERIFY(begins(refusalWith({{"companion.operation", "gemm"}, {"companion.copies", std::int64_t{2}}}),
                       "companion.copies: 2: the copies follow from the degree"));
        QVERIFY(begins(refusalWith({{"workload.sublayer", "fc-2"}}),
                       "workload.sublayer: fc-2: degrees are numbers of equal GEMMs at once; allowed: gemm"));
    }

    void anExperimentThatCannotRunIsRefused() {
        QVERIFY(begins(refusalWith({{"cu.count", std::int64_t{0}}}), "cu.count: 0"));
        // A tile is only sought for an output of at least 64 x 64.
        QVERIFY(begins(refusalWith({{"matrix.m", std::int64_t{63}}}), "tiles.choice: "));
        QCOMPARE(refusalWith({{"matrix.m", std::int64_t{63}}, {"tiles.choice", "fixed"}}), std::string());
    }

    void aDegreeHasOneCopyLessAndASharedTileUnlessTheDraftSaysOtherwise() {
        const engine::Experiment four = expand(draftOfDegree(gemmOnMi100(512, 512, 256), 4)).experiment;
        QCOMPARE(four.companion.operation, engine::CompanionOperation::gemm);
        QCOMPARE(four.companion.copies, std::int64_t{3});
        QCOMPARE(four.dispatch.rule, engine::DispatchRule::roundRobin);
        QCOMPARE(four.tiles.choice, engine::TileChoice::shared);
        const Settings own{{"dispatch.rule", "in-order"}, {"tiles.choice", "fixed"}, {"gemm.tile_m", std::int64_t{64}}};
        const engine::Experiment set = expand(draftOfDegree(gemmOnMi100(512, 512, 256, own), 4)).experiment;
        QCOMPARE(set.dispatch.rule, engine::DispatchRule::inOrder);
        QCOMPARE(set.tiles.choice, engine::TileChoice::fixed);
        QCOMPARE(set.gemm.tileM, std::int64_t{64});
    }

    void degreeOneIsTheGemmAloneWithItsBestTile() {
        for (const Settings& more : {Settings{},
                                     {{"companion.operation", "gemm"}, {"dispatch.rule", "in-order"}},
                                     {{"companion.operation", "gemm"}, {"tiles.choice", "shared"}}}) {
            const engine::Experiment one = expand(draftOfDegree(gemmOnMi100(512, 512, 256, more), 1)).experiment;
            QCOMPARE(one, expand(gemmOnMi100(512, 512, 256, {{"tiles.choice", "best"}})).experiment);
        }
        const Degrees answer = degreesOf({gemmOnMi100(1920, 448, 256), {1}});
        const engine::RunResult best = run(expand(gemmOnMi100(1920, 448, 256, {{"tiles.choice", "best"}})).experiment);
        QCOMPARE(answer.rows.front().perKernel.ps, best.last.time.total.ps);
        QCOMPARE(answer.rows.front().tile.m, best.gemm->tileM);
        QCOMPARE(answer.rows.front().tile.n, best.gemm->tileN);
        QCOMPARE(answer.overSequential(answer.rows.front()), 1.0);
        QCOMPARE(answer.name, std::string("gemm/1920x448x256/tp4"));
    }

    void aDegreeTakesAsLongAsTheRunOfItsKernels() {
        const Degrees answer = degreesOf({gemmOnMi100(640, 448, 256), {2, 3}});
        QCOMPARE(answer.rows.size(), std::size_t{2});
        const engine::RunResult alone = run(expand(gemmOnMi100(640, 448, 256, {{"tiles.choice", "best"}})).experiment);
        for (const DegreeRow& row : answer.rows) {
            const engine::RunResult together = run(row.experiment);
            QCOMPARE(row.perKernel.ps, together.companion->perKernel.ps);
            QCOMPARE(row.perKernel.ps, together.last.time.total.ps / row.degree);
            QCOMPARE(row.tile.m, together.gemm->tileM);
            QCOMPARE(row.tile.n, together.gemm->tileN);
            QCOMPARE(answer.overSequential(row),
                     static_cast<double>(alone.last.time.total.ps) / static_cast<double>(row.perKernel.ps));
        }
        QVERIFY(!answer.broken.any());
    }

    void oneKernelAloneIsSimulatedOnceAndShownOnlyIfItIsAskedFor() {
        for (const bool asks : {true, false}) {
            FormulaKernels kernels{[](std::int64_t degree) { return 1'000'000 / degree; }};
            std::vector<std::int64_t> degrees{2, 4};
            if (asks)
                degrees.insert(degrees.begin(), 1);
            const Degrees answer = degreesOf({gemmOnMi100(512, 512, 256), degrees}, kernels.options());
            QCOMPARE(answer.rows.size(), degrees.size());
            QCOMPARE(kernels.asked.size(), std::size_t{3});
            QCOMPARE(answer.alone.ps, std::int64_t{1'000'000});
            QCOMPARE(answer.overSequential(answer.rows.back()), 4.0);
            QCOMPARE(answer.fastest().degree, std::int64_t{4});
            QCOMPARE(answer.notices.size(), std::size_t{1});
            QCOMPARE(answer.notices.front().path, std::string("node.gpus"));
        }
    }

    void ofEqualTimesTheSmallestDegreeIsTheFastest() {
        FormulaKernels kernels{[](std::int64_t degree) { return degree == 1 ? 600 : 500; }};
        const Degrees answer = degreesOf({gemmOnMi100(512, 512, 256), {1, 2, 4}}, kernels.options());
        QCOMPARE(answer.fastest().degree, std::int64_t{2});
    }

    void progressRisesToTheEnd() {
        FormulaKernels kernels{[](std::int64_t) { return 1000; }};
        PairOptions options = kernels.options();
        std::vector<double> reached;
        options.progress = [&](double done) { reached.push_back(done); };
        degreesOf({gemmOnMi100(512, 512, 256), {2, 4}}, options);
        QVERIFY(std::is_sorted(reached.begin(), reached.end()));
        QVERIFY(!reached.empty() && reached.back() > 0.99);
    }

    // A CU of amd-mi100 computes 1024 x 1.502 GHz x 0.66 operations in a second, and a kernel needs 3.9 us whatever its
    // size: 0.3 of memory, 1 of the epilogue, half of 1 of jitter and 2.1 to launch it.
    void theEstimateCountsRoundsOfTiles() {
        constexpr double kFixed = 3.9e6, kCus = 120;
        const auto estimate = [](std::int64_t columns, std::int64_t degree) {
            return static_cast<double>(
                estimatedPerKernel(withTile(gemmOnMi100(1280, columns * 128, 4096), 128, 128), degree).ps);
        };
        const double tile = 1e12 * 2 * 128 * 128 * 4096 / (1024 * 1.502e9 * 0.66);
        // 10 x 12 tiles are one on each CU, and one column more needs a second round.
        QVERIFY(std::abs(estimate(12, 1) - (tile + kFixed)) < 2);
        QVERIFY(std::abs(estimate(13, 1) - (2 * tile + kFixed)) < 2);
        // Twelve kernels of 130 tiles are 13 full rounds, so that each takes 13 / 12 of a tile's time.
        QVERIFY(std::abs(estimate(13, 12) - (13 * tile + kFixed) / 12) < 2);
        QVERIFY(std::abs(estimate(13, 2) - (std::ceil(260 / kCus) * tile + kFixed) / 2) < 2);
    }

    void theEstimateIsNeverBelowTheTimeOfItsBytes() {
        constexpr double kFixed = 3.9e6;
        const engine::Experiment flat = withTile(gemmOnMi100(8192, 8192, 32), 256, 128);
        const double bytes = 2.0 * (2.0 * 8192 * 32 + 8192.0 * 8192);
        const double moved = 1e12 * bytes / (1.2288e12 * 0.75);
        QVERIFY(std::abs(static_cast<double>(estimatedPerKernel(flat, 1).ps) - (moved + kFixed)) < 2);
        QVERIFY(std::abs(static_cast<double>(estimatedPerKernel(flat, 4).ps) - (moved + kFixed / 4)) < 2);
        engine::Experiment batch = flat;
        batch.matrix.batch = 3;
        QVERIFY(std::abs(static_cast<double>(estimatedPerKernel(batch, 1).ps) - (3 * moved + kFixed)) < 2);
    }

    void theLeastEstimateIsAdvised() {
        const Degrees answer = degreesOf({gemmOnMi100(640, 512, 256), {1, 2, 4}});
        for (const DegreeRow& row : answer.rows) {
            QCOMPARE(row.estimate.ps,
                     estimatedPerKernel(withTile(gemmOnMi100(640, 512, 256), row.tile.m, row.tile.n), row.degree).ps);
            QVERIFY(answer.advised().estimate <= row.estimate);
            QVERIFY(answer.fastest().perKernel <= row.perKernel);
        }
    }

    void theAdvisedDegreeOfSmallGemmsIsNearlyTheFastest() {
        constexpr double kWorst = 0.12;
        tests::RandomNumbers random(4, 1);
        const auto side = [&](double low, double high) {
            return 64 * std::max<std::int64_t>(1, std::llround(random.byRatio(low, high) / 64));
        };
        for (int i = 0; i < 5; ++i) {
            const std::int64_t m = side(128, 1024), n = side(128, 1024), k = side(256, 1024);
            const Degrees answer = degreesOf({gemmOnMi100(m, n, k), {1, 2, 4, 8}});
            const double loss = static_cast<double>(answer.advised().perKernel.ps) /
                                    static_cast<double>(answer.fastest().perKernel.ps) -
                                1;
            QVERIFY2(loss < kWorst, qPrintable(QStringLiteral("%1 x %2 x %3: %4").arg(m).arg(n).arg(k).arg(loss)));
        }
    }
};

RINGSIDE_TEST(TestDegrees)
#include "tst_degrees.moc"
