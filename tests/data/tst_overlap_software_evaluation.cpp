#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/experiment/experiment_document.h"
#include "engine/api/runner.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <map>
#include <string>
#include <vector>

// Checks the statements of MODEL.md about the evaluations overlap-software and copy-engines, and what rows say together.

using namespace data;

namespace {

/// Returns the evaluation's answer. It is simulated once for all tests.
const Reproduction& overlapInSoftware() {
    static const Reproduction kMade = [] {
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        static const tests::KeptRuns kKept("overlap-software");
        options.store = kKept.storeFor("overlap-software");
        return reproduceAll(*findEvaluation("overlap-software"), options);
    }();
    return kMade;
}

/// Returns the blind rows without a published value, by id.
std::map<std::string, double> rowsOfOverlapInSoftware() {
    const Reproduction& made = overlapInSoftware();
    std::map<std::string, double> rows;
    if (!made.failures.empty() || made.constants != findEvaluation("overlap-software")->frozen)
        return rows;
    for (const ReproducedItem& item : made.items)
        if (item.role == EvaluationRole::blind && std::isnan(item.published.value))
            rows[item.published.id] = item.value;
    return rows;
}

/// Returns by how many per cent ours differ from the measured rows, in their order.
std::vector<double> measuredInSoftware() {
    std::vector<double> differences;
    for (const ReproducedItem& item : overlapInSoftware().items)
        if (item.role == EvaluationRole::visible)
            differences.push_back(100 * (item.value / item.published.value - 1));
    return differences;
}

/// Returns by how many per cent T3's consuming GEMM differs from Flux' all-gather and GEMM if its chunks go around the ring.
double aroundTheRing() {
    constexpr double kMeasuredTime = 2469e6;  // ps
    data::ExperimentDraft draft;
    engine::Problems problems;
    for (const char* setting :
         {"machine=nvidia-a100", "link.bandwidth=200GB/s", "parallel.tp=8", "detail.level=interactive",
          "collective.operation=all-gather", "workload.sublayer=fc-1", "workload.sequence=4096", "workload.batch=1",
          "workload.hidden=12288", "workload.feed_forward=49152", "policy=t3"})
        data::applySetting(setting, draft, problems);
    const engine::RunResult run = engine::run(data::expand(draft).experiment, {.baselines = false});
    return 100 * (static_cast<double>(run.last.time.total.ps) / kMeasuredTime - 1);
}

}  // namespace

class TestOverlapSoftwareEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowIsBlindAndHasAValue() {
        const Evaluation& evaluation = *findEvaluation("overlap-software");
        // Three items have a row for each number of pieces, and four tables have measured rows.
        const std::size_t single = evaluation.items.size() - 7, pieces = 6;
        QCOMPARE(rowsOfOverlapInSoftware().size(), single + 3 * pieces);
        QCOMPARE(measuredInSoftware().size(), std::size_t{7});
        for (const auto& [id, value] : rowsOfOverlapInSoftware())
            QVERIFY2(value > 0, id.c_str());
    }

    void oneSweepAloneGivesItsRowsAndNoOthers() {
        const Evaluation& evaluation = *findEvaluation("overlap-software");
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        options.sweep = evaluation.figures.front().sweep;
        double last = 0;
        options.progress = [&](double done) { last = done; };
        const Reproduction made = reproduceAll(evaluation, options);
        QCOMPARE(made.tables.size(), evaluation.sweeps.size());
        QCOMPARE(made.cases.size(), std::size_t{3});
        QCOMPARE(made.constants, evaluation.frozen);
        for (const ReproducedItem& item : made.items)
            QCOMPARE(std::isnan(item.value), !item.published.id.starts_with("fused-h100"));
        QCOMPARE(last, 1.0);
    }

    void itsNumbersAreThoseOfTheModelPage() {
        const std::vector<double> measured = measuredInSoftware();
        m_page.check("ours differ by #, # and # %, and for 4096 x 12288 x 6144 on 8 A800 (Flux) by # %:",
                     {measured.begin(), measured.begin() + 4});
        m_page.check("on A800, by # %.", {measured[4]});
        m_page.check("and the same run differs by # %.", {aroundTheRing()});
        m_page.check("on 8 H100, differ by # and # % (kraken", {measured[5], measured[6]});
        const std::map<std::string, double> rows = rowsOfOverlapInSoftware();
        const auto percent = [&](const char* id) { return 100 * rows.at(id); };
        m_page.check(
            "`chunked` is # times as fast as `sequential` in the geometric mean (at most #), `signals` # (#) and "
            "`t3-mca` # (#); they hide #, # and # % of the reduce-scatter on average.",
            {rows.at("chunked-geomean"), rows.at("chunked-max"), rows.at("signals-geomean"), rows.at("signals-max"),
             rows.at("t3-mca-geomean"), rows.at("t3-mca-max"), percent("chunked-hidden"), percent("signals-hidden"),
             percent("t3-mca-hidden")});
        m_page.check("they are #, # and # times as fast and hide #, # and # %.",
                     {rows.at("h100-chunked"), rows.at("h100-signals"), rows.at("h100-t3-mca"),
                      percent("h100-chunked-hidden"), percent("h100-signals-hidden"), percent("h100-t3-mca-hidden")});
        m_page.check(
            "`chunked-dma` is # times as fast as `sequential` (at most #) and hides # % of the reduce-scatter; "
            "`chunked`, `signals` and `t3-mca` are #, # and # times as fast.",
            {rows.at("direct-chunked-dma-geomean"), rows.at("direct-chunked-dma-max"),
             percent("direct-chunked-dma-hidden"), rows.at("direct-chunked-geomean"), rows.at("direct-signals-geomean"),
             rows.at("direct-t3-mca-geomean")});
        m_page.check(
            "On the H100 with the direct algorithm the four are #, #, # and # times as fast, and copies hide # %.",
            {rows.at("direct-h100-chunked-dma"), rows.at("direct-h100-chunked"), rows.at("direct-h100-signals"),
             rows.at("direct-h100-t3-mca"), percent("direct-h100-chunked-dma-hidden")});
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

    void theCarriersAreThoseOfTheModelPage() {
        const Evaluation& evaluation = *findEvaluation("copy-engines");
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        const Reproduction made = reproduceAll(evaluation, options);
        QVERIFY(made.failures.empty());
        QCOMPARE(made.constants, evaluation.frozen);
        std::map<std::string, double> microseconds;
        for (const ReproducedItem& item : made.items)
            microseconds[item.published.id] = item.value / 1e6;
        m_page.check(
            "on 8 H100 at interactive detail: # µs one after the other, # µs beside each other by a kernel and # µs "
            "by copies. The all-gather itself takes # µs and # µs.",
            {microseconds.at("serial"), microseconds.at("kernel"), microseconds.at("copies"),
             microseconds.at("all-gather-kernel"), microseconds.at("all-gather-copies")});
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
        // One after the other takes longer than either way beside each other, and no way is faster than the GEMM alone.
        QVERIFY(microseconds.at("serial") > microseconds.at("kernel"));
        QVERIFY(microseconds.at("kernel") >= microseconds.at("copies"));
    }

    // Whole and saved time belong together: with a reduce-scatter r of the sequential time t, t - t / speed-up is the
    // hidden share of r, for each policy.
    void speedUpsAndHiddenSharesOfTheH100AreThoseOfOneReduceScatter() {
        const std::map<std::string, double> rows = rowsOfOverlapInSoftware();
        const auto reduceScatter = [&](const std::string& policy) {
            return (1 - 1 / rows.at("h100-" + policy)) / rows.at("h100-" + policy + "-hidden");
        };
        const double share = reduceScatter("chunked");
        QVERIFY(share > 0.3 && share < 0.4);
        QVERIFY(std::abs(reduceScatter("signals") / share - 1) < 1e-6);
        QVERIFY(std::abs(reduceScatter("t3-mca") / share - 1) < 1e-6);
    }

    void sixteenPiecesAreFasterThanOneAndFasterThanThirtyTwo() {
        const std::map<std::string, double> rows = rowsOfOverlapInSoftware();
        for (const char* item : {"pieces", "h100-pieces", "h100-dma-pieces"}) {
            const auto at = [&](const char* count) { return rows.at(item + ("[pieces=" + std::string(count) + "]")); };
            QVERIFY(at("16") < at("1"));
            QVERIFY(at("16") < at("32"));
        }
    }

private:
    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestOverlapSoftwareEvaluation)
#include "tst_overlap_software_evaluation.moc"
