#include "tests/test_program.h"
#include "tests/ui/sample_figures.h"

#include "data/figure/figure_document.h"
#include "ui/figure/figure_options.h"

#include <QTest>

using ui::problemText;

namespace {

/// Returns the text of the only problem of a figure after this change.
template <class Change>
QString saidOf(Change change) {
    data::FigureSpec figure = tests::speedups();
    change(figure);
    const engine::Problems problems = data::problemsOf(figure);
    return problems.size() == 1 ? problemText(problems.front(), figure)
                                : QStringLiteral("%1 problems").arg(problems.size());
}

}  // namespace

class TestFigureProblem : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyRangeIsSaidOfItsAxisWithBothEnds() {
        QCOMPARE(saidOf([](auto& figure) { figure.panels[0].y.from = figure.panels[0].y.to = 1.6; }),
                 QStringLiteral("The range of the Y axis is empty: 1.6 to 1.6. It must end above its beginning."));
        QCOMPARE(saidOf([](auto& figure) {
                     figure.panels[0].x.from = 2;
                     figure.panels[0].x.to = 1;
                 }),
                 QStringLiteral("The range of the X axis is empty: 2 to 1. It must end above its beginning."));
    }

    void oneOfSeveralPanelsIsNamed() {
        QVERIFY(saidOf([](auto& figure) {
                    figure.panels.push_back(figure.panels[0]);
                    figure.panels[1].y.from = figure.panels[1].y.to = 3;
                }).startsWith(QStringLiteral("The range of the Y axis of panel 2 is empty: 3 to 3.")));
    }

    void aLogarithmicAxisThatBeginsAtZeroIsExplained() {
        QCOMPARE(saidOf([](auto& figure) {
                     figure.panels[0].y.scale = data::FigureScale::logarithmic;
                     figure.panels[0].y.from = 0;
                     figure.panels[0].y.to.reset();
                 }),
                 QStringLiteral("The Y axis cannot begin at 0: a logarithmic axis has positive values only."));
    }

    void whatTheOptionsShowIsCalledAsThere() {
        QCOMPARE(saidOf([](auto& figure) { figure.height = 5; }),
                 QStringLiteral("The height cannot be 5: points from 36 to 2000 are allowed."));
        QCOMPARE(saidOf([](auto& figure) { figure.name = "a b"; }),
                 QStringLiteral("The name cannot be a b: 1 to 80 letters, digits, - and _ are allowed."));
    }

    void whatTheOptionsDoNotShowKeepsItsPlaceInTheDocument() {
        QVERIFY(saidOf([](auto& figure) {
                    figure.panels[0].references = {{1, "", "", 99, {}}};
                }).startsWith(QStringLiteral("panels[0].references[0].category: 99:")));
    }
};

RINGSIDE_TEST(TestFigureProblem)
#include "tst_figure_problem.moc"
