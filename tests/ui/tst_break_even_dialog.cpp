#include "tests/ui/window_test.h"

#include "ui/shared/sweep_model.h"
#include "ui/shared/sweep_session.h"
#include "ui/sweep/break_even_dialog.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

#include <memory>

using ui::BreakEvenDialog;

namespace {

struct BreakEvenDialogBench {
    BreakEvenDialogBench() {
        data::ExperimentDraft base = data::openDraft("t-nlg/fc-2/tp8").draft;
        base.explicitValues["detail.level"] = std::string("interactive");
        model.setBase(base);
        const engine::Parameter& bandwidth = *engine::findParameter("link.bandwidth");
        model.toggleAxis(bandwidth, bandwidth.defaultValue);
        model.setAxis(0, {ui::AxisKind::logarithmic, {{"link.bandwidth", {}}}, "25 GB/s", "400 GB/s", "5"});
        dialog = std::make_unique<BreakEvenDialog>(model, session);
    }
    template <class Widget>
    Widget* find(const char* name) {
        return dialog->findChild<Widget*>(QString::fromLatin1(name));
    }

    QTemporaryDir folder;
    QUndoStack stack;
    ui::SweepModel model{stack};
    ui::SweepSession session{{folder.filePath(QStringLiteral("store.sqlite")).toStdString()}};
    std::unique_ptr<BreakEvenDialog> dialog;
};

}  // namespace

class TestBreakEvenDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itBeginsWithTheFirstAxisAndItsEnds() {
        BreakEvenDialogBench bench;
        QCOMPARE(bench.find<QComboBox>("parameter")->currentData().toString(), QStringLiteral("link.bandwidth"));
        QCOMPARE(bench.find<QLineEdit>("from")->text(), QStringLiteral("25 GB/s"));
        QCOMPARE(bench.find<QLineEdit>("to")->text(), QStringLiteral("400 GB/s"));
    }

    void theAnswerIsASentenceWithTheNumberOfRuns() {
        BreakEvenDialogBench bench;
        bench.find<QComboBox>("metric")->setCurrentIndex(
            bench.find<QComboBox>("metric")->findData(QStringLiteral("time_ps.total")));
        bench.dialog->findChild<QComboBox*>(QStringLiteral("side"))->setCurrentIndex(0);
        bench.find<QComboBox>("against")->setCurrentIndex(0);
        bench.find<QLineEdit>("target")->setText(QStringLiteral("3 ms"));
        bench.find<QPushButton>("find")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!bench.session.isSolving(), 20'000);
        const QString answer = bench.dialog->answer();
        QVERIFY2(answer.contains(QStringLiteral("at most 3.000 ms from Bandwidth per direction ")), qPrintable(answer));
        QVERIFY2(answer.contains(QStringLiteral("The search took ")), qPrintable(answer));
    }

    void theOtherAxesAreAskedForAndNamedInTheAnswer() {
        BreakEvenDialogBench bench;
        const engine::Parameter& blocks = *engine::findParameter("dma.block_tiles");
        bench.model.toggleAxis(blocks, blocks.defaultValue);
        bench.model.setAxis(1, {ui::AxisKind::list, {{"dma.block_tiles", "1, 2, 8"}}, {}, {}, {}});
        bench.dialog = std::make_unique<BreakEvenDialog>(bench.model, bench.session);
        const QList<QComboBox*> fixed = bench.dialog->findChildren<QComboBox*>(QStringLiteral("fixed"));
        QCOMPARE(fixed.size(), 2);
        QVERIFY(fixed[0]->isHidden());   // the axis of the question
        QVERIFY(!fixed[1]->isHidden());  // any other axis
        const auto answered = [&](const QString& value) {
            fixed[1]->setCurrentText(value);
            bench.find<QPushButton>("find")->click();
            QTRY_VERIFY_WITH_TIMEOUT(!bench.session.isSolving(), 20'000);
            const QString words = bench.dialog->answer();
            QVERIFY2(words.startsWith(QStringLiteral("With Block %1, under ").arg(value)), qPrintable(words));
        };
        answered(QStringLiteral("8"));
        answered(QStringLiteral("1"));
        // The choice follows the parameter that is asked for.
        auto* parameter = bench.find<QComboBox>("parameter");
        parameter->setCurrentIndex(parameter->findData(QStringLiteral("dma.block_tiles")));
        QVERIFY(!fixed[0]->isHidden() && fixed[1]->isHidden());
        parameter->setCurrentIndex(parameter->findData(QStringLiteral("tracker.entries")));
        QVERIFY(!fixed[0]->isHidden() && !fixed[1]->isHidden());
    }

    void severalStretchesAreOneSentenceThatTakesNothingBack() {
        data::BreakEvenQuestion question;
        question.parameter = "cu.count";
        question.metric = "speedup_over_sequential";
        question.below = false;
        question.target = 1.3;
        data::BreakEven answer;
        for (const auto& [value, number] : {std::pair{16, 1.1}, {81, 1.29}, {82, 1.34}, {254, 1.33}, {256, 1.29}}) {
            data::BreakEvenStep step;
            step.value = std::int64_t{value};
            step.number = number;
            step.holds = number >= 1.3;
            answer.steps.push_back(step);
        }
        answer.crossings = {{1, 2}, {3, 4}};
        const QString words = ui::wordsOf(question, answer);
        QVERIFY2(words.contains(QStringLiteral("from Compute units 82 to 254; not at 81 or 256.")), qPrintable(words));
        QVERIFY2(!words.contains(QStringLiteral(" on;")), qPrintable(words));
        // The result is the same in the opposite direction.
        std::reverse(answer.steps.begin(), answer.steps.end());
        answer.crossings = {{0, 1}, {2, 3}};
        QCOMPARE(ui::wordsOf(question, answer), words);
        answer.crossings.clear();
        for (data::BreakEvenStep& step : answer.steps)
            step.holds = false;
        QVERIFY(ui::wordsOf(question, answer).contains(QStringLiteral("at none of the 5 values that were tried")));
    }

    void aTargetThatIsNoNumberIsRefusedInWords() {
        BreakEvenDialogBench bench;
        bench.find<QLineEdit>("target")->setText(QStringLiteral("fast"));
        bench.find<QPushButton>("find")->click();
        QVERIFY(!bench.session.isSolving());
        QVERIFY2(bench.dialog->answer().contains(QStringLiteral("fast")), qPrintable(bench.dialog->answer()));
    }
};

RINGSIDE_WINDOW_TEST(TestBreakEvenDialog)
#include "tst_break_even_dialog.moc"
