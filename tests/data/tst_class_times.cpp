#include "data/model/class_times.h"
#include "tests/test_program.h"

#include "data/model/model_memory.h"
#include "engine/api/parameters.h"

#include <QTest>

#include <cmath>
#include <cstdint>
#include <memory>

using engine::ModelPhase;
using engine::OperatorClass;

namespace {

/// Returns a model that is simulated in milliseconds: 1024 tokens, H = 512, on 2 GPUs.
engine::Experiment classedModel(std::int64_t bits = 16) {
    engine::Experiment experiment;
    experiment.workload.hidden = 512;
    experiment.workload.heads = 8;
    experiment.workload.sequence = 512;
    experiment.workload.batch = 2;
    experiment.workload.layers = 3;
    experiment.workload.vocabulary = 4096;
    experiment.parallel.tp = 2;
    experiment.operators.attention = engine::AttentionOperators::separate;
    experiment.operators.dropout = engine::Dropout::on;
    experiment.operators.elementBits = bits;
    engine::applyDetailLevel(experiment, engine::DetailLevel::interactive);
    return experiment;
}

data::ModelRun runOf(const engine::Experiment& experiment, std::shared_ptr<data::ModelMemory> memory = {}) {
    data::ModelRunOptions options;
    options.policies = {engine::PolicyPreset::sequential, engine::PolicyPreset::t3};
    options.threads = 2;
    options.memory = std::move(memory);
    return data::modelRun(experiment, options);
}

const data::ClassTime& classOf(const std::vector<data::ClassTime>& classes, OperatorClass which) {
    return classes.at(static_cast<std::size_t>(which));
}

bool isNearlyEqual(double a, double b) { return std::abs(a / b - 1) < 1e-9; }

}  // namespace

class TestClassTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theClassesAreTheWhole() {
        const data::ModelRun run = runOf(classedModel());
        for (const data::PolicyModelTime& policy : run.policies) {
            const auto classes = data::classTimesOf(run, policy);
            QCOMPARE(classes.size(), engine::kOperatorClasses.size());
            engine::Duration time;
            double share = 0, flops = 0;
            std::size_t operators = 0;
            for (std::size_t i = 0; i < classes.size(); ++i) {
                QVERIFY(classes[i].operatorClass == engine::kOperatorClasses.at(i));
                QVERIFY(classes[i].operators > 0 && classes[i].work.time.ps > 0 && classes[i].work.bytes > 0);
                time += classes[i].work.time;
                share += classes[i].share;
                operators += classes[i].operators;
                flops += classes[i].work.flops;
            }
            QCOMPARE(time.ps, policy.time.total().ps);
            QCOMPARE(operators, run.graph.operators.size());
            QVERIFY(isNearlyEqual(share, 1));
            QVERIFY(flops > run.graph.flopsOfModel());
            QCOMPARE(classOf(classes, OperatorClass::collective).work.time.ps, policy.time.exposed().ps);
            QCOMPARE(classOf(classes, OperatorClass::collective).work.flops, 0.0);
            QVERIFY(isNearlyEqual(classOf(classes, OperatorClass::gemm).work.flops +
                                      classOf(classes, OperatorClass::batchedGemm).work.flops,
                                  run.graph.flopsOfModel()));
        }
    }

    void aClassThatAPhaseLacksIsThereAndEmpty() {
        data::ModelRunOptions options;
        options.phase = ModelPhase::prompt;
        options.policies = {engine::PolicyPreset::sequential};
        const data::ModelRun run = data::modelRun(classedModel(), options);
        const data::ClassTime none = classOf(data::classTimesOf(run, run.sequential), OperatorClass::optimizer);
        QCOMPARE(none.operators, std::size_t{0});
        QCOMPARE(none.work.time.ps, std::int64_t{0});
        QCOMPARE(none.work.intensity(), 0.0);
        QCOMPARE(none.work.rate(), 0.0);
    }

    void aGemmMovesItsMatricesOnceInTheModelsElements() {
        for (const std::int64_t bits : {8, 16, 32}) {
            const data::ModelRun run = runOf(classedModel(bits));
            const auto points = data::operatorPointsOf(run, run.sequential);
            QCOMPARE(points.size(), run.graph.operators.size());
            for (const data::OperatorPoint& point : points) {
                const engine::Operator& op = run.graph.operators[point.index];
                if (!op.gemm) {
                    QCOMPARE(point.work.bytes, static_cast<double>(op.bytes.count));
                    continue;
                }
                const auto [m, n, k, parts] = *op.gemm;
                QCOMPARE(point.work.bytes, static_cast<double>(bits / 8 * (m * k + k * n + m * n)));
                QVERIFY(isNearlyEqual(point.work.intensity() * point.work.bytes, op.flops));
                QCOMPARE(point.time.ps, point.work.time.ps * op.count);
            }
        }
    }

    // An operator whose time is its roofline time lies on the roof. A simulated GEMM computes no faster than the roof.
    void operatorsLieOnTheRoofOrBelow() {
        const data::ModelRun run = runOf(classedModel());
        int onTheRoof = 0;
        for (const data::OperatorPoint& point : data::operatorPointsOf(run, run.sequential)) {
            const engine::Operator& op = run.graph.operators[point.index];
            if (op.gemm) {
                QVERIFY2(point.shareOfRoof > 0 && point.work.rate() < engine::rooflineOf(run.base).flopsPerSecond,
                         op.id.c_str());
            } else if (!op.products.empty()) {
                QVERIFY2(point.shareOfRoof > 0 && point.shareOfRoof < 1, op.id.c_str());
            } else if (op.flops > 0) {
                QVERIFY2(std::abs(point.shareOfRoof - 1) < 1e-4, op.id.c_str());
                ++onTheRoof;
            } else {
                QCOMPARE(point.shareOfRoof, 0.0);
            }
        }
        QVERIFY(onTheRoof > 10);
    }

    // A cache key without the size of an element would return the times of 16 bits for 32 bits.
    void timesOfOneElementSizeAreNotThoseOfAnother() {
        const auto memory = std::make_shared<data::ModelMemory>();
        const auto totalOf = [](const data::ModelRun& run) { return run.policies.back().time.total().ps; };
        for (const std::int64_t bits : {16, 32, 8}) {
            const data::ModelRun remembering = runOf(classedModel(bits), memory);
            QCOMPARE(remembering.remembered, std::size_t{0});
            QCOMPARE(totalOf(remembering), totalOf(runOf(classedModel(bits))));
        }
        QCOMPARE(runOf(classedModel(32), memory).remembered,
                 runOf(classedModel(32)).simulatedRuns + runOf(classedModel(32)).simulatedGemms);
    }

    // With 32 bits, GEMMs compute at a quarter of the rate, and all operators move twice the bytes.
    void elementsOf32BitsTakeLongerInEachClass() {
        const data::ModelRun half = runOf(classedModel(16)), single = runOf(classedModel(32));
        const auto before = data::classTimesOf(half, half.sequential),
                   after = data::classTimesOf(single, single.sequential);
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (before[i].operatorClass == OperatorClass::optimizer)
                QCOMPARE(after[i].work.time, before[i].work.time);
            else
                QVERIFY(after[i].work.time > before[i].work.time);
        }
    }
};

RINGSIDE_TEST(TestClassTimes)
#include "tst_class_times.moc"
