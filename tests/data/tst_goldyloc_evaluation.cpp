#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/questions/degrees.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/random_experiments/random_numbers.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

// Checks the statements of MODEL.md about copies of a GEMM at once: the evaluation goldyloc, and the rule that advises
// how many to run.

using namespace data;

namespace {

constexpr double kPercent = 100;
constexpr double kMicrosecond = 1e6;

/// Returns a GEMM of MODEL.md's machine: amd-mi100, interactive detail.
ExperimentDraft gemmOfPage(std::int64_t m, std::int64_t n, std::int64_t k) {
    ExperimentDraft draft;
    draft.explicitValues = {{"machine", "amd-mi100"},
                            {"detail.level", "interactive"},
                            {"workload.sublayer", "gemm"},
                            {"matrix.m", m},
                            {"matrix.n", n},
                            {"matrix.k", k}};
    return draft;
}

Degrees degreesOfPage(std::int64_t m, std::int64_t n, std::int64_t k) {
    PairOptions options;
    options.threads = tests::threadsHere();
    return degreesOf({gemmOfPage(m, n, k), {1, 2, 4, 8}}, options);
}

std::int64_t areaOf(const engine::Tile& tile) { return tile.m * tile.n; }

}  // namespace

class TestGoldylocEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsRowsAreBlindAndSumUpThreeSweeps() {
        const Evaluation& goldyloc = *findEvaluation("goldyloc");
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        static const tests::KeptRuns kKept("goldyloc");
        options.store = kKept.storeFor("goldyloc");
        const Reproduction made = reproduceAll(goldyloc, options);
        QVERIFY(made.failures.empty());
        QCOMPARE(made.constants, goldyloc.frozen);
        std::map<std::string, double> rows;
        for (const ReproducedItem& item : made.items) {
            QVERIFY(item.role == EvaluationRole::blind && std::isnan(item.published.value));
            rows[item.published.id] = item.value;
        }
        // Each point of `alone` over `go` is that over `default` times `default` over `go`.
        const double product = rows.at("default-over-sequential") * rows.at("go-over-default");
        QVERIFY(std::abs(rows.at("go-over-sequential") - product) < 1e-9);
        QVERIFY(rows.at("go-over-default") >= 1);
        m_page.check(
            "takes # times as long as all at once with GO-kernels in the geometric mean, at most # times. Of that, "
            "running at once with the tile that is best alone gives # (at most #), and the tile gives # (at most #).",
            {rows.at("go-over-sequential"), rows.at("go-over-sequential-max"), rows.at("default-over-sequential"),
             rows.at("default-over-sequential-max"), rows.at("go-over-default"), rows.at("go-over-default-max")});
        verify();
    }

    void theTableOfOneGemmIsThatOfTheCommand() {
        const Degrees answer = degreesOfPage(4096, 1024, 1024);
        for (const DegreeRow& row : answer.rows)
            m_page.check(QStringLiteral("| %1 | %2 x %3 | # | # | # |").arg(row.degree).arg(row.tile.m).arg(row.tile.n),
                         {static_cast<double>(row.perKernel.ps) / kMicrosecond, answer.overSequential(row),
                          static_cast<double>(row.estimate.ps) / kMicrosecond});
        QCOMPARE(answer.advised().degree, std::int64_t{8});
        verify();
    }

    // A GEMM has sides of 128 to 8,192 and a K of 256 to 4,096, each a multiple of 64. Equal ratios are equally likely.
    void theRuleFindsTheFastestDegreeOfMostSeededGemms() {
        constexpr int kGemms = 36;
        constexpr double kStep = 64, kLeastSide = 128, kMostSide = 8192, kLeastK = 256, kMostK = 4096;
        tests::RandomNumbers random(2409, 2227);
        const auto side = [&](double least, double most) {
            return static_cast<std::int64_t>(kStep) * std::llround(random.byRatio(least, most) / kStep);
        };
        double found = 0, loss = 0, worst = 0, other = 0, larger = 0, smaller = 0;
        for (int i = 0; i < kGemms; ++i) {
            const std::int64_t m = side(kLeastSide, kMostSide), n = side(kLeastSide, kMostSide),
                               k = side(kLeastK, kMostK);
            const Degrees answer = degreesOfPage(m, n, k);
            const double lost = static_cast<double>(answer.advised().perKernel.ps) /
                                    static_cast<double>(answer.fastest().perKernel.ps) -
                                1;
            found += answer.advised().degree == answer.fastest().degree ? 1 : 0;
            loss += lost / kGemms;
            worst = std::max(worst, lost);
            const engine::Tile alone = answer.rows.front().tile;
            const auto any = [&](auto holds) { return std::ranges::any_of(answer.rows, holds) ? 1 : 0; };
            other += any([&](const DegreeRow& row) { return row.tile != alone; });
            larger += any([&](const DegreeRow& row) { return areaOf(row.tile) > areaOf(alone); });
            smaller += any([&](const DegreeRow& row) { return areaOf(row.tile) < areaOf(alone); });
        }
        m_page.check("On # seeded GEMMs (", {kGemms});
        m_page.check("it finds the fastest of the degrees 1, 2, 4 and 8 in #; it loses # % on average and # % at most.",
                     {found, kPercent * loss, kPercent * worst});
        m_page.check(
            "The GO-kernel of some degree differs from the best tile alone in # of them: it is larger in # and "
            "smaller in #.",
            {other, larger, smaller});
        verify();
    }

private:
    void verify() {
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestGoldylocEvaluation)
#include "tst_goldyloc_evaluation.moc"
