#include "tests/data/sample_result.h"
#include "tests/test_program.h"
#include "ui/runs/run_columns.h"
#include "ui/runs/run_details.h"

#include <QDateTime>
#include <QTest>

#include <algorithm>

using Verdict = ui::ComparedValue::Verdict;

namespace {

ui::KeptRun run(const char* setting, std::int64_t totalPs) {
    ui::KeptRun kept;
    kept.draft = data::draftNamed("t-nlg/fc-2/tp8").draft;
    engine::Problems problems;
    data::applySetting(setting, kept.draft, problems);
    kept.experiment = data::expand(kept.draft).experiment;
    kept.result = tests::sampleResult();
    kept.result.last.time.total = {totalPs};
    return kept;
}

const ui::ComparedValue* find(const std::vector<ui::ComparedValue>& rows, const char* path) {
    const auto at = std::find_if(rows.begin(), rows.end(), [path](const auto& row) { return row.path == path; });
    return at == rows.end() ? nullptr : &*at;
}

QString withPlainSpaces(QString text) { return text.replace(QChar(0x00a0), QLatin1Char(' ')); }

}  // namespace

class TestRunComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyParametersThatDifferAreListed() {
        const auto comparison =
            ui::compareRuns(run("link.bandwidth=100GB/s", 1'000), run("link.bandwidth=150GB/s", 1'000));
        QCOMPARE(comparison.parameters.size(), std::size_t{1});
        const ui::ComparedValue& row = comparison.parameters.front();
        QCOMPARE(row.path, std::string("link.bandwidth"));
        QCOMPARE(withPlainSpaces(row.first), QStringLiteral("100 GB/s"));
        QCOMPARE(withPlainSpaces(row.second), QStringLiteral("150 GB/s"));
        QCOMPARE(withPlainSpaces(row.difference), QStringLiteral("+50 GB/s"));
        QCOMPARE(row.ratio, QStringLiteral("1.500×"));
        QCOMPARE(row.verdict, Verdict::none);
    }

    void aWordHasNoDifferenceAndNoRatio() {
        const auto comparison = ui::compareRuns(run("policy=t3", 1), run("policy=t3-mca", 1));
        const auto* row = find(comparison.parameters, "policy.preset");
        QVERIFY(row != nullptr);
        QCOMPARE(row->first, QStringLiteral("t3"));
        QCOMPARE(row->second, QStringLiteral("t3-mca"));
        QVERIFY(row->difference.isEmpty() && row->ratio.isEmpty());
    }

    void aShorterTimeIsBetterAndTheRatioIsSecondOverFirst() {
        // 4 ms to 3 ms: 1 ms less, three quarters.
        const auto comparison = ui::compareRuns(run("seed=1", 4'000'000'000), run("seed=1", 3'000'000'000));
        const auto* total = find(comparison.metrics, "time_ps.total");
        QVERIFY(total != nullptr);
        QVERIFY2(withPlainSpaces(total->difference).startsWith(QChar(0x2212) + QStringLiteral("1")),
                 qPrintable(total->difference));
        QCOMPARE(total->ratio, QStringLiteral("0.750×"));
        QCOMPARE(total->verdict, Verdict::secondBetter);
    }

    void equalValuesSayThatTheyAre() {
        const auto comparison = ui::compareRuns(run("seed=1", 5), run("seed=1", 5));
        QVERIFY(comparison.parameters.empty());
        for (const ui::ComparedValue& row : comparison.metrics) {
            QCOMPARE(row.difference, QStringLiteral("="));
            QCOMPARE(row.verdict, Verdict::none);
        }
    }

    void whatOnlyOneHasIsShownWithADash() {
        ui::KeptRun without = run("seed=1", 5);
        without.result.last.dram.reset();
        const auto comparison = ui::compareRuns(without, run("seed=1", 5));
        const auto* traffic = find(comparison.metrics, "dram_bytes.total");
        QVERIFY(traffic != nullptr);
        QCOMPARE(traffic->first, QStringLiteral("–"));
        QVERIFY(traffic->difference.isEmpty() && traffic->ratio.isEmpty());
        without.result.last.tracker.reset();
        ui::KeptRun neither = without;
        QVERIFY(find(ui::compareRuns(without, neither).metrics, "tracker.triggers") == nullptr);
    }

    void ofNothingThereIsNoRatio() {
        ui::KeptRun none = run("seed=1", 5), some = run("seed=1", 5);
        none.result.last.tracker->capacityStalls = 0;
        const auto* stalls = find(ui::compareRuns(none, some).metrics, "tracker.capacity_stalls");
        QVERIFY(stalls != nullptr);
        QVERIFY(stalls->ratio.isEmpty());
        QVERIFY(!stalls->difference.isEmpty());
    }

    void everyParameterAndMetricCanBeAColumn() {
        for (const ui::RunColumn& column : ui::allRunColumns()) {
            QVERIFY2(!column.title.isEmpty(), column.path.c_str());
            QCOMPARE(ui::runColumn(column.path)->title, column.title);
        }
        for (const std::string& path : ui::usualRunColumns())
            QVERIFY2(ui::runColumn(path), path.c_str());
        QVERIFY(!ui::runColumn("no.such"));
    }

    void timesAreReportedTheShorterThePastTheFiner() {
        const auto at = [](const QString& text) {
            return QDateTime::fromString(text, Qt::ISODate).toMSecsSinceEpoch();
        };
        const std::int64_t now = at(QStringLiteral("2026-05-04T12:00:00"));
        QCOMPARE(ui::whenText(now - 30'000, now), QStringLiteral("just now"));
        QCOMPARE(ui::whenText(now + 90'000, now), QStringLiteral("just now"));
        QCOMPARE(ui::whenText(now - 12 * 60'000, now), QStringLiteral("12 min ago"));
        QCOMPARE(ui::whenText(at(QStringLiteral("2026-05-04T09:15:00")), now), QStringLiteral("today 09:15"));
        QCOMPARE(ui::whenText(at(QStringLiteral("2026-05-03T23:59:00")), now), QStringLiteral("yesterday 23:59"));
        QCOMPARE(ui::whenText(at(QStringLiteral("2026-05-01T08:00:00")), now), QStringLiteral("2026-05-01 08:00"));
    }

    void tagsAreSingleWordsEachOnce() {
        QCOMPARE(ui::tagsFrom(QStringLiteral(" paper, fig5;paper  draft ")),
                 (std::vector<std::string>{"draft", "fig5", "paper"}));
        QVERIFY(ui::tagsFrom(QStringLiteral("  ")).empty());
    }
};

RINGSIDE_CORE_TEST(TestRunComparison)
#include "tst_run_comparison.moc"
