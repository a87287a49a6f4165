#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "engine/api/parameters.h"
#include "tests/ui/window_parts.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/comparison.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"

#include <QSignalSpy>

namespace {

std::unique_ptr<ui::RingsideWindow> openBeside(const char* operation) {
    ui::RingsideWindowConfig config = tests::interactiveConfig("t-nlg/op/tp8");
    config.draft.explicitValues["workload.batch"] = std::int64_t{1};
    config.draft.explicitValues["workload.sequence"] = std::int64_t{512};
    config.draft.explicitValues["policy.preset"] = std::string("sequential");
    config.draft.explicitValues["companion.operation"] = std::string(operation);
    for (const char* side : {"companion.m", "companion.n", "companion.k"})
        config.draft.explicitValues[side] = std::int64_t{512};
    return tests::openWindow(std::move(config));
}

QAction* rulesOrder(ui::RingsideWindow& window) {
    return window.workbench().commands().find(QStringLiteral("compare.dispatch-rules"))->action;
}

}  // namespace

class TestWindowDispatchRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutACompanionThereIsNothingToCompare() { QVERIFY(!rulesOrder(*openBeside("none"))->isEnabled()); }

    void theOrderShowsTheCompanionUnderEveryRule() {
        const auto window = openBeside("gemm");
        QVERIFY(rulesOrder(*window)->isEnabled());
        ui::CompareView& view = window->compare().view();
        QSignalSpy shown(&view, &ui::CompareView::compareShown);
        rulesOrder(*window)->trigger();
        QVERIFY(shown.wait(60'000));
        QTRY_VERIFY(view.comparison().isComplete());
        QStringList rules;
        std::vector<const engine::Experiment*> experiments;
        for (const ui::ComparedRun& compared : view.comparison().runs()) {
            QVERIFY2(compared.failure.isEmpty(), qPrintable(compared.failure));
            experiments.push_back(&compared.run->run.experiment);
            QVERIFY(compared.run->run.result.companion->ownSlowdown.has_value());
        }
        // Reserved CUs cannot separate two GEMMs.
        QCOMPARE(ui::namesOf(experiments), (QStringList{QStringLiteral("in-order"), QStringLiteral("companion-first"),
                                                        QStringLiteral("round-robin")}));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowDispatchRules)
#include "tst_window_dispatch_rules.moc"
