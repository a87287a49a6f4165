#include "data/replay/run_log.h"
#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <QTest>

#include <map>
#include <numeric>
#include <random>

using data::GpuState;
using data::Position;
using data::RunLog;
using data::StepKind;
using data::TileState;
using engine::DetailLevel;
using engine::Experiment;
using engine::PolicyPreset;

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

/// Returns a ring whose chunks differ by a tile.
Experiment unequalChunks(PolicyPreset policy) {
    Experiment experiment = tests::smallExperiment(policy, 3);
    experiment.workload.hidden = 768;
    experiment.gemm.tileN = 192;
    return experiment;
}

/// Returns a run of PaLM, whose chunks have 4.5 columns of tiles.
Experiment palm() {
    return everyGpu(tests::experimentOf({"palm/fc-2/tp32", engine::SubLayer::fc2, 18432, 2, 32, 4}, PolicyPreset::t3Mca,
                                        DetailLevel::interactive));
}

std::vector<std::pair<const char*, Experiment>> loggedCases() {
    using engine::SubLayer;
    return {
        {"sequential", tests::smallExperiment(PolicyPreset::sequential)},
        {"t3", tests::smallExperiment(PolicyPreset::t3)},
        {"t3-mca", tests::smallExperiment(PolicyPreset::t3Mca)},
        {"cu-split", tests::smallExperiment(PolicyPreset::cuSplit)},
        {"chunked", tests::smallExperiment(PolicyPreset::chunked)},
        {"signals", tests::smallExperiment(PolicyPreset::signals)},
        {"t3 of every GPU", everyGpu(tests::smallExperiment(PolicyPreset::t3))},
        {"sequential of every GPU", everyGpu(tests::smallExperiment(PolicyPreset::sequential))},
        {"t3-mca with unequal chunks", unequalChunks(PolicyPreset::t3Mca)},
        {"sequential with unequal chunks", unequalChunks(PolicyPreset::sequential)},
        {"reduce-scatter by DMA", alone(SubLayer::reduceScatter, PolicyPreset::t3)},
        {"all-gather by DMA", alone(SubLayer::allGather, PolicyPreset::t3)},
        {"all-reduce by DMA", alone(SubLayer::allReduce, PolicyPreset::t3)},
        {"all-reduce by kernels", alone(SubLayer::allReduce, PolicyPreset::sequential)},
        {"palm on all of 32 GPUs", palm()},
        {"t-nlg t3-mca", tests::tNlgFc2(PolicyPreset::t3Mca, DetailLevel::interactive)},
        {"t-nlg sequential", tests::tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive)},
    };
}

constexpr data::StepKind kKinds[] = {data::StepKind::event,          data::StepKind::chunk, data::StepKind::trigger,
                                     data::StepKind::collectiveStep, data::StepKind::wave,  data::StepKind::phase};

std::uint32_t tilesIn(const data::GpuState& state, data::TileState wanted) {
    return static_cast<std::uint32_t>(std::count(state.tiles.begin(), state.tiles.end(), wanted));
}

}  // namespace

class TestRunLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const auto& [name, experiment] : loggedCases())
            m_logs.emplace_back(name, std::make_unique<data::RunLog>(traceOf(experiment), experiment));
    }

    void atTheEndEveryTileOfEveryGpuIsFinal() {
        for (const auto& [name, log] : m_logs) {
            const bool gathers = QLatin1String(name) != QLatin1String("reduce-scatter by DMA");
            const std::vector<data::GpuState> states = log->statesAt(log->end());
            QCOMPARE(states.size(), std::size_t{log->gpus()});
            for (const data::GpuState& state : states) {
                const std::uint32_t reduced = tilesIn(state, data::TileState::reduced);
                const auto all = static_cast<std::uint32_t>(state.tiles.size());
                const std::uint32_t sent = tilesIn(state, data::TileState::sent);
                if (reduced + (gathers ? 0 : sent) != all)
                    qWarning() << name << reduced << sent << "of" << all;
                QCOMPARE(reduced + (gathers ? 0 : sent), all);
                QVERIFY(state.tracker.empty() && state.waitingBlocks.empty() && state.movingBlocks.empty());
            }
        }
    }

    void aTileIsInItsStateSinceItCameIntoIt() {
        for (const auto& [name, log] : m_logs) {
            const std::int64_t ps = log->end().ps * 2 / 3;
            for (std::uint32_t gpu = 0; gpu < std::min(log->gpus(), 3u); ++gpu) {
                const data::GpuState now = log->stateOf(gpu, log->positionAt(ps));
                for (std::uint32_t tile = 0; tile < now.tiles.size(); tile += 5) {
                    const std::int64_t since = log->tileSince(gpu, tile, ps);
                    QVERIFY(since <= ps);
                    QCOMPARE(log->stateOf(gpu, log->positionAt(since)).tiles[tile], now.tiles[tile]);
                    if (since > 0)
                        QVERIFY(log->stateOf(gpu, log->positionAt(since - 1)).tiles[tile] != now.tiles[tile]);
                }
            }
        }
    }

    void everyTileIsInOneStateAtEveryMoment() {
        for (const auto& [name, log] : m_logs) {
            for (int share = 0; share <= 40; ++share) {
                const data::Position at = log->positionAt(log->end().ps * share / 40);
                for (const data::GpuState& state : log->statesAt(at)) {
                    for (std::size_t chunk = 0; chunk < state.chunkTiles.size(); ++chunk) {
                        std::array<std::uint32_t, data::kTileStates> counted{};
                        const auto& first = log->trace().output.chunkTile;
                        for (std::uint32_t tile = first[chunk]; tile < first[chunk + 1]; ++tile)
                            ++counted[static_cast<std::size_t>(state.tiles[tile])];
                        QCOMPARE(state.chunkTiles[chunk], counted);
                    }
                }
            }
        }
    }

    void tilesNeverGoBack() {
        // Each state of a chunk on its way around the ring follows from the tiles that have landed and left, and their
        // number never falls.
        for (const auto& [name, log] : m_logs) {
            std::vector<data::GpuState> before = log->statesAt(log->beginning());
            for (int share = 1; share <= 60; ++share) {
                std::vector<data::GpuState> now = log->statesAt(log->positionAt(log->end().ps * share / 60));
                for (std::size_t gpu = 0; gpu < now.size(); ++gpu)
                    for (std::size_t tile = 0; tile < now[gpu].tiles.size(); ++tile)
                        QVERIFY2(now[gpu].tiles[tile] >= before[gpu].tiles[tile], name);
                before = std::move(now);
            }
        }
    }

    void entriesAreAsManyAsTheEnginesCounterSays() {
        // The counter keeps the last value within 100 ns, with the time of the first change.
        for (const auto& [name, log] : m_logs) {
            for (const engine::CounterSeries& series : log->trace().counters) {
                if (series.kind != engine::CounterKind::trackerEntries && series.kind != engine::CounterKind::dmaQueue)
                    continue;
                // One series counts the commands of both halves of an all-reduce by DMA.
                if (series.kind == engine::CounterKind::dmaQueue &&
                    QLatin1String(name) == QLatin1String("all-reduce by DMA"))
                    continue;
                const std::size_t stride = std::max<std::size_t>(1, series.samples.size() / 200);
                for (std::size_t i = 0; i < series.samples.size(); i += stride) {
                    const std::int64_t settled = series.samples[i].time.ps + 99'999;
                    const data::GpuState state = log->stateOf(series.gpu, log->positionAt(settled));
                    const bool entries = series.kind == engine::CounterKind::trackerEntries;
                    if ((entries ? state.trackerEntries : state.dmaQueue) != series.samples[i].value)
                        qWarning() << name << engine::name(series.kind).data() << series.samples[i].time.ps
                                   << state.trackerEntries << state.dmaQueue << series.samples[i].value;
                    QCOMPARE(entries ? state.trackerEntries : state.dmaQueue, series.samples[i].value);
                    QCOMPARE(state.trackerEntries, static_cast<std::int64_t>(state.tracker.size()));
                }
            }
        }
    }

    void anEntryIsFullWhenItClosesAndNotBefore() {
        for (const auto& [name, log] : m_logs) {
            int closed = 0;
            for (const engine::Lane& lane : log->trace().lanes) {
                if (lane.kind != engine::LaneKind::tracker || lane.gpu != 0)
                    continue;
                for (const engine::Span& span : lane.spans) {
                    if (span.kind != engine::SpanKind::trackedTile || ++closed % 7 != 0)
                        continue;
                    // Just before its closing event all updates have landed; one picosecond earlier at least one is
                    // missing.
                    const auto entryAt = [&, tile = span.first](const data::Position& at) {
                        for (const data::TrackerEntry& entry : log->stateOf(0, at).tracker)
                            if (entry.tile == tile)
                                return entry;
                        return data::TrackerEntry{};
                    };
                    data::Position at = log->positionAt(span.end.ps);
                    while (entryAt(at).landedBytes.empty())
                        --at.events;
                    const data::TrackerEntry full = entryAt(at);
                    QCOMPARE(full.landedBytes, full.thresholdBytes);
                    QVERIFY(full.lastLanding && full.lastLanding->ps == span.end.ps);
                    const data::TrackerEntry earlier = entryAt(log->positionAt(span.end.ps - 1));
                    const auto sum = [](const std::vector<std::uint32_t>& bytes) {
                        return std::accumulate(bytes.begin(), bytes.end(), 0u);
                    };
                    QVERIFY(sum(earlier.landedBytes) < sum(earlier.thresholdBytes));
                    for (std::size_t wavefront = 0; wavefront < earlier.landedBytes.size(); ++wavefront)
                        QVERIFY(earlier.landedBytes[wavefront] <= earlier.thresholdBytes[wavefront]);
                }
            }
        }
    }

    void noSetHoldsMoreEntriesThanItHasWays() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::t3, DetailLevel::interactive);
        experiment.tracker.entries = 16;
        experiment.tracker.ways = 2;
        const data::RunLog log(traceOf(experiment), experiment);
        bool full = false;
        for (int share = 0; share <= 200; ++share) {
            std::map<std::uint32_t, int> held;
            for (const data::TrackerEntry& entry : log.stateOf(0, log.positionAt(log.end().ps * share / 200)).tracker) {
                QCOMPARE(entry.set, entry.workgroup % 16);
                QCOMPARE(entry.tag, entry.workgroup / 16);
                full = full || held[entry.set] == 1;
                QVERIFY(++held[entry.set] <= 2);
            }
        }
        QVERIFY(full);
    }

    void aSeekIsWhatPlayingFromTheBeginningGives() {
        // Plays the log event by event from the beginning and compares this with seeks to random positions.
        std::mt19937 random(20261121);
        for (const auto& [name, log] : m_logs) {
            std::vector<data::Position> places;
            for (int i = 0; i < 40; ++i)
                places.push_back(
                    log->positionAt(std::uniform_int_distribution<std::int64_t>(0, log->end().ps)(random)));
            std::sort(places.begin(), places.end(),
                      [](const data::Position& a, const data::Position& b) { return a.events < b.events; });
            std::vector<data::LogFacts> facts;
            std::vector<data::GpuReplay> replays;
            const std::uint32_t recorded = log->trace().mirrored ? 1 : log->gpus();
            for (std::uint32_t gpu = 0; gpu < recorded; ++gpu)
                replays.emplace_back(log->facts(gpu));
            std::vector<std::size_t> played(recorded);
            for (const data::Position& place : places) {
                const std::vector<data::GpuState> sought = log->statesAt(place);
                for (std::uint32_t gpu = 0; gpu < recorded; ++gpu) {
                    const auto& events = log->events(gpu);
                    while (played[gpu] < events.size() && events[played[gpu]].ps <= place.ps)
                        replays[gpu].apply(events[played[gpu]++]);
                    data::GpuState expected = replays[gpu].state();
                    // These are looked up by time, not played.
                    expected.sendingChunk = sought[gpu].sendingChunk;
                    expected.receivingChunk = sought[gpu].receivingChunk;
                    expected.computeBacklog = sought[gpu].computeBacklog;
                    expected.communicationBacklog = sought[gpu].communicationBacklog;
                    expected.runningWorkgroups = sought[gpu].runningWorkgroups;
                    QVERIFY2(sought[gpu] == expected, name);
                }
            }
        }
    }

    void forwardAndBackIsTheSameStateForEveryNumberOfSteps() {
        std::mt19937 random(4);
        for (const auto& [name, log] : m_logs) {
            for (const data::StepKind kind : kKinds) {
                // From the beginning, or from a random step of the kind.
                data::Position from = log->beginning();
                if (const auto there = log->previous(
                        log->positionAt(std::uniform_int_distribution<std::int64_t>(0, log->end().ps)(random)), kind))
                    from = *there;
                std::vector<data::Position> visited{from};
                while (visited.size() < 64) {
                    const auto next = log->next(visited.back(), kind);
                    if (!next)
                        break;
                    QVERIFY(next->events > visited.back().events && next->ps >= visited.back().ps);
                    visited.push_back(*next);
                }
                const data::GpuState start = log->stateOf(0, from);
                for (std::size_t steps = visited.size() - 1; steps > 0; --steps) {
                    data::Position at = visited[steps];
                    for (std::size_t back = steps; back > 0; --back) {
                        const auto previous = log->previous(at, kind);
                        QVERIFY2(previous && *previous == visited[back - 1], name);
                        at = *previous;
                    }
                    QVERIFY2(log->stateOf(0, at) == start, name);
                }
            }
        }
    }

    void everyEventIsAStepAlsoWhereSeveralShareAMoment() {
        const Experiment experiment = everyGpu(tests::smallExperiment(PolicyPreset::t3));
        const data::RunLog log(traceOf(experiment), experiment);
        std::uint64_t steps = 0;
        bool shared = false;
        data::Position at = log.beginning();
        while (const auto next = log.next(at, data::StepKind::event)) {
            QCOMPARE(next->events, at.events + 1);
            shared = shared || (steps > 0 && next->ps == at.ps);
            at = *next;
            ++steps;
        }
        QVERIFY(shared);
        QCOMPARE(steps, log.eventCount());
        QCOMPARE(at, log.end());
        QVERIFY(!log.next(log.end(), data::StepKind::event));
        QVERIFY(!log.previous(log.beginning(), data::StepKind::event));
    }

    void betweenTwoEventsOneStepBackGoesToTheEarlierOne() {
        const data::RunLog& log = logOf("t3");
        data::Position early = log.beginning(), late = early;
        while (late.ps - early.ps < 2) {
            early = late;
            late = *log.next(early, data::StepKind::event);
        }
        QCOMPARE(*log.previous(log.positionAt(early.ps + 1), data::StepKind::event), early);
        QCOMPARE(*log.next(log.positionAt(early.ps + 1), data::StepKind::event), late);
    }

    void otherGpusDoTheSameOnChunksFurtherOn() {
        // If mirroring is exact, each GPU of the full run is the mirrored GPU with rotated chunks, tile by tile.
        for (const PolicyPreset policy : {PolicyPreset::t3Mca, PolicyPreset::sequential}) {
            const Experiment one = tests::smallExperiment(policy);
            const Experiment all = everyGpu(one);
            const data::RunLog mirrored(traceOf(one), one);
            const data::RunLog full(traceOf(all), all);
            QVERIFY(mirrored.trace().mirrored && !full.trace().mirrored);
            for (int share = 0; share <= 20; ++share) {
                const std::int64_t ps = mirrored.end().ps * share / 20;
                const std::vector<data::GpuState> a = mirrored.statesAt(mirrored.positionAt(ps));
                const std::vector<data::GpuState> b = full.statesAt(full.positionAt(ps));
                for (std::size_t gpu = 0; gpu < a.size(); ++gpu) {
                    QCOMPARE(a[gpu].tiles, b[gpu].tiles);
                    QCOMPARE(a[gpu].tracker, b[gpu].tracker);
                    QCOMPARE(a[gpu].sendingChunk, b[gpu].sendingChunk);
                }
            }
        }
    }

    void theStepsOfAKernelAreReported() {
        // The next step begins at the barrier of a step, so one step is always under way.
        const data::RunLog& log = logOf("sequential");
        data::Position at = log.beginning();
        std::vector<std::uint32_t> steps;
        while (const auto next = log.next(at, data::StepKind::collectiveStep)) {
            at = *next;
            if (const auto step = log.stateOf(0, at).collectiveStep)
                steps.push_back(*step);
        }
        QCOMPARE(steps, (std::vector<std::uint32_t>{1, 2, 3, 4, 1, 2, 3}));
    }

    void everyCommandIsSteppedToByItsTrigger() {
        const Experiment experiment = tests::tNlgFc2(PolicyPreset::t3Mca, DetailLevel::interactive);
        engine::RunOptions options;
        options.baselines = false;
        options.recordTrace = true;
        const engine::RunResult result = engine::run(experiment, options);
        const data::RunLog log(result.trace, experiment);
        std::int64_t triggers = 0;
        data::Position at = log.beginning();
        for (;;) {
            const auto next = log.next(at, data::StepKind::trigger);
            if (!next || *next == log.end())
                break;
            at = *next;
            const data::GpuState state = log.stateOf(0, at);
            QCOMPARE(*state.lastTriggerPs, at.ps);
            QCOMPARE(state.waitingBlocks.back().block, *state.lastTriggeredBlock);
            ++triggers;
        }
        QCOMPARE(triggers, result.last.tracker->triggers);
    }

private:
    const data::RunLog& logOf(QLatin1String wanted) const {
        return *std::find_if(m_logs.begin(), m_logs.end(), [&](const auto& log) {
                    return QLatin1String(log.first) == wanted;
                })->second;
    }
    const data::RunLog& logOf(const char* wanted) const { return logOf(QLatin1String(wanted)); }

    std::vector<std::pair<const char*, std::unique_ptr<data::RunLog>>> m_logs;
};

RINGSIDE_TEST(TestRunLog)
#include "tst_run_log.moc"
