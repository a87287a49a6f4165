#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/model/model_view.h"
#include "ui/model/operator_canvas.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QSignalSpy>

#include <memory>

using ui::RingsideWindow;

class TestWindowModel : public QObject {
    Q_OBJECT

    std::unique_ptr<RingsideWindow> m_window;

    void open() {
        ui::RingsideWindowConfig config = tests::interactiveConfig("t-nlg/op/tp8");
        config.draft.explicitValues["workload.batch"] = std::int64_t{1};
        m_window = tests::openWindow(std::move(config));
    }
    void showModel() {
        QSignalSpy shown(&m_window->model().view(), &ui::ModelView::modelShown);
        m_window->workbench().views().showView(QStringLiteral("model"));
        if (!m_window->model().view().shown())
            QVERIFY(shown.wait(30'000));
    }
    const engine::Experiment& experiment() const { return m_window->experiment().expansion().experiment; }
    std::uint32_t indexOf(const char* id) const {
        const engine::OperatorGraph& graph = m_window->model().view().shown()->graph;
        return static_cast<std::uint32_t>(graph.find(id) - graph.operators.data());
    }
    QString view() const { return m_window->workbench().views().current(); }

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { m_window.reset(); }

    void theModelHasAViewWithAKeyAndTheFormBesideIt() {
        QVERIFY(m_window->workbench().viewNames().contains(QStringLiteral("model")));
        const ui::Command* command = m_window->workbench().commands().find(QStringLiteral("view.model"));
        QVERIFY(command != nullptr);
        QVERIFY(command->action->shortcuts().contains(QKeySequence(Qt::Key_F7)));
        m_window->workbench().views().showView(QStringLiteral("model"));
        QVERIFY(m_window->findChild<QDockWidget*>(QStringLiteral("experimentDock"))->isVisible());
        QVERIFY(!m_window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isVisible());
    }

    void enterOnASubLayerOpensItInExploreAndUndoGoesBack() {
        showModel();
        const engine::Experiment before = experiment();
        m_window->model().view().setPolicy(engine::PolicyPreset::t3);
        m_window->model().view().graph().select(indexOf("forward/fc-2"));
        QSignalSpy run(&m_window->runs(), &ui::RunController::settled);
        QTest::keyClick(&m_window->model().view().graph(), Qt::Key_Return);
        QCOMPARE(view(), QStringLiteral("explore"));
        QCOMPARE(experiment().workload.sublayer, engine::SubLayer::fc2);
        QCOMPARE(experiment().policy.preset, engine::PolicyPreset::t3);
        QVERIFY(run.wait(10'000));
        QCOMPARE(m_window->runs().shown()->run.experiment, experiment());
        m_window->experiment().undoStack().undo();
        QVERIFY(experiment() == before);
    }

    void openingASubLayerLeavesTheModelAsItWas() {
        showModel();
        const auto shown = m_window->model().view().shown();
        m_window->model().view().graph().select(indexOf("forward/fc-2"));
        QTest::keyClick(&m_window->model().view().graph(), Qt::Key_Return);
        QSignalSpy started(&m_window->model().view().session(), &ui::ModelSession::runStarted);
        m_window->workbench().views().showView(QStringLiteral("model"));
        QTest::qWait(300);
        QCOMPARE(started.size(), 0);
        QCOMPARE(m_window->model().view().shown(), shown);
    }

    void whatHasNoTimelineSaysSoAndTheViewStays() {
        showModel();
        m_window->model().view().graph().select(indexOf("forward/attention"));
        QTest::keyClick(&m_window->model().view().graph(), Qt::Key_Return);
        QCOMPARE(view(), QStringLiteral("model"));
        QVERIFY(m_window->findChild<ui::MessageBar*>()->text().contains(QStringLiteral("no timeline")));
    }

    void aParameterChangesTheModelWhileItIsLookedAt() {
        showModel();
        QSignalSpy shown(&m_window->model().view(), &ui::ModelView::modelShown);
        const auto before = m_window->model().view().shown()->policies.front().time.total();
        m_window->experiment().setText(*engine::findParameter("workload.layers"), QStringLiteral("39"));
        QVERIFY(shown.wait(30'000));
        QVERIFY(m_window->model().view().shown()->policies.front().time.total() < before);
    }

    void aNumberThatIsNotAllowedIsSaidInsteadOfTimingAnotherModel() {
        showModel();
        QSignalSpy shown(&m_window->model().view(), &ui::ModelView::modelShown);
        m_window->experiment().setText(*engine::findParameter("workload.layers"), QStringLiteral("0"));
        QVERIFY(shown.wait(10'000));
        QVERIFY(!m_window->model().view().shown());
    }

    void escapeLetsGoOfTheOperator() {
        showModel();
        m_window->model().view().graph().select(0);
        QVERIFY(m_window->model().view().stepOut());
        QVERIFY(!m_window->model().view().graph().selected());
        QVERIFY(!m_window->model().view().stepOut());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowModel)
#include "tst_window_model.moc"
