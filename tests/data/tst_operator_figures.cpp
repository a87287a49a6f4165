#include "data/figure/operator_figures.h"
#include "tests/small_model.h"
#include "tests/test_program.h"

#include "data/figure/figure_document.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_table.h"
#include "data/model/class_times.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace data;

namespace {

/// Returns a run of a model in which every operator class has operators.
const ModelRun& runOfAllClasses() {
    static const ModelRun kRun = [] {
        ModelRunOptions options;
        options.policies = {engine::PolicyPreset::t3Mca};
        options.threads = 2;
        return modelRun(tests::smallModel(engine::AttentionOperators::separate), options);
    }();
    return kRun;
}

FigureSpec named(FigureSpec figure) {
    figure.name = "operators";
    return figure;
}

FigureSpec sizedPoints(std::vector<double> sizes, bool joined) {
    FigureSpec figure;
    figure.name = "sized";
    FigurePanel& panel = figure.panels.emplace_back();
    panel.marks.emplace_back(
        LineMark{{1, 10, 100}, {{"A", "gemm", {1.0, 2.0, 3.0}, {}, {}, 0}}, true, joined, std::move(sizes), "Weight"});
    return figure;
}

}  // namespace

class TestOperatorFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFigureHasNoProblemsAndComesBackAsItWas() {
        const FigureSpec figure = named(operatorFigure(runOfAllClasses(), runOfAllClasses().policies.front()));
        for (const engine::Problem& problem : problemsOf(figure))
            qWarning("%s", engine::describe(problem).c_str());
        QVERIFY(problemsOf(figure).empty());
        QVERIFY(readFigure(writeFigure(figure), "operators").figure == figure);
    }

    void everyOperatorWithFlopsIsAPointOfItsClassAndCollectivesAreNot() {
        const ModelRun& run = runOfAllClasses();
        const FigurePanel panel = rooflinePanel(run, run.sequential);
        const auto& points = std::get<LineMark>(panel.marks.back());
        const auto withFlops = std::ranges::count_if(run.graph.operators, [](const engine::Operator& op) {
            return op.flops > 0 && op.operatorClass != engine::OperatorClass::collective;
        });
        QCOMPARE(static_cast<std::ptrdiff_t>(points.x.size()), withFlops);
        QCOMPARE(points.series.size(), std::size_t{5});
        for (std::size_t i = 0; i < points.x.size(); ++i)
            QCOMPARE(std::ranges::count_if(points.series, [i](const auto& one) { return one.values[i].has_value(); }),
                     std::ptrdiff_t{1});
    }

    void pointsOfFormulasLieOnTheRoofAndTheRoofBendsAtItsRidge() {
        const ModelRun& run = runOfAllClasses();
        const FigurePanel panel = rooflinePanel(run, run.sequential);
        const engine::Roofline roof = engine::rooflineOf(run.base);
        const auto& line = std::get<LineMark>(panel.marks.front());
        QCOMPARE(line.x[1], roof.ridge());
        QCOMPARE(*line.series[0].values[1], *line.series[0].values[2]);
        QVERIFY(std::abs(*line.series[0].values[0] - line.x[0] * roof.bytesPerSecond / 1e12) < 1e-9);
        // It begins at an edge of the panel, which cuts off nothing of it.
        QVERIFY(line.x[0] >= *panel.x.from && *line.series[0].values[0] >= *panel.y.from * (1 - 1e-9));
        QVERIFY(line.x[0] == *panel.x.from || *line.series[0].values[0] <= *panel.y.from * (1 + 1e-9));
        const auto& points = std::get<LineMark>(panel.marks.back());
        const auto series = std::ranges::find(points.series, "element-wise", &FigureSeries::meaning);
        for (std::size_t i = 0; i < points.x.size(); ++i) {
            if (series->values[i])
                QVERIFY(std::abs(*series->values[i] / (roof.at(points.x[i]) / 1e12) - 1) < 1e-3);
        }
    }

    void theSharesOfTheClassesAddUpToTheWhole() {
        const ModelRun& run = runOfAllClasses();
        double sum = 0;
        const FigurePanel panel = classPanel(run, run.policies.front());
        for (const FigureSeries& series : std::get<BarMark>(panel.marks.front()).bars.front().stack)
            for (const std::optional<double>& value : series.values)
                sum += value.value_or(0);
        QVERIFY(std::abs(sum - 100) < 1e-9);
        QCOMPARE(panel.categories.labels.size(), std::size_t{6});
    }

    void everyClassHasAMeaning() {
        std::set<std::string> meanings;
        for (const engine::OperatorClass each : engine::kOperatorClasses) {
            QVERIFY(isMeaning(meaningOf(each)));
            meanings.insert(meaningOf(each));
        }
        QCOMPARE(meanings.size(), engine::kOperatorClasses.size());
    }

    void theTableOfAFigureHasTheSizesOfItsPoints() {
        const auto tables = tablesOf(sizedPoints({1, 4, 0}, false));
        QCOMPARE(tables.size(), std::size_t{1});
        QCOMPARE(tables[0].columns.back(), std::string("Weight"));
        QCOMPARE(tables[0].rows[1].back(), std::string("4"));
    }

    void sizesAreOfPointsOneForEachAndNotNegative() {
        QVERIFY(problemsOf(sizedPoints({1, 4, 0}, false)).empty());
        QVERIFY(problemsOf(sizedPoints({}, true)).empty());
        const auto refused = [](const FigureSpec& figure) {
            const engine::Problems problems = problemsOf(figure);
            return problems.size() == 1 && problems[0].path == "panels[0].marks[0].sizes";
        };
        QVERIFY(refused(sizedPoints({1, 4, 0}, true)));
        QVERIFY(refused(sizedPoints({1, 4}, false)));
        QVERIFY(refused(sizedPoints({1, 4, -1}, false)));
    }
};

RINGSIDE_TEST(TestOperatorFigures)
#include "tst_operator_figures.moc"
