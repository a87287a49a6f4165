#include "engine/api/expected_work.h"
#include "tests/engine/experiments.h"
#include "tests/engine/print.h"
#include "tests/test_program.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <semaphore>
#include <set>
#include <stdexcept>
#include <thread>

using namespace engine;

namespace {

/// Experiments that can be told apart by their results: the same GEMM on 2, 4, 8 … GPUs under three policies.
std::vector<Experiment> differentExperiments() {
    std::vector<Experiment> experiments;
    for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca})
        for (const std::int64_t tp : {2, 4, 8, 16})
            experiments.push_back(tests::smallExperiment(policy, tp));
    return experiments;
}

RunManyOptions onThreads(int threads) {
    RunManyOptions options;
    options.threads = threads;
    return options;
}

}  // namespace

class TestParallelRunner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outcomesStandInTheOrderOfTheExperimentsOnAnyNumberOfThreads() {
        const std::vector<Experiment> experiments = differentExperiments();
        for (const int threads : {1, 2, 8}) {
            const std::vector<RunOutcome> outcomes = runMany(experiments, onThreads(threads));
            QCOMPARE(outcomes.size(), experiments.size());
            for (std::size_t i = 0; i < experiments.size(); ++i) {
                QVERIFY(outcomes[i].result.has_value());
                const RunResult alone = engine::run(experiments[i]);
                QVERIFY(outcomes[i].result->last == alone.last);
                QVERIFY(outcomes[i].result->isolated == alone.isolated);
                QCOMPARE(outcomes[i].result->events, alone.events);
                QVERIFY(outcomes[i].failure.empty() && !outcomes[i].stopped);
            }
        }
    }

    void oneThatFailsDoesNotStopTheOthers() {
        std::vector<Experiment> experiments = differentExperiments();
        experiments[1].parallel.tp = 7;   // does not divide K
        experiments[5].tracker.ways = 0;  // can never end
        for (const int threads : {1, 4}) {
            const std::vector<RunOutcome> outcomes = runMany(experiments, onThreads(threads));
            for (std::size_t i = 0; i < outcomes.size(); ++i) {
                const bool fails = i == 1 || i == 5;
                QCOMPARE(outcomes[i].result.has_value(), !fails);
                QCOMPARE(!outcomes[i].failure.empty(), fails);
                QVERIFY(!outcomes[i].stopped);
            }
            QVERIFY(outcomes[1].failure.find("parallel.tp") != std::string::npos);
            QVERIFY(outcomes[5].failure.find("tracker") != std::string::npos);
        }
    }

    void eachEndIsReportedOnceWithARisingCount() {
        const std::vector<Experiment> experiments = differentExperiments();
        RunManyOptions options = onThreads(4);
        std::set<std::size_t> reported;
        std::size_t last = 0;
        bool rises = true;
        options.finished = [&](std::size_t index, const RunOutcome& outcome, std::size_t count) {
            rises = rises && count == last + 1 && outcome.result.has_value();
            last = count;
            reported.insert(index);
        };
        runMany(experiments, options);
        QVERIFY(rises);
        QCOMPARE(reported.size(), experiments.size());
    }

    void aStopLeavesTheRestUndoneAndKeepsWhatIsDone() {
        // 400 runs, stopped by the third that ends: each thread finishes at most the run it is at.
        std::vector<Experiment> experiments(400, tests::smallExperiment(PolicyPreset::t3));
        for (const int threads : {1, 2, 8}) {
            std::stop_source source;
            RunManyOptions options = onThreads(threads);
            options.stop = source.get_token();
            options.finished = [&](std::size_t, const RunOutcome&, std::size_t count) {
                if (count == 3)
                    source.request_stop();
            };
            const std::vector<RunOutcome> outcomes = runMany(experiments, options);
            const auto done = std::count_if(outcomes.begin(), outcomes.end(),
                                            [](const RunOutcome& outcome) { return outcome.result.has_value(); });
            QVERIFY(done >= 3 && done <= 3 + threads);
            for (const RunOutcome& outcome : outcomes)
                QVERIFY(outcome.stopped != outcome.result.has_value());
        }
    }

    void outcomesThatAreNotKeptAreTheCallersToTake() {
        const std::vector<Experiment> experiments = differentExperiments();
        RunManyOptions options = onThreads(2);
        options.keepOutcomes = false;
        std::vector<std::optional<RunResult>> taken(experiments.size());
        options.finished = [&](std::size_t index, RunOutcome& outcome, std::size_t) {
            taken[index] = std::move(outcome.result);
        };
        QVERIFY(runMany(experiments, options).empty());
        for (std::size_t i = 0; i < experiments.size(); ++i)
            QVERIFY(taken[i]->last == tests::runAlone(experiments[i]).last);
    }

    void noRunBeginsWhileTheGateIsShut() {
        std::vector<Experiment> experiments(20, tests::smallExperiment(PolicyPreset::t3));
        std::atomic<int> passed = 0, finished = 0;
        std::binary_semaphore open(0);
        RunManyOptions options = onThreads(2);
        options.gate = [&] {
            if (++passed > 6) {
                open.acquire();
                open.release();
            }
        };
        options.finished = [&](std::size_t, RunOutcome&, std::size_t) { ++finished; };
        std::jthread runner([&] { runMany(experiments, options); });
        while (finished < 6)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        QCOMPARE(finished.load(), 6);
        open.release();
        runner.join();
        QCOMPARE(finished.load(), 20);
    }

    void whatTheReceiverThrowsEndsTheWhole() {
        const std::vector<Experiment> experiments(200, tests::smallExperiment(PolicyPreset::t3));
        for (const int threads : {1, 4}) {
            std::atomic<int> begun = 0;
            int received = 0;
            RunManyOptions options = onThreads(threads);
            options.gate = [&] { ++begun; };
            options.finished = [&](std::size_t, RunOutcome&, std::size_t) {
                if (++received == 3) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    throw std::runtime_error("full");
                }
            };
            QVERIFY_EXCEPTION_THROWN(runMany(experiments, options), std::runtime_error);
            QCOMPARE(received, 3);
            QVERIFY(begun >= 3 && begun <= 3 + threads - 1);  // each other thread is within one run
        }
    }

    void whatTakesLongestBeginsFirst() {
        std::vector<Experiment> experiments(3, tests::smallExperiment(PolicyPreset::t3));
        experiments[1].workload.batch = 8;
        experiments[2].workload.batch = 32;
        std::vector<std::size_t> order;
        RunManyOptions options = onThreads(1);
        options.finished = [&](std::size_t index, RunOutcome&, std::size_t) { order.push_back(index); };
        runMany(experiments, options);
        QVERIFY((order == std::vector<std::size_t>{2, 1, 0}));
    }

    void expectedEventsAreWithinAFactorOfTwoOfThoseOfARun() {
        for (const PolicyPreset policy : {PolicyPreset::sequential, PolicyPreset::t3, PolicyPreset::t3Mca})
            for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::standard}) {
                const Experiment experiment = tests::tNlgFc2(policy, level);
                const double ratio =
                    static_cast<double>(tests::runAlone(experiment).events) / expectedEvents(experiment);
                QVERIFY2(ratio > 0.5 && ratio < 2, std::to_string(ratio).c_str());
            }
    }

    void expectedEventsOfAGemmAloneAreThoseOfItsRunAsWell() {
        Experiment experiment;
        experiment.workload.sublayer = SubLayer::gemm;
        applyPolicyPreset(experiment, PolicyPreset::sequential);
        for (const std::int64_t k : {512, 4096}) {
            experiment.matrix = {4096, 2048, k};
            const double ratio = static_cast<double>(tests::runAlone(experiment).events) / expectedEvents(experiment);
            QVERIFY2(ratio > 0.5 && ratio < 2, std::to_string(ratio).c_str());
        }
    }

    void aCompanionIsExpectedBesideAndAlone() {
        Experiment experiment = tests::tNlgFc2(PolicyPreset::sequential, DetailLevel::interactive);
        const double own = expectedEvents(experiment);
        experiment.companion.operation = CompanionOperation::gemm;
        QVERIFY(expectedEvents(experiment) > 1.5 * own);
        const double one = expectedEvents(experiment) - own;
        experiment.companion.copies = 3;
        QCOMPARE(std::llround(expectedEvents(experiment) - own), std::llround(3 * one));
        ExpectedWork work;
        work.add(experiment);
        QCOMPARE(work.baselineRuns(), std::size_t{2});
        QCOMPARE(std::llround(work.events()), std::llround(2 * (own + 3 * one)));
        experiment.dispatch.rule = DispatchRule::roundRobin;  // the parts alone are known
        work.add(experiment);
        QCOMPARE(work.baselineRuns(), std::size_t{2});
        QCOMPARE(std::llround(work.events()), std::llround(3 * (own + 3 * one)));
    }

    void nothingToRunIsNothingToReport() { QVERIFY(runMany(std::vector<Experiment>{}, onThreads(4)).empty()); }
};

RINGSIDE_TEST(TestParallelRunner)
#include "tst_parallel_runner.moc"
