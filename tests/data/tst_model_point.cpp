#include "data/model/model_memory.h"
#include "data/model/model_point.h"
#include "data/results/metrics.h"
#include "data/results/packed_document.h"
#include "data/results/result_json.h"
#include "engine/api/runner.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace data;

namespace {

/// Returns a model of H = 512 on 4 GPUs, of which a phase is simulated in milliseconds.
engine::Experiment pointModel() {
    engine::Experiment experiment;
    experiment.workload.model = "small";
    experiment.workload.hidden = 512;
    experiment.workload.sequence = 512;
    experiment.workload.batch = 1;
    experiment.workload.layers = 3;
    experiment.workload.vocabulary = 4096;
    experiment.parallel.tp = 4;
    engine::applyPolicyPreset(experiment, engine::PolicyPreset::t3Mca);
    engine::applyDetailLevel(experiment, engine::DetailLevel::interactive);
    return experiment;
}

ModelPoint pointWith(const engine::Experiment& experiment, ResultSubject subject) {
    return modelPointOf(experiment, subject).point;
}

/// Returns a point with every value that a point can have. A step with times has one replica, and no data messages.
ModelPoint fullPoint(ResultSubject subject) {
    engine::Experiment experiment = pointModel();
    experiment.node.memory = engine::Bytes{std::int64_t{1} << 30};
    if (!isTimed(subject))
        experiment.division.dp = 2;
    return pointWith(experiment, subject);
}

void collectNumbers(const ResultJson& json, const std::string& path, std::map<std::string, double>& numbers) {
    for (const auto& [key, value] : json.items()) {
        const std::string at = path.empty() ? key : path + "." + key;
        if (value.is_object())
            collectNumbers(value, at, numbers);
        else if (value.is_boolean())
            numbers[at] = value.get<bool>() ? 1 : 0;
        else if (value.is_number())
            numbers[at] = value.get<double>();
    }
}

constexpr std::array kPointSubjects{ResultSubject::footprint, ResultSubject::training, ResultSubject::prompt,
                                    ResultSubject::generation};

}  // namespace

class TestModelPoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWholeModelOfAGemmOrCollectiveAloneHasTheSizesOfItsPreset() {
        const engine::WorkloadConfig whole = wholeModelOf({{{"workload.model", std::string("t-nlg")}}}).workload;
        QCOMPARE(whole.heads, std::optional<std::int64_t>(28));
        for (const char* sublayer : {"gemm", "all-reduce", "op"}) {
            QCOMPARE(wholeModelOf({{{"workload.sublayer", std::string(sublayer)}}}).workload, whole);
            const engine::WorkloadConfig gpt3 =
                wholeModelOf({{{"workload.sublayer", std::string(sublayer)}, {"workload.model", std::string("gpt-3")}}})
                    .workload;
            QCOMPARE(gpt3.model, std::string("gpt-3"));
            QCOMPARE(gpt3.hidden, std::int64_t{12288});
        }
        const Settings own{{"workload.model", std::string("mine")},    {"workload.hidden", std::int64_t{512}},
                           {"workload.sequence", std::int64_t{64}},    {"workload.batch", std::int64_t{2}},
                           {"workload.sublayer", std::string("gemm")}, {"matrix.m", std::int64_t{64}}};
        QCOMPARE(wholeModelOf({own}).workload.hidden, std::int64_t{512});
    }

    void everyNumberOfAPointIsAMetricOfItsSubjectAndReadsTheSamePacked() {
        for (const ResultSubject subject : kPointSubjects) {
            const ModelPoint point = fullPoint(subject);
            std::map<std::string, double> numbers;
            collectNumbers(modelPointJson(point), {}, numbers);
            std::vector<std::string> paths;
            for (const auto& [path, number] : numbers) {
                const Metric* metric = findMetric(path, subject);
                QVERIFY2(metric != nullptr, path.c_str());
                QVERIFY2(metric->readPoint(point) == number, path.c_str());
                QVERIFY(!metric->read(engine::RunResult{}) && !metric->isOf(ResultSubject::run));
                paths.push_back(path);
            }
            QVERIFY(numbers.contains("flops_per_tensor_byte") && numbers.contains("serialised_share"));
            QCOMPARE(numbers.contains("flops_per_data_byte"), !isTimed(subject));
            // The points are not projected either, and six metrics of the step follow from the model's time.
            QCOMPARE(metricsOf(subject).size(), numbers.size() + (isTimed(subject) ? 8 : 0));
            const PackedDocument kept = packed(modelPointJson(point));
            std::vector<std::optional<double>> read(paths.size());
            PackedNumbers(kept.layout, paths).read(kept.values, read);
            for (std::size_t i = 0; i < paths.size(); ++i)
                QVERIFY2(read[i] == numbers[paths[i]], paths[i].c_str());
        }
    }

    void sharesOfClassesAreTheWholeStepAndMemoryBoundsPartOfIt() {
        engine::Experiment experiment = pointModel();
        for (const std::int64_t tp : {1, 4}) {
            experiment.parallel.tp = tp;
            const TimeShares shares = *pointWith(experiment, ResultSubject::training).shares;
            QVERIFY(std::abs(shares.gemm + shares.batchedGemm + shares.attentionElementWise + shares.elementWise +
                             shares.optimizer + shares.collective - 1) < 1e-12);
            QCOMPARE(shares.collective > 0, tp > 1);
            // Adam moves 28 bytes for 12 operations; GEMMs of 512 tokens are bound by the pipes.
            QVERIFY(shares.memoryBound >= shares.optimizer + shares.elementWise);
            QVERIFY(std::abs(shares.memoryBoundWithoutOptimizer + shares.optimizer - shares.memoryBound) < 1e-12);
            QVERIFY(shares.memoryBound < 1 - shares.collective);
        }
        // A very slow memory limits all operators but collectives. A very fast memory limits only operators that
        // compute nothing.
        const auto with = [&](std::int64_t bytesPerSecond) {
            experiment.memory.bandwidth = {bytesPerSecond};
            return *pointWith(experiment, ResultSubject::training).shares;
        };
        const TimeShares slow = with(1'000'000'000), fast = with(1'000'000'000'000'000);
        QVERIFY(std::abs(slow.memoryBound + slow.collective - 1) < 1e-12);
        QVERIFY(fast.memoryBound < fast.elementWise);
        QVERIFY(!pointWith(experiment, ResultSubject::footprint).shares);
    }

    void pathsAndLabelsOfAllMetricsAreUniqueAndExplained() {
        std::set<std::string> paths, labels;
        std::vector<const Metric*> all = metricsOf(ResultSubject::run);
        for (const Metric* metric : metricsOf(ResultSubject::training))
            all.push_back(metric);
        for (const Metric* metric : all) {
            QVERIFY2(paths.insert(metric->path).second && labels.insert(metric->label).second, metric->path.c_str());
            QVERIFY2(metric->meaning.ends_with("."), metric->path.c_str());
            QVERIFY2(findMetric(metric->path) == metric, metric->path.c_str());
        }
        QVERIFY(findMetric("time_ps.total", ResultSubject::footprint) == nullptr);
        QVERIFY(findMetric("model_ps.total", ResultSubject::footprint) == nullptr);
        QVERIFY(findMetric("model_ps.total", ResultSubject::prompt) != nullptr);
    }

    void aTimedPointIsWhatModelSaysUnderItsPolicy() {
        for (const ResultSubject subject :
             {ResultSubject::training, ResultSubject::prompt, ResultSubject::generation}) {
            ModelRunOptions options;
            options.phase = *phaseOf(subject);
            const ModelRun run = modelRun(pointModel(), options);
            const PolicyModelTime& mca = run.policies[2];
            const ModelPoint point = pointWith(pointModel(), subject);
            QVERIFY(point.time == mca.time);
            QCOMPARE(point.ratios->communicationShare, mca.communicationShare);
            QCOMPARE(point.ratios->speedupOverSequential, mca.speedupOverSequential);
            QVERIFY(point.ratios->flopsUtilisation > 0 && point.ratios->flopsUtilisation < 1);
            QCOMPARE(point.footprint.total(), engine::footprintOf(pointModel(), options.phase).bytes().total());
        }
    }

    void theUtilisationIsTheModelsFlopsOverThePeak() {
        const ModelPoint point = pointWith(pointModel(), ResultSubject::training);
        const engine::Experiment experiment = pointModel();
        const double peak = static_cast<double>(experiment.cu.count * experiment.cu.flopsPerCycle) *
                            static_cast<double>(experiment.cu.clock.hertz);
        const double flops = engine::operatorGraphOf(experiment, engine::ModelPhase::training).flopsOfModel();
        const double seconds = static_cast<double>(point.time->total().ps) * 1e-12;
        QVERIFY(std::abs(point.ratios->flopsUtilisation / (flops / (seconds * peak)) - 1) < 1e-12);
    }

    void aFootprintHasNoTimesAndAFitOnlyWhereMemoryIsLimited() {
        const ModelPoint point = pointWith(pointModel(), ResultSubject::footprint);
        QVERIFY(!point.time && !point.ratios && !point.fit);
        const ModelPoint limited = fullPoint(ResultSubject::footprint);
        QVERIFY(limited.fit && limited.fit->fits && limited.fit->mostWeights > 0);
        QCOMPARE(limited.footprint, point.footprint);
    }

    void theSumsOfTheGroupsAreTheTotals() {
        engine::Experiment experiment = pointModel();
        experiment.division.dp = 4;
        experiment.division.pp = 3;
        experiment.division.microbatches = 5;
        const ModelPoint point = pointWith(experiment, ResultSubject::footprint);
        MessageTotals sum;
        for (std::size_t i = 0; i < kMessageKeys.size(); ++i) {
            if (kMessageKeys[i].ofLayers)
                continue;  // a part of the tensor messages
            sum.count += point.byGroup[i].count;
            sum.volume += point.byGroup[i].volume;
            sum.sent += point.byGroup[i].sent;
        }
        QCOMPARE(sum.count, point.messages.count);
        QCOMPARE(sum.volume, point.messages.volume);
        QCOMPARE(sum.sent, point.messages.sent);
        QCOMPARE((point.messages.withinNode + point.messages.betweenNodes).count, sum.sent.count);
        QCOMPARE(point.byGroup[1].count, std::int64_t{4 * 1 * 5});  // 4 l m
        QVERIFY(point.byGroup[0].count > point.byGroup[1].count);
        QVERIFY(point.byGroup[3].count > 0);
    }

    void aPointRefusesWhatModelRefuses() {
        engine::Experiment divided = pointModel();
        divided.division.microbatches = 1'000'000;
        const auto text = [](const engine::Experiment& experiment, ResultSubject subject) {
            return tests::described(modelPointProblems(experiment, subject));
        };
        QVERIFY(text(divided, ResultSubject::footprint).empty());
        QVERIFY(tests::contains(text(divided, ResultSubject::training),
                                "division.microbatches: 1000000: the timetable of the step"));
        engine::Experiment bare = pointModel();
        bare.division.weights = 1'000'000;
        QVERIFY(text(bare, ResultSubject::footprint).empty());
        QVERIFY(tests::contains(text(bare, ResultSubject::prompt), "division.weights: 1000000: a number of weights"));
        engine::Experiment sharded = pointModel();
        sharded.division.pp = 3;
        sharded.division.sharding = engine::Sharding::weights;
        QVERIFY(tests::contains(text(sharded, ResultSubject::footprint), "division.sharding"));
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, pointWith(divided, ResultSubject::training));
    }

    void oneGpuIsAModelWithoutMessagesOfTensors() {
        engine::Experiment alone = pointModel();
        alone.parallel.tp = 1;
        for (const ResultSubject subject : kPointSubjects) {
            const ModelPoint point = pointWith(alone, subject);
            QCOMPARE(point.byGroup[0].count, std::int64_t{0});
            QVERIFY(!modelPointJson(point).contains("serialised_share"));
            QVERIFY(!point.ratios || point.ratios->communicationShare == 0);
        }
    }

    void eachSubjectHasAHashOfItsOwn() {
        std::set<std::string> hashes{experimentHash(pointModel())};
        for (const ResultSubject subject : kPointSubjects)
            QVERIFY(hashes.insert(modelPointHash(pointModel(), subject)).second);
        for (const std::string& hash : hashes)
            QCOMPARE(hash.size(), std::size_t{64});
    }

    // Simulations that the second point shares with the first are not repeated.
    void workThatPointsShareIsCountedOnce() {
        ModelWork work;
        QVERIFY(work.add(pointModel(), ResultSubject::training) > 0);
        QCOMPARE(work.add(pointModel(), ResultSubject::training), 0.0);
        engine::Experiment slower = pointModel();
        slower.link.bandwidth = engine::Bandwidth{1'000'000'000};
        ModelWork alone;
        const double more = work.add(slower, ResultSubject::training);
        QVERIFY(more > 0 && more < alone.add(slower, ResultSubject::training));
        QCOMPARE(alone.add(pointModel(), ResultSubject::footprint), 0.0);
    }

    void aDraftIsTimedAtInteractiveDetailUnlessItSaysOtherwise() {
        ExperimentDraft draft;
        draft.explicitValues = {{"workload.model", std::string("t-nlg")}};
        QVERIFY(expandModelPoint(draft, ResultSubject::training).experiment.detail.level ==
                engine::DetailLevel::interactive);
        draft.explicitValues["detail.level"] = std::string("fine");
        QVERIFY(expandModelPoint(draft, ResultSubject::training).experiment.detail.level == engine::DetailLevel::fine);
    }

    void namesOfSubjectsReadBack() {
        for (const ResultSubject subject : kPointSubjects)
            QVERIFY(resultSubjectNamed(name(subject)) == subject);
        QVERIFY(resultSubjectNamed("run") == ResultSubject::run);
        QVERIFY(!resultSubjectNamed("model"));
        QVERIFY(!phaseOf(ResultSubject::run));
    }
};

RINGSIDE_TEST(TestModelPoint)
#include "tst_model_point.moc"
