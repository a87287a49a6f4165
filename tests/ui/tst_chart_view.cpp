#include "tests/ui/sample_sweep.h"
#include "tests/ui/window_test.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_view.h"
#include "ui/shared/sweep_state.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QToolTip>

using ui::ChartKind;
using ui::ChartSettings;
using ui::Target;

namespace {

/// A chart view with the data that the Sweep view would set.
struct ChartViewBench {
    explicit ChartViewBench(data::SweepTable table, ChartSettings settings = {}, std::size_t metric = 1) {
        view.resize(900, 560);
        if (!table.metrics.empty())
            state.setTable(tests::shared(std::move(table)));
        state.setMetric(metric);
        view.setSettings(settings);
        view.show();
        QApplication::processEvents();
    }
    ui::ChartCanvas& canvas() { return view.canvas(); }
    QImage picture() { return canvas().grab().toImage(); }
    const std::vector<Target>& targets() { return canvas().drawing()->targets(); }
    QPoint placeOf(std::size_t row) {
        for (const Target& target : targets()) {
            if (target.row == row)
                return target.at.toPoint();
        }
        return {-1, -1};
    }
    void move(QPoint to, Qt::MouseButtons buttons = Qt::NoButton) {
        QMouseEvent event(QEvent::MouseMove, QPointF(to), canvas().mapToGlobal(QPointF(to)), Qt::NoButton, buttons,
                          Qt::NoModifier);
        QApplication::sendEvent(&canvas(), &event);
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        move(to, Qt::LeftButton);
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to);
    }
    QString notes() { return canvas().drawing()->notes().join(u' '); }
    QStringList legend() {
        QStringList labels;
        for (const ui::ChartLegendEntry& entry : canvas().drawing()->legend())
            labels << entry.label;
        return labels;
    }

    ui::SweepState state;
    ui::ChartView view{state};
};

/// Returns a flat line of this many points at equal distances.
data::SweepTable flatLine(std::int64_t count) {
    std::vector<std::int64_t> gigabytes;
    for (std::int64_t i = 0; i < count; ++i)
        gigabytes.push_back(100 + i);
    data::SweepTable table = tests::sweepOver({tests::bandwidths(gigabytes)}, {"sequential"});
    for (data::SweepRow& row : table.rows)
        row.values[1] = 2e9;
    return table;
}

/// Returns whether the mark of a point is larger than the width of the line through it.
bool isMarked(ChartViewBench& bench, std::size_t row) {
    const QImage picture = bench.picture();
    const QPoint place = bench.placeOf(row);
    int pixels = 0;
    for (int y = -4; y <= 4; ++y) {
        const QColor there = picture.pixelColor((place + QPoint(0, y)) * picture.devicePixelRatio());
        pixels += ui::contrast(there, ui::paletteOf(bench.canvas()).surface) > 2 ? 1 : 0;  // grid lines are fainter
    }
    return pixels > 4;
}

data::SweepTable fourAxes() {
    return tests::sweepOver({tests::bandwidths({50, 75, 100}), tests::blocks(), tests::degrees(), tests::machines()});
}

}  // namespace

class TestChartView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hoveringAPointSetsTheStateAndShowsAToolTip() {
        ChartViewBench bench(tests::oneAxis());
        bench.move(bench.placeOf(4) + QPoint(3, 2));
        QCOMPARE(bench.state.hovered(), std::optional<std::size_t>(4));
        QVERIFY(QToolTip::text().startsWith(QStringLiteral("T3\nLink: Bandwidth per direction = 75")));
        bench.move({2, 2});
        QVERIFY(!bench.state.hovered());
    }

    void aPointHoveredElsewhereIsMarkedAndThenIsNot() {
        ChartViewBench bench(tests::oneAxis());
        const QImage before = bench.picture();
        bench.state.setHovered(7);
        QVERIFY(bench.picture() != before);
        bench.state.setHovered(std::nullopt);
        QCOMPARE(bench.picture(), before);
    }

    void aDragBrushesWhatItCoversAndAClickBesideLetsGo() {
        ChartViewBench bench(tests::twoAxes(), {.kind = ChartKind::heatMap, .policy = 1});
        const QPoint from = bench.placeOf(1);              // 50 GB/s, a block of 1
        const QPoint to = bench.placeOf((4 + 1) * 3 + 1);  // 75 GB/s, a block of 2
        bench.drag({from.x() - 4, from.y() + 4}, {to.x() + 4, to.y() - 4});
        QCOMPARE(bench.state.brushed(), (std::vector<std::size_t>{1, 4, 13, 16}));
        QTest::mouseClick(&bench.canvas(), Qt::LeftButton, {}, {3, 3});
        QVERIFY(bench.state.brushed().empty());
    }

    void whatIsBrushedElsewhereComesOutOfTheRest() {
        for (const ChartKind kind : ui::kChartKinds) {
            ChartViewBench bench(fourAxes(), {.kind = kind});
            const QImage before = bench.picture();
            bench.state.setBrushed({bench.targets().front().row});
            QVERIFY(bench.picture() != before);
            bench.state.setBrushed({});
            QCOMPARE(bench.picture(), before);
        }
    }

    void aDoubleClickOpensThePoint() {
        ChartViewBench bench(tests::twoAxes(), {.kind = ChartKind::heatMap});
        const QSignalSpy opened(&bench.state, &ui::SweepState::openRequested);
        QTest::mouseDClick(&bench.canvas(), Qt::LeftButton, {}, bench.placeOf(10));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).value<std::size_t>(), std::size_t{10});
        QTest::mouseDClick(&bench.canvas(), Qt::LeftButton, {}, {3, 3});
        QCOMPARE(opened.count(), 1);
    }

    void keysGoFromPointToPointAndOpen() {
        ChartViewBench bench(tests::oneAxis());
        const QSignalSpy opened(&bench.state, &ui::SweepState::openRequested);
        QTest::keyClick(&bench.canvas(), Qt::Key_Right);
        QCOMPARE(bench.state.hovered(), std::optional<std::size_t>(0));
        QTest::keyClick(&bench.canvas(), Qt::Key_Right);
        QCOMPARE(bench.state.table()->rows[*bench.state.hovered()].at[0], std::size_t{1});
        QTest::keyClick(&bench.canvas(), Qt::Key_Return);
        QCOMPARE(opened.count(), 1);
        bench.state.setBrushed({1, 2});
        QTest::keyClick(&bench.canvas(), Qt::Key_Escape);
        QVERIFY(bench.state.brushed().empty());
    }

    void aLoneLineOfManyPointsHasNoMarksAndEachPointIsReachedByKeys() {
        ChartViewBench few(flatLine(12)), many(flatLine(512));
        QVERIFY(isMarked(few, 5));
        QVERIFY(!isMarked(many, 5));
        QCOMPARE(many.targets().size(), std::size_t{512});
        many.canvas().setFocus();
        for (int i = 0; i < 6; ++i)
            QTest::keyClick(&many.canvas(), Qt::Key_Right);
        QVERIFY(many.state.hovered().has_value());
        QVERIFY(isMarked(many, *many.state.hovered()));
    }

    void aPointBetweenGapsKeepsItsMark() {
        data::SweepTable table = flatLine(200);
        tests::forget(table, 99);
        tests::forget(table, 101);
        ChartViewBench bench(std::move(table));
        QVERIFY(isMarked(bench, 100));
    }

    void failedAndMissingPointsHaveAPlaceAndALegendOnlyWhereThereAreSome() {
        auto table = tests::oneAxis();
        tests::fail(table, 4, "the tracker is full");
        tests::forget(table, 8);
        for (const ChartKind kind : {ChartKind::lines, ChartKind::parallel, ChartKind::tornado}) {
            ChartViewBench whole(tests::oneAxis(), {.kind = kind});
            QVERIFY(whole.legend().filter(QStringLiteral("failed")).isEmpty());
            ChartViewBench bench(table, {.kind = kind});
            QVERIFY(bench.legend().contains(QStringLiteral("failed (1)")));
            QVERIFY(bench.legend().contains(QStringLiteral("not run yet (1)")));
            bench.move(bench.placeOf(4));
            QVERIFY(bench.placeOf(8).x() > 0);
        }
        ChartViewBench bench(table);
        bench.move(bench.placeOf(4));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("Failed: the tracker is full")),
                 qPrintable(QToolTip::text()));
    }

    void aFailedCellLooksDifferentFromAMissingOneAndBothFromAValue() {
        const auto pictureWith = [](auto change) {
            auto table = tests::twoAxes();
            change(table);
            ChartViewBench bench(table, {.kind = ChartKind::heatMap, .policy = 1});
            const QRectF cell = std::ranges::find(bench.targets(), std::size_t{1}, &Target::row)->cell;
            return bench.picture().copy(cell.toAlignedRect());
        };
        const QImage value = pictureWith([](auto&) {});
        const QImage failed = pictureWith([](auto& table) { tests::fail(table, 1, "x"); });
        const QImage missing = pictureWith([](auto& table) { tests::forget(table, 1); });
        QVERIFY(value != failed && failed != missing && value != missing);
    }

    void whatALogarithmicAxisCannotHoldIsCounted() {
        auto table = tests::oneAxis();
        table.rows[3].values[1] = 0;
        table.rows[5].values[1] = 0;
        for (const ChartKind kind : {ChartKind::lines, ChartKind::parallel, ChartKind::pareto}) {
            ChartViewBench bench(table, {.kind = kind, .scale = ui::ValueScale::logarithmic});
            QVERIFY2(bench.notes().contains(QStringLiteral("2 points are not above 0")), qPrintable(bench.notes()));
        }
        QVERIFY(ChartViewBench(table, {.scale = ui::ValueScale::linear}).notes().isEmpty());
    }

    void aFrontSaysWhatItCannotShow() {
        auto table = tests::sweepOver({tests::blocks()}, {"t3", "ideal-overlap"});
        tests::fail(table, 0, "x");
        ChartViewBench bench(table, {.kind = ChartKind::pareto, .against = 2});
        QCOMPARE(bench.notes(), QStringLiteral("Not shown: 1 failed, 4 without one of the metrics."));
        QCOMPARE(bench.targets().size(), std::size_t{3});
    }

    void boundsWithoutTrafficAreNamedAndLeaveTheLegend() {
        ChartViewBench bench(tests::sweepOver({tests::blocks()}, {"t3", "ideal-overlap"}), {}, 2);
        QVERIFY(bench.notes().endsWith(QStringLiteral("Ideal-GEMM-RS-Overlap.")));
        QVERIFY(!bench.legend().contains(QStringLiteral("Ideal-GEMM-RS-Overlap")));
        QVERIFY(bench.legend().contains(QStringLiteral("T3")));
    }

    void theLegendHasTheSeriesOfTheFigureInTheirOrder() {
        for (const ChartKind kind : {ChartKind::lines, ChartKind::pareto, ChartKind::tornado}) {
            ChartViewBench bench(tests::oneAxis(), {.kind = kind, .policy = 1});
            const data::FigureSpec figure = bench.canvas().figure()->figure;
            QStringList names;
            for (const data::FigureMark& mark : figure.panels.front().marks) {
                if (const auto* lines = std::get_if<data::LineMark>(&mark)) {
                    for (const data::FigureSeries& series : lines->series)
                        names << QString::fromStdString(series.name);
                } else {
                    for (const data::FigureBar& bar : std::get<data::BarMark>(mark).bars)
                        names << QString::fromStdString(bar.stack.front().name);
                }
            }
            QVERIFY(names.size() >= 2);
            QCOMPARE(bench.legend().mid(0, names.size()), names);
        }
    }

    void everyPointOfASweepOfThreeAxesCanBePointedAt() {
        const auto table = tests::sweepOver({tests::bandwidths({50, 75, 100}), tests::blocks(), tests::degrees()});
        ChartViewBench bench(table);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            QVERIFY(bench.placeOf(row).x() >= 0);
    }

    void ofThousandsOfPointsEachCanBePointedAt() {
        std::vector<std::int64_t> many;
        for (std::int64_t i = 1; i <= 7000; ++i)
            many.push_back(i);
        for (const ChartKind kind : {ChartKind::lines, ChartKind::pareto}) {
            ChartViewBench bench(tests::sweepOver({tests::bandwidths(many)}, {"t3"}), {.kind = kind});
            QCOMPARE(bench.targets().size(), many.size());
            bench.move(bench.placeOf(3500));
            QVERIFY(bench.state.hovered().has_value());
            const QImage before = bench.picture();
            bench.state.setBrushed({3500});
            QVERIFY(bench.picture() != before);
        }
    }

    void theMarkerOfAPointIsAtItsPlace() {
        for (const ChartKind kind : {ChartKind::lines, ChartKind::pareto}) {
            ChartViewBench bench(tests::oneAxis(), {.kind = kind});
            const QImage picture = bench.picture();
            for (std::size_t row = 0; row < bench.targets().size(); ++row) {
                const QColor there = picture.pixelColor(bench.placeOf(row) * picture.devicePixelRatio());
                QVERIFY(ui::contrast(there, ui::paletteOf(bench.canvas()).surface) > 2);
            }
        }
    }

    void panelsOfALowChartStandBesideEachOther() {
        ChartViewBench bench(tests::sweepOver({tests::bandwidths({50, 75}), tests::blocks(),
                                               tests::bandwidths({1, 2, 3, 4, 5, 6, 7, 8})}),
                             {.kind = ChartKind::smallMultiples, .across = 0, .second = 1, .panels = 2});
        bench.canvas().resize(1200, 170);
        QVERIFY(!bench.targets().empty());
    }

    void aChartWithoutRoomSaysSo() {
        ChartViewBench bench(tests::oneAxis(), {.kind = ChartKind::tornado});
        bench.canvas().resize(400, 90);
        QVERIFY(!bench.picture().isNull());
        QVERIFY(bench.targets().empty());
    }

    void withoutASweepOrAResultTheNextStepStandsThere() {
        ChartViewBench none({});
        QVERIFY(none.canvas().emptyText().contains(QStringLiteral("no sweep yet")));
        QVERIFY(none.canvas().drawing() == nullptr);
        QTest::keyClick(&none.canvas(), Qt::Key_Right);
        QTest::mouseClick(&none.canvas(), Qt::LeftButton, {}, {50, 50});
        auto waiting = tests::oneAxis();
        for (std::size_t row = 0; row < waiting.rows.size(); ++row)
            tests::forget(waiting, row);
        ChartViewBench bench(waiting);
        QVERIFY(bench.canvas().emptyText().startsWith(QStringLiteral("None of the 18 points has run yet.")));
        bench.state.setTable(tests::shared(tests::oneAxis()));
        QVERIFY(bench.canvas().emptyText().isEmpty());
        QVERIFY(bench.canvas().drawing() != nullptr);
    }

    void everyKindOfChartCanBeDrawnInAnySizeAndOfAnySweep() {
        auto broken = fourAxes();
        for (std::size_t row = 0; row < broken.rows.size(); row += 3)
            row % 2 == 0 ? tests::fail(broken, row, "x") : tests::forget(broken, row);
        auto constant = tests::twoAxes();
        for (data::SweepRow& row : constant.rows)
            row.values = {1.0, 0.0, -5.0};
        const auto one = tests::sweepOver({tests::bandwidths({75})}, {"t3"});
        auto lonely = tests::oneAxis();
        for (std::size_t row = 1; row < lonely.rows.size(); ++row)
            tests::forget(lonely, row);
        for (const auto& table : {broken, constant, one, lonely, tests::sweepOver({})}) {
            for (const ChartKind kind : ui::kChartKinds) {
                ChartViewBench bench(table, {.kind = kind, .published = true}, 0);
                for (const QSize size : {QSize(0, 0), QSize(1, 400), QSize(60, 60), QSize(300, 140)}) {
                    bench.canvas().resize(size);
                    bench.state.setBrushed({0});
                    QVERIFY(size.isEmpty() || !bench.picture().isNull());
                }
            }
        }
    }

    void aTableWithOtherAxesReplacesTheChart() {
        ChartViewBench bench(fourAxes(), {.across = 2, .held = {1, 1, 1, 1}});
        bench.state.setTable(tests::shared(tests::oneAxis()));
        QVERIFY(!bench.picture().isNull());
        QCOMPARE(bench.targets().size(), std::size_t{18});
        bench.state.setTable(nullptr);
        QVERIFY(bench.canvas().drawing() == nullptr);
    }

    void theChoosersThatMeanNothingAreNotThere() {
        ChartViewBench bench(tests::oneAxis());
        const auto shown = [&] {
            QStringList names;
            for (const QComboBox* box : bench.view.findChildren<QComboBox*>()) {
                if (box->isVisible())
                    names << box->accessibleName();
            }
            return names;
        };
        QCOMPARE(shown(), QStringList({"Chart", "Metric", "Scale"}));
        bench.state.setTable(tests::shared(fourAxes()));
        QCOMPARE(shown(), QStringList({"Chart", "Metric", "X axis", "Colour", "Panels", "Machine", "Scale"}));
    }

    void aChooserChangesTheChartAndSaysSo() {
        ChartViewBench bench(tests::twoAxes());
        const QSignalSpy changed(&bench.view, &ui::ChartView::settingsChanged);
        const QImage before = bench.picture();
        auto* kind = bench.view.findChildren<QComboBox*>().front();
        kind->setCurrentIndex(kind->findText(QStringLiteral("Heat map")));
        Q_EMIT kind->activated(kind->currentIndex());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(bench.view.settings().kind, std::optional(ChartKind::heatMap));
        QVERIFY(bench.picture() != before);
    }

    void publishedFiguresAreOfferedForSpeedUpsOnly() {
        ChartViewBench bench(tests::oneAxis(), {}, 0);
        auto* published = bench.view.findChild<QCheckBox*>();
        QVERIFY(published->isVisible());
        const QImage before = bench.picture();
        published->click();
        QVERIFY(bench.picture() != before);
        bench.state.setMetric(1);
        QVERIFY(!published->isVisible());
    }

    void bothThemesAreDrawnInTheirOwnColours() {
        ChartViewBench bench(tests::twoAxes());
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            bench.view.setPalette(ui::widgetPalette(theme));
            QCOMPARE(bench.picture().pixelColor(2, 2), ui::paletteOf(theme).surface);
        }
    }

    void aScreenReaderHearsHowFarTheSweepIs() {
        auto table = tests::oneAxis();
        tests::fail(table, 4, "x");
        ChartViewBench bench(table);
        QVERIFY(
            bench.canvas().accessibleDescription().startsWith(QStringLiteral("17 of 18 points are done, 1 failed.")));
    }
};

RINGSIDE_WINDOW_TEST(TestChartView)
#include "tst_chart_view.moc"
