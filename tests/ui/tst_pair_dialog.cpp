#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/experiment/experiment_document.h"
#include "ui/compare/compare_feature.h"
#include "ui/compare/pair_dialog.h"
#include "ui/look/value_table.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <memory>

using ui::PairDialog;
using ui::ValueTable;

namespace {

constexpr int kPairTimeout = 30'000;

data::ExperimentDraft draftOfPair(const data::Settings& more = {}) {
    data::ExperimentDraft draft = data::openDraft("gemm/1024x1024x512").draft;
    draft.explicitValues.insert_or_assign("machine", std::string("nvidia-h100"));
    draft.explicitValues.insert_or_assign("detail.level", std::string("interactive"));
    for (const auto& [path, value] : more)
        draft.explicitValues.insert_or_assign(path, value);
    return draft;
}

const data::Settings kBesideGather{{"companion.operation", std::string("all-gather")},
                                   {"companion.bytes", std::int64_t{4 * 1024 * 1024}}};

struct PairDialogBench {
    explicit PairDialogBench(const data::Settings& more = {})
        : dialog(std::make_unique<PairDialog>(draftOfPair(more), [this](const data::ExperimentDraft& draft,
                                                                        const QString&) { opened.push_back(draft); })) {
        dialog->show();
    }
    template <class Widget>
    Widget* find(const char* name) {
        return dialog->findChild<Widget*>(QString::fromLatin1(name));
    }
    QString textOf(const char* label) { return find<QLabel>(label)->text(); }
    bool ends() {
        return QTest::qWaitFor([this] { return !dialog->isRunning(); }, kPairTimeout);
    }
    QStringList names() {
        QStringList names;
        for (const ui::ValueRow& row : find<ValueTable>("ways")->rows())
            names << row.cells.front();
        return names;
    }

    std::vector<data::ExperimentDraft> opened;
    std::unique_ptr<PairDialog> dialog;
};

}  // namespace

class TestPairDialog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWayIsARow() {
        PairDialogBench bench(kBesideGather);
        QVERIFY(bench.dialog->isRunning());
        QVERIFY(bench.ends());
        const QStringList names = bench.names();
        QCOMPARE(names.size(), 8);
        QCOMPARE(names.first(), QStringLiteral("one after the other"));
        for (const char* name : {"in-order", "companion-first", "round-robin", "dma", "dma + reserved 8", "in-switch"})
            QVERIFY2(names.contains(QLatin1String(name)), name);
        QVERIFY(bench.textOf("alone").startsWith(QLatin1String("Alone: GEMM ")));
        QVERIFY(bench.textOf("freed").startsWith(QLatin1String("Copies leave free the 16 CUs that the kernel of ")));
        QVERIFY(bench.textOf("freed").contains(QLatin1String(" CUs is advised: ")));
        QCOMPARE(bench.textOf("status"), QString());
    }

    void theFastestWayIsEmphasised() {
        PairDialogBench bench(kBesideGather);
        QVERIFY(bench.ends());
        const std::vector<ui::ValueRow>& rows = bench.find<ValueTable>("ways")->rows();
        QCOMPARE(std::ranges::count_if(rows, [](const ui::ValueRow& row) { return row.strong; }), 1);
        const auto speedup = [](const ui::ValueRow& row) { return row.cells[8].toDouble(); };
        const auto strong = std::ranges::find_if(rows, [](const ui::ValueRow& row) { return row.strong; });
        for (const ui::ValueRow& row : rows)
            QVERIFY(speedup(row) <= speedup(*strong));
    }

    void aChosenWayIsShownInTheWindowButNotTheSum() {
        PairDialogBench bench(kBesideGather);
        QVERIFY(bench.ends());
        auto* table = bench.find<ValueTable>("ways");
        auto* show = bench.find<QPushButton>("showWay");
        show->click();
        table->choose(0);
        show->click();
        QVERIFY(bench.opened.empty());
        QCOMPARE(bench.textOf("status"), QStringLiteral("Choose a row of the table that is a run first."));
        table->choose(static_cast<std::size_t>(bench.names().indexOf(QStringLiteral("in-switch"))));
        show->click();
        QCOMPARE(bench.opened.size(), std::size_t{1});
        QVERIFY(engine::addsInSwitch(data::expandValues(bench.opened.front()).experiment));
    }

    void sizesAreFoundOnRequest() {
        data::Settings slow = kBesideGather;
        slow.insert_or_assign("companion.issue", std::int64_t{2'000'000});
        slow.insert_or_assign("collective.algorithm", std::string("direct"));
        PairDialogBench bench(slow);
        QVERIFY(bench.ends());
        QCOMPARE(bench.textOf("sizesAnswer"),
                 QStringLiteral("For which sizes of the all-gather is a kernel as fast as copies?"));
        bench.find<QPushButton>("findSizes")->click();
        QVERIFY(!bench.find<QPushButton>("findSizes")->isEnabled());
        QVERIFY(bench.ends());
        QVERIFY(bench.textOf("sizesAnswer").startsWith(QLatin1String("A kernel takes no longer than copies up to ")));
        QVERIFY(bench.find<QPushButton>("findSizes")->isEnabled());
    }

    void copiesOfAGemmHaveDegreesInPlaceOfSizes() {
        PairDialogBench bench({{"companion.operation", std::string("gemm")}, {"companion.copies", std::int64_t{2}}});
        QVERIFY(bench.ends());
        QCOMPARE(bench.names().size(), 4);
        QVERIFY(bench.find<QPushButton>("findSizes") == nullptr);
        auto* typed = bench.find<QLineEdit>("degrees");
        typed->setText(QStringLiteral("1, 2"));
        QTest::keyClick(typed, Qt::Key_Return);
        QVERIFY(bench.ends());
        const std::vector<ui::ValueRow>& rows = bench.find<ValueTable>("degreesTable")->rows();
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].cells[0], QStringLiteral("1"));
        const QString marks = rows[0].cells.back() + rows[1].cells.back();
        QVERIFY(marks.contains(QLatin1String("fastest")) && marks.contains(QLatin1String("advised")));
        QVERIFY(bench.dialog->isVisible());  // Return asks, and does not close the dialog
    }

    void degreesThatCannotBeComparedAreRefusedWithWhatIsAllowed() {
        PairDialogBench bench;  // a GEMM alone: no ways, degrees at once
        QVERIFY(bench.find<ValueTable>("ways") == nullptr);
        QVERIFY(bench.ends());
        QCOMPARE(bench.find<ValueTable>("degreesTable")->rows().size(), std::size_t{4});
        for (const char* list : {"two", "2, 1"}) {
            bench.find<QLineEdit>("degrees")->setText(QLatin1String(list));
            bench.find<QPushButton>("compareDegrees")->click();
            QVERIFY(bench.ends());
            QVERIFY2(bench.textOf("status").contains(QLatin1String("allowed: ")), list);
        }
    }

    void stoppedWorkGivesNoAnswer() {
        PairDialogBench bench(kBesideGather);
        bench.find<QPushButton>("stop")->click();
        QVERIFY(!bench.dialog->isRunning());
        QCOMPARE(bench.textOf("status"), QStringLiteral("Stopped."));
        QTest::qWait(50);
        QVERIFY(bench.find<ValueTable>("ways")->rows().empty());
        QVERIFY(!bench.find<QPushButton>("stop")->isEnabled());
    }

    void theCommandNeedsACompanionOrAGemmAlone() {
        const auto isOffered = [](const char* name) {
            const auto window = tests::openWindow(tests::interactiveConfig(name));
            return window->workbench().commands().find(QStringLiteral("compare.share-gpu"))->action->isEnabled();
        };
        QVERIFY(!isOffered("t-nlg/op/tp4"));
        QVERIFY(isOffered("gemm/512x512x512"));
    }

    void theCommandOpensTheDialog() {
        const auto window = tests::openWindow(tests::interactiveConfig("gemm/512x512x512"));
        window->compare().shareGpu();
        auto* dialog = window->findChild<PairDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QVERIFY(QTest::qWaitFor([&] { return !dialog->isRunning(); }, kPairTimeout));
    }
};

RINGSIDE_WINDOW_TEST(TestPairDialog)
#include "tst_pair_dialog.moc"
