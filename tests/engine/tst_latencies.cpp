// Tests that every latency has an effect: for each duration of the parameter table, one picosecond more changes the
// total of a run. The test fails for a parameter that is never read or is lost by rounding, and for a new duration
// without an experiment.

#include "engine/api/parameters.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <map>
#include <set>

using namespace engine;

namespace {

struct Row {
    const char* path;
    Experiment experiment;
    std::int64_t value;  ///< the parameter's value; the other run has one picosecond more
};

/// Returns 32 tiles on 4 GPUs under T3-MCA. Most latencies lie on the critical path from the first load to the last
/// update.
Experiment fused() { return tests::smallExperiment(PolicyPreset::t3Mca); }

/// Returns a reduce-scatter of 64 KiB chunks by a kernel.
Experiment kernelAlone() {
    Experiment experiment = tests::smallExperiment(PolicyPreset::sequential);
    experiment.workload.sublayer = SubLayer::reduceScatter;
    experiment.workload.bytes = {4 * 64 * 1024};
    return experiment;
}

Experiment twoNodes() {
    Experiment experiment = kernelAlone();
    experiment.topology.kind = TopologyKind::twoNodes;
    return experiment;
}

/// Returns an experiment in which communication waits for its turn, because the GEMM keeps the memory busy: little
/// bandwidth and a long K.
Experiment starving() {
    Experiment experiment = fused();
    experiment.memory.bandwidth = 100_GBps;
    return experiment;
}

/// Returns a collective alone on the bank model that is limited by memory, not by links and CUs. There are no
/// refreshes: these begin at fixed times, which would hide a picosecond before them.
Experiment banksUnder(PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy);
    experiment.workload.sublayer = SubLayer::reduceScatter;
    experiment.workload.bytes = {4 * 1024 * 1024};
    experiment.memory.model = DramModel::banks;
    experiment.dram.refreshTime = {};
    experiment.dram.groupRun = experiment.dram.burst;
    experiment.link.bandwidth = {100'000'000'000'000};
    experiment.collective.cuBandwidth.reset();
    return experiment;
}

/// Returns a collective in a switch.
Experiment throughASwitch() {
    Experiment experiment = kernelAlone();
    experiment.topology.kind = TopologyKind::switched;
    experiment.collective.algorithm = CollectiveAlgorithm::inSwitch;
    return experiment;
}

/// Reads and writes on all banks, which take turns: row misses hide behind other banks, column delays behind other
/// groups.
Experiment banks() { return banksUnder(PolicyPreset::sequential); }

/// Returns the same with near-memory updates.
Experiment banksWithUpdates() { return banksUnder(PolicyPreset::t3Mca); }

Experiment refreshed(Experiment experiment) {
    experiment.dram.refreshTime = 260_ns;
    return experiment;
}

/// One bank a pseudo-channel: nothing hides behind another bank or group.
Experiment oneBank(Experiment experiment) {
    experiment.dram.bankGroups = 1;
    experiment.dram.banksPerGroup = 1;
    return experiment;
}

/// Returns an experiment beside an all-gather by DMA that takes longer.
Experiment besideDma() {
    Experiment experiment = kernelAlone();
    experiment.companion.operation = CompanionOperation::allGather;
    experiment.companion.by = CollectiveCarrier::dma;
    experiment.companion.bytes = 4_MiB;
    return experiment;
}

/// Returns an experiment beside a pass inside memory that takes longer.
Experiment besidePass() {
    Experiment experiment = kernelAlone();
    experiment.companion.operation = CompanionOperation::inMemory;
    return experiment;
}

/// Returns an experiment in which the last copy comes long after the GEMM has ended.
Experiment byCopies() {
    Experiment experiment = tests::smallExperiment(PolicyPreset::chunkedDma);
    experiment.topology.kind = TopologyKind::fullyConnected;
    experiment.collective.algorithm = CollectiveAlgorithm::direct;
    experiment.link.bandwidth = 5_GBps;
    return experiment;
}

/// Returns an experiment in which GPU 0 differs.
Experiment unlike() {
    Experiment experiment = fused();
    experiment.variation.gpu = 0;
    return experiment;
}

std::vector<Row> rows() {
    return {
        {"gemm.epilogue", fused(), 1'000'000},
        {"cu.start_jitter", fused(), 1'000'000},
        {"llc.latency", fused(), 250'000},
        {"memory.latency", fused(), 300'000},
        {"memory.turnaround", fused(), 0},
        {"arbitration.starvation_limit", starving(), 0},
        {"tracker.trigger_latency", fused(), 20'000},
        {"dma.startup_latency", fused(), 100'000},
        {"link.latency", fused(), 500'000},
        {"collective.start_latency", kernelAlone(), 0},
        {"companion.issue", besideDma(), 1'000'000},
        {"pass.switch", besidePass(), 1'000'000},
        {"dma.issue", byCopies(), 0},
        {"policy.signal_latency", tests::smallExperiment(PolicyPreset::signals), 0},
        {"launch.kernel", kernelAlone(), 0},
        {"topology.node_latency", twoNodes(), 2'000'000},
        {"switch.reduce_latency", throughASwitch(), 0},
        {"dram.column_delay", oneBank(banks()), 4'000},
        {"dram.update_column_delay", oneBank(banksWithUpdates()), 8'000},
        {"dram.activate", oneBank(banks()), 14'000},
        {"dram.precharge", oneBank(banks()), 14'000},
        {"dram.write_recovery", oneBank(banks()), 16'000},
        {"dram.write_to_read", banksWithUpdates(), 8'000},
        {"dram.read_to_write", banksWithUpdates(), 4'000},
        {"dram.refresh_interval", refreshed(banks()), 3'900'000},
        {"dram.refresh_time", banks(), 260'000},
        {"dram.row_cycle", oneBank(banks()), 900'000},
        {"dram.activate_spacing", banks(), 48'000},
        {"dram.four_activates", banks(), 900'000},
        {"variation.start_skew", unlike(), 0},
        {"variation.jitter", unlike(), 0},
    };
}

RunResult runWith(const Row& row, std::int64_t ps) {
    Experiment experiment = row.experiment;
    findParameter(row.path)->write(experiment, ps);
    return tests::runAlone(experiment);
}

}  // namespace

class TestLatencies : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDurationOfTheTableHasAnExperiment() {
        std::multiset<std::string> with;
        for (const Row& row : rows())
            with.insert(row.path);
        std::size_t durations = 0;
        for (const Parameter& parameter : parameters()) {
            if (parameter.unit != ParameterUnit::picoseconds)
                continue;
            ++durations;
            QVERIFY2(with.count(parameter.path) == 1, parameter.path.c_str());
        }
        QCOMPARE(with.size(), durations);
    }

    void onePicosecondMoreChangesWhatTheRunComesTo_data() {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const Row& row : rows())
            QTest::newRow(row.path) << index++;
    }

    void onePicosecondMoreChangesWhatTheRunComesTo() {
        QFETCH(int, index);
        const Row row = rows()[static_cast<std::size_t>(index)];
        const RunResult before = runWith(row, row.value);
        const RunResult after = runWith(row, row.value + 1);
        QVERIFY(after.last.time.total != before.last.time.total || after.events != before.events);
    }
};

RINGSIDE_TEST(TestLatencies)
#include "tst_latencies.moc"
