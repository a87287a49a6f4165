#include "tests/least_time.h"
#include "tests/ui/open_window.h"
#include "tests/ui/pointer.h"
#include "tests/ui/sample_trace.h"
#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/editors/parameter_field.h"
#include "ui/playback/caption_line.h"
#include "ui/ringside_window.h"
#include "ui/runs/runs_panel.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <QWheelEvent>

#include <chrono>
#include <memory>
#include <thread>

using tests::interactiveConfig;
using ui::RingsideWindow;

namespace {

ui::RingsideWindowConfig followingConfig() {
    ui::RingsideWindowConfig config;
    config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    config.runsWhileEditing = true;
    return config;
}

data::LaboratoryRun endlessRun(const data::ExperimentDraft&, const engine::RunOptions& options) {
    while (!options.stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw engine::RunStopped();
}

class PlainWindow {
public:
    explicit PlainWindow(ui::RingsideWindowConfig config = interactiveConfig(), bool finished = true)
        : m_window(std::make_unique<RingsideWindow>(std::move(config))) {
        QSignalSpy shown(&m_window->logs(), &ui::RunLogBuilder::settled);
        m_window->resize(1400, 850);
        m_window->show();
        if (finished && shown.isEmpty())
            shown.wait(5'000);
        m_window->activateWindow();
        QApplication::processEvents();
    }
    RingsideWindow* operator->() { return m_window.get(); }
    RingsideWindow& operator*() { return *m_window; }
    template <class T>
    T* part(const char* name) {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }
    void type(const char* path, const QString& text) {
        auto* field = part<ui::ParameterField>(qPrintable(QStringLiteral("field:") + QString::fromLatin1(path)));
        auto* edit = field->findChild<QLineEdit*>();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    bool runAndWait() {
        QSignalSpy shown(&m_window->logs(), &ui::RunLogBuilder::settled);
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        return !shown.isEmpty() || shown.wait(5'000);
    }

private:
    std::unique_ptr<RingsideWindow> m_window;
};

void wheel(QWidget& target, QPointF at, int delta) {
    QWheelEvent event(at, target.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&target, &event);
}

// QTest::mouseMove sends no buttons.

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // bench_start measures how long this takes.
    void itOpensShowingTheFinishedExample() {
        PlainWindow window;
        QVERIFY(window->runs().shown());
        QCOMPARE(window->runs().shown()->index->gpus(), 8u);
        QVERIFY(!window.part<ui::TimelineView>("timeline")->drawList().items.empty());
        QCOMPARE(window.part<ui::HeadlineStrip>("headlines")->headlines().size(), std::size_t(7));
        QVERIFY(window->windowTitle().contains(QStringLiteral("t3-mca")));
        QVERIFY(!window.part<ui::MessageBar>("messageBar")->isVisible());
    }

    void aChangedParameterIsMarkedUntilItIsRun() {
        PlainWindow window;
        auto* stale = window.part<QToolButton>("stale");
        QVERIFY(!stale->isVisible());
        const std::int64_t before = window->runs().shown()->run.result.last.time.total.ps;
        window.type("link.bandwidth", QStringLiteral("50 GB/s"));
        QVERIFY(stale->isVisible());
        QCOMPARE(window->runs().shown()->run.result.last.time.total.ps, before);  // the picture stays
        QVERIFY(window.runAndWait());
        QVERIFY(!stale->isVisible());
        QVERIFY(window->runs().shown()->run.result.last.time.total.ps > before);
    }

    void aBadValueIsExplainedBeneathItsFieldAndCannotBeRun() {
        PlainWindow window;
        window.type("link.bandwidth", QStringLiteral("-3 GB/s"));
        auto* field = window.part<ui::ParameterField>("field:link.bandwidth");
        QVERIFY(!field->findChild<QLabel*>(QStringLiteral("problem"))->text().isEmpty());
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("-3 GB/s"));
        QVERIFY(!window.part<QPushButton>("run")->isEnabled());
        QTest::keyClick(&*window, Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!window->runs().session().isRunning());
        QVERIFY(window.part<ui::MessageBar>("messageBar")->isVisible());
        QVERIFY(window->runs().shown());
    }

    void spacePlaysAndPausesAndThePictureFollows() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        timeline->setFocus();
        QVERIFY(!window->viewState().cursor());
        QTest::keyClick(timeline, Qt::Key_Space);
        QTRY_VERIFY(window->viewState().cursor().value_or(0) > 0);
        QVERIFY(window.part<ui::CaptionLine>("caption")->text().startsWith(QStringLiteral("GPU 0:")));
        QTest::keyClick(timeline, Qt::Key_Space);
        const auto paused = window->viewState().cursor();
        QTest::qWait(60);
        QCOMPARE(window->viewState().cursor(), paused);
    }

    void steppingForwardAndBackComesBackToTheSameMoment() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_Period);
        std::vector<std::int64_t> visited;
        for (int i = 0; i < 5; ++i) {
            visited.push_back(*window->viewState().cursor());
            QTest::keyClick(timeline, Qt::Key_Period);
        }
        QVERIFY(std::is_sorted(visited.begin(), visited.end()) && visited.front() < visited.back());
        for (auto at = visited.rbegin(); at != visited.rend(); ++at) {
            QTest::keyClick(timeline, Qt::Key_Comma);
            QCOMPARE(*window->viewState().cursor(), *at);
        }
    }

    void theWheelZoomsAtThePointerAndZeroShowsAllAgain() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        const QPointF at(600, 200);
        const std::int64_t under = timeline->geometry().timeAt(at.x());
        wheel(*timeline->viewport(), at, 480);
        QVERIFY(!window->viewState().showsAll());
        QVERIFY(std::abs(timeline->geometry().xOf(under) - at.x()) < 1);
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_0);
        QVERIFY(window->viewState().showsAll());
    }

    void draggingWithShiftPansByAsMuchAsThePointerMoved() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        wheel(*timeline->viewport(), {600, 200}, 960);
        const std::int64_t under = timeline->geometry().timeAt(600);
        QTest::mousePress(timeline->viewport(), Qt::LeftButton, Qt::ShiftModifier, {600, 200});
        tests::moveTo(*timeline->viewport(), {560, 200});
        tests::moveTo(*timeline->viewport(), {540, 200});
        QTest::mouseRelease(timeline->viewport(), Qt::LeftButton, Qt::ShiftModifier, {540, 200});
        QVERIFY(std::abs(timeline->geometry().xOf(under) - 540) < 1.5);
        QVERIFY(!window->viewState().selectedArea());
    }

    void draggingSelectsAnAreaOfTimeAndGpusAndTheRangeStays() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        const auto rows = timeline->picture().rows;
        const auto last = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.row.gpu == 2; });
        const QPoint from(300, static_cast<int>(rows.front().box.center().y()));
        const QPoint to(500, static_cast<int>(last->box.center().y()));
        QTest::mousePress(timeline->viewport(), Qt::LeftButton, {}, from);
        tests::moveTo(*timeline->viewport(), (from + to) / 2);
        tests::moveTo(*timeline->viewport(), to);
        QTest::mouseRelease(timeline->viewport(), Qt::LeftButton, {}, to);
        const auto area = window->viewState().selectedArea();
        QVERIFY(area);
        QCOMPARE(area->firstGpu, 0u);
        QCOMPARE(area->lastGpu, 2u);
        QCOMPARE(area->range.start, timeline->geometry().timeAt(300));
        QCOMPARE(area->range.end, timeline->geometry().timeAt(500));
        QVERIFY(window->viewState().showsAll());
    }

    void middleDraggingZoomsIntoTheBox() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        const std::int64_t from = timeline->geometry().timeAt(300);
        const std::int64_t to = timeline->geometry().timeAt(500);
        QTest::mousePress(timeline->viewport(), Qt::MiddleButton, {}, {500, 200});
        tests::moveTo(*timeline->viewport(), {300, 260});
        QTest::mouseRelease(timeline->viewport(), Qt::MiddleButton, {}, {300, 260});
        QCOMPARE(window->viewState().range(), (data::TimeRange{from, to}));
    }

    void aClickSelectsTheSpanUnderThePointerAndAnotherLetsGo() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        const data::Track& track = window->runs().shown()->index->gpu(0).reduceScatter.tracks.front();
        const data::SpanRef span{0, track.laneIndex, track.spans().indexOf(2)};
        const data::Flow flow(window->runs().shown());
        const auto anchor = ui::anchorOf(timeline->picture(), flow, span);
        QVERIFY(anchor && anchor->own);
        const QPointF place = anchor->box.center();
        QCOMPARE(timeline->layout().spanAt(place), std::optional(span));
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, place.toPoint());
        QCOMPARE(window->viewState().selectedSpan(), std::optional(span));
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, place.toPoint());
        QVERIFY(!window->viewState().selectedSpan());
    }

    void anOverlayPaintsWithinTheRowsWithThePicturesGeometry() {
        class Fill final : public ui::TimelineOverlay {
        public:
            void paint(QPainter& painter, const ui::TimelinePicture& picture) const override {
                painter.fillRect(QRectF(-1e4, -1e4, 2e4, 2e4), Qt::magenta);
                clip = picture.clip;
                rows = picture.rows.size();
            }
            mutable QRectF clip;
            mutable std::size_t rows = 0;
        };
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        const Fill overlay;
        timeline->addOverlay(overlay);
        const QImage picture = timeline->viewport()->grab().toImage();
        const auto at = [&](QPointF point) {
            return picture.pixelColor((point * picture.devicePixelRatio()).toPoint());
        };
        QCOMPARE(at(overlay.clip.center()), QColor(Qt::magenta));
        QVERIFY(at(overlay.clip.topLeft() - QPointF(4, 4)) != QColor(Qt::magenta));
        QVERIFY(at(overlay.clip.bottomRight() + QPointF(4, 4)) != QColor(Qt::magenta));
        QCOMPARE(overlay.rows, timeline->picture().rows.size());
        timeline->removeOverlay(overlay);
    }

    void clickingAChunkFollowsItOnAllGpus() {
        PlainWindow window;
        auto* timeline = window.part<ui::TimelineView>("timeline");
        const auto& items = timeline->drawList().items;
        const auto block = std::find_if(items.begin(), items.end(), [](const auto& item) {
            return item.chunk != engine::kNone && item.width > 20;
        });
        QVERIFY(block != items.end());
        const QPoint middle = QRectF(block->x, block->y, block->width, block->height).center().toPoint();
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, middle);
        QCOMPARE(window->viewState().followedChunk(), std::optional(block->chunk));
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, middle);
        QVERIFY(!window->viewState().followedChunk());
    }

    void lettersTypedIntoAFieldDoNotMoveThePicture() {
        PlainWindow window;
        wheel(*window.part<ui::TimelineView>("timeline")->viewport(), {600, 200}, 480);
        const data::TimeRange range = window->viewState().range();
        auto* field = window.part<ui::ParameterField>("field:link.latency");
        auto* edit = field->findChild<QLineEdit*>();
        edit->setFocus();
        edit->clear();
        QTest::keyClicks(edit, QStringLiteral("f 0 w s a d , ."));
        QCOMPARE(edit->text(), QStringLiteral("f 0 w s a d , ."));
        QCOMPARE(window->viewState().range(), range);
        QVERIFY(!window->viewState().cursor());
    }

    void closingDuringARunTakesNoTime() {
        using namespace std::chrono_literals;
        const auto least = tests::leastTime(1000ms, [] {
            ui::RingsideWindowConfig config = interactiveConfig();
            config.session.simulate = endlessRun;
            auto window = std::make_unique<PlainWindow>(std::move(config), false);
            if (!QTest::qWaitFor([&] { return (*window)->runs().session().isRunning(); }))
                qFatal("the window shows no run in time");
            return tests::timeOf([&] {
                (*window)->close();
                window.reset();
            });
        });
        QVERIFY2(least < 1000ms, qPrintable(QString::number(least.count())));
    }

    void escapeCancelsARunAndTheWindowGoesOn() {
        ui::RingsideWindowConfig config = interactiveConfig();
        config.session.simulate = endlessRun;
        PlainWindow window(std::move(config), false);
        QVERIFY(window->runs().session().isRunning());
        QVERIFY(window.part<QPushButton>("run")->text().contains(QStringLiteral("Cancel")));
        QTest::keyClick(&*window, Qt::Key_Escape);
        QVERIFY(!window->runs().session().isRunning());
        QVERIFY(window.part<QPushButton>("run")->text().contains(QStringLiteral("Run")));
    }

    void escapeLetsGoOfTheChunkThenOfTheMoment() {
        PlainWindow window;
        window->viewState().setCursor(1'000'000);
        window->viewState().setFollowedChunk(3);
        QTest::keyClick(&*window, Qt::Key_Escape);
        QVERIFY(!window->viewState().followedChunk());
        QVERIFY(window->viewState().cursor());
        QTest::keyClick(&*window, Qt::Key_Escape);
        QVERIFY(!window->viewState().cursor());
    }

    void keptRunsAreListedAndEnterOpensOneAgain() {
        const QTemporaryDir folder;
        ui::RingsideWindowConfig config = interactiveConfig();
        config.session.storePath = folder.filePath(QStringLiteral("runs.sqlite")).toStdString();
        PlainWindow window(std::move(config));
        auto* list = window.part<QTreeWidget>("runs");
        QTRY_COMPARE(list->topLevelItemCount(), 1);
        window.type("link.bandwidth", QStringLiteral("50 GB/s"));
        QVERIFY(window.runAndWait());
        QTRY_COMPARE(list->topLevelItemCount(), 2);
        const std::int64_t slow = window->runs().shown()->run.result.last.time.total.ps;
        list->setCurrentItem(list->topLevelItem(1));  // newest first
        list->setFocus();
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(!shown.isEmpty() || shown.wait(5'000));
        QVERIFY(window->runs().shown()->run.result.last.time.total.ps < slow);
        QVERIFY(!window->experiment().draft().explicitValues.contains("link.bandwidth"));
    }

    void aForeignStoreIsAMessageAndTheWindowLives() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("notes.txt"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("not a database\n").repeated(200));
        file.close();
        ui::RingsideWindowConfig config = interactiveConfig();
        config.session.storePath = path.toStdString();
        PlainWindow window(std::move(config));
        auto* messages = window.part<ui::MessageBar>("messageBar");
        QTRY_VERIFY(messages->isVisible());
        QVERIFY(messages->text().contains(QStringLiteral("notes.txt")));
        QVERIFY(window.runAndWait());
    }

    void namesInTheGutterNeverMeet() {
        ui::RingsideWindowConfig config = interactiveConfig();
        config.draft = data::openDraft("collective/all-reduce/tp8").draft;
        PlainWindow window(std::move(config));
        const auto* timeline = window.part<ui::TimelineView>("timeline");
        const ui::Row first = timeline->model().rows({}).front();
        QFont bold = timeline->font();
        bold.setWeight(QFont::DemiBold);
        QCOMPARE(first.label, QStringLiteral("reduce-scatter"));
        QVERIFY(QFontMetricsF(bold).horizontalAdvance(QStringLiteral("GPU 0")) +
                    QFontMetricsF(timeline->font()).horizontalAdvance(first.label) <
                timeline->geometry().left - 1.9 * QFontMetricsF(timeline->font()).height());
    }

    void aStandstillIsExplained() {
        ui::RingsideWindowConfig config = interactiveConfig();
        config.session.simulate = [](const auto&, const auto&) -> data::LaboratoryRun {
            throw engine::Deadlock("the tracker waits for a free set");
        };
        PlainWindow window(std::move(config), false);
        auto* messages = window.part<ui::MessageBar>("messageBar");
        QTRY_VERIFY(messages->isVisible());
        QVERIFY(messages->text().contains(QStringLiteral("the tracker waits for a free set")));
        QVERIFY(!window->runs().session().isRunning());
    }

    void undoReachesIntoAFieldThatIsStillBeingTypedIn() {
        PlainWindow window;
        auto* edit = window.part<ui::ParameterField>("field:link.latency")->findChild<QLineEdit*>();
        const QString before = edit->text();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("75ns"));
        QTRY_VERIFY(window->experiment().undoStack().canUndo());
        QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(edit->text(), before);
        QVERIFY(!window->experiment().draft().explicitValues.contains("link.latency"));
        QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(edit->text(), QStringLiteral("75 ns"));
    }

    void aHeldSliderIsAnsweredAtInteractiveDetailAndItsReleaseAtTheChosenOne() {
        PlainWindow window(followingConfig());
        auto* slider = window.part<ui::ParameterField>("field:link.bandwidth")->findChild<QSlider*>();
        const std::int64_t before = window->runs().shown()->run.result.last.time.total.ps;
        slider->setFocus();
        slider->setSliderDown(true);
        slider->setValue(slider->value() - 40);
        QTRY_VERIFY(window->runs().shown()->preview);
        QVERIFY(window->runs().shown()->run.experiment.detail.level == engine::DetailLevel::interactive);
        QVERIFY(window->runs().shown()->run.result.last.time.total.ps > before);
        QVERIFY(!window.part<QToolButton>("stale")->isVisible());
        QVERIFY(slider->hasFocus());
        slider->setSliderDown(false);
        QTRY_VERIFY(!window->runs().shown()->preview);
        QVERIFY(window->runs().shown()->run.experiment == window->experiment().expansion().experiment);
        QVERIFY(window->runs().shown()->run.experiment.detail.level == engine::DetailLevel::standard);
        QVERIFY(slider->hasFocus());
        QVERIFY(!window.part<QToolButton>("stale")->isVisible());
        // Undo also starts a run.
        QTest::keyClick(slider, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(window->runs().shown()->run.result.last.time.total.ps, before);
    }

    void typingIsAnsweredWithoutReturnAndABadValueIsNot() {
        PlainWindow window(followingConfig());
        const auto before = window->runs().shown();
        auto* edit = window.part<ui::ParameterField>("field:link.bandwidth")->findChild<QLineEdit*>();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("75 GB/s"));
        QTRY_VERIFY(window->runs().shown() != before && !window->runs().session().isRunning());
        QTRY_COMPARE(window->runs().shown()->run.experiment.link.bandwidth.bytesPerSecond, 75'000'000'000);
        QVERIFY(edit->hasFocus());
        const auto answered = window->runs().shown();
        QTest::keyClicks(edit, QStringLiteral("x"));
        QTest::qWait(150);
        QCOMPARE(window->runs().shown(), answered);  // the picture stays
        QVERIFY(!window->runs().session().isRunning());
    }

    void aRunOfOverASecondShowsProgressAndTheTimeLeft() {
        ui::RingsideWindowConfig config = followingConfig();
        config.session.simulate = [](const data::ExperimentDraft& draft, const engine::RunOptions& options) {
            options.progress(0.25);
            return endlessRun(draft, options);
        };
        PlainWindow window(std::move(config), false);
        QTest::keyClick(&*window, Qt::Key_Escape);
        auto* slider = window.part<ui::ParameterField>("field:link.bandwidth")->findChild<QSlider*>();
        slider->setValue(slider->value() - 10);
        auto* run = window.part<QPushButton>("run");
        QVERIFY(window->runs().session().isRunning());
        QVERIFY(run->text().startsWith(QStringLiteral("Run")));
        QTRY_VERIFY(run->text().contains(QStringLiteral("s left")));
        QTest::keyClick(&*window, Qt::Key_Escape);
        QVERIFY(!window->runs().session().isRunning());
        QVERIFY(run->text().startsWith(QStringLiteral("Run")));
    }

    void aBoundIsShownAsOne() {
        ui::RingsideWindowConfig config = interactiveConfig();
        config.draft.explicitValues["policy.preset"] = std::string("ideal-overlap");
        PlainWindow window(std::move(config));
        QVERIFY(window.part<ui::TimelineView>("timeline")->model().isBound());
        QVERIFY(
            window.part<ui::CaptionLine>("caption")->parts().front().contains(QStringLiteral("perfectly overlapped")));
        QTest::keyClick(window.part<ui::TimelineView>("timeline"), Qt::Key_Space);
        QVERIFY(!window->grab().isNull());
    }

    void brokenSettingsDoNotKeepTheWindowFromOpening() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("window.ini"));
        for (const QByteArray& content :
             {QByteArray("[layout]\nversion=1\ngeometry=@ByteArray(garbage)\ndocks=@ByteArray(\\0\\xff\\xff)\n"),
              QByteArray("\0\1\2\3 no ini at all", 19), QByteArray("theme=purple\n")}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(content);
            file.close();
            ui::RingsideWindowConfig config = interactiveConfig();
            config.settingsFile = path;
            PlainWindow window(std::move(config));
            QVERIFY(window->runs().shown());
            QVERIFY(!window->grab().isNull());
            window->close();
        }
    }

    void theThemeIsRemembered() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("window.ini"));
        for (const ui::Theme theme : {ui::Theme::dark, ui::Theme::light}) {
            {
                ui::RingsideWindowConfig config = interactiveConfig();
                config.settingsFile = path;
                PlainWindow window(std::move(config));
                window->workbench().chooseTheme(theme);
            }
            QCOMPARE(ui::WindowSettings(path).theme(), theme);
        }
    }

    void everyActionHasWordsAndEveryControlAName() {
        PlainWindow window;
        for (const QAction* action : window->findChildren<QAction*>()) {
            if (action->isSeparator() || qobject_cast<QLineEdit*>(action->parent()) != nullptr)
                continue;
            // Qt's own overflow menu of the menu bar has no title.
            if (qobject_cast<QMenu*>(action->parent()) != nullptr && action->menu() != nullptr)
                continue;
            QVERIFY(!action->text().isEmpty());
        }
        for (const QAbstractButton* button : window->findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || qobject_cast<QLineEdit*>(button->parent()) ||
                qobject_cast<QDockWidget*>(button->parent()))
                continue;
            QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(),
                     button->metaObject()->className());
        }
        for (const QLineEdit* edit : window->findChildren<QLineEdit*>()) {
            if (qobject_cast<QComboBox*>(edit->parent()) == nullptr)
                QVERIFY(!edit->accessibleName().isEmpty());
        }
    }
};

RINGSIDE_WINDOW_TEST(TestMainWindow)
#include "tst_main_window.moc"
