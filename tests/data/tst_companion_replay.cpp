// Checks replay and trace files of a run with a companion: they never take spans of the companion for own work.

#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/replay/flow.h"
#include "data/replay/log_event.h"
#include "data/replay/log_facts.h"
#include "data/replay/span_matches.h"
#include "data/replay/trace_index.h"
#include "data/results/result_document.h"
#include "data/trace/chrome_trace.h"
#include "data/trace/traffic_profile.h"
#include "tests/data/trace_checker.h"
#include "tests/test_program.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

using namespace data;
using engine::kernelOf;
using engine::kOwnKernel;
using engine::LaneKind;
using engine::Span;
using engine::SpanKind;

namespace {

using CompanionSettings = std::vector<std::string>;

std::shared_ptr<const ShownRun> shownBeside(const CompanionSettings& settings) {
    ExperimentDraft draft = draftNamed("t-nlg/fc-2/tp4").draft;
    engine::Problems problems;
    for (const char* setting : {"detail.level=interactive", "workload.batch=1", "workload.hidden=2048"})
        applySetting(setting, draft, problems);
    for (const std::string& setting : settings)
        applySetting(setting, draft, problems);
    auto run = std::make_shared<ShownRun>();
    run->run = Laboratory().run(draft, {.recordTrace = true, .attribution = true, .baselines = false});
    run->index.emplace(run->run.result.trace);
    return run;
}

const CompanionSettings kGathers{"companion.operation=all-gather", "companion.bytes=8MiB", "policy=t3"};
const CompanionSettings kByDma{"companion.operation=all-gather", "companion.bytes=8MiB", "companion.by=dma",
                               "policy=t3"};
const CompanionSettings kGemms{"companion.operation=gemm", "companion.copies=2", "policy=t3"};

/// Returns every span of the recorded GPUs.
std::vector<SpanRef> allSpans(const Flow& flow) {
    std::vector<SpanRef> all;
    const engine::Trace& trace = flow.run().index->trace();
    for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane)
        for (std::uint32_t i = 0; i < trace.lanes[lane].spans.size(); ++i)
            all.push_back({trace.lanes[lane].gpu, lane, i});
    return all;
}

std::int64_t busyOf(const std::vector<Track>& tracks, KernelNumber kernel) {
    std::int64_t busy = 0;
    for (const Track& track : tracks)
        for (std::size_t i = 0; i < track.spans().size(); ++i)
            if (const Span& span = track.spans()[i]; kernelNumberOf(span) == kernel)
                busy += (span.end - span.start).ps;
    return busy;
}

void compareBusy(const KernelGrids& grids, const std::vector<Track>& tracks, std::int64_t end) {
    for (const KernelGrid& grid : grids)
        QCOMPARE(grid.busy.busyUntil(2 * end), busyOf(tracks, grid.kernel));
}

}  // namespace

class TestCompanionReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theIndexHasTheCompanionsLanesAndWhoWasBusy() {
        for (const CompanionSettings& settings : {kGathers, kByDma, kGemms}) {
            const auto run = shownBeside(settings);
            const TraceIndex::Gpu& gpu = run->index->gpu(0);
            const engine::Trace& trace = run->index->trace();
            QVERIFY(!gpu.companion.empty() && gpu.companion.busy.spans() > 0);
            QVERIFY(gpu.slotKernels.size() >= std::size_t{trace.companionCopies});
            compareBusy(gpu.slotKernels, gpu.slots.tracks, trace.end.ps);
            compareBusy(gpu.linkOutKernels, gpu.linkOut.tracks, trace.end.ps);
            compareBusy(gpu.dramKernels, gpu.dramChannels.tracks, trace.end.ps);
            QVERIFY(gpu.dramKernels.back().busy.spans() > 0);
        }
        const auto runAlone = shownBeside({"policy=t3"});
        const TraceIndex::Gpu& alone = runAlone->index->gpu(0);
        QVERIFY(alone.companion.empty() && alone.slotKernels.empty() && alone.linkOutKernels.empty() &&
                alone.dramKernels.empty());
    }

    void noTileChunkOrLogEventIsTheCompanions() {
        for (const CompanionSettings& settings : {kGathers, kByDma, kGemms}) {
            const auto run = shownBeside(settings);
            const Flow flow(run);
            int beside = 0;
            for (const SpanRef ref : allSpans(flow)) {
                const Span& span = flow.span(ref);
                if (kernelOf(span) == kOwnKernel && span.kind != SpanKind::collectiveWorkgroup)
                    continue;
                ++beside;
                QVERIFY(!isOfTile(span));
                QCOMPARE(flow.places().chunkOf(span), engine::kNone);
            }
            QVERIFY(beside > 0);
            // The replay has as many tiles as the own GEMM: the tiles of the companion are not counted.
            const LogFacts facts(run->index->trace(), run->run.experiment, 0);
            const std::vector<LogEvent> events = eventsOf(run->index->trace(), facts);
            const auto count = [&](LogEventKind kind) {
                return std::count_if(events.begin(), events.end(),
                                     [&](const LogEvent& event) { return event.kind() == kind; });
            };
            QCOMPARE(count(LogEventKind::tileComputed), std::ptrdiff_t{facts.output.tiles()});
            QCOMPARE(count(LogEventKind::triggered), std::ptrdiff_t{facts.scatterCommands});
        }
    }

    void aSearchForATileFindsTheOwnOne() {
        const auto flow = std::make_shared<const Flow>(shownBeside(kGemms));
        SpanQuery query;
        query.gpu = 0;
        query.tile = 3;
        query.kinds = 1u << static_cast<unsigned>(SpanKind::workgroup);
        QCOMPARE(SpanMatches(flow, query).count(), std::size_t{1});
        query.tile.reset();
        QCOMPARE(SpanMatches(flow, query).count(), 3 * std::size_t{flow->places().tiles()});
    }

    void whatACompanionDidLeadsOnInTimeAndBack() {
        for (const CompanionSettings& settings : {kGathers, kByDma, kGemms}) {
            const auto run = shownBeside(settings);
            const Flow flow(run);
            bool steps = false, packets = false;
            for (const SpanRef ref : allSpans(flow)) {
                const Span& span = flow.span(ref);
                if (kernelOf(span) == kOwnKernel)
                    continue;
                QVERIFY(flow.chain(ref).spans.empty());
                for (const auto& [to, forward] :
                     {std::pair(flow.followForward(ref), true), std::pair(flow.followBack(ref), false)}) {
                    if (!to)
                        continue;
                    QVERIFY(flow.contains(*to));
                    const Span& other = flow.span(*to);
                    QVERIFY(forward ? other.end >= span.end : other.start <= span.start);
                    steps |= span.kind == SpanKind::companionStep || span.kind == SpanKind::companionTransfer ||
                             span.kind == SpanKind::companionWave;
                }
                if (span.kind == SpanKind::companionPacket) {
                    const auto other =
                        flow.lane(ref).kind == LaneKind::linkOut ? flow.followForward(ref) : flow.followBack(ref);
                    QVERIFY(other && flow.span(*other).kind == SpanKind::companionPacket);
                    QCOMPARE(flow.span(*other).bytes, span.bytes);
                    QVERIFY(other->gpu != ref.gpu);
                    packets = true;
                }
                if (span.kind == SpanKind::load)
                    QCOMPARE(flow.span(*flow.followForward(ref)).peer, span.peer);
            }
            QVERIFY(steps || run->index->trace().companionCopies == 2);
            QCOMPARE(packets, run->run.experiment.companion.operation != engine::CompanionOperation::gemm);
        }
    }

    void anOwnSpanLeadsToNoneOfTheCompanionsButTheSlotsOwner() {
        const auto run = shownBeside(kGemms);
        const Flow flow(run);
        for (const SpanRef ref : allSpans(flow)) {
            const Span& span = flow.span(ref);
            if (kernelOf(span) != kOwnKernel || span.kind == SpanKind::collectiveWorkgroup)
                continue;
            if (const auto next = flow.followForward(ref))
                QCOMPARE(kernelOf(flow.span(*next)), kOwnKernel);
            if (const auto before = flow.followBack(ref); before && span.kind != SpanKind::workgroup)
                QCOMPARE(kernelOf(flow.span(*before)), kOwnKernel);
        }
    }

    void aFileNamesTheKernelOfEachSpanAndKeepsEveryRule() {
        for (const CompanionSettings& settings : {kGathers, kByDma, kGemms}) {
            const auto run = shownBeside(settings);
            std::ostringstream out;
            writeChromeTrace(run->run, out);
            tests::TraceChecker checker;
            for (const std::string& broken : checker.check(out.str()))
                QFAIL(broken.c_str());
            std::map<std::string, std::int64_t> spans;
            std::int64_t beside = 0;
            for (const engine::Lane& lane : run->index->trace().lanes)
                for (const Span& span : lane.spans) {
                    ++spans[std::string(engine::name(span.kind))];
                    beside += kernelOf(span) != kOwnKernel || span.kind == SpanKind::collectiveWorkgroup;
                }
            for (const auto& [name, count] : spans)
                QCOMPARE(checker.names[name], count);
            const std::string text = out.str().substr(out.str().find('\n'));  // behind the experiment
            std::int64_t reported = 0;
            for (std::size_t at = text.find(R"("kernel":)"); at != std::string::npos;
                 at = text.find(R"("kernel":)", at + 1))
                ++reported;
            QVERIFY(beside > 0);
            QCOMPARE(reported, beside);
            const bool named = std::any_of(checker.threads.begin(), checker.threads.end(), [](const auto& thread) {
                return thread.second.find("companion") != std::string::npos;
            });
            QVERIFY(named);
        }
    }

    void aFileOfARunWithoutACompanionIsAsItWas() {
        const auto run = shownBeside({"policy=t3"});
        std::ostringstream out;
        writeChromeTrace(run->run, out);
        const std::string events = out.str().substr(out.str().find('\n'));
        QVERIFY(events.find("kernel\":") == std::string::npos && events.find("companion") == std::string::npos);
    }

    void trafficOfACompanionIsDistinguished() {
        for (const CompanionSettings& settings : {kGathers, kGemms}) {
            const auto run = shownBeside(settings);
            const TrafficProfile profile = trafficOf(run->index->trace(), engine::Duration{1'000'000});
            engine::Bytes companion, all;
            for (const TrafficProfile::Slice& slice : profile.slices) {
                companion += slice.companion;
                all += slice.total();
            }
            const engine::CompanionPart& part = *run->run.result.last.companion;
            QCOMPARE(companion, part.dramRead + part.dramWritten);
            QCOMPARE(all, run->run.result.last.dram->total);
        }
    }

    void theTimeOfACompanionIsInTheDocumentOnlyWhereThereIsSome() {
        const auto causesIn = [](const ShownRun& run) {
            return nlohmann::json::parse(writeResult(run.run.experiment, run.run.result)).at("attribution_ps");
        };
        const auto alone = causesIn(*shownBeside({"policy=t3"}));
        QVERIFY(!alone.contains("companion"));
        const auto run = shownBeside({"companion.operation=all-gather", "companion.bytes=256MiB", "policy=t3"});
        const auto causes = causesIn(*run);
        QVERIFY(causes.contains("companion"));
        std::int64_t sum = 0;
        for (const auto& [key, value] : causes.items())
            sum += value.get<std::int64_t>();
        QCOMPARE(sum, run->run.result.last.time.total.ps);
        QVERIFY(*readResult(writeResult(run->run.experiment, run->run.result)).attribution ==
                *run->run.result.attribution);
    }
};

RINGSIDE_TEST(TestCompanionReplay)
#include "tst_companion_replay.moc"
