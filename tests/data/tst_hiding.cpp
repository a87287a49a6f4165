#include "data/document/names.h"
#include "data/laboratory/laboratory.h"
#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "data/results/result_document.h"
#include "data/store/run_catalogue.h"
#include "data/store/run_seal.h"
#include "data/store/store.h"
#include "engine/api/run_times.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QTemporaryDir>

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

using namespace data;

namespace {

constexpr std::array kMetrics{"time_ps.hidden", "time_ps.exposed", "gemm_stretch"};

ExperimentDraft smallHiding(const QStringList& settings) {
    ExperimentDraft draft = draftNamed("mega-gpt-2/op/tp4").draft;
    engine::Problems problems;
    for (const char* setting : {"workload.sequence=512", "workload.batch=4", "detail.level=interactive"})
        applySetting(setting, draft, problems);
    for (const QString& setting : settings)
        applySetting(setting.toStdString(), draft, problems);
    if (!problems.empty())
        qFatal("%s", engine::describe(problems.front()).c_str());
    return draft;
}

engine::RunResult resultOf(const QStringList& settings) { return Laboratory().run(smallHiding(settings)).result; }

std::string with(const char* path, const std::string& value) { return std::string(path) + "=" + value; }

/// Returns a result in the form that engines before 0.5 wrote.
std::string asWrittenBefore(const engine::RunResult& result) {
    auto json = nlohmann::ordered_json::parse(writeResult({}, result, false));
    json.erase("gemm_stretch");
    json.erase("run_time_ps");
    json["time_ps"].erase("hidden");
    json["time_ps"].erase("exposed");
    return json.dump();
}

}  // namespace

class TestHiding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hiddenAndExposedAddUpToWhatSequentialCommunicates_data() {
        QTest::addColumn<QStringList>("settings");
        for (const char* operation : {"all-reduce", "reduce-scatter", "all-to-all", "all-gather"}) {
            for (const char* algorithm : {"ring", "direct"}) {
                const QString settings =
                    QStringLiteral("%1, %2").arg(QLatin1String(operation), QLatin1String(algorithm));
                QTest::newRow(qPrintable(settings))
                    << QStringList{QString::fromStdString(with("collective.operation", operation)),
                                   QString::fromStdString(with("collective.algorithm", algorithm)),
                                   QStringLiteral("topology.kind=fully-connected")};
            }
        }
        QTest::newRow("a slow GPU") << QStringList{"variation.gpu=1", "variation.clock_factor=0.5"};
        QTest::newRow("a late GPU") << QStringList{"variation.gpu=1", "variation.start_skew=20us"};
        QTest::newRow("chunks of unlike size") << QStringList{"workload.sequence=500", "detail.mode=full"};
        QTest::newRow("a hierarchy") << QStringList{"topology.kind=two-nodes", "collective.algorithm=hierarchical"};
    }

    void hiddenAndExposedAddUpToWhatSequentialCommunicates() {
        QFETCH(const QStringList, settings);
        const engine::TimeResult sequential = engine::timesOfRun(resultOf(settings + QStringList{"policy=sequential"}));
        int compared = 0;
        for (const std::string& policy : namesOf(policies(), &Preset::name)) {
            const ExperimentDraft draft =
                smallHiding(settings + QStringList{QString::fromStdString(with("policy", policy))});
            if (!expand(draft).problems.empty())
                continue;
            const engine::RunResult result = Laboratory().run(draft).result;
            const auto hiding = engine::hidingOf(result);
            QVERIFY2(hiding, policy.c_str());
            QCOMPARE((hiding->hidden + hiding->exposed).ps, (sequential.total - sequential.gemm).ps);
            QCOMPARE(hiding->hidden.ps, (sequential.total - result.last.time.total).ps);
            QCOMPARE(hiding->exposed.ps, (result.last.time.total - sequential.gemm).ps);
            ++compared;
        }
        QVERIFY(compared >= 3);
    }

    void sequentialHidesNothingAndStretchesNothing() {
        for (const char* operation : {"all-reduce", "all-to-all", "all-gather"}) {
            const engine::RunResult result = resultOf(
                {QString::fromStdString(with("collective.operation", operation)), QStringLiteral("policy=sequential")});
            const engine::TimeResult& time = result.last.time;
            const engine::Hiding expected{{0}, time.reduceScatter + time.allGather + time.allToAll, 1};
            QVERIFY(engine::hidingOf(result) == expected);
        }
    }

    // The ring of an MI300X uses one of seven links. Near-memory updates arrive so slowly that the GEMM waits for them.
    // The GEMM overlaps with the collective, but hides nothing of it.
    void aGemmThatWaitsForTheRingOfAnMi300xHidesNothing() {
        ExperimentDraft draft = draftNamed("t-nlg/fc-2/tp8").draft;
        engine::Problems problems;
        for (const char* setting :
             {"machine=amd-mi300x", "collective.algorithm=ring", "policy=t3-mca", "detail.level=interactive"})
            applySetting(setting, draft, problems);
        QVERIFY(problems.empty());
        const engine::RunResult result = Laboratory().run(draft).result;
        const auto hiding = engine::hidingOf(result);
        QVERIFY(hiding.has_value());
        QVERIFY(hiding->gemmStretch > 2);
        // The older measure counts most of the stretched GEMM as hidden communication: more than the whole
        // communication.
        QVERIFY(result.last.time.overlapped > result.isolated->gemm);
        QVERIFY(hiding->hidden < result.isolated->gemm);
        QVERIFY(hiding->exposed > result.last.time.exposedCommunication);
        QCOMPARE(hiding->hidden < engine::Duration{}, *result.speedupOverSequential < 1);
    }

    void aPolicyThatIsSlowerThanSequentialLosesTime() {
        engine::RunResult result;
        result.last.time = {.total = {1'100}, .gemm = {900}, .overlapped = {700}, .exposedCommunication = {200}};
        result.isolated = engine::IsolatedTimes{{600}, {400}, {}, {}};
        result.speedupOverSequential = 1'000.0 / 1'100.0;
        const auto slower = engine::hidingOf(result);
        QCOMPARE(slower->hidden.ps, -100);
        QCOMPARE(slower->exposed.ps, 500);
        QCOMPARE(slower->communication().ps, 400);
        QCOMPARE(slower->gemmStretch, 1.5);
        result.last.time.total = {999};
        result.speedupOverSequential = 1'000.0 / 999.0;
        QCOMPARE(engine::hidingOf(result)->hidden.ps, 1);
    }

    // Parts of the policy that are set by hand also apply to the sequential run that is shown.
    void runsThatAreComparedHideAgainstTheSequentialRunBesideThem() {
        const auto runs = Laboratory().compare(
            smallHiding({"collective.reduction=nmc", "policy.output_caching=bypass"}), {"sequential", "t3", "t3-mca"});
        const engine::TimeResult& sequential = engine::timesOfRun(runs.front().result);
        for (const LaboratoryRun& run : runs) {
            const auto hiding = engine::hidingOf(run.result);
            QCOMPARE(hiding->communication().ps, (sequential.total - sequential.gemm).ps);
            QCOMPARE(hiding->hidden.ps, (sequential.total - run.result.last.time.total).ps);
        }
        QCOMPARE(engine::hidingOf(runs.front().result)->gemmStretch, 1.0);
    }

    void withoutASequentialRunThereIsNothingToSay() {
        engine::RunOptions alone;
        alone.baselines = false;
        QVERIFY(!engine::hidingOf(Laboratory().run(smallHiding({}), alone).result));
        const engine::RunResult collective = Laboratory().run(draftNamed("collective/all-gather/tp4").draft).result;
        QVERIFY(!engine::hidingOf(collective));
        for (const char* path : kMetrics)
            QVERIFY(!findMetric(path)->read(collective));
    }

    void theDocumentSaysItBeforeTheOlderMeasures() {
        const engine::RunResult result = resultOf({});
        const auto hiding = engine::hidingOf(result);
        const std::string text = writeResult({}, result, false);
        const auto json = nlohmann::json::parse(text);
        QCOMPARE(json["time_ps"]["hidden"].get<std::int64_t>(), hiding->hidden.ps);
        QCOMPARE(json["time_ps"]["exposed"].get<std::int64_t>(), hiding->exposed.ps);
        QCOMPARE(json["gemm_stretch"].get<double>(), hiding->gemmStretch);
        QVERIFY(text.find("\"exposed\"") < text.find("\"overlapped\""));
        QVERIFY(engine::hidingOf(readResult(text)) == hiding);
    }

    void aRunOfUnlikeGpusReadsBackWhole() {
        const engine::RunResult result = resultOf({"variation.gpu=1", "variation.clock_factor=0.5"});
        QVERIFY(result.whole.has_value());
        engine::Duration longest;
        for (const engine::GpuResult& gpu : result.perGpu)
            longest = std::max(longest, gpu.time.gemm);
        QCOMPARE(engine::timesOfRun(result).gemm, longest);
        const engine::RunResult again = readResult(writeResult({}, result, false));
        QVERIFY(again.whole == result.whole);
        QVERIFY(engine::hidingOf(again) == engine::hidingOf(result));
        QVERIFY(!resultOf({"detail.mode=full"}).whole);
    }

    void documentsOfOlderVersionsAreRecognisedByTheirContents() {
        for (const std::string& policy : namesOf(policies(), &Preset::name)) {
            QStringList settings{QString::fromStdString(with("policy", policy))};
            if (policy == "chunked-dma")
                settings << QStringLiteral("collective.algorithm=direct");
            const engine::RunResult result = resultOf(settings);
            const auto reported = engine::hidingOf(readResult(asWrittenBefore(result)));
            QVERIFY2(reported == engine::hidingOf(result), policy.c_str());
        }
    }

    void aStoreOfOlderRunsFillsTheColumns() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("runs.ringside").toStdString();
        Store store(path);
        const LaboratoryRun run = Laboratory(&store).run(smallHiding({}));
        const auto read = [&] {
            const std::vector<std::string> paths(kMetrics.begin(), kMetrics.end());
            return RunCatalogue(store).rows({paths}).front().values;
        };
        const auto now = read();
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            QCOMPARE(std::get<double>(now[i]), *findMetric(kMetrics[i])->read(run.result));
        {
            SQLite::Database database(path, SQLite::OPEN_READWRITE);
            SQLite::Statement plain(database, "UPDATE run SET layout = NULL, result = ?");
            plain.bind(1, asWrittenBefore(run.result));
            plain.exec();
            sealRuns(database, ToSeal::all);
        }
        QVERIFY(read() == now);
    }
};

RINGSIDE_TEST(TestHiding)
#include "tst_hiding.moc"
