#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/comparison.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"

#include <QSignalSpy>

namespace {

std::unique_ptr<ui::RingsideWindow> openOn(const char* topology) {
    ui::RingsideWindowConfig config = tests::interactiveConfig("t-nlg/op/tp4");
    config.draft.explicitValues["workload.batch"] = std::int64_t{1};
    config.draft.explicitValues["workload.sequence"] = std::int64_t{512};
    config.draft.explicitValues["topology.kind"] = std::string(topology);
    return tests::openWindow(std::move(config));
}

QAction* inSwitch(ui::RingsideWindow& window) {
    return window.workbench().commands().find(QStringLiteral("compare.in-switch"))->action;
}

}  // namespace

class TestWindowInSwitch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutASwitchThereIsNothingToCompare() { QVERIFY(!inSwitch(*openOn("ring"))->isEnabled()); }

    void theCommandShowsT3McaBesideACollectiveInTheSwitch() {
        const auto window = openOn("switch");
        QVERIFY(inSwitch(*window)->isEnabled());
        ui::CompareView& view = window->compare().view();
        QSignalSpy shown(&view, &ui::CompareView::compareShown);
        inSwitch(*window)->trigger();
        QVERIFY(shown.wait(60'000));
        QTRY_VERIFY(view.comparison().isComplete());
        const std::vector<ui::ComparedRun>& runs = view.comparison().runs();
        QCOMPARE(runs.size(), std::size_t{3});
        for (const ui::ComparedRun& compared : runs)
            QVERIFY2(compared.failure.isEmpty(), qPrintable(compared.failure));
        QVERIFY(!engine::addsInSwitch(runs[0].run->run.experiment));
        QVERIFY(runs[1].run->run.experiment.policy.preset == engine::PolicyPreset::t3Mca);
        QVERIFY(engine::addsInSwitch(runs[2].run->run.experiment));
        QVERIFY(runs[2].run->run.result.last.time.total < runs[0].run->run.result.last.time.total);
    }
};

RINGSIDE_WINDOW_TEST(TestWindowInSwitch)
#include "tst_window_in_switch.moc"
