#include "engine/api/runner.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/breakpoint_search.h"

#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

#include <set>

using data::Position;
using data::RunLog;
using ui::BreakCondition;
using ui::Breakpoint;
using ui::BreakpointHit;

namespace {

std::shared_ptr<const data::RunLog> logOf(engine::Experiment experiment, bool everyGpu = false) {
    if (everyGpu)
        experiment.detail.mode = engine::DetailMode::full;
    engine::RunOptions options;
    options.baselines = false;
    options.recordTrace = true;
    return std::make_shared<data::RunLog>(engine::run(experiment, options).trace, experiment);
}

Breakpoint on(BreakCondition condition, std::optional<std::int64_t> number = std::nullopt,
              std::optional<std::uint32_t> gpu = std::nullopt) {
    return {condition, number, gpu, true};
}

/// Returns the position one event earlier.
data::Position justBefore(const data::Position& hit) { return {hit.ps, hit.events - 1}; }

}  // namespace

class TestBreakpoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_t3 = logOf(tests::smallExperiment(engine::PolicyPreset::t3));
        m_full = logOf(tests::smallExperiment(engine::PolicyPreset::t3), true);
        m_sequential = logOf(tests::smallExperiment(engine::PolicyPreset::sequential));
        m_chunked = logOf(tests::smallExperiment(engine::PolicyPreset::chunked));
        m_large = logOf(tests::tNlgFc2(engine::PolicyPreset::t3Mca, engine::DetailLevel::interactive));
    }

    void hitsStandInOrderAndWithinTheRun() {
        for (int condition = 0; condition < static_cast<int>(ui::kBreakConditions); ++condition) {
            const auto kind = static_cast<BreakCondition>(condition);
            for (const auto& log : {m_t3, m_full, m_sequential, m_chunked, m_large}) {
                const auto hits = ui::hitsOf(*log, on(kind, ui::allowsAny(kind) ? std::nullopt : std::optional(1)));
                for (std::size_t i = 0; i < hits.size(); ++i) {
                    QVERIFY(hits[i].position.events <= log->eventCount());
                    QVERIFY(hits[i].position.ps <= log->end().ps);
                    QVERIFY(!hits[i].text.isEmpty());
                    QVERIFY(i == 0 || !ui::earlier(hits[i].position, hits[i - 1].position));
                    QCOMPARE(log->positionAt(hits[i].position.ps, hits[i].position.events), hits[i].position);
                }
            }
        }
    }

    void anEntryIsFullAtTheHitAndOneEventEarlierItIsStillHeld() {
        const auto hits = ui::hitsOf(*m_t3, on(BreakCondition::entryFull, 12));
        QVERIFY(!hits.empty());
        for (const BreakpointHit& hit : hits) {
            const auto entryOf = [&](const data::Position& at) -> std::optional<data::TrackerEntry> {
                for (const data::TrackerEntry& entry : m_t3->stateOf(0, at).tracker)
                    if (entry.set == 12)
                        return entry;
                return std::nullopt;
            };
            const auto held = entryOf(justBefore(hit.position));
            QVERIFY(held && held->landedBytes == held->thresholdBytes);
            QVERIFY(!entryOf(hit.position));
        }
    }

    void anyEntryIsAllEntries() {
        std::size_t each = 0;
        for (std::int64_t set = 0; set < 256; ++set)
            each += ui::hitsOf(*m_t3, on(BreakCondition::entryFull, set)).size();
        QCOMPARE(ui::hitsOf(*m_t3, on(BreakCondition::entryFull)).size(), each);
    }

    void soManyEntriesAreTakenAtTheHitAndOneFewerBefore() {
        const auto hits = ui::hitsOf(*m_large, on(BreakCondition::trackerEntries, 20));
        QVERIFY(!hits.empty());
        for (const BreakpointHit& hit : hits) {
            QCOMPARE(m_large->stateOf(0, hit.position).trackerEntries, 20);
            QCOMPARE(m_large->stateOf(0, justBefore(hit.position)).trackerEntries, 19);
        }
    }

    void moreThanSoManyCommandsWait() {
        const auto hits = ui::hitsOf(*m_large, on(BreakCondition::dmaQueue, 0));
        QVERIFY(!hits.empty());
        for (const BreakpointHit& hit : hits) {
            QCOMPARE(m_large->stateOf(0, hit.position).dmaQueue, 1);
            QCOMPARE(m_large->stateOf(0, justBefore(hit.position)).dmaQueue, 0);
        }
    }

    void aQueueIsLongerAtTheHitAndWasNotBefore() {
        for (const auto condition : {BreakCondition::computeQueue, BreakCondition::communicationQueue}) {
            const auto hits = ui::hitsOf(*m_large, on(condition, 100'000));
            QVERIFY(!hits.empty());
            for (const BreakpointHit& hit : hits) {
                const auto backlog = [&](std::int64_t ps) {
                    const data::GpuState state = m_large->stateOf(0, m_large->positionAt(ps));
                    return condition == BreakCondition::computeQueue ? state.computeBacklog
                                                                     : state.communicationBacklog;
                };
                QVERIFY(backlog(hit.position.ps) > 100'000);
                QVERIFY(backlog(hit.position.ps - 1) <= 100'000);
            }
        }
    }

    void theLinkHasBeenIdleForExactlySoLong() {
        constexpr std::int64_t kIdle = 2'000'000;
        const auto hits = ui::hitsOf(*m_large, on(BreakCondition::linkIdle, kIdle));
        QVERIFY(!hits.empty());
        for (const BreakpointHit& hit : hits)
            for (std::int64_t back : {std::int64_t{0}, kIdle / 2, kIdle - 1})
                QVERIFY(!m_large->stateOf(0, m_large->positionAt(hit.position.ps - back)).sendingChunk);
        // Before the first packet the link is idle from the beginning.
        QCOMPARE(hits.front().position.ps, kIdle);
        QVERIFY(hits.size() > 1);
    }

    void aChunkIsCompleteOnTheGpuThatIsNamed() {
        for (const auto& log : {m_t3, m_full}) {
            for (std::uint32_t gpu = 0; gpu < log->gpus(); ++gpu) {
                for (std::uint32_t chunk = 0; chunk < log->gpus(); ++chunk) {
                    const auto hits = ui::hitsOf(*log, on(BreakCondition::chunkComplete, chunk, gpu));
                    QVERIFY(!hits.empty());
                    const data::Position last = hits.back().position;
                    const auto whole = [&](const data::Position& at) {
                        const auto tiles = log->stateOf(gpu, at).chunkTiles[chunk];
                        return tiles[static_cast<std::size_t>(data::TileState::reduced)] == 8;
                    };
                    QVERIFY(whole(last));
                    QVERIFY(!whole(justBefore(last)));
                    QCOMPARE(hits.back().text, QStringLiteral("chunk %1 is complete on GPU %2").arg(chunk).arg(gpu));
                }
            }
        }
    }

    void aMirroredRingMeetsThemWhereTheFullOneDoes() {
        for (std::uint32_t gpu = 0; gpu < 4; ++gpu) {
            const auto mirrored = ui::hitsOf(*m_t3, on(BreakCondition::chunkComplete, 2, gpu));
            const auto full = ui::hitsOf(*m_full, on(BreakCondition::chunkComplete, 2, gpu));
            QCOMPARE(mirrored.size(), full.size());
            for (std::size_t i = 0; i < mirrored.size(); ++i)
                QCOMPARE(mirrored[i].position.ps, full[i].position.ps);
        }
    }

    void chunksAndGpusThatAreNotThereAreNeverMet() {
        QVERIFY(ui::hitsOf(*m_t3, on(BreakCondition::chunkComplete, 4)).empty());
        QVERIFY(ui::hitsOf(*m_t3, on(BreakCondition::chunkComplete, 0, 4)).empty());
        QVERIFY(ui::hitsOf(*m_full, on(BreakCondition::waveEnd, std::nullopt, 4)).empty());
        QVERIFY(ui::hitsOf(*m_sequential, on(BreakCondition::entryFull)).empty());
    }

    void wavesAreCountedFromOne() {
        QVERIFY(ui::hitsOf(*m_large, on(BreakCondition::waveEnd, 0)).empty());
        QCOMPARE(ui::hitsOf(*m_large, on(BreakCondition::waveEnd, 1)).size(), std::size_t{1});
        QCOMPARE(ui::hitsOf(*m_large, on(BreakCondition::waveEnd)).size(), std::size_t{14});  // 1088 tiles, 80 at once
    }

    void aPieceEndsWhenTheLogSaysThatItsOutputIsInMemory() {
        const std::vector<engine::PieceTimes>& pieces = m_chunked->trace().pieces.front();
        QVERIFY(pieces.size() > 1);
        QCOMPARE(ui::hitsOf(*m_chunked, on(BreakCondition::pieceEnd)).size(), pieces.size());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const auto hits = ui::hitsOf(*m_chunked, on(BreakCondition::pieceEnd, i + 1, 0));
            QCOMPARE(hits.size(), std::size_t{1});
            QCOMPARE(hits.front().position.ps, pieces[i].landed.ps);
            QCOMPARE(hits.front().text, QStringLiteral("piece %1 of the GEMM ends on GPU 0").arg(i + 1));
        }
        for (const std::size_t none : {std::size_t{0}, pieces.size() + 1})
            QVERIFY(ui::hitsOf(*m_chunked, on(BreakCondition::pieceEnd, none)).empty());
        QVERIFY(ui::hitsOf(*m_sequential, on(BreakCondition::pieceEnd)).empty());
    }

    void aMomentIsMetOnceAndOnlyWithinTheRun() {
        QCOMPARE(ui::hitsOf(*m_t3, on(BreakCondition::time, m_t3->end().ps)).size(), std::size_t{1});
        QVERIFY(ui::hitsOf(*m_t3, on(BreakCondition::time, m_t3->end().ps + 1)).empty());
    }

    void theListFindsTheNextAndTheLastOfWhatIsEnabled() {
        ui::BreakpointList list;
        list.add(on(BreakCondition::chunkComplete, 1, 0));
        list.add(on(BreakCondition::waveEnd));
        QVERIFY(!list.countOf(0));
        list.setLog(m_t3);
        QVERIFY(*list.countOf(0) > 0 && *list.countOf(1) == 1);
        std::size_t forward = 0;
        data::Position at = m_t3->beginning();
        while (const BreakpointHit* hit = list.nextAfter(at)) {
            QVERIFY(ui::earlier(at, hit->position));
            at = hit->position;
            ++forward;
        }
        QCOMPARE(forward, *list.countOf(0) + *list.countOf(1));
        std::size_t back = 1;
        while (const BreakpointHit* hit = list.lastBefore(at)) {
            at = hit->position;
            ++back;
        }
        QCOMPARE(back, forward);
        list.setEnabled(0, false);
        const BreakpointHit* only = list.nextAfter(m_t3->beginning());
        QCOMPARE(only->breakpoint, std::size_t{1});
        QVERIFY(!list.firstWithin(m_t3->beginning(), justBefore(only->position)));
        QCOMPARE(list.firstWithin(m_t3->beginning(), only->position), only);
        QVERIFY(!list.nextAfter(only->position));
    }

    void oneThatIsThereAlreadyIsOnlyEnabled() {
        ui::BreakpointList list;
        list.add(on(BreakCondition::waveEnd, 1));
        list.setEnabled(0, false);
        QSignalSpy changed(&list, &ui::BreakpointList::changed);
        list.add(on(BreakCondition::waveEnd, 1));
        QCOMPARE(list.all().size(), std::size_t{1});
        QVERIFY(list.all()[0].enabled);
        QCOMPARE(changed.count(), 1);
        list.remove(0);
        QVERIFY(list.all().empty());
    }

    void whatIsKeptComesBackAndWhatIsBrokenChangesNothing() {
        ui::BreakpointList list;
        list.add(on(BreakCondition::linkIdle, 2'500'000));
        list.add(on(BreakCondition::chunkComplete, std::nullopt, 3));
        list.add(on(BreakCondition::pieceEnd, 2));
        list.setEnabled(1, false);
        const QJsonArray kept = list.toJson();
        ui::BreakpointList again;
        QVERIFY(again.restore(QJsonDocument::fromJson(QJsonDocument(kept).toJson()).array()));
        QVERIFY(again.all() == list.all());
        for (const char* broken : {
                 R"([7])",
                 R"([{"condition":"no-such"}])",
                 R"([{"condition":"time"}])",
                 R"([{"condition":"link-idle","number":-1}])",
                 R"([{"condition":"link-idle","number":1e300}])",
                 R"([{"condition":"wave-end","gpu":-3}])",
                 R"([{"condition":"wave-end","gpu":"0"}])",
                 R"([{"condition":"wave-end"},{"condition":"time","number":"soon"}])",
             }) {
            QVERIFY2(!again.restore(QJsonDocument::fromJson(broken).array()), broken);
            QVERIFY(again.all() == list.all());
        }
    }

private:
    std::shared_ptr<const data::RunLog> m_t3, m_full, m_sequential, m_chunked, m_large;
};

RINGSIDE_TEST(TestBreakpoints)
#include "tst_breakpoints.moc"
