#include "engine/memory/camping_count.h"
#include "tests/engine/experiments.h"
#include "tests/test_program.h"

#include <cmath>
#include <random>
#include <vector>

using namespace engine;

namespace {

/// Returns the camping of requests of one byte, which go to these channels one after the other.
std::optional<CampingResult> campingOf(std::size_t channels, const std::vector<std::uint32_t>& requests) {
    CampingCount count(channels);
    for (const std::uint32_t channel : requests)
        count.add(channel, 1);
    return count.result();
}

/// Returns `times` requests to each channel, which take turns after every `stay` requests.
std::vector<std::uint32_t> inTurn(std::uint32_t channels, std::uint32_t times, std::uint32_t stay = 1) {
    std::vector<std::uint32_t> requests;
    for (std::uint32_t i = 0; i < channels * times; ++i)
        requests.push_back(i / stay % channels);
    return requests;
}

}  // namespace

class TestCamping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void channelsThatAreUsedEquallyHaveOne() {
        const auto even = campingOf(4, inTurn(4, 100));
        QCOMPARE(even->camping, 1.0);
        QCOMPARE(even->campingWindow, 1.0);
    }

    void oneChannelOfAllHasTheirNumber() {
        const auto one = campingOf(8, std::vector<std::uint32_t>(1000, 5));
        QCOMPARE(one->camping, 8.0);
        QCOMPARE(one->campingWindow, 8.0);
    }

    void bytesCountAndNotRequests() {
        CampingCount count(2);
        for (int i = 0; i < 8; ++i)
            count.add(static_cast<std::uint32_t>(i % 2), i % 2 == 0 ? 300 : 100);
        QCOMPARE(count.result()->camping, 1.5);  // 1200 bytes of a mean of 800
    }

    void channelsThatTakeTurnsAreEvenInTheRunAndCampInWindows() {
        // A window has 64 requests. In turns of 64 each window has one channel, in turns of 32 two of the four.
        const auto whole = campingOf(4, inTurn(4, 64, 64));
        QCOMPARE(whole->camping, 1.0);
        QCOMPARE(whole->campingWindow, 4.0);
        const auto half = campingOf(4, inTurn(4, 64, 32));
        QCOMPARE(half->camping, 1.0);
        QCOMPARE(half->campingWindow, 2.0);
    }

    void thereIsNoneBelowFourRequestsAChannel() {
        QVERIFY(!campingOf(4, std::vector<std::uint32_t>(15, 0)));
        const auto least = campingOf(4, std::vector<std::uint32_t>(16, 0));
        QVERIFY(least.has_value());
        QCOMPARE(least->camping, 4.0);
        QCOMPARE(least->campingWindow, 4.0);
    }

    void thereIsNoneWithOneChannel() { QVERIFY(!campingOf(1, std::vector<std::uint32_t>(1000, 0))); }

    void theLastWindowCountsFromFourRequestsAChannelOn() {
        // A full window with 1, then 7 or 8 requests to one of two channels.
        std::vector<std::uint32_t> requests = inTurn(2, 16);
        requests.insert(requests.end(), 7, 0);
        QCOMPARE(campingOf(2, requests)->campingWindow, 1.0);
        requests.push_back(0);
        QCOMPARE(campingOf(2, requests)->campingWindow, 1.5);
    }

    void randomTrafficHasWhatIsDerivedForIt() {
        for (const auto& [channels, derived] : {std::pair{8u, 1.36}, std::pair{32u, 1.55}}) {
            std::mt19937 random(1);
            std::vector<std::uint32_t> requests(std::size_t{16} * channels * 2000);
            for (std::uint32_t& channel : requests)
                channel = static_cast<std::uint32_t>(random() % channels);
            const auto result = campingOf(channels, requests);
            QVERIFY2(std::abs(result->campingWindow - derived) < 0.02, std::to_string(result->campingWindow).c_str());
            QVERIFY(result->camping < 1.05);
        }
    }

    void aRunHasThemWithTwoChannelsOrMore() {
        Experiment experiment = tests::smallExperiment(PolicyPreset::t3);
        experiment.detail.channels = 2;
        const std::optional<CampingResult> two = tests::runAlone(experiment).last.memory;
        QVERIFY(two.has_value());
        QVERIFY(two->camping >= 1 && two->camping <= 2 && two->campingWindow >= 1 && two->campingWindow <= 2);
        experiment.detail.channels = 1;
        QVERIFY(!tests::runAlone(experiment).last.memory);
    }
};

RINGSIDE_TEST(TestCamping)
#include "tst_camping.moc"
