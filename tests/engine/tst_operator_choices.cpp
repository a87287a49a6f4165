#include "engine/api/operator_graph.h"
#include "engine/api/parameters.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace engine;

namespace {

constexpr double kSequence = 2048, kWidth = 6144, kHeads = 64;

/// Korthikanti et al., the model of 22 billion weights: H 6144, 48 layers, 64 heads, S 2048, one sequence.
Experiment publishedModel(std::int64_t tp) {
    Experiment e;
    e.workload.hidden = 6144;
    e.workload.heads = 64;
    e.workload.layers = 48;
    e.workload.sequence = 2048;
    e.workload.batch = 1;
    e.parallel.tp = tp;
    e.operators.attention = AttentionOperators::separate;
    e.operators.dropout = Dropout::on;
    return e;
}

Experiment withSequenceParallelism(Experiment e, Recompute recompute = Recompute::gathers) {
    e.collective.operation = CollectiveOperation::reduceScatter;
    e.operators.recompute = recompute;
    return e;
}

Experiment withRecompute(Experiment e, Recompute recompute) {
    e.operators.recompute = recompute;
    return e;
}

OperatorGraph trained(const Experiment& e) { return operatorGraphOf(e, ModelPhase::training); }

/// Bytes that a layer keeps for its backward pass, over S B H: the output of what saved edges of the layer begin with,
/// once each, and masks.
double keptByLayer(const Experiment& e) {
    const OperatorGraph graph = trained(e);
    std::map<std::uint32_t, double> kept;
    for (const OperatorDependency& edge : graph.edges) {
        if (edge.saved && graph.operators[edge.to].inLayer)
            kept[edge.from] = static_cast<double>(graph.operators[edge.from].output.count);
    }
    double sum = 0;
    for (const auto& [from, bytes] : kept)
        sum += bytes;
    for (const Operator& op : graph.operators)
        sum += op.pass == OperatorPass::forward ? static_cast<double>(op.mask.count) : 0;
    return sum / (kSequence * kWidth);
}

std::map<std::string, int> idsOfPass(const OperatorGraph& graph, OperatorPass pass, bool inLayer = true) {
    std::map<std::string, int> ids;
    for (const Operator& op : graph.operators) {
        if (op.pass == pass && op.inLayer == inLayer)
            ++ids[op.id.substr(op.id.find('/') + 1)];
    }
    return ids;
}

bool equal(double a, double b) { return std::abs(a / b - 1) < 1e-12; }

}  // namespace

/// Tests the effect of operators.*, training.optimizer and one GPU on the graph, and the tensors kept for the backward
/// pass.
class TestOperatorChoices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Korthikanti et al., equations 1 to 4 and table 2.
    void aLayerKeepsWhatThePublishedFormulasSay() {
        constexpr double kScores = 5 * kHeads * kSequence / kWidth;  // 5 a s / h
        for (const std::int64_t tp : {1, 2, 8}) {
            const auto t = static_cast<double>(tp);
            const Experiment e = publishedModel(tp);
            QVERIFY(equal(keptByLayer(e), 10 + 24 / t + kScores / t));
            QVERIFY(equal(keptByLayer(withRecompute(e, Recompute::attention)), 10 + 24 / t));
            QVERIFY(equal(keptByLayer(withRecompute(e, Recompute::layer)), 2));
            QVERIFY(equal(keptByLayer(withSequenceParallelism(e)), (34 + kScores) / t));
            QVERIFY(equal(keptByLayer(withSequenceParallelism(e, Recompute::attention)), 34 / t));
            QVERIFY(equal(keptByLayer(withSequenceParallelism(e, Recompute::layer)), 2 / t));
        }
    }

    void theSavingsAreThoseOfThePublishedPlot() {
        const Experiment e = publishedModel(8);
        const double none = keptByLayer(e);
        const auto percent = [&](const Experiment& other) { return 100 * keptByLayer(other) / none; };
        QVERIFY(std::abs(percent(withSequenceParallelism(e)) - 66.77) < 0.005);
        QVERIFY(std::abs(percent(withRecompute(e, Recompute::attention)) - 49.37) < 0.005);
        QVERIFY(std::abs(percent(withSequenceParallelism(e, Recompute::attention)) - 16.14) < 0.005);
        QVERIFY(std::abs(percent(withRecompute(e, Recompute::layer)) - 7.59) < 0.005);
    }

    // Without recomputation the gathered inputs of both matrices are kept: 2 s b h each in place of their share.
    void keptGathersAreWholeTensors() {
        const Experiment e = publishedModel(8);
        const double apart = keptByLayer(withSequenceParallelism(e, Recompute::none)) -
                             keptByLayer(withSequenceParallelism(e, Recompute::gathers));
        QVERIFY(equal(apart, 2 * 2 * (1 - 1.0 / 8)));
    }

    void fusedAttentionKeepsNoScores() {
        Experiment e = publishedModel(8);
        e.operators.attention = AttentionOperators::fused;
        QVERIFY(equal(keptByLayer(e), 10 + 24.0 / 8));
        QVERIFY(equal(keptByLayer(withRecompute(e, Recompute::attention)), 10 + 24.0 / 8));
        e.operators.dropout = Dropout::off;
        QVERIFY(equal(keptByLayer(e), 8 + 24.0 / 8));
    }

    void aLayerHasThreeDropoutsAndTwoWithFusedAttention() {
        Experiment e = publishedModel(8);
        const auto masks = [&] {
            std::map<std::string, std::int64_t> found;
            for (const Operator& op : trained(e).operators) {
                if (op.mask.count > 0)
                    found[op.id] = op.mask.count;
            }
            return found;
        };
        const std::int64_t tokens = 2048, hidden = 6144;
        QVERIFY(
            (masks() == std::map<std::string, std::int64_t>{{"forward/dropout-1", tokens * hidden},
                                                            {"forward/dropout-2", tokens * hidden},
                                                            {"forward/softmax-dropout", 64 / 8 * tokens * tokens}}));
        e.operators.attention = AttentionOperators::fused;
        QCOMPARE(masks().size(), std::size_t{2});
        e.operators.dropout = Dropout::off;
        QCOMPARE(masks().size(), std::size_t{0});
        // There is no dropout in a phase that is not training.
        e.operators.dropout = Dropout::on;
        for (const ModelPhase phase : {ModelPhase::prompt, ModelPhase::generation})
            QVERIFY(operatorGraphOf(e, phase).find("forward/dropout-1") == nullptr);
    }

    void separateAttentionIsThreeOperatorsForwardAndBackward() {
        Experiment e = publishedModel(8);
        e.operators.dropout = Dropout::off;
        const OperatorGraph graph = trained(e);
        QVERIFY(graph.find("forward/attention") == nullptr && graph.find("backward/attention") == nullptr);
        const double product = 2 * kSequence * kSequence * kWidth / 8;
        for (const char* id : {"forward/scores", "forward/value"})
            QVERIFY2(equal(graph.find(id)->flops, product), id);
        for (const char* id : {"backward/scores", "backward/value"})
            QVERIFY2(equal(graph.find(id)->flops, 2 * product), id);
        const double scores = 64.0 / 8 * kSequence * kSequence, tokens = kSequence * kWidth / 8;
        QCOMPARE(static_cast<double>(graph.find("forward/scores")->bytes.count), 2 * (2 * tokens + scores));
        QCOMPARE(static_cast<double>(graph.find("forward/softmax")->bytes.count), 4 * scores);
        QCOMPARE(static_cast<double>(graph.find("backward/softmax")->bytes.count), 6 * scores);
        QCOMPARE(graph.find("forward/softmax")->kind, OperatorKind::elementWise);
        QCOMPARE(graph.find("forward/scores")->kind, OperatorKind::attention);
        QVERIFY(std::any_of(graph.symbols.begin(), graph.symbols.end(),
                            [](const OperatorSymbol& at) { return at.symbol == "a" && at.value == 64; }));
    }

    // One token of each sequence: S scores a head, and the cache is read once.
    void generationScoresTheCache() {
        Experiment e = publishedModel(8);
        const OperatorGraph graph = operatorGraphOf(e, ModelPhase::generation);
        QCOMPARE(graph.find("forward/softmax")->output, Bytes{2 * 2048 * 64 / 8});
        QCOMPARE(static_cast<double>(graph.find("forward/value")->bytes.count),
                 2 * (64.0 / 8 * kSequence + kSequence * kWidth / 8 + kWidth / 8));
        QVERIFY(equal(graph.find("forward/scores")->flops, 2 * kSequence * kWidth / 8));
    }

    void gathersAreDoneOnceMoreAndNothingElse() {
        const OperatorGraph graph = trained(withSequenceParallelism(publishedModel(8)));
        QVERIFY((idsOfPass(graph, OperatorPass::recompute) ==
                 std::map<std::string, int>{{"fc-1/all-gather", 1}, {"ip/all-gather", 1}}));
        QVERIFY((idsOfPass(graph, OperatorPass::recompute, false) ==
                 std::map<std::string, int>{{"lm-head/all-gather", 1}}));
        // Without sequence parallelism there are none.
        QVERIFY(
            idsOfPass(trained(withRecompute(publishedModel(8), Recompute::gathers)), OperatorPass::recompute).empty());
        QVERIFY(idsOfPass(trained(withSequenceParallelism(publishedModel(8), Recompute::none)), OperatorPass::recompute)
                    .empty());
    }

    void attentionIsDoneOnceMoreWithTheWordsBeforeIt() {
        const OperatorGraph graph = trained(withSequenceParallelism(publishedModel(8), Recompute::attention));
        QVERIFY((idsOfPass(graph, OperatorPass::recompute) == std::map<std::string, int>{{"fc-1/all-gather", 1},
                                                                                         {"ip/all-gather", 1},
                                                                                         {"scores", 1},
                                                                                         {"softmax", 1},
                                                                                         {"softmax-dropout", 1},
                                                                                         {"value", 1}}));
    }

    void aRecomputedLayerIsTheForwardLayer() {
        for (const bool sliced : {false, true}) {
            for (const std::int64_t experts : {1, 8}) {
                Experiment e = publishedModel(8);
                if (sliced)
                    e = withSequenceParallelism(e);
                e.operators.recompute = Recompute::layer;
                e.workload.experts = experts;
                e.workload.expertsPerToken = std::min<std::int64_t>(2, experts);
                const OperatorGraph graph = trained(e);
                const auto again = idsOfPass(graph, OperatorPass::recompute);
                QVERIFY(again.size() > 10 && again == idsOfPass(graph, OperatorPass::forward));
                for (const Operator& op : graph.operators) {
                    if (op.pass != OperatorPass::recompute || !op.inLayer)
                        continue;
                    const Operator* forward = graph.find("forward" + op.id.substr(op.id.find('/')));
                    QVERIFY2(forward != nullptr && op.flops == forward->flops && op.bytes == forward->bytes &&
                                 op.gemm == forward->gemm && op.output == forward->output && op.count == forward->count,
                             op.id.c_str());
                    QVERIFY2(op.weights == 0, op.id.c_str());
                }
            }
        }
    }

    // Collectives of Megatron-LM: 4 in a layer, 6 where the layer is repeated.
    void aRepeatedLayerHasHalfAsManyCollectivesAgain() {
        const auto collectives = [](const OperatorGraph& graph) {
            return std::count_if(graph.operators.begin(), graph.operators.end(),
                                 [](const Operator& op) { return op.inLayer && op.kind == OperatorKind::collective; });
        };
        QCOMPARE(collectives(trained(publishedModel(8))), 4);
        QCOMPARE(collectives(trained(withRecompute(publishedModel(8), Recompute::layer))), 6);
    }

    void edgesOfRecomputationAreSavedWhereTheyLeaveTheForwardPass() {
        for (const Recompute word : {Recompute::gathers, Recompute::attention, Recompute::layer}) {
            const OperatorGraph graph = trained(withSequenceParallelism(publishedModel(8), word));
            for (const OperatorDependency& edge : graph.edges) {
                const OperatorPass from = graph.operators[edge.from].pass, to = graph.operators[edge.to].pass;
                QVERIFY(edge.from < edge.to);
                if (to == OperatorPass::recompute)
                    QCOMPARE(edge.saved, from == OperatorPass::forward);
                if (from == OperatorPass::recompute)
                    QVERIFY(!edge.saved);
            }
        }
    }

    void recomputationIsNoWorkOfTheModel() {
        const Experiment e = publishedModel(8);
        const double flops = trained(e).flopsOfModel();
        for (const Recompute word : {Recompute::attention, Recompute::layer})
            QCOMPARE(trained(withRecompute(e, word)).flopsOfModel(), flops);
        QCOMPARE(trained(withRecompute(e, Recompute::layer)).weightsOfModel(), trained(e).weightsOfModel());
    }

    // Recomputation of whole layers repeats their forward pass: GEMMs and attention, without the head.
    void recomputationIsWorkOfTheGpus() {
        const Experiment e = publishedModel(8);
        const OperatorGraph plain = trained(e);
        QCOMPARE(plain.flopsWithRecompute(), plain.flopsOfModel());
        double forward = 0;
        for (const Operator& op : plain.operators) {
            if (op.inLayer && op.pass == OperatorPass::forward && op.kind != OperatorKind::elementWise)
                forward += op.flops * static_cast<double>(op.count);
        }
        QVERIFY(forward > 0);
        QCOMPARE(trained(withRecompute(e, Recompute::layer)).flopsWithRecompute(), plain.flopsOfModel() + forward);
    }

    // ZeRO, section 3.1: K bytes of state are read and written, the gradient is read, the fp16 weight written.
    void anOptimizerMovesItsState() {
        Experiment e = publishedModel(8);
        const std::vector<std::pair<OptimizerKind, std::int64_t>> bytes{
            {OptimizerKind::adam, 28}, {OptimizerKind::momentum, 20}, {OptimizerKind::sgd, 12}};
        const std::int64_t weights = 12 * std::int64_t{6144} * 6144 / 8;
        for (const auto& [kind, ofWeight] : bytes) {
            e.training.optimizer = kind;
            const OperatorGraph graph = trained(e);
            QCOMPARE(graph.find("optimizer/layer")->bytes, Bytes{ofWeight * weights});
            QVERIFY(graph.find("optimizer/layer")->formula.starts_with(std::to_string(ofWeight) + " bytes"));
        }
        QVERIFY(trained(e).find("optimizer/layer")->title == "SGD on a layer's weights");
    }

    void oneGpuHasPlainGemmsAndNoCollectives() {
        for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
            for (const bool sliced : {false, true}) {
                for (const std::int64_t experts : {1, 8}) {
                    Experiment e = publishedModel(1);
                    if (sliced)
                        e = withSequenceParallelism(e);
                    e.workload.experts = experts;
                    QVERIFY(operatorGraphProblems(e, phase).empty());
                    const OperatorGraph graph = operatorGraphOf(e, phase);
                    for (const Operator& op : graph.operators) {
                        QVERIFY2(op.kind != OperatorKind::collective && op.kind != OperatorKind::feedingGemm,
                                 op.id.c_str());
                        QVERIFY2(!op.workload && !op.feeder, op.id.c_str());
                    }
                    QVERIFY(std::none_of(graph.notices.begin(), graph.notices.end(),
                                         [](const Notice& notice) { return notice.path == "collective.operation"; }));
                }
            }
        }
    }

    void oneGpuDoesTheWorkOfAll() {
        const OperatorGraph one = trained(publishedModel(1)), eight = trained(publishedModel(8));
        for (const char* id : {"forward/ip", "forward/op", "forward/fc-1", "forward/fc-2", "backward/ip",
                               "backward/fc-2/weights", "forward/scores", "optimizer/layer"}) {
            QVERIFY2(one.find(id) != nullptr && equal(one.find(id)->flops, 8 * eight.find(id)->flops), id);
        }
        QCOMPARE(one.weightsOfModel(), 8 * eight.weightsOfModel());
        // On one GPU no all-gather follows the router's gradient, but the gradient must still have a successor in the
        // graph.
        Experiment e = publishedModel(1);
        e.workload.experts = 8;
        const OperatorGraph graph = trained(e);
        const auto router = static_cast<std::uint32_t>(graph.find("backward/router") - graph.operators.data());
        QVERIFY(std::any_of(graph.edges.begin(), graph.edges.end(),
                            [&](const OperatorDependency& edge) { return edge.from == router; }));
    }

    void everyOperatorWritesSomething() {
        for (const std::int64_t tp : {1, 8}) {
            for (const std::int64_t experts : {1, 8}) {
                Experiment e = withSequenceParallelism(publishedModel(tp), Recompute::layer);
                e.workload.experts = experts;
                for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
                    for (const Operator& op : operatorGraphOf(e, phase).operators) {
                        QVERIFY2(op.output.count > 0, op.id.c_str());
                        if (op.gemm)
                            QCOMPARE(op.output, Bytes{2 * op.gemm->m * op.gemm->n * op.gemms});
                        else
                            QVERIFY2(op.output <= op.bytes, op.id.c_str());
                    }
                }
            }
        }
        const OperatorGraph graph = trained(withSequenceParallelism(publishedModel(8)));
        const Bytes tokens{2 * 2048 * 6144};
        QCOMPARE(graph.find("forward/ip/all-gather")->output, tokens);
        QCOMPARE(graph.find("forward/op/reduce-scatter")->output, Bytes{tokens.count / 8});
        QCOMPARE(graph.find("forward/norm-1")->output, Bytes{tokens.count / 8});
        QCOMPARE(trained(publishedModel(8)).find("forward/op/all-reduce")->output, tokens);
    }
};

RINGSIDE_TEST(TestOperatorChoices)
#include "tst_operator_choices.moc"
