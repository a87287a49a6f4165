#include "data/figure/figure_document.h"
#include "data/figure/figure_size.h"
#include "dumped_list.h"
#include "sample_figures.h"
#include "ui/drawing/figure_layout.h"
#include "window_test.h"

#include <QFile>
#include <QObject>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

using data::FigureSpec;
using ui::DisplayItem;
using ui::FigurePart;
using ui::LaidOutFigure;

namespace {

template <typename Shape>
std::vector<const Shape*> shapesOf(const LaidOutFigure& figure, FigurePart part) {
    std::vector<const Shape*> shapes;
    for (const DisplayItem& item : figure.list.items) {
        if (const auto* shape = std::get_if<Shape>(&item.shape); shape && item.part == part)
            shapes.push_back(shape);
    }
    return shapes;
}
template <typename Shape>
std::vector<const Shape*> shapesOf(LaidOutFigure&&, FigurePart) = delete;  // the result points into the figure

const ui::TextItem* textOf(const LaidOutFigure& figure, const QString& words) {
    for (const DisplayItem& item : figure.list.items) {
        if (const auto* text = std::get_if<ui::TextItem>(&item.shape); text && text->text == words)
            return text;
    }
    return nullptr;
}

std::vector<const ui::TextItem*> textsOf(const LaidOutFigure& figure) {
    std::vector<const ui::TextItem*> texts;
    for (const DisplayItem& item : figure.list.items) {
        if (const auto* text = std::get_if<ui::TextItem>(&item.shape))
            texts.push_back(text);
    }
    return texts;
}

QString shortfallsOf(const LaidOutFigure& figure) {
    QStringList lines;
    for (const LaidOutFigure::Shortfall& shortfall : figure.shortfalls)
        lines << shortfall.what;
    return lines.join(QLatin1String("; "));
}

/// Returns two texts that visibly overlap; empty if there are none.
QString overlapOf(const LaidOutFigure& figure) {
    const auto texts = textsOf(figure);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
            const QRectF both = texts[i]->box().intersected(texts[j]->box());
            if (both.width() > 0.1 && both.height() > 0.1)
                return texts[i]->text + QStringLiteral(" and ") + texts[j]->text;
        }
    }
    return {};
}

double pageX(const ui::PanelPlace& panel, double x) {
    return panel.plot.left() + (x - panel.x.from) / (panel.x.to - panel.x.from) * panel.plot.width();
}

double pageY(const ui::PanelPlace& panel, double y) {
    return panel.plot.bottom() - (y - panel.y.from) / (panel.y.to - panel.y.from) * panel.plot.height();
}

data::FigureSpec oneLine(std::vector<double> x, data::FigureValues values) {
    data::FigurePanel panel;
    data::LineMark mark;
    mark.x = std::move(x);
    mark.series = {tests::seriesOf("Values", "series/0", std::move(values))};
    panel.marks.emplace_back(mark);
    return tests::figureOf("one-line", panel);
}

data::FigureSpec oneBar(data::FigureValues values) {
    data::FigurePanel panel;
    for (std::size_t i = 0; i < values.size(); ++i)
        panel.categories.labels.push_back("C" + std::to_string(i));
    data::BarMark mark;
    mark.bars = {tests::barOf("Values", "series/0", std::move(values))};
    panel.marks.emplace_back(mark);
    return tests::figureOf("one-bar", panel);
}

/// Checks everything that the layout guarantees for any figure.
void checkWhole(const LaidOutFigure& figure) {
    for (const DisplayItem& item : figure.list.items) {
        if (const auto* text = std::get_if<ui::TextItem>(&item.shape)) {
            QVERIFY(std::isfinite(text->at.x()) && std::isfinite(text->at.y()));
            QVERIFY2(!item.clip, "text is never clipped");
        }
        if (const auto* rect = std::get_if<ui::RectItem>(&item.shape))
            QVERIFY(std::isfinite(rect->box.x()) && std::isfinite(rect->box.height()));
        if (item.part == FigurePart::mark && item.clip)
            QVERIFY(std::isfinite(item.clip->width()));
    }
    for (const ui::PanelPlace& panel : figure.panels)
        QVERIFY(panel.plot.width() > 0 && panel.plot.height() > 0);
}

}  // namespace

class TestFigureLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theAreaOfAMarkerIsItsSizeAndSmallerOnesLieUponLargerOnes() {
        FigureSpec figure;
        figure.name = "sized";
        data::FigurePanel& panel = figure.panels.emplace_back();
        data::LineMark points;
        points.x = {1, 2, 3, 4};
        points.series = {tests::seriesOf("A", "gemm", {1.0, 2.0, 3.0, 4.0})};
        points.joined = false;
        points.sizes = {25, 100, 0, 64};
        panel.marks.emplace_back(points);
        const LaidOutFigure laidOut = ui::layOut(figure);
        const auto circles = shapesOf<ui::EllipseItem>(laidOut, FigurePart::mark);
        QCOMPARE(circles.size(), std::size_t{4});
        const double largest = circles[0]->box.width();
        QVERIFY(std::abs(circles[1]->box.width() / largest - 0.8) < 1e-6);
        QVERIFY(std::abs(circles[2]->box.width() / largest - 0.5) < 1e-6);
        QVERIFY(circles[3]->box.width() > 0.1 * largest);  // smaller circles would be invisible
    }

    void aWordAlongALineSlopesLikeItAndCoversNoMarker() {
        FigureSpec figure = oneLine({0, 10}, {0.0, 10.0});
        figure.size = data::FigureSize::acmText;
        auto& line = std::get<data::LineMark>(figure.panels[0].marks[0]);
        figure.panels[0].annotations = {{0, 0, "rising", 10, 10}};
        const LaidOutFigure free = ui::layOut(figure);
        const ui::TextItem* word = textOf(free, QStringLiteral("rising"));
        QVERIFY(word != nullptr);
        const ui::PanelPlace& panel = free.panels.front();
        const double slope = std::atan2(pageY(panel, 10) - pageY(panel, 0), pageX(panel, 10) - pageX(panel, 0));
        QVERIFY(std::abs(word->angle - slope * 180 / 3.14159265) < 1e-3);
        const QPointF middle = word->box().center();
        QVERIFY(std::abs(middle.x() - pageX(panel, 5)) < 5);
        line.x = {0, 5, 5, 10};
        line.series[0].values = {0.0, 5.0, 6.0, 10.0};
        const LaidOutFigure taken = ui::layOut(figure);
        word = textOf(taken, QStringLiteral("rising"));
        QVERIFY(word != nullptr && word->angle != 0);
        QVERIFY(std::abs(word->box().center().x() - pageX(taken.panels.front(), 5)) > 5);
    }

    void aFloatingBarLiesBetweenItsBeginningAndItsEnd() {
        const LaidOutFigure laidOut = ui::layOut(tests::waterfall());
        const ui::PanelPlace& panel = laidOut.panels.front();
        const auto boxes = shapesOf<ui::RectItem>(laidOut, FigurePart::mark);
        QCOMPARE(boxes.size(), std::size_t{3});
        const std::vector<std::pair<double, double>> ends{{100, 104}, {84, 104}, {84, 90}};
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            QVERIFY(std::abs(boxes[i]->box.bottom() - pageY(panel, ends[i].first)) < 1e-6);
            QVERIFY(std::abs(boxes[i]->box.top() - pageY(panel, ends[i].second)) < 1e-6);
        }
    }

    void theAxisOfFloatingBarsNeedsNoZeroUnlessABarBeginsThere() {
        FigureSpec figure = tests::waterfall();
        const auto least = [&] { return ui::layOut(figure).panels.front().y.from; };
        QVERIFY(least() > 70 && least() < 84);
        data::FigureBar& bar = std::get<data::BarMark>(figure.panels[0].marks[0]).bars[0];
        bar.from[0] = 0;
        QCOMPARE(least(), 0.0);
        bar.from.clear();
        QVERIFY(least() <= -20);  // the bar that falls by 20
    }

    void theStackOfAFloatingBarGoesBothWaysFromItsBeginning() {
        FigureSpec figure = tests::waterfall();
        data::FigureBar& bar = std::get<data::BarMark>(figure.panels[0].marks[0]).bars[0];
        bar.stack.push_back(tests::seriesOf("More", "series/1", {3.0, 5.0, 2.0}));
        const LaidOutFigure laidOut = ui::layOut(figure);
        const ui::PanelPlace& panel = laidOut.panels.front();
        const auto boxes = shapesOf<ui::RectItem>(laidOut, FigurePart::mark);
        QCOMPARE(boxes.size(), std::size_t{6});
        QVERIFY(std::abs(boxes[1]->box.top() - pageY(panel, 107)) < 1e-6);
        QVERIFY(std::abs(boxes[3]->box.bottom() - pageY(panel, 104)) < 1e-6);
        QVERIFY(std::abs(boxes[3]->box.top() - pageY(panel, 109)) < 1e-6);
    }

    void theValueOfAFloatingBarIsItsChangeAndStandsBeyondItsEnd() {
        FigureSpec figure = tests::waterfall();
        std::get<data::BarMark>(figure.panels[0].marks[0]).valuesWritten = true;
        const LaidOutFigure laidOut = ui::layOut(figure);
        const ui::TextItem* fall = textOf(laidOut, QStringLiteral("−20.0"));
        QVERIFY(fall != nullptr);
        QVERIFY(fall->box().top() > pageY(laidOut.panels.front(), 84) - 1);
        QVERIFY(textOf(laidOut, QStringLiteral("4.00")) != nullptr);
        checkWhole(laidOut);
    }

    void floatingBarsInRowsHaveNoLineOfZeroBesideThePlot() {
        const ui::ScreenSheet sheet{{600, 300}, 13, {}, ui::RowOptions()};
        const LaidOutFigure laidOut = ui::layOut(tests::waterfall(), sheet);
        const ui::PanelPlace& panel = laidOut.panels.front();
        const auto boxes = shapesOf<ui::RectItem>(laidOut, FigurePart::mark);
        QVERIFY(std::abs(boxes[1]->box.left() - pageX(panel, 84)) < 1e-6);
        QVERIFY(std::abs(boxes[1]->box.right() - pageX(panel, 104)) < 1e-6);
        for (const auto* line : shapesOf<ui::PolylineItem>(laidOut, FigurePart::axis))
            QVERIFY(line->points.boundingRect().left() >= panel.plot.left() - 0.5);
    }

    void theFigureIsDrawnAsItIsKept_data();
    void theFigureIsDrawnAsItIsKept();
    void theSampleHasNoProblems_data() { theFigureIsDrawnAsItIsKept_data(); }
    void theSampleHasNoProblems();
    void nothingFallsShortInAnySizeAndTheme_data();
    void nothingFallsShortInAnySizeAndTheme();
    void theSameFigureGivesTheSameList();

    void barsStandOnZero();
    void theAuthorsStartOfAnAxisHolds();
    void aBarsPlaceIsItsRectangle();
    void barsOfAStackStandOnEachOther();
    void valuesAreLeftOutWhereBarsAreNarrow();
    void valuesOfNegativeBarsStandBelowThem();
    void aReferenceOverOneBarIsAsWideAsTheBar();
    void theNameThatReferencesShareStandsInTheLegend();
    void panelsBelowEachOtherWriteTheTitleOfOneAxisOnce();
    void aTitleThatIsLongerThanOnePlotFindsRoomBesideAll();
    void barsThatTheLegendCannotDistinguishHaveTheirNames();
    void panelsInARowBySizeAreOneInAColumnAndAllElsewhere();

    void groupsStandUnderTheirCategories();
    void aGroupOfOneNeedsNoBracket();
    void everyNameOfManyIsTurnedOrLeftOutWithAWord();

    void aMissingValueSplitsALine();
    void aMillionPointsBecomeWhatPrintCanShow();
    void ticksOfALogarithmicAxisAreRound();
    void aLogarithmicAxisLeavesOutWhatItCannotShow();
    void ticksShowAsManyDecimalsAsTheyNeed_data();
    void ticksShowAsManyDecimalsAsTheyNeed();

    void plotsBelowEachOtherAreAligned();
    void plotsBesideEachOtherAreAligned();
    void aGivenHeightIsKept();
    void theLegendNamesASeriesOnce();
    void aLegendAtTheRightReadsAsTheStack();

    void aMillionSpansBecomeFewBoxes();
    void aDrawingKeepsItsShape();
    void marksAreClippedToThePlot();
    void extremeFiguresAreLaidOut_data();
    void extremeFiguresAreLaidOut();
};

void TestFigureLayout::theFigureIsDrawnAsItIsKept_data() {
    QTest::addColumn<int>("index");
    const auto figures = tests::sampleFigures();
    for (std::size_t i = 0; i < figures.size(); ++i)
        QTest::newRow(figures[i].name.c_str()) << static_cast<int>(i);
}

// With RINGSIDE_KEEP_GOLDEN set, the files are rewritten. Read the diff.
void TestFigureLayout::theFigureIsDrawnAsItIsKept() {
    QFETCH(int, index);
    const FigureSpec spec = tests::sampleFigures()[static_cast<std::size_t>(index)];
    const QString found = tests::dumped(ui::layOut(spec).list);
    QFile file(QFINDTESTDATA("golden_figures") + QLatin1Char('/') + QString::fromStdString(spec.name) +
               QLatin1String(".txt"));
    if (qEnvironmentVariableIsSet("RINGSIDE_KEEP_GOLDEN")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(found.toUtf8());
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QStringList kept = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    const QStringList drawn = found.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < std::min(kept.size(), drawn.size()); ++i)
        QCOMPARE(drawn[i], kept[i]);
    QCOMPARE(drawn.size(), kept.size());
}

void TestFigureLayout::theSampleHasNoProblems() {
    QFETCH(int, index);
    const auto problems = data::problemsOf(tests::sampleFigures()[static_cast<std::size_t>(index)]);
    QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().path.c_str());
}

void TestFigureLayout::nothingFallsShortInAnySizeAndTheme_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<int>("size");
    const auto figures = tests::sampleFigures();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        for (const data::FigureSizePreset& preset : data::figureSizes())
            QTest::addRow("%s %s", figures[i].name.c_str(), std::string(preset.name).c_str())
                << static_cast<int>(i) << static_cast<int>(preset.size);
    }
}

void TestFigureLayout::nothingFallsShortInAnySizeAndTheme() {
    QFETCH(int, index);
    QFETCH(int, size);
    FigureSpec spec = tests::sampleFigures()[static_cast<std::size_t>(index)];
    spec.size = static_cast<data::FigureSize>(size);
    spec.theme = static_cast<data::FigureTheme>(size % 3);
    const LaidOutFigure figure = ui::layOut(spec);
    checkWhole(figure);
    QCOMPARE(shortfallsOf(figure), QString());
    QCOMPARE(overlapOf(figure), QString());
    QCOMPARE(figure.list.page.width(), data::presetOf(spec.size).width);
    const QRectF page(QPointF(0, 0), figure.list.page);
    for (const ui::TextItem* text : textsOf(figure)) {
        QVERIFY2(page.contains(text->box()), qPrintable(text->text));
        QVERIFY2(text->size >= 6, qPrintable(text->text));
    }
}

void TestFigureLayout::theSameFigureGivesTheSameList() {
    for (const FigureSpec& spec : tests::sampleFigures())
        QCOMPARE(tests::dumped(ui::layOut(spec).list), tests::dumped(ui::layOut(spec).list));
}

// All values lie between 90 and 100. An axis for other marks would begin at 90.
void TestFigureLayout::barsStandOnZero() {
    const LaidOutFigure figure = ui::layOut(oneBar({90, 95, 100}));
    QCOMPARE(figure.panels[0].y.from, 0.0);
    for (const ui::RectItem* bar : shapesOf<ui::RectItem>(figure, FigurePart::mark))
        QVERIFY(std::abs(bar->box.bottom() - figure.panels[0].plot.bottom()) < 1e-6);
    QVERIFY(ui::layOut(oneLine({0, 1, 2}, {90, 95, 100})).panels[0].y.from > 50);
}

void TestFigureLayout::theAuthorsStartOfAnAxisHolds() {
    FigureSpec spec = oneBar({90, 95, 100});
    spec.panels[0].y.from = 80;
    spec.panels[0].y.to = 110;
    const ui::AxisPlace y = ui::layOut(spec).panels[0].y;
    QCOMPARE(y.from, 80.0);
    QCOMPARE(y.to, 110.0);
}

void TestFigureLayout::aBarsPlaceIsItsRectangle() {
    const LaidOutFigure figure = ui::layOut(tests::speedups());
    const ui::PanelPlace& panel = figure.panels[0];
    const auto bars = shapesOf<ui::RectItem>(figure, FigurePart::mark);
    QCOMPARE(bars.size(), panel.bars.size());
    for (std::size_t i = 0; i < bars.size(); ++i) {
        QVERIFY(std::abs(bars[i]->box.left() - pageX(panel, panel.bars[i].left)) < 1e-6);
        QVERIFY(std::abs(bars[i]->box.right() - pageX(panel, panel.bars[i].right)) < 1e-6);
    }
}

void TestFigureLayout::barsOfAStackStandOnEachOther() {
    const LaidOutFigure figure = ui::layOut(tests::breakdown());
    const auto parts = shapesOf<ui::RectItem>(figure, FigurePart::mark);
    QCOMPARE(parts.size(), std::size_t(4 * 2 * 4));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double foot = i % 4 == 0 ? figure.panels[0].plot.bottom() : parts[i - 1]->box.top();
        QVERIFY(std::abs(parts[i]->box.bottom() - foot) < 1e-6);
    }
}

void TestFigureLayout::valuesAreLeftOutWhereBarsAreNarrow() {
    FigureSpec spec = tests::speedups(6);
    std::get<data::BarMark>(spec.panels[0].marks[0]).valuesWritten = true;
    const LaidOutFigure narrow = ui::layOut(spec);
    QVERIFY(shapesOf<ui::TextItem>(narrow, FigurePart::value).empty());
    QVERIFY(shortfallsOf(narrow).contains(QLatin1String("values")));
    const LaidOutFigure wide = ui::layOut(tests::errorBars());
    QCOMPARE(shapesOf<ui::TextItem>(wide, FigurePart::value).size(), std::size_t(5));
}

void TestFigureLayout::valuesOfNegativeBarsStandBelowThem() {
    FigureSpec spec = oneBar({-4, 3, -1});
    std::get<data::BarMark>(spec.panels[0].marks[0]).valuesWritten = true;
    const LaidOutFigure figure = ui::layOut(spec);
    const auto bars = shapesOf<ui::RectItem>(figure, FigurePart::mark);
    const auto values = shapesOf<ui::TextItem>(figure, FigurePart::value);
    QCOMPARE(values.size(), std::size_t(3));
    for (const std::size_t i : {std::size_t(0), std::size_t(2)}) {
        QVERIFY(values[i]->at.y() > bars[i]->box.bottom());
        QVERIFY(values[i]->at.y() <= figure.panels[0].plot.bottom());
    }
    QVERIFY(values[1]->at.y() < bars[1]->box.top());
    QCOMPARE(shortfallsOf(figure), QString());
}

void TestFigureLayout::aReferenceOverOneBarIsAsWideAsTheBar() {
    const LaidOutFigure figure = ui::layOut(tests::speedups());
    const ui::BarPlace& bar =
        *std::find_if(figure.panels[0].bars.begin(), figure.panels[0].bars.end(),
                      [](const ui::BarPlace& place) { return place.category == 12 && place.bar == 1; });
    const auto marks = shapesOf<ui::PolylineItem>(figure, FigurePart::reference);
    const double middle = pageX(figure.panels[0], (bar.left + bar.right) / 2);
    QVERIFY(std::any_of(marks.begin(), marks.end(), [&](const ui::PolylineItem* mark) {
        const QRectF box = mark->points.boundingRect();
        return std::abs(box.center().x() - middle) < 1e-6 && box.height() == 0 &&
               std::abs(box.width() - (bar.right - bar.left) * figure.panels[0].plot.width() /
                                          (figure.panels[0].x.to - figure.panels[0].x.from)) < 2;
    }));
}

void TestFigureLayout::theNameThatReferencesShareStandsInTheLegend() {
    const LaidOutFigure figure = ui::layOut(tests::speedups());
    QVERIFY(textOf(figure, QStringLiteral("paper")));
    QVERIFY(textOf(figure, QStringLiteral("1.30")));
    QVERIFY(!textOf(figure, QStringLiteral("paper: 1.30")));
}

void TestFigureLayout::panelsBelowEachOtherWriteTheTitleOfOneAxisOnce() {
    const auto titles = [](const LaidOutFigure& figure) {
        std::vector<QPointF> places;
        for (const ui::TextItem* text : shapesOf<ui::TextItem>(figure, FigurePart::title)) {
            if (text->text.startsWith(QStringLiteral("Traffic")))
                places.push_back(text->at);
        }
        return places;
    };
    FigureSpec spec = tests::areas();
    const LaidOutFigure figure = ui::layOut(spec);
    QCOMPARE(titles(figure).size(), std::size_t{1});
    const double top = figure.panels[0].plot.top(), bottom = figure.panels[1].plot.bottom();
    QVERIFY(std::abs(titles(figure).front().y() - (top + bottom) / 2) < 0.01);
    spec.panels[1].y.unit = "MB/s";
    QCOMPARE(titles(ui::layOut(spec)).size(), std::size_t{2});
}

void TestFigureLayout::aTitleThatIsLongerThanOnePlotFindsRoomBesideAll() {
    FigureSpec spec = tests::areas();
    spec.size = data::FigureSize::slide;
    spec.panels.push_back(spec.panels.back());
    for (data::FigurePanel& panel : spec.panels) {
        panel.y.title = "DRAM accesses of all GPUs";
        panel.y.relativeTo = "sequential";
        panel.y.unit.clear();
    }
    QVERIFY(ui::layOut(spec).shortfalls.empty());
}

void TestFigureLayout::barsThatTheLegendCannotDistinguishHaveTheirNames() {
    FigureSpec spec = tests::speedups();
    auto& bars = std::get<data::BarMark>(spec.panels[0].marks[0]).bars;
    bars[0].name = "S";
    bars[1].name = "T";
    QVERIFY(!textOf(ui::layOut(spec), QStringLiteral("S")));
    bars[1].stack[0].name = bars[0].stack[0].name;
    QVERIFY(textOf(ui::layOut(spec), QStringLiteral("S")) && textOf(ui::layOut(spec), QStringLiteral("T")));
}

void TestFigureLayout::panelsInARowBySizeAreOneInAColumnAndAllElsewhere() {
    FigureSpec spec = tests::areas();
    spec.columns = 0;
    for (const data::FigureSizePreset& preset : data::figureSizes()) {
        spec.size = preset.size;
        const LaidOutFigure figure = ui::layOut(spec);
        const bool inARow = figure.panels[0].plot.top() == figure.panels[1].plot.top();
        QCOMPARE(inARow, !data::isColumn(preset.size));
    }
}

void TestFigureLayout::groupsStandUnderTheirCategories() {
    const LaidOutFigure figure = ui::layOut(tests::speedups());
    const ui::PanelPlace& panel = figure.panels[0];
    const ui::TextItem* group = textOf(figure, QStringLiteral("T-NLG"));
    QVERIFY(group);
    const double middle = (pageX(panel, panel.centres[4]) + pageX(panel, panel.centres[7])) / 2;
    QVERIFY(std::abs(group->box().center().x() - middle) < 0.01);
    const ui::TextItem* category = textOf(figure, QStringLiteral("FC-2"));
    QVERIFY(category->box().bottom() <= group->box().top());
    QVERIFY2(panel.centres[4] - panel.centres[3] > panel.centres[3] - panel.centres[2], "a gap between groups");
}

void TestFigureLayout::aGroupOfOneNeedsNoBracket() {
    const LaidOutFigure figure = ui::layOut(tests::speedups());
    const auto brackets = shapesOf<ui::PolylineItem>(figure, FigurePart::category);
    QCOMPARE(brackets.size(), std::size_t(3));
}

void TestFigureLayout::everyNameOfManyIsTurnedOrLeftOutWithAWord() {
    const LaidOutFigure twenty = ui::layOut(oneBar(data::FigureValues(20, 1.0)));
    QCOMPARE(shapesOf<ui::TextItem>(twenty, FigurePart::category).size(), std::size_t(20));
    const LaidOutFigure many = ui::layOut(oneBar(data::FigureValues(200, 1.0)));
    QVERIFY(shapesOf<ui::TextItem>(many, FigurePart::category).size() < 40);
    QVERIFY(shortfallsOf(many).contains(QLatin1String("fits along x")));
    QCOMPARE(overlapOf(many), QString());
}

void TestFigureLayout::aMissingValueSplitsALine() {
    const LaidOutFigure figure = ui::layOut(oneLine({0, 1, 2, 3, 4}, {1, 2, std::nullopt, 2, 1}));
    const auto lines = shapesOf<ui::PolylineItem>(figure, FigurePart::mark);
    QCOMPARE(lines.size(), std::size_t(2));
    QVERIFY(lines[0]->points.last().x() < lines[1]->points.first().x());
}

// Print can show two points and both ends of a line for each dot of 600 dpi: 4 x 2000 points for the width of a column.
void TestFigureLayout::aMillionPointsBecomeWhatPrintCanShow() {
    std::vector<double> x;
    data::FigureValues values;
    for (int i = 0; i < 1'000'000; ++i) {
        x.push_back(i);
        values.emplace_back(std::sin(i * 0.01) + (i == 500'000 ? 9 : 0));
    }
    FigureSpec spec = oneLine(std::move(x), std::move(values));
    std::get<data::LineMark>(spec.panels[0].marks[0]).markers = false;
    const LaidOutFigure figure = ui::layOut(spec);
    const auto lines = shapesOf<ui::PolylineItem>(figure, FigurePart::mark);
    QCOMPARE(lines.size(), std::size_t(1));
    QVERIFY(lines[0]->points.size() < 8200);
    const double peak = lines[0]->points.boundingRect().top();
    QVERIFY2(peak < figure.panels[0].plot.top() + figure.panels[0].plot.height() * 0.2, "the one peak is still there");
}

void TestFigureLayout::ticksOfALogarithmicAxisAreRound() {
    FigureSpec spec = oneLine({0, 1, 2}, {30, 90, 400});
    spec.panels[0].y.scale = data::FigureScale::logarithmic;
    QCOMPARE(ui::layOut(spec).panels[0].y.ticks, (std::vector<double>{20, 50, 100, 200, 500}));
    spec = oneLine({0, 1, 2}, {3e-6, 40, 7e6});
    spec.panels[0].y.scale = data::FigureScale::logarithmic;
    const std::vector<double> decades = ui::layOut(spec).panels[0].y.ticks;
    QVERIFY(decades.size() > 2);
    for (const double tick : decades) {
        const double decade = std::log10(tick);
        QVERIFY(std::abs(decade - std::round(decade)) < 1e-9);
    }
}

void TestFigureLayout::aLogarithmicAxisLeavesOutWhatItCannotShow() {
    FigureSpec spec = oneLine({0, 1, 2}, {0, 40, 700});
    spec.panels[0].y.scale = data::FigureScale::logarithmic;
    const LaidOutFigure figure = ui::layOut(spec);
    QCOMPARE(shapesOf<ui::PolylineItem>(figure, FigurePart::mark)[0]->points.size(), 2);
    QVERIFY(shortfallsOf(figure).contains(QLatin1String("at or below zero")));
}

void TestFigureLayout::ticksShowAsManyDecimalsAsTheyNeed_data() {
    QTest::addColumn<QList<double>>("ticks");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("halves") << QList<double>{0, 0.5, 1} << QStringList{"0", "0.5", "1.0"};
    QTest::newRow("whole") << QList<double>{0, 50, 100} << QStringList{"0", "50", "100"};
    QTest::newRow("thousands") << QList<double>{0, 5000, 10000} << QStringList{"0", "5k", "10k"};
    QTest::newRow("millions") << QList<double>{0, 2.5e6, 5e6} << QStringList{"0", "2.5M", "5.0M"};
    QTest::newRow("quarters") << QList<double>{0.25, 0.5, 1} << QStringList{"0.25", "0.50", "1.00"};
    QTest::newRow("below zero") << QList<double>{-1, 0, 1} << QStringList{QString(QChar(0x2212)) + "1", "0", "1"};
}

void TestFigureLayout::ticksShowAsManyDecimalsAsTheyNeed() {
    QFETCH(QList<double>, ticks);
    QFETCH(QStringList, labels);
    FigureSpec spec = oneLine({0, 1}, {ticks.first(), ticks.last()});
    spec.panels[0].x.ticks = {0, 1};
    spec.panels[0].y.ticks.assign(ticks.begin(), ticks.end());
    spec.panels[0].y.from = ticks.first();
    spec.panels[0].y.to = ticks.last();
    const LaidOutFigure figure = ui::layOut(spec);
    QStringList found;
    for (const ui::TextItem* text : shapesOf<ui::TextItem>(figure, FigurePart::axis)) {
        if (text->align == ui::TextAlign::right)
            found << text->text;
    }
    QCOMPARE(found, labels);
}

void TestFigureLayout::plotsBelowEachOtherAreAligned() {
    FigureSpec spec = tests::areas();
    std::get<data::AreaMark>(spec.panels[1].marks[0]).series[0].values[3] = 123456.0;
    const LaidOutFigure figure = ui::layOut(spec);
    QCOMPARE(figure.panels[0].plot.left(), figure.panels[1].plot.left());
    QCOMPARE(figure.panels[0].plot.right(), figure.panels[1].plot.right());
    QVERIFY(figure.panels[0].plot.bottom() < figure.panels[1].plot.top());
}

void TestFigureLayout::plotsBesideEachOtherAreAligned() {
    FigureSpec spec = tests::speedups(1);
    spec.panels.push_back(tests::lines().panels[0]);
    spec.columns = 2;
    spec.size = data::FigureSize::acmText;
    const LaidOutFigure figure = ui::layOut(spec);
    QCOMPARE(figure.panels[0].plot.top(), figure.panels[1].plot.top());
    QCOMPARE(figure.panels[0].plot.bottom(), figure.panels[1].plot.bottom());
    QVERIFY(figure.panels[0].plot.right() < figure.panels[1].plot.left());
    spec.panels[1].weight = 2;
    const LaidOutFigure weighted = ui::layOut(spec);
    QVERIFY(std::abs(weighted.panels[1].plot.width() - 2 * weighted.panels[0].plot.width()) < 1e-6);
}

void TestFigureLayout::aGivenHeightIsKept() {
    for (FigureSpec spec : tests::sampleFigures()) {
        spec.height = 260;
        const LaidOutFigure figure = ui::layOut(spec);
        QCOMPARE(figure.list.page.height(), 260.0);
        for (const ui::PanelPlace& panel : figure.panels)
            QVERIFY(panel.plot.bottom() < 260 && panel.plot.height() > 40);
    }
}

void TestFigureLayout::theLegendNamesASeriesOnce() {
    QStringList names;
    const LaidOutFigure figure = ui::layOut(tests::breakdown());
    for (const ui::TextItem* text : shapesOf<ui::TextItem>(figure, FigurePart::legend))
        names << text->text;
    QCOMPARE(names, (QStringList{"GEMM reads", "GEMM writes", "RS reads", "AG writes"}));
    FigureSpec bare = tests::breakdown();
    bare.legend = data::FigureLegend::none;
    const LaidOutFigure without = ui::layOut(bare);
    QVERIFY(shapesOf<ui::TextItem>(without, FigurePart::legend).empty());
}

void TestFigureLayout::aLegendAtTheRightReadsAsTheStack() {
    FigureSpec spec = tests::breakdown();
    spec.legend = data::FigureLegend::right;
    const LaidOutFigure figure = ui::layOut(spec);
    const ui::TextItem* top = textOf(figure, QStringLiteral("AG writes"));
    const ui::TextItem* bottom = textOf(figure, QStringLiteral("GEMM reads"));
    QVERIFY(top->at.y() < bottom->at.y());
    QVERIFY(top->box().left() > figure.panels[0].plot.right());
    QCOMPARE(shortfallsOf(figure), QString());
}

void TestFigureLayout::aMillionSpansBecomeFewBoxes() {
    FigureSpec spec = tests::timeline();
    auto& mark = std::get<data::TimelineMark>(spec.panels[0].marks[0]);
    mark.spans.clear();
    for (int i = 0; i < 1'000'000; ++i)
        mark.spans.push_back({static_cast<std::size_t>(i % 6), i * 1.0, i + 0.9, i % 4 < 2 ? "gemm" : "dma", ""});
    const LaidOutFigure figure = ui::layOut(spec);
    checkWhole(figure);
    const std::size_t boxes = shapesOf<ui::RectItem>(figure, FigurePart::mark).size();
    QVERIFY2(boxes > 0 && boxes < 6 * 2000, qPrintable(QString::number(boxes)));
}

void TestFigureLayout::aDrawingKeepsItsShape() {
    FigureSpec spec = tests::drawing();
    spec.height = 60;
    const LaidOutFigure figure = ui::layOut(spec);
    const auto boxes = shapesOf<ui::PolygonItem>(figure, FigurePart::mark);
    const QRectF box = boxes[0]->points.boundingRect();
    QVERIFY(std::abs(box.width() / box.height() - 56.0 / 60) < 1e-6);
    const QRectF page(QPointF(0, 0), figure.list.page);
    QVERIFY(page.contains(boxes[3]->points.boundingRect()));
}

void TestFigureLayout::marksAreClippedToThePlot() {
    FigureSpec spec = oneBar({5, 50, 500});
    spec.panels[0].y.to = 20;
    const LaidOutFigure figure = ui::layOut(spec);
    const QRectF plot = figure.panels[0].plot;
    for (const DisplayItem& item : figure.list.items) {
        if (item.part == FigurePart::mark)
            QVERIFY(item.clip && item.clip->contains(plot) && plot.adjusted(-0.5, -0.5, 0.5, 0.5).contains(*item.clip));
    }
    QCOMPARE(shortfallsOf(figure), QString());  // the lint says what is cut off
}

void TestFigureLayout::extremeFiguresAreLaidOut_data() {
    QTest::addColumn<int>("kind");
    const char* const names[]{"no panels",
                              "a panel without marks",
                              "bars without values",
                              "all values missing",
                              "all zero",
                              "all equal",
                              "negative values",
                              "tiny values",
                              "huge values",
                              "one category",
                              "a very long label",
                              "one point",
                              "one point, logarithmic",
                              "nothing above zero, logarithmic",
                              "hundreds of rows",
                              "no height at all",
                              "many panels",
                              "an empty timeline",
                              "an empty drawing"};
    int kind = 0;
    for (const char* name : names)
        QTest::newRow(name) << kind++;
}

static FigureSpec extremeFigure(int kind) {
    const std::string longName =
        "A name that is far longer than any column of any proceedings could ever be wide for it";
    FigureSpec spec = oneBar({1});
    auto& panel = spec.panels[0];
    switch (kind) {
    case 0: spec.panels.clear(); break;
    case 1: panel.marks.clear(); break;
    case 2: return oneBar({});
    case 3: return oneBar({std::nullopt, std::nullopt});
    case 4: return oneBar({0, 0, 0});
    case 5: return oneLine({1, 1, 1}, {7, 7, 7});
    case 6: return oneBar({-5, 3, -1e3});
    case 7: return oneLine({1e-12, 2e-12}, {1e-12, 3e-12});
    case 8: return oneBar({1e15, 3e14, 1e-12});
    case 9: break;
    case 10:
        panel.categories.labels = {longName};
        panel.y.title = panel.title = panel.x.title = longName;
        std::get<data::BarMark>(panel.marks[0]).bars[0].stack[0].name = longName;
        break;
    case 11: return oneLine({5}, {5});
    case 12:
        spec = oneLine({5}, {5});
        spec.panels[0].x.scale = spec.panels[0].y.scale = data::FigureScale::logarithmic;
        break;
    case 13:
        spec = oneLine({0, -1}, {0, -5});
        spec.panels[0].x.scale = spec.panels[0].y.scale = data::FigureScale::logarithmic;
        break;
    case 14: {
        spec = tests::heat();
        auto& heat = std::get<data::HeatMark>(spec.panels[0].marks[0]);
        heat.rows.assign(400, "row");
        heat.values.assign(400 * 5, 1.0);
        break;
    }
    case 15: spec.height = 1; break;
    case 16:
        spec.panels.assign(20, panel);
        spec.columns = 7;
        break;
    case 17:
        spec = tests::timeline();
        std::get<data::TimelineMark>(spec.panels[0].marks[0]) = {};
        break;
    case 18:
        spec = tests::drawing();
        std::get<data::DrawingMark>(spec.panels[0].marks[0]) = {};
        break;
    default: break;
    }
    return spec;
}

void TestFigureLayout::extremeFiguresAreLaidOut() {
    QFETCH(int, kind);
    for (const bool legendRight : {false, true}) {
        FigureSpec spec = extremeFigure(kind);
        spec.legend = legendRight ? data::FigureLegend::right : data::FigureLegend::top;
        const LaidOutFigure figure = ui::layOut(spec);
        QCOMPARE(figure.panels.size(), spec.panels.size());
        checkWhole(figure);
        for (const ui::PanelPlace& panel : figure.panels) {
            QVERIFY(std::isfinite(panel.y.from) && std::isfinite(panel.y.to) && panel.y.from != panel.y.to);
            QVERIFY(panel.y.ticks.size() < 60 && panel.x.ticks.size() < 60);
        }
    }
}

RINGSIDE_WINDOW_TEST(TestFigureLayout)
#include "tst_figure_layout.moc"
