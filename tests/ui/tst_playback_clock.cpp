#include "tests/test_program.h"
#include "ui/shared/player.h"

#include <QTest>

using ui::PlaybackClock;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

PlaybackClock tenSecondClock() {
    PlaybackClock clock;
    clock.endPs = 2'000'000;
    clock.secondsForRun = 10;
    return clock;
}

}  // namespace

class TestPlaybackClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWholeRunTakesTheSecondsAskedFor() {
        PlaybackClock clock = tenSecondClock();
        clock.play(5 * kSecond);
        QCOMPARE(clock.positionAt(5 * kSecond), 0);
        QCOMPARE(clock.positionAt(10 * kSecond), 1'000'000);
        QVERIFY(!clock.hasEndedAt(15 * kSecond - 10'000));
        QVERIFY(clock.hasEndedAt(15 * kSecond));
        QCOMPARE(clock.positionAt(100 * kSecond), 2'000'000);
    }

    void droppedFramesDoNotChangeThePosition() {
        PlaybackClock smooth = tenSecondClock();
        PlaybackClock jerky = tenSecondClock();
        smooth.play(0);
        jerky.play(0);
        for (std::int64_t now = 0; now < 3 * kSecond; now += kSecond / 60)
            (void)smooth.positionAt(now);
        QCOMPARE(smooth.positionAt(3 * kSecond), jerky.positionAt(3 * kSecond));
    }

    void pausingStandsStillAndPlayingGoesOnFromThere() {
        PlaybackClock clock = tenSecondClock();
        clock.play(0);
        clock.pause(2 * kSecond);
        QCOMPARE(clock.positionAt(9 * kSecond), 400'000);
        clock.play(20 * kSecond);
        QCOMPARE(clock.positionAt(21 * kSecond), 600'000);
    }

    void playingFromTheEndStartsAgain() {
        PlaybackClock clock = tenSecondClock();
        clock.seek(clock.endPs, 0);
        clock.play(0);
        QCOMPARE(clock.positionAt(0), 0);
    }

    void changingTheSpeedKeepsThePosition() {
        PlaybackClock clock = tenSecondClock();
        clock.play(0);
        clock.setSecondsForRun(20, 5 * kSecond);
        QCOMPARE(clock.positionAt(5 * kSecond), 1'000'000);
        QCOMPARE(clock.positionAt(7 * kSecond), 1'200'000);
    }

    void theSpeedStaysInItsLimits() {
        PlaybackClock clock = tenSecondClock();
        clock.setSecondsForRun(0, 0);
        QCOMPARE(clock.secondsForRun, PlaybackClock::kFastest);
        clock.setSecondsForRun(1e9, 0);
        QCOMPARE(clock.secondsForRun, PlaybackClock::kSlowest);
    }

    void aLoopNeverEndsAndStartsOver() {
        PlaybackClock clock = tenSecondClock();
        clock.loop = true;
        clock.play(0);
        QVERIFY(!clock.hasEndedAt(15 * kSecond));
        QCOMPARE(clock.positionAt(11 * kSecond), 200'000);
    }

    void aPartTakesItsOwnTimeAndEndsWhereItEnds() {
        PlaybackClock clock = tenSecondClock();
        clock.part = ui::PlayedPart{{500'000, 1'000'000}, 4, false};
        clock.play(0);  // from a time outside of the range it begins at the start of the range
        QCOMPARE(clock.positionAt(0), 500'000);
        QCOMPARE(clock.positionAt(2 * kSecond), 750'000);
        QVERIFY(!clock.hasEndedAt(4 * kSecond - 10'000));
        QVERIFY(clock.hasEndedAt(4 * kSecond));
        QCOMPARE(clock.positionAt(9 * kSecond), 1'000'000);
        clock.part->loop = true;
        QCOMPARE(clock.positionAt(5 * kSecond), 625'000);
        QVERIFY(!clock.hasEndedAt(9 * kSecond));
    }
};

RINGSIDE_TEST(TestPlaybackClock)
#include "tst_playback_clock.moc"
