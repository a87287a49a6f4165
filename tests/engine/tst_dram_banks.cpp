#include "engine/memory/address_space.h"
#include "engine/memory/dram_banks.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace engine;
using namespace engine::literals;

namespace {

/// One pseudo-channel of 16 GB/s, so that a burst of 32 B takes 2000 ps; four bank groups of four banks. A granule of
/// 128 B is four bursts, one in each group; 32 granules fill a row in every group. No refreshes.
Experiment oneChannel(std::int64_t granule = 128) {
    Experiment experiment;
    experiment.detail.granule = {granule};
    experiment.detail.channels = 1;
    experiment.memory.bandwidth = 16_GBps;
    DramConfig& dram = experiment.dram;
    dram.pseudoChannels = 1;
    dram.bankGroups = 4;
    dram.banksPerGroup = 4;
    dram.row = 1_KiB;
    dram.burst = 32_B;
    dram.groupRun = 32_B;
    dram.columnDelay = 3_ns;
    dram.updateColumnDelay = 6_ns;
    dram.activate = 14_ns;
    dram.precharge = 14_ns;
    dram.writeRecovery = 16_ns;
    dram.writeToRead = 8_ns;
    dram.readToWrite = 2_ns;
    dram.refreshTime = {};
    return experiment;
}

/// The banks of channel 0, whose granules are numbered from 0.
class ChannelBanks {
public:
    explicit ChannelBanks(const Experiment& experiment)
        : m_banks(experiment), m_places(experiment),
          m_channels(static_cast<std::uint32_t>(experiment.detail.channels)) {}
    DramBanks::Service serve(MemoryOp op, std::uint32_t granule, std::int64_t bytes, TimePoint now, TimePoint freeAt) {
        return m_banks.serve(op, m_places.of(granule * m_channels), bytes, now, freeAt);
    }
    const DramBanks::Stats& stats() const { return m_banks.stats(); }

private:
    DramBanks m_banks;
    DramPlaces m_places;
    std::uint32_t m_channels;
};

constexpr std::uint32_t kSameRow = 1;
constexpr std::uint32_t kOtherBank = 32;  // the next row of addresses lies in the next bank
constexpr std::uint32_t kOtherRow = 128;  // four banks on: the first bank again, another row

/// Returns the banks after one granule of `op` at address 0, served from 14,000 ps (after the activation) to 22,000 ps
/// (four bursts).
ChannelBanks after(MemoryOp op, const Experiment& experiment = oneChannel()) {
    ChannelBanks banks(experiment);
    banks.serve(op, 0, 128, {0}, {0});
    return banks;
}

constexpr TimePoint kFree{22'000};

/// Returns the bytes per second of reads without pauses. Each read is known as soon as the DRAM queue, of `queue`
/// requests, has room for it.
double servedOneAfterTheOther(const Experiment& experiment, std::int64_t queue) {
    constexpr std::uint32_t kReads = 20'000;
    ChannelBanks banks(experiment);
    std::vector<TimePoint> ends;
    for (std::uint32_t i = 0; i < kReads; ++i) {
        const TimePoint known = i < queue ? TimePoint{} : ends[i - static_cast<std::uint32_t>(queue)];
        const TimePoint free = ends.empty() ? TimePoint{} : ends.back();
        ends.push_back(banks.serve(MemoryOp::read, i, experiment.detail.granule.count, known, free).finish);
    }
    return static_cast<double>(experiment.detail.granule.count * kReads) / static_cast<double>(ends.back().ps) * 1e12;
}

}  // namespace

class TestDramBanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClosedRowIsOpenedFirst() {
        // Activation 14,000 ps, then four bursts of 2000 ps in four groups: done at 22,000 ps.
        ChannelBanks banks(oneChannel());
        const DramBanks::Service service = banks.serve(MemoryOp::read, 0, 128, {0}, {0});
        QCOMPARE(service.start, TimePoint{14'000});
        QCOMPARE(service.finish, TimePoint{22'000});
        QCOMPARE(banks.stats().activations, std::int64_t{4});
        QCOMPARE(banks.stats().bursts, std::int64_t{4});
    }

    void aRowHitGoesStraightToTheBus() {
        ChannelBanks banks = after(MemoryOp::read);
        const DramBanks::Service service = banks.serve(MemoryOp::read, kSameRow, 128, kFree, kFree);
        QCOMPARE(service.start, kFree);
        QCOMPARE(service.finish, TimePoint{30'000});
        QCOMPARE(banks.stats().activations, std::int64_t{4});
    }

    void anotherRowOfTheSameBankWaitsForPrechargeAndActivation() {
        // Known at 22,000 ps: precharge until 36,000, activation until 50,000.
        ChannelBanks banks = after(MemoryOp::read);
        QCOMPARE(banks.serve(MemoryOp::read, kOtherRow, 128, kFree, kFree).start, TimePoint{50'000});
        QCOMPARE(banks.stats().activations, std::int64_t{8});
    }

    void activationHidesBehindServiceWhenTheRequestIsKnownEarlyEnough() {
        // A request to another, closed bank: if known at 8000 ps, the bank is open at 22,000, just when the bus is
        // free; if known at 8001 ps, it is not.
        ChannelBanks early = after(MemoryOp::read);
        QCOMPARE(early.serve(MemoryOp::read, kOtherBank, 128, {8000}, kFree).start, TimePoint{22'000});
        ChannelBanks late = after(MemoryOp::read);
        QCOMPARE(late.serve(MemoryOp::read, kOtherBank, 128, {8001}, kFree).start, TimePoint{22'001});
    }

    void burstsInOneGroupFollowAtTheLongColumnDelayAndAcrossGroupsAtTheRateOfTheBus() {
        // One group: 14,000 + 3 x 3000 + 2000 = 25,000 ps. Four groups: 14,000 + 4 x 2000 = 22,000 ps.
        Experiment oneGroup = oneChannel();
        oneGroup.dram.bankGroups = 1;
        QCOMPARE(ChannelBanks(oneGroup).serve(MemoryOp::read, 0, 128, {0}, {0}).finish, TimePoint{25'000});
        QCOMPARE(ChannelBanks(oneChannel()).serve(MemoryOp::read, 0, 128, {0}, {0}).finish, TimePoint{22'000});
    }

    void aColumnDelayUnderTheBurstCostsNothing() {
        // A delay of 1000 ps ends before the bus is free: 14,000 + 4 x 2000.
        Experiment oneGroup = oneChannel();
        oneGroup.dram.bankGroups = 1;
        oneGroup.dram.columnDelay = 1_ns;
        QCOMPARE(ChannelBanks(oneGroup).serve(MemoryOp::read, 0, 128, {0}, {0}).finish, TimePoint{22'000});
    }

    void theDelayOfUpdatesHidesBehindTheOtherGroupsUpToTheirTurn() {
        // Eight bursts in four groups: a group's second turn comes 4 x 2000 = 8000 ps after its first. With a delay of
        // 8000 ps updates take 8 x 2000 ps like writes; with 8001 ps the second round begins 1 ps late.
        Experiment experiment = oneChannel(256);
        experiment.dram.updateColumnDelay = 8_ns;
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::update, 0, 256, {0}, {0}).finish, TimePoint{30'000});
        experiment.dram.updateColumnDelay = {8001};
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::update, 0, 256, {0}, {0}).finish, TimePoint{30'001});
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::write, 0, 256, {0}, {0}).finish, TimePoint{30'000});
    }

    void withTooFewGroupsUpdatesCostMoreThanWrites() {
        // Two groups, 6000 ps: bursts at 14,000, 16,000, 20,000, 22,000: done at 24,000 instead of 22,000 ps.
        Experiment experiment = oneChannel();
        experiment.dram.bankGroups = 2;
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::update, 0, 128, {0}, {0}).finish, TimePoint{24'000});
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::arrivingUpdate, 0, 128, {0}, {0}).finish, TimePoint{24'000});
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::write, 0, 128, {0}, {0}).finish, TimePoint{22'000});
    }

    void aRunOfBurstsStaysInItsGroup() {
        // 128 B in one group: 14,000 + 3 x 3000 + 2000. In two groups of 64 B, which take turns: 14,000 + 4 x 2000.
        Experiment experiment = oneChannel();
        const auto finish = [&](Bytes run, MemoryOp op, std::int64_t bytes) {
            experiment.dram.groupRun = run;
            return ChannelBanks(experiment).serve(op, 0, bytes, {0}, {0}).finish;
        };
        QCOMPARE(finish(128_B, MemoryOp::read, 128), TimePoint{25'000});
        QCOMPARE(finish(256_B, MemoryOp::read, 128), TimePoint{25'000});
        QCOMPARE(finish(64_B, MemoryOp::read, 128), TimePoint{22'000});
        // A run has at least one burst.
        QCOMPARE(finish(8_B, MemoryOp::read, 128), finish(32_B, MemoryOp::read, 128));
        // Two groups do not hide the 6000 ps of updates: bursts at 14,000, 16,000, 20,000, 22,000.
        QCOMPARE(finish(64_B, MemoryOp::update, 128), TimePoint{24'000});
    }

    void runsInDifferentGroupsTakeTurnsUntilTheShortestEnds() {
        Experiment experiment = oneChannel();
        experiment.dram.groupRun = 64_B;
        // Three bursts: groups 0, 1, 0.
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::read, 0, 96, {0}, {0}).finish, TimePoint{20'000});
        // Eight runs in four groups: 16 bursts, four groups in turn, then the next four runs: the rate of the bus.
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::read, 0, 512, {0}, {0}).finish, TimePoint{46'000});
    }

    void consecutiveGranulesBeginInConsecutiveGroups() {
        // A run of 128 B a granule: the second granule's group is free when the bus is.
        Experiment experiment = oneChannel();
        experiment.dram.groupRun = 128_B;
        experiment.dram.activate = {};
        ChannelBanks banks(experiment);
        const TimePoint first = banks.serve(MemoryOp::read, 0, 128, {0}, {0}).finish;
        QCOMPARE(first, TimePoint{11'000});
        QCOMPARE(banks.serve(MemoryOp::read, 1, 128, {0}, first).start, TimePoint{11'000});
    }

    void aRowThatWasWrittenRecoversBeforeItCloses() {
        // The first group's write ends at 16,000 ps, recovers until 32,000, closes until 46,000, opens until 60,000.
        ChannelBanks banks = after(MemoryOp::write);
        QCOMPARE(banks.serve(MemoryOp::write, kOtherRow, 128, kFree, kFree).start, TimePoint{60'000});
    }

    void aReadRightAfterAWriteWaitsForTheBusToTurn() {
        // The write ends at 22,000 ps, and the turnaround takes 8000 ps. A read starts at 30,000 ps, whether it arrives
        // at 22,000 or at 29,999. A read that arrives at 30,000 loses no time.
        const auto readAt = [](TimePoint now, TimePoint start, Duration lost) {
            ChannelBanks banks = after(MemoryOp::write);
            const Duration before = banks.stats().turnaround;
            QCOMPARE(banks.serve(MemoryOp::read, kSameRow, 128, now, kFree).start, start);
            QCOMPARE(banks.stats().turnaround - before, lost);
        };
        readAt(kFree, {30'000}, {8000});
        readAt({29'999}, {30'000}, {1});
        readAt({30'000}, {30'000}, {0});
    }

    void aWriteAfterAReadWaitsLessAndWritesDoNotTurnTheBusAmongThemselves() {
        ChannelBanks banks = after(MemoryOp::read);
        QCOMPARE(banks.serve(MemoryOp::write, kSameRow, 128, kFree, kFree).start, TimePoint{24'000});
        // 24,000 + 8000 = 32,000 ps: an update follows a write at once.
        QCOMPARE(banks.serve(MemoryOp::update, kSameRow, 128, {32'000}, {32'000}).start, TimePoint{32'000});
        QCOMPARE(banks.stats().turnaround, Duration{2000});
    }

    void aRefreshStopsAllBanksAndClosesTheirRows() {
        // A refresh is due at 100,000 ps and takes 10,000 ps. One picosecond earlier a request hits an open row. At
        // 100,000 it waits for the refresh and until its row is opened: 110,000 + 14,000.
        Experiment experiment = oneChannel();
        experiment.dram.refreshInterval = 100_ns;
        experiment.dram.refreshTime = 10_ns;
        ChannelBanks before = after(MemoryOp::read, experiment);
        QCOMPARE(before.serve(MemoryOp::read, kSameRow, 128, {99'999}, kFree).start, TimePoint{99'999});
        ChannelBanks at = after(MemoryOp::read, experiment);
        QCOMPARE(at.serve(MemoryOp::read, kSameRow, 128, {100'000}, kFree).start, TimePoint{124'000});
        QCOMPARE(at.stats().refresh, Duration{10'000});
    }

    void refreshesWithoutRequestsCostNoBusTime() {
        // At 250,000 ps the refreshes of 100,000 and 200,000 are over. The row must be opened again: 264,000.
        Experiment experiment = oneChannel();
        experiment.dram.refreshInterval = 100_ns;
        experiment.dram.refreshTime = 10_ns;
        ChannelBanks banks = after(MemoryOp::read, experiment);
        QCOMPARE(banks.serve(MemoryOp::read, kSameRow, 128, {250'000}, kFree).start, TimePoint{264'000});
        QCOMPARE(banks.stats().refresh, Duration{});
    }

    void aThousandSecondsOfIdlenessCostNoMoreThanOneRefresh() {
        // The last of 10^10 refreshes is due at 10^15 ps: the request waits for that one and for its row.
        Experiment experiment = oneChannel();
        experiment.dram.refreshInterval = 100_ns;
        experiment.dram.refreshTime = 10_ns;
        const auto startAt = [&](std::int64_t now) {
            ChannelBanks banks = after(MemoryOp::read, experiment);
            return banks.serve(MemoryOp::read, kSameRow, 128, {now}, kFree).start.ps - now;
        };
        constexpr std::int64_t kThousandSeconds = 1'000'000'000'000'000;
        QCOMPARE(startAt(kThousandSeconds - 1), std::int64_t{14'000});
        QCOMPARE(startAt(kThousandSeconds), std::int64_t{24'000});
        QCOMPARE(startAt(kThousandSeconds + 9'999), std::int64_t{14'001});
        QCOMPARE(startAt(kThousandSeconds + 10'000), std::int64_t{14'000});
    }

    void whatBanksSustainOfReadsIsWhatEachOfTheirDelaysLeaves() {
        // A granule of four bursts takes 8000 ps on the bus, and its row of 32 granules opens while the row before is
        // read: 16 GB/s.
        const auto gigabytes = [](const std::function<void(DramConfig&)>& change, std::int64_t queue = 64) {
            Experiment experiment = oneChannel();
            change(experiment.dram);
            return DramBanks::sustainedReads(experiment, queue) / 1e9;
        };
        const auto check = [](double is, double expected) {
            QVERIFY2(std::abs(is - expected) < 1e-9, (std::to_string(is) + ", " + std::to_string(expected)).c_str());
        };
        check(gigabytes([](DramConfig&) {}), 16);
        // From one granule to the next a group rests for three bursts, 6000 ps. Each picosecond of delay beyond that is
        // lost.
        check(gigabytes([](DramConfig& dram) { dram.columnDelay = 6_ns; }), 16);
        check(gigabytes([](DramConfig& dram) { dram.columnDelay = {6001}; }), 128 / 8.001);
        check(gigabytes([](DramConfig& dram) { dram.bankGroups = 1; }), 128 / 12.0);  // four times 3000 ps
        // If no request is known early, each row costs another 28,000 ps; with one request ahead 20,000 ps, with four
        // none.
        check(gigabytes([](DramConfig&) {}, 1), 32 * 128 / (32 * 8.0 + 28));
        check(gigabytes([](DramConfig&) {}, 2), 32 * 128 / (32 * 8.0 + 20));
        check(gigabytes([](DramConfig&) {}, 5), 16);
        // With one bank a row cannot be opened while the row before is still read.
        check(gigabytes([](DramConfig& dram) { dram.banksPerGroup = 1; }), 32 * 128 / (32 * 8.0 + 28));
        // Refreshes take 100 ns and an activation of each 1000.
        const auto refresh = [](DramConfig& dram) { dram.refreshInterval = 1_us, dram.refreshTime = 100_ns; };
        check(gigabytes(refresh), 16 * (1 - 0.1 - 0.014));
        // If refreshes leave no time, each granule is still served after one of them: 128 B in 900 + 28 + 8 ns.
        check(gigabytes([](DramConfig& dram) { dram.refreshInterval = 1_us, dram.refreshTime = 900_ns; }),
              std::max(16 * (1 - 0.9 - 0.014), 128 / 936.0));
        check(gigabytes([](DramConfig& dram) {
                  dram.refreshInterval = 1_us, dram.refreshTime = 900_ns, dram.activate = 200_ns;
              }),
              128 / (900 + 214 + 8.0));
    }

    void banksServeAtLeastWhatTheyAreSaidToSustain() {
        for (const std::int64_t granule : {32, 64, 96, 128, 160, 256, 2048}) {
            for (const std::int64_t groups : {1, 3, 4}) {
                for (const Duration delay : {3_ns, 7_ns, 40_ns}) {
                    for (const auto& [queue, run] : std::vector<std::pair<std::int64_t, Bytes>>{
                             {1, 32_B}, {3, 32_B}, {20, 32_B}, {3, 64_B}, {20, 256_B}}) {
                        Experiment experiment = oneChannel(granule);
                        experiment.dram.groupRun = run;
                        experiment.dram.bankGroups = groups;
                        experiment.dram.columnDelay = delay;
                        experiment.dram.refreshInterval = 2_us;
                        experiment.dram.refreshTime = 150_ns;
                        const double real = servedOneAfterTheOther(experiment, queue);
                        const double sustained = DramBanks::sustainedReads(experiment, queue);
                        // The tolerance is a thousandth, since one refresh more or less may fall into the reads. The
                        // real rate is far lower where rows must be opened without other work in the meantime.
                        QVERIFY2(sustained < 1.001 * real && sustained > 0.6 * real,
                                 (std::to_string(sustained) + " of " + std::to_string(real) + ", granule " +
                                  std::to_string(granule) + ", groups " + std::to_string(groups) + ", delay " +
                                  std::to_string(delay.ps) + ", queue " + std::to_string(queue))
                                     .c_str());
                    }
                }
            }
        }
    }

    void pseudoChannelsOfOneChannelShareEveryRequest() {
        // Two pseudo-channels of 8 GB/s each: half of 256 B is four bursts of 4000 ps: 14,000 + 16,000.
        Experiment experiment = oneChannel(256);
        experiment.dram.pseudoChannels = 2;
        QCOMPARE(ChannelBanks(experiment).serve(MemoryOp::read, 0, 256, {0}, {0}).finish, TimePoint{30'000});
    }

    void aServiceTellsItsBankItsGroupsAndTheRowsThatItOpened() {
        ChannelBanks banks(oneChannel());
        const auto placeOf = [&](std::uint32_t address, std::int64_t bytes) {
            return banks.serve(MemoryOp::read, address, bytes, {0}, {0}).place;
        };
        // A granule has a burst in each of the four groups, and the second granule begins in the second group.
        QVERIFY((placeOf(0, 128) == ServedPlace{0, 0, 4, 4}));
        QVERIFY((placeOf(kSameRow, 128) == ServedPlace{0, 1, 4, 0}));
        QVERIFY((placeOf(kOtherBank, 128) == ServedPlace{1, 0, 4, 4}));
        // Half a granule opens two of the rows, and a whole one the other two.
        QVERIFY((placeOf(kOtherRow + 3, 64) == ServedPlace{0, 3, 2, 2}));
        QVERIFY((placeOf(kOtherRow, 128) == ServedPlace{0, 0, 4, 2}));
    }

    void aServiceTellsTheGroupsAmongWhichRunsAreDivided() {
        Experiment experiment = oneChannel(512);
        const auto groupsOf = [&](Bytes run, std::int64_t bytes) {
            experiment.dram.groupRun = run;
            return ChannelBanks(experiment).serve(MemoryOp::read, 0, bytes, {0}, {0}).place.groups;
        };
        QCOMPARE(int(groupsOf(512_B, 512)), 1);
        QCOMPARE(int(groupsOf(256_B, 512)), 2);
        QCOMPARE(int(groupsOf(256_B, 256)), 1);
        QCOMPARE(int(groupsOf(256_B, 288)), 2);  // one burst more than a run
        QCOMPARE(int(groupsOf(32_B, 512)), 4);   // 16 runs, but four groups
    }

    void aTraceHasThePlaceOfEachServiceUnderBanksOnly() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        RunOptions options;
        options.baselines = false;
        options.recordTrace = true;
        for (const DramModel model : {DramModel::sustained, DramModel::banks}) {
            experiment.memory.model = model;
            const RunResult result = engine::run(experiment, options);
            std::int64_t services = 0, places = 0, opened = 0;
            for (const Lane& lane : result.trace->lanes) {
                if (lane.gpu != 0 || lane.kind != LaneKind::dramChannel) {
                    QVERIFY(lane.gpu != 0 || lane.places.empty());
                    continue;
                }
                services += std::ssize(lane.spans);
                places += std::ssize(lane.places);
                for (const ServedPlace& place : lane.places) {
                    QVERIFY(place.bank < experiment.dram.banksPerGroup);
                    QVERIFY(place.firstGroup < experiment.dram.bankGroups);
                    QVERIFY(place.groups >= 1 && place.groups <= experiment.dram.bankGroups);
                    QVERIFY(place.rowsOpened <= place.groups);
                    opened += place.rowsOpened;
                }
            }
            QVERIFY(services > 0);
            QCOMPARE(places, model == DramModel::banks ? services : 0);
            QCOMPARE(opened, result.last.dramOutcome ? result.perGpu.at(0).dramOutcome->activations : 0);
        }
    }

    void aRunWithBanksReportsWhatTheConstantsStandForAndOneWithoutDoesNot() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3Mca);
        const RunResult sustained = tests::runAlone(experiment);
        QVERIFY(!sustained.last.dramOutcome);
        experiment.memory.model = DramModel::banks;
        const RunResult banks = tests::runAlone(experiment);
        QVERIFY(banks.last.dramOutcome.has_value());
        const DramOutcome& outcome = *banks.last.dramOutcome;
        QVERIFY(outcome.efficiency > 0.2 && outcome.efficiency < 1);
        QVERIFY(outcome.updateCost > 0.8 && outcome.updateCost < 4);
        QVERIFY(outcome.rowHitRate > 0 && outcome.rowHitRate < 1);
        QVERIFY(outcome.activations > 0);
        QCOMPARE(banks.invariants.failed.size(), std::size_t{0});
        QVERIFY(banks.last.dram == sustained.last.dram);
    }

    void whatAGpuHoldsNeverSharesAddresses() {
        // The buffers are the output, 63 received copies, A, B, a cached output, and other traffic, each of up to 2^24
        // granules.
        std::vector<std::int64_t> begins{0};
        for (std::uint32_t copy = 1; copy < 64; ++copy)
            begins.push_back(receivedCopyAddress(copy));
        for (std::uint32_t matrix = 0; matrix < kMatrices; ++matrix)
            begins.push_back(matrixAddress(matrix));
        begins.push_back(kBackgroundAddress);
        std::sort(begins.begin(), begins.end());
        for (std::size_t i = 1; i < begins.size(); ++i)
            QVERIFY2(begins[i] - begins[i - 1] >= kCopyRoom, std::to_string(begins[i]).c_str());
        QVERIFY(begins.back() + kCopyRoom <= std::int64_t{1} << 32);
    }

    void withBanksEveryGpuIsSimulatedUnlessOneIsAskedFor() {
        for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::standard}) {
            Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
            applyDetailLevel(experiment, level);
            QVERIFY(tests::runAlone(experiment).mirrored);
            experiment.memory.model = DramModel::banks;
            const RunResult full = tests::runAlone(experiment);
            QVERIFY(!full.mirrored);
            QVERIFY(full.notices.empty());
            experiment.detail.mode = DetailMode::mirrored;
            const RunResult mirrored = tests::runAlone(experiment);
            QVERIFY(mirrored.mirrored);
            QCOMPARE(mirrored.notices.size(), std::size_t{1});
            QCOMPARE(mirrored.notices.front().path, std::string("detail.mode"));
        }
    }

    void underBanksTheConstantsOfTheSustainedModelAreNotRead() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.memory.model = DramModel::banks;
        const Duration before = tests::runAlone(experiment).last.time.total;
        experiment.memory.updateCost = 2.0;
        experiment.memory.efficiency = 0.5;
        QCOMPARE(tests::runAlone(experiment).last.time.total, before);
    }

    void aLongerDelayOfUpdatesShowsInTheUpdateCost() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.memory.model = DramModel::banks;
        const double before = tests::runAlone(experiment).last.dramOutcome->updateCost;
        experiment.dram.updateColumnDelay = 100_ns;
        QVERIFY(tests::runAlone(experiment).last.dramOutcome->updateCost > 2 * before);
    }
};

RINGSIDE_TEST(TestDramBanks)
#include "tst_dram_banks.moc"
