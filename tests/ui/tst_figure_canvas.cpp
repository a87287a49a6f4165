#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/drawing/figure_canvas.h"
#include "ui/look/palette.h"

#include <QHelpEvent>
#include <QImage>
#include <QSignalSpy>
#include <QToolTip>

#include <map>
#include <string>
#include <tuple>

using data::FigureSpec;
using ui::FigureCanvas;

namespace {

data::FigurePanel barsPanel() {
    data::FigurePanel panel;
    panel.y.title = "Time";
    panel.y.unit = "ms";
    panel.categories.labels = {"first", "second", "third"};
    panel.marks = {data::BarMark{
        {{"", {{"GEMM", "gemm", {3, 2, std::nullopt}, {}, {}, 0}, {"Link", "link", {1, 4, std::nullopt}, {}, {}, 0}}}},
        false}};
    panel.references = {{4, "Limit: 4", "", {}, {}}};
    return panel;
}

data::FigurePanel pointsPanel() {
    data::FigurePanel panel;
    panel.x.title = "Size";
    panel.y.title = "Count";
    panel.marks = {data::LineMark{{1, 2, 3}, {{"one", "series/0", {1, 2, 3}, {}, {}, 0}}, true, false}};
    return panel;
}

FigureSpec twoPanels() {
    FigureSpec figure;
    figure.columns = 0;
    figure.panels = {pointsPanel(), barsPanel()};
    return figure;
}

/// The items of a figure without places and colours: the values that are drawn, and how often.
std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::string>, int>
valuesIn(const ui::LaidOutFigure& laidOut) {
    std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::string>, int> values;
    for (const ui::DisplayItem& item : laidOut.list.items) {
        if (item.value && item.part == ui::FigurePart::mark)
            ++values[{*item.panel, item.value->row, item.value->series, item.meaning.toStdString()}];
    }
    return values;
}

struct CanvasBench {
    explicit CanvasBench(std::optional<ui::RowOptions> rows = ui::RowOptions()) {
        canvas.resize(700, 400);
        FigureCanvas::Content content;
        content.figure.panels = {barsPanel()};
        content.rows = std::move(rows);
        content.choices = {QStringLiteral("first: 4 ms; GEMM 3"), QStringLiteral("second: 6 ms"),
                           QStringLiteral("third: not known")};
        canvas.showContent(std::move(content));
        canvas.show();
    }
    QString tipAt(QPointF place) {
        QHelpEvent help(QEvent::ToolTip, place.toPoint(), canvas.mapToGlobal(place.toPoint()));
        QApplication::sendEvent(&canvas, &help);
        return QToolTip::text();
    }

    FigureCanvas canvas{QStringLiteral("bars"), QStringLiteral("Times")};
    QSignalSpy changed{&canvas, &FigureCanvas::chosenChanged};
};

}  // namespace

class TestFigureCanvas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paperAndScreenHaveTheSameItems() {
        const FigureSpec figure = twoPanels();
        QVERIFY(data::problemsOf(figure).empty() || figure.name.empty());
        const auto paper = valuesIn(ui::layOut(figure));
        QVERIFY(paper.size() == 7);
        for (const auto& rows : {std::optional<ui::RowOptions>(), std::optional(ui::RowOptions())}) {
            for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark})
                QCOMPARE(valuesIn(ui::layOut(figure, ui::ScreenSheet{{800, 400}, 13, theme, rows})), paper);
        }
    }

    void barsInRowsBeginAtZeroAndShareOneScale() {
        CanvasBench bench;
        const QRectF first = *bench.canvas.boxOf(0, 0, 0), second = *bench.canvas.boxOf(0, 1, 0);
        QCOMPARE(first.left(), second.left());
        QVERIFY(std::abs(first.width() / second.width() - 1.5) < 1e-9);
        QCOMPARE(bench.canvas.boxOf(0, 0, 1)->left(), first.right());
        QVERIFY(first.bottom() < second.top());
        QVERIFY(!bench.canvas.boxOf(0, 2, 0));
    }

    void thePlaceOfAPanelSaysWhereItsValuesAre() {
        const ui::LaidOutFigure laidOut =
            ui::layOut(twoPanels(), ui::ScreenSheet{{800, 400}, 13, {}, ui::RowOptions()});
        int markers = 0;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            const auto* marker = std::get_if<ui::EllipseItem>(&item.shape);
            if (marker == nullptr || !item.value)
                continue;
            const double value = 1 + static_cast<double>(item.value->row);
            QVERIFY(QLineF(*laidOut.panels[0].at(value, value), marker->box.center()).length() < 1e-6);
            ++markers;
        }
        QCOMPARE(markers, 3);
        for (const ui::DisplayItem& item : laidOut.list.items) {
            const auto* bar = std::get_if<ui::RectItem>(&item.shape);
            if (bar == nullptr || item.value != ui::ItemValue{1, 1})
                continue;
            const QPointF end = *laidOut.panels[1].at(1, 6);  // 2 ms and 4 ms in the second row
            QVERIFY(std::abs(end.x() - bar->box.right()) < 1e-6 && std::abs(end.y() - bar->box.center().y()) < 1e-6);
        }
        QVERIFY(!laidOut.panels[1].at(3, 1));
    }

    void aStripSeparatesThePlotFromTheTextsBelowIt() {
        FigureSpec figure;
        figure.panels = {pointsPanel()};
        ui::ScreenSheet sheet{{400, 300}, 13, {}};
        for (const double strip : {0.0, 30.0}) {
            sheet.strip = strip;
            const ui::LaidOutFigure laidOut = ui::layOut(figure, sheet);
            double top = 1e9;
            for (const ui::DisplayItem& item : laidOut.list.items) {
                const auto* text = std::get_if<ui::TextItem>(&item.shape);
                if (text != nullptr && text->align == ui::TextAlign::centre && text->angle == 0)
                    top = std::min(top, text->box().top());
            }
            const double below = top - laidOut.panels[0].plot.bottom();
            QVERIFY(below >= strip && below < strip + 20);
            QVERIFY(laidOut.shortfalls.empty());
        }
    }

    void ticksOfTheAuthorThatDoNotFitAreLeftOutOnTheScreen() {
        FigureSpec figure;
        figure.panels = {pointsPanel()};
        figure.panels[0].x.ticks = {1, 1.05, 1.1, 2, 2.05, 3};
        const ui::LaidOutFigure laidOut = ui::layOut(figure, ui::ScreenSheet{{300, 300}, 13, {}});
        QCOMPARE(laidOut.panels[0].x.ticks, (std::vector<double>{1, 2, 3}));
        QCOMPARE(ui::layOut(figure, ui::ScreenSheet{{3000, 300}, 13, {}}).panels[0].x.ticks, figure.panels[0].x.ticks);
    }

    void thousandsOfPointsAreTheDotsOfOneImage() {
        FigureSpec figure;
        figure.panels = {pointsPanel()};
        auto& mark = std::get<data::LineMark>(figure.panels[0].marks.front());
        for (int i = 0; i < 5000; ++i) {
            mark.x.push_back(1 + i / 2500.0);
            mark.series.front().values.emplace_back(1 + (i * 37 % 5000) / 2500.0);
        }
        const ui::LaidOutFigure laidOut = ui::layOut(figure, ui::ScreenSheet{{600, 400}, 13, {}});
        int images = 0;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            if (item.part != ui::FigurePart::mark)
                continue;
            const auto* image = std::get_if<ui::ImageItem>(&item.shape);
            QVERIFY(image != nullptr);
            const QPointF middle = *laidOut.panels[0].at(2, 2) - image->box.topLeft();
            const QPoint dot(static_cast<int>(middle.x() * image->image.width() / image->box.width()),
                             static_cast<int>(middle.y() * image->image.height() / image->box.height()));
            QVERIFY(image->image.pixelColor(dot).alpha() == 255);
            ++images;
        }
        QCOMPARE(images, 1);
    }

    void anAnnotationStandsInItsRow() {
        FigureSpec figure;
        figure.panels = {barsPanel()};
        figure.panels[0].annotations = {{0, 4, "the end"}};
        const ui::LaidOutFigure laidOut = ui::layOut(figure, ui::ScreenSheet{{700, 400}, 13, {}, ui::RowOptions()});
        QRectF box;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            const auto* text = std::get_if<ui::TextItem>(&item.shape);
            box = text != nullptr && item.part == ui::FigurePart::annotation ? text->box() : box;
        }
        QVERIFY(laidOut.panels[0].rows[0].contains(box.center()));
        QVERIFY(box.left() > laidOut.panels[0].at(0, 4)->x());
    }

    void aPlaceAnswersWhichValueItShows() {
        for (const auto& rows : {std::optional<ui::RowOptions>(), std::optional(ui::RowOptions())}) {
            CanvasBench bench(rows);
            const auto hit = bench.canvas.hitAt(bench.canvas.boxOf(0, 1, 1)->center());
            QVERIFY(hit && hit->row == 1 && hit->series == 1U);
            QVERIFY(!bench.canvas.hitAt({1, 1}));
        }
        CanvasBench bench;
        const QPointF beside(4, bench.canvas.boxOf(0, 0, 0)->center().y());
        const auto row = bench.canvas.hitAt(beside + QPointF(20, 0));
        QVERIFY(row && row->row == 0 && !row->series);
    }

    void keysAndClicksChooseAndAScreenReaderHearsIt() {
        CanvasBench bench;
        QTest::keyClick(&bench.canvas, Qt::Key_Down);
        QTest::keyClick(&bench.canvas, Qt::Key_Down);
        QCOMPARE(bench.canvas.chosen(), std::optional(std::size_t{1}));
        QCOMPARE(bench.canvas.accessibleDescription(), QStringLiteral("second: 6 ms"));
        QTest::keyClick(&bench.canvas, Qt::Key_Up);
        QCOMPARE(bench.canvas.chosen(), std::optional(std::size_t{0}));
        QTest::keyClick(&bench.canvas, Qt::Key_End);
        QCOMPARE(bench.canvas.chosen(), std::optional(std::size_t{2}));
        QTest::mouseClick(&bench.canvas, Qt::LeftButton, {}, bench.canvas.boxOf(0, 1, 0)->center().toPoint());
        QCOMPARE(bench.canvas.chosen(), std::optional(std::size_t{1}));
        QCOMPARE(bench.changed.count(), 5);
        bench.canvas.choose(std::nullopt);
        QCOMPARE(bench.canvas.accessibleDescription(),
                 QStringLiteral("first: 4 ms; GEMM 3. second: 6 ms. third: not known"));
    }

    void whatCannotBeChosenStillHasATip() {
        CanvasBench bench;
        bench.canvas.setChoosing(FigureCanvas::Choosing::nothing);
        const QPointF place = bench.canvas.boxOf(0, 0, 0)->center();
        QTest::mouseClick(&bench.canvas, Qt::LeftButton, {}, place.toPoint());
        QTest::keyClick(&bench.canvas, Qt::Key_Down);
        QVERIFY(!bench.canvas.chosen());
        QCOMPARE(bench.tipAt(place), QStringLiteral("first: 4 ms\nGEMM 3"));
    }

    void withoutWordsOfItsOwnTheTableSpeaks() {
        FigureCanvas canvas(QStringLiteral("bars"), QStringLiteral("Times"));
        FigureCanvas::Content content;
        content.figure.panels = {barsPanel()};
        canvas.showContent(std::move(content));
        canvas.choose(std::size_t{1});
        QCOMPARE(canvas.accessibleDescription(), QStringLiteral("category: second; GEMM: 2; Link: 4"));
    }

    void panelsShareTheirChoices() {
        FigureCanvas canvas(QStringLiteral("bars"), QStringLiteral("Times"));
        canvas.resize(900, 400);
        FigureCanvas::Content content;
        content.figure = twoPanels();
        content.rows.emplace();
        content.choices = {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        content.choiceOfRow = {{2, 1, 0}};
        canvas.showContent(std::move(content));
        canvas.show();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.boxOf(0, 0, 0)->center().toPoint());
        QCOMPARE(canvas.chosen(), std::optional(std::size_t{2}));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.boxOf(1, 0, 0)->center().toPoint());
        QCOMPARE(canvas.chosen(), std::optional(std::size_t{0}));
    }

    // A paint must stay cheap: a picture is laid out again only for another size, font, theme or figure.
    void aPaintDoesNotLayOutAgain() {
        CanvasBench bench;
        const ui::LaidOutFigure* before = &bench.canvas.laidOut();
        const ui::DisplayItem* items = before->list.items.data();
        bench.canvas.choose(std::size_t{1});
        bench.canvas.grab();
        QCOMPARE(bench.canvas.laidOut().list.items.data(), items);
        bench.canvas.setPalette(ui::widgetPalette(ui::Theme::dark));
        QVERIFY(bench.canvas.laidOut().list.items.front().part == ui::FigurePart::background);
        QCOMPARE(std::get<ui::RectItem>(bench.canvas.laidOut().list.items.front().shape).fill->colour,
                 ui::paletteOf(ui::Theme::dark).surface);
    }

    void columnsGapsAndAFarReferenceAreWrittenBesideTheRows() {
        ui::RowOptions rows;
        rows.columns = {{QStringLiteral("total"), {{QStringLiteral("4 ms")}, {QStringLiteral("6 ms")}}}};
        rows.gaps = {{}, {}, QStringLiteral("not computed")};
        FigureSpec figure;
        figure.panels = {barsPanel()};
        figure.panels.front().references.front().value = 1000;
        const ui::LaidOutFigure laidOut = ui::layOut(figure, ui::ScreenSheet{{700, 300}, 13, {}, rows});
        QStringList words;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            if (const auto* text = std::get_if<ui::TextItem>(&item.shape)) {
                words << text->text;
                QVERIFY2(QRectF(0, 0, 700, 300).contains(text->box()), qPrintable(text->text));
            }
        }
        for (const char* part : {"total", "4 ms", "6 ms", "not computed", "Limit: 4 →", "first", "Time (ms)"})
            QVERIFY2(words.contains(QString::fromUtf8(part)), part);
    }

    void panelsSideBySideShareTheNamesOfTheirRowsAndHaveHeadsAndColumnsOfTheirOwn() {
        FigureSpec figure;
        figure.columns = 0;
        figure.panels = {barsPanel(), barsPanel()};
        ui::RowOptions rows;
        rows.axis = false;
        for (const char* name : {"left", "right"}) {
            rows.columns.push_back({QLatin1String(name), {{QStringLiteral("4 ms")}}, {}, rows.columns.size()});
            rows.heads.push_back({{QStringLiteral("a title for which no panel of this size has any room at all"),
                                   QStringLiteral("brief %1").arg(QLatin1String(name))},
                                  QStringLiteral("one, two, three, four, five, six, seven, eight, nine, ten, eleven, "
                                                 "twelve, thirteen, fourteen, fifteen, sixteen, seventeen")});
        }
        const ui::LaidOutFigure laidOut = ui::layOut(figure, ui::ScreenSheet{{640, 300}, 13, {}, rows});
        QStringList words;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            if (const auto* text = std::get_if<ui::TextItem>(&item.shape)) {
                words << text->text;
                QVERIFY2(QRectF(0, 0, 640, 300).contains(text->box()), qPrintable(text->text));
            }
        }
        for (const char* once : {"first", "left", "right", "brief left", "brief right"})
            QCOMPARE(words.count(QLatin1String(once)), 1);
        QCOMPARE(words.count(QStringLiteral("4 ms")), 2);
        QVERIFY(words.filter(QStringLiteral(" …")).size() == 2 && !words.join(u' ').contains("seventeen"));
        const auto& panels = laidOut.panels;
        QVERIFY(panels[0].rows.front().left() < panels[0].plot.left() - 30);
        QVERIFY(panels[1].rows.front().left() > panels[1].plot.left() - 10);
    }

    void ofTwoMarkersUnderThePointerTheSmallerOneAnswersAndEqualOnesAreMovedApart() {
        FigureSpec figure;
        data::LineMark points;
        points.x = {1, 1, 5, 5};
        points.series = {{"A", "gemm", {1.0, 1.0, 5.0, 5.0}, {}, {}, 0}};
        points.joined = false;
        points.sizes = {1, 100, 50, 50};
        figure.panels.emplace_back().marks = {points};
        FigureCanvas canvas(QStringLiteral("points"), QStringLiteral("Points"));
        canvas.resize(500, 400);
        FigureCanvas::Content content;
        content.figure = figure;
        canvas.showContent(std::move(content));
        const QRectF large = *canvas.boxOf(0, 1, 0), small = *canvas.boxOf(0, 0, 0);
        QVERIFY(large.contains(small));
        const auto rowAt = [&](QPointF place) { return canvas.hitAt(place)->row; };
        QCOMPARE(rowAt(small.center()), std::size_t{0});
        QCOMPARE(rowAt(large.center() - QPointF(large.width() / 2 - 1, 0)), std::size_t{1});
        const QPointF apart = canvas.boxOf(0, 3, 0)->center() - canvas.boxOf(0, 2, 0)->center();
        QVERIFY(apart.x() > 2);
        QCOMPARE(apart.y(), 0.0);
    }

    void aStepOfAWaterfallIsVisibleHoweverSmall() {
        FigureSpec figure;
        data::FigurePanel& panel = figure.panels.emplace_back();
        panel.categories.labels = {"large", "small", "none"};
        panel.marks = {data::BarMark{{{"", {{"A", "gemm", {1e6, 1.0, 0.0}, {}, {}, 0}}, {0, 1e6, 1e6 + 1}}}}};
        const ui::LaidOutFigure laidOut = ui::layOut(figure, ui::ScreenSheet{{500, 300}, 13, {}, ui::RowOptions()});
        std::vector<double> widths;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            if (const auto* bar = std::get_if<ui::RectItem>(&item.shape); bar && item.part == ui::FigurePart::mark)
                widths.push_back(bar->box.width());
        }
        QVERIFY(widths.size() == 3 && widths[0] > 100 && widths[1] >= 1 && widths[2] == 0);
    }

    // Thousands of bars, as of a long pipeline, are not kept as one picture.
    void aPictureThatIsTooHighToKeepIsDrawnInParts() {
        FigureCanvas canvas(QStringLiteral("bars"), QStringLiteral("Times"));
        FigureCanvas::Content content;
        data::FigurePanel& panel = content.figure.panels.emplace_back(barsPanel());
        auto& stack = std::get<data::BarMark>(panel.marks.front()).bars.front().stack;
        panel.categories.labels.resize(5000, "stage");
        for (data::FigureSeries& series : stack)
            series.values.resize(5000, 2);
        content.rows.emplace();
        canvas.showContent(std::move(content));
        canvas.resize(600, canvas.minimumSizeHint().height());
        QVERIFY(canvas.height() > 50'000);
        const QRectF bar = *canvas.boxOf(0, 4000, 0);
        QImage part(600, 200, QImage::Format_RGB32);
        canvas.render(&part, {}, QRegion(0, int(bar.top()) - 100, 600, 200));
        QCOMPARE(part.pixelColor(int(bar.center().x()), 100 + int(bar.height() / 2)),
                 ui::paletteOf(ui::Theme::light).of(ui::Role::gemm));
    }

    void itCanBeDrawnInBothThemesAndAnySize() {
        CanvasBench bench;
        bench.canvas.choose(std::size_t{1});
        QImage before;
        for (const ui::Theme theme : {ui::Theme::light, ui::Theme::dark}) {
            bench.canvas.setPalette(ui::widgetPalette(theme));
            for (const QSize size : {QSize(0, 0), QSize(60, 40), QSize(560, 420), QSize(2400, 1300)}) {
                bench.canvas.resize(size);
                const QImage now = bench.canvas.grab().toImage();
                QVERIFY(now != before || size.isEmpty());
                before = now;
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestFigureCanvas)
#include "tst_figure_canvas.moc"
