#include "data/replay/slot_history.h"
#include "data/replay/time_lapse.h"
#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

using data::Periods;
using data::TimeLapse;
using data::UnitLapse;
using engine::DramModel;
using engine::Experiment;
using engine::Lane;
using engine::LaneKind;
using engine::PolicyPreset;
using engine::Span;

namespace {

constexpr std::int64_t kPeriods[] = {100'000, 1'000'000, 7'000'000};  // 100 ns, 1 us, 7 us

struct LapseRun {
    Experiment experiment;
    engine::RunResult result;
    const engine::Trace& trace() const { return *result.trace; }
    std::int64_t end() const { return data::lapseEnd(trace(), 0); }
};

LapseRun lapseRunOf(Experiment experiment) {
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    options.perGpu = true;
    engine::RunResult result = engine::run(experiment, options);
    return {std::move(experiment), std::move(result)};
}

const std::vector<LapseRun>& lapseRuns() {
    static const std::vector<LapseRun> runs = [] {
        std::vector<LapseRun> made;
        for (const DramModel model : {DramModel::sustained, DramModel::banks})
            for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3Mca}) {
                Experiment experiment = tests::smallExperiment(policy);
                experiment.memory.model = model;
                made.push_back(lapseRunOf(experiment));
            }
        Experiment written = tests::smallExperiment(PolicyPreset::t3);  // with writes of the idle controller
        written.memory.model = DramModel::banks;
        written.dram.bankGroups = 3;
        written.dram.groupRun = {32};
        made.push_back(lapseRunOf(written));
        return made;
    }();
    return runs;
}

/// Calls `check` with each run and each of the periods.
template <class Check>
void eachLapse(const Check& check) {
    for (const LapseRun& run : lapseRuns())
        for (const std::int64_t period : kPeriods)
            check(run, Periods{period, run.end()});
}

TimeLapse channelsOf(const LapseRun& run, Periods periods) {
    return TimeLapse(run.trace(), run.experiment, {}, periods);
}

bool isNear(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)}); }

/// A trace of one GPU with two channels of 1 byte a picosecond, to which a test adds services.
struct MadeTrace {
    MadeTrace() {
        experiment.detail.channels = 2;
        experiment.memory.bandwidth = {2'000'000'000'000};
        for (std::uint32_t channel = 0; channel < 2; ++channel) {
            Lane& lane = trace.lanes.emplace_back();
            lane.kind = LaneKind::dramChannel;
            lane.index = channel;
        }
    }

    void serve(std::uint32_t channel, std::int64_t asked, std::int64_t start, std::int64_t end, std::uint32_t bytes,
               std::uint16_t part = 0) {
        Lane& lane = trace.lanes[channel];
        lane.spans.push_back({{start}, {end}, 0, engine::kNone, bytes, engine::SpanKind::dramWrite, 0, part});
        lane.askedAt.push_back({asked});
        trace.end = std::max(trace.end, engine::TimePoint{end});
    }
    TimeLapse lapse(std::int64_t period) const {
        return TimeLapse(trace, experiment, {}, {period, data::lapseEnd(trace, 0)});
    }

    engine::Trace trace;
    Experiment experiment;
};

}  // namespace

class TestTimeLapse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastPeriodEndsWithTheRun() {
        const Periods periods{100, 250};
        QCOMPARE(periods.count(), std::size_t{3});
        QCOMPARE(periods.lengthOf(1), std::int64_t{100});
        QCOMPARE(periods.lengthOf(2), std::int64_t{50});
        QCOMPARE(periods.at(99), std::size_t{0});
        QCOMPARE(periods.at(100), std::size_t{1});
        QCOMPARE(periods.at(1000), std::size_t{2});
        QCOMPARE((Periods{100, 300}).count(), std::size_t{3});
        QCOMPARE((Periods{100, 301}).count(), std::size_t{4});
    }

    void whatPeriodsHaveAddsUpToWhatTheRunHas() {
        eachLapse([](const LapseRun& run, Periods periods) {
            const TimeLapse lapse = channelsOf(run, periods);
            TimeLapse::Cell sum;
            for (std::size_t period = 0; period < periods.count(); ++period) {
                sum.bytes += lapse.sumAt(period).bytes;
                sum.requests += lapse.sumAt(period).requests;
                sum.accesses += lapse.sumAt(period).accesses;
                sum.rowsOpened += lapse.sumAt(period).rowsOpened;
            }
            double requests = 0;
            for (const Lane& lane : run.trace().lanes)
                requests += lane.gpu == 0 && lane.kind == LaneKind::dramChannel ? double(lane.spans.size()) : 0;
            const engine::GpuResult& gpu = run.result.perGpu.empty() ? run.result.last : run.result.perGpu.front();
            QCOMPARE(sum.bytes, gpu.dram->total.count);
            QCOMPARE(sum.requests, requests);
            QCOMPARE(sum.rowsOpened, gpu.dramOutcome ? double(gpu.dramOutcome->activations) : 0);
            QCOMPARE(data::rowHitsOf(sum).has_value(), gpu.dramOutcome.has_value());
            if (gpu.dramOutcome)
                QVERIFY(isNear(*data::rowHitsOf(sum), gpu.dramOutcome->rowHitRate));
        });
    }

    void aWindowHasTheCellsOfTheWholeRun() {
        for (const LapseRun& run : lapseRuns()) {
            const Periods all{1'000'000, run.end()};
            const TimeLapse whole = channelsOf(run, all);
            const std::size_t first = all.count() / 3, count = all.count() / 4;
            QVERIFY(count > 2);
            const Periods window{all.length, all.begin(first + count), all.begin(first)};
            QCOMPARE(window.count(), count);
            const TimeLapse part = channelsOf(run, window);
            const UnitLapse wholeUnits(run.trace(), run.experiment, 0, all);
            const UnitLapse partUnits(run.trace(), run.experiment, 0, window);
            for (std::size_t period = 0; period < count; ++period) {
                for (std::size_t row = 0; row < whole.rows(); ++row) {
                    const TimeLapse::Cell &a = whole.at(row, first + period), &b = part.at(row, period);
                    QCOMPARE(b.bytes, a.bytes);
                    QCOMPARE(b.usedPs, a.usedPs);
                    QVERIFY(isNear(b.waitingPs, a.waitingPs));
                    QCOMPARE(b.requests, a.requests);
                    QCOMPARE(b.rowsOpened, a.rowsOpened);
                }
                QCOMPARE(partUnits.sumAt(period).computing, wholeUnits.sumAt(first + period).computing);
                QCOMPARE(partUnits.sumAt(period).empty, wholeUnits.sumAt(first + period).empty);
            }
        }
    }

    void theRowsAddUpToTheirSum() {
        eachLapse([](const LapseRun& run, Periods periods) {
            const TimeLapse lapse = channelsOf(run, periods);
            QCOMPARE(lapse.rows(), static_cast<std::size_t>(run.experiment.detail.channels));
            for (std::size_t period = 0; period < periods.count(); ++period) {
                TimeLapse::Cell sum;
                for (std::size_t row = 0; row < lapse.rows(); ++row) {
                    sum.bytes += lapse.at(row, period).bytes;
                    sum.usedPs += lapse.at(row, period).usedPs;
                    sum.waitingPs += lapse.at(row, period).waitingPs;
                    sum.requests += lapse.at(row, period).requests;
                    sum.opening += lapse.at(row, period).opening;
                }
                QCOMPARE(sum.bytes, lapse.sumAt(period).bytes);
                QCOMPARE(sum.usedPs, lapse.sumAt(period).usedPs);
                QVERIFY(isNear(sum.waitingPs, lapse.sumAt(period).waitingPs));
                QCOMPARE(sum.requests, lapse.sumAt(period).requests);
                QCOMPARE(sum.opening, lapse.sumAt(period).opening);
            }
        });
    }

    void banksAddUpToTheirChannel() {
        eachLapse([](const LapseRun& run, Periods periods) {
            if (run.experiment.memory.model != DramModel::banks)
                return;
            const TimeLapse channels = channelsOf(run, periods);
            for (const std::uint32_t channel : {0u, 3u}) {
                const TimeLapse banks(run.trace(), run.experiment, {0, channel}, periods);
                QCOMPARE(static_cast<std::int64_t>(banks.rows()),
                         run.experiment.dram.bankGroups * run.experiment.dram.banksPerGroup);
                for (std::size_t period = 0; period < periods.count(); ++period) {
                    TimeLapse::Cell sum;
                    for (std::size_t row = 0; row < banks.rows(); ++row) {
                        const TimeLapse::Cell& cell = banks.at(row, period);
                        sum.bytes += cell.bytes;
                        sum.requests += cell.requests;
                        sum.accesses += cell.accesses;
                        sum.rowsOpened += cell.rowsOpened;
                        sum.waitingPs += cell.waitingPs;
                        QVERIFY(cell.usedPs <= banks.sumAt(period).usedPs);
                    }
                    const TimeLapse::Cell& whole = channels.at(channel, period);
                    QCOMPARE(sum.bytes, whole.bytes);
                    QVERIFY(isNear(sum.requests, whole.requests));
                    QVERIFY(isNear(sum.accesses, whole.accesses));
                    QVERIFY(isNear(sum.rowsOpened, whole.rowsOpened));
                    QVERIFY(isNear(sum.waitingPs, whole.waitingPs));
                    QCOMPARE(banks.sumAt(period).usedPs, whole.usedPs);
                    QCOMPARE(banks.utilisation(period), channels.utilisation(channel, period));
                    QCOMPARE(banks.efficiency(period), channels.efficiency(channel, period));
                }
            }
        });
    }

    void utilisationIsAtMostEfficiencyWhichIsAtMostOne() {
        eachLapse([](const LapseRun& run, Periods periods) {
            const TimeLapse lapse = channelsOf(run, periods);
            bool differs = false;
            for (std::size_t period = 0; period < periods.count(); ++period) {
                QVERIFY(lapse.utilisation(period) <= lapse.efficiency(period));
                QVERIFY(lapse.efficiency(period) <= 1);
                for (std::size_t row = 0; row < lapse.rows(); ++row) {
                    QVERIFY(lapse.utilisation(row, period) <= lapse.efficiency(row, period));
                    QVERIFY(lapse.efficiency(row, period) <= 1);
                    differs = differs || lapse.utilisation(row, period) < 0.9 * lapse.efficiency(row, period);
                }
            }
            QVERIFY(differs);
        });
    }

    void aServiceCountsByItsShareOfTimeAndItsRequestWhereItEnds() {
        MadeTrace made;
        made.serve(0, 60, 80, 120, 40);
        made.serve(0, 90, 150, 200, 30);
        made.serve(1, 0, 0, 250, 10);
        const TimeLapse lapse = made.lapse(100);
        QCOMPARE(lapse.periods().count(), std::size_t{3});
        QCOMPARE(lapse.at(0, 0).bytes, std::int64_t{20});
        QCOMPARE(lapse.at(0, 1).bytes, std::int64_t{20 + 30});
        QCOMPARE(lapse.at(0, 0).requests, 0.0);
        QCOMPARE(lapse.at(0, 1).requests, 2.0);  // the second ends at 200, where period 2 begins
        QCOMPARE(lapse.at(0, 2).requests, 0.0);
        QCOMPARE(lapse.utilisation(0, 0), 0.2);
        QCOMPARE(lapse.utilisation(0, 1), 0.5);
        QCOMPARE(lapse.utilisation(1, 2), 2.0 / 50);  // 4, 4 and 2 bytes; the last period has 50 ps
        QCOMPARE(lapse.utilisation(0), 24.0 / 200);
        // A request from 60 on, the next one in the stream from 90, until 200.
        QCOMPARE(lapse.at(0, 0).usedPs, std::int64_t{40});
        QCOMPARE(lapse.at(0, 1).usedPs, std::int64_t{100});
        QCOMPARE(lapse.efficiency(0, 0), 0.5);
        QCOMPARE(lapse.efficiency(0, 2), 0.0);
        // They wait from 60 to 80 and from 90 to 150.
        QCOMPARE(lapse.at(0, 0).waitingPs, 20.0 + 10.0);
        QCOMPARE(lapse.at(0, 1).waitingPs, 50.0);
    }

    void aTimeWithoutRequestsIsNotUsed() {
        MadeTrace made;
        made.serve(0, 0, 0, 10, 10);
        made.serve(0, 10, 20, 30, 10);  // waits when the first ends
        made.serve(0, 41, 41, 50, 9);
        QCOMPARE(made.lapse(100).at(0, 0).usedPs, std::int64_t{30 + 9});
    }

    void waitsThatLastForManyPeriodsCountInEachOfThem() {
        MadeTrace made;
        made.serve(0, 5, 45, 50, 1);
        made.serve(0, 12, 50, 55, 1);
        const TimeLapse lapse = made.lapse(10);
        const std::vector<double> waiting{5, 18, 20, 20, 15, 0};
        for (std::size_t period = 0; period < waiting.size(); ++period)
            QCOMPARE(lapse.at(0, period).waitingPs, waiting[period]);
    }

    void aRequestWrittenBackIdleDidNotWait() {
        MadeTrace made;
        made.serve(0, 0, 60, 80, 10, engine::kWrittenIdle);
        QCOMPARE(made.lapse(100).at(0, 0).usedPs, std::int64_t{20});
        QCOMPARE(made.lapse(100).at(0, 0).waitingPs, 0.0);
        MadeTrace asked;
        asked.serve(0, 0, 60, 80, 10);
        QCOMPARE(asked.lapse(100).at(0, 0).usedPs, std::int64_t{80});
        QCOMPARE(asked.lapse(100).at(0, 0).waitingPs, 60.0);
    }

    void campingNeedsFourRequestsAChannel() {
        MadeTrace made;
        for (std::int64_t i = 0; i < 7; ++i)
            made.serve(i < 6 ? 0 : 1, i * 10, i * 10, i * 10 + 10, 30);
        QVERIFY(!made.lapse(100).camping(0));
        QVERIFY(!data::campingOf(made.lapse(100)));
        made.serve(1, 90, 90, 100, 60);  // 180 and 90 bytes
        QCOMPARE(made.lapse(100).camping(0).value(), 180.0 / 135);
        QCOMPARE(data::campingOf(made.lapse(100))->mean, 180.0 / 135);
        QCOMPARE(data::campingOf(made.lapse(100))->shareAbove4, 0.0);
    }

    void campingOfTheWholeRunIsTheOneOfTheResult() {
        for (const LapseRun& run : lapseRuns()) {
            const engine::GpuResult& gpu = run.result.perGpu.empty() ? run.result.last : run.result.perGpu.front();
            const TimeLapse lapse = channelsOf(run, {run.end(), run.end()});
            QVERIFY(isNear(lapse.camping(0).value(), gpu.memory->camping));
        }
    }

    void unitsAddUpToTheTimeOfTheirSlots() {
        eachLapse([](const LapseRun& run, Periods periods) {
            const UnitLapse lapse(run.trace(), run.experiment, 0, periods);
            const data::SlotHistory history(run.trace(), run.experiment, 0);
            QCOMPARE(lapse.units(), static_cast<std::size_t>(run.experiment.cu.count));
            std::int64_t computing = 0, waiting = 0;
            for (std::size_t period = 0; period < periods.count(); ++period) {
                for (std::size_t unit = 0; unit < lapse.units(); ++unit) {
                    const UnitLapse::Cell& cell = lapse.at(unit, period);
                    QVERIFY(cell.computing >= 0 && cell.waiting >= 0 && cell.collective >= 0 && cell.empty >= 0);
                    QCOMPARE(cell.all(), periods.lengthOf(period) * history.slotsOfCu());
                }
                computing += lapse.sumAt(period).computing;
                waiting += lapse.sumAt(period).waiting;
            }
            std::int64_t workgroups = 0;
            for (const Lane& lane : run.trace().lanes)
                if (lane.gpu == 0 && lane.kind == LaneKind::workgroupSlot)
                    for (const Span& span : lane.spans)
                        workgroups += (span.end - span.start).ps;
            QVERIFY(computing > 0 && waiting > 0);
            QCOMPARE(computing + waiting, workgroups);
        });
    }

    void aSlotDoesInItsStretchesWhatItDoesAtEachMoment() {
        using Doing = data::GpuInside::Slot::Doing;
        std::mt19937 random(5);
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::cuSplit}) {
            const LapseRun run = lapseRunOf(tests::smallExperiment(policy));
            const data::SlotHistory history(run.trace(), run.experiment, 0);
            std::vector<std::int64_t> moments{0, run.end()};
            for (int i = 0; i < 200; ++i)
                moments.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(run.end())));
            bool computes = false, collects = false;
            std::vector<std::vector<data::SlotHistory::Stretch>> stretches;
            for (std::size_t slot = 0; slot < history.slots(); ++slot)
                stretches.push_back(history.stretchesOf(slot));
            for (const std::int64_t ps : moments) {
                const auto slots = history.at(ps);
                for (std::size_t slot = 0; slot < slots.size(); ++slot) {
                    const auto now = std::ranges::find_if(
                        stretches[slot], [ps](const auto& each) { return each.start <= ps && ps < each.end; });
                    const Doing doing = now == stretches[slot].end() ? Doing::empty : now->doing;
                    QVERIFY2(doing == slots[slot].doing, std::to_string(ps).c_str());
                    computes = computes || doing == Doing::computing;
                    collects = collects || doing == Doing::collective;
                }
            }
            QVERIFY(computes);
            QVERIFY(collects);
        }
    }
};

RINGSIDE_TEST(TestTimeLapse)
#include "tst_time_lapse.moc"
