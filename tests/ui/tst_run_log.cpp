#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "ui/shared/run_log.h"

#include <QTest>

#include <map>
#include <numeric>
#include <random>

using engine::DetailLevel;
using engine::Experiment;
using engine::PolicyPreset;
using ui::GpuState;
using ui::Position;
using ui::RunLog;
using ui::StepKind;
using ui::TileState;

namespace {

std::shared_ptr<const engine::Trace> traceOf(const Experiment& experiment) {
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return engine::run(experiment, options).trace;
}

Experiment alone(engine::SubLayer sublayer, PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy);
    experiment.workload.sublayer = sublayer;
    experiment.workload.bytes = engine::Bytes{2 * 1024 * 1024};
    return experiment;
}

Experiment everyGpu(Experiment experiment) {
    experiment.detail.mode = engine::DetailMode::full;
    return experiment;
}

/// A ring whose chunks differ by a tile.
Experiment unequalChunks(PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy, 3);
    experiment.workload.hidden = 768;
    experiment.gemm.tileN = 192;
    return experiment;
}

std::vector<std::pair<const char*, Experiment>> cases() {
    using engine::SubLayer;
    return {
        {"sequential", tests::smallExperiment(PolicyPreset::sequential)},
        {"t3", tests::smallExperiment(PolicyPreset::t3)},
        {"t3-mca", tests::smallExperiment(PolicyPreset::t3Mca)},
        {"cu-split", tests::smallExperiment(PolicyPreset::cuSplit)},
        {"t3 of every GPU", everyGpu(tests::smallExperiment(PolicyPreset::t3))},
        {"sequential of every GPU", everyGpu(tests::smallExperiment(PolicyPreset::sequential))},
        {"t3-mca with unequal chunks", unequalChunks(PolicyPreset::t3Mca)},
        {"sequential with unequal chunks", unequalChunks(PolicyPreset::sequential)},
        {"reduce-scatter by DMA", alone(SubLayer::reduceScatter, PolicyPreset::t3)},
        {"all-gather by DMA", alone(SubLayer::allGather, PolicyPreset::t3)},
        {"all-reduce by DMA", alone(SubLayer::allReduce, PolicyPreset::t3)},
        {"all-reduce by kernels", alone(SubLayer::allReduce, PolicyPreset::sequential)},
        {"t-nlg t3-mca", tests::tNlgFc2(PolicyPreset::t3Mca, DetailLevel::interactive)},
        {"t-nlg sequential", tests::tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive)},
    };
}

constexpr StepKind kKinds[] = {StepKind::event,          StepKind::chunk, StepKind::trigger,
                               StepKind::collectiveStep, StepKind::wave,  StepKind::phase};

std::uint32_t tilesIn(const GpuState& state, TileState wanted) {
    return static_cast<std::uint32_t>(std::count(state.tiles.begin(), state.tiles.end(), wanted));
}

}  // namespace

class TestRunLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const auto& [name, experiment] : cases())
            m_logs.emplace_back(name, std::make_unique<RunLog>(traceOf(experiment), experiment));
    }

    void atTheEndEveryTileOfEveryGpuIsFinal() {
        for (const auto& [name, log] : m_logs) {
            const bool gathers = QLatin1String(name) != QLatin1String("reduce-scatter by DMA");
            const std::vector<GpuState> states = log->statesAt(log->end());
            QCOMPARE(states.size(), std::size_t{log->gpus()});
            for (const GpuState& state : states) {
                const std::uint32_t reduced = tilesIn(state, TileState::reduced);
                const auto all = static_cast<std::uint32_t>(state.tiles.size());
                const std::uint32_t sent = tilesIn(state, TileState::sent);
                if (reduced + (gathers ? 0 : sent) != all)
                    qWarning() << name << reduced << sent << "of" << all;
                QCOMPARE(reduced + (gathers ? 0 : sent), all);
                QVERIFY(state.tracker.empty() && state.waitingBlocks.empty() && state.movingBlocks.empty());
            }
        }
    }

private:
    std::vector<std::pair<const char*, std::unique_ptr<RunLog>>> m_logs;
};

QTEST_APPLESS_MAIN(TestRunLog)
#include "tst_run_log.moc"
