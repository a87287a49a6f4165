#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <map>
#include <string>

// Checks the statements of MODEL.md about the evaluation jit-q, and what its rows say together.

using namespace data;

namespace {

/// Returns the evaluation's answer. It is simulated once for all tests.
const Reproduction& justInTime() {
    static const Reproduction kMade = [] {
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        static const tests::KeptRuns kKept("jit-q");
        options.store = kKept.storeFor("jit-q");
        return reproduceAll(*findEvaluation("jit-q"), options);
    }();
    return kMade;
}

/// Returns the blind rows by id.
const std::map<std::string, double>& rowsOfJustInTime() {
    static const std::map<std::string, double> kRows = [] {
        std::map<std::string, double> rows;
        for (const ReproducedItem& item : justInTime().items)
            if (item.role == EvaluationRole::blind)
                rows[item.published.id] = item.value;
        return rows;
    }();
    return kRows;
}

/// Returns by how many per cent a run with a pass takes longer than without.
double lossOf(const std::string& row) { return 100 * (rowsOfJustInTime().at(row) - 1); }

}  // namespace

class TestJitQEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesAndSavingsOfCopiesAreExact() {
        QVERIFY(justInTime().failures.empty());
        int exact = 0;
        for (const ReproducedItem& item : justInTime().items) {
            if (item.role != EvaluationRole::exact)
                continue;
            ++exact;
            QVERIFY2(item.holds().value_or(false), item.published.id.c_str());
        }
        QCOMPARE(exact, 6 + 12);
    }

    void allOtherRowsAreBlindAndWithoutAPublishedValue() {
        QCOMPARE(justInTime().constants, findEvaluation("jit-q")->frozen);
        for (const ReproducedItem& item : justInTime().items)
            QVERIFY(item.role == EvaluationRole::exact ||
                    (item.role == EvaluationRole::blind && std::isnan(item.published.value)));
        for (const auto& [id, value] : rowsOfJustInTime())
            QVERIFY2(value > 0, id.c_str());
    }

    void aPassNeverMakesOwnWorkFasterAndCostsMoreWithMorePasses() {
        for (const char* policy : {"", "t3-", "t3-mca-"}) {
            const std::string of = policy;
            QVERIFY(lossOf(of + "largest-loss") >= lossOf(of + "mean-loss"));
            QVERIFY(lossOf(of + "mean-loss") > 0);
            double before = 0;
            for (const char* cost : {"1", "2", "3", "4"}) {
                const double loss = lossOf(of + "cost[cost=" + cost + "]");
                QVERIFY2(loss > before, cost);
                before = loss;
            }
        }
    }

    void itsNumbersAreThoseOfTheModelPage() {
        m_page.check("at most # % of all that a GPU holds", {100 * rowsOfJustInTime().at("largest-saving")});
        for (const auto& [title, of] : {std::pair{"sequential", ""}, {"t3", "t3-"}, {"t3-mca", "t3-mca-"}}) {
            const std::string row = of;
            m_page.check(QStringLiteral("| `%1` | # | # | # | # | # | # | # | # | # | # |").arg(QLatin1String(title)),
                         {lossOf(row + "mean-loss"), lossOf(row + "largest-loss"), lossOf(row + "tokens[batch=1]"),
                          lossOf(row + "tokens[batch=2]"), lossOf(row + "tokens[batch=4]"),
                          lossOf(row + "tokens[batch=8]"), lossOf(row + "cost[cost=1]"), lossOf(row + "cost[cost=2]"),
                          lossOf(row + "cost[cost=3]"), lossOf(row + "cost[cost=4]")});
        }
        m_page.check("has ended after # % of the time of the sub-layer", {100 * rowsOfJustInTime().at("pass-share")});
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

private:
    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestJitQEvaluation)
#include "tst_jit_q_evaluation.moc"
