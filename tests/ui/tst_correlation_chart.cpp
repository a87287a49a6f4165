#include "tests/ui/window_test.h"

#include "data/evaluations/measured_answer.h"
#include "data/store/store.h"
#include "ui/evaluations/correlation.h"
#include "ui/evaluations/evaluation_table.h"
#include "ui/evaluations/evaluations_view.h"

#include <QHelpEvent>
#include <QLabel>
#include <QLineF>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>

using ui::FigureCanvas;

namespace {

/// Returns rows 3 to 5: one 2 times too long, one equal, one on another machine 5 % too short.
std::vector<data::MeasuredPair> somePairs() {
    return {{3, 20e6, 10e6, "nvidia-a100"}, {4, 400e6, 400e6, "nvidia-a100"}, {5, 95e6, 100e6, "nvidia-h100"}};
}

FigureCanvas::Content contentOf(const std::vector<data::MeasuredPair>& pairs) {
    QStringList texts{QStringLiteral("first"), QStringLiteral("second"), QStringLiteral("third")};
    texts.resize(static_cast<qsizetype>(pairs.size()));
    return ui::correlationOf(pairs, "time_ps.total", texts);
}

struct ChartBench {
    ChartBench() {
        chart.setChoosing(FigureCanvas::Choosing::one);
        chart.resize(500, 460);
        chart.showContent(contentOf(somePairs()));
        chart.show();
        QApplication::processEvents();
    }
    void press(int key) { QTest::keyClick(&chart, static_cast<Qt::Key>(key)); }
    /// Returns the position of a pair's mark, which is in the fourth plot, after those of the line and its band.
    std::optional<QPointF> markOf(std::size_t pair) {
        for (std::size_t machine = 0; machine < 2; ++machine) {
            if (const auto box = chart.boxOf(0, pair, machine))
                return box->center();
        }
        return std::nullopt;
    }
    /// Returns the height over x of one of the three lines: equal, 10 % above, 10 % below.
    double lineAt(std::size_t mark, double x) {
        for (const ui::DisplayItem& item : chart.laidOut().list.items) {
            const auto* line = std::get_if<ui::PolylineItem>(&item.shape);
            if (line && item.mark == mark && item.part == ui::FigurePart::mark)
                return QLineF(line->points.front(), line->points.back())
                    .pointAt((x - line->points.front().x()) / (line->points.back().x() - line->points.front().x()))
                    .y();
        }
        return 0;
    }
    bool isInBand(std::size_t pair) {
        const QPointF at = *markOf(pair);
        return at.y() > lineAt(1, at.x()) && at.y() < lineAt(2, at.x());
    }
    FigureCanvas chart{QStringLiteral("correlationChart"), QStringLiteral("Ours over measured")};
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
        const QPointF high = *bench.markOf(0), equal = *bench.markOf(1), low = *bench.markOf(2);
        QVERIFY(std::abs((equal.x() - low.x()) / (low.x() - high.x()) - std::log(4) / std::log(10)) < 1e-6);
        QVERIFY(std::abs(equal.y() - bench.lineAt(0, equal.x())) < 1e-6);
        QVERIFY(!bench.isInBand(0));
        QVERIFY(bench.isInBand(1));
        QVERIFY(bench.isInBand(2));
        QVERIFY(!bench.markOf(3));
    }

    void theBandIsTenPerCentWide() {
        ChartBench bench;
        std::vector<data::MeasuredPair> pairs = somePairs();
        pairs[0].ours = 10.9e6;
        pairs[1].ours = 445e6;
        pairs[2].ours = 91.2e6;
        bench.chart.showContent(contentOf(pairs));
        QVERIFY(bench.isInBand(0));
        QVERIFY(!bench.isInBand(1));
        QVERIFY(bench.isInBand(2));
    }

    void arrowsWalkFromTheLeastToTheGreatestAndEnterOpensTheRun() {
        ChartBench bench;
        const QSignalSpy opened(&bench.chart, &FigureCanvas::opened);
        bench.press(Qt::Key_Return);
        QVERIFY(opened.isEmpty());
        std::vector<std::size_t> pairs;
        for (const int key : {Qt::Key_Home, Qt::Key_Right, Qt::Key_Up, Qt::Key_Right}) {
            bench.press(key);
            pairs.push_back(*bench.chart.chosen());
        }
        QCOMPARE(pairs, (std::vector<std::size_t>{0, 2, 1, 1}));
        QCOMPARE(bench.chart.accessibleDescription(), QStringLiteral("second"));
        bench.press(Qt::Key_Left);
        bench.press(Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front().front().value<std::size_t>(), std::size_t{2});
    }

    void aChartThatIsTooSmallForAPictureHasNoMarkToClick() {
        ChartBench bench;
        const auto clicked = [&](QSize size) {
            bench.chart.resize(size);
            bench.chart.choose(std::nullopt);
            bench.chart.grab();
            QTest::mouseClick(&bench.chart, Qt::LeftButton, {}, bench.markOf(1)->toPoint());
            return bench.chart.chosen();
        };
        const int line = QFontMetrics(bench.chart.font()).height();
        QVERIFY(!clicked(QSize(8, 7) * line));
        QCOMPARE(clicked(QSize(20, 20) * line), std::optional<std::size_t>(1));
        QCOMPARE(clicked(QSize(20, 20) * line), std::optional<std::size_t>(1));
    }

    void aClickChoosesAMarkAndADoubleClickOpensItsRun() {
        ChartBench bench;
        const QSignalSpy chosen(&bench.chart, &FigureCanvas::chosenChanged);
        const QSignalSpy opened(&bench.chart, &FigureCanvas::opened);
        const QPoint place = bench.markOf(0)->toPoint();
        QTest::mouseClick(&bench.chart, Qt::LeftButton, {}, place);
        QCOMPARE(bench.chart.chosen(), std::optional<std::size_t>(0));
        QCOMPARE(chosen.size(), 1);
        QTest::mouseDClick(&bench.chart, Qt::LeftButton, {}, place);
        QCOMPARE(opened.size(), 1);
        QTest::mouseClick(&bench.chart, Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(bench.chart.chosen(), std::optional<std::size_t>(0));
    }

    void aToolTipSaysTheRow() {
        ChartBench bench;
        const QPoint place = bench.markOf(2)->toPoint();
        QHelpEvent help(QEvent::ToolTip, place, bench.chart.mapToGlobal(place));
        QApplication::sendEvent(&bench.chart, &help);
        QCOMPARE(QToolTip::text(), QStringLiteral("third"));
    }

    void aRowThatHasNoMarkAnyMoreIsNotChosen() {
        ChartBench bench;
        bench.chart.choose(std::size_t{2});
        std::vector<data::MeasuredPair> pairs = somePairs();
        pairs.pop_back();
        bench.chart.showContent(contentOf(pairs));
        QVERIFY(!bench.chart.chosen());
        QCOMPARE(bench.chart.accessibleDescription(), QStringLiteral("2 marks"));
    }

    void itCanBeDrawnInBothThemesAndAnySizeAndWithoutRows() {
        ChartBench bench;
        bench.chart.choose(std::size_t{0});
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
        bench.chart.setEmptyText(QStringLiteral("nothing yet"));
        bench.chart.showContent(contentOf({}));
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
        QVERIFY(view.correlation().isVisible() && view.correlation().figure().panels.empty());
        QSignalSpy finished(&view.session(), &ui::EvaluationSession::runFinished);
        view.runMissing();
        QVERIFY(finished.wait(60'000));
        QCOMPARE(view.correlation().figure().panels.size(), std::size_t{1});
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
