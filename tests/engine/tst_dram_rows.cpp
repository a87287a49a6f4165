#include "engine/api/dram_queue.h"
#include "engine/api/parameters.h"
#include "engine/memory/memory_controller.h"
#include "tests/engine/channel_of_rows.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <functional>
#include <string>
#include <vector>

using namespace engine;
using namespace engine::literals;

namespace {

/// A channel of rows with tCCD_L = 4 ns, 8 ns after an update.
Experiment rowMemory(std::string mapping = "BBGGCCCCC") {
    Experiment experiment = tests::channelOfRows();
    experiment.memory.queue = 4_KiB;
    experiment.dram.columnDelay = 4_ns;
    experiment.dram.updateColumnDelay = 8_ns;
    experiment.address.mapping = std::move(mapping);
    return experiment;
}

/// The same with tRC = 52 ns and tRRD = 8 ns.
Experiment limitedMemory() {
    Experiment experiment = rowMemory();
    experiment.dram.rowCycle = 52_ns;
    experiment.dram.activateSpacing = 8_ns;
    return experiment;
}

constexpr std::uint32_t kGranulesPerKiB = 16;

/// A memory of one channel whose only client makes all requests at once.
class RowBench final : public MemoryClient {
public:
    RowBench(const Experiment& experiment, MemoryOp op)
        : memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          flow(memory.addFlow({Stream::compute, op, this, false})),
          m_granule(static_cast<std::uint32_t>(experiment.detail.granule.count)) {}

    /// Requests the granules of visits, each of `accesses` granules one after the other, whose first ones are `stride`
    /// KiB apart. Returns the time in which the second half of them is served, once the first half is.
    Duration secondHalf(std::uint32_t stride, std::uint32_t accesses = 1) {
        constexpr std::uint32_t kVisits = 6144;
        loop.at({0}, [this, stride, accesses] {
            for (std::uint32_t visit = 0; visit < kVisits; ++visit)
                for (std::uint32_t access = 0; access < accesses; ++access)
                    memory.enqueue(0, flow, visit * stride * kGranulesPerKiB + access, m_granule);
        });
        loop.run();
        return m_ends.back() - m_ends[m_ends.size() / 2 - 1];
    }

    /// Requests granule after granule. Returns the same as above.
    Duration secondHalfOfStream() {
        constexpr std::uint32_t kReads = 8192;
        loop.at({0}, [this] {
            for (std::uint32_t granule = 0; granule < kReads; ++granule)
                memory.enqueue(0, flow, granule, m_granule);
        });
        loop.run();
        return m_ends.back() - m_ends[m_ends.size() / 2 - 1];
    }

    void served(FlowId, std::uint32_t, std::uint32_t, TimePoint finish) override { m_ends.push_back(finish); }

    tests::EventLoop loop;
    MemoryController memory;
    FlowId flow;

private:
    std::uint32_t m_granule;
    std::vector<TimePoint> m_ends;
};

/// Returns the time of a visit to a row, over many visits.
Duration perVisits(const Experiment& experiment, std::uint32_t stride, std::uint32_t accesses, std::int64_t visits) {
    const Duration all = RowBench(experiment, MemoryOp::read).secondHalf(stride, accesses);
    return {all.ps * visits / 3072};
}

/// Returns the time of 512 accesses, which pass all banks of a row.
Duration perRows(const Experiment& experiment, MemoryOp op) {
    return {RowBench(experiment, op).secondHalfOfStream().ps / 8};
}

/// Serves single granules of one channel at given times.
class RowBanks {
public:
    explicit RowBanks(const Experiment& experiment) : m_banks(experiment), m_places(experiment) {}
    /// Reads one granule at `kib` KiB that is known from `now` on, while the bus is free. Returns its start.
    TimePoint read(std::uint32_t kib, TimePoint now) {
        return m_banks.serve(MemoryOp::read, m_places.of(kib * kGranulesPerKiB), 64, now, now).start;
    }

private:
    DramBanks m_banks;
    DramPlaces m_places;
};

// Places in KiB: each is in another bank than the others, except kRowAfter, which is in the first one.
constexpr std::uint32_t kSecondBank = 8, kThirdBank = 16, kFourthBank = 24, kOtherGroup = 2, kRowAfter = 32;

/// Returns bytes per second of all channels for reads in the order of addresses, from what channel 0 takes for its
/// part. Each read is known as soon as the DRAM queue, of `queue` requests, has room for it.
double servedInOrder(const Experiment& experiment, std::int64_t queue) {
    constexpr std::size_t kReads = 8000;
    DramBanks banks(experiment);
    const DramPlaces places(experiment);
    std::vector<TimePoint> ends;
    for (std::uint32_t granule = 0; ends.size() < kReads; ++granule) {
        if (places.of(granule).channel != 0)
            continue;
        const TimePoint known =
            std::ssize(ends) < queue ? TimePoint{} : ends[ends.size() - static_cast<std::size_t>(queue)];
        const TimePoint free = ends.empty() ? TimePoint{} : ends.back();
        ends.push_back(
            banks.serve(MemoryOp::read, places.of(granule), experiment.detail.granule.count, known, free).finish);
    }
    return static_cast<double>(experiment.detail.granule.count * experiment.detail.channels) *
           static_cast<double>(kReads) / static_cast<double>(ends.back().ps) * 1e12;
}

}  // namespace

class TestDramRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void visitsToRowsTakeAsLongAsTheirBanksAndTheSpacingOfActivationsNeed() {
        // One access of 2 ns a visit. 32 KiB: one bank, tRC. 16, 8 KiB: two, four banks in turn. 4, 2 KiB: tRRD.
        QCOMPARE(perVisits(limitedMemory(), 32, 1, 16), 16 * 52_ns);
        QCOMPARE(perVisits(limitedMemory(), 16, 1, 16), 8 * 52_ns);
        QCOMPARE(perVisits(limitedMemory(), 8, 1, 16), 4 * 52_ns);
        QCOMPARE(perVisits(limitedMemory(), 4, 1, 16), 16 * 8_ns);
        QCOMPARE(perVisits(limitedMemory(), 2, 1, 16), 16 * 8_ns);
    }

    void visitsOfFourAccessesTakeAsLongAsTheirColumnsIfRowsOpenMeanwhile() {
        // Four accesses of one group take 14 ns on the bus; before another visit to the group 2 ns more pass.
        QCOMPARE(perVisits(limitedMemory(), 32, 4, 16), 16 * 52_ns);
        QCOMPARE(perVisits(limitedMemory(), 16, 4, 16), 8 * 52_ns);
        QCOMPARE(perVisits(limitedMemory(), 8, 4, 16), 16 * 16_ns);
        QCOMPARE(perVisits(limitedMemory(), 4, 4, 16), 16 * 14_ns);
        QCOMPARE(perVisits(limitedMemory(), 2, 4, 16), 16 * 14_ns);
    }

    void aShortQueueOpensAsManyRowsAtOnceAsItHolds() {
        // Each opens its row when it enters the queue, and leaves 34 ns later.
        Experiment experiment = limitedMemory();
        for (std::int64_t entries = 1; entries <= 4; ++entries) {
            experiment.memory.queue = {64 * entries};
            QCOMPARE(perVisits(experiment, 2, 1, 12 * entries), 12 * 34_ns);
        }
    }

    void streamsTakeAsLongAsTheBankGroupsBelowTheirColumnsAllow() {
        // 512 accesses pass 16 rows. 1024 ns fill the bus. 32 accesses of one group take 31 x 4 + 2 ns.
        QCOMPARE(perRows(rowMemory("BBCCCCCGG"), MemoryOp::read), 1024_ns);
        QCOMPARE(perRows(rowMemory("BBGCCCCCG"), MemoryOp::read), 1024_ns);
        QCOMPARE(perRows(rowMemory("BBGGCCCCC"), MemoryOp::read), 16 * 126_ns);
        QCOMPARE(perRows(rowMemory("BBCCCCCGG"), MemoryOp::update), 1024_ns);
        QCOMPARE(perRows(rowMemory("BBGCCCCCG"), MemoryOp::update), 8 * 252_ns);
        QCOMPARE(perRows(rowMemory("BBGGCCCCC"), MemoryOp::update), 16 * 250_ns);
    }

    void fourActivationsAloneLimitVisitsAsWell() {
        Experiment experiment = rowMemory();
        experiment.dram.fourActivates = 30_ns;
        QCOMPARE(perVisits(experiment, 2, 1, 16), 4 * 30_ns);
    }

    void aBankOpensAnotherRowOneRowCycleAfterTheLastOne() {
        // Opened at 0. The other row needs a precharge of 16 ns before.
        const auto startIfKnownAt = [](TimePoint known, Duration rowCycle) {
            Experiment experiment = rowMemory();
            experiment.dram.rowCycle = rowCycle;
            RowBanks banks(experiment);
            banks.read(0, {0});
            return banks.read(kRowAfter, known);
        };
        QCOMPARE(startIfKnownAt({35'999}, 52_ns), TimePoint{68'000});
        QCOMPARE(startIfKnownAt({36'000}, 52_ns), TimePoint{68'000});
        QCOMPARE(startIfKnownAt({36'001}, 52_ns), TimePoint{68'001});
        QCOMPARE(startIfKnownAt({35'999}, {}), TimePoint{67'999});
        // Another bank does not wait.
        Experiment experiment = rowMemory();
        experiment.dram.rowCycle = 52_ns;
        RowBanks banks(experiment);
        banks.read(0, {0});
        QCOMPARE(banks.read(kSecondBank, {20'000}), TimePoint{36'000});
    }

    void theChannelOpensTheNextRowOneSpacingLater() {
        const auto startIfKnownAt = [](TimePoint known, Duration spacing) {
            Experiment experiment = rowMemory();
            experiment.dram.activateSpacing = spacing;
            RowBanks banks(experiment);
            banks.read(0, {0});
            return banks.read(kSecondBank, known);
        };
        QCOMPARE(startIfKnownAt({7'999}, 8_ns), TimePoint{24'000});
        QCOMPARE(startIfKnownAt({8'000}, 8_ns), TimePoint{24'000});
        QCOMPARE(startIfKnownAt({8'001}, 8_ns), TimePoint{24'001});
        QCOMPARE(startIfKnownAt({7'999}, {}), TimePoint{23'999});
    }

    void theChannelOpensNoFifthRowBeforeTheWindowOfFourHasPassed() {
        const auto startIfKnownAt = [](TimePoint known, Duration window) {
            Experiment experiment = rowMemory();
            experiment.dram.fourActivates = window;
            RowBanks banks(experiment);
            for (const std::uint32_t place : {0u, kSecondBank, kThirdBank})
                banks.read(place, {0});
            if (banks.read(kFourthBank, {0}) >= TimePoint{30'000})
                return TimePoint{};  // the fourth does not wait
            return banks.read(kOtherGroup, known);
        };
        QCOMPARE(startIfKnownAt({29'999}, 30_ns), TimePoint{46'000});
        QCOMPARE(startIfKnownAt({30'000}, 30_ns), TimePoint{46'000});
        QCOMPARE(startIfKnownAt({30'001}, 30_ns), TimePoint{46'001});
        QCOMPARE(startIfKnownAt({29'999}, {}), TimePoint{45'999});
    }

    void limitedActivationsKeepTheOrderOfTheRequests() {
        // The first bank may close its row at 18 ns and open another at 34 ns. A request for a closed bank, known at 10
        // ns, comes after it; without limits that bank opens at 10 ns.
        const auto startOfTheLast = [](Duration window) {
            Experiment experiment = rowMemory();
            experiment.dram.fourActivates = window;
            RowBanks banks(experiment);
            banks.read(0, {0});
            banks.read(kRowAfter, {10'000});
            return banks.read(kOtherGroup, {10'000});
        };
        QCOMPARE(startOfTheLast({}), TimePoint{26'000});
        QCOMPARE(startOfTheLast({1}), TimePoint{50'000});
    }

    void aRefreshDoesNotShortenTheRowCycle() {
        // The row opens at 0, a refresh from 20 to 30 ns closes it, and tRC allows the next one at 52 ns.
        Experiment experiment = rowMemory();
        experiment.dram.refreshInterval = 20_ns;
        experiment.dram.refreshTime = 10_ns;
        RowBanks free(experiment);
        free.read(0, {0});
        QCOMPARE(free.read(0, {20'000}), TimePoint{46'000});
        experiment.dram.rowCycle = 52_ns;
        RowBanks cycle(experiment);
        cycle.read(0, {0});
        QCOMPARE(cycle.read(0, {20'000}), TimePoint{68'000});
    }

    void sustainedReadsAreNeverMoreThanTheBanksServe_data() {
        QTest::addColumn<QString>("mapping");
        for (const char* mapping : {"spread", "usual", "BBCCCDDDCCGG", "BBGGCDDDCCCC", "DDDBBCCCCCGG", "CCCBBDDDCCGG",
                                    "BCDBCDGDCCCG", "CGBDGDBDCCCC", "GGCBBDDDCCCC"})
            QTest::newRow(mapping) << mapping;
    }

    void sustainedReadsAreNeverMoreThanTheBanksServe() {
        QFETCH(QString, mapping);
        Experiment experiment;
        experiment.memory.model = DramModel::banks;
        experiment.address.mapping = mapping.toStdString();
        QCOMPARE(validate(experiment), Problems{});
        const bool mapped = hasAddressMapping(experiment);
        std::vector<std::pair<ChannelHash, BankHash>> hashes{{}};
        if (mapped)
            hashes = {{}, {ChannelHash::polynomial, BankHash::none}, {ChannelHash::bitwise, BankHash::bitwise}};
        using Times = std::vector<Duration>;
        for (const auto& [hash, bankHash] : hashes)
            for (const Times& limits : {Times{{}, {}, {}}, Times{48_ns, 4_ns, 16_ns}, Times{900_ns, {}, {}},
                                        Times{{}, 100_ns, {}}, Times{{}, {}, 300_ns}, Times{400_ns, 60_ns, 200_ns}})
                for (const std::int64_t queue : {1, 2, 8, 64}) {
                    experiment.address.hash = hash;
                    experiment.address.bankHash = bankHash;
                    experiment.dram.rowCycle = limits[0];
                    experiment.dram.activateSpacing = limits[1];
                    experiment.dram.fourActivates = limits[2];
                    const double sustained = DramBanks::sustainedReads(experiment, queue);
                    const double served = servedInOrder(experiment, queue);
                    const std::string text = std::to_string(sustained / served) + " at tRC " +
                                             std::to_string(limits[0].ps) + ", queue " + std::to_string(queue);
                    QVERIFY2(sustained <= served * 1.0001, text.c_str());
                    // It is close where nothing but banks and columns takes time, if the queue hides openings.
                    if (limits == Times{{}, {}, {}} && queue > 2)
                        QVERIFY2(sustained >= served * (bankHash == BankHash::none ? 0.85 : 0.7), text.c_str());
                }
    }
};

RINGSIDE_TEST(TestDramRows)
#include "tst_dram_rows.moc"
