#include "tests/ui/window_test.h"

#include "data/store/store.h"
#include "ui/runs/runs_panel.h"

#include <QTreeWidget>

namespace {

data::StoredRun run(std::int64_t id, const char* name) {
    data::StoredRun kept;
    kept.id = id;
    kept.name = name;
    kept.totalPs = 1'000'000;
    return kept;
}

}  // namespace

class TestRunsPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunSaysWhatDiffersFromTheOneAboveAndItsWholeNameToAScreenReader() {
        ui::RunsPanel panel;
        panel.showRuns({run(4, "t-nlg/fc-2/tp8 t3, entries 32"), run(3, "t-nlg/fc-2/tp8 t3, entries 64"),
                        run(2, "t-nlg/fc-2/tp8 sequential"), run(1, "t-nlg/op/tp8 sequential")},
                       4);
        const auto* list = panel.findChild<QTreeWidget*>(QStringLiteral("runs"));
        QStringList shown, whole;
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            shown << list->topLevelItem(i)->text(0);
            whole << list->topLevelItem(i)->data(0, Qt::AccessibleTextRole).toString();
        }
        QCOMPARE(shown,
                 QStringList({"t-nlg/fc-2/tp8 t3, entries 32", "… entries 64", "… sequential", "… t-nlg/op/tp8"}));
        QCOMPARE(whole[1], QStringLiteral("t-nlg/fc-2/tp8 t3, entries 64"));
    }

    void aRunThatLacksOnlyWhatTheOneAboveHasIsNamedWhole() {
        ui::RunsPanel panel;
        panel.showRuns(
            {run(3, "t-nlg/fc-2/tp8 t3, entries 32"), run(2, "t-nlg/fc-2/tp8 t3"), run(1, "t-nlg/fc-2/tp8 t3")}, 3);
        const auto* list = panel.findChild<QTreeWidget*>(QStringLiteral("runs"));
        QCOMPARE(list->topLevelItem(1)->text(0), QStringLiteral("t-nlg/fc-2/tp8 t3"));
        QCOMPARE(list->topLevelItem(2)->text(0), QStringLiteral("t-nlg/fc-2/tp8 t3"));
    }
};

RINGSIDE_WINDOW_TEST(TestRunsPanel)
#include "tst_runs_panel.moc"
