#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/look/value_table.h"
#include "ui/model/advice_page.h"
#include "ui/model/divisions_page.h"
#include "ui/model/memory_page.h"
#include "ui/model/model_view.h"
#include "ui/model/operator_canvas.h"
#include "ui/model/operators_page.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/window_views.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

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

    void aDocumentWithoutAModelHasAllSizesOfTheModelThatTheViewNames() {
        m_window.reset();
        ui::RingsideWindowConfig config = tests::interactiveConfig("gemm/256x256x256");
        config.draft.explicitValues["workload.model"] = std::string("t-nlg");
        m_window = tests::openWindow(std::move(config));
        showModel();
        const engine::WorkloadConfig& workload = m_window->model().view().shown()->base.workload;
        QCOMPARE(workload.model, std::string("t-nlg"));
        QCOMPARE(workload.heads, std::optional<std::int64_t>(28));
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

    void pagesAreReachedByTabAndArrowsAndFoundAgainByTheSession() {
        showModel();
        ui::ModelView& model = m_window->model().view();
        QCOMPARE(model.page(), QStringLiteral("graph"));
        auto* button = model.findChild<QToolButton*>(QStringLiteral("modelPage:graph"));
        QVERIFY((button->focusPolicy() & Qt::TabFocus) != 0);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Right);
        QCOMPARE(model.page(), QStringLiteral("step"));
        QTest::keyClick(model.findChild<QToolButton*>(QStringLiteral("modelPage:step")), Qt::Key_Right);
        QCOMPARE(model.page(), QStringLiteral("operators"));
        QVERIFY(model.operators().isVisible());
        QVERIFY(!model.graph().isVisible());
        const QJsonValue kept = model.save();
        QTest::mouseClick(model.findChild<QToolButton*>(QStringLiteral("modelPage:divisions")), Qt::LeftButton);
        QVERIFY(QApplication::focusWidget() == &model.divisions().table());  // after a click the page has the focus
        QVERIFY(model.showPage(QStringLiteral("messages")));
        QVERIFY(!model.showPage(QStringLiteral("nonsense")));
        QCOMPARE(model.page(), QStringLiteral("messages"));
        QVERIFY(model.restore(kept));
        QCOMPARE(model.page(), QStringLiteral("operators"));
    }

    void tabGoesFromThePagesToThePhaseAndIntoThePage() {
        showModel();
        ui::ModelView& model = m_window->model().view();
        model.showPage(QStringLiteral("memory"));
        model.findChild<QToolButton*>(QStringLiteral("modelPage:memory"))->setFocus();
        QStringList reached;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            reached << QApplication::focusWidget()->objectName();
        }
        QCOMPARE(reached, (QStringList{QStringLiteral("modelPhase"), QStringLiteral("memoryBy"),
                                       QStringLiteral("memoryBars"), QStringLiteral("memoryTable")}));
    }

    void anEditIsPaintedOnThePageMemoryAtOnce() {
        showModel();
        ui::ModelView& model = m_window->model().view();
        model.showPage(QStringLiteral("memory"));
        const QString before = model.findChild<QLabel*>(QStringLiteral("memoryHeadline"))->text();
        m_window->experiment().setText(*engine::findParameter("division.dp"), QStringLiteral("4"));
        QVERIFY(model.findChild<QLabel*>(QStringLiteral("memoryHeadline"))->text() != before);
    }

    void aPageIsShownByTheNameOfItsViewAndItsOwn() {
        ui::WindowViews& views = m_window->workbench().views();
        QVERIFY(views.showView(QStringLiteral("model/memory")));
        QCOMPARE(view(), QStringLiteral("model"));
        QCOMPARE(m_window->model().view().page(), QStringLiteral("memory"));
        QVERIFY(!views.showView(QStringLiteral("model/nonsense")));
        QVERIFY(!views.showView(QStringLiteral("explore/memory")));
        QVERIFY(m_window->figures().showFigure(QStringLiteral("model/messages")));
        QCOMPARE(view(), QStringLiteral("figure"));
    }

    void thePageInSightOffersTheFigure() {
        showModel();
        ui::ModelView& model = m_window->model().view();
        const std::string graph = model.figure()->figure.name;
        model.showPage(QStringLiteral("memory"));
        QVERIFY(model.figure()->figure.name != graph);
        model.showPage(QStringLiteral("divisions"));
        QVERIFY(!model.figure());
    }

    void returnOnADivisionIsOneEditThatUndoTakesBack() {
        m_window->experiment().setText(*engine::findParameter("division.dp"), QStringLiteral("4"));
        const engine::Experiment before = experiment();
        ui::ModelView& model = m_window->model().view();
        QSignalSpy shown(&model, &ui::ModelView::modelShown);
        model.showPage(QStringLiteral("divisions"));
        m_window->workbench().views().showView(QStringLiteral("model"));
        if (!model.divisions().isAnswered())
            QVERIFY(shown.wait(30'000));
        const auto& rows = model.divisions().found()->rows;
        const auto other = std::ranges::find_if(rows, [&](const data::Division& row) {
            return row.dp != 4 && row.tp >= 2 && row.sharding == engine::Sharding::optimizer;
        });
        QVERIFY(other != rows.end());
        const data::Division chosen = *other;
        model.divisions().table().choose(static_cast<std::size_t>(other - rows.begin()));
        QTest::keyClick(&model.divisions().table(), Qt::Key_Return);
        QCOMPARE(experiment().parallel.tp, chosen.tp);
        QCOMPARE(experiment().division.dp, chosen.dp);
        QCOMPARE(experiment().division.sharding, engine::Sharding::optimizer);
        QCOMPARE(experiment().workload.batch, chosen.batch);
        QCOMPARE(m_window->experiment().undoStack().undoText(), QStringLiteral("Apply Division"));
        m_window->experiment().undoStack().undo();
        QVERIFY(experiment() == before);
    }

    void anAdvisedChangeIsOneEditThatUndoTakesBack() {
        m_window->experiment().setText(*engine::findParameter("workload.vocabulary"), QStringLiteral("50257"));
        m_window->experiment().setText(*engine::findParameter("workload.layers"), QStringLiteral("2"));
        const engine::Experiment before = experiment();
        ui::ModelView& model = m_window->model().view();
        QSignalSpy shown(&model, &ui::ModelView::modelShown);
        m_window->workbench().views().showView(QStringLiteral("model/advice"));
        if (!model.advice().isAnswered())
            QVERIFY(shown.wait(30'000));
        const auto apply = [&](const char* rule) {
            model.findChild<QPushButton*>(QStringLiteral("advice:%1:apply").arg(QString::fromLatin1(rule)))->click();
        };
        apply("vocabulary-multiple");
        QCOMPARE(experiment().workload.vocabulary, 50304);
        QCOMPARE(m_window->experiment().undoStack().undoText(), QStringLiteral("Set Vocabulary to 50304"));
        m_window->experiment().undoStack().undo();
        QVERIFY(experiment() == before);
        if (!model.advice().isAnswered())
            QVERIFY(shown.wait(30'000));
        apply("head-size-multiple");  // a width and its heads: two values, one step
        QVERIFY(experiment().workload.hidden != before.workload.hidden);
        QVERIFY(experiment().workload.heads != before.workload.heads);
        m_window->experiment().undoStack().undo();
        QVERIFY(experiment() == before);
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
