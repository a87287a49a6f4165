#include "data/evaluations/reproduce.h"
#include "data/experiment/experiment_document.h"
#include "data/laboratory/laboratory.h"
#include "data/laboratory/work_progress.h"
#include "data/model/model_run.h"
#include "data/questions/break_even.h"
#include "data/questions/sensitivity.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>

using data::WorkProgress;

namespace {

data::ExperimentDraft draftOf(std::initializer_list<const char*> settings) {
    data::ExperimentDraft draft = data::openDraft("t-nlg/fc-2/tp8").draft;
    engine::Problems problems;
    data::applySetting("detail.level=interactive", draft, problems);
    for (const char* setting : settings)
        data::applySetting(setting, draft, problems);
    return draft;
}

engine::Experiment experimentOf(std::initializer_list<const char*> settings) {
    return data::expand(draftOf(settings)).experiment;
}

/// Returns the progress that `work` reports, and checks that it rises and ends at 1.
template <typename Work>
std::vector<double> reportedBy(Work work) {
    std::vector<double> reported;
    work([&](double done) { reported.push_back(done); });
    if (reported.empty() || !std::is_sorted(reported.begin(), reported.end()) || reported.back() < 1 - 1e-9 ||
        reported.back() > 1)
        reported.clear();
    return reported;
}

/// Returns how many of the reported values are smaller than the progress at the end of the first of `runs` equal runs.
std::ptrdiff_t withinTheFirst(const std::vector<double>& reported, double runs) {
    return std::count_if(reported.begin(), reported.end(), [&](double done) { return done > 0 && done < 0.9 / runs; });
}

}  // namespace

class TestWorkProgress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachRunCountsByItsWork() {
        std::vector<double> reported;
        WorkProgress progress({1, 3, 0}, [&](double done) { reported.push_back(done); });
        progress.reached(1, 0.5);
        progress.ended(0);
        progress.ended(2);
        progress.ended(1);
        progress.ended(1);  // for the second time
        QCOMPARE(reported, (std::vector{0.375, 0.625, 0.625, 1.0}));
    }

    void itNeverFallsAndNeverLeavesItsRange() {
        std::vector<double> reported;
        WorkProgress progress({1, 1}, [&](double done) { reported.push_back(done); });
        progress.reached(0, 0.5);
        progress.reached(0, 0.2);
        progress.reached(0, 7);
        progress.reached(5, 1);  // there is no such run
        QCOMPARE(reported, (std::vector{0.25, 0.5}));
    }

    void whatNeedNotBeRunIsNoPartOfTheWork() {
        std::vector<double> reported;
        WorkProgress progress({1, 8, 1}, [&](double done) { reported.push_back(done); });
        progress.leaveOut(1);
        progress.ended(0);
        progress.ended(2);
        QCOMPARE(reported, (std::vector{0.5, 1.0}));
    }

    void nothingIsReportedWithoutAListener() {
        WorkProgress progress({1}, {});
        QVERIFY(!progress.of(0));
        engine::RunManyOptions many;
        progress.follow(many);
        QVERIFY(!many.progress && !many.finished);
        progress.ended(0);
    }

    void sharedBaselinesCostOnceAndALargerExperimentCostsMore() {
        data::RunCosts costs(true);
        const double first = costs.of(experimentOf({"policy=t3"})), second = costs.of(experimentOf({"policy=t3-mca"}));
        QVERIFY(first > 1.5 * second);
        QCOMPARE(costs.of(experimentOf({"policy=ideal-overlap"})), data::RunCosts::kEventsOfAnyRun);
        data::RunCosts alone(false);
        const double small = alone.of(experimentOf({"policy=t3"}));
        QCOMPARE(alone.of(experimentOf({"policy=t3"})), small);
        QVERIFY(alone.of(experimentOf({"policy=t3", "workload.batch=64"})) > 4 * small);
    }

    void timeLeftIsKnownOnceThereIsSomethingToKnowItFrom() {
        QVERIFY(!data::secondsLeft(0.9, 0.5));
        QVERIFY(!data::secondsLeft(10, 0.019));
        QCOMPARE(*data::secondsLeft(1, 0.5), 1.0);
        QCOMPARE(*data::secondsLeft(10, 0.02), 490.0);
        QCOMPARE(*data::secondsLeft(10, 1), 0.0);
    }

    // Earlier versions of these functions reported progress only when a whole run had ended.

    void aSensitivityTellsOfTheRunAtWork() {
        const auto reported = reportedBy([](auto report) {
            data::SensitivityOptions options;
            options.seeds = 1;
            options.progress = report;
            data::sensitivityOf(experimentOf({"workload.batch=32"}), options);
        });
        QVERIFY(withinTheFirst(reported, 20) >= 1);
    }

    void aBreakEvenReportsProgressWithinARun() {
        for (const char* against : {"", "sequential"}) {
            data::BreakEvenQuestion question;
            question.draft = draftOf({"workload.batch=32"});
            question.parameter = "link.bandwidth";
            question.from = std::int64_t{50'000'000'000};
            question.to = std::int64_t{1'000'000'000'000};
            question.metric = "time_ps.total";
            question.target = 1;
            question.against = against;
            std::vector<double> reported;
            data::BreakEvenOptions options;
            options.progress = [&](double done) { reported.push_back(done); };
            data::breakEven(question, options);
            QVERIFY(std::is_sorted(reported.begin(), reported.end()) && reported.back() <= 1);
            QVERIFY(withinTheFirst(reported, 12) >= 1);
        }
    }

    void aComparisonCountsPoliciesByTheirWork() {
        const auto reported = reportedBy([](auto report) {
            engine::RunOptions options;
            options.progress = report;
            data::Laboratory().compare(draftOf({"workload.batch=32"}), {"sequential", "ideal-overlap", "t3"}, options);
        });
        // The bound takes no time itself: progress in its third is reported by the runs that take time.
        QVERIFY(std::count_if(reported.begin(), reported.end(),
                              [](double done) { return done > 0.36 && done < 0.64; }) >= 1);
    }

    void aWholeModelTellsOfTheRunAtWork() {
        const auto reported = reportedBy([](auto report) {
            data::ModelRunOptions options;
            options.policies = {engine::PolicyPreset::sequential};
            options.progress = report;
            data::modelRun(experimentOf({"workload.batch=32"}), options);
        });
        QVERIFY(withinTheFirst(reported, 12) >= 1);
    }

    void theEvaluationTellsOfItsTracesToo() {
        const auto reported = reportedBy([](auto report) {
            data::ReproduceOptions options;
            options.settings = draftOf({}).explicitValues;
            options.settings.erase("policy.preset");
            options.progress = report;
            data::reproduce(options);
        });
        QVERIFY(!reported.empty());
    }
};

RINGSIDE_CORE_TEST(TestWorkProgress)
#include "tst_work_progress.moc"
