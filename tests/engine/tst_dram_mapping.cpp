#include "engine/memory/address_space.h"
#include "engine/memory/memory_controller.h"
#include "engine/run/plan.h"
#include "engine/workload/dram_mapping.h"
#include "tests/engine/event_loop.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <string>
#include <vector>

using namespace engine;
using namespace engine::literals;

namespace {

constexpr std::array kHashes{ChannelHash::none, ChannelHash::bitwise, ChannelHash::polynomial};

Experiment atLevel(DetailLevel level, std::string mapping = kUsualMapping) {
    Experiment experiment;
    applyDetailLevel(experiment, level);
    experiment.address.mapping = std::move(mapping);
    return experiment;
}

/// 2^`channelBits` channels of one pseudo-channel each. A granule is one burst, and consecutive granules lie in
/// consecutive channels.
Experiment withChannels(std::uint32_t channelBits, ChannelHash hash) {
    Experiment experiment;
    experiment.detail.channels = std::int64_t{1} << channelBits;
    experiment.detail.granule = 64_B;
    experiment.dram.pseudoChannels = experiment.detail.channels;
    experiment.dram.burst = 64_B;
    experiment.address.mapping = kUsualMapping;
    experiment.address.hash = hash;
    return experiment;
}

/// One HBM2 stack with a granule of one burst of 64 B, on 8 channels with rows of 2 KiB.
Experiment hbm2(std::string mapping) {
    Experiment experiment = withChannels(3, ChannelHash::none);
    experiment.dram.row = 2_KiB;
    experiment.address.mapping = std::move(mapping);
    return experiment;
}

/// Returns the most granules of one channel among 2^`channelBits` stops of that stride, from an aligned start.
std::int64_t busiestOf(const DramPlaces& places, std::uint32_t channelBits, std::uint32_t strideBits,
                       std::uint32_t group) {
    std::vector<std::int64_t> granules(std::size_t{1} << channelBits);
    for (std::uint32_t stop = 0; stop < granules.size(); ++stop)
        ++granules[places.channel((group << channelBits | stop) << strideBits)];
    return *std::ranges::max_element(granules);
}

/// Returns the degree of a polynomial over GF(2).
int degreeOf(std::uint32_t polynomial) { return std::bit_width(polynomial) - 1; }

std::uint32_t remainderOf(std::uint32_t value, std::uint32_t divisor) {
    while (value != 0 && degreeOf(value) >= degreeOf(divisor))
        value ^= divisor << (degreeOf(value) - degreeOf(divisor));
    return value;
}

std::string problemOf(const Experiment& experiment, std::string_view path) {
    for (const Problem& problem : validate(experiment))
        if (problem.path == path)
            return problem.value + ": " + problem.text;
    return {};
}

std::string mappingRefusal(const std::string& mapping, DetailLevel level = DetailLevel::standard) {
    Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
    applyDetailLevel(experiment, level);
    experiment.address.mapping = mapping;
    return problemOf(experiment, "address.mapping");
}

/// A memory whose only client reads granules of one region.
class RegionBench final : public MemoryClient {
public:
    explicit RegionBench(const Experiment& experiment)
        : memory(experiment, loop.port(Phase::arbitration, [this](std::uint32_t c) { memory.arbitrate(c); }),
                 loop.port(Phase::completion, [this](std::uint32_t c) { memory.returnData(c); }), nullptr),
          flow(memory.addFlow({Stream::compute, MemoryOp::read, this, false})), region(memory.region(0)),
          m_granule(static_cast<std::uint32_t>(experiment.detail.granule.count)) {}

    /// Reads granules number 0, `stride`, 2 `stride` … and returns when the last of them is done.
    TimePoint read(std::uint32_t count, std::uint32_t stride) {
        loop.at({0}, [this, count, stride] {
            for (std::uint32_t i = 0; i < count; ++i)
                memory.enqueue(region.channel(i * stride), flow, i * stride, m_granule);
        });
        loop.run();
        return last;
    }

    std::uint32_t address(FlowId, std::uint32_t id) const override { return region.address(id); }
    void served(FlowId, std::uint32_t, std::uint32_t, TimePoint finish) override { last = std::max(last, finish); }

    tests::EventLoop loop;
    TimePoint last;
    MemoryController memory;
    FlowId flow;
    MemoryRegion region;

private:
    std::uint32_t m_granule;
};

}  // namespace

class TestDramMapping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void usualPutsChannelsBelowColumnsAndGroupsLowest() {
        const auto usual = [](const Experiment& experiment) { return usualLetters(addressBitsOf(experiment)); };
        QCOMPARE(usual(atLevel(DetailLevel::standard)), std::string("BBCCCDDDCCGG"));
        QCOMPARE(usual(atLevel(DetailLevel::fine)), std::string("BBCCCCCDDDDDGG"));
        QCOMPARE(usual(atLevel(DetailLevel::interactive)), std::string("BBCCCCCGG"));
        // Groups that do not fit into a granule lie between columns and channels.
        QCOMPARE(usual(hbm2(kUsualMapping)), std::string("BBCCCCCGGDDD"));
    }

    void lettersNameTheBitsOfAnAddressFromTheHighBitToTheLowOne() {
        // GGBBDDDCCCCC: five column bits, then channel, bank and group, then the row.
        const DramPlaces places(hbm2("GGBBDDDCCCCC"));
        QCOMPARE(places.of(0), (DramPlace{0, 0, 0, 0, 1}));
        QCOMPARE(places.of(31), (DramPlace{0, 0, 0, 0, 1}));
        QCOMPARE(places.of(32), (DramPlace{0, 1, 0, 0, 1}));
        QCOMPARE(places.of(7 * 32), (DramPlace{0, 7, 0, 0, 1}));
        QCOMPARE(places.of(8 * 32), (DramPlace{0, 0, 1, 0, 1}));
        QCOMPARE(places.of(32 * 32), (DramPlace{0, 0, 0, 1, 1}));
        QCOMPARE(places.of(4096), (DramPlace{1, 0, 0, 0, 1}));
        QCOMPARE(places.of(0xffffffff), (DramPlace{0xfffff, 7, 3, 3, 1}));
        // Letters of one kind need not stand together: the upper one is the upper bit.
        const DramPlaces apart(hbm2("GDGBCDBCCDCC"));
        QCOMPARE(apart.of(4), (DramPlace{0, 1, 0, 0, 1}));
        QCOMPARE(apart.of(1024), (DramPlace{0, 4, 0, 0, 1}));
        QCOMPARE(apart.of(32), (DramPlace{0, 0, 1, 0, 1}));
        QCOMPARE(apart.of(2048), (DramPlace{0, 0, 0, 2, 1}));
    }

    void aGranuleLiesInTheGroupsWhoseBitsAreInsideIt() {
        // Standard detail: 16 bursts, four address bits inside a granule.
        const auto first = [](const char* mapping, std::uint32_t granule) {
            return DramPlaces(atLevel(DetailLevel::standard, mapping)).of(granule);
        };
        QCOMPARE(first("BBCCCDDDCCGG", 1), (DramPlace{0, 1, 0, 0, 4}));
        QCOMPARE(first("BBGCCDDDCCCG", 1), (DramPlace{0, 1, 0, 0, 2}));
        QCOMPARE(first("BBGCCDDDCCCG", 32), (DramPlace{0, 0, 0, 2, 2}));
        QCOMPARE(first("BBGGCDDDCCCC", 32), (DramPlace{0, 0, 0, 2, 1}));
    }

    void everyHashIsOneToOneForAGivenRestOfTheAddress() {
        for (const ChannelHash hash : kHashes)
            for (std::uint32_t bits = 1; bits <= 6; ++bits) {
                const DramPlaces places(withChannels(bits, hash));
                for (const std::uint32_t rest : {0u, 1u, 2u, 0x155u, 0x3ffffu, 0x2468aceu}) {
                    std::set<std::uint32_t> channels;
                    for (std::uint32_t low = 0; low < 1u << bits; ++low)
                        channels.insert(places.channel(rest << bits | low));
                    QCOMPARE(channels.size(), std::size_t{1} << bits);
                    QCOMPARE(*channels.rbegin(), (1u << bits) - 1);
                }
            }
    }

    void thePolynomialsHaveNoDivisor() {
        for (std::uint32_t bits = 1; bits <= 6; ++bits) {
            QCOMPARE(degreeOf(hashPolynomial(bits)), static_cast<int>(bits));
            for (std::uint32_t divisor = 2; degreeOf(divisor) < static_cast<int>(bits); ++divisor)
                QVERIFY2(remainderOf(hashPolynomial(bits), divisor) != 0, std::to_string(divisor).c_str());
        }
    }

    void thePolynomialHashIsTheRemainderOfTheWholeNumber() {
        for (std::uint32_t bits = 1; bits <= 6; ++bits) {
            const DramPlaces places(withChannels(bits, ChannelHash::polynomial));
            for (std::uint32_t granule = 1; granule < 0x80000000u; granule = granule * 3 + 1)
                QCOMPARE(places.channel(granule), remainderOf(granule, hashPolynomial(bits)));
        }
    }

    void stridesThatArePowersOfTwoCampAsTheHashSays() {
        for (std::uint32_t bits = 1; bits <= 6; ++bits) {
            const DramPlaces plain(withChannels(bits, ChannelHash::none));
            const DramPlaces exclusive(withChannels(bits, ChannelHash::bitwise));
            const DramPlaces polynomial(withChannels(bits, ChannelHash::polynomial));
            for (std::uint32_t stride = 0; stride <= 20; ++stride)
                for (const std::uint32_t group : {0u, 1u, 5u, 30u}) {
                    const std::int64_t all = std::int64_t{1} << bits;
                    QCOMPARE(busiestOf(plain, bits, stride, group), std::min(std::int64_t{1} << stride, all));
                    QCOMPARE(busiestOf(polynomial, bits, stride, group), std::int64_t{1});
                    QCOMPARE(busiestOf(exclusive, bits, stride, group),
                             stride <= bits ? std::int64_t{1} : std::min(std::int64_t{1} << (stride - bits), all));
                }
        }
    }

    void theHashTakesTheBitsAboveTheHighestChannelBit() {
        // In BDBCCCDDCCGG of standard detail a granule's number ends with the lower channel bits; bit 6 is the upper one.
        Experiment experiment = atLevel(DetailLevel::standard, "BDBCCCDDCCGG");
        experiment.address.hash = ChannelHash::bitwise;
        const DramPlaces places(experiment);
        QCOMPARE(places.channel(1), 1u);
        QCOMPARE(places.channel(1 << 2), 0u);
        QCOMPARE(places.channel(1 << 6), 4u);
        QCOMPARE(places.channel(1 << 7), 1u);
        QCOMPARE(places.channel(1 << 9), 4u);
        QCOMPARE(places.channel(1 << 10), 0u);  // xor takes as many bits as there are channel bits
        experiment.address.hash = ChannelHash::polynomial;
        QCOMPARE(DramPlaces(experiment).channel(1 << 10), 5u);  // x^6 mod x^3 + x + 1 is x^2 + 1
    }

    void theBankHashChangesBanksWithTheRowAndLeavesChannelsAlone() {
        Experiment experiment = hbm2("GGBBDDDCCCCC");
        const DramPlaces plain(experiment);
        experiment.address.bankHash = BankHash::bitwise;
        const DramPlaces hashed(experiment);
        for (const std::uint32_t granule : {0u, 100u, 4095u}) {
            QCOMPARE(hashed.of(granule), plain.of(granule));
            for (std::uint32_t row = 0; row < 64; ++row) {
                const DramPlace before = plain.of(granule + row * 4096), after = hashed.of(granule + row * 4096);
                QCOMPARE(after.row, row);
                QCOMPARE(after.channel, before.channel);
                QCOMPARE(std::uint32_t{after.bank}, before.bank ^ (row & 3));
                QCOMPARE(std::uint32_t{after.firstGroup}, before.firstGroup ^ (row >> 2 & 3));
            }
        }
        // A granule that lies in all groups begins with group 0 in every row.
        Experiment whole = atLevel(DetailLevel::standard);
        whole.address.bankHash = BankHash::bitwise;
        for (std::uint32_t row = 0; row < 64; ++row)
            QCOMPARE(DramPlaces(whole).of(row << 8), (DramPlace{row, 0, static_cast<std::uint8_t>(row & 3), 0, 4}));
    }

    void partsOfTheAddressSpaceLieOneAfterTheOtherAndBeginAtARowOfTheFirstBank() {
        const Experiment experiment = atLevel(DetailLevel::standard);  // 256 granules until the next row begins
        AddressRooms rooms{};
        rooms[0] = 256;
        rooms[8] = 257;
        rooms[16] = 1;
        const DramMapping mapping(experiment, rooms);
        QCOMPARE(mapping.granuleAt(255), 255u);
        QCOMPARE(mapping.granuleAt(8u << 24), 256u);
        QCOMPARE(mapping.granuleAt((8u << 24) + 256), 512u);
        QCOMPARE(mapping.granuleAt(16u << 24), 768u);
        QCOMPARE(DramMapping::roomOf(experiment, rooms), std::uint64_t{769});
        // Without a mapping nothing moves.
        const DramMapping spread(atLevel(DetailLevel::standard, kSpreadMapping), rooms);
        QCOMPARE(spread.granuleAt((16u << 24) + 5), (16u << 24) + 5);
    }

    void theDataOfARunHaveRoomForAllTheirGranules() {
        // What each part needs: output, operands, received copies, a companion, background reads.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential);
        experiment.address.mapping = kUsualMapping;
        const Plan plan(experiment);
        const AddressRooms own = addressRoomsOf(experiment, plan, programOf(experiment));
        QCOMPARE(own[0], plan.output.granules());
        // C has 2048 x 512 elements, and K is 512 on each of 4 GPUs. A granule has 2048 elements.
        QCOMPARE(own[matrixAddress(0) >> 24], 2048u * 512 / 2048);
        QCOMPARE(own[matrixAddress(1) >> 24], 512u * 512 / 2048);
        QCOMPARE(own[matrixAddress(2) >> 24], 2048u * 512 / 2048);
        // A ring's reduce-scatter brings each chunk once.
        QCOMPARE(own[receivedCopyAddress(1) >> 24], plan.output.granules());
        QCOMPARE(own[receivedCopyAddress(2) >> 24], 0u);
        QCOMPARE(own[kCompanionAddress >> 24], 0u);
        QCOMPARE(own[kBackgroundAddress >> 24], 0u);
        const AddressRooms gemm = addressRoomsOf(experiment, plan, programOf(experiment, {true, false, false}));
        QCOMPARE(gemm[receivedCopyAddress(1) >> 24], 0u);

        experiment.variation.gpu = 0;
        experiment.variation.backgroundTraffic = 1_GBps;
        experiment.companion.operation = CompanionOperation::allToAll;
        experiment.companion.bytes = 1_MiB;
        const Plan both(experiment);
        const AddressRooms all = addressRoomsOf(experiment, both, programOf(experiment));
        QCOMPARE(all[kCompanionAddress >> 24], both.companion->layout.granules());
        QCOMPARE(all[companionCopyAddress(1) >> 24], both.companion->layout.granules());
        QCOMPARE(all[kBackgroundAddress >> 24], kCopyRoom);
    }

    void anOutputThatBypassesTheCacheHasNoMatrixThere() {
        // T3: the output, A and B.
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.address.mapping = kUsualMapping;
        const AddressRooms rooms = addressRoomsOf(experiment, Plan(experiment), programOf(experiment));
        QCOMPARE(rooms[matrixAddress(2) >> 24], 0u);
        QCOMPARE(std::ranges::count_if(rooms, [](std::uint32_t room) { return room != 0; }), std::ptrdiff_t{3});
    }

    void usualAndSpreadServeStridesAlikeWithoutBanks() {
        for (const DetailLevel level : {DetailLevel::standard, DetailLevel::fine})
            for (const std::uint32_t stride : {1u, 2u, 3u, 16u, 1023u}) {
                const TimePoint spread = RegionBench(atLevel(level, kSpreadMapping)).read(1000, stride);
                QCOMPARE(RegionBench(atLevel(level)).read(1000, stride), spread);
                QVERIFY(spread > TimePoint{});
            }
    }

    void onOneChannelUsualAndSpreadGiveEqualTotalsWithoutBanks() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca}) {
            Experiment experiment = tests::smallExperiment(policy);
            applyDetailLevel(experiment, DetailLevel::interactive);
            experiment.detail.mode = DetailMode::full;
            const RunResult spread = tests::runAlone(experiment);
            experiment.address.mapping = kUsualMapping;
            const RunResult usual = tests::runAlone(experiment);
            QCOMPARE(usual.last.time.total, spread.last.time.total);
            QCOMPARE(usual.events, spread.events);
        }
    }

    void aCampedStrideTakesAsLongAsOneChannelNeeds() {
        // Stride 8 on 8 channels: all in one. xor spreads it over all of them.
        Experiment experiment = atLevel(DetailLevel::standard);
        const TimePoint camped = RegionBench(experiment).read(800, 8);
        experiment.address.hash = ChannelHash::bitwise;
        const TimePoint hashed = RegionBench(experiment).read(800, 8);
        QCOMPARE(camped.ps, hashed.ps * 8);
    }

    void aMappingOfAnotherMachineIsRefusedWithTheOneThatFits() {
        QCOMPARE(mappingRefusal("BBCCCDDDCCGG", DetailLevel::fine),
                 std::string("BBCCCDDDCCGG: 3 channel bits, 5 are needed for detail.channels = 32; allowed: spread, "
                             "usual, BBCCCCCDDDDDGG"));
        QCOMPARE(mappingRefusal("BBCCCDDDCCGG"), std::string());
        QCOMPARE(mappingRefusal("BCCCDDDCCGGG"),
                 std::string("BCCCDDDCCGGG: 1 bank bit, 2 are needed for dram.banks_per_group = 4, and 3 bank-group "
                             "bits, 2 are needed for dram.bank_groups = 4; allowed: spread, usual, BBCCCDDDCCGG"));
        QCOMPARE(mappingRefusal("BBCCDDDCCGG"),
                 std::string("BBCCDDDCCGG: 4 column bits, 5 are needed for dram.row = 1 KiB and dram.burst = 32 B; "
                             "allowed: spread, usual, BBCCCDDDCCGG"));
        QCOMPARE(mappingRefusal("BBRCCDDDCCGG"),
                 std::string("BBRCCDDDCCGG: unknown letter R, letters are B, G, D and C; allowed: spread, usual, "
                             "BBCCCDDDCCGG"));
    }

    void onlyColumnsAndGroupsMayStandInsideARequest() {
        // Four letters lie inside a granule of standard detail.
        QCOMPARE(mappingRefusal("BBCCCDDCDCGG"),
                 std::string("BBCCCDDCDCGG: D among the last 4 letters, which lie inside one request (detail.granule = "
                             "4 KiB) and may only be C and G; allowed: spread, usual, BBCCCDDDCCGG"));
        QVERIFY(mappingRefusal("BDDDCCCCCBGG").starts_with("BDDDCCCCCBGG: B among the last 4 letters"));
        QCOMPARE(mappingRefusal("BBCDDDCCCCGG"), std::string());
        QCOMPARE(mappingRefusal("DDDBCCGBCCCG"), std::string());
    }

    void countsThatAreNoPowersOfTwoAreRefusedWithAMapping() {
        const auto refused = [](const std::function<void(Experiment&)>& change, const char* path) {
            Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
            change(experiment);
            if (!validate(experiment).empty())
                return std::string("refused without a mapping");
            experiment.address.mapping = kUsualMapping;
            return problemOf(experiment, path);
        };
        QCOMPARE(refused([](Experiment& e) { e.dram.bankGroups = 3; }, "dram.bank_groups"),
                 std::string("3: no whole number of address bits names them; allowed: a power of two, or "
                             "address.mapping=spread"));
        QVERIFY(refused([](Experiment& e) { e.dram.banksPerGroup = 6; }, "dram.banks_per_group").starts_with("6: no "));
        QVERIFY(refused([](Experiment& e) { e.dram.pseudoChannels = 80; }, "dram.pseudo_channels").starts_with("80: "));
        QCOMPARE(refused([](Experiment& e) { e.detail.granule = 128_B; }, "detail.granule"),
                 std::string("128 B: smaller than one burst on all pseudo-channels of a channel; allowed: at least 256 "
                             "B, or address.mapping=spread"));
        QCOMPARE(refused([](Experiment& e) { e.detail.granule = 256_B; }, "detail.granule"), std::string());
        QCOMPARE(
            refused([](Experiment& e) { e.detail.granule = 64_KiB; }, "detail.granule"),
            std::string("64 KiB: larger than one row in every bank group of a channel; allowed: at most 32 KiB, or "
                        "address.mapping=spread"));
        QCOMPARE(refused([](Experiment& e) { e.detail.granule = 32_KiB; }, "detail.granule"), std::string());
        const auto smallRow = [](Experiment& e) {
            e.dram.row = 64_B;
            e.dram.burst = 128_B;
        };
        QCOMPARE(refused(smallRow, "dram.row"), std::string("64 B: smaller than one column access (dram.burst = 128 "
                                                            "B); allowed: at least that, or address.mapping=spread"));
    }

    void aHashNeedsAMapping() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.address.hash = ChannelHash::polynomial;
        experiment.address.bankHash = BankHash::bitwise;
        QCOMPARE(
            problemOf(experiment, "address.hash"),
            std::string("polynomial: no address bits name channels and banks with address.mapping=spread; allowed: "
                        "none, or address.mapping=usual"));
        QVERIFY(problemOf(experiment, "address.bank_hash").starts_with("xor: no address bits"));
        experiment.address.mapping = kUsualMapping;
        QCOMPARE(validate(experiment), Problems{});
    }

    void dataThatHaveNoRoomAreRefusedInsteadOfWrapping() {
        // Rows of 64 KiB in 64 x 64 banks of 64 channels, in granules of one burst of 64 B: rows begin 2^28 granules
        // apart. Output, A, B, a cached C and a received copy come to more than four of them, but eight fit.
        Experiment experiment = tests::smallExperiment(PolicyPreset::sequential);
        experiment.detail.channels = 64;
        experiment.detail.granule = 64_B;
        experiment.dram.pseudoChannels = 64;
        experiment.dram.burst = 64_B;
        experiment.dram.row = 64_KiB;
        experiment.dram.bankGroups = 64;
        experiment.dram.banksPerGroup = 64;
        experiment.address.mapping = kUsualMapping;
        QCOMPARE(problemOf(experiment, "address.mapping"), std::string());
        // Twice the columns: they begin 2^29 apart, and the fifth would end behind 2^31.
        experiment.dram.burst = 32_B;
        experiment.dram.pseudoChannels = 128;
        QVERIFY(problemOf(experiment, "address.mapping").starts_with("usual: the data of a GPU come to "));
    }

    void theFirstTileLiesWhereARunStoresIt() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3})
            for (const char* mapping : {kUsualMapping, kSpreadMapping}) {
                Experiment experiment = tests::smallExperiment(policy);
                experiment.address.mapping = mapping;
                if (hasAddressMapping(experiment))
                    experiment.address.hash = ChannelHash::polynomial;
                const FirstGranules first = firstGranules(experiment, 1000);
                QVERIFY(first.of == FirstGranules::Of::tile && !first.more && first.granules.size() > 1);
                RunOptions options;
                options.recordTrace = options.recordGranules = true;
                options.baselines = false;
                const RunResult result = engine::run(experiment, options);
                std::set<std::pair<std::uint32_t, std::uint32_t>> stored;  // channel, granule
                for (const Lane& lane : result.trace->lanes)
                    if (lane.kind == LaneKind::dramChannel && lane.gpu == 0)
                        for (std::size_t span = 0; span < lane.granules.size(); ++span)
                            if (lane.spans[span].kind != SpanKind::dramRead)
                                stored.insert({lane.index, lane.granules[span]});
                for (const PlacedGranule& granule : first.granules)
                    QVERIFY(stored.contains({granule.place.channel, granule.granule}));
            }
    }

    void theFirstGranulesEndWhereAsked() {
        const Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        const std::size_t all = firstGranules(experiment, 1000).granules.size();
        QVERIFY(!firstGranules(experiment, all).more);
        const FirstGranules less = firstGranules(experiment, all - 1);
        QVERIFY(less.more);
        QCOMPARE(less.granules.size(), all - 1);
    }

    void theFirstRequestsOfAnAccessPatternAreThoseOfItsFirstStream() {
        Experiment experiment;
        experiment.workload.sublayer = SubLayer::access;
        applyPolicyPreset(experiment, PolicyPreset::sequential);
        applyDetailLevel(experiment, DetailLevel::fine);
        experiment.address.mapping = kUsualMapping;
        experiment.access.writes = 1;
        experiment.access.stride = 64_KiB;
        const FirstGranules camping = firstGranules(experiment, 8);
        QVERIFY(camping.of == FirstGranules::Of::requests && camping.more && camping.granules.size() == 8);
        for (std::size_t i = 0; i < camping.granules.size(); ++i) {
            QCOMPARE(camping.granules[i].granule, static_cast<std::uint32_t>(i * 256));
            QCOMPARE(camping.granules[i].place.channel, 0);
        }
        experiment.access.count = 7;  // four reads and three writes
        QCOMPARE(firstGranules(experiment, 8).granules.size(), std::size_t{4});
    }

    void withAMappingOneGpuStandsForAllOnlyWhereItIsAsked() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        QVERIFY(mirrors(experiment, Plan(experiment)));
        experiment.address.mapping = kUsualMapping;
        QVERIFY(!mirrors(experiment, Plan(experiment)));
        applyDetailLevel(experiment, DetailLevel::interactive);
        QVERIFY(!mirrors(experiment, Plan(experiment)));
        experiment.detail.mode = DetailMode::mirrored;
        QVERIFY(mirrors(experiment, Plan(experiment)));
        const std::vector<Notice> notices = tests::runAlone(experiment).notices;
        QVERIFY(std::ranges::any_of(notices, [](const Notice& notice) {
            return notice.text.find("different channels on each GPU") != std::string::npos;
        }));
    }
};

RINGSIDE_TEST(TestDramMapping)
#include "tst_dram_mapping.moc"
