#include "data/replay/bank_history.h"
#include "tests/test_program.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using data::BankHistory;
using data::BankState;
using engine::Experiment;
using engine::Lane;
using engine::ServedPlace;

namespace {

constexpr std::int64_t kRecent = 50;

/// Two groups of two banks; a refresh is due every 1000 ps.
Experiment fourBanks() {
    Experiment experiment;
    experiment.dram.bankGroups = 2;
    experiment.dram.banksPerGroup = 2;
    experiment.dram.refreshInterval = {1000};
    experiment.dram.refreshTime = {10};
    return experiment;
}

void serve(Lane& lane, std::int64_t start, std::int64_t end, ServedPlace place) {
    lane.spans.push_back({{start}, {end}, 0, engine::kNone, 64, engine::SpanKind::dramRead, 0, 0});
    lane.places.push_back(place);
}

}  // namespace

class TestBankHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBankIsClosedThenServesThenItsRowIsOpen() {
        Lane lane;
        serve(lane, 100, 120, {1, 0, 1, 1});
        const BankHistory banks(lane, fourBanks());
        const auto stateAt = [&](std::int64_t ps) { return banks.at(ps, kRecent).at(2); };  // bank 1 of group 0
        QVERIFY(stateAt(99) == BankState::closed);
        QVERIFY(stateAt(100) == BankState::serving);
        QVERIFY(stateAt(119) == BankState::serving);
        QVERIFY(stateAt(120) == BankState::opened);
        QVERIFY(stateAt(150) == BankState::opened);
        QVERIFY(stateAt(151) == BankState::open);
        QVERIFY(banks.at(120, kRecent) ==
                (std::vector{BankState::closed, BankState::closed, BankState::opened, BankState::closed}));
    }

    void aRowThatWasOpenIsNotJustOpened() {
        Lane lane;
        serve(lane, 100, 120, {0, 0, 1, 1});
        serve(lane, 200, 220, {0, 0, 1, 0});
        QVERIFY(BankHistory(lane, fourBanks()).at(220, kRecent).front() == BankState::open);
    }

    void aRefreshClosesAllRows() {
        Lane lane;
        serve(lane, 900, 920, {0, 0, 2, 2});
        const BankHistory banks(lane, fourBanks());
        QVERIFY(banks.at(999, kRecent)[0] == BankState::open);
        QVERIFY(banks.at(1000, kRecent)[0] == BankState::closed);
        Experiment never = fourBanks();
        never.dram.refreshTime = {};
        QVERIFY(BankHistory(lane, never).at(1000, kRecent)[0] == BankState::open);
    }

    void aRequestInTwoGroupsServesBothOfItsBanks() {
        Lane lane;
        serve(lane, 10, 20, {1, 1, 2, 2});  // groups 1 and 0
        QVERIFY(BankHistory(lane, fourBanks()).at(15, kRecent) ==
                (std::vector{BankState::closed, BankState::closed, BankState::serving, BankState::serving}));
    }

    void withoutPlacesThereAreNoBanks() {
        Lane lane;
        serve(lane, 10, 20, {});
        lane.places.clear();
        QVERIFY(BankHistory(lane, fourBanks()).at(15, kRecent).empty());
    }

    // Compares the states with those of a search through all services before.
    void statesOfALongLaneAreThoseOfEachBanksLastService() {
        std::mt19937 random(2);
        Lane lane;
        std::int64_t end = 0;
        for (int i = 0; i < 3000; ++i) {
            const std::int64_t start = end + static_cast<std::int64_t>(random() % 30);
            end = start + 5 + static_cast<std::int64_t>(random() % 10);
            serve(lane, start, end,
                  {static_cast<std::uint8_t>(random() % 2), static_cast<std::uint8_t>(random() % 2),
                   static_cast<std::uint8_t>(1 + random() % 2), static_cast<std::uint8_t>(random() % 2)});
        }
        const BankHistory banks(lane, fourBanks());
        for (int i = 0; i < 500; ++i) {
            const auto ps = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end + 100));
            std::vector<BankState> wanted(4, BankState::closed);
            for (std::size_t span = 0; span < lane.spans.size() && lane.spans[span].start.ps <= ps; ++span)
                for (std::uint32_t group = 0; group < lane.places[span].groups; ++group) {
                    BankState& state = wanted[lane.places[span].bank * 2u + (lane.places[span].firstGroup + group) % 2];
                    const engine::Span& service = lane.spans[span];
                    state = ps < service.end.ps                                                    ? BankState::serving
                            : ps / 1000 > service.start.ps / 1000                                  ? BankState::closed
                            : lane.places[span].rowsOpened > 0 && ps - service.start.ps <= kRecent ? BankState::opened
                                                                                                   : BankState::open;
                }
            QVERIFY2(banks.at(ps, kRecent) == wanted, std::to_string(ps).c_str());
        }
    }
};

RINGSIDE_TEST(TestBankHistory)
#include "tst_bank_history.moc"
