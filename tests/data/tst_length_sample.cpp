#include "data/questions/length_sample.h"
#include "tests/test_program.h"

#include "data/experiment/experiment_document.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace data;

namespace {

LengthReading readingOf(const std::string& text) { return readLengths(text, "lengths.csv"); }

std::string lengthProblemOf(const std::string& text) {
    const LengthReading reading = readingOf(text);
    return reading.problems.empty() ? std::string() : engine::describe(reading.problems.front());
}

/// Returns lengths whose iterations take a fixed time and a time for each step of the length.
std::vector<TimedLength> linearTimes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::lognormal_distribution<double> lengths(3.5, 0.8);
    std::vector<TimedLength> times;
    while (times.size() < count) {
        const auto length = static_cast<std::int64_t>(std::llround(lengths(random)));
        const bool known =
            std::ranges::any_of(times, [&](const TimedLength& each) { return each.length.length == length; });
        if (length > 0 && !known)
            times.push_back({{length, std::uniform_int_distribution<std::int64_t>(1, 200)(random)},
                             {5'000'000 + 1'000'000 * length}});
    }
    return times;
}

std::int64_t iterationsOf(const std::vector<TimedLength>& times) {
    std::int64_t sum = 0;
    for (const TimedLength& each : times)
        sum += each.length.count;
    return sum;
}

}  // namespace

class TestLengthSample : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fewLengthsAreAllChosen() {
        const std::vector<TimedLength> times = linearTimes(kFewLengths, 1);
        const LengthSample sample = sampleOf(times, 0, 5);
        QCOMPARE(sample.chosen.size(), kFewLengths);
        QCOMPARE(sample.error(), 0.0);
        QCOMPARE(sample.bins, std::size_t{0});
        QVERIFY(sampleOf(linearTimes(kFewLengths + 1, 1), 1, 2).chosen.size() <= 2);
    }

    void aSampleStandsForAllIterationsWithinTheError() {
        std::size_t before = 0;
        for (const double error : {0.5, 0.05, 0.01, 0.001, 0.0001}) {
            const std::vector<TimedLength> times = linearTimes(105, 7);
            const LengthSample sample = sampleOf(times, error, 1);
            std::int64_t weights = 0;
            double projected = 0;
            for (const ChosenLength& chosen : sample.chosen) {
                weights += chosen.weight;
                projected += static_cast<double>(chosen.weight) * static_cast<double>(chosen.time.ps);
            }
            QCOMPARE(weights, iterationsOf(times));
            QCOMPARE(sample.projected, projected);
            QCOMPARE(sample.total, epochOf(times));
            QVERIFY(std::abs(sample.error()) <= error);
            QVERIFY(sample.bins >= before);  // a smaller error never needs fewer bins
            before = sample.bins;
            QVERIFY(sample.chosen.size() <= sample.bins);
        }
    }

    void moreBinsAreTakenOnlyWhereTheErrorAsksForThem() {
        constexpr double kSmall = 1e-5;
        const std::vector<TimedLength> times = linearTimes(105, 7);
        const LengthSample sample = sampleOf(times, kSmall, 1);
        QVERIFY(sample.bins > 1);
        // With one bin less the error is above what is asked.
        QVERIFY(std::abs(sampleOf(times, 1, sample.bins - 1).error()) > kSmall);
        QCOMPARE(sampleOf(times, kSmall, sample.bins).chosen, sample.chosen);
    }

    void oneLengthInABinIsExact() {
        const std::vector<TimedLength> times = linearTimes(60, 3);
        QCOMPARE(sampleOf(times, 0, 1'000'000).error(), 0.0);
        QCOMPARE(sampleOf(times, 0, 1'000'000).chosen.size(), times.size());
    }

    void theOrderOfTheLinesDoesNotMatter() {
        std::vector<TimedLength> times = linearTimes(80, 5);
        const LengthSample sample = sampleOf(times, 0.01, 5);
        std::ranges::shuffle(times, std::mt19937(2));
        QCOMPARE(sampleOf(times, 0.01, 5).chosen, sample.chosen);
    }

    void oneLengthAloneIsComparedWithAll() {
        const std::vector<TimedLength> times{{{10, 1}, {100}}, {{20, 5}, {200}}, {{30, 2}, {300}}, {{90, 1}, {900}}};
        const std::vector<LoneLength> lone = loneLengths(times);
        QCOMPARE(lone.size(), std::size_t{4});
        const double total = 100 + 5 * 200 + 2 * 300 + 900;
        const auto expect = [&](std::size_t place, std::int64_t length, double time) {
            QCOMPARE(lone[place].length, length);
            QVERIFY(std::abs(lone[place].error - (9 * time / total - 1)) < 1e-12);
        };
        expect(0, 20, 200);  // most frequent
        expect(1, 20, 200);  // median
        expect(2, 90, 900);  // longest
        expect(3, 10, 100);  // first
    }

    void anotherMachineIsProjectedWithTheSameLengths() {
        const std::vector<TimedLength> times = linearTimes(40, 9);
        std::vector<TimedLength> faster = times;
        for (TimedLength& each : faster)
            each.time.ps /= 2;
        const LengthSample sample = sampleOf(times, 0.01, 5);
        QVERIFY(std::abs(sample.projected / projectedWith(sample, faster) - 2) < 1e-6);
    }

    void lengthsAreReadOnceEach() {
        const LengthReading reading = readingOf("# a comment\nlength,count\n8,3\n16,2\n8,4\n");
        QVERIFY(reading.problems.empty());
        QCOMPARE(reading.lengths, (std::vector<LengthCount>{{8, 7}, {16, 2}}));
        QCOMPARE(readingOf("length\n8\n8\n9\n").lengths, (std::vector<LengthCount>{{8, 2}, {9, 1}}));
    }

    void mistakesAreNamedWithTheirPlace() {
        QVERIFY(lengthProblemOf("length,count\n8,0\n").starts_with("lengths.csv:2 count"));
        QVERIFY(lengthProblemOf("length\n0\n").find("1 to 1048576") != std::string::npos);
        QCOMPARE(lengthProblemOf("length\n1048576\n"), std::string());
        QVERIFY(lengthProblemOf("length\n1048577\n").find("lengths.csv:2 length") != std::string::npos);
        QVERIFY(lengthProblemOf("count\n8\n").find("the column length is missing") != std::string::npos);
        QVERIFY(lengthProblemOf("length,weight\n8,1\n").find("no such column") != std::string::npos);
        QVERIFY(lengthProblemOf("length\n").find("at least one") != std::string::npos);
    }

    void aTrainingStepIsTimedWithEachLength() {
        ExperimentDraft draft{{{"workload.model", "mega-gpt-2"},
                               {"parallel.tp", std::int64_t{8}},
                               {"workload.batch", std::int64_t{1}},
                               {"detail.level", "interactive"}}};
        const engine::Experiment model = expand(draft).experiment;
        const std::vector<LengthCount> lengths{{64, 2}, {256, 1}, {128, 3}};
        QVERIFY(lengthProblems(model, lengths).empty());
        std::vector<double> progress;
        LengthTimesOptions options;
        options.progress = [&](double done) { progress.push_back(done); };
        const std::vector<TimedLength> times = timesOfLengths(model, lengths, options).times;
        QCOMPARE(times.size(), lengths.size());
        QVERIFY(times[0].time < times[2].time && times[2].time < times[1].time);
        QVERIFY(std::ranges::is_sorted(progress) && !progress.empty() && progress.back() <= 1);
        std::stop_source stopped;
        stopped.request_stop();
        options.stop = stopped.get_token();
        options.memory = std::make_shared<ModelMemory>();
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped, timesOfLengths(model, lengths, options));
    }
};

RINGSIDE_CORE_TEST(TestLengthSample)
#include "tst_length_sample.moc"
