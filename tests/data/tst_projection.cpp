#include "data/laboratory/laboratory.h"
#include "data/model/model_memory.h"
#include "data/model/model_point.h"
#include "data/model/projection.h"
#include "data/results/metrics.h"
#include "data/results/result_json.h"
#include "engine/api/runner.h"
#include "tests/data/said.h"
#include "tests/small_model.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

using namespace data;

namespace {

using engine::Operator;
using engine::OperatorKind;

ModelRunOptions sequentialOf(engine::ModelPhase phase = engine::ModelPhase::training) {
    ModelRunOptions options;
    options.phase = phase;
    options.policies = {engine::PolicyPreset::sequential};
    return options;
}

/// Returns twice as wide a model as smallModel, with three times the sequences, on twice as many GPUs.
engine::Experiment largerModel() {
    engine::Experiment experiment = tests::smallModel();
    experiment.workload.model = "larger";
    experiment.workload.hidden *= 2;
    experiment.workload.batch *= 3;
    experiment.workload.layers = 5;
    experiment.parallel.tp *= 2;
    return experiment;
}

/// Returns the quantity with which the time of an operator is meant to grow.
double quantityOf(const Operator& op, std::int64_t gpus) {
    const auto bytes = static_cast<double>(op.bytes.count), n = static_cast<double>(gpus);
    if (op.kind == OperatorKind::collective)
        return bytes * (n - 1) / n;
    return op.kind == OperatorKind::elementWise ? bytes : op.flops;
}

std::string refusalOf(const engine::Experiment& target, const engine::Experiment& source,
                      const ModelRunOptions& options = sequentialOf()) {
    return tests::described(projectionProblems(target, source, options));
}

}  // namespace

class TestProjection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aModelProjectedFromItselfHasItsSimulatedTimes() {
        for (const engine::ModelPhase phase :
             {engine::ModelPhase::training, engine::ModelPhase::prompt, engine::ModelPhase::generation}) {
            const engine::Experiment model = tests::smallModel(engine::AttentionOperators::separate);
            const ModelRun simulated = modelRun(model, sequentialOf(phase));
            const ModelRun projected = projectedRun(model, model, sequentialOf(phase));
            QVERIFY(projected.sequential.time == simulated.sequential.time);
            QVERIFY(projected.policies.size() == 1 && projected.policies[0].time == simulated.policies[0].time);
            for (std::size_t i = 0; i < simulated.graph.operators.size(); ++i)
                QCOMPARE(projected.sequential.operators[i].whole.ps, simulated.sequential.operators[i].whole.ps);
            QCOMPARE(projected.sequential.communicationShare, simulated.sequential.communicationShare);
            QVERIFY(projected.projection && !simulated.projection);
        }
    }

    void everyOperatorGrowsByTheLawOfItsKind() {
        const engine::Experiment source = tests::smallModel(), target = largerModel();
        const ModelRun small = modelRun(source, sequentialOf());
        const ModelRun large = projectedRun(target, source, sequentialOf());
        QCOMPARE(large.graph.operators.size(), small.graph.operators.size());
        engine::Duration sum;
        for (std::size_t i = 0; i < large.graph.operators.size(); ++i) {
            const Operator &op = large.graph.operators[i], &same = *small.graph.find(op.id);
            const auto at = static_cast<std::size_t>(&same - small.graph.operators.data());
            const double factor = quantityOf(op, 8) / quantityOf(same, 4);
            const auto time = [](const OperatorTime& of) { return static_cast<double>(of.time.total().ps); };
            QVERIFY2(std::abs(time(large.sequential.operators[i]) - factor * time(small.sequential.operators[at])) <=
                         1.5,
                     op.id.c_str());
            sum += large.sequential.operators[i].time.total() * op.count;
        }
        QCOMPARE(large.sequential.time.total().ps, sum.ps);
        // Fc-2 computes 2 T H 4H/N operations, and its all-reduce sends 2 (N - 1)/N of T H elements.
        const auto ratioOf = [&](const char* id) {
            return quantityOf(*large.graph.find(id), 8) / quantityOf(*small.graph.find(id), 4);
        };
        QCOMPARE(ratioOf("forward/fc-2"), 3 * 2 * 2 / 2.0);
        QCOMPARE(ratioOf("forward/fc-2/all-reduce"), 3 * 2 * (7 / 8.0) / (3 / 4.0));
        QCOMPARE(ratioOf("forward/norm-1"), 3 * 2.0);
    }

    void onlyTheSourceIsSimulatedAndTheSavedEventsAreThoseOfTheTarget() {
        ModelRunOptions options = sequentialOf();
        options.memory = std::make_shared<ModelMemory>();
        const engine::Experiment source = tests::smallModel(), target = largerModel();
        const ModelRun simulated = modelRun(source, options);
        const ModelRun projected = projectedRun(target, source, options);
        QCOMPARE(projected.remembered, simulated.simulatedRuns + simulated.simulatedGemms);
        QCOMPARE(projected.operatorsTimed, projected.graph.operators.size());
        double events = 0;
        for (const ModelSimulation& simulation : simulationsOf(target, options))
            events += simulation.events;
        QVERIFY(events > 0);
        QCOMPARE(projected.projection->savedEvents, static_cast<std::int64_t>(std::llround(events)));
        QCOMPARE(projected.projection->from, std::string("small/tp4"));
        const auto isAboutProjection = [](const engine::Notice& notice) { return notice.path == kProjectFrom; };
        QCOMPARE(std::count_if(projected.notices.begin(), projected.notices.end(), isAboutProjection), 1);
    }

    void whatCannotBeProjectedIsRefused() {
        const engine::Experiment source = tests::smallModel();
        engine::Experiment target = largerModel();
        QCOMPARE(refusalOf(target, source), std::string());
        ModelRunOptions t3 = sequentialOf();
        t3.policies.push_back(engine::PolicyPreset::t3);
        QVERIFY(tests::contains(refusalOf(target, source, t3), "policy.preset: t3: a projection scales"));
        for (const char* path : {"division.dp", "division.microbatches"}) {
            engine::Experiment divided = target;
            (std::string(path) == "division.dp" ? divided.division.dp : divided.division.microbatches) = 2;
            QVERIFY(
                tests::contains(refusalOf(divided, source), std::string(path) + ": 2: a projection is of one pass"));
        }
        target.parallel.tp = 1;
        QVERIFY(
            tests::contains(refusalOf(target, source),
                            "project_from: small/tp4: its operators are not those of larger/tp1, which differ in "));
        target = largerModel();
        engine::Experiment separate = target;
        separate.operators.attention = engine::AttentionOperators::separate;
        QVERIFY(tests::contains(refusalOf(separate, source), "forward/scores"));
        engine::Experiment uneven = source;
        uneven.parallel.tp = 7;
        QVERIFY(tests::contains(refusalOf(target, uneven), "project_from: small/tp7: parallel.tp: 7: does not divide"));
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, projectedRun(target, uneven, sequentialOf()));
    }

    void theSourceHasEverythingButModelAndDegreeFromTheTarget() {
        const ExperimentDraft target{{{"workload.model", std::string("gpt-3")},
                                      {"workload.batch", std::int64_t{4}},
                                      {"parallel.tp", std::int64_t{32}},
                                      {"link.bandwidth", std::int64_t{25'000'000'000}}}};
        const ExperimentDraft source = sourceDraft(target, {{"workload.model", std::string("mega-gpt-2")}});
        QVERIFY((source.explicitValues == Settings{{"workload.model", std::string("mega-gpt-2")},
                                                   {"link.bandwidth", std::int64_t{25'000'000'000}}}));
        QVERIFY(isOfSource("workload.hidden") && isOfSource("parallel.tp"));
        for (const char* path : {"workload.sublayer", "workload.bytes", "link.bandwidth", "operators.attention"})
            QVERIFY2(!isOfSource(path), path);
    }

    void aProjectedPointSaysSoAndHasAHashOfItsOwn() {
        const engine::Experiment source = tests::smallModel();
        engine::Experiment target = largerModel();
        engine::applyPolicyPreset(target, engine::PolicyPreset::sequential);
        const ModelPoint point = modelPointOf(target, ResultSubject::training, {}, source).point;
        const ModelRun run = projectedRun(target, source, sequentialOf());
        QVERIFY(point.time == run.sequential.time);
        const ResultJson document = modelPointJson(point);
        QCOMPARE(document["projected"]["from"].get<std::string>(), std::string("small/tp4"));
        QCOMPARE(document["projected"]["saved_events"].get<std::int64_t>(), run.projection->savedEvents);
        const Metric* saved = findMetric("projected.saved_events", ResultSubject::training);
        QVERIFY(saved != nullptr && saved->readPoint(point) == static_cast<double>(run.projection->savedEvents));
        QVERIFY(findMetric("projected.saved_events", ResultSubject::footprint) == nullptr);

        const ModelPoint simulated = modelPointOf(target, ResultSubject::training).point;
        QVERIFY(!simulated.projection && !modelPointJson(simulated).contains("projected"));
        QVERIFY(simulated.time != point.time);
        QVERIFY(simulated.footprint == point.footprint && simulated.messages == point.messages);
        const std::string hash = modelPointHash(target, ResultSubject::training);
        QVERIFY(modelPointHash(target, ResultSubject::training, source) != hash);
        engine::Experiment other = source;
        other.workload.layers += 1;
        QVERIFY(modelPointHash(target, ResultSubject::training, other) !=
                modelPointHash(target, ResultSubject::training, source));
    }

    void aProjectedPointCostsItsSourceOnce() {
        const engine::Experiment source = tests::smallModel(), target = largerModel();
        ModelWork work;
        const double first = work.add(target, ResultSubject::training, source);
        QVERIFY(first > 0);
        QCOMPARE(first, ModelWork().add(source, ResultSubject::training));
        QCOMPARE(work.add(target, ResultSubject::training, source), 0.0);
        QVERIFY(work.add(target, ResultSubject::training) > 0);
    }
};

RINGSIDE_TEST(TestProjection)
#include "tst_projection.moc"
