#include "data/evaluations/evaluation.h"
#include "data/evaluations/reference.h"
#include "data/experiment/own_presets.h"
#include "data/model/model_point.h"
#include "data/questions/best_of.h"
#include "data/questions/break_even.h"
#include "data/results/metrics.h"
#include "data/results/result_json.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "data/store/store_merge.h"
#include "data/sweep/results_table.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

using namespace data;

namespace {

using tests::contains;

const std::string kSmallModel =
    R"("workload": { "model": "small", "hidden": 512, "sequence": 512, "batch": 1, "layers": 3, "vocabulary": 4096 },
       "parallel": { "tp": 4 })";

Sweep modelSweep(const std::string& json) {
    SweepReading reading = readSweep(json, "test");
    if (!reading.problems.empty())
        qFatal("%s", tests::described(reading.problems).c_str());
    return std::move(reading.sweep);
}

/// Returns a sweep of six points. The two points with weights sharded over stages cannot be computed.
Sweep footprintSweep() {
    return modelSweep(R"({ "of": "footprint", "base": { )" + kSmallModel + R"( }, "axes": [
        { "path": "division.pp", "values": [1, 3] },
        { "path": "division.sharding", "values": ["none", "optimizer", "weights"] } ],
        "metrics": ["footprint_bytes.total", "messages.count"] })");
}

Sweep trainingSweep() {
    return modelSweep(R"({ "of": "training", "base": { )" + kSmallModel +
                      R"( }, "policies": ["sequential", "t3"], "axes": [
        { "path": "link.bandwidth", "values": ["75 GB/s", "150 GB/s"] } ] })");
}

/// Returns a sweep of two degrees of a wider model, whose times are projected from the small one.
std::string projectedSweep(const std::string& more = {}, const std::string& of = "training") {
    return R"({ "of": ")" + of + R"(", "base": { "workload": { "model": "wide", "hidden": 1024, "sequence": 512,
        "batch": 1, "layers": 5, "vocabulary": 4096 } }, "project_from": { )" +
           kSmallModel + R"( }, "axes": [ { "path": "parallel.tp", "values": [4, 8] } ])" + more + " }";
}

std::string modelSweepProblems(const std::string& json) { return tests::described(readSweep(json, "test").problems); }

}  // namespace

class TestModelSweep : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_stores = 0;

    std::string newStore() { return m_folder.filePath(QString("store%1.sqlite").arg(++m_stores)).toStdString(); }

private Q_SLOTS:
    void aSweepIsWrittenWithItsSubjectAndReadsBack() {
        for (const Sweep& sweep : {footprintSweep(), trainingSweep()}) {
            const std::string text = writeSweep(sweep);
            QVERIFY(contains(text, "\"of\": \"" + std::string(name(sweep.of)) + "\""));
            QCOMPARE(contains(text, "policies"), isTimed(sweep.of));
            QVERIFY(modelSweep(text) == sweep);
            QCOMPARE(sweepId(modelSweep(text)), sweepId(sweep));
        }
        Sweep runs = trainingSweep();
        runs.of = ResultSubject::run;
        runs.metrics = usualMetrics(runs.of);
        QVERIFY(!contains(writeSweep(runs), "\"of\""));
        QVERIFY(sweepId(runs) != sweepId(trainingSweep()));
        Sweep prompts = trainingSweep();
        prompts.of = ResultSubject::prompt;
        QVERIFY(sweepId(prompts) != sweepId(trainingSweep()));
        QVERIFY(modelSweep(R"({ "of": "run", "base": {} })") == modelSweep(R"({ "base": {} })"));
    }

    // The ids were printed by the version before sweeps had a subject.
    void theIdsOfSweepsOfRunsStay() {
        const auto idOf = [](const char* example) {
            return sweepId(
                readSweepFile(std::string(RINGSIDE_SOURCE "/resources/examples/") + example + ".json", OwnPresets(""))
                    .sweep);
        };
        QCOMPARE(idOf("link-by-policy"), std::string("e2effef0b289"));
        QCOMPARE(idOf("link-by-gpus"), std::string("972b20000ffb"));
        QCOMPARE(idOf("entries-by-buffer"), std::string("ce23040f4b70"));
        QCOMPARE(sweepId(publishedEvaluation().sweeps.front().sweep), std::string("d887005eb2a7"));
    }

    void whatIsLeftOutIsTheUsualOfTheSubject() {
        const Sweep footprint = modelSweep(R"({ "of": "footprint" })");
        QCOMPARE(footprint.metrics, (std::vector<std::string>{"footprint_bytes.total", "messages.sent_bytes"}));
        QCOMPARE(pointCount(footprint), std::size_t{1});
        QCOMPARE(modelSweep(R"({ "of": "prompt", "base": { "policy": "t3" } })").policies,
                 std::vector<std::string>{"t3"});
    }

    void whatDoesNotGoWithTheSubjectIsRefused() {
        QVERIFY(contains(modelSweepProblems(R"({ "of": "step", "base": {} })"),
                         "of: \"step\": unknown; allowed: run, footprint, training, prompt, generation"));
        QVERIFY(contains(modelSweepProblems(R"({ "of": 3, "base": {} })"), "of: 3: wrong type"));
        QVERIFY(contains(modelSweepProblems(R"({ "of": "footprint", "policies": ["t3"] })"),
                         "a footprint depends on no policy; leave the list out"));
        QVERIFY(contains(modelSweepProblems(R"({ "of": "footprint", "metrics": ["time_ps.total"] })"),
                         "metrics[0]: time_ps.total: not a number of footprint but of run"));
        QVERIFY(contains(modelSweepProblems(R"({ "of": "footprint", "metrics": ["model_ps.total"] })"),
                         "not a number of footprint but of training, prompt and generation"));
        QVERIFY(contains(modelSweepProblems(R"({ "metrics": ["messages.count"], "base": {} })"),
                         "not a number of run but of footprint"));
        QVERIFY(contains(modelSweepProblems(R"({ "of": "training", "metrics": ["model_ps.totl"] })"),
                         "did you mean model_ps.total"));
        QVERIFY(contains(modelSweepProblems(R"({ "of": "training", "base": { "workload": { "sublayer": "op" } } })"),
                         "base.workload.sublayer: op: a whole model has all its sub-layers"));
        QVERIFY(contains(modelSweepProblems(
                             R"({ "of": "footprint", "axes": [ { "path": "workload.bytes", "values": [1048576] } ] })"),
                         "axes[0].path: workload.bytes: a whole model"));
        Sweep built = footprintSweep();
        QVERIFY(check(built).empty());
        built.policies = {"t3", "sequential"};
        QVERIFY(contains(tests::described(check(built)), "a footprint depends on no policy"));
    }

    void pointsThatModelOrFootprintRefuseCannotBeRun() {
        const SweepPlan plan = planOf(footprintSweep());
        std::size_t refused = 0;
        for (const SweepPoint& point : plan.points) {
            refused += point.problem.empty() ? 0 : 1;
            QCOMPARE(point.problem.empty(), point.index != 5);
            QCOMPARE(point.events, 0.0);
            if (point.problem.empty())
                QCOMPARE(point.hash, modelPointHash(plan.details(point).experiment, ResultSubject::footprint));
        }
        QCOMPARE(refused, std::size_t{1});
        const Sweep divided = modelSweep(R"({ "of": "training", "base": { )" + kSmallModel +
                                         R"(, "division": { "microbatches": 1000000 } }, "policies": ["t3"] })");
        QVERIFY(contains(planOf(divided).points.front().problem, "the timetable of the step would have"));
    }

    void aFootprintSweepIsKeptAndReadByPath() {
        const std::string path = newStore();
        const SweepPlan plan = planOf(footprintSweep());
        const SweepOutlook outlook = outlookOf(plan, path, 1);
        QCOMPARE(outlook.toRun, std::size_t{5});
        QCOMPARE(outlook.unusable, std::size_t{1});
        std::vector<SweepArrival> arrived;
        SweepOptions options;
        options.threads = 2;
        options.arrived = [&](std::vector<SweepArrival> some) {
            arrived.insert(arrived.end(), some.begin(), some.end());
        };
        const SweepSummary summary = runSweep(plan, path, options);
        QCOMPARE(summary.ran, std::size_t{5});
        QCOMPARE(summary.failed, std::size_t{1});
        QCOMPARE(arrived.size(), std::size_t{6});
        Store store(path);
        const std::vector<std::string> more{"messages.pipeline.count"};
        const SweepTable table = SweepStore(store).table(plan.id, more);
        QVERIFY(table.sweep == plan.sweep);
        for (const SweepRow& row : table.rows) {
            QCOMPARE(row.state == PointState::done, row.index != 5);
            if (row.state != PointState::done)
                continue;
            const ModelPoint point =
                modelPointOf(plan.details(plan.points[row.index]).experiment, ResultSubject::footprint).point;
            for (std::size_t i = 0; i < table.metrics.size(); ++i)
                QVERIFY2(row.values[i] == findMetric(table.metrics[i])->readPoint(point), table.metrics[i].c_str());
            const auto document = ResultJson::parse(store.documentOf(*row.runId, false));
            QCOMPARE(document["of"].get<std::string>(), std::string("footprint"));
            QCOMPARE(document["footprint_bytes"]["total"].get<std::int64_t>(), point.footprint.total().count);
        }
        for (const SweepArrival& arrival : arrived)
            QVERIFY(arrival.result == nullptr && arrival.ended() == (arrival.point != 5));
        QCOMPARE(runSweep(plan, path, {}).ran, std::size_t{0});
        const ResultsTable results = resultsOf(table);
        QCOMPARE(std::count(results.columns.begin(), results.columns.end(), "policy"), 0);
        for (const auto& row : results.rows)
            QCOMPARE(row.size(), results.columns.size());
    }

    // Earlier builds kept points without the ratios of work and messages.
    void aKeptPointWithoutRatiosIsReadWithoutThem() {
        Sweep sweep = footprintSweep();
        sweep.metrics = {"messages.count", "serialised_share"};
        const SweepPlan plan = planOf(sweep);
        const PointDetails details = plan.details(plan.points.front());
        ModelPoint earlier = modelPointOf(details.experiment, sweep.of).point;
        QVERIFY(earlier.messageRatios.serialisedShare.has_value());
        earlier.messageRatios = {};
        const std::string path = newStore();
        {
            Store store(path);
            SweepStore sweeps(store);
            sweeps.keepSweep(plan);
            const EndedPoint ended{
                "earlier", writeDraft(details.draft), plan.points.front().hash, &details.experiment, nullptr, {},
                &earlier};
            sweeps.keepPoints(std::span(&ended, 1));
        }
        QCOMPARE(runSweep(plan, path, {}).ran, std::size_t{4});
        Store store(path);
        const SweepTable table = SweepStore(store).table(plan.id);
        QVERIFY(table.rows[0].state == PointState::done && table.rows[0].values[0] && !table.rows[0].values[1]);
        QVERIFY(table.rows[1].values[0] && table.rows[1].values[1]);
    }

    void aTimedSweepIsWhatModelSaysAndSharesItsSimulations() {
        const std::string path = newStore();
        const SweepPlan plan = planOf(trainingSweep());
        QVERIFY(plan.points[0].events > 0);
        QVERIFY(plan.points[2].events < plan.points[0].events);  // GEMMs alone do not depend on the link
        QCOMPARE(runSweep(plan, path, {}).ran, std::size_t{4});
        Store store(path);
        const SweepTable table = SweepStore(store).table(plan.id);
        for (const SweepRow& row : table.rows) {
            const PointDetails details = plan.details(plan.points[row.index]);
            const ModelPoint point = modelPointOf(details.experiment, ResultSubject::training).point;
            QCOMPARE(row.values[0], std::optional(point.ratios->speedupOverSequential));
            QCOMPARE(row.values[1], std::optional(static_cast<double>(point.time->total().ps)));
            QCOMPARE(table.sweep.policies[row.policy] == "sequential", row.values[0] == 1.0);
        }
        const auto stored = store.runWithId(*table.rows[1].runId);
        QVERIFY2(contains(stored->name, "small/tp4 training t3"), stored->name.c_str());
    }

    void aProjectedSweepSimulatesItsSourceAlone() {
        const Sweep sweep = modelSweep(projectedSweep(R"(, "metrics": ["model_ps.total", "projected.saved_events"])"));
        QCOMPARE(sweep.policies, std::vector<std::string>{"sequential"});
        QVERIFY(modelSweep(writeSweep(sweep)) == sweep);
        Sweep simulated = sweep;
        simulated.projectFrom.reset();
        QVERIFY(!contains(writeSweep(simulated), "project_from"));
        QVERIFY(sweepId(simulated) != sweepId(sweep));
        Sweep fromOther = sweep;
        fromOther.projectFrom->explicitValues["parallel.tp"] = std::int64_t{2};
        QVERIFY(sweepId(fromOther) != sweepId(sweep));

        const SweepPlan plan = planOf(sweep);
        QVERIFY(plan.points[0].events > 0);
        QCOMPARE(plan.points[1].events, 0.0);
        const std::string path = newStore();
        QCOMPARE(runSweep(plan, path, {}).ran, std::size_t{2});
        QCOMPARE(runSweep(planOf(simulated), path, {}).ran, std::size_t{2});  // points of their own
        Store store(path);
        const SweepTable table = SweepStore(store).table(plan.id);
        for (const SweepRow& row : table.rows) {
            const PointDetails details = plan.details(plan.points[row.index]);
            QVERIFY(details.source && details.source->workload.hidden == 512 && details.source->parallel.tp == 4);
            const ModelPoint point = modelPointOf(details.experiment, sweep.of, {}, details.source).point;
            QCOMPARE(row.values[0], std::optional(static_cast<double>(point.time->total().ps)));
            QCOMPARE(row.values[1], std::optional(static_cast<double>(point.projection->savedEvents)));
            QVERIFY(!qualifyingNotices(table, {row.index}).empty());
        }
        const auto stored = store.runWithId(*table.rows[1].runId);
        QVERIFY2(contains(stored->name, "wide/tp8 training from small/tp4 sequential"), stored->name.c_str());
    }

    void aSweepThatCannotBeProjectedSaysWhy() {
        QVERIFY(contains(modelSweepProblems(projectedSweep({}, "footprint")),
                         "project_from: footprint: only times of whole models are projected"));
        QVERIFY(
            contains(modelSweepProblems(projectedSweep({}, "run")), "project_from: run: only times of whole models"));
        QVERIFY(contains(modelSweepProblems(projectedSweep(R"(, "policies": ["sequential", "t3"])")),
                         "policies: sequential, t3: times are projected under one policy only; allowed: sequential"));
        const auto from = [](const std::string& values) {
            return modelSweepProblems(R"({ "of": "training", "base": {}, "project_from": )" + values + " }");
        };
        QCOMPARE(from(R"({ "workload": { "model": "mega-gpt-2" }, "parallel": { "tp": 8 } })"), std::string());
        QVERIFY(contains(from(R"({ "link": { "bandwidth": "75 GB/s" }, "workload": { "model": "t-nlg" } })"),
                         "project_from.link.bandwidth: 75 GB/s: the model that is simulated has the machine"));
        QVERIFY(
            contains(from(R"({ "workload": { "model": "mega-gpt" } })"), "project_from.workload.model: mega-gpt: "));
        QVERIFY(contains(from(R"({ "parallel": { "tp": 8 } })"), "project_from.workload.model: missing"));
        QVERIFY(contains(from("3"), "project_from: 3: wrong type"));
        QVERIFY(contains(from(R"({ "notes": "a", "workload": { "model": "t-nlg" } })"),
                         "not allowed in the project_from; move this text"));
        // A point whose operators are not those of the source cannot be computed.
        Sweep alone = modelSweep(projectedSweep());
        alone.axes.front().columns.front().values = {std::int64_t{1}, std::int64_t{4}};
        const SweepPlan plan = planOf(alone);
        QVERIFY2(contains(plan.points[0].problem, "its operators are not those of wide/tp1"),
                 plan.points[0].problem.c_str());
        QVERIFY(plan.points[1].problem.empty());
        Sweep built = modelSweep(projectedSweep());
        built.projectFrom->explicitValues["cu.count"] = std::int64_t{0};
        QVERIFY(contains(tests::described(check(built)), "project_from.cu.count: 0: "));
    }

    void aStopKeepsWhatHasEnded() {
        const std::string path = newStore();
        std::stop_source stop;
        SweepOptions options;
        options.stop = stop.get_token();
        options.arrived = [&](const std::vector<SweepArrival>&) { stop.request_stop(); };
        const SweepPlan plan = planOf(trainingSweep());
        const SweepSummary stopped = runSweep(plan, path, options);
        QVERIFY(stopped.ran >= 1);
        const SweepSummary rest = runSweep(plan, path, {});
        QCOMPARE(rest.ran + stopped.ran, std::size_t{4});
        QVERIFY(!rest.stopped);
    }

    // A run of the same experiment has another hash, so that neither is used for the other.
    void runsAndModelsOfTheSameExperimentStayApart() {
        const std::string path = newStore();
        Sweep runs = trainingSweep();
        runs.of = ResultSubject::run;
        runs.metrics = usualMetrics(runs.of);
        runSweep(planOf(runs), path, {});
        const SweepPlan plan = planOf(trainingSweep());
        QCOMPARE(outlookOf(plan, path, 1).toRun, std::size_t{4});
        runSweep(plan, path, {});
        Store store(path);
        QCOMPARE(store.runs().size(), std::size_t{4});
        QCOMPARE(RunCatalogue(store).count(), std::size_t{4});
        QCOMPARE(RunCatalogue(store).rows({{"time_ps.total", "model_ps.total"}}).size(), std::size_t{4});
        QCOMPARE(RunCatalogue(store).rows({{}, plan.id}).size(), std::size_t{0});
        const auto models = RunCatalogue(store).rows({{"model_ps.total", "time_ps.total"}, plan.id, false, true});
        QCOMPARE(models.size(), std::size_t{4});
        for (const CatalogueRow& row : models) {
            QVERIFY(std::get<double>(row.values[0]) == static_cast<double>(row.totalPs));
            QVERIFY(std::holds_alternative<std::monostate>(row.values[1]));
            try {
                store.resultOf(row.id);
                QFAIL("a model was read as a run");
            } catch (const StoreError& error) { QVERIFY2(contains(error.what(), "whole models"), error.what()); }
        }
    }

    void storesWithModelsAreMerged() {
        const std::string from = newStore(), into = newStore();
        const SweepPlan plan = planOf(footprintSweep());
        runSweep(plan, from, {});
        Store store(into);
        QCOMPARE(merge(store, from).runs, std::size_t{5});
        QCOMPARE(merge(store, from).known, std::size_t{5});
        Store other(from);
        QVERIFY(resultsOf(SweepStore(store).table(plan.id)).rows == resultsOf(SweepStore(other).table(plan.id)).rows);
        QVERIFY(store.runs().empty());
    }

    void theBestPointIsFoundByAMetricOfTheSubject() {
        const SweepPlan plan = planOf(footprintSweep());
        const std::string path = newStore();
        const BestSearch search = bestOf(plan, path, "footprint_bytes.total", false, {});
        QVERIFY(search.best.number.has_value());
        QCOMPARE(search.best.compared, std::size_t{5});
        QVERIFY_THROWS_EXCEPTION(engine::InvalidExperiment, bestOf(plan, path, "time_ps.total", false, {}));
    }

    void aBreakEvenAsksForNumbersOfRuns() {
        BreakEvenQuestion question;
        question.parameter = "link.bandwidth";
        question.from = std::int64_t{50'000'000'000};
        question.to = std::int64_t{100'000'000'000};
        question.metric = "footprint_bytes.total";
        question.target = 1;
        QVERIFY(contains(tests::described(check(question)), "metric: footprint_bytes.total: not a number of run"));
    }
};

RINGSIDE_TEST(TestModelSweep)
#include "tst_model_sweep.moc"
