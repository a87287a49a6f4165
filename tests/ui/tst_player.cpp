#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/player.h"
#include "ui/shared/view_state.h"

#include <QSignalSpy>
#include <QTest>

using data::Position;
using data::RunLog;
using data::StepKind;
using ui::BreakCondition;
using ui::Player;

namespace {

/// A player of a finished small run, and everything that it moves.
struct Stage {
    explicit Stage(bool withLog = true) {
        const engine::Experiment experiment = tests::smallExperiment(engine::PolicyPreset::t3);
        engine::RunOptions options;
        options.baselines = false;
        options.recordTrace = true;
        log = std::make_shared<data::RunLog>(engine::run(experiment, options).trace, experiment);
        view.setRunEnd(log->end().ps);
        player.setRun(log->end().ps);
        if (withLog)
            player.setLog(log);
    }
    data::Position at() const { return log->positionAt(*view.cursor(), view.eventsAtCursor()); }

    std::shared_ptr<const data::RunLog> log;
    ui::ViewState view;
    ui::BreakpointList breakpoints;
    Player player{view, breakpoints};
};

ui::Breakpoint waveEnds() { return {BreakCondition::waveEnd, std::nullopt, std::nullopt, true}; }

}  // namespace

class TestPlayer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstStepGoesToTheFirstEventAndBackToTheBeginning() {
        Stage stage;
        stage.player.eventForward();
        QCOMPARE(stage.at().events, std::uint64_t{1});
        stage.player.eventBack();
        QCOMPARE(stage.at(), stage.log->beginning());
        stage.player.eventBack();
        QCOMPARE(stage.at(), stage.log->beginning());
    }

    void eventsOfOneMomentAreSteppedThroughOneByOne() {
        Stage stage;
        bool shared = false;
        for (std::uint64_t step = 1; step <= 400; ++step) {
            const auto before = stage.view.cursor();
            stage.player.eventForward();
            QCOMPARE(stage.at().events, step);
            shared = shared || before == stage.view.cursor();
        }
        QVERIFY(shared);
        for (std::uint64_t step = 400; step-- > 0;) {
            stage.player.eventBack();
            QCOMPARE(stage.at().events, step);
        }
    }

    void theChosenKindIsSteppedBy() {
        Stage stage;
        QSignalSpy chosen(&stage.player, &Player::stepKindChanged);
        stage.player.setStepKind(data::StepKind::trigger);
        stage.player.setStepKind(data::StepKind::trigger);
        QCOMPARE(chosen.count(), 1);
        stage.player.stepForward();
        QCOMPARE(stage.at(), *stage.log->next(stage.log->beginning(), data::StepKind::trigger));
        QCOMPARE(*stage.log->stateOf(0, stage.at()).lastTriggerPs, *stage.view.cursor());
    }

    void aStepBeforeTheLogIsThereIsMadeWhenItComes() {
        Stage stage(false);
        stage.player.eventForward();
        QVERIFY(!stage.view.cursor());
        stage.player.setLog(stage.log);
        QCOMPARE(stage.at().events, std::uint64_t{1});
    }

    void withoutALogNothingMovesAndNothingIsKeptInMind() {
        Stage stage(false);
        stage.player.eventForward();
        stage.player.setRun(1'000);
        stage.player.setLog(nullptr);
        QVERIFY(!stage.view.cursor());
        stage.player.runToNext();
        QVERIFY(!stage.view.cursor());
    }

    void runningToTheNextGoesToEachHitAndBack() {
        Stage stage;
        stage.breakpoints.add({BreakCondition::chunkComplete, std::nullopt, 0, true});
        QSignalSpy stopped(&stage.player, &Player::stoppedAtBreakpoint);
        QSignalSpy none(&stage.player, &Player::noBreakpointFound);
        std::vector<data::Position> forward;
        while (none.isEmpty()) {
            stage.player.runToNext();
            if (none.isEmpty())
                forward.push_back(stage.at());
        }
        QCOMPARE(forward.size(), *stage.breakpoints.countOf(0));
        QCOMPARE(static_cast<std::size_t>(stopped.count()), forward.size());
        QVERIFY(stopped.front().front().toString().contains(QStringLiteral("is complete on GPU 0")));
        for (auto expected = forward.rbegin() + 1; expected != forward.rend(); ++expected) {
            stage.player.runToPrevious();
            QCOMPARE(stage.at(), *expected);
        }
    }

    void playingStopsExactlyWhereABreakpointIsMetAndGoesOnFromThere() {
        Stage stage;
        stage.breakpoints.add(waveEnds());
        const data::Position met = stage.breakpoints.nextAfter(stage.log->beginning())->position;
        stage.player.setSecondsForRun(2);
        QSignalSpy stopped(&stage.player, &Player::stoppedAtBreakpoint);
        stage.player.toStart();
        stage.player.togglePlaying();
        QVERIFY(stopped.wait(5'000));
        QVERIFY(!stage.player.isPlaying());
        QCOMPARE(stage.at(), met);
        stage.player.togglePlaying();
        QTRY_VERIFY_WITH_TIMEOUT(*stage.view.cursor() > met.ps, 5'000);
        QCOMPARE(stopped.count(), 1);
        stage.player.pause();
    }

    void aLoopMeetsABreakpointAgain() {
        Stage stage;
        stage.breakpoints.add(waveEnds());
        const data::Position met = stage.breakpoints.nextAfter(stage.log->beginning())->position;
        stage.player.setSecondsForRun(2);
        stage.player.setLoop(true);
        stage.player.seek(stage.log->end().ps - 1);
        QSignalSpy stopped(&stage.player, &Player::stoppedAtBreakpoint);
        stage.player.togglePlaying();
        QVERIFY(stopped.wait(5'000));
        QCOMPARE(stage.at(), met);
    }

    void whatIsSwitchedOffIsPlayedThrough() {
        Stage stage;
        stage.breakpoints.add(waveEnds());
        stage.breakpoints.setEnabled(0, false);
        stage.player.setSecondsForRun(2);
        QSignalSpy stopped(&stage.player, &Player::stoppedAtBreakpoint);
        stage.player.seek(stage.log->end().ps / 10 * 9);
        stage.player.togglePlaying();
        QTRY_VERIFY_WITH_TIMEOUT(!stage.player.isPlaying(), 5'000);
        QCOMPARE(*stage.view.cursor(), stage.log->end().ps);
        QVERIFY(stopped.isEmpty());
    }

    void aPartIsPlayedFromItsBeginningAndGivesTheReadersSpeedBack() {
        Stage stage;
        const std::int64_t end = stage.player.end();
        stage.player.setSecondsForRun(20);
        QSignalSpy changes(&stage.player, &Player::partChanged);
        stage.player.setPart(ui::PlayedPart{{end / 4, end / 2}, 3, true});
        QCOMPARE(stage.view.cursor(), std::optional(end / 4));
        stage.player.seek(end / 2);  // still within
        QVERIFY(stage.player.part());
        stage.player.setPart(std::nullopt);
        QCOMPARE(changes.size(), 2);
        QCOMPARE(stage.player.secondsForRun(), 20.0);
        QVERIFY(!stage.player.loops());
    }

    void whoLeavesThePartPlaysTheWholeRunAgain() {
        Stage stage;
        const std::int64_t end = stage.player.end();
        stage.player.setPart(ui::PlayedPart{{end / 4, end / 2}, 3, false});
        stage.player.seek(end / 2 + 1);
        QVERIFY(!stage.player.part());
        stage.player.setPart(ui::PlayedPart{{end / 4, end / 2}, 3, false});
        stage.player.setRun(end);  // of another run
        QVERIFY(!stage.player.part());
    }
};

RINGSIDE_CORE_TEST(TestPlayer)
#include "tst_player.moc"
