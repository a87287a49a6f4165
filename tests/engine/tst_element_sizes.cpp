#include "engine/api/division.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/operator_graph.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace engine;

namespace {

constexpr std::array kElementBits{8, 16, 32};

/// Returns a model whose sides 4 divides, with 2 sequences of 256 tokens.
Experiment sizedModel(std::int64_t bits, std::int64_t experts = 1) {
    Experiment e;
    e.workload.hidden = 512;
    e.workload.heads = 8;
    e.workload.layers = 4;
    e.workload.sequence = 256;
    e.workload.batch = 2;
    e.workload.vocabulary = 4096;
    e.workload.experts = experts;
    e.parallel.tp = 4;
    e.operators.attention = AttentionOperators::separate;
    e.operators.elementBits = bits;
    return e;
}

/// Returns the bytes of states for one weight, with one replica.
FootprintBytes statesOfAWeight(Accounting accounting, OptimizerKind optimizer, std::int64_t bits) {
    return modelStates({accounting, optimizer, Sharding::none, 1, bits / 8}, 1, 0);
}

std::vector<std::string> refusedPaths(const Experiment& e) {
    std::vector<std::string> paths;
    for (const Problem& problem : divisionProblems(e))
        paths.push_back(problem.path);
    return paths;
}

}  // namespace

/// Tests operators.element_bits and training.optimizer in the operators, the footprint and the messages of whole
/// models.
class TestElementSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesFollowTheElementAndFlopsDoNot_data() {
        QTest::addColumn<int>("experts");
        QTest::addColumn<int>("phase");
        QTest::addColumn<bool>("sliced");
        for (const int experts : {1, 8}) {
            for (const ModelPhase phase : {ModelPhase::training, ModelPhase::prompt, ModelPhase::generation}) {
                for (const bool sliced : {false, true})
                    QTest::addRow("%d experts, %s, %s", experts, std::string(name(phase)).c_str(),
                                  sliced ? "sliced" : "whole")
                        << experts << static_cast<int>(phase) << sliced;
            }
        }
    }

    void bytesFollowTheElementAndFlopsDoNot() {
        QFETCH(int, experts);
        QFETCH(int, phase);
        QFETCH(bool, sliced);
        const auto graphOf = [&](std::int64_t bits) {
            Experiment e = sizedModel(bits, experts);
            if (sliced)
                e.collective.operation = CollectiveOperation::reduceScatter;
            return operatorGraphOf(e, static_cast<ModelPhase>(phase));
        };
        const OperatorGraph bytes = graphOf(8);
        for (const std::int64_t bits : {16, 32}) {
            const OperatorGraph graph = graphOf(bits);
            QCOMPARE(graph.operators.size(), bytes.operators.size());
            for (std::size_t i = 0; i < graph.operators.size(); ++i) {
                const Operator &op = graph.operators[i], &one = bytes.operators[i];
                QCOMPARE(op.flops, one.flops);
                QVERIFY(op.gemm == one.gemm);
                if (op.pass == OperatorPass::optimizer)
                    continue;
                QVERIFY2(op.bytes == one.bytes * (bits / 8) && op.output == one.output * (bits / 8), op.id.c_str());
                if (op.workload && isCollectiveAlone(op.workload->sublayer))
                    QCOMPARE(op.workload->bytes, op.bytes);
            }
        }
    }

    // A dropout reads one element, writes one, and writes a byte of the mask.
    void aMaskHasOneByteWhateverTheElement() {
        for (const std::int64_t bits : kElementBits) {
            Experiment e = sizedModel(bits);
            e.operators.dropout = Dropout::on;
            const OperatorGraph graph = operatorGraphOf(e, ModelPhase::training);
            for (const char* id : {"forward/dropout-1", "forward/softmax-dropout"}) {
                const Operator& op = *graph.find(id);
                QCOMPARE(op.mask.count * bits / 8, op.output.count);
                QCOMPARE(op.bytes.count, op.mask.count * (2 * bits / 8 + 1));
                QCOMPARE(graph.find("backward" + std::string(id).substr(7))->bytes, op.bytes);
            }
        }
    }

    void anOptimizerMovesElementsAndAnFp32State_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<QList<int>>("bytes");
        const auto row = [](const char* title, OptimizerKind kind, const QList<int>& bytes) {
            QTest::addRow("%s", title) << static_cast<int>(kind) << bytes;
        };
        // With 8, 16 and 32 bits. Elements of 32 bits are the fp32 weight, which is written once.
        row("adam", OptimizerKind::adam, {26, 28, 28});
        row("momentum", OptimizerKind::momentum, {18, 20, 20});
        row("sgd", OptimizerKind::sgd, {10, 12, 12});
        row("lamb", OptimizerKind::lamb, {38, 40, 40});
    }

    void anOptimizerMovesElementsAndAnFp32State() {
        QFETCH(int, optimizer);
        QFETCH(QList<int>, bytes);
        for (std::size_t i = 0; i < kElementBits.size(); ++i) {
            Experiment e = sizedModel(kElementBits.at(i));
            e.training.optimizer = static_cast<OptimizerKind>(optimizer);
            const OperatorGraph graph = operatorGraphOf(e, ModelPhase::training);
            std::int64_t moved = 0, named = 0;
            for (const Operator& op : graph.operators) {
                if (op.pass != OperatorPass::optimizer || !op.inLayer)
                    continue;
                moved += op.bytes.count;
                named += std::stoll(op.formula);
                QVERIFY(op.operatorClass == OperatorClass::optimizer);
            }
            const std::int64_t weights = 12 * std::int64_t{512} * 512 / 4;
            QCOMPARE(moved, bytes[static_cast<qsizetype>(i)] * weights);
            QCOMPARE(named, std::int64_t{bytes[static_cast<qsizetype>(i)]});
        }
    }

    // Read: gradient 2, moments 8, fp32 weight 4; written: moments 8, update 4. Then update 4 and weight 4 read, weight
    // 4 and its 16-bit copy 2 written.
    void lambsSecondPassReadsWhatItsFirstWrites() {
        Experiment e = sizedModel(16);
        e.training.optimizer = OptimizerKind::lamb;
        const OperatorGraph graph = operatorGraphOf(e, ModelPhase::training);
        const std::int64_t ofLayer = 12 * std::int64_t{512} * 512 / 4, ofEmbedding = 4096 / 4 * std::int64_t{512};
        for (const auto& [id, weights] :
             {std::pair{"optimizer/layer", ofLayer}, {"optimizer/embedding", ofEmbedding}}) {
            QVERIFY(graph.find(id) == nullptr);
            const Operator* first = graph.find(std::string(id) + "/first-pass");
            const Operator* second = graph.find(std::string(id) + "/second-pass");
            QCOMPARE(first->bytes.count, 26 * weights);
            QCOMPARE(first->output.count, 12 * weights);
            QCOMPARE(second->bytes.count, 14 * weights);
            QCOMPARE(second->output.count, 6 * weights);
            const OperatorDependency reads{static_cast<std::uint32_t>(first - graph.operators.data()),
                                           static_cast<std::uint32_t>(second - graph.operators.data()), false};
            QCOMPARE(std::count(graph.edges.begin(), graph.edges.end(), reads), 1);
            QCOMPARE(std::count_if(graph.edges.begin(), graph.edges.end(),
                                   [&](const OperatorDependency& edge) { return edge.to == reads.to; }),
                     1);
        }
    }

    // ZeRO, section 3.1: 2 + 2 + 12 with 16 bits. Megatron-LM, "Distributed Optimizer": 18 = 6 + 12 with gradients of
    // 32 bits, 16 = 8 + 8 where weights have 32 bits too.
    void theStatesOfAWeightFollowTheElement_data() {
        QTest::addColumn<int>("accounting");
        QTest::addColumn<int>("bits");
        QTest::addColumn<QList<qint64>>("expected");
        const auto row = [](const char* title, Accounting accounting, int bits, const QList<qint64>& expected) {
            QTest::addRow("%s, %d bits", title, bits) << static_cast<int>(accounting) << bits << expected;
        };
        row("zero", Accounting::zero, 8, {1, 1, 12});
        row("zero", Accounting::zero, 16, {2, 2, 12});
        row("zero", Accounting::zero, 32, {4, 4, 8});
        row("megatron", Accounting::megatron, 16, {2, 4, 12});
        row("megatron", Accounting::megatron, 32, {4, 4, 8});
        row("deepspeed", Accounting::deepspeed, 16, {2, 4, 12});
    }

    void theStatesOfAWeightFollowTheElement() {
        QFETCH(int, accounting);
        QFETCH(int, bits);
        QFETCH(QList<qint64>, expected);
        const auto of = [&](OptimizerKind optimizer) {
            return statesOfAWeight(static_cast<Accounting>(accounting), optimizer, bits);
        };
        const FootprintBytes adam = of(OptimizerKind::adam);
        QCOMPARE(QList<qint64>({adam.weights.count, adam.gradients.count, adam.optimizer.count}), expected);
        QCOMPARE(of(OptimizerKind::lamb), adam);
        QCOMPARE(of(OptimizerKind::momentum).optimizer.count, expected[2] - 4);
        QCOMPARE(of(OptimizerKind::sgd).optimizer.count, expected[2] - 8);
    }

    void anAccountingThatIsNotDefinedForTheElementIsRefused() {
        const auto refused = [](Accounting accounting, std::int64_t bits) {
            Experiment e = sizedModel(bits);
            e.training.accounting = accounting;
            e.division.dp = 2;
            e.division.sharding = Sharding::gradients;
            return refusedPaths(e) == std::vector<std::string>{"operators.element_bits"};
        };
        for (const std::int64_t bits : kElementBits) {
            QVERIFY(!refused(Accounting::zero, bits));
            QCOMPARE(refused(Accounting::megatron, bits), bits == 8);
            QCOMPARE(refused(Accounting::deepspeed, bits), bits != 16);
        }
    }

    void theFootprintHoldsElements() {
        const auto held = [](std::int64_t bits, ModelPhase phase) {
            return footprintOf(sizedModel(bits), phase).bytes();
        };
        for (const std::int64_t bits : {16, 32}) {
            const std::int64_t times = bits / 8;
            for (const ModelPhase phase : {ModelPhase::prompt, ModelPhase::generation}) {
                QCOMPARE(held(bits, phase).cache, held(8, phase).cache * times);
                QCOMPARE(held(bits, phase).weights, held(8, phase).weights * times);
            }
            const FootprintBytes trained = held(bits, ModelPhase::training), bytes = held(8, ModelPhase::training);
            QCOMPARE(trained.activations, bytes.activations * times);
            QCOMPARE(trained.weights, bytes.weights * times);
            QCOMPARE(trained.gradients, bytes.gradients * times);
        }
    }

    void theFootprintSaysWhatItTakesForTheState() {
        for (const std::int64_t bits : kElementBits) {
            const Footprint footprint = footprintOf(sizedModel(bits), ModelPhase::training);
            const bool isSaid =
                std::any_of(footprint.notices.begin(), footprint.notices.end(),
                            [](const Notice& notice) { return notice.path == "operators.element_bits"; });
            QCOMPARE(isSaid, bits != 16);
        }
    }

    void messagesHaveElementsAndTheSameCounts() {
        const auto messages = [](std::int64_t bits) {
            Experiment e = sizedModel(bits);
            e.division.dp = 2;
            e.division.pp = 2;
            e.division.bucket = 100'000;
            return messagesOf(e, ModelPhase::training);
        };
        const Messages bytes = messages(8);
        for (const std::int64_t bits : {16, 32}) {
            const Messages sent = messages(bits);
            QCOMPARE(sent.rows.size(), bytes.rows.size());
            for (std::size_t i = 0; i < sent.rows.size(); ++i) {
                const bool isControl = sent.rows[i].group == MessageGroup::control;
                QCOMPARE(sent.rows[i].bytes, bytes.rows[i].bytes * (isControl ? 1 : bits / 8));
                QCOMPARE(sent.rows[i].count, bytes.rows[i].count);
            }
        }
    }

    void theRoofFollowsTheRateOfTheElement() {
        Experiment e = sizedModel(16);
        e.cu.rate32 = 0.25;
        e.cu.rate8 = 2;
        constexpr double kFlops = 1e12;
        const auto computing = [&](std::int64_t bits) {
            e.operators.elementBits = bits;
            return static_cast<double>(rooflineTime(e, kFlops, {}).ps);
        };
        const auto near = [](double a, double b) { return std::abs(a / b - 1) < 1e-9; };
        QVERIFY(near(computing(32), 4 * computing(16)));
        QVERIFY(near(computing(8), computing(16) / 2));
        const Duration moving = rooflineTime(e, 0, Bytes{1'000'000'000});
        e.operators.elementBits = 32;
        QCOMPARE(rooflineTime(e, 0, Bytes{1'000'000'000}), moving);
        const Roofline roof = rooflineOf(e);
        QCOMPARE(roof.at(roof.ridge() / 2), roof.flopsPerSecond / 2);
        QCOMPARE(roof.at(2 * roof.ridge()), roof.flopsPerSecond);
    }
};

RINGSIDE_TEST(TestElementSizes)
#include "tst_element_sizes.moc"
