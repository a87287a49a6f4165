#include "data/questions/carrier_crossover.h"
#include "engine/api/parameters.h"
#include "tests/test_program.h"

#include <QtTest>

#include <string>

using namespace data;

namespace {

ExperimentDraft draftOfCarriers(const Settings& more = {}) {
    ExperimentDraft draft;
    draft.explicitValues = {{"workload.sublayer", "gemm"},        {"matrix.m", std::int64_t{2048}},
                            {"matrix.n", std::int64_t{2048}},     {"matrix.k", std::int64_t{512}},
                            {"cu.count", std::int64_t{32}},       {"detail.level", "interactive"},
                            {"companion.operation", "all-gather"}};
    for (const auto& [path, value] : more)
        draft.explicitValues.insert_or_assign(path, value);
    return draft;
}

/// Returns an answer with three sizes, at which a kernel takes `times` microseconds and copies take 10.
BreakEven answerOfCarriers(const std::vector<double>& times) {
    BreakEven answer;
    constexpr double kMicrosecond = 1e6;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::int64_t bytes = std::int64_t{65'536} << i;
        answer.steps.push_back({bytes, times[i] * kMicrosecond, 10 * kMicrosecond, times[i] <= 10, false, {}});
        if (i > 0 && answer.steps[i].holds != answer.steps[i - 1].holds)
            answer.crossings.push_back({i - 1, i});
    }
    return answer;
}

}  // namespace

class TestCarrierCrossover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itAsksAboutAKernelThatGetsRoomFirst() {
        const auto question = carrierQuestion(draftOfCarriers({{"companion.by", "dma"}}));
        QVERIFY(question);
        QVERIFY(check(*question).empty());
        const engine::Experiment kernel = expandValues(question->draft).experiment;
        QCOMPARE(kernel.companion.by, engine::CollectiveCarrier::kernel);
        QCOMPARE(kernel.dispatch.rule, engine::DispatchRule::companionFirst);
        QCOMPARE(question->against, std::string("companion.by=dma"));
    }

    void itAsksUpToTheSizeOfTheCompanion() {
        const auto largest = [](std::int64_t bytes) {
            return std::get<std::int64_t>(carrierQuestion(draftOfCarriers({{"companion.bytes", bytes}}))->to);
        };
        constexpr std::int64_t kMiB = 1024 * 1024;
        QCOMPARE(largest(kMiB), 64 * kMiB);
        QCOMPARE(largest(65 * kMiB), 65 * kMiB);
    }

    void whatCannotBeCopiedHasNoQuestion() {
        QVERIFY(!carrierQuestion(draftOfCarriers({{"companion.operation", "gemm"}})));
        QVERIFY(!carrierQuestion(draftOfCarriers({{"companion.operation", "none"}})));
        const Settings reduces{{"companion.operation", "all-reduce"}, {"policy.preset", "sequential"}};
        QVERIFY(!carrierQuestion(draftOfCarriers(reduces)));
        Settings nearMemory = reduces;
        nearMemory.insert_or_assign("collective.reduction", "nmc");
        QVERIFY(carrierQuestion(draftOfCarriers(nearMemory)));
    }

    void theSentenceNamesTheSizesOnBothSides() {
        const auto question = *carrierQuestion(draftOfCarriers());
        QCOMPARE(
            carrierSentence(question, answerOfCarriers({8, 9, 11})),
            std::string("A kernel takes no longer than copies up to 128 KiB (9.000 µs, copies 10.00 µs); not at 256 "
                        "KiB (11.00 µs, copies 10.00 µs)."));
        QCOMPARE(carrierSentence(question, answerOfCarriers({8, 11, 9})),
                 std::string("A kernel takes no longer than copies up to 64 KiB (8.000 µs, copies 10.00 µs), and from "
                             "256 KiB (9.000 µs, copies 10.00 µs) on; not at 128 KiB (11.00 µs, copies 10.00 µs)."));
        QCOMPARE(
            carrierSentence(question, answerOfCarriers({11, 9, 12})),
            std::string("A kernel takes no longer than copies at 128 KiB (9.000 µs, copies 10.00 µs); not at 64 KiB "
                        "(11.00 µs, copies 10.00 µs), 256 KiB (12.00 µs, copies 10.00 µs)."));
        QCOMPARE(carrierSentence(question, answerOfCarriers({11, 12})),
                 std::string("A kernel takes no longer than copies at none of the 2 sizes that were tried, from 64 KiB "
                             "(11.00 µs, copies 10.00 µs) to 128 KiB (12.00 µs, copies 10.00 µs)."));
        QCOMPARE(carrierSentence(question, answerOfCarriers({8, 9})),
                 std::string("A kernel takes no longer than copies at all 2 sizes that were tried, from 64 KiB (8.000 "
                             "µs, copies 10.00 µs) to 128 KiB (9.000 µs, copies 10.00 µs)."));
    }

    void copiesThatTheHostHandsOverSlowlyLoseForSmallSizes() {
        const auto question = *carrierQuestion(draftOfCarriers({{"companion.issue", std::int64_t{20'000'000}}}));
        const BreakEven answer = breakEven(question);
        QVERIFY(answer.steps.front().holds);
        const auto quick = *carrierQuestion(draftOfCarriers({{"companion.issue", std::int64_t{0}}}));
        const BreakEven other = breakEven(quick);
        QVERIFY(other.steps.front().target < answer.steps.front().target);
        QCOMPARE(other.steps.front().number, answer.steps.front().number);
    }
};

RINGSIDE_TEST(TestCarrierCrossover)
#include "tst_carrier_crossover.moc"
