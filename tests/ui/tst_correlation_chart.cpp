#include "tests/ui/window_test.h"

#include "data/evaluations/measured_answer.h"
#include "data/store/store.h"
#include "ui/evaluations/correlation_chart.h"
#include "ui/evaluations/evaluation_table.h"
#include "ui/evaluations/evaluations_view.h"

#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>

using ui::CorrelationChart;

namespace {

/// Returns rows 3 to 5: one 2 times too long, one equal, one on another machine 5 % too short.
ui::CorrelationFacts someFacts() {
    ui::CorrelationFacts facts;
    facts.pairs = {{3, 20e6, 10e6, "nvidia-a100"}, {4, 400e6, 400e6, "nvidia-a100"}, {5, 95e6, 100e6, "nvidia-h100"}};
    facts.texts = {QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third")};
    facts.metric = "time_ps.total";
    return facts;
}

struct ChartBench {
    ChartBench() {
        chart.resize(500, 460);
        chart.showFacts(someFacts());
        chart.show();
        QApplication::processEvents();
    }
    void press(int key) { QTest::keyClick(&chart, static_cast<Qt::Key>(key)); }
    CorrelationChart chart;
};

data::Evaluation smallEvaluation() {
    data::EvaluationReading reading = data::readEvaluation(
        R"({ "format": "ringside-evaluation", "version": 1, "title": "Rows", "measured": [ { "id": "rows", "file": "rows.csv",
        "base": { "workload": { "sublayer": "gemm" }, "matrix": { "m": 256, "n": 256 }, "detail": { "level": "interactive" } },
        "policy": "sequential", "metric": "time_ps.total", "unit": "µs", "label": "derived", "role": "visible",
        "targets": [ { "each": "1 %" } ] } ] })",
        "test", nullptr,
        [](const std::string&, engine::Problems&) { return "matrix.k,value\n256,4\n512,8\n1024,16\n"; });
    if (!reading.problems.empty())
        qFatal("%s", engine::describe(reading.problems.front()).c_str());
    return std::move(reading.evaluation);
}

}  // namespace

class TestCorrelationChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMarkStandsAtTheLogarithmsAndAnEqualOneOnTheDiagonal() {
        ChartBench bench;
        const QPointF high = *bench.chart.markOf(3), equal = *bench.chart.markOf(4), low = *bench.chart.markOf(5);
        QVERIFY(std::abs((equal.x() - low.x()) / (low.x() - high.x()) - std::log(4) / std::log(10)) < 1e-6);
        const QPolygonF band = bench.chart.band();
        QVERIFY(!band.containsPoint(high, Qt::OddEvenFill));
        QVERIFY(band.containsPoint(equal, Qt::OddEvenFill));
        QVERIFY(band.containsPoint(low, Qt::OddEvenFill));
        QVERIFY(!bench.chart.markOf(2));
    }

    void theBandIsTenPerCentWide() {
        ChartBench bench;
        ui::CorrelationFacts facts = someFacts();
        facts.pairs[0].ours = 10.9e6;
        facts.pairs[1].ours = 445e6;
        facts.pairs[2].ours = 91.2e6;
        bench.chart.showFacts(facts);
        QVERIFY(bench.chart.band().containsPoint(*bench.chart.markOf(3), Qt::OddEvenFill));
        QVERIFY(!bench.chart.band().containsPoint(*bench.chart.markOf(4), Qt::OddEvenFill));
        QVERIFY(bench.chart.band().containsPoint(*bench.chart.markOf(5), Qt::OddEvenFill));
    }

    void arrowsWalkFromTheLeastToTheGreatestAndEnterOpensTheRun() {
        ChartBench bench;
        const QSignalSpy opened(&bench.chart, &CorrelationChart::openRequested);
        bench.press(Qt::Key_Return);
        QVERIFY(opened.isEmpty());
        std::vector<std::size_t> rows;
        for (const int key : {Qt::Key_Home, Qt::Key_Right, Qt::Key_Up, Qt::Key_Right}) {
            bench.press(key);
            rows.push_back(*bench.chart.chosen());
        }
        QCOMPARE(rows, (std::vector<std::size_t>{3, 5, 4, 4}));
        QCOMPARE(bench.chart.accessibleDescription(), QStringLiteral("second"));
        bench.press(Qt::Key_Left);
        bench.press(Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front().front().value<std::size_t>(), std::size_t{5});
    }

    void aChartThatIsTooSmallForAPictureHasNoMarkToClick() {
        ChartBench bench;
        const auto clicked = [&](QSize size) {
            bench.chart.resize(size);
            bench.chart.choose(std::nullopt);
            bench.chart.grab();
            QTest::mouseClick(&bench.chart, Qt::LeftButton, {}, bench.chart.markOf(4)->toPoint());
            return bench.chart.chosen();
        };
        const int line = QFontMetrics(bench.chart.font()).height();
        QVERIFY(!clicked(QSize(13, 12) * line - QSize(8, 8)));
        QCOMPARE(clicked(QSize(20, 20) * line), std::optional<std::size_t>(4));
    }

    void aClickChoosesAMarkAndADoubleClickOpensItsRun() {
        ChartBench bench;
        const QSignalSpy chosen(&bench.chart, &CorrelationChart::chosenChanged);
        const QSignalSpy opened(&bench.chart, &CorrelationChart::openRequested);
        const QPoint place = bench.chart.markOf(3)->toPoint();
        QTest::mouseClick(&bench.chart, Qt::LeftButton, {}, place);
        QCOMPARE(bench.chart.chosen(), std::optional<std::size_t>(3));
        QCOMPARE(chosen.size(), 1);
        QTest::mouseDClick(&bench.chart, Qt::LeftButton, {}, place);
        QCOMPARE(opened.size(), 1);
        QTest::mouseClick(&bench.chart, Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(bench.chart.chosen(), std::optional<std::size_t>(3));
    }

    void aToolTipSaysTheRow() {
        ChartBench bench;
        const QPoint place = bench.chart.markOf(5)->toPoint();
        QHelpEvent help(QEvent::ToolTip, place, bench.chart.mapToGlobal(place));
        QApplication::sendEvent(&bench.chart, &help);
        QCOMPARE(QToolTip::text(), QStringLiteral("third"));
    }

    void aRowThatHasNoMarkAnyMoreIsNotChosen() {
        ChartBench bench;
        bench.chart.choose(std::size_t{5});
        ui::CorrelationFacts facts = someFacts();
        facts.pairs.pop_back();
        facts.texts.pop_back();
        bench.chart.showFacts(facts);
        QVERIFY(!bench.chart.chosen());
        QCOMPARE(bench.chart.accessibleDescription(), QStringLiteral("2 marks"));
    }

    void itCanBeDrawnInBothThemesAndAnySizeAndWithoutRows() {
        ChartBench bench;
        bench.chart.choose(std::size_t{3});
        QImage before;
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            bench.chart.setPalette(ui::widgetPalette(theme));
            for (const QSize size : {QSize(280, 220), QSize(1400, 1000)}) {
                bench.chart.resize(size);
                const QImage now = bench.chart.grab().toImage();
                QVERIFY(now != before);
                before = now;
            }
        }
        bench.chart.showFacts({{}, {}, "time_ps.total", QStringLiteral("nothing yet")});
        QVERIFY(bench.chart.grab().toImage() != before);
    }

    void tableAndPictureChooseTheSameRowAndAMarkOpensItsPoint() {
        const QTemporaryDir folder;
        ui::EvaluationsView view(
            ui::EvaluationSessionConfig{folder.filePath(QStringLiteral("store.sqlite")).toStdString(), 1, {}});
        view.resize(1200, 700);
        view.addFile(QStringLiteral("rows.json"), smallEvaluation());
        QSignalSpy shown(&view, &ui::EvaluationsView::rowsShown);
        view.show();
        QVERIFY(shown.wait(20'000));
        QVERIFY(view.correlation().isVisible() && view.correlation().facts().pairs.empty());
        QSignalSpy finished(&view.session(), &ui::EvaluationSession::runFinished);
        view.runMissing();
        QVERIFY(finished.wait(60'000));
        QCOMPARE(view.correlation().facts().pairs.size(), std::size_t{3});
        view.table().choose(2);
        QCOMPARE(view.correlation().chosen(), std::optional<std::size_t>(2));
        QTest::keyClick(&view.correlation(), Qt::Key_Home);
        QCOMPARE(view.table().chosen(), std::optional<std::size_t>(0));
        const QString answers = view.findChild<QLabel*>(QStringLiteral("evaluationAnswers"))->text();
        QVERIFY2(answers.contains(QStringLiteral("3 rows: bias")) &&
                     answers.contains(QStringLiteral("Target does not hold")),
                 qPrintable(answers));
        const QSignalSpy points(&view, &ui::EvaluationsView::pointsRequested);
        QTest::keyClick(&view.correlation(), Qt::Key_Return);
        QCOMPARE(points.size(), 1);
        QVERIFY(view.figure());
        QVERIFY(view.showBundled(QStringLiteral("zero")));
        QVERIFY(!view.correlation().isVisible());
    }
};

RINGSIDE_WINDOW_TEST(TestCorrelationChart)
#include "tst_correlation_chart.moc"
