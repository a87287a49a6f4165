#include "tests/ui/window_test.h"

#include "ui/sweep/sweep_words.h"

using namespace std::chrono_literals;

namespace {

ui::SweepLook lookOf(std::size_t points, std::size_t kept, std::size_t toRun, bool started = false) {
    ui::SweepLook look;
    look.outlook.points = points;
    look.outlook.kept = kept;
    look.outlook.toRun = toRun;
    look.outlook.estimate = 800ms;
    look.started = started;
    return look;
}

/// Returns a table of speed-ups at three bandwidths. The second point failed, and a point that has not run holds a
/// larger number.
data::SweepTable table() {
    data::SweepTable table;
    table.sweep.axes = {{{{"link.bandwidth",
                           {std::int64_t{50'000'000'000}, std::int64_t{100'000'000'000}, std::int64_t{200'000'000'000}},
                           {}}}}};
    table.sweep.policies = {"t3-mca"};
    table.metrics = {"speedup_over_sequential", "time_ps.total"};
    table.rows = {{0, {0}, 0, data::PointState::done, {}, 1, {1.1, 3e9}},
                  {1, {1}, 0, data::PointState::failed, "stopped", {}, {9.0, std::nullopt}},
                  {2, {2}, 0, data::PointState::done, {}, 2, {1.4, 2e9}}};
    return table;
}

}  // namespace

class TestSweepWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitsAreSaidAsCoarselyAsTheyAreKnown() {
        QCOMPARE(ui::formatWait(20ms), QStringLiteral("0.1 s"));
        QCOMPARE(ui::formatWait(840ms), QStringLiteral("0.8 s"));
        QCOMPARE(ui::formatWait(12'400ms), QStringLiteral("12 s"));
        QCOMPARE(ui::formatWait(200s), QStringLiteral("3 min"));
        QCOMPARE(ui::formatWait(7'500s), QStringLiteral("2 h 5 min"));
    }

    void whatAnotherEngineRanIsSaidToRunAnew() {
        ui::SweepLook look = lookOf(135, 40, 95, true);
        look.outlook.others = {60, {"0.2.0"}};
        QCOMPARE(ui::wordsOf(look, 2),
                 QStringLiteral("40 of 135 points done  ·  60 from another engine version will run again  ·  "
                                "about 0.8 s on 2 cores"));
        look.outlook.others.points = 1;
        QVERIFY(ui::wordsOf(look, 2).contains(QStringLiteral("1 from another engine version will run again")));
    }

    void beforeTheStartItSaysRunsWhatIsKeptAndHowLong() {
        QCOMPARE(ui::wordsOf(lookOf(135, 40, 95), 2),
                 QStringLiteral("135 points  ·  40 are in the store  ·  about 0.8 s on 2 cores"));
        QCOMPARE(ui::wordsOf(lookOf(1, 0, 1), 1), QStringLiteral("1 point  ·  about 0.8 s on 1 core"));
    }

    void aSweepThatWasStartedSaysHowMuchOfItIsDone() {
        QVERIFY(ui::wordsOf(lookOf(135, 95, 40, true), 2).startsWith(QStringLiteral("95 of 135 points done")));
    }

    void theBestPointIsTheLargestSpeedUpAndTheShortestTimeAmongThoseThatEnded() {
        const data::SweepTable points = table();
        QCOMPARE(ui::answerOfBest(points, 0)->words,
                 QStringLiteral("Best speed-up over sequential: 1.40 at Bandwidth per direction 200 GB/s, T3-MCA."));
        QCOMPARE(ui::answerOfBest(points, 0)->points, std::vector<std::size_t>{2});
        QCOMPARE(ui::answerOfBest(points, 1)->points, std::vector<std::size_t>{2});
    }

    void ofEquallyGoodPointsTheCheapestIsNamedAndMarked() {
        data::SweepTable points = table();
        points.rows[0].values[0] = 1.4;
        points.rows[1] = {1, {1}, 0, data::PointState::done, {}, 3, {1.4, 2e9}};
        const auto answer = ui::answerOfBest(points, 0);
        QCOMPARE(
            answer->words,
            QStringLiteral(
                "Best speed-up over sequential: 1.40, at 3 equal points. 3 points are within 1 %: the cheapest is 1.40 at "
                "Bandwidth per direction 50 GB/s, T3-MCA.")
                .replace(QStringLiteral("1 %"), QStringLiteral("1\u00a0%")));
        QCOMPARE(answer->points, std::vector<std::size_t>{0});
        points.rows[0].values[0] = 1.395;
        points.rows[1].values[0] = 1.2;
        const QString apart = ui::answerOfBest(points, 0)->words;
        QVERIFY2(apart.startsWith(QStringLiteral("Best speed-up over sequential: 1.400 at")) &&
                     apart.contains(QStringLiteral("the cheapest is 1.395 at")),
                 qPrintable(apart));
        points.rows[0].values[0] = 1.41;
        QVERIFY2(
            ui::answerOfBest(points, 0)->words.contains(QStringLiteral("and the best one is the cheapest of them")),
            qPrintable(ui::answerOfBest(points, 0)->words));
    }

    void withoutAPointThatEndedThereIsNoBest() {
        data::SweepTable points = table();
        for (data::SweepRow& row : points.rows)
            row.state = data::PointState::missing;
        QVERIFY(!ui::answerOfBest(points, 0));
    }
};

RINGSIDE_WINDOW_TEST(TestSweepWords)
#include "tst_sweep_words.moc"
