#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "tests/data/kept_runs.h"
#include "tests/data/model_page.h"
#include "tests/data/reproduced_items.h"
#include "tests/test_program.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

// Checks the statements of MODEL.md about the evaluation banks, and what its rows say together.

using namespace data;

namespace {

/// Returns the evaluation's answer. It is simulated once for all tests.
const Reproduction& ofBanks() {
    static const Reproduction kMade = [] {
        ReproduceOptions options;
        options.threads = tests::threadsHere();
        static const tests::KeptRuns kKept("banks");
        options.store = kKept.storeFor("banks");
        return reproduceAll(*findEvaluation("banks"), options);
    }();
    return kMade;
}

/// Returns the values of an item with a row for each pattern, in their order.
std::vector<double> valuesOf(const std::string& item) {
    std::vector<double> values;
    for (const ReproducedItem& row : ofBanks().items)
        if (row.published.id.starts_with(item + "["))
            values.push_back(row.value);
    return values;
}

constexpr std::array kMappings{"hbm2-128-rorabgbachco", "hbm2-128-rorabgbacoch", "hbm2-128-rorabacobgch",
                               "hbm2-64-robaracoch", "hbm2-64-mop"};
constexpr std::array kPatterns{"stream read",
                               "stream write",
                               "2R1W line",
                               "2R1W 4 KiB",
                               "2R1W 4 KiB, skewed",
                               "1R1W line",
                               "1R1W 4 KiB",
                               "1R1W 4 KiB, skewed",
                               "1R2W 4 KiB, skewed",
                               "random line, read",
                               "random line, write",
                               "random line, 2R1W",
                               "random line, 1R1W",
                               "random reads of 256 B",
                               "random reads of 2 KiB",
                               "random reads of 16 KiB",
                               "random 16 KiB, 2R1W"};

}  // namespace

class TestBanksEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void closedFormsAreExact() {
        QVERIFY(ofBanks().failures.empty());
        int exact = 0;
        for (const ReproducedItem& item : ofBanks().items) {
            if (item.role != EvaluationRole::exact)
                continue;
            ++exact;
            QVERIFY2(item.holds().value_or(false), item.published.id.c_str());
        }
        QCOMPARE(exact, 10);
    }

    void allOtherRowsAreBlindAndWithoutAPublishedValue() {
        QCOMPARE(ofBanks().constants, findEvaluation("banks")->frozen);
        for (const ReproducedItem& item : ofBanks().items) {
            QVERIFY(item.role == EvaluationRole::exact ||
                    (item.role == EvaluationRole::blind && std::isnan(item.published.value)));
            QVERIFY2(item.value >= 0 && item.value <= 1, item.published.id.c_str());
        }
    }

    void itsNumbersAreThoseOfTheModelPage() {
        std::map<std::string, std::vector<double>> columns;
        for (const char* mapping : kMappings) {
            columns[mapping] = valuesOf(mapping);
            QCOMPARE(columns[mapping].size(), kPatterns.size());
        }
        for (std::size_t pattern = 0; pattern < kPatterns.size(); ++pattern) {
            std::vector<double> row;
            for (const char* mapping : kMappings)
                row.push_back(100 * columns[mapping][pattern]);
            m_page.check(QStringLiteral("| %1 | # | # | # | # | # |").arg(QLatin1String(kPatterns[pattern])), row);
        }
        const QByteArray failures = m_page.takeFailures();
        QVERIFY2(failures.isEmpty(), failures.constData());
    }

private:
    tests::ModelPage m_page{QStringLiteral(RINGSIDE_SOURCE "/MODEL.md")};
};

RINGSIDE_CORE_TEST(TestBanksEvaluation)
#include "tst_banks_evaluation.moc"
