#include "data/sweep/sweep_document.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;
using engine::Parameter;
using engine::ParameterValue;

namespace {

constexpr std::int64_t kGiga = 1'000'000'000;

const Parameter& at(const char* path) { return *engine::findParameter(path); }

ParameterValue parsed(const char* path, const char* text) {
    engine::Problems problems;
    const auto value = engine::parseValue(at(path), text, problems);
    if (!value)
        qFatal("%s %s", path, text);
    return *value;
}

AxisRange range(const char* path, const char* from, const char* to, std::int64_t count, bool logarithmic) {
    return {parsed(path, from), parsed(path, to), count, logarithmic};
}

/// Returns the values as text, or the problems.
std::string textOf(const char* path, const AxisRange& range) {
    engine::Problems problems;
    const auto values = valuesOf(at(path), range, problems);
    std::string text;
    for (const ParameterValue& value : values)
        text += (text.empty() ? "" : ", ") + engine::formatValue(at(path), value);
    for (const engine::Problem& problem : problems)
        text += "! " + describe(problem) + "\n";
    return text;
}

std::string textOf(const char* path, const char* from, const char* to, std::int64_t count, bool logarithmic) {
    return textOf(path, range(path, from, to, count, logarithmic));
}

}  // namespace

class TestAxisRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stepsAreEqualAndBothEndsAreIncluded() {
        QCOMPARE(textOf("link.bandwidth", "100 GB/s", "200 GB/s", 5, false),
                 std::string("100 GB/s, 125 GB/s, 150 GB/s, 175 GB/s, 200 GB/s"));
        QCOMPARE(textOf("link.bandwidth", "200 GB/s", "100 GB/s", 3, false),
                 std::string("200 GB/s, 150 GB/s, 100 GB/s"));
        QCOMPARE(textOf("cu.tensor_efficiency", "0.1", "0.5", 5, false), std::string("0.1, 0.2, 0.3, 0.4, 0.5"));
    }

    void ratiosAreEqualOnALogScale() {
        QCOMPARE(textOf("link.bandwidth", "25 GB/s", "400 GB/s", 5, true),
                 std::string("25 GB/s, 50 GB/s, 100 GB/s, 200 GB/s, 400 GB/s"));
        QCOMPARE(textOf("link.bandwidth", "1 TB/s", "10 GB/s", 3, true), std::string("1 TB/s, 100 GB/s, 10 GB/s"));
    }

    void valuesBetweenTheEndsAreRoundedToFourDigits() {
        // 25 x 2^(1/2) = 35.35533906, 25 x 2^(3/2) = 70.71067812.
        QCOMPARE(textOf("link.bandwidth", "25 GB/s", "100 GB/s", 5, true),
                 std::string("25 GB/s, 35.36 GB/s, 50 GB/s, 70.71 GB/s, 100 GB/s"));
        QCOMPARE(textOf("link.bandwidth", "100 GB/s", "200 GB/s", 4, false),
                 std::string("100 GB/s, 133.3 GB/s, 166.7 GB/s, 200 GB/s"));
    }

    void theEndsAreNeverRounded() {
        engine::Problems problems;
        const AxisRange odd{std::int64_t{12'345'678'901}, std::int64_t{98'765'432'109}, 4, true};
        const auto values = valuesOf(at("link.bandwidth"), odd, problems);
        QVERIFY(values.front() == odd.from && values.back() == odd.to);
    }

    void narrowRangesAreNotRoundedIntoUnequalSteps() {
        // Steps of 1/3 of 100 B/s at 100 GB/s: with four digits all values would be equal.
        engine::Problems problems;
        const auto values = valuesOf(at("link.bandwidth"), {100 * kGiga, 100 * kGiga + 100, 4, false}, problems);
        QVERIFY((values ==
                 std::vector<ParameterValue>{100 * kGiga, 100 * kGiga + 33, 100 * kGiga + 67, 100 * kGiga + 100}));
    }

    void wholeNumbersDiffer() {
        // Equal ratios would give 1, 1.35, 1.81, 2.44, 3.28, 4.42, 5.95, 8: rounded, one value would occur twice.
        QCOMPARE(textOf("dma.block_tiles", "1", "8", 8, true), std::string("1, 2, 3, 4, 5, 6, 7, 8"));
        QCOMPARE(textOf("dma.block_tiles", "8", "1", 8, true), std::string("8, 7, 6, 5, 4, 3, 2, 1"));
        QCOMPARE(textOf("dma.block_tiles", "1", "64", 7, true), std::string("1, 2, 4, 8, 16, 32, 64"));
    }

    void moreValuesThanThereAreIsAProblemThatSaysHowMany() {
        QCOMPARE(
            textOf("dma.block_tiles", "1", "8", 9, false),
            std::string(
                "! count: 9: not possible with these ends; allowed: 2 to 8, as many as there are values between the ends\n"));
        QCOMPARE(textOf("link.bandwidth", "1 GB/s", "2 GB/s", 1, false),
                 std::string("! count: 1: not possible with these ends; allowed: 2 to 1000000\n"));
        QVERIFY(textOf("link.bandwidth", "1 GB/s", "2 GB/s", 1'000'001, false).starts_with("! count"));
    }

    void aParameterOfPowersOfTwoGoesThroughThem() {
        const char* path = "detail.granule";
        QVERIFY(at(path).powerOfTwo);
        QCOMPARE(textOf(path, "1 KiB", "16 KiB", 5, true), std::string("1 KiB, 2 KiB, 4 KiB, 8 KiB, 16 KiB"));
        QCOMPARE(textOf(path, "16 KiB", "1 KiB", 3, true), std::string("16 KiB, 4 KiB, 1 KiB"));
        QCOMPARE(
            textOf(path, "1 KiB", "16 KiB", 6, true),
            std::string(
                "! count: 6: not possible with these ends; allowed: 2 to 5, as many as there are values between the ends\n"));
        QVERIFY(textOf(path, "1 KiB", "16 KiB", 3, false).starts_with("! scale: linear: "));
    }

    void sizesOfMemoryKeepTheirPowersOfTwo() {
        QCOMPARE(textOf("memory.queue", "64 KiB", "256 KiB", 4, false),
                 std::string("64 KiB, 128 KiB, 192 KiB, 256 KiB"));
    }

    void endsThatMakeNoRangeAreProblems() {
        QCOMPARE(textOf("link.latency", "0", "1 us", 3, true),
                 std::string("! scale: log: equal ratios cannot begin or end at 0; allowed: linear\n"));
        QCOMPARE(textOf("link.latency", "1 us", "1 us", 3, false),
                 std::string("! to: 1 µs: the same as from; a range needs two different ends\n"));
        QVERIFY(textOf("dma.window", "unlimited", "64 KiB", 3, false).starts_with("! from: unlimited: a word"));
        QVERIFY(textOf("policy.order", "plain", "staggered", 2, false)
                    .starts_with("! from: plain: policy.order has words"));
        QVERIFY(
            textOf("link.bandwidth", {std::int64_t{-5}, 100 * kGiga, 3, false}).starts_with("! from: -5 B/s: below"));
    }

    void aMillionValuesDiffer() {
        engine::Problems problems;
        const auto values = valuesOf(at("link.bandwidth"), {kGiga, 1000 * kGiga, 1'000'000, true}, problems);
        QVERIFY(problems.empty());
        QCOMPARE(values.size(), kMostPoints);
        for (std::size_t i = 1; i < values.size(); ++i)
            QVERIFY(std::get<std::int64_t>(values[i - 1]) < std::get<std::int64_t>(values[i]));
    }
};

RINGSIDE_TEST(TestAxisRange)
#include "tst_axis_range.moc"
