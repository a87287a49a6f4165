#include "tests/ui/window_test.h"

#include "tests/ui/window_parts.h"
#include "ui/lessons/lesson_library.h"
#include "ui/playback/caption_line.h"
#include "ui/ringside_window.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/pictures.h"

#include <QDockWidget>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <memory>

using ui::RingsideWindow;

namespace {

/// A home folder for windows that are opened one after the other.
struct Home {
    QTemporaryDir folder;
    QString session = folder.filePath(QStringLiteral("session.json"));
    QString mark = session + QStringLiteral(".starting");

    std::unique_ptr<RingsideWindow> open(const char* experiment = "t-nlg/fc-2/tp8", bool asked = false) const {
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft(experiment).draft;
        config.draft.explicitValues["detail.level"] = std::string("interactive");
        config.settingsFile = folder.filePath(QStringLiteral("window.ini"));
        config.sessionFile = session;
        config.restoresExperiment = !asked;
        auto window = std::make_unique<RingsideWindow>(std::move(config));
        window->show();
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        if (!window->runs().shown() && !shown.wait(5'000))
            qFatal("the window shows no run in time");
        return window;
    }
    QByteArray text() const {
        QFile file(session);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Leaves files as after a start that failed early: its session, and its marker file.
    void keepCursorAndFailNextStart(std::int64_t cursor) const {
        const auto window = open();
        window->viewState().setCursor(cursor);
        window->close();
        QFile left(mark);
        QVERIFY(left.open(QIODevice::WriteOnly));
    }
    void write(const QByteArray& bytes) const {
        QFile file(session);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(bytes);
    }
};

const ui::MessageBar& messagesOf(const RingsideWindow& window) {
    return *window.findChild<ui::MessageBar*>(QStringLiteral("messageBar"));
}

QString messageOf(const RingsideWindow& window) { return messagesOf(window).text(); }

QToolButton* remedyOf(const RingsideWindow& window) {
    return messagesOf(window).findChild<QToolButton*>(QStringLiteral("remedy"));
}

}  // namespace

class TestWindowSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNextStartGoesOnWhereTheLastOneEnded() {
        const Home home;
        const data::TimeRange range{100'000'000, 900'000'000};
        {
            const auto window = home.open();
            window->experiment().setText(*engine::findParameter("link.bandwidth"), QStringLiteral("120 GB/s"));
            window->runs().run();
            QSignalSpy shown(&window->runs(), &ui::RunController::settled);
            QVERIFY(shown.wait(5'000));
            window->viewState().setRange(range);
            window->viewState().setCursor(123'456'789);
            window->viewState().setFollowedChunk(3);
            window->findChild<QDockWidget*>(QStringLiteral("runsDock"))->hide();
            window->close();
        }
        const auto window = home.open();
        QCOMPARE(window->runs().shown()->run.experiment.link.bandwidth.bytesPerSecond, 120'000'000'000);
        QVERIFY(!window->experiment().undoStack().canUndo());
        QCOMPARE(window->viewState().range(), range);
        QCOMPARE(window->viewState().cursor(), std::optional<std::int64_t>(123'456'789));
        QCOMPARE(window->viewState().followedChunk(), std::optional(3u));
        QVERIFY(window->findChild<QDockWidget*>(QStringLiteral("runsDock"))->isHidden());
        QVERIFY(messageOf(*window).isEmpty());
    }

    void breakpointsAreFoundAgainAndStopTheCaptionWhereTheyAreMet() {
        const Home home;
        const std::vector<ui::Breakpoint> set{{ui::BreakCondition::chunkComplete, 3, 2, true},
                                              {ui::BreakCondition::waveEnd, std::nullopt, std::nullopt, false}};
        {
            const auto window = home.open();
            auto* breakpoints = window->findChild<ui::BreakpointList*>();
            for (const ui::Breakpoint& breakpoint : set)
                breakpoints->add(breakpoint);
            breakpoints->setEnabled(1, false);
            window->close();
        }
        const auto window = home.open();
        QVERIFY(window->findChild<ui::BreakpointList*>()->all() == set);
        QSignalSpy logged(&window->logs(), &ui::RunLogBuilder::settled);
        if (!window->findChild<ui::BreakpointList*>()->countOf(0))
            QVERIFY(logged.wait(5'000));
        window->workbench().commands().find(QStringLiteral("playback.run-to-next"))->action->trigger();
        const auto* caption = window->findChild<ui::CaptionLine*>(QStringLiteral("caption"));
        QVERIFY(caption->parts().front().startsWith(QStringLiteral("Stopped: chunk 3 is complete on GPU 2")));
        window->viewState().setCursor(0);
        QVERIFY(!caption->parts().front().startsWith(QStringLiteral("Stopped")));
    }

    void whatIsAskedForIsInFrontAndNotTheViewOfTheLastSession() {
        const Home home;
        {
            const auto window = home.open();
            window->workbench().views().showView(QStringLiteral("runs"));
            window->close();
        }
        {
            const auto window = home.open();
            QCOMPARE(window->workbench().views().current(), QStringLiteral("runs"));
            window->close();
        }
        const auto window = home.open("t-nlg/op/tp8", true);
        QCOMPARE(window->workbench().views().current(), QStringLiteral("explore"));
    }

    void aSweepThatIsAskedForIsInFront() {
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        config.draft.explicitValues["detail.level"] = std::string("interactive");
        config.sweep = ui::OpenedSweep{{.base = config.draft}, QStringLiteral("sweep.json")};
        config.restoresExperiment = false;
        RingsideWindow window(std::move(config));
        window.show();
        QSignalSpy shown(&window.runs(), &ui::RunController::settled);
        QVERIFY(window.runs().shown() || shown.wait(5'000));
        QCOMPARE(window.workbench().views().current(), QStringLiteral("sweep"));
    }

    void anExperimentThatIsAskedForBeatsThatOfTheLastSession() {
        const Home home;
        {
            const auto window = home.open();
            window->viewState().setCursor(123'456'789);
            window->close();
        }
        const auto window = home.open("t-nlg/op/tp16", true);
        QCOMPARE(window->runs().shown()->run.experiment.parallel.tp, 16);
        QVERIFY(!window->viewState().cursor());  // the cursor was a moment of another run
        QVERIFY(messageOf(*window).isEmpty());
    }

    void whatIsNotUnderstoodIsLeftOutWithOneMessage() {
        const Home home;
        home.write(R"({"format": "ringside-session", "version": 1, "sections": {
            "experiment": {"format": "ringside-experiment", "version": 1, "link": {"bandwidth": "-3 GB/s"}},
            "view": {"name": "timeline"}, "moment": {"cursorPs": -5}, "future": [1]}})");
        {
            const auto window = home.open();
            QVERIFY(window->runs().shown()->run.experiment.link.bandwidth.bytesPerSecond > 0);
            QVERIFY(messageOf(*window).contains(QStringLiteral("future, experiment")));
            window->close();
        }
        QVERIFY(messageOf(*home.open()).isEmpty());  // the message is shown only once
    }

    void brokenMomentsAreRefusedWhole() {
        for (const char* moment :
             {R"({"rangePs": [5, 3]})", R"({"rangePs": [0, 9000000000000000000]})", R"({"rangePs": "all"})",
              R"({"cursorPs": 1e300})", R"({"cursorPs": 5, "chunk": 8})", R"([5])", R"({"cursorPs": "5"})"}) {
            const Home home;
            home.write(QByteArray(R"({"format": "ringside-session", "version": 1, "sections": {"moment": )") + moment +
                       "}}");
            const auto window = home.open();
            QVERIFY2(messageOf(*window).contains(QStringLiteral("moment")), moment);
            QVERIFY(window->viewState().showsAll());
            QVERIFY(!window->viewState().cursor());
        }
    }

    void garbageInAllFilesOpensTheExample() {
        const Home home;
        home.write("\xff\xfe garbage");
        const auto window = home.open();
        QVERIFY(window->runs().shown());
        QVERIFY(messageOf(*window).contains(QStringLiteral("not a JSON document")));
    }

    void theMarkOfAStartGoesWithItsFirstRun() {
        const Home home;
        const auto window = home.open();
        QVERIFY(!QFile::exists(home.mark));
    }

    void afterAFailedStartTheLastSessionIsOfferedNotRestored() {
        const Home home;
        home.keepCursorAndFailNextStart(123'456'789);
        const auto window = home.open();
        QVERIFY(!window->viewState().cursor());
        QVERIFY(messageOf(*window).contains(QStringLiteral("last start")));
        QVERIFY(!QFile::exists(home.mark));
        QToolButton* remedy = remedyOf(*window);
        QVERIFY(remedy->isVisible());
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        QTest::mouseClick(remedy, Qt::LeftButton);
        QVERIFY(shown.wait(5'000));
        QCOMPARE(window->viewState().cursor(), std::optional<std::int64_t>(123'456'789));
        QVERIFY(messageOf(*window).isEmpty());
        QVERIFY(!QFile::exists(home.mark));
    }

    void whatWasChangedSurvivesAWindowThatIsNeverClosed() {
        const Home home;
        {
            const auto window = home.open();
            window->experiment().setText(*engine::findParameter("link.bandwidth"), QStringLiteral("120 GB/s"));
            window->viewState().setCursor(123'456'789);
            QTRY_VERIFY_WITH_TIMEOUT(home.text().contains("123456789"), 5'000);
        }  // as in a crash, closeEvent is never called
        const auto window = home.open();
        QCOMPARE(window->runs().shown()->run.experiment.link.bandwidth.bytesPerSecond, 120'000'000'000);
        QCOMPARE(window->viewState().cursor(), std::optional<std::int64_t>(123'456'789));
    }

    void aCrashInALessonGivesBackTheReadersOwnExperiment() {
        const Home home;
        {
            const auto window = home.open("t-nlg/op/tp16", true);
            QVERIFY(window->lessons().open(ui::bundledLessons().front().file));
            QSignalSpy shown(&window->lessons(), &ui::LessonFeature::shown);
            QVERIFY(shown.wait(10'000));
            window->viewState().setCursor(4'567'891);
            QTest::qWait(1'500);
            QVERIFY(!home.text().contains("4567891"));
        }
        QCOMPARE(home.open()->runs().shown()->run.experiment.parallel.tp, 16);
    }

    void aCrashWhilePresentingLeavesThePanelsAsTheyWere() {
        const Home home;
        {
            const auto window = home.open();
            window->workbench().presenter().set(true);
            window->viewState().setCursor(123'456'789);
            QTRY_VERIFY_WITH_TIMEOUT(home.text().contains("123456789"), 5'000);
        }
        const auto window = home.open();
        QVERIFY(!window->findChild<QDockWidget*>(QStringLiteral("experimentDock"))->isHidden());
        QVERIFY(!window->isFullScreen());
    }

    void theSessionOfBeforeAFailedStartCanBeRestoredAfterThisOneWasKept() {
        const Home home;
        home.keepCursorAndFailNextStart(123'456'789);
        const auto window = home.open();
        window->viewState().setCursor(5'555'555);
        QTRY_VERIFY_WITH_TIMEOUT(home.text().contains("5555555"), 5'000);
        QSignalSpy shown(&window->runs(), &ui::RunController::settled);
        QTest::mouseClick(remedyOf(*window), Qt::LeftButton);
        QVERIFY(shown.wait(5'000));
        QCOMPARE(window->viewState().cursor(), std::optional<std::int64_t>(123'456'789));
    }

    void withoutFilesNothingIsKeptAndNothingRestored() {
        ui::RingsideWindowConfig config;
        config.draft = data::openDraft("t-nlg/fc-2/tp8").draft;
        RingsideWindow window(std::move(config));
        window.show();
        QVERIFY(window.close());
    }
};

RINGSIDE_WINDOW_TEST(TestWindowSession)
#include "tst_window_session.moc"
