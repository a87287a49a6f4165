#include "engine/api/messages.h"
#include "engine/api/operator_graph.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <QtTest>

#include <cmath>
#include <cstdint>
#include <optional>

using namespace engine;

namespace {

constexpr double kNearlyExact = 1e-9;  // sizes of messages are rounded up to whole bytes

/// Returns a model of plain layers with separate attention, whose head takes its part of the GPUs evenly.
Experiment plainLayers(std::int64_t hidden, std::int64_t sequence, std::int64_t tp) {
    Experiment experiment;
    experiment.workload.hidden = hidden;
    experiment.workload.heads = 32;
    experiment.workload.layers = 8;
    experiment.workload.sequence = sequence;
    experiment.workload.batch = 4;
    experiment.workload.vocabulary = 51200;
    experiment.parallel.tp = tp;
    experiment.operators.attention = AttentionOperators::separate;
    return experiment;
}

MessageRatios ratiosIn(const Experiment& experiment, ModelPhase phase = ModelPhase::training) {
    return ratiosOf(experiment, messagesOf(experiment, phase));
}

bool isNear(std::optional<double> value, double expected, double within = kNearlyExact) {
    if (!value || std::abs(*value / expected - 1) > within) {
        qWarning("%.12g instead of %.12g", value.value_or(std::nan("")), expected);
        return false;
    }
    return true;
}

/// The machine and the model of six shares that follow from the formulas below by hand.
Experiment smallFastLayers(std::int64_t tp, std::int64_t gigabytesPerSecond) {
    Experiment experiment = plainLayers(4096, 1024, tp);
    experiment.cu.count = 104;
    experiment.cu.clock = {1'700'000'000};
    experiment.cu.tensorEfficiency = 0.6;
    experiment.link.bandwidth = {gigabytesPerSecond * 1'000'000'000};
    return experiment;
}

}  // namespace

class TestMessageRatios : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A layer has 72 B S H^2 / tp flops in its GEMMs and 12 B S^2 H / tp in attention, and sends 16 B S H (tp - 1) / tp
    // bytes in four all-reduces.
    void flopsForEachTensorByteOfAPlainLayerAreTheFormula() {
        for (const std::int64_t hidden : {2048, 8192})
            for (const std::int64_t sequence : {512, 4096})
                for (const std::int64_t tp : {2, 8, 32}) {
                    const double h = static_cast<double>(hidden), s = static_cast<double>(sequence);
                    const double others = static_cast<double>(tp - 1);
                    const Experiment experiment = plainLayers(hidden, sequence, tp);
                    QVERIFY(isNear(ratiosIn(experiment).flopsPerTensorByte, (4.5 * h + 0.75 * s) / others));
                    QVERIFY(isNear(ratiosIn(experiment, ModelPhase::prompt).flopsPerTensorByte,
                                   (3 * h + 0.5 * s) / others));
                }
    }

    void flopsForEachTensorByteAreThoseOfTheLayersWithTheirRecomputation() {
        Experiment experiment = plainLayers(2048, 1024, 4);
        experiment.operators.recompute = Recompute::layer;
        experiment.division.microbatches = 3;
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
        double flops = graph.flopsWithRecompute();
        for (const Operator& op : graph.operators)
            flops -= op.inLayer || !op.gemm ? 0 : op.flops;
        QVERIFY(graph.flopsWithRecompute() > graph.flopsOfModel());
        const Messages messages = messagesOf(experiment, graph);
        QVERIFY(isNear(messages.layerFlops, 3 * flops));
        QVERIFY(isNear(ratiosOf(experiment, messages).flopsPerTensorByte,
                       3 * flops / static_cast<double>(messages.sentByLayers().count)));
        QVERIFY(messages.sentByLayers() < messages.sentIn(MessageGroup::tensor));
    }

    // W weights of a GPU have 2 B S W flops in their gradients, and 4 W (d - 1) / d bytes are sent for them.
    void flopsForEachDataByteAreTheFormulaAndGrowWithMicroBatches() {
        for (const std::int64_t dp : {2, 16})
            for (const std::int64_t microbatches : {1, 6}) {
                Experiment experiment = plainLayers(2048, 1024, 4);
                experiment.division.dp = dp;
                experiment.division.microbatches = microbatches;
                const double slack =
                    4 * 1024 * static_cast<double>(microbatches * dp) / (2.0 * static_cast<double>(dp - 1));
                QVERIFY(isNear(ratiosIn(experiment).flopsPerDataByte, slack));
                experiment.division.sharding = Sharding::optimizer;
                QVERIFY(isNear(ratiosIn(experiment).flopsPerDataByte, slack));
                if (microbatches > 1)
                    continue;
                experiment.division.sharding = Sharding::weights;
                QVERIFY(isNear(ratiosIn(experiment).flopsPerDataByte, slack * 2 / 3));
            }
    }

    void theRatiosOfAStageAreThoseOfItsOwnWork() {
        Experiment experiment = plainLayers(2048, 1024, 4);
        experiment.division.dp = 2;
        experiment.division.pp = 4;
        const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
        const auto ratiosAt = [&](std::int64_t stage) {
            return ratiosOf(experiment, messagesOfStage(experiment, graph, stage));
        };
        for (const std::int64_t stage : {1, 2, 3})
            QCOMPARE(ratiosAt(stage).flopsPerTensorByte, ratiosAt(0).flopsPerTensorByte);
        // The first stage sends the gradient of its embedding, which no GEMM computes.
        QVERIFY(isNear(ratiosAt(1).flopsPerDataByte, 4 * 1024));
        QVERIFY(isNear(ratiosAt(3).flopsPerDataByte, 4 * 1024));
        QVERIFY(*ratiosAt(0).flopsPerDataByte < 0.9 * *ratiosAt(1).flopsPerDataByte);
    }

    void aRatioWithoutBytesIsAbsent() {
        Experiment experiment = plainLayers(2048, 1024, 1);
        const MessageRatios alone = ratiosIn(experiment);
        QVERIFY(!alone.flopsPerTensorByte && !alone.flopsPerDataByte && !alone.serialisedShare);
        experiment.division.dp = 2;
        const MessageRatios replicas = ratiosIn(experiment);
        QVERIFY(!replicas.flopsPerTensorByte && replicas.flopsPerDataByte && !replicas.serialisedShare);
        experiment.parallel.tp = 2;
        QVERIFY(ratiosIn(experiment).serialisedShare.has_value());
        for (const ModelPhase phase : {ModelPhase::prompt, ModelPhase::generation}) {
            const MessageRatios inference = ratiosIn(experiment, phase);
            QVERIFY(inference.flopsPerTensorByte && !inference.flopsPerDataByte && inference.serialisedShare);
        }
        const MessageRatios bare = ratiosIn(tests::bareModel(1'000'000'000, 4, Sharding::none));
        QVERIFY(!bare.flopsPerTensorByte && !bare.flopsPerDataByte && !bare.serialisedShare);
    }

    void theSerialisedShareFollowsFromPeakEfficiencyAndLink() {
        struct Case {
            std::int64_t tp, gigabytesPerSecond;
            double percent;
        };
        for (const Case& each : {Case{8, 100, 28.4}, Case{8, 50, 44.2}, Case{8, 25, 61.3}, Case{16, 100, 45.9},
                                 Case{16, 50, 62.9}, Case{16, 25, 77.2}}) {
            const double share = 100 * *ratiosIn(smallFastLayers(each.tp, each.gigabytesPerSecond)).serialisedShare;
            QVERIFY2(std::abs(share - each.percent) <= 0.05, qPrintable(QString::number(share)));
        }
        // With half the efficiency the flops take twice as long, and the messages as long as before.
        Experiment slow = smallFastLayers(8, 100);
        slow.cu.tensorEfficiency = 0.3;
        const double share = *ratiosIn(slow).serialisedShare, fast = *ratiosIn(smallFastLayers(8, 100)).serialisedShare;
        QVERIFY(isNear(share / (1 - share), fast / (1 - fast) / 2));
    }
};

RINGSIDE_TEST(TestMessageRatios)
#include "tst_message_ratios.moc"
