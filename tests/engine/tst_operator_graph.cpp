#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <cmath>
#include <map>
#include <set>

using namespace engine;

namespace {

constexpr double kB = 8, kS = 1024, kH = 4096;

/// B = 8, S = 1024, H = 4096, two layers, a vocabulary that 4 GPUs divide.
Experiment model(std::int64_t tp = 4) {
    Experiment experiment;
    experiment.workload.hidden = 4096;
    experiment.workload.sequence = 1024;
    experiment.workload.batch = 8;
    experiment.workload.layers = 2;
    experiment.workload.heads = 32;
    experiment.workload.vocabulary = 32000;
    experiment.parallel.tp = tp;
    return experiment;
}

/// Of all GPUs, one layer, GEMMs and attention.
double layerFlops(const OperatorGraph& graph, OperatorPass pass) {
    double sum = 0;
    for (const Operator& op : graph.operators) {
        if (op.inLayer && op.pass == pass && (op.gemm || op.kind == OperatorKind::attention))
            sum += op.flops;
    }
    return sum * static_cast<double>(graph.gpus);
}

std::int64_t layerWeights(const OperatorGraph& graph) {
    std::int64_t sum = 0;
    for (const Operator& op : graph.operators)
        sum += op.inLayer ? op.weights : 0;
    return sum * graph.gpus;
}

std::set<std::string> idsOf(const OperatorGraph& graph, OperatorKind kind) {
    std::set<std::string> ids;
    for (const Operator& op : graph.operators) {
        if (op.kind == kind)
            ids.insert(op.id);
    }
    return ids;
}

bool near(double a, double b) { return std::abs(a / b - 1) < 1e-12; }

}  // namespace

class TestOperatorGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theForwardFlopsOfALayerAreTheClosedForm_data() {
        QTest::addColumn<int>("tp");
        for (const int tp : {2, 4, 8, 32})
            QTest::addRow("%d GPUs", tp) << tp;
    }

    // 24 B S H^2 for the GEMMs and 4 B S^2 H for scores and values, of which a causal model computes (S + 1)/2S.
    void theForwardFlopsOfALayerAreTheClosedForm() {
        QFETCH(int, tp);
        const double causal = (kS + 1) / (2 * kS);
        const double expected = 24 * kB * kS * kH * kH + 4 * kB * kS * kS * kH * causal;
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt})
            QVERIFY(near(layerFlops(operatorGraphOf(model(tp), phase), OperatorPass::forward), expected));
    }

    // Input and weight gradients each cost the forward GEMMs; attention 2.5 times its forward flops.
    void theBackwardFlopsOfALayerAreTheClosedForm() {
        const double causal = (kS + 1) / (2 * kS);
        const double expected = 48 * kB * kS * kH * kH + 10 * kB * kS * kS * kH * causal;
        QVERIFY(near(layerFlops(operatorGraphOf(model(), ModelPhase::training), OperatorPass::backward), expected));
    }

    // One token a sequence: 24 B H^2, and 4 B S H for the cached keys and values.
    void aGeneratedTokenCostsTheFlopsOfOneRow() {
        const OperatorGraph graph = operatorGraphOf(model(), ModelPhase::generation);
        QVERIFY(near(layerFlops(graph, OperatorPass::forward), 24 * kB * kH * kH + 4 * kB * kS * kH));
        for (const Operator& op : graph.operators) {
            if (op.gemm)
                QCOMPARE(op.gemm->m, std::int64_t{8});
        }
    }

    void aLayerHasTwelveTimesHSquaredWeights() {
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation})
            QCOMPARE(layerWeights(operatorGraphOf(model(), phase)), std::int64_t{12} * 4096 * 4096);
    }

    void theModelIsItsLayersAndOneEmbedding() {
        const OperatorGraph graph = operatorGraphOf(model(), ModelPhase::training);
        QCOMPARE(graph.weightsOfModel() * 4, std::int64_t{2} * 12 * 4096 * 4096 + std::int64_t{32000} * 4096);
        QCOMPARE(graph.find("forward/fc-2")->count, std::int64_t{2});
        QCOMPARE(graph.find("forward/lm-head")->count, std::int64_t{1});
    }

    void everyEdgeGoesForwardAndEveryOperatorHasFormulaAndSource() {
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
            for (const std::int64_t experts : {1, 8, -8}) {
                Experiment experiment = model();
                if (experts < 0)
                    experiment.collective.operation = CollectiveOperation::reduceScatter;
                experiment.workload.experts = std::abs(experts);
                experiment.workload.expertsPerToken = std::min<std::int64_t>(std::abs(experts), 2);
                const OperatorGraph graph = operatorGraphOf(experiment, phase);
                for (const OperatorDependency& edge : graph.edges) {
                    QVERIFY(edge.from < edge.to && edge.to < graph.operators.size());
                    QVERIFY(graph.depth[edge.from] < graph.depth[edge.to]);
                }
                std::set<std::string> ids;
                for (const Operator& op : graph.operators) {
                    QVERIFY2(!op.formula.empty() && !op.source.empty() && !op.title.empty(), op.id.c_str());
                    QVERIFY2(ids.insert(op.id).second, op.id.c_str());
                }
            }
        }
    }

    void allButTheFirstOperatorReadSomething() {
        const OperatorGraph graph = operatorGraphOf(model(), ModelPhase::training);
        std::set<std::uint32_t> reading;
        for (const OperatorDependency& edge : graph.edges)
            reading.insert(edge.to);
        QCOMPARE(reading.size(), graph.operators.size() - 1);
    }

    void theGemmsThatFeedACollectiveAreTheEnginesSubLayers() {
        const Experiment experiment = model(8);
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
        const std::map<std::string, SubLayer> expected{{"forward/op", SubLayer::op},
                                                       {"forward/fc-2", SubLayer::fc2},
                                                       {"backward/fc-1", SubLayer::fc1},
                                                       {"backward/ip", SubLayer::ip}};
        for (const auto& [id, sublayer] : expected) {
            Experiment alone = experiment;
            alone.workload.sublayer = sublayer;
            const Operator& op = *graph.find(id);
            const Shape shape = shapeOf(alone);
            QCOMPARE(op.workload->sublayer, sublayer);
            QCOMPARE(op.gemm->m, shape.m);
            QCOMPARE(op.gemm->n, shape.n);
            QCOMPARE(op.gemm->k, shape.k);
        }
        QCOMPARE(idsOf(graph, OperatorKind::feedingGemm).size(), std::size_t{5});  // and the head's input gradient
        QCOMPARE(idsOf(operatorGraphOf(experiment, ModelPhase::prompt), OperatorKind::feedingGemm),
                 (std::set<std::string>{"forward/op", "forward/fc-2"}));
    }

    // An activation is saved where the backward pass reads what the forward pass made.
    void onlyForwardResultsAreSaved() {
        const OperatorGraph graph = operatorGraphOf(model(), ModelPhase::training);
        int saved = 0;
        for (const OperatorDependency& edge : graph.edges) {
            const bool turns = graph.operators[edge.from].pass == OperatorPass::forward &&
                               graph.operators[edge.to].pass == OperatorPass::backward;
            if (edge.saved) {
                QVERIFY(turns);
                ++saved;
            }
        }
        QVERIFY(saved > 5);
    }

    void groupedQueriesNarrowTheInputProjectionAndTheCacheOnly() {
        Experiment grouped = model();
        grouped.workload.kvHeads = 8;
        const OperatorGraph plain = operatorGraphOf(model(), ModelPhase::generation);
        const OperatorGraph narrow = operatorGraphOf(grouped, ModelPhase::generation);
        // Q + 2 KV = 4096 + 2 x 1024 over 4 GPUs instead of 3 x 4096.
        QCOMPARE(plain.find("forward/ip")->gemm->n, std::int64_t{3072});
        QCOMPARE(narrow.find("forward/ip")->gemm->n, std::int64_t{1536});
        // Of 8 x (2 x 1024 x KV + 2 x Q)/4 elements the cache's part is a quarter.
        QCOMPARE(plain.find("forward/attention")->bytes, Bytes{2 * 8 * (2 * 1024 * 4096 + 2 * 4096) / 4});
        QCOMPARE(narrow.find("forward/attention")->bytes, Bytes{2 * 8 * (2 * 1024 * 1024 + 2 * 4096) / 4});
        QCOMPARE(narrow.find("forward/attention")->flops, plain.find("forward/attention")->flops);
        QCOMPARE(narrow.find("forward/fc-2")->gemm, plain.find("forward/fc-2")->gemm);
    }

    void aGateMakesTheFirstFeedForwardTwiceAsWide() {
        Experiment gated = model();
        gated.workload.mlp = Mlp::gated;
        gated.workload.feedForward = 11008;
        const OperatorGraph graph = operatorGraphOf(gated, ModelPhase::training);
        QCOMPARE(graph.find("forward/fc-1")->gemm->n, std::int64_t{2 * 11008 / 4});
        QCOMPARE(graph.find("forward/fc-2")->gemm->k, std::int64_t{11008 / 4});
        QCOMPARE(graph.find("backward/fc-1")->gemm->k, std::int64_t{2 * 11008 / 4});
        // Three tensors of T x F/N instead of two.
        QCOMPARE(graph.find("forward/activation")->bytes, Bytes{std::int64_t{2} * 3 * 8192 * 11008 / 4});
        QCOMPARE(layerWeights(graph), std::int64_t{4} * 4096 * 4096 + std::int64_t{3} * 4096 * 11008);
    }

    // Each GPU has E/N experts, each token goes to k of them: k T F H in all, as the dense layer's k-fold.
    void eachGpuHasWholeExpertsThatDoTheWorkOfTheirTokens() {
        Experiment experiment = model();
        experiment.workload.experts = 8;
        experiment.workload.expertsPerToken = 2;
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::prompt);
        const Operator& second = *graph.find("forward/fc-2");
        QCOMPARE(second.kind, OperatorKind::feedingGemm);
        QCOMPARE(second.operation, CollectiveOperation::allToAll);
        QCOMPARE(second.gemms, std::int64_t{2});
        QCOMPARE(*second.gemm, (GemmSize{8192 * 2 / 8, 4096, 4 * 4096}));
        QCOMPARE(second.flops * 4, 2.0 * 2 * 8192 * 4096 * 4 * 4096);
        QCOMPARE(graph.find("forward/dispatch")->bytes, Bytes{std::int64_t{2} * 2 * 8192 / 4 * 4096});
        QCOMPARE(graph.find("forward/dispatch")->workload->sublayer, SubLayer::allToAll);
        // Eight times the feed-forward weights, and a router on each GPU.
        QCOMPARE(layerWeights(graph),
                 std::int64_t{4} * 4096 * 4096 + std::int64_t{8} * 8 * 4096 * 4096 + std::int64_t{4} * 8 * 4096);
    }

    // What the engine runs for one expert's second matrix: as many rows as it has tokens, K not sliced.
    void anExpertsGemmIsASubLayerOfItsTokens() {
        for (const Mlp mlp : {Mlp::plain, Mlp::gated}) {
            Experiment experiment = model();
            experiment.workload.experts = 8;
            experiment.workload.expertsPerToken = 2;
            experiment.workload.mlp = mlp;
            const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
            for (const char* id : {"forward/fc-2", "backward/fc-1"}) {
                const Operator& op = *graph.find(id);
                experiment.workload = *op.workload;
                const Shape shape = shapeOf(experiment);
                QCOMPARE((GemmSize{shape.m, shape.n, shape.k}), *op.gemm);
                QCOMPARE(graph.find(std::string(id) + "/all-to-all")->bytes, Bytes{2 * op.gemms * shape.m * shape.n});
            }
            QCOMPARE(graph.find("backward/fc-1")->gemm->k, std::int64_t{mlp == Mlp::gated ? 2 : 1} * 4 * 4096);
        }
    }

    void sequenceParallelismComputesTheSameOnAShareOfTheTokens() {
        Experiment sliced = model();
        sliced.collective.operation = CollectiveOperation::reduceScatter;
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt}) {
            const OperatorGraph plain = operatorGraphOf(model(), phase), graph = operatorGraphOf(sliced, phase);
            QCOMPARE(graph.flopsOfModel(), plain.flopsOfModel());
            QCOMPARE(graph.weightsOfModel(), plain.weightsOfModel());
            for (const char* id : {"forward/norm-1", "forward/residual-1", "forward/norm-2", "forward/residual-2"})
                QCOMPARE(graph.find(id)->bytes * 4, plain.find(id)->bytes);
            QCOMPARE(graph.find("forward/activation")->bytes, plain.find("forward/activation")->bytes);
        }
    }

    // An all-reduce is a reduce-scatter after one GEMM and an all-gather before the next: as many of each, in a layer.
    void sequenceParallelismGathersBeforeEachGemmThatTheOtherPassReduces() {
        Experiment sliced = model();
        sliced.collective.operation = CollectiveOperation::reduceScatter;
        const OperatorGraph graph = operatorGraphOf(sliced, ModelPhase::training);
        std::set<std::string> scattered, gathered;
        for (const Operator& op : graph.operators) {
            if (!op.feeder || !op.inLayer)
                continue;
            const Operator& gemm = graph.operators[*op.feeder];
            QCOMPARE(gemm.kind, OperatorKind::feedingGemm);
            (gemm.operation == CollectiveOperation::allGather ? gathered : scattered).insert(gemm.id);
            QVERIFY2(op.id.rfind(gemm.id + "/", 0) == 0, op.id.c_str());
        }
        QCOMPARE(scattered, (std::set<std::string>{"forward/op", "forward/fc-2", "backward/fc-1", "backward/ip"}));
        QCOMPARE(gathered, (std::set<std::string>{"forward/ip", "forward/fc-1", "backward/fc-2", "backward/op"}));
        for (const OperatorDependency& edge : graph.edges)
            QVERIFY(edge.from < edge.to);
    }

    void theOptimizerMovesTwentyEightBytesAWeight() {
        const OperatorGraph graph = operatorGraphOf(model(), ModelPhase::training);
        QCOMPARE(graph.find("optimizer/layer")->bytes, Bytes{std::int64_t{28} * 12 * 4096 * 4096 / 4});
        QVERIFY(graph.find("optimizer/layer")->inLayer);
        QCOMPARE(graph.find("optimizer/embedding")->bytes, Bytes{std::int64_t{28} * 32000 * 4096 / 4});
    }

    void aRooflineIsTheSlowerOfMovingAndComputing() {
        Experiment machine;  // 750 GB/s sustained, 100.9 Tflop/s
        QCOMPARE(rooflineTime(machine, 0, Bytes{750'000}), 1_us);
        const double second = 80.0 * 1024 * 1.4e9 * 0.88;
        QCOMPARE(rooflineTime(machine, second / 1e6, Bytes{1}), 1_us);
        QCOMPARE(rooflineTime(machine, 0, Bytes{1}), Duration{2});  // 1.33 ps, rounded up
    }

    void aDegreeThatDividesNoKNamesTheSubLayersAndWhatWould() {
        Experiment experiment = model(3);
        const Problems problems = operatorGraphProblems(experiment, ModelPhase::prompt);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].path, std::string("parallel.tp"));
        const std::string& text = problems[0].text;
        QVERIFY2(text.find("K of op (4096)") != std::string::npos, text.c_str());
        QVERIFY2(text.find("K of ip") == std::string::npos, text.c_str());  // 3 divides 3H
        QVERIFY2(text.find("allowed: 1, 2, 4, 8, 16, 32, 64") != std::string::npos, text.c_str());
    }

    void expertsThatTheGpusCannotShareAreRefused() {
        Experiment experiment = model(16);
        experiment.workload.experts = 8;
        experiment.workload.expertsPerToken = 9;
        const Problems problems = operatorGraphProblems(experiment, ModelPhase::prompt);
        QCOMPARE(problems.size(), std::size_t{2});
        QVERIFY(problems[0].text.find("number of experts") != std::string::npos);
        QCOMPARE(problems[1].path, std::string("workload.experts_per_token"));
    }

    void headsThatTheDegreeCutsAreANotice() {
        Experiment experiment = model(8);
        experiment.workload.heads = 28;
        QVERIFY(operatorGraphProblems(experiment, ModelPhase::prompt).empty());
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::prompt);
        QCOMPARE(graph.notices.size(), std::size_t{1});
        QCOMPARE(graph.notices[0].path, std::string("workload.heads"));
    }

    void aVocabularyThatTheGpusDoNotDivideIsRoundedUp() {
        Experiment experiment = model();
        experiment.workload.vocabulary = 50257;
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
        QCOMPARE(graph.find("forward/lm-head")->gemm->n, std::int64_t{50260 / 4});
        QCOMPARE(graph.notices[0].path, std::string("workload.vocabulary"));
    }
};

RINGSIDE_TEST(TestOperatorGraph)
#include "tst_operator_graph.moc"
