#include "engine/api/footprint.h"
#include "engine/workload/stages.h"
#include "tests/test_program.h"

#include <algorithm>
#include <functional>
#include <string>

using namespace engine;

namespace {

Experiment stagedModel(std::int64_t layers, std::int64_t pp) {
    Experiment experiment;
    experiment.workload.hidden = 4096;
    experiment.workload.layers = layers;
    experiment.workload.vocabulary = 32000;
    experiment.parallel.tp = 4;
    experiment.division.pp = pp;
    return experiment;
}

/// Returns the paths of the parameters with problems, each once.
std::vector<std::string> faults(const Experiment& experiment, ModelPhase phase = ModelPhase::training) {
    std::vector<std::string> paths;
    for (const Problem& problem : footprintProblems(experiment, phase))
        paths.push_back(problem.path);
    return paths;
}

using Faults = std::vector<std::string>;

}  // namespace

class TestStages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstStagesTakeTheLayersThatAreLeft() {
        const std::vector<ModelStage> stages = stagesOf(10, {.pp = 4});
        const std::vector<ModelStage> expected{
            {3, true, false}, {3, false, false}, {2, false, false}, {2, false, true}};
        QVERIFY(stages == expected);
        QVERIFY(stagesOf(10, {.pp = 1}) == (std::vector<ModelStage>{{10, true, true}}));
    }

    void theEndStagesHaveTheEmbeddingAndOneStageHasItOnce() {
        for (const std::int64_t pp : {1, 2, 3}) {
            const Experiment experiment = stagedModel(6, pp);
            const OperatorGraph graph = operatorGraphOf(experiment, ModelPhase::training);
            const DividedWeights weights = dividedWeights(experiment, graph);
            std::int64_t sum = 0;
            for (const ModelStage& stage : weights.stages)
                sum += weights.of(stage);
            QCOMPARE(sum, graph.weightsOfModel() + (pp > 1 ? std::int64_t{32000} * 4096 / 4 : 0));
        }
    }

    void aBareNumberOfWeightsIsDividedEvenly() {
        Experiment experiment = stagedModel(6, 3);
        experiment.division.weights = 1'200'000'000;
        const DividedWeights weights = dividedBareWeights(experiment);
        QCOMPARE(weights.stages.size(), std::size_t{3});
        for (const ModelStage& stage : weights.stages)
            QCOMPARE(weights.of(stage), std::int64_t{100'000'000});
    }

    void whatIsWrongWithTheDivisionOrTheGraphIsSaid() {
        QVERIFY(faults(stagedModel(6, 6)).empty());
        QCOMPARE(faults(stagedModel(6, 7)), Faults{"division.pp"});
        Experiment experiment = stagedModel(6, 1);
        experiment.parallel.tp = 3;
        QCOMPARE(faults(experiment), Faults{"parallel.tp"});
        experiment.division.weights = 1'000'000;
        QVERIFY(faults(experiment).empty());
    }

    void deepSpeedsLargestLayerNeedsLayers() {
        Experiment experiment = stagedModel(6, 1);
        experiment.training.accounting = Accounting::deepspeed;
        experiment.division.sharding = Sharding::weights;
        QVERIFY(faults(experiment).empty());
        experiment.division.weights = 1'000'000;
        QCOMPARE(faults(experiment), Faults{"division.weights"});
        experiment.division.sharding = Sharding::gradients;
        QVERIFY(faults(experiment).empty());
    }

    void inferenceShardsNothingAndNeedsAModel() {
        Experiment experiment = stagedModel(6, 2);
        QVERIFY(faults(experiment, ModelPhase::prompt).empty());
        experiment.division.sharding = Sharding::optimizer;
        QCOMPARE(faults(experiment, ModelPhase::prompt), Faults{"division.sharding"});
        experiment.division.sharding = Sharding::none;
        experiment.division.weights = 1'000'000;
        QCOMPARE(faults(experiment, ModelPhase::generation), Faults{"division.weights"});
    }

    void aProblemNamesItsValueAndWhatIsAllowed() {
        const Problems problems = footprintProblems(stagedModel(6, 7), ModelPhase::training);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].value, std::string("7"));
        QVERIFY(problems[0].text.find("allowed: 1 to 6") != std::string::npos);
    }
};

RINGSIDE_TEST(TestStages)
#include "tst_stages.moc"
