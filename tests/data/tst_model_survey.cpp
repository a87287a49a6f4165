#include "data/model/model_survey.h"
#include "tests/test_program.h"

#include "data/model/model_memory.h"
#include "engine/api/parameters.h"
#include "engine/api/runner.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using engine::PolicyPreset;

namespace {

/// Returns a model that is simulated in milliseconds: 2048 tokens, H = 512.
engine::Experiment surveyedModel(const std::string& name, std::int64_t gpus) {
    engine::Experiment experiment;
    experiment.workload.model = name;
    experiment.workload.hidden = 512;
    experiment.workload.sequence = 1024;
    experiment.workload.batch = 2;
    experiment.workload.layers = 3;
    experiment.workload.vocabulary = 4096;
    experiment.parallel.tp = gpus;
    engine::applyDetailLevel(experiment, engine::DetailLevel::interactive);
    return experiment;
}

data::ModelRunOptions promptOptions() {
    data::ModelRunOptions options;
    options.phase = engine::ModelPhase::prompt;
    options.policies = {PolicyPreset::t3, PolicyPreset::idealOverlap};
    return options;
}

}  // namespace

class TestModelSurvey : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachRunIsThatOfTheModelByItself() {
        const std::vector bases{surveyedModel("small", 4), surveyedModel("small", 8)};
        const data::ModelSurvey survey = data::surveyModels(bases, promptOptions());
        QCOMPARE(survey.runs.size(), 2U);
        QVERIFY(survey.notices.empty());
        double logs = 0, most = 0;
        for (std::size_t i = 0; i < bases.size(); ++i) {
            const data::ModelRun alone = data::modelRun(bases[i], promptOptions());
            QCOMPARE(survey.runs[i].base.parallel.tp, bases[i].parallel.tp);
            QVERIFY(survey.runs[i].policies[1].time == alone.policies[1].time);
            logs += std::log(alone.policies[1].speedupOverSequential);
            most = std::max(most, alone.policies[1].speedupOverSequential);
        }
        QCOMPARE(survey.gains.size(), 2U);
        QCOMPARE(survey.gains[1].policy, PolicyPreset::idealOverlap);
        QVERIFY(std::abs(survey.gains[1].geomean - std::exp(logs / 2)) < 1e-12);
        QCOMPARE(survey.gains[1].maximum, most);
    }

    void whatOneModelSimulatedIsNotSimulatedForTheNext() {
        engine::Experiment deeper = surveyedModel("small", 4);
        deeper.workload.layers = 9;
        const data::ModelSurvey survey = data::surveyModels({surveyedModel("small", 4), deeper}, promptOptions());
        QCOMPARE(survey.runs[0].remembered, 0U);
        QCOMPARE(survey.runs[1].remembered, survey.runs[1].simulatedRuns + survey.runs[1].simulatedGemms);
        QVERIFY(survey.runs[1].sequential.time.total() > survey.runs[0].sequential.time.total());
    }

    // 3 divides neither K = 512 nor 2048.
    void aModelThatCannotRunIsLeftOutWithTheReason() {
        const data::ModelSurvey survey =
            data::surveyModels({surveyedModel("odd", 3), surveyedModel("small", 4)}, promptOptions());
        QCOMPARE(survey.runs.size(), 1U);
        QCOMPARE(survey.runs[0].base.workload.model, std::string("small"));
        QCOMPARE(survey.notices.size(), 1U);
        QCOMPARE(survey.notices[0].path, std::string("parallel.tp"));
        QVERIFY(survey.notices[0].text.starts_with("odd/tp3 left out: 3: does not divide"));
    }

    void whereNoneCanRunWhatIsWrongWithAllIsSaidOnce() {
        engine::Experiment one = surveyedModel("one", 3), two = surveyedModel("two", 3);
        const auto problemsOf = [&] {
            try {
                data::surveyModels({one, two}, promptOptions());
            } catch (const engine::InvalidExperiment& error) { return error.problems(); }
            return engine::Problems{};
        };
        engine::Problems problems = problemsOf();
        QCOMPARE(problems.size(), 1U);
        QVERIFY(problems[0].text.starts_with("does not divide"));
        two.workload.hidden = 1024;
        problems = problemsOf();
        QCOMPARE(problems.size(), 2U);
        QVERIFY(problems[0].text.starts_with("for one/tp3: "));
        QVERIFY(problems[1].text.starts_with("for two/tp3: "));
    }

    void progressRisesToOneOverAllModels() {
        std::vector<double> reported;
        data::ModelRunOptions options = promptOptions();
        options.progress = [&](double done) { reported.push_back(done); };
        data::surveyModels({surveyedModel("small", 4), surveyedModel("small", 8)}, options);
        QVERIFY(std::is_sorted(reported.begin(), reported.end()));
        QVERIFY(reported.front() <= 0.5);
        QCOMPARE(reported.back(), 1.0);
    }

    void aStopEndsAllOfThem() {
        std::stop_source stop;
        data::ModelRunOptions options = promptOptions();
        options.stop = stop.get_token();
        options.progress = [&](double done) {
            if (done >= 0.5)
                stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(engine::RunStopped,
                                 data::surveyModels({surveyedModel("small", 4), surveyedModel("small", 8)}, options));
    }
};

RINGSIDE_TEST(TestModelSurvey)
#include "tst_model_survey.moc"
