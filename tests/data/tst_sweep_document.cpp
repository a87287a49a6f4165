#include "data/experiment/own_presets.h"
#include "data/results/metrics.h"
#include "data/sweep/sweep_document.h"
#include "data/sweep/sweep_plan.h"
#include "tests/data/said.h"
#include "tests/least_time.h"
#include "tests/test_program.h"

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <QTemporaryDir>

#include <chrono>

using namespace data;
using engine::ParameterValue;

namespace {

using tests::contains;
using tests::described;

std::string problemsOf(std::string_view json) { return described(readSweep(json, "test").problems); }

Sweep sweepOf(std::string_view json) {
    SweepReading reading = readSweep(json, "test");
    if (!reading.problems.empty())
        qFatal("%s", described(reading.problems).c_str());
    return std::move(reading.sweep);
}

std::string withAxes(const std::string& axes) { return R"({"axes": [)" + axes + "]}"; }

}  // namespace

class TestSweepDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSettingOfEarlierVersionsIsIgnoredInTheBaseAndNoAxis() {
        const Sweep sweep = sweepOf(R"({"base": {"dma": {"queue": 4}}, "axes": [{"path": "seed", "values": [1, 2]}]})");
        QVERIFY(sweep.base.explicitValues.empty());
        for (const SweepPoint& point : planOf(sweep).points) {
            QVERIFY(point.problem.empty());
            QCOMPARE(detailsOf(sweep, point.index).notices.front().path, std::string("dma.queue"));
        }
        QCOMPARE(problemsOf(withAxes(R"({"path": "dma.queue", "values": [1, 2]})")),
                 std::string("axes[0].path: dma.queue: no longer a setting: it never changed a time; leave the axis "
                             "out\n"));
    }

    void theBundledExampleIsReadAndEveryPointOfItRuns() {
        const SweepReading reading =
            readSweepFile(RINGSIDE_SOURCE "/resources/examples/link-by-policy.json", OwnPresets(""));
        QVERIFY2(reading.problems.empty(), described(reading.problems).c_str());
        QVERIFY(check(reading.sweep).empty());
        const SweepPlan plan = planOf(reading.sweep);
        QCOMPARE(plan.points.size(), std::size_t{9 * 5 * 3});
        for (const SweepPoint& point : plan.points)
            QVERIFY2(point.problem.empty(), point.problem.c_str());
    }

    void everyBundledSweepIsReadAndEveryPointOfItRuns() {
        std::size_t sweeps = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(RINGSIDE_SOURCE "/resources/examples")) {
            if (!entry.is_regular_file())
                continue;
            std::ifstream file(entry.path());
            const std::string document((std::istreambuf_iterator<char>(file)), {});
            if (document.find("ringside-sweep") == std::string::npos)
                continue;
            ++sweeps;
            const SweepReading reading = readSweepFile(entry.path().string(), OwnPresets(""));
            QVERIFY2(reading.problems.empty(), described(reading.problems).c_str());
            for (const SweepPoint& point : planOf(reading.sweep).points)
                QVERIFY2(point.problem.empty(), (entry.path().string() + ": " + point.problem).c_str());
        }
        QCOMPARE(sweeps, std::size_t{9});
    }

    void whatIsWrittenReadsBackToTheSameSweep() {
        const Sweep sweep = sweepOf(R"({ "format": "ringside-sweep", "version": 1, "label": "L", "notes": "N",
            "base": { "machine": "t3-2x-cu", "policy": "t3", "link": { "latency": "700 ns" } },
            "axes": [ { "path": "link.bandwidth", "range": { "from": "50 GB/s", "to": "200 GB/s", "count": 7, "scale": "log" } },
                      { "path": "cu.tensor_efficiency", "range": { "from": 0.5, "to": 0.9, "count": 3 } },
                      { "path": "arbitration.threshold", "values": ["auto", "none", "32 KiB"] },
                      { "zip": [ { "path": "workload.model", "values": ["t-nlg", "gpt-3"] },
                                 { "path": "parallel.tp", "values": [8, 32] } ] } ],
            "policies": ["sequential", "t3-mca"], "metrics": ["dram_bytes.total"] })");
        QCOMPARE(sweep.texts.at("label"), std::string("L"));
        QCOMPARE(sweep.axes.size(), std::size_t{4});
        QCOMPARE(sweep.axes[3].columns.size(), std::size_t{2});
        QCOMPARE(pointCount(sweep), std::size_t{7 * 3 * 3 * 2 * 2});
        const SweepReading again = readSweep(writeSweep(sweep), "again");
        QVERIFY2(again.problems.empty(), described(again.problems).c_str());
        QVERIFY(again.sweep == sweep);
        QCOMPARE(writeSweep(again.sweep), writeSweep(sweep));
    }

    void theUnitThatAllValuesHaveIsKeptAndIsNoPartOfTheSweep() {
        const auto columnOf = [](const std::string& values) {
            return sweepOf(R"({"axes": [{"path": "link.bandwidth", )" + values + "}]}").axes.front().columns.front();
        };
        QCOMPARE(columnOf(R"("values": ["1000 GB/s", "2000GB/s"])").unit, std::string("GB/s"));
        QCOMPARE(columnOf(R"("range": {"from": "1000 GB/s", "to": "4000 GB/s", "count": 4})").unit,
                 std::string("GB/s"));
        QCOMPARE(columnOf(R"("values": ["1000 GB/s", "2 TB/s"])").unit, std::string());
        QCOMPARE(columnOf(R"("values": [1000000000000, "2 TB/s"])").unit, std::string());
        const Sweep giga = sweepOf(R"({"axes": [{"path": "link.bandwidth", "values": ["1000 GB/s", "2000 GB/s"]}]})");
        const Sweep tera = sweepOf(R"({"axes": [{"path": "link.bandwidth", "values": ["1 TB/s", "2 TB/s"]}]})");
        QVERIFY(giga == tera);
        QCOMPARE(sweepId(giga), sweepId(tera));
        QVERIFY(writeSweep(giga).find("\"2000 GB/s\"") != std::string::npos);
        QCOMPARE(sweepOf(writeSweep(giga)).axes.front().columns.front().unit, std::string("GB/s"));
    }

    void whatIsLeftOutIsTheUsual() {
        const Sweep sweep = sweepOf(R"({"base": {}})");
        QCOMPARE(sweep.policies, std::vector<std::string>{"t3-mca"});
        QCOMPARE(sweep.metrics, (std::vector<std::string>{"speedup_over_sequential", "time_ps.total"}));
        QCOMPARE(pointCount(sweep), std::size_t{1});
        QCOMPARE(sweepOf(R"({"base": {"policy": "t3"}})").policies, std::vector<std::string>{"t3"});
    }

    void aDocumentThatSaysNothingOfASweepIsRefused() {
        for (const char* empty : {"{}", R"({"format": "ringside-sweep", "version": 1, "label": "x"})"}) {
            const std::string text = problemsOf(empty);
            QVERIFY2(text.find("missing are \"axes\" and \"policies\"") != std::string::npos, text.c_str());
        }
        QVERIFY(problemsOf(R"({"policies": ["t3"], "version": 1.0})").empty());
        QVERIFY(problemsOf(R"({"policies": ["t3"], "version": "1"})").find("version: \"1\": not a number") !=
                std::string::npos);
    }

    void everyProblemIsFoundAtOnceAndNamesItsPlace() {
        const std::string text = problemsOf(R"({ "lable": "x", "version": 2, "notes": 7,
            "base": { "link": { "bandwith": 1 }, "seed": [1], "label": "mine", "policy": "t4" },
            "axes": [ { "path": "link.bandwidth", "values": ["75 GB/s", "fast", true] },
                      { "path": "dma.blocktiles", "values": [1] },
                      { "path": "policy", "values": ["t3"] },
                      7, { "zip": { } }, { "path": "seed", "values": [1], "count": 3 },
                      { "values": [1] }, { "path": "seed" } ],
            "policies": ["t3", "t3", "t3mca", 5], "metrics": "time_ps.total" })");
        const char* const expected[] = {
            "lable: \"x\": unknown key, did you mean label?",
            "version: 2: this version",
            "notes: 7: wrong type",
            "base.link.bandwith: 1: unknown key, did you mean link.bandwidth",
            "base.seed: [...]: a list",
            "base.label: \"mine\": not allowed in the base",
            "base.policy.preset: \"t4\": unknown",
            "axes[0].values[1]: \"fast\": link.bandwidth: not a number",
            "axes[0].values[2]: true: link.bandwidth: wrong type",
            "axes[1].path: dma.blocktiles: unknown parameter, did you mean dma.block_tiles",
            "axes[2].path: policy: policies are not an axis",
            "axes[3]: 7: wrong type",
            "axes[4].zip: {...}: wrong type",
            "axes[5].count: 3: unknown key",
            "axes[6].path: missing",
            "axes[7]: seed: either \"values\" or a \"range\"",
            "policies[3]: 5: wrong type",
            "metrics: \"time_ps.total\": wrong type",
            "axes: 8 axes: too many; allowed: up to 4",
        };
        for (const char* line : expected)
            QVERIFY2(contains(text, line), (std::string(line) + "\nis not in\n" + text).c_str());
    }

    void listsOfWordsAreChecked() {
        QCOMPARE(problemsOf(R"({"policies": ["t3", "t3", "t3mca"], "metrics": []})"),
                 std::string("policies[1]: t3: named twice\n"
                             "policies[2]: t3mca: unknown, did you mean t3-mca?; allowed: " +
                             engine::describeAllowed(*engine::findParameter("policy.preset")) +
                             "\n"
                             "metrics: []: at least one is needed, such as speedup_over_sequential\n"));
        const std::string metrics = problemsOf(R"({"metrics": ["time_ps.totl", "time_ps.gemm", "time_ps.gemm"]})");
        QVERIFY2(contains(metrics, "metrics[0]: time_ps.totl: unknown metric, did you mean time_ps.total"),
                 metrics.c_str());
        QVERIFY2(contains(metrics, "metrics[2]: time_ps.gemm: named twice"), metrics.c_str());
    }

    void twoAxesMayNotSetTheSameParameter() {
        QCOMPARE(
            problemsOf(withAxes(R"({"path": "seed", "values": [1, 2]}, {"path": "seed", "values": [3]})")),
            std::string("axes[1].path: seed: two axes set this parameter; allowed: one axis for each parameter\n"));
        QVERIFY(contains(
            problemsOf(withAxes(R"({"zip": [{"path": "seed", "values": [1]}, {"path": "seed", "values": [1]}]})")),
            "axes[0].zip[1].path: seed: two axes set this parameter"));
    }

    void zippedListsHaveOneLength() {
        QCOMPARE(problemsOf(withAxes(R"({"zip": [{"path": "seed", "values": [1, 2]},
                                                {"path": "parallel.tp", "values": [8, 4, 2]}]})")),
                 std::string("axes[0].zip[1]: 3 values: zipped lists must have equal lengths; the first has 2\n"));
    }

    void aValueMayComeTwiceOnlyBesideOthersThatDiffer() {
        QCOMPARE(problemsOf(withAxes(R"({"path": "link.latency", "values": ["1 us", "500 ns", "1000 ns"]})")),
                 std::string("axes[0].values[2]: 1 µs: the same step as one before; steps must differ\n"));
        QCOMPARE(problemsOf(withAxes(R"({"zip": [{"path": "seed", "values": [1, 1]},
                                                {"path": "parallel.tp", "values": [8, 4]}]})")),
                 std::string());
    }

    void rangesAreCheckedWhereTheyStand() {
        QCOMPARE(
            problemsOf(withAxes(
                R"({"path": "link.bandwidth", "range": {"from": "1 B/s", "too": 1, "count": 2.5, "scale": "ln"}})")),
            std::string("axes[0].range.too: 1: unknown key, did you mean to?\n"
                        "axes[0].range.from: \"1 B/s\": link.bandwidth: below the minimum; allowed: ") +
                engine::describeAllowed(*engine::findParameter("link.bandwidth")) +
                "\naxes[0].range.to: missing; allowed: " +
                engine::describeAllowed(*engine::findParameter("link.bandwidth")) +
                "\naxes[0].range.count: 2.5: not a whole number that is possible; allowed: 2 to 1000000\n"
                "axes[0].range.scale: \"ln\": unknown; allowed: linear, log\n");
        QCOMPARE(
            problemsOf(withAxes(R"({"path": "dma.block_tiles", "range": {"from": 1, "to": 4, "count": 5}})")),
            std::string("axes[0].range.count: 5: not possible with these ends; allowed: 2 to 4, as many as there are "
                        "values between the ends\n"));
        QVERIFY(
            !problemsOf(withAxes(R"({"path": "seed", "range": {"from": 1, "to": 4, "count": 99999999999999999999}})"))
                 .empty());
    }

    void pointsAreLimitedAndCountedWithThePolicies() {
        const std::string thousand =
            R"({"path": "link.bandwidth", "range": {"from": "1 GB/s", "to": "1 TB/s", "count": 1000}},
                                        {"path": "seed", "range": {"from": 1, "to": 1000, "count": 1000}})";
        QCOMPARE(problemsOf(withAxes(thousand)), std::string());
        QCOMPARE(problemsOf(R"({"policies": ["t3", "t3-mca"], "axes": [)" + thousand + "]}"),
                 std::string("axes: 2000000 points: too many; allowed: up to 1000000, each policy counted\n"));
    }

    void anotherKindOfDocumentIsCalledSo() {
        QCOMPARE(problemsOf(R"({"format": "ringside-experiment", "machine": "t3-table-1", "link": {}})"),
                 std::string("format: \"ringside-experiment\": not a sweep; allowed: ringside-sweep\n"));
        QCOMPARE(problemsOf(R"({"engine_version": "1", "time_ps": {}})"),
                 std::string("test: the result of a run, not a sweep\n"));
        QVERIFY(contains(problemsOf("{\"axes\": [}"), "not valid JSON at line 1"));
    }

    void anExperimentDocumentMayStandInTheBaseAsItIs() {
        const Sweep sweep = sweepOf(R"({"base": {"format": "ringside-experiment", "version": 1, "seed": 7}})");
        QVERIFY(sweep.base.explicitValues.at("seed") == ParameterValue{std::int64_t{7}});
        QVERIFY(contains(problemsOf(R"({"base": {"format": "ringside-sweep"}})"),
                         "base.format: \"ringside-sweep\": not an"));
    }

    void anUnknownMachineIsAProblemUnlessItsValuesAreGiven() {
        QVERIFY(contains(problemsOf(withAxes(R"({"path": "machine", "values": ["t3-table-1", "t3-tabel-1"]})")),
                         "axes[0].values[1]: t3-tabel-1: unknown, did you mean t3-table-1"));
        QVERIFY(contains(problemsOf(R"({"base": {"workload": {"model": "gpt-5"}}})"), "base.workload.model: gpt-5: "));
        QCOMPARE(
            problemsOf(R"({"base": {"workload": {"model": "gpt-5", "hidden": 4096, "sequence": 1024, "batch": 4}}})"),
            std::string());
    }

    void ownPresetsAreWrittenIntoTheSweep() {
        const QTemporaryDir folder;
        OwnPresets own(folder.path().toStdString());
        ExperimentDraft draft;
        draft.explicitValues = {{"link.bandwidth", std::int64_t{333'000'000'000}}};
        own.save({OwnKind::machine, "bench-top", ownValuesOf(OwnKind::machine, draft)});

        const SweepReading inBase = readSweep(R"({"base": {"machine": "bench-top"}})", "test", &own);
        QVERIFY2(inBase.problems.empty(), described(inBase.problems).c_str());
        QCOMPARE(detailsOf(inBase.sweep, 0).experiment.link.bandwidth.bytesPerSecond, 333'000'000'000);

        const char* axis = R"({"axes": [{"path": "machine", "values": ["t3-table-1-75", "bench-top"]}]})";
        QVERIFY(contains(problemsOf(axis), "axes[0].values[1]: bench-top: unknown"));
        const SweepReading inAxis = readSweep(axis, "test", &own);
        QVERIFY2(inAxis.problems.empty(), described(inAxis.problems).c_str());
        const SweepPlan plan = planOf(inAxis.sweep);
        QCOMPARE(plan.details(plan.points[0]).experiment.link.bandwidth.bytesPerSecond, 75'000'000'000);
        QCOMPARE(plan.details(plan.points[1]).experiment.link.bandwidth.bytesPerSecond, 333'000'000'000);
        // The written sweep means the same without the presets.
        QVERIFY(detailsOf(sweepOf(writeSweep(inAxis.sweep)), 1).experiment == plan.details(plan.points[1]).experiment);

        // A value that is set by hand has priority over that of the preset.
        const SweepReading byHand = readSweep(
            R"({"base": {"link": {"bandwidth": "9 GB/s"}}, "axes": [{"path": "machine", "values": ["bench-top"]}]})",
            "test", &own);
        QCOMPARE(detailsOf(byHand.sweep, 0).experiment.link.bandwidth.bytesPerSecond, 9'000'000'000);
    }

    void theIdIsThatOfWhatIsRun() {
        const Sweep sweep = sweepOf(withAxes(R"({"path": "seed", "range": {"from": 1, "to": 4, "count": 4}})"));
        QCOMPARE(sweepId(sweep).size(), std::size_t{12});
        Sweep other = sweep;
        other.texts["label"] = "other";
        other.metrics = {"time_ps.gemm"};
        QCOMPARE(sweepId(other), sweepId(sweep));
        QCOMPARE(sweepId(sweepOf(withAxes(R"({"path": "seed", "values": [1, 2, 3, 4]})"))), sweepId(sweep));
        QVERIFY(sweepId(sweepOf(withAxes(R"({"path": "seed", "values": [1, 2, 3, 5]})"))) != sweepId(sweep));
        other.policies = {"t3"};
        QVERIFY(sweepId(other) != sweepId(sweep));
        other = sweep;
        other.base.explicitValues["link.latency"] = std::int64_t{1};
        QVERIFY(sweepId(other) != sweepId(sweep));
    }

    void aSweepThatWasPutTogetherIsCheckedByTheSameRules() {
        Sweep sweep = sweepOf(withAxes(R"({"path": "seed", "values": [1, 2]})"));
        QCOMPARE(described(check(sweep)), std::string());
        sweep.axes[0].columns[0].values[1] = std::string("two");
        sweep.axes.push_back({});
        sweep.base.explicitValues["nothing"] = std::int64_t{1};
        sweep.policies.clear();
        const std::string text = described(check(sweep));
        for (const char* line :
             {"axes[0].values[1]: two: seed: not a number", "axes[1]: an axis needs at least one parameter",
              "base.nothing: no parameter", "policies: []: at least one"})
            QVERIFY2(contains(text, line), text.c_str());
        sweep = sweepOf(withAxes(R"({"path": "seed", "range": {"from": 1, "to": 4, "count": 4}})"));
        sweep.axes[0].columns[0].values.pop_back();
        QVERIFY(contains(described(check(sweep)), "the values are not those of the range"));
    }

    void hugeListsOfMistakesTakeNoTime() {
        std::string metrics = R"({"metrics": ["x")", values = R"("nowhere")";
        for (int i = 0; i < 500'000; ++i)
            metrics += R"(,"time_ps.total")";
        for (int i = 0; i < 500'000; ++i)
            values += R"(,"nowhere")";
        const std::string axes = withAxes(R"({"path": "machine", "values": [)" + values + "]}");
        std::size_t ofMetrics = 0, ofAxes = 0;
        const auto taken = tests::processorTimeOf([&] {
            ofMetrics = readSweep(metrics + "]}", "test").problems.size();
            ofAxes = readSweep(axes, "test").problems.size();
        });
        QVERIFY(ofMetrics <= 50 && ofAxes <= 50);
        QVERIFY2(taken < std::chrono::seconds(10), qPrintable(QString::number(taken.count())));
    }
};

RINGSIDE_TEST(TestSweepDocument)
#include "tst_sweep_document.moc"
