#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/experiment/link_text.h"
#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"
#include "ui/lessons/handout_tour.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_state.h"
#include "ui/model/model_feature.h"
#include "ui/model/model_view.h"
#include "ui/ringside_window.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/window_views.h"

#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

using ui::RingsideWindow;

namespace {

constexpr auto kLesson = R"({"format":"ringside-lesson","version":1,"title":"Own","experiment":{
    "workload":{"sublayer":"op"},"policy":"sequential","detail":{"level":"interactive"}},"steps":[
    {"text":"one","scene":{"view":"machine","moment":"40 %"},"pin":true},
    {"text":"two","experiment":{"policy":"t3"},"scene":{"view":"timeline","from":"10 %","to":"50 %","chunk":3},
     "highlight":"lane:DMA engine"},
    {"text":"three","highlight":"link.bandwidth","pin":true,
     "try":{"text":"try","parameter":"link.bandwidth","value":"75 GB/s"}}]})";

class LessonWindow {
public:
    explicit LessonWindow(const QString& session = {}) {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.runsWhileEditing.reset();
        config.sessionFile = session;
        m_window = tests::openWindow(std::move(config));
    }
    RingsideWindow* operator->() { return m_window.get(); }
    RingsideWindow& get() { return *m_window; }
    QDockWidget& dock() { return *m_window->findChild<QDockWidget*>(QStringLiteral("lessonDock")); }
    QString message() { return m_window->findChild<ui::MessageBar*>()->text(); }
    void open(const QString& file, std::size_t step = 0) {
        QSignalSpy shown(&m_window->lessons(), &ui::LessonFeature::shown);
        QVERIFY(m_window->lessons().open(file, step));
        QVERIFY(!shown.isEmpty() || shown.wait(10'000));
    }
    void next() {
        QSignalSpy shown(&m_window->lessons(), &ui::LessonFeature::shown);
        m_window->lessons().state().advance();
        QVERIFY(!shown.isEmpty() || shown.wait(10'000));
    }
    std::string policy() { return std::string(engine::name(m_window->runs().shown()->run.experiment.policy.preset)); }

private:
    std::unique_ptr<RingsideWindow> m_window;
};

}  // namespace

class TestWindowLessons : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<LessonWindow> m_window;  // shared by tests that do not change it, since opening takes half a second

    LessonWindow& shared() {
        if (!m_window)
            m_window = std::make_unique<LessonWindow>();
        return *m_window;
    }

    QString fileOf(const char* name, const QByteArray& text) {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("the lesson's file cannot be written");
        file.write(text);
        return path;
    }

private Q_SLOTS:
    void cleanup() {
        if (m_window)
            (*m_window)->lessons().state().close();
    }
    void cleanupTestCase() { m_window.reset(); }

    void aStepRunsItsExperimentAndShowsItsMoment() {
        LessonWindow& window = shared();
        window.open(fileOf("own.json", kLesson));
        QVERIFY(window.dock().isVisible());
        QCOMPARE(window.policy(), std::string("sequential"));
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("machine"));
        const double share = static_cast<double>(*window->viewState().cursor()) /
                             static_cast<double>(window->runs().shown()->index->trace().end.ps);
        QVERIFY(std::abs(share - 0.4) < 0.01);
        window.next();
        QCOMPARE(window.policy(), std::string("t3"));
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("timeline"));
        QVERIFY(!window->viewState().cursor().has_value());
        QVERIFY(!window->viewState().showsAll());
        QCOMPARE(*window->viewState().followedChunk(), 3u);
        // The pinned step is outlined.
        QCOMPARE(std::string(engine::name(window->runs().pinned()->run.experiment.policy.preset)),
                 std::string("sequential"));
    }

    void aStepLooksTheSameHoweverItWasComeTo() {
        LessonWindow& window = shared();
        window.open(fileOf("own.json", kLesson), 1);  // its outline is of a step that was never shown
        QCOMPARE(window.policy(), std::string("t3"));
        QVERIFY(window->runs().pinned() != nullptr);
        QCOMPARE(std::string(engine::name(window->runs().pinned()->run.experiment.policy.preset)),
                 std::string("sequential"));
        window->lessons().state().goBack();
        QTRY_COMPARE(window.policy(), std::string("sequential"));
        QTRY_VERIFY(window->runs().pinned() == nullptr);
    }

    void theModelViewShowsThePolicyOfTheStepAndIsAwaitedForPictures() {
        LessonWindow& window = shared();
        const QString file = fileOf("model.json", R"({"format":"ringside-lesson","version":1,"title":"A model",
            "experiment":{"workload":{"model":"bert-large"},"parallel":{"tp":2},"division":{"pp":2},
            "policy":"sequential","detail":{"level":"interactive"}},"steps":[
            {"text":"one","scene":{"view":"model","page":"step"}},
            {"text":"two","experiment":{"policy":"t3"},"scene":{"view":"model","page":"step"}}]})");
        window->model().view().setPolicy(engine::PolicyPreset::t3Mca);
        window.open(file);
        QCOMPARE(window->model().view().policy(), engine::PolicyPreset::sequential);
        window.next();
        QCOMPARE(window->model().view().policy(), engine::PolicyPreset::t3);
        ui::LessonStage stage = window->lessonStage();
        std::vector<bool> answered;
        stage.picture = [&window, &answered, picture = stage.picture] {
            answered.push_back(window->isViewAnswered());
            return picture();
        };
        ui::HandoutTour tour(std::move(stage), data::readLessonFile(file.toStdString()).lesson);
        QSignalSpy finished(&tour, &ui::HandoutTour::finished);
        tour.start();
        QVERIFY(!finished.isEmpty() || finished.wait(20'000));
        QCOMPARE(answered, std::vector<bool>({true, true}));
    }

    void nothingGivesTheAnswerAwayBeforeItIsRevealed() {
        LessonWindow& window = shared();
        window.open(fileOf("held.json", R"({"format":"ringside-lesson","version":1,"title":"Held","experiment":{
            "workload":{"sublayer":"op"},"policy":"sequential","detail":{"level":"interactive"}},"steps":[
            {"text":"one","scene":{"view":"timeline"}},
            {"text":"two","experiment":{"policy":"t3"},"holds":true,"scene":{"view":"machine"},
             "question":{"text":"?","choices":["a","b"],"answer":"b"},"reveal":"b"}]})"));
        const auto* headlines = window->findChild<QWidget*>(QStringLiteral("headlines"));
        const auto* cover = headlines->findChild<QWidget*>(QStringLiteral("answerCover"));
        QVERIFY(!cover->isVisible());
        window.next();
        QCOMPARE(window.policy(), std::string("sequential"));
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("timeline"));
        QVERIFY(cover->isVisible());
        window.next();  // the answer
        QCOMPARE(window->lessons().state().stepIndex(), std::size_t{1});
        QCOMPARE(window.policy(), std::string("t3"));
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("machine"));
        QVERIFY(!cover->isVisible());
    }

    void leavingGivesTheReadersExperimentBack() {
        LessonWindow window;
        const data::ExperimentDraft before = window->experiment().draft();
        const auto pinned = window->runs().shown();
        window->workbench().commands().find(QStringLiteral("run.pin"))->action->trigger();
        window->viewState().setCursor(500'000'000);
        window.open(fileOf("own.json", kLesson));
        QVERIFY(!(window->experiment().draft() == before));
        window->workbench().commands().find(QStringLiteral("lesson.leave"))->action->trigger();
        QVERIFY(window->experiment().draft() == before);
        QTRY_COMPARE(window.policy(), std::string("t3-mca"));
        QTRY_COMPARE(window->viewState().cursor().value_or(0), std::int64_t{500'000'000});
        QCOMPARE(window->runs().pinned(), pinned);
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("timeline"));
        QVERIFY(!window->lessons().state().isOpen());
    }

    // The inspector would give answers away.
    void aLessonThatFollowsAnotherAtOnceHidesThePanelsToo() {
        LessonWindow window;
        auto* inspector = window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        QVERIFY(inspector->isVisible());
        window.open(fileOf("own.json", kLesson));
        QVERIFY(!inspector->isVisible());
        window->lessons().state().close();
        window.open(fileOf("own.json", kLesson), 1);  // before the reader's own run is shown again
        QVERIFY(!inspector->isVisible());
        window->lessons().state().close();
        QVERIFY(inspector->isVisible());
    }

    void whatTheReaderTriesIsNoticed() {
        LessonWindow& window = shared();
        window.open(fileOf("own.json", kLesson), 2);
        QVERIFY(!window->lessons().state().answer().tried);
        const engine::Parameter& bandwidth = *engine::findParameter("link.bandwidth");
        window->experiment().setText(bandwidth, QStringLiteral("100 GB/s"));
        QVERIFY(!window->lessons().state().answer().tried);  // the task needs another value
        window->experiment().setText(bandwidth, QStringLiteral("75 GB/s"));
        QVERIFY(window->lessons().state().answer().tried);
        // The changed run is compared with the step's own run.
        QTRY_COMPARE(window->runs().shown()->run.experiment.link.bandwidth.bytesPerSecond,
                     std::int64_t{75'000'000'000});
        QCOMPARE(window->runs().pinned()->run.experiment.link.bandwidth.bytesPerSecond, std::int64_t{150'000'000'000});
    }

    void closingInALessonKeepsTheReadersExperimentForTheNextStart() {
        const QString session = m_folder.filePath(QStringLiteral("session.json"));
        {
            LessonWindow window(session);
            window->experiment().setText(*engine::findParameter("link.bandwidth"), QStringLiteral("90 GB/s"));
            window.open(fileOf("own.json", kLesson));
            window->close();
        }
        LessonWindow window(session);
        const auto& values = window->experiment().draft().explicitValues;
        QCOMPARE(std::get<std::int64_t>(values.at("link.bandwidth")), std::int64_t{90'000'000'000});
        QVERIFY(!window->lessons().state().isOpen());
    }

    void aBrokenLessonChangesNothing() {
        LessonWindow& window = shared();
        const data::ExperimentDraft before = window->experiment().draft();
        window->workbench().documents().open(
            fileOf("newer.json", R"({"format":"ringside-lesson","version":2,"title":"x","steps":[
            {"highlight":"nowhere"},{"text":3}]})"));
        QVERIFY(window.message().contains(QStringLiteral("version: 2")));
        QVERIFY(window.message().contains(QStringLiteral("steps[0].text")));
        QVERIFY(window.message().contains(QStringLiteral("steps[0].highlight: nowhere: no such part")));
        QVERIFY(window->experiment().draft() == before);
        QVERIFY(!window->lessons().state().isOpen());
        // This does not end the present lesson either.
        window.open(fileOf("own.json", kLesson));
        window->workbench().documents().open(
            fileOf("half.json", R"({"format":"ringside-lesson","version":1,"title":"x"})"));
        QVERIFY(window->lessons().state().isOpen());
    }

    void anotherDocumentEndsTheLessonAndStays() {
        LessonWindow window;
        auto* inspector = window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
        QVERIFY(inspector->isVisible());
        window.open(fileOf("own.json", kLesson), 1);
        QVERIFY(!inspector->isVisible());
        window->workbench().documents().open(
            fileOf("experiment.json", R"({"workload":{"sublayer":"op"},"parallel":{"tp":16}})"));
        QVERIFY(!window->lessons().state().isOpen());
        QTRY_COMPARE(window->runs().shown()->run.experiment.parallel.tp, 16);
        QVERIFY(inspector->isVisible());
        QVERIFY(!window.dock().isVisible());
        QVERIFY(window->runs().pinned() == nullptr);
    }

    void aLessonIsOpenedAsAnyDocument() {
        LessonWindow& window = shared();
        QSignalSpy shown(&window.get().lessons(), &ui::LessonFeature::shown);
        window->workbench().documents().open(fileOf("own.json", kLesson));
        QVERIFY(shown.wait(10'000));
        QVERIFY(window->lessons().state().isOpen());
    }

    void everyPartThatALessonMayNameIsThere_data() {
        QTest::addColumn<QString>("part");
        for (const std::string& part : data::lessonParts())
            QTest::newRow(part.c_str()) << QString::fromStdString(part);
        QTest::newRow("lane") << QStringLiteral("lane:DMA engine");
        QTest::newRow("parameter") << QStringLiteral("link.bandwidth");
    }
    void everyPartThatALessonMayNameIsThere() {
        QFETCH(QString, part);
        LessonWindow& window = shared();
        QFile::remove(m_folder.filePath(QStringLiteral("part.json")));
        window.open(fileOf("part.json", R"({"format":"ringside-lesson","version":1,"title":"x",
            "experiment":{"detail":{"level":"interactive"}},"steps":[{"text":"x","highlight":")" +
                                            part.toUtf8() + R"("}]})"));
        if (part.startsWith(QStringLiteral("lane:")))
            return;
        auto* mark = window->findChild<ui::SpotlightFrame*>();
        QVERIFY(mark != nullptr);
        QVERIFY(mark->isVisible());
        QVERIFY(mark->width() > 20 && mark->height() > 10);
    }

    void theKeyboardStaysWithTheLessonWhenItComparesRuns() {
        LessonWindow& window = shared();
        window.get().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window.get()));
        window.open(fileOf("compare.json", R"({"format":"ringside-lesson","version":1,"title":"Own","experiment":{
            "policy":"t3-mca"},"steps":[
            {"text":"one"}, {"text":"two","compare":["sequential","t3","t3-mca"],"scene":{"view":"compare"}}, {"text":"three"}]})"));
        window.next();
        QCOMPARE(window->workbench().views().current(), QStringLiteral("compare"));
        QTRY_COMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("lessonNext"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(window->lessons().state().stepIndex(), std::size_t{2});
    }

    void theLessonStaysWhenPanelsGo() {
        LessonWindow window;
        window.open(fileOf("own.json", kLesson));
        window->workbench().presenter().set(true);
        QVERIFY(window.dock().isVisible());
        QVERIFY(!window->findChild<QDockWidget*>(QStringLiteral("experimentDock"))->isVisible());
        window->workbench().presenter().set(false);
        window->workbench().views().showView(QStringLiteral("sweep"));
        QVERIFY(window.dock().isVisible());
        window->workbench().commands().find(QStringLiteral("lesson.leave"))->action->trigger();
        QTRY_VERIFY(!window->lessons().state().isOpen());
    }

    void everyViewOfABundledLessonIsThere() {
        LessonWindow& window = shared();
        QStringList known = window->workbench().viewNames();
        for (const ui::BundledLesson& bundled : ui::bundledLessons()) {
            const data::LessonReading reading = ui::openLesson(bundled.file);
            QVERIFY(reading.problems.empty());
            for (const data::LessonStep& step : reading.lesson.steps)
                QVERIFY2(known.contains(QString::fromStdString(step.scene.view)), qPrintable(bundled.name));
        }
    }

    void aStepPlaysWhenItIsAskedToAndLeavingItGivesTheSpeedBack() {
        LessonWindow& window = shared();
        const QString lesson = fileOf("plays.json", R"({"format":"ringside-lesson","version":1,"title":"Plays",
            "experiment":{"detail":{"level":"interactive"}},"steps":[
            {"text":"x","play":{"from":"20 %","to":"30 %","duration":"5 s"}},{"text":"y"}]})");
        window.open(lesson);
        auto* slider = window->findChild<QWidget*>(QStringLiteral("transport"))->findChild<QSlider*>();
        auto* button = window->findChild<QPushButton*>(QStringLiteral("lessonPlay"));
        const auto end = static_cast<double>(window->viewState().runEnd());
        QVERIFY(!window->viewState().cursor());  // playback does not start by itself
        button->click();
        QCOMPARE(button->text(), QStringLiteral("Pause"));
        QVERIFY(!slider->isEnabled());
        QTRY_VERIFY(window->viewState().cursor().value_or(0) > std::llround(end * 0.2));
        button->click();
        QCOMPARE(button->text(), QStringLiteral("Play"));
        button->click();
        window.next();
        QVERIFY(slider->isEnabled());
        QVERIFY(!window->viewState().cursor());
    }

    void withReducedMotionAStepIsSteppedThrough() {
        LessonWindow& window = shared();
        QAction* reduced = window->workbench().commands().find(QStringLiteral("lesson.reduced-motion"))->action;
        reduced->trigger();
        window.open(fileOf("steps.json", R"({"format":"ringside-lesson","version":1,"title":"Steps",
            "experiment":{"detail":{"level":"interactive"}},"steps":[
            {"text":"x","play":{"from":"20 %","to":"90 %","duration":"5 s"}}]})"));
        auto* button = window->findChild<QPushButton*>(QStringLiteral("lessonPlay"));
        button->click();
        const std::int64_t first = *window->viewState().cursor();
        QCOMPARE(first, std::llround(0.2 * static_cast<double>(window->viewState().runEnd())));
        button->click();
        QVERIFY(*window->viewState().cursor() > first);
        QCOMPARE(button->text(), QStringLiteral("Step"));
        reduced->trigger();
    }

    void aFinishedLessonIsTickedUntilTheTicksAreForgotten() {
        LessonWindow& window = shared();
        const ui::BundledLesson& first = ui::bundledLessons().front();
        window.open(first.file);
        QAction* open = window->workbench().commands().find(QStringLiteral("lesson.open-") + first.name)->action;
        ui::LessonState& state = window->lessons().state();
        while (!state.isLast() || state.asks()) {
            QVERIFY(!open->text().endsWith(u'✓'));
            state.advance();
        }
        QVERIFY(open->text().endsWith(u'✓'));
        QCOMPARE(window->workbench().settings().finishedLessons(), QStringList{first.name});
        window->workbench().commands().find(QStringLiteral("lesson.forget-finished"))->action->trigger();
        QVERIFY(!open->text().endsWith(u'✓'));
    }

    void aLinkOpensTheStepOfALessonThatItWasCopiedAt() {
        LessonWindow& window = shared();
        window.open(fileOf("own.json", kLesson), 1);
        window->scenes().copyLink();
        const QString own = QGuiApplication::clipboard()->text();
        window->lessons().state().close();
        QFile::remove(m_folder.filePath(QStringLiteral("own.json")));  // the link contains the lesson
        window->scenes().openLink(own);
        QVERIFY(window->lessons().state().isOpen());
        QCOMPARE(window->lessons().state().stepIndex(), std::size_t{1});
        QCOMPARE(window->lessons().state().lesson().title, std::string("Own"));
        window->lessons().state().close();
        window.open(ui::bundledLessons()[1].file, 2);
        window->scenes().copyLink();
        const data::SceneReading bundled = data::readLink(QGuiApplication::clipboard()->text().toStdString());
        QCOMPARE(bundled.scene.lesson->name, ui::bundledLessons()[1].name.toStdString());
        QCOMPARE(bundled.scene.lesson->step, std::uint32_t{2});
        QVERIFY(!bundled.scene.draft);
    }

    void aHandoutIsWrittenWhileTheWindowStaysAsItIs() {
        LessonWindow& window = shared();
        window.open(fileOf("own.json", kLesson), 1);
        const QString file = m_folder.filePath(QStringLiteral("handout.pdf"));
        window->lessons().exportHandout(file, false);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20'000);
        QCOMPARE(window->lessons().state().stepIndex(), std::size_t{1});
        QCOMPARE(window.policy(), std::string("t3"));
        QTRY_VERIFY(window->findChild<QWidget*>(QStringLiteral("handoutProgress")) == nullptr);
    }

    void aWebPageOfALessonHasPicturesOfTheViewsThatItCannotDraw() {
        LessonWindow& window = shared();
        window.open(fileOf("pages.json", R"({"format":"ringside-lesson","version":1,"title":"Pages",
            "experiment":{"detail":{"level":"interactive"}},"steps":[
            {"text":"one","scene":{"view":"timeline"}},{"text":"two","scene":{"view":"machine","moment":"40 %"}}]})"));
        const QString file = m_folder.filePath(QStringLiteral("lesson.html"));
        window->lessons().exportPage(file);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20'000);
        QFile page(file);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        QCOMPARE(html.count("<img class=\"window\""), 1);
        QVERIFY(html.contains("alt=\"Ringside's window in step 2\""));
        QVERIFY(html.contains("\"kind\":\"lesson\""));
        QTRY_VERIFY(window->findChild<QWidget*>(QStringLiteral("lessonPageProgress")) == nullptr);
    }

    void aWebPageOfALessonWithAWrongClaimIsNotWritten() {
        LessonWindow& window = shared();
        window.open(fileOf("wrong.json", R"({"format":"ringside-lesson","version":1,"title":"Wrong",
            "experiment":{"detail":{"level":"interactive"}},"steps":[
            {"text":"{t}","claims":{"t":{"metric":"time_ps.total","value":"1 ns"}}}]})"));
        const QString file = m_folder.filePath(QStringLiteral("wrong.html"));
        window->lessons().exportPage(file);
        QVERIFY(window->findChild<QWidget*>(QStringLiteral("lessonPageProgress")) != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QWidget*>(QStringLiteral("lessonPageProgress")) == nullptr, 20'000);
        QVERIFY(!QFile::exists(file));
        QVERIFY(
            window->workbench().messages().text().contains(QStringLiteral("step 1 says 1 ns (t), simulation gives")));
    }
};

RINGSIDE_WINDOW_TEST(TestWindowLessons)
#include "tst_window_lessons.moc"
