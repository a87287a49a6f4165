// Checks that the picture of the inside of a GPU agrees with the tracker view, the inspector, the timeline and the
// results.

#include "data/replay/gpu_inside.h"
#include "data/replay/span_list.h"
#include "engine/api/run_parts.h"
#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using data::GpuInside;
using data::GpuState;
using data::InsideIndex;
using data::Position;
using data::RunLog;
using data::ShownRun;
using data::TrafficKind;
using data::TrafficOwner;
using engine::CounterKind;
using engine::Experiment;
using engine::LaneKind;
using engine::PolicyPreset;

namespace {

constexpr std::int64_t kCounterWindow = 100'000;  // a counter keeps only the last change within this time

struct InsideRun {
    std::shared_ptr<const ShownRun> shown;
    std::shared_ptr<const RunLog> log;
    std::unique_ptr<InsideIndex> inside;

    const engine::Trace& trace() const { return log->trace(); }
    const engine::RunResult& result() const { return shown->run.result; }
    GpuInside at(std::uint32_t gpu, Position position) const {
        return inside->at(gpu, position, log->stateOf(gpu, position));
    }
    GpuInside at(std::uint32_t gpu, std::int64_t ps) const { return at(gpu, log->positionAt(ps)); }
};

InsideRun insideRunOf(const Experiment& experiment) {
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    options.perGpu = true;
    auto shown = std::make_shared<ShownRun>();
    shown->run.experiment = experiment;
    shown->run.result = engine::run(experiment, options);
    shown->index.emplace(shown->run.result.trace);
    InsideRun run;
    run.shown = shown;
    run.log = std::make_shared<const RunLog>(shown->run.result.trace, experiment);
    run.inside = std::make_unique<InsideIndex>(run.shown, run.log);
    return run;
}

Experiment insideMesh() {
    Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca);
    experiment.topology.kind = engine::TopologyKind::fullyConnected;
    experiment.collective.algorithm = engine::CollectiveAlgorithm::direct;
    return experiment;
}

void insideCopies(Experiment& experiment) {
    experiment.topology.kind = engine::TopologyKind::fullyConnected;
    experiment.collective.algorithm = engine::CollectiveAlgorithm::direct;
    experiment.dma.engines = 2;
    experiment.policy.pieces = 8;
}

Experiment insideCompany(engine::CompanionOperation operation) {
    Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
    experiment.companion.operation = operation;
    experiment.companion.bytes = engine::Bytes{2 * 1024 * 1024};
    return experiment;
}

const std::vector<std::pair<const char*, InsideRun>>& insideRuns() {
    static const std::vector<std::pair<const char*, InsideRun>> runs = [] {
        std::vector<std::pair<const char*, InsideRun>> made;
        made.emplace_back("t3", insideRunOf(tests::smallExperiment(PolicyPreset::t3)));
        made.emplace_back("t3-mca", insideRunOf(tests::smallExperiment(PolicyPreset::t3Mca)));
        made.emplace_back("sequential", insideRunOf(tests::smallExperiment(PolicyPreset::sequential)));
        made.emplace_back("direct on a full mesh", insideRunOf(insideMesh()));
        made.emplace_back("cu-split", insideRunOf(tests::smallExperiment(PolicyPreset::cuSplit)));
        made.emplace_back("beside an all-gather", insideRunOf(insideCompany(engine::CompanionOperation::allGather)));
        made.emplace_back("beside a pass inside memory",
                          insideRunOf(insideCompany(engine::CompanionOperation::inMemory)));
        return made;
    }();
    return runs;
}

/// A GPU and a moment of a run at which all or some of the events of that moment have happened.
struct Moment {
    std::uint32_t gpu = 0;
    Position position;
};

std::vector<Moment> momentsOf(const InsideRun& run, std::uint32_t seed) {
    constexpr int kMoments = 34;
    std::mt19937 random(seed);
    const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end)(random); };
    std::vector<Moment> moments;
    for (int i = 0; i < kMoments; ++i) {
        const auto gpu = static_cast<std::uint32_t>(below(run.log->gpus() - 1));
        if (i % 2 == 0) {
            moments.push_back({gpu, run.log->positionAt(below(run.trace().end.ps))});
            continue;
        }
        // A moment with events, of which only some have happened.
        const auto& events = run.log->events(run.trace().mirrored ? 0 : gpu);
        const std::int64_t ps = events[static_cast<std::size_t>(below(std::ssize(events) - 1))].ps;
        const std::uint64_t all = run.log->positionAt(ps).events;
        moments.push_back({gpu, run.log->positionAt(ps, all - std::min<std::uint64_t>(all, 1))});
    }
    return moments;
}

void eachInsideMoment(const std::function<void(const InsideRun&, const Moment&)>& check) {
    std::uint32_t seed = 1;
    for (const auto& [name, run] : insideRuns()) {
        for (const Moment& moment : momentsOf(run, seed++)) {
            check(run, moment);
            if (QTest::currentTestFailed())
                qFatal("%s: GPU %u at %lld ps", name, moment.gpu, static_cast<long long>(moment.position.ps));
        }
    }
}

/// Calls `check` at the moments at which a counter is exact, with the counter's value.
void eachInsideSample(
    CounterKind kind,
    const std::function<void(const InsideRun&, std::uint32_t gpu, std::int64_t ps, std::int64_t)>& check) {
    std::mt19937 random(7);
    for (const auto& run : insideRuns()) {
        for (std::uint32_t gpu = 0; gpu < run.second.log->recorded(); ++gpu) {
            const engine::CounterSeries* series = run.second.shown->index->gpu(gpu).counter(kind);
            for (int i = 0; i < 12 && series != nullptr; ++i) {
                const auto& sample = series->samples[random() % series->samples.size()];
                check(run.second, gpu, sample.time.ps + kCounterWindow - 1, sample.value);
            }
        }
    }
}

std::uint32_t recordedOf(const InsideRun& run, std::uint32_t gpu) { return run.trace().mirrored ? 0 : gpu; }

/// Returns how many spans of a lane the timeline draws at a moment.
std::size_t spansAt(const data::PackedLane& lanes, std::int64_t ps) {
    std::size_t count = 0;
    for (const data::Track& track : lanes.tracks)
        count += data::spanAt(track.spans(), ps) != nullptr;
    return count;
}

std::size_t commandsWithEngines(const GpuInside& inside) {
    std::size_t count = 0;
    for (const GpuInside::Engine& engine : inside.engines)
        count += engine.reading.has_value() + engine.next.size() + engine.sending.size();
    return count;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

/// Returns all bytes that the DRAM served on a GPU, by owner and kind.
data::Traffic servedOn(const InsideRun& run, std::uint32_t gpu) {
    data::Traffic sum;
    for (const engine::Lane& lane : run.trace().lanes)
        if (lane.gpu == recordedOf(run, gpu) && lane.kind == LaneKind::dramChannel)
            sum += data::servedBetween(lane, 0, run.trace().end.ps + 1);
    return sum;
}

}  // namespace

class TestGpuInside : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slotsAreThoseOfTheTimeline();
    void runningWorkgroupsAreCounted();
    void bytesWaitAsTheBacklogsSay();
    void channelsServeWhatTheTimelineShows();
    void commandsAreThoseOfTheTracker();
    void linksCarryWhatTheTimelineShows();
    void servedBytesAreTheResults();
    void cacheCountsAreTheResults();
    void timeRunsBackAsWell();
    void requestsWaitUntilTheyArePicked();
    void aStepIsComputedBeforeItIsDone();
    void aTriggerIsSeenAsItHappens();
    void eventsOfOneMomentHappenOneByOne();
    void aBlockIsReadBeforeItIsSent();
    void numbersAreThoseOfTheShownGpu();
    void anyMachineIsDescribed_data();
    void anyMachineIsDescribed();
    void aThresholdIsReportedAsItWasResolved();
    void anEngineShowsTheCopyThatHasIt();
    void whatTheRunHasNotIsLeftOut();
};

void TestGpuInside::slotsAreThoseOfTheTimeline() {
    eachInsideMoment([](const InsideRun& run, const Moment& moment) {
        const GpuInside inside = run.at(moment.gpu, moment.position);
        const data::TraceIndex::Gpu& gpu = run.shown->index->gpu(moment.gpu);
        std::int64_t collective = 0;
        for (const GpuInside::Slot& slot : inside.slots)
            collective += slot.doing == GpuInside::Slot::Doing::collective;
        const bool recordsKernels = run.trace().companionCopies != 0;
        QCOMPARE(inside.runningWorkgroups + (recordsKernels ? collective : 0),
                 static_cast<std::int64_t>(spansAt(gpu.slots, moment.position.ps)));
        QCOMPARE(inside.slots.size(),
                 std::size_t{run.inside->inventory(moment.gpu).computeUnits} * run.inside->inventory(moment.gpu).slots);
    });
}

void TestGpuInside::runningWorkgroupsAreCounted() {
    eachInsideSample(CounterKind::runningWorkgroups,
                     [](const InsideRun& run, std::uint32_t gpu, std::int64_t ps, std::int64_t value) {
                         QCOMPARE(run.at(gpu, ps).runningWorkgroups, value);
                     });
}

void TestGpuInside::bytesWaitAsTheBacklogsSay() {
    for (const auto stream : {engine::Stream::compute, engine::Stream::communication}) {
        const bool computes = stream == engine::Stream::compute;
        eachInsideSample(computes ? CounterKind::computeBacklog : CounterKind::communicationBacklog,
                         [stream](const InsideRun& run, std::uint32_t gpu, std::int64_t ps, std::int64_t value) {
                             std::int64_t waiting = 0;
                             for (const GpuInside::Channel& channel : run.at(gpu, ps).channels)
                                 waiting += channel.waitingBytes[static_cast<std::size_t>(stream)];
                             QCOMPARE(waiting, value);
                         });
    }
}

void TestGpuInside::channelsServeWhatTheTimelineShows() {
    eachInsideMoment([](const InsideRun& run, const Moment& moment) {
        const GpuInside inside = run.at(moment.gpu, moment.position);
        const data::GpuInventory& inventory = run.inside->inventory(moment.gpu);
        std::size_t serving = 0;
        for (const GpuInside::Channel& channel : inside.channels) {
            serving += channel.serving.has_value();
            QVERIFY(channel.queued >= channel.serving.has_value());
            QVERIFY(channel.queued <= inventory.dramQueue);
            QCOMPARE(channel.queued, channel.queuedOf[0] + channel.queuedOf[1]);
            for (const std::size_t stream : {0, 1})
                QCOMPARE(channel.waiting[stream] == 0, channel.waitingBytes[stream] == 0);
        }
        QCOMPARE(serving, spansAt(run.shown->index->gpu(moment.gpu).dramChannels, moment.position.ps));
    });
}

void TestGpuInside::commandsAreThoseOfTheTracker() {
    eachInsideMoment([](const InsideRun& run, const Moment& moment) {
        const GpuState state = run.log->stateOf(moment.gpu, moment.position);
        const GpuInside inside = run.at(moment.gpu, moment.position);
        QCOMPARE(inside.heldBytes, state.heldBytes);
        QCOMPARE(std::int64_t{inside.commandsReady}, state.dmaQueue);
        QCOMPARE(commandsWithEngines(inside), state.movingBlocks.size());
        QCOMPARE(inside.commandsWaiting + inside.commandsReady + inside.commandsDone + commandsWithEngines(inside),
                 std::size_t{run.inside->inventory(moment.gpu).commands});
        for (const GpuInside::Engine& engine : inside.engines)
            for (const GpuInside::Command& command : engine.sending)
                QCOMPARE(command.readBytes, command.bytes);
    });
}

void TestGpuInside::linksCarryWhatTheTimelineShows() {
    eachInsideMoment([](const InsideRun& run, const Moment& moment) {
        const GpuInside inside = run.at(moment.gpu, moment.position);
        const data::TraceIndex::Gpu& gpu = run.shown->index->gpu(moment.gpu);
        const auto window = static_cast<double>(inside.window);
        double busy = 0;
        std::size_t packets = 0;
        for (const GpuInside::Link& link : inside.linksOut) {
            busy += link.useOf * window;
            packets += link.chunk.has_value();
        }
        const std::int64_t from = std::max<std::int64_t>(0, inside.ps - inside.window);
        QVERIFY(near(busy, static_cast<double>(gpu.link.busyUntil(inside.ps) - gpu.link.busyUntil(from))));
        QCOMPARE(packets, spansAt(gpu.linkOut, inside.ps));
    });
}

void TestGpuInside::servedBytesAreTheResults() {
    for (const auto& [name, run] : insideRuns()) {
        for (std::uint32_t gpu = 0; gpu < run.log->recorded(); ++gpu) {
            const engine::GpuResult& result =
                run.result().perGpu.empty() ? run.result().last : run.result().perGpu[gpu];
            const data::Traffic served = servedOn(run, gpu);
            QVERIFY2(near(served.total(), static_cast<double>(result.dram->total.count)), name);
            const double reads = served.of(TrafficOwner::compute, TrafficKind::read) +
                                 served.of(TrafficOwner::communication, TrafficKind::read);
            const engine::DramResult& dram = *result.dram;
            QVERIFY2(near(reads, static_cast<double>((dram.gemmRead + dram.rsRead + dram.agRead + dram.a2aRead).count)),
                     name);
            const engine::CompanionPart beside = result.companion.value_or(engine::CompanionPart{});
            QVERIFY2(near(served.of(TrafficOwner::companion),
                          static_cast<double>((beside.dramRead + beside.dramWritten).count)),
                     name);
            // The rates summed over all windows give the same bytes.
            double sum = 0, sent = 0;
            const std::int64_t window = run.inside->window();
            for (std::int64_t ps = window; ps < run.trace().end.ps + window; ps += window) {
                const GpuInside inside = run.at(gpu, ps);
                sum += inside.memoryPerSecond.total() * static_cast<double>(window) / 1e12;
                for (const GpuInside::Link& link : inside.linksOut)
                    sent += link.bytesPerSecond * static_cast<double>(window) / 1e12;
            }
            QVERIFY2(near(sum, served.total()), name);
            const engine::LinkResult& link = *result.link;
            QVERIFY2(near(sent, static_cast<double>(
                                    (link.reduceScatter + link.allGather + link.allToAll + beside.sent).count)),
                     name);
        }
    }
}

void TestGpuInside::cacheCountsAreTheResults() {
    for (const auto& [name, run] : insideRuns()) {
        for (std::uint32_t gpu = 0; gpu < run.log->recorded(); ++gpu) {
            const engine::GpuResult& result =
                run.result().perGpu.empty() ? run.result().last : run.result().perGpu[gpu];
            const GpuInside inside = run.at(gpu, run.trace().end.ps);
            QCOMPARE(inside.cacheHits, result.llc->hit.count);
            QCOMPARE(inside.cacheMisses, result.llc->miss.count);
            QCOMPARE(inside.cacheWaiting, std::int64_t{0});
        }
    }
}

void TestGpuInside::timeRunsBackAsWell() {
    for (const auto& [name, run] : insideRuns()) {
        std::vector<Moment> moments = momentsOf(run, 99);
        std::vector<double> reported;
        const auto report = [&](const Moment& moment) {
            const GpuInside inside = run.at(moment.gpu, moment.position);
            return inside.memoryPerSecond.total() + static_cast<double>(inside.runningWorkgroups) +
                   static_cast<double>(inside.cacheHits) + inside.commandsDone;
        };
        for (const Moment& moment : moments)
            reported.push_back(report(moment));
        for (std::size_t i = moments.size(); i-- > 0;)
            QCOMPARE(report(moments[i]), reported[i]);
    }
}

// The waiting requests are counted one by one.
void TestGpuInside::requestsWaitUntilTheyArePicked() {
    eachInsideMoment([](const InsideRun& run, const Moment& moment) {
        const GpuInside inside = run.at(moment.gpu, moment.position);
        for (const engine::Lane& lane : run.trace().lanes) {
            if (lane.gpu != recordedOf(run, moment.gpu) || lane.kind != LaneKind::dramChannel)
                continue;
            std::array<std::uint32_t, 2> waiting{}, queued{};
            std::int64_t lastPick = 0;
            for (std::size_t i = 0; i < lane.spans.size(); ++i) {
                const engine::Span& span = lane.spans[i];
                const std::int64_t picked = span.start.ps - lane.queuedFor[i];
                QVERIFY(lane.askedAt[i].ps <= picked);
                const bool waits = span.part != engine::kWrittenIdle;
                waiting[span.first] += waits && lane.askedAt[i].ps <= inside.ps && inside.ps < picked;
                queued[span.first] += (waits ? picked : span.start.ps) <= inside.ps && inside.ps < span.end.ps;
                if (waits && picked <= inside.ps)
                    lastPick = std::max(lastPick, picked);
            }
            QCOMPARE(inside.channels[lane.index].waiting, waiting);
            QCOMPARE(inside.channels[lane.index].queuedOf, queued);
            QCOMPARE(inside.channels[lane.index].lastPickPs, lastPick);
        }
    });
}

void TestGpuInside::aStepIsComputedBeforeItIsDone() {
    std::mt19937 random(3);
    for (const auto& [name, run] : insideRuns()) {
        const engine::ComputedSteps& computed = run.trace().computed.front();
        for (int i = 0; i < 10; ++i) {
            const std::size_t place = random() % computed.done.size();
            const auto tile = static_cast<std::uint32_t>(place / computed.steps);
            const GpuInside inside = run.at(0, computed.done[place].ps - 1);
            const auto slot = std::find_if(inside.slots.begin(), inside.slots.end(), [&](const GpuInside::Slot& each) {
                return each.steps != 0 && each.kernel == engine::kOwnKernel && each.tile == tile;
            });
            QVERIFY2(slot != inside.slots.end(), name);
            QVERIFY2(slot->doing == GpuInside::Slot::Doing::computing, name);
            QVERIFY(slot->stepsDone <= place % computed.steps);
            QCOMPARE(slot->steps, computed.steps);
        }
    }
}

void TestGpuInside::aTriggerIsSeenAsItHappens() {
    const InsideRun& run = insideRuns().front().second;
    const auto first = run.log->next(run.log->beginning(), data::StepKind::trigger);
    QVERIFY(first);
    const GpuInside at = run.at(0, *first);
    QVERIFY(at.trigger);
    QCOMPARE(at.trigger->age, 0.0);
    QCOMPARE(at.trigger->block, *run.log->stateOf(0, *first).lastTriggeredBlock);
    QVERIFY(at.commandsReady > 0);
    QVERIFY(!run.at(0, first->ps - 1).trigger);
    QCOMPARE(run.at(0, first->ps - 1).commandsWaiting, run.inside->inventory().commands);
}

void TestGpuInside::eventsOfOneMomentHappenOneByOne() {
    const InsideRun& run = insideRuns()[1].second;
    auto position = run.log->next(run.log->beginning(), data::StepKind::trigger);
    for (int i = 0; i < 300 && position; ++i, position = run.log->next(*position, data::StepKind::event)) {
        const GpuInside inside = run.at(0, *position);
        QCOMPARE(commandsWithEngines(inside), run.log->stateOf(0, *position).movingBlocks.size());
        QCOMPARE(inside.commandsWaiting + inside.commandsReady + inside.commandsDone + commandsWithEngines(inside),
                 std::size_t{run.inside->inventory().commands});
    }
}

// Packets leave when their data has been read, so a block never has more bytes sent than read, and it is read
// completely.
void TestGpuInside::aBlockIsReadBeforeItIsSent() {
    for (const auto& [name, run] : insideRuns()) {
        for (const engine::Lane& lane : run.trace().lanes) {
            if (lane.kind != LaneKind::dma || lane.gpu != 0)
                continue;
            QCOMPARE(lane.readAt.size(), lane.spans.size());
            for (std::size_t i = 0; i < lane.spans.size(); ++i) {
                QVERIFY(lane.spans[i].start < lane.readAt[i] && lane.readAt[i] <= lane.spans[i].end);
                const GpuInside before = run.at(0, lane.readAt[i].ps - 1), after = run.at(0, lane.readAt[i].ps);
                const auto holds = [&](const std::vector<GpuInside::Command>& commands) {
                    return std::any_of(commands.begin(), commands.end(), [&](const GpuInside::Command& command) {
                        return command.block == lane.spans[i].first && command.chunk == lane.spans[i].second;
                    });
                };
                QVERIFY2(!holds(before.engines[lane.index].sending), name);
                QVERIFY2(lane.readAt[i] == lane.spans[i].end || holds(after.engines[lane.index].sending), name);
                const auto& reading = before.engines[lane.index].reading;
                QVERIFY2(reading && reading->sentBytes <= reading->readBytes, name);
            }
        }
    }
}

// In a mirrored run one simulated GPU represents all, but each GPU has its own tiles and chunks.
void TestGpuInside::numbersAreThoseOfTheShownGpu() {
    const InsideRun& run = insideRuns().front().second;
    QVERIFY(run.trace().mirrored);
    const std::int64_t ps = run.trace().gemmEnd.ps / 3;
    const GpuInside first = run.at(0, ps), third = run.at(2, ps);
    QVERIFY(first.runningWorkgroups > 0);
    for (std::size_t slot = 0; slot < first.slots.size(); ++slot)
        if (first.slots[slot].steps != 0)
            QCOMPARE(third.slots[slot].tile, run.log->tileOn(2, first.slots[slot].tile));
    const engine::Span& packet =
        (*std::find_if(run.trace().lanes.begin(), run.trace().lanes.end(), [](const auto& lane) {
            return lane.kind == LaneKind::linkOut;
        })).spans.front();
    QCOMPARE(run.at(0, packet.start.ps).linksOut.front().chunk, std::optional(packet.second));
    QCOMPARE(run.at(2, packet.start.ps).linksOut.front().chunk, std::optional(run.trace().chunkOn(2, packet.second)));
    QCOMPARE(run.inside->inventory(2).outTo.front(), std::optional(1u));
    QCOMPARE(run.inside->inventory(2).inFrom.front(), std::optional(3u));
}

void TestGpuInside::anyMachineIsDescribed_data() {
    QTest::addColumn<Experiment>("experiment");
    const auto row = [](const char* name, PolicyPreset policy, const std::function<void(Experiment&)>& change) {
        Experiment experiment = tests::smallExperiment(policy);
        change(experiment);
        QTest::newRow(name) << experiment;
    };
    row("1 channel", PolicyPreset::t3Mca, [](Experiment& e) { e.detail.channels = 1; });
    row("64 channels", PolicyPreset::t3Mca, [](Experiment& e) { e.detail.channels = 64; });
    row("16 engines", PolicyPreset::t3, [](Experiment& e) { e.dma.engines = 16; });
    row("a window of one granule", PolicyPreset::t3, [](Experiment& e) { e.dma.window = e.detail.granule; });
    row("1 GPU's GEMM", PolicyPreset::sequential, [](Experiment& e) { e.workload.sublayer = engine::SubLayer::gemm; });
    row("an all-gather", PolicyPreset::t3, [](Experiment& e) { e.workload.sublayer = engine::SubLayer::allGather; });
    row("a reduce-scatter by kernels", PolicyPreset::sequential,
        [](Experiment& e) { e.workload.sublayer = engine::SubLayer::reduceScatter; });
    row("every GPU", PolicyPreset::t3Mca, [](Experiment& e) { e.detail.mode = engine::DetailMode::full; });
    row("reads first", PolicyPreset::t3, [](Experiment& e) { e.memory.storeOrder = engine::StoreOrder::readsFirst; });
    row("banks", PolicyPreset::t3Mca, [](Experiment& e) { e.memory.model = engine::DramModel::banks; });
    row("GEMMs beside", PolicyPreset::t3, [](Experiment& e) {
        e.companion.operation = engine::CompanionOperation::gemm;
        e.companion.copies = 2;
    });
    row("a companion by DMA", PolicyPreset::t3, [](Experiment& e) {
        e.companion.operation = engine::CompanionOperation::allGather;
        e.companion.bytes = engine::Bytes{2 * 1024 * 1024};
        e.companion.by = engine::CollectiveCarrier::dma;
    });
    row("copies", PolicyPreset::chunkedDma, &insideCopies);
}

void TestGpuInside::anyMachineIsDescribed() {
    QFETCH(Experiment, experiment);
    QVERIFY(engine::validate(experiment).empty());
    const InsideRun run = insideRunOf(experiment);
    const data::GpuInventory& inventory = run.inside->inventory();
    QCOMPARE(std::int64_t{inventory.channels}, experiment.detail.channels);
    const GpuInside first = run.at(0, run.log->beginning()), last = run.at(0, run.log->end());
    QCOMPARE(first.memoryPerSecond.total(), 0.0);
    QCOMPARE(first.commandsDone, 0u);
    QCOMPARE(last.commandsDone, inventory.commands);
    QCOMPARE(last.runningWorkgroups, std::int64_t{0});
    QCOMPARE(last.engines.size(), std::size_t{inventory.engines});
    for (const GpuInside::Channel& channel : last.channels)
        QCOMPARE(channel.waiting[0] + channel.waiting[1], 0u);
    double most = 0;
    for (const Moment& moment : momentsOf(run, 5)) {
        const GpuInside inside = run.at(moment.gpu, moment.position);
        QCOMPARE(inside.channels.size(), std::size_t{inventory.channels});
        QCOMPARE(inside.commandsWaiting + inside.commandsReady + inside.commandsDone + commandsWithEngines(inside),
                 std::size_t{inventory.commands});
        most = std::max(most, inside.memoryPerSecond.total());
        for (const GpuInside::Channel& channel : inside.channels)
            QVERIFY(channel.queued <= inventory.dramQueue);
    }
    QVERIFY(most > 0);
    QVERIFY(most <= 1.0001 * inventory.channelBytesPerSecond * inventory.channels);
    QVERIFY(near(servedOn(run, 0).total(), static_cast<double>(run.result().last.dram->total.count)));
}

// A threshold of the whole queue is its number of entries; half an entry is rounded up.
void TestGpuInside::aThresholdIsReportedAsItWasResolved() {
    Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca);
    const auto resolved = [&](std::int64_t bytes) {
        experiment.arbitration.threshold = {engine::ArbitrationThreshold::Kind::bytes, engine::Bytes{bytes}};
        return insideRunOf(experiment).inside->inventory();
    };
    QCOMPARE(resolved(experiment.memory.queue.count).threshold, std::optional(resolved(4096).dramQueue));
    QCOMPARE(resolved(experiment.detail.granule.count * experiment.detail.channels / 2).threshold, std::optional(1u));
    experiment.arbitration.threshold = {engine::ArbitrationThreshold::Kind::none, {}};
    QVERIFY(!insideRunOf(experiment).inside->inventory().threshold);
    QVERIFY(insideRuns()[1].second.inside->inventory().arbitrates);
    QVERIFY(!insideRuns()[0].second.inside->inventory().threshold);
}

void TestGpuInside::anEngineShowsTheCopyThatHasIt() {
    Experiment experiment = tests::smallExperiment(PolicyPreset::chunkedDma);
    insideCopies(experiment);
    const InsideRun run = insideRunOf(experiment);
    std::size_t copies = 0;
    for (const engine::Lane& lane : run.trace().lanes) {
        for (std::size_t i = 0; lane.kind == LaneKind::dma && i < lane.spans.size(); ++i) {
            const engine::Span& copy = lane.spans[i];
            ++copies;
            for (const std::int64_t ps : {copy.start.ps, (copy.start.ps + copy.end.ps) / 2, copy.end.ps - 1}) {
                const GpuInside::Engine engine = run.at(lane.gpu, ps).engines[lane.index];
                QCOMPARE(engine.reading.has_value() + engine.sending.size(), std::size_t{1});
                const GpuInside::Command& command = engine.reading ? *engine.reading : engine.sending.front();
                QCOMPARE(engine.reading.has_value(), ps < lane.readAt[i].ps);
                QCOMPARE(command.chunk, copy.second);
                QCOMPARE(command.to, std::optional(std::uint32_t{copy.peer}));
                QCOMPARE(command.bytes, std::uint64_t{copy.bytes});
                QVERIFY(command.sentBytes <= command.readBytes && command.readBytes <= command.bytes);
                QVERIFY(ps != copy.start.ps || command.sentBytes == 0);
                QVERIFY(ps != copy.end.ps - 1 || command.sentBytes * 2 > command.bytes);
            }
        }
    }
    QCOMPARE(copies, std::size_t{4 * (2 * 3 + 3)});
}

void TestGpuInside::whatTheRunHasNotIsLeftOut() {
    const data::GpuInventory& sequential = insideRuns()[2].second.inside->inventory();
    QCOMPARE(sequential.trackerSets, 0u);
    QCOMPARE(sequential.engines, 0u);
    QCOMPARE(sequential.commands, 0u);
    QVERIFY(sequential.collectiveUnits > 0);
    QVERIFY(insideRuns()[2].second.at(0, insideRuns()[2].second.log->end()).engines.empty());
    const data::GpuInventory& t3 = insideRuns()[0].second.inside->inventory();
    QVERIFY(t3.trackerSets > 0 && t3.trackerWays > 0 && t3.wavefronts > 0 && t3.hasNearMemory);
    QCOMPARE(t3.collectiveUnits > 0, !engine::runPartsOf(tests::smallExperiment(PolicyPreset::t3)).gatherByDma);
    QCOMPARE(insideRuns()[3].second.inside->inventory().linksOut.size(), std::size_t{3});
    Experiment gathers = tests::smallExperiment(PolicyPreset::t3);
    gathers.workload.sublayer = engine::SubLayer::allGather;
    QVERIFY(!insideRunOf(gathers).inside->inventory().hasCache);
}

RINGSIDE_TEST(TestGpuInside)
#include "tst_gpu_inside.moc"
