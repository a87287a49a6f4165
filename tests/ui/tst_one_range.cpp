#include "tests/ui/sample_figure.h"
#include "tests/ui/sample_figures.h"
#include "tests/ui/window_test.h"

#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_lint.h"
#include "ui/figure/figure_writers.h"

#include <QTest>

#include <vector>

using data::FigureSpec;
using ui::AxisPlace;
using ui::FigurePart;

namespace {

/// Returns bars of these values in panels of their own, with one range.
FigureSpec barsOf(const std::vector<double>& values) {
    FigureSpec figure;
    figure.name = "bars";
    figure.oneRange = true;
    for (const double value : values) {
        data::FigurePanel panel;
        panel.categories.labels = {"OP", "FC-2"};
        panel.y.title = "Time";
        panel.y.unit = "µs";
        data::BarMark mark;
        mark.bars = {tests::barOf("T3", "policy/t3", {value, value / 2})};
        panel.marks.emplace_back(mark);
        figure.panels.push_back(panel);
    }
    return figure;
}

/// Returns lines over these two positions along x in a panel each, with one range.
FigureSpec linesOver(const std::vector<std::pair<double, double>>& ends, data::FigureScale scale) {
    FigureSpec figure;
    figure.name = "lines";
    figure.oneRange = true;
    for (const auto& [from, to] : ends) {
        data::FigurePanel panel;
        panel.x.title = "Size";
        panel.x.unit = "MiB";
        panel.x.scale = scale;
        panel.y.title = "Time";
        panel.y.unit = "µs";
        data::LineMark mark;
        mark.x = {from, to};
        mark.series = {tests::seriesOf("Ringside", "series/1", {from, to})};
        panel.marks.emplace_back(mark);
        figure.panels.push_back(panel);
    }
    return figure;
}

bool isSame(const AxisPlace& a, const AxisPlace& b) { return a.from == b.from && a.to == b.to; }

/// Returns the places of the y axes.
std::vector<AxisPlace> heightsOf(const FigureSpec& figure) {
    std::vector<AxisPlace> places;
    for (const ui::PanelPlace& panel : ui::layOut(figure).panels)
        places.push_back(panel.y);
    return places;
}

std::vector<AxisPlace> alone(FigureSpec figure) {
    figure.oneRange = false;
    return heightsOf(figure);
}

}  // namespace

class TestOneRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axesWithOneTitleUnitAndScaleHaveOneRange() {
        const FigureSpec figure = barsOf({3, 40});
        QVERIFY(!isSame(alone(figure)[0], alone(figure)[1]));
        const auto places = heightsOf(figure);
        QVERIFY(isSame(places[0], places[1]));
        QVERIFY(isSame(places[0], alone(figure)[1]));
        QCOMPARE(places[0].ticks, places[1].ticks);
    }

    void anotherUnitTitleBaseOrScaleHasItsOwnRange() {
        const FigureSpec figure = barsOf({3, 40, 30});
        for (int what = 0; what < 4; ++what) {
            FigureSpec other = figure;
            data::FigureAxis& axis = other.panels[1].y;
            axis.title = what == 0 ? "Longest time" : axis.title;
            axis.unit = what == 1 ? "ms" : axis.unit;
            axis.relativeTo = what == 2 ? "Sequential" : axis.relativeTo;
            axis.scale = what == 3 ? data::FigureScale::logarithmic : axis.scale;
            const auto places = heightsOf(other);
            QVERIFY2(isSame(places[1], alone(other)[1]), qPrintable(QString::number(what)));
            QVERIFY2(isSame(places[0], places[2]) && !isSame(places[0], alone(other)[0]),
                     qPrintable(QString::number(what)));
        }
    }

    void axesWithoutATitleAreNotJoined() {
        FigureSpec figure = barsOf({3, 40});
        for (data::FigurePanel& panel : figure.panels)
            panel.y.title = panel.y.unit = "";
        QVERIFY(isSame(heightsOf(figure)[0], alone(figure)[0]));
        for (data::FigurePanel& panel : figure.panels)
            panel.y.unit = "µs";
        QVERIFY(isSame(heightsOf(figure)[0], heightsOf(figure)[1]));
    }

    void anEndThatAnAxisSetsItselfStaysAndNoOtherTakesItOver() {
        FigureSpec figure = barsOf({3, 40, 30});
        figure.panels[1].y.to = 500;
        auto places = heightsOf(figure);
        QCOMPARE(places[1].to, 500.0);
        QVERIFY(isSame(places[0], places[2]));
        QVERIFY(isSame(places[0], alone(barsOf({30}))[0]));
        // The other end of that axis is that of all.
        figure = linesOver({{10, 20}, {15, 40}}, data::FigureScale::linear);
        figure.panels[1].y.to = 100;
        figure.panels[0].y.from = 9;
        places = heightsOf(figure);
        QCOMPARE(places[0].from, 9.0);
        QCOMPARE(places[1].to, 100.0);
    }

    void rangesWithTheSameOwnBeginningEndTogether() {
        FigureSpec figure = barsOf({3, 40});
        for (data::FigurePanel& panel : figure.panels)
            panel.y.from = 1;
        const auto places = heightsOf(figure);
        QVERIFY(isSame(places[0], places[1]) && places[0].from == 1 && places[0].to >= 40);
    }

    void aBrokenAxisIsNeitherJoinedNorCounted() {
        FigureSpec figure = barsOf({3, 40, 5});
        figure.panels[1].y.breakFrom = 5;
        figure.panels[1].y.breakTo = 15;
        const auto places = heightsOf(figure);
        QVERIFY(places[1].isBroken() && isSame(places[1], alone(figure)[1]));
        QVERIFY(isSame(places[0], places[2]) && places[0].to < 10);
    }

    void categoriesRowsAndLanesStayAsTheyAre() {
        FigureSpec figure = tests::heat();
        figure.panels.push_back(figure.panels.front());
        std::get<data::HeatMark>(figure.panels[1].marks[0]).rows.pop_back();
        std::get<data::HeatMark>(figure.panels[1].marks[0]).values.resize(15);
        figure.panels[0].x.title = figure.panels[1].x.title = "Time";
        figure.panels[1].categories.labels.pop_back();
        std::get<data::HeatMark>(figure.panels[1].marks[0]).values.resize(12);
        figure.panels.push_back(tests::areas().panels.front());
        const auto before = ui::layOut(figure).panels;
        figure.oneRange = true;
        const auto after = ui::layOut(figure).panels;
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY(isSame(before[i].x, after[i].x) && isSame(before[i].y, after[i].y));
    }

    void timeBelowATimelineIsThatOfTheTimeline() {
        FigureSpec figure = tests::timeline();
        data::FigurePanel below = tests::areas().panels.front();
        below.x = figure.panels[0].x;
        below.x.from.reset();
        below.x.to.reset();
        figure.panels[0].x.from.reset();
        figure.panels[0].x.to.reset();
        figure.panels.push_back(below);
        const auto before = ui::layOut(figure).panels;
        QVERIFY(!isSame(before[0].x, before[1].x));
        figure.oneRange = true;
        const auto after = ui::layOut(figure).panels;
        QVERIFY(isSame(after[0].x, after[1].x));
        QCOMPARE(after[0].x.to, std::max(before[0].x.to, before[1].x.to));
    }

    void writtenValuesHaveRoomInEveryPanel() {
        FigureSpec figure = barsOf({39, 40, 12});
        for (data::FigurePanel& panel : figure.panels)
            std::get<data::BarMark>(panel.marks[0]).valuesWritten = true;
        figure.panels[0].weight = 0.4;
        const ui::LaidOutFigure laidOut = ui::layOut(figure);
        int values = 0;
        for (const ui::DisplayItem& item : laidOut.list.items) {
            if (item.part != FigurePart::value)
                continue;
            ++values;
            QVERIFY(std::get<ui::TextItem>(item.shape).box().top() > laidOut.panels[*item.panel].plot.top() - 2);
        }
        QCOMPARE(values, 6);
        QVERIFY(laidOut.shortfalls.empty());
    }

    void writersHaveTheRangesOfThePage() {
        for (const data::FigureScale scale : {data::FigureScale::linear, data::FigureScale::logarithmic}) {
            const ui::ReadyFigure figure = ui::ready(linesOver({{6, 48}, {24, 192}}, scale));
            const AxisPlace& x = figure.laidOut.panels[0].x;
            QVERIFY(isSame(x, figure.laidOut.panels[1].x));
            const QString low = QString::number(x.from, 'g', 12), high = QString::number(x.to, 'g', 12);
            const QString tikz = QString::fromUtf8(ui::tikzOf(figure)),
                          python = QString::fromUtf8(ui::pythonOf(figure));
            QCOMPARE(tikz.count("xmin=" + low + ','), 2);
            QCOMPARE(tikz.count("xmax=" + high + ','), 2);
            QVERIFY(!tikz.contains("enlarge x limits"));
            QCOMPARE(python.count("axes.set_xlim(" + low + ", " + high + ')'), 2);
            const AxisPlace& y = figure.laidOut.panels[1].y;
            QCOMPARE(python.count(QStringLiteral("fit(axes, %1, %2)").arg(y.from, 0, 'g', 12).arg(y.to, 0, 'g', 12)),
                     2);
        }
    }

    void theLintFindsNothingNew() {
        FigureSpec figure = linesOver({{6, 48}, {24, 192}}, data::FigureScale::linear);
        const auto rules = [](const FigureSpec& spec) {
            std::vector<ui::LintRule> found;
            for (const ui::LintFinding& finding : ui::lint(spec, ui::layOut(spec)))
                found.push_back(finding.rule);
            return found;
        };
        const auto joined = rules(figure);
        figure.oneRange = false;
        QVERIFY(joined == rules(figure));
    }

    void onePanelIsAsBefore() {
        const FigureSpec figure = barsOf({40});
        QVERIFY(isSame(heightsOf(figure)[0], alone(figure)[0]));
    }
};

RINGSIDE_WINDOW_TEST(TestOneRange)
#include "tst_one_range.moc"
