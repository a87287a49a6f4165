#include "tests/test_program.h"
#include "ui/model/operator_canvas.h"

#include "engine/api/operator_graph.h"

#include <QTest>

#include <algorithm>

using engine::ModelPhase;
using engine::OperatorGraph;
using ui::OperatorLayout;

namespace {

constexpr double kOperatorLine = 17;
const QRectF kOperatorArea(0, 0, 1200, 420);

OperatorGraph graphOf(ModelPhase phase, std::int64_t experts = 1) {
    engine::Experiment experiment;
    experiment.workload.experts = experts;
    experiment.workload.expertsPerToken = experts > 1 ? 2 : 1;
    return engine::operatorGraphOf(experiment, phase);
}

std::vector<OperatorGraph> all() {
    std::vector<OperatorGraph> graphs;
    for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
        graphs.push_back(graphOf(phase));
        graphs.push_back(graphOf(phase, 8));
    }
    for (const engine::Recompute word : {engine::Recompute::attention, engine::Recompute::layer}) {
        engine::Experiment experiment;
        experiment.collective.operation = engine::CollectiveOperation::reduceScatter;
        experiment.operators = {engine::AttentionOperators::separate, engine::Dropout::on, word};
        graphs.push_back(engine::operatorGraphOf(experiment, ModelPhase::training));
    }
    engine::Experiment lamb;
    lamb.training.optimizer = engine::OptimizerKind::lamb;
    graphs.push_back(engine::operatorGraphOf(lamb, ModelPhase::training));
    return graphs;
}

std::uint32_t indexOf(const OperatorGraph& graph, const char* id) {
    const engine::Operator* op = graph.find(id);
    Q_ASSERT(op != nullptr);
    return static_cast<std::uint32_t>(op - graph.operators.data());
}

}  // namespace

class TestOperatorLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOperatorStandsInsideAndNoTwoMeet() {
        for (const OperatorGraph& graph : all()) {
            for (const QRectF& area : {kOperatorArea, QRectF(0, 0, 700, 380), QRectF(5, 9, 2400, 900)}) {
                const OperatorLayout layout = ui::layoutOperators(graph, area, kOperatorLine);
                QCOMPARE(layout.boxes.size(), graph.operators.size());
                for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
                    QVERIFY2(area.contains(layout.boxes[i]), graph.operators[i].id.c_str());
                    for (std::size_t j = 0; j < i; ++j)
                        QVERIFY2(!layout.boxes[i].intersects(layout.boxes[j]),
                                 qPrintable(QString::fromStdString(graph.operators[i].id + " meets " +
                                                                   graph.operators[j].id)));
                }
            }
        }
    }

    void theForwardPassGoesFromLeftToRightAndTheBackwardPassBack() {
        const OperatorGraph graph = graphOf(ModelPhase::training);
        const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
        const auto x = [&](const char* id) { return layout.boxes[indexOf(graph, id)].center().x(); };
        QVERIFY(x("forward/norm-1") < x("forward/attention"));
        QVERIFY(x("forward/attention") < x("forward/fc-1"));
        QVERIFY(x("forward/fc-1") < x("forward/fc-2"));
        QVERIFY(x("backward/fc-1") < x("backward/fc-2"));
        QVERIFY(x("backward/attention") < x("backward/fc-1"));
        QVERIFY(layout.boxes[indexOf(graph, "backward/fc-1")].top() >
                layout.boxes[indexOf(graph, "forward/fc-1")].bottom());
    }

    void aGradientStandsUnderWhatItIsTheGradientOf() {
        for (const std::int64_t experts : {1, 8}) {
            const OperatorGraph graph = graphOf(ModelPhase::training, experts);
            const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
            for (const char* key : {"attention", "fc-1", "fc-2", "norm-2"}) {
                const std::string name(key);
                const OperatorLayout& at = layout;
                QCOMPARE(at.cells[indexOf(graph, ("forward/" + name).c_str())].column,
                         at.cells[indexOf(graph, ("backward/" + name).c_str())].column);
            }
            QCOMPARE(layout.cells[indexOf(graph, "backward/fc-2/weights")].column,
                     layout.cells[indexOf(graph, "forward/fc-2")].column);
        }
    }

    void whatIsRecomputedStandsBetweenThePasses() {
        engine::Experiment experiment;
        experiment.operators.recompute = engine::Recompute::layer;
        const OperatorGraph graph = engine::operatorGraphOf(experiment, ModelPhase::training);
        const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
        for (const char* key : {"ip", "attention", "fc-2"}) {
            const std::string name(key);
            const std::uint32_t again = indexOf(graph, ("recompute/" + name).c_str());
            const std::uint32_t forward = indexOf(graph, ("forward/" + name).c_str());
            QCOMPARE(layout.cells[again].column, layout.cells[forward].column);
            QVERIFY(layout.boxes[again].top() > layout.boxes[forward].bottom());
            QVERIFY(layout.boxes[again].bottom() < layout.boxes[indexOf(graph, ("backward/" + name).c_str())].top());
        }
    }

    void aCollectiveStandsUnderTheGemmThatFeedsIt() {
        const OperatorGraph graph = graphOf(ModelPhase::prompt);
        const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
        for (std::uint32_t i = 0; i < graph.operators.size(); ++i) {
            const auto& feeder = graph.operators[i].feeder;
            if (!feeder)
                continue;
            QCOMPARE(layout.cells[i].column, layout.cells[*feeder].column);
            QVERIFY(layout.boxes[i].top() > layout.boxes[*feeder].bottom());
        }
    }

    void anOptimizersSecondKernelStandsUnderItsFirst() {
        const OperatorGraph graph = all().back();
        const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
        for (const std::string of : {"optimizer/layer", "optimizer/embedding"}) {
            const std::uint32_t first = indexOf(graph, (of + "/first-pass").c_str());
            const std::uint32_t second = indexOf(graph, (of + "/second-pass").c_str());
            QCOMPARE(layout.cells[second].column, layout.cells[first].column);
            QVERIFY(layout.boxes[second].top() > layout.boxes[first].bottom());
        }
    }

    void theFrameHoldsTheLayerAndNothingElse() {
        for (const OperatorGraph& graph : all()) {
            const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
            for (std::uint32_t i = 0; i < graph.operators.size(); ++i)
                QVERIFY2(layout.layer.intersects(layout.boxes[i]) == graph.operators[i].inLayer,
                         graph.operators[i].id.c_str());
        }
    }

    void everyEdgeEndsAtItsOperators() {
        for (const OperatorGraph& graph : all()) {
            const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
            QCOMPARE(layout.edges.size(), graph.edges.size());
            for (const ui::OperatorEdge& edge : layout.edges) {
                QVERIFY(layout.boxes[edge.from].adjusted(-1, -1, 1, 1).contains(edge.points.front()));
                QVERIFY(layout.boxes[edge.to].adjusted(-1, -1, 1, 1).contains(edge.points.back()));
            }
        }
    }

    void stepsReachEveryOperatorAndGoBackAlongARow() {
        const OperatorGraph graph = graphOf(ModelPhase::training);
        const OperatorLayout layout = ui::layoutOperators(graph, kOperatorArea, kOperatorLine);
        std::vector<std::uint32_t> reached{0};
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (const auto& [columns, rows] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
                const auto next = layout.towards(reached[i], columns, rows);
                if (next && std::find(reached.begin(), reached.end(), *next) == reached.end())
                    reached.push_back(*next);
                if (next && columns != 0)
                    QCOMPARE(layout.towards(*next, -columns, 0), std::optional(reached[i]));
            }
        }
        QCOMPARE(reached.size(), graph.operators.size());
    }

    void withoutOperatorsThereIsNothing() {
        QVERIFY(ui::layoutOperators({}, kOperatorArea, kOperatorLine).boxes.empty());
    }
};

RINGSIDE_CORE_TEST(TestOperatorLayout)
#include "tst_operator_layout.moc"
