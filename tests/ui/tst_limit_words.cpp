#include "ui/look/limit_words.h"

#include "tests/ui/sample_path.h"
#include "tests/ui/sample_run.h"
#include "tests/ui/window_test.h"

#include "data/results/run_limit.h"
#include "ui/inspector/inspector_page.h"
#include "ui/look/palette.h"
#include "ui/shared/view_state.h"
#include "ui/why/why_panel.h"

// Tests that Why and inspector name the same limit as the command line, which prints data::limitOf.

class TestLimitWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whyAndInspectorNameTheLimit_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("limit");
        QTest::newRow("compute") << "gemm/4096x4096x4096"
                                 << "machine=nvidia-h100"
                                 << "policy=sequential"
                                 << "compute";
        QTest::newRow("latency") << "gemm/4096x4096x4096"
                                 << "machine=nvidia-b200"
                                 << "gemm.prefetch=64"
                                 << "memory latency";
        QTest::newRow("link") << "t-nlg/op/tp16"
                              << "machine=t3-table-1"
                              << "policy=t3-mca"
                              << "link";
    }
    void whyAndInspectorNameTheLimit() {
        QFETCH(QString, name);
        QFETCH(QString, machine);
        QFETCH(QString, setting);
        QFETCH(QString, limit);
        const auto run = tests::simulated(
            name.toStdString(),
            {machine.toStdString(), "tiles.choice=fixed", "policy=sequential", setting.toStdString()}, true);
        const QString sentence = ui::limitSentence(run->run);
        QVERIFY2(sentence.startsWith(QStringLiteral("The run is bound by %1: ").arg(limit)), qPrintable(sentence));
        const auto found = data::limitOf(run->run.experiment, run->run.result);
        QCOMPARE(QString::fromStdString(found->text()), QStringLiteral("bound by %1").arg(limit));
        QVERIFY(found->advice.empty() || sentence.endsWith(QString::fromStdString(found->advice) + QLatin1Char('.')));

        ui::ViewState state;
        state.setRunEnd(run->run.result.last.time.total.ps);
        state.showAll();
        ui::WhyPanel why(state,
                         {.threads = 1, .find = [](const auto&, const auto&) { return data::SensitivityReport{}; }});
        why.resize(420, 700);
        why.showRun(std::make_shared<const ui::ReasonChain>(tests::flowOf(run)));
        why.show();
        QTRY_COMPARE(why.now(), sentence);

        const ui::StatisticsIndex statistics(run);
        const data::Area all{{0, run->run.result.last.time.total.ps}, 0, 0};
        const auto page = ui::pageOf(statistics.of(all), all, false, *run, ui::paletteOf(ui::Theme::light), {16, 300});
        QVERIFY(page.html.contains(sentence.toHtmlEscaped()));
    }

    void aRunWithoutAPathHasNoLimit() { QVERIFY(ui::limitSentence(data::LaboratoryRun{}).isEmpty()); }
};

RINGSIDE_WINDOW_TEST(TestLimitWords)
#include "tst_limit_words.moc"
