#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/experiment/link_text.h"
#include "tests/ui/window_parts.h"
#include "ui/ringside_window.h"
#include "ui/scene/link_dialog.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/window_views.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

#include <memory>

using ui::RingsideWindow;

namespace {

class SceneWindow {
public:
    RingsideWindow* operator->() { return m_window.get(); }
    ui::ViewState& state() { return m_window->viewState(); }
    QString message() { return m_window->findChild<ui::MessageBar*>()->text(); }
    void waitForRun() {
        QSignalSpy shown(&m_window->runs(), &ui::RunController::settled);
        shown.wait(5'000);
    }
    /// Returns a DMA transfer from the middle of the run.
    data::SpanRef transfer() {
        const auto& lanes = m_window->runs().shown()->run.result.trace->lanes;
        for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
            if (lanes[lane].kind == engine::LaneKind::dma && !lanes[lane].spans.empty())
                return {2, lane, static_cast<std::uint32_t>(lanes[lane].spans.size() / 2)};
        }
        return {};
    }
    void drop(const QString& text) {
        QMimeData data;
        data.setText(text);
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent let(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &let);
    }

private:
    std::unique_ptr<RingsideWindow> m_window = tests::openWindow();
};

}  // namespace

class TestWindowScene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCopiedLinkBringsBackExperimentMomentViewAndSelection() {
        SceneWindow window;
        const std::int64_t end = window.state().runEnd();
        window->scenes().showScene(data::Scene{});  // changes nothing
        const data::SpanRef span = window.transfer();
        window->workbench().pictures().showView(QStringLiteral("machine"));
        window.state().setRange({end / 4, end / 2});
        window.state().setCursor(end / 3);
        window.state().setFollowedChunk(3);
        window.state().selectSpan(span);
        const engine::Experiment experiment = window->runs().shown()->run.experiment;
        const data::Scene scene = window->scenes().scene();
        window->scenes().copyLink();
        const QString link = QApplication::clipboard()->text();

        data::Scene other;
        other.draft = data::openDraft("t-nlg/op/tp8").draft;
        other.draft->explicitValues["detail.level"] = std::string("interactive");
        other.view = "runs";
        window->scenes().showScene(other);
        window.waitForRun();
        QVERIFY(window->runs().shown()->run.experiment != experiment);
        window.state().showAll();
        window.state().setCursor(std::nullopt);
        window.state().clearSelection();

        window->scenes().openLink(link);
        window.waitForRun();
        QVERIFY(window->runs().shown()->run.experiment == experiment);
        QCOMPARE(window->workbench().views().current(), QStringLiteral("explore"));
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("machine"));
        QCOMPARE(window.state().cursor(), std::optional(end / 3));
        QVERIFY((window.state().range() == data::TimeRange{end / 4, end / 2}));
        QCOMPARE(window.state().followedChunk(), std::optional(3u));
        QCOMPARE(window.state().selectedSpan(), std::optional(span));
        QVERIFY(window->scenes().scene() == scene);
    }

    void aSceneOfTheRunThatIsThereRunsNothing() {
        SceneWindow window;
        QSignalSpy runs(&window->runs().session(), &ui::RunSession::runStarted);
        data::Scene scene = window->scenes().scene();
        scene.moment = data::Scene::Moment{0, 0.5, true};
        window->scenes().showScene(scene);
        QCOMPARE(window.state().cursor(), std::optional((window.state().runEnd() + 1) / 2));
        QCOMPARE(runs.size(), 0);
    }

    void anotherRunThatIsAskedForMeanwhileTakesTheScenesPlace() {
        SceneWindow window;
        data::Scene scene = window->scenes().scene();
        scene.draft->explicitValues["policy.preset"] = std::string("sequential");
        scene.moment = data::Scene::Moment{0, 0.25, true};
        window->scenes().showScene(scene);
        window->runs().run();
        window.waitForRun();
        QVERIFY(!window.state().cursor());
    }

    void aLinkOfANetworkWhichHasNoRunOpensItAndOneWithAWrongValueIsRefused() {
        SceneWindow window;
        data::Scene scene;
        scene.draft = data::openDraft("t-nlg/op/tp8").draft;
        scene.draft->explicitValues = {{"workload.model", std::string("alexnet")}, {"parallel.tp", std::int64_t{8}}};
        scene.view = "model";
        window->scenes().openLink(QString::fromStdString(data::writeLink(scene).value()));
        QCOMPARE(window->workbench().views().current(), QStringLiteral("model"));
        QVERIFY(window->experiment().draft() == *scene.draft);

        data::Scene wrong = scene;
        wrong.draft->explicitValues["division.pp"] = std::int64_t{2};
        window->scenes().openLink(QString::fromStdString(data::writeLink(wrong).value()));
        QVERIFY2(window.message().contains(QStringLiteral("division.pp: 2")), qPrintable(window.message()));
        QVERIFY(window->experiment().draft() == *scene.draft);
    }

    void aLinkToAnUnknownViewIsRefusedByItsName() {
        SceneWindow window;
        data::Scene scene = window->scenes().scene();
        scene.view = "nonsense";
        window->scenes().openLink(QString::fromStdString(data::writeLink(scene).value()));
        QVERIFY2(window.message().contains(QStringLiteral("view: nonsense: no such view; allowed: one of explore")),
                 qPrintable(window.message()));
    }

    void scenesKnowTheViewsOfTheWindow() {
        SceneWindow window;
        QStringList names;
        for (const std::string& view : data::sceneViews())
            names << QString::fromStdString(view);
        QCOMPARE(names, window->workbench().viewNames());
    }

    void aLinkThatCannotBeOpenedChangesNothingAndSaysWhy() {
        SceneWindow window;
        const QString link = QString::fromStdString(data::writeLink(window->scenes().scene()).value());
        const data::ExperimentDraft draft = window->experiment().draft();
        QSignalSpy runs(&window->runs().session(), &ui::RunSession::runStarted);
        for (const QString& wrong : {link.left(link.size() / 2), QString(link).replace(30, 3, QStringLiteral("AAA")),
                                     QStringLiteral("ringside:2:x:y"), QStringLiteral("https://example.org")}) {
            window->scenes().openLink(wrong);
            QVERIFY2(window.message().contains(QStringLiteral("cannot be opened")), qPrintable(window.message()));
        }
        data::Scene impossible = window->scenes().scene();
        impossible.draft->explicitValues["topology.kind"] = std::string("custom");  // without any link
        window->scenes().openLink(QString::fromStdString(data::writeLink(impossible).value()));
        QVERIFY2(window.message().contains(QStringLiteral("cannot be opened")), qPrintable(window.message()));
        QVERIFY(window->experiment().draft() == draft);
        QCOMPARE(runs.size(), 0);
    }

    void whatTheRunDoesNotHaveIsReportedAndTheRestShown() {
        SceneWindow window;
        data::Scene scene = window->scenes().scene();
        scene.selection = data::Scene::Selection{0, "DMA engine", 200, 5};
        scene.moment = data::Scene::Moment{0, 0.5, true};
        window->scenes().showScene(scene);
        QVERIFY2(window.message().contains(QStringLiteral("DMA engine")), qPrintable(window.message()));
        QVERIFY(window.state().cursor().has_value());
    }

    void aSceneNamesThePageOfItsView() {
        SceneWindow window;
        QString page = QStringLiteral("list");
        window->scenes().addPages({.view = QStringLiteral("runs"),
                                   .show =
                                       [&page](const QString& name) {
                                           const bool known = name == QLatin1String("map");
                                           page = known ? name : page;
                                           return known;
                                       },
                                   .shown = [&page] { return page; }});
        QCOMPARE(window->scenes().scene().page, std::string());  // the shown view has no pages
        data::Scene scene;
        scene.view = "runs";
        scene.page = "map";
        window->scenes().showScene(scene);
        QCOMPARE(page, QStringLiteral("map"));
        QCOMPARE(window->scenes().scene().page, std::string("map"));
        scene.page.clear();
        window->scenes().showScene(scene);
        QCOMPARE(page, QStringLiteral("map"));  // unchanged
        scene.view.clear();
        scene.page = "cellar";  // an unknown page of the shown view
        window->scenes().showScene(scene);
        QVERIFY2(window.message().contains(QStringLiteral("The view runs has no page called cellar")),
                 qPrintable(window.message()));
        QCOMPARE(page, QStringLiteral("map"));
    }

    void aPageOfAViewWithoutPagesIsReportedAndTheRestShown() {
        SceneWindow window;
        data::Scene scene;
        scene.view = "timeline";
        scene.page = "memory";
        scene.moment = data::Scene::Moment{0, 0.5, true};
        window->scenes().showScene(scene);
        QVERIFY2(window.message().contains(QStringLiteral("memory")), qPrintable(window.message()));
        QVERIFY(window.state().cursor().has_value());
    }

    void aDroppedLinkIsOpenedAndCanBeTakenBack() {
        SceneWindow window;
        const data::ExperimentDraft before = window->experiment().draft();
        data::Scene scene = window->scenes().scene();
        scene.draft->explicitValues["policy.preset"] = std::string("sequential");
        window.drop(QString::fromStdString(data::writeLink(scene).value()));
        window.waitForRun();
        QVERIFY(window->experiment().draft() == *scene.draft);
        QVERIFY(window.message().contains(QStringLiteral("open")));
        window->experiment().undoStack().undo();
        QVERIFY(window->experiment().draft() == before);
    }

    void thePasteDialogSaysWhatALinkOpensOrWhatIsWrongWithIt() {
        data::Scene scene;
        scene.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        scene.moment = data::Scene::Moment{184'200'000, 0, false};
        const QString link = QString::fromStdString(data::writeLink(scene).value());
        QApplication::clipboard()->setText(link);
        ui::LinkDialog dialog;
        auto* field = dialog.findChild<QPlainTextEdit*>();
        auto* open = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
        QCOMPARE(field->toPlainText(), link);
        QCOMPARE(field->textCursor().selectedText(), link);  // another link that is pasted replaces it
        QVERIFY(open->isEnabled());
        QVERIFY(field->accessibleDescription().contains(QStringLiteral("t-nlg/fc-2/tp8")));
        field->setPlainText(link.chopped(9));
        QVERIFY(!open->isEnabled());
        QVERIFY(field->accessibleDescription().contains(QStringLiteral("cut off")));
        field->clear();
        QVERIFY(!open->isEnabled());
        QVERIFY(field->accessibleDescription().isEmpty());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowScene)
#include "tst_window_scene.moc"
