#include "data/results/result_document.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace data;

namespace {

QJsonObject written(const engine::RunResult& result, bool withExperiment = true) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(writeResult({}, result, withExperiment))).object();
}

QStringList sorted(QStringList keys) {
    keys.sort();
    return keys;
}

}  // namespace

class TestResultDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKeysAreThoseOfTheCommandLinesPageInItsOrder() {
        const std::string text = writeResult({}, tests::sampleResult());
        std::size_t place = 0;
        for (const char* key : {"engine_version",
                                "experiment_hash",
                                "experiment",
                                "shape",
                                "time_ps",
                                "isolated_ps",
                                "speedup_over_sequential",
                                "gemm_stretch",
                                "dram_bytes",
                                "memory",
                                "link_bytes",
                                "tracker",
                                "dma",
                                "llc",
                                "bounds_ps",
                                "network",
                                "invariants",
                                "notices",
                                "events",
                                "wall_ns",
                                "threads"}) {
            const std::size_t found = text.find("\n  \"" + std::string(key) + "\": ");
            QVERIFY2(found != std::string::npos && found > place, key);
            place = found;
        }
        QCOMPARE(written(tests::sampleResult()).size(), 21);
    }

    void eachGroupHasItsKeys() {
        const QJsonObject json = written(tests::sampleResult());
        const auto keys = [&](const char* group) { return json[group].toObject().keys(); };
        QCOMPARE(keys("shape"), sorted({"m", "n", "k", "tiles", "output_bytes", "chunk_bytes"}));
        QCOMPARE(keys("time_ps"), sorted({"total", "gemm", "reduce_scatter", "all_gather", "hidden", "exposed",
                                          "overlapped", "exposed_communication"}));
        QCOMPARE(keys("isolated_ps"), sorted({"gemm", "reduce_scatter", "reduce_scatter_nmc", "all_gather"}));
        QCOMPARE(keys("dram_bytes"),
                 sorted({"gemm_read", "gemm_write", "rs_read", "rs_write", "ag_read", "ag_write", "total"}));
        QCOMPARE(keys("link_bytes"), sorted({"reduce_scatter", "all_gather"}));
        QCOMPARE(keys("tracker"),
                 sorted({"peak_entries", "capacity_stalls", "triggers", "updates", "held_peak_bytes"}));
        QCOMPARE(keys("dma"), sorted({"commands", "bytes", "peak_queue"}));
        QCOMPARE(keys("memory"), sorted({"camping", "camping_window"}));
        QCOMPARE(keys("llc"), sorted({"hit_bytes", "miss_bytes", "hit_rate"}));
        QCOMPARE(keys("bounds_ps"), sorted({"compute", "memory", "link", "total"}));
        QCOMPARE(keys("invariants"), sorted({"checked", "failed"}));
    }

    void whatAPolicyDoesNotHaveIsAbsent() {
        engine::RunResult result = tests::sampleResult();
        result.last = {result.last.time, {}, {}, {}, {}, {}};  // a formula has times only
        result.isolated.reset();
        result.speedupOverSequential.reset();
        const QJsonObject json = written(result, false);
        for (const char* key : {"dram_bytes", "memory", "link_bytes", "tracker", "dma", "llc", "isolated_ps",
                                "speedup_over_sequential", "gemm_stretch", "per_gpu", "attribution_ps", "experiment"})
            QVERIFY2(!json.contains(key), key);
        QVERIFY(tests::sameResult(readResult(writeResult({}, result, false)), result));
    }

    void whereTheTimeWentStandsBeforeTheBoundsInSixCauses() {
        const engine::RunResult result = tests::fullResult();
        const QJsonObject json = written(result);
        const QJsonObject causes = json["attribution_ps"].toObject();
        QCOMPARE(causes.keys(), sorted({"compute", "memory", "link", "tracker_dma", "dependency", "dispatch"}));
        std::int64_t memory = 0;
        for (const auto cause : {engine::Cause::latency, engine::Cause::memory, engine::Cause::cacheSlices,
                                 engine::Cause::contention, engine::Cause::collectiveKernel})
            memory += result.attribution->causes[cause].ps;
        QCOMPARE(causes["memory"].toInteger(), memory);
        const QJsonObject detail = json["attribution_detail_ps"].toObject();
        QCOMPARE(detail.keys(), sorted({"memory_own", "memory_latency", "memory_bandwidth", "cache_slices",
                                        "memory_contention", "collective_kernel", "by_phase", "by_gpu"}));
        QCOMPARE(detail["by_phase"].toObject().keys(),
                 sorted({"gemm", "all_gather"}));  // without the times that are absent
        const std::string text = writeResult({}, result);
        QVERIFY(text.find("\"llc\"") < text.find("\"attribution_ps\""));
        QVERIFY(text.find("\"attribution_detail_ps\"") < text.find("\"bounds_ps\""));
        QVERIFY(tests::sameResult(readResult(text), result));
    }

    void everyGpuIsThereOnRequestWithItsGroups() {
        engine::RunResult result = tests::sampleResult();
        result.perGpu.assign(3, result.last);
        const QJsonArray gpus = written(result)["per_gpu"].toArray();
        QCOMPARE(gpus.size(), 3);
        QCOMPARE(gpus[2].toObject().keys(),
                 sorted({"time_ps", "dram_bytes", "memory", "link_bytes", "tracker", "dma", "llc"}));
        QVERIFY(tests::sameResult(readResult(writeResult({}, result)), result));
    }

    void whatIsWrittenReadsBack() {
        QVERIFY(tests::sameResult(readResult(writeResult({}, tests::sampleResult())), tests::sampleResult()));
    }

    void whatTheBanksCameToStandsBesideTheTrafficAndReadsBack() {
        engine::RunResult result = tests::sampleResult();
        QVERIFY(!written(result).contains("dram_outcome"));
        result.last.dramOutcome = engine::DramOutcome{0.71, 1.25, 0.875, 31, {32}, {33}};
        result.perGpu.assign(2, result.last);
        const QJsonObject outcome = written(result)["dram_outcome"].toObject();
        QCOMPARE(outcome.keys(),
                 sorted({"efficiency", "update_cost", "row_hit_rate", "activations", "turnaround_ps", "refresh_ps"}));
        QCOMPARE(outcome["efficiency"].toDouble(), 0.71);
        QCOMPARE(outcome["refresh_ps"].toInteger(), 33);
        QVERIFY(tests::sameResult(readResult(writeResult({}, result)), result));
    }

    void wholeNumbersStayWhole() {
        engine::RunResult result = tests::sampleResult();
        result.last.time.total.ps = 9'007'199'254'740'993;  // 2^53 + 1: a double would lose the last digit
        QVERIFY(writeResult({}, result).find("\"total\": 9007199254740993,") != std::string::npos);
        QCOMPARE(readResult(writeResult({}, result)).last.time.total.ps, 9'007'199'254'740'993);
    }

    void damageNamesTheKey() {
        const auto damage = [](std::string_view from, std::string_view to) -> std::string {
            std::string text = writeResult({}, tests::sampleResult());
            text.replace(text.find(from), from.size(), to);
            try {
                readResult(text);
            } catch (const DamagedDocument& error) { return error.what(); }
            return "read all the same";
        };
        QCOMPARE(damage("\"overlapped\"", "\"overlaped\""), std::string("time_ps.overlapped: missing"));
        QCOMPARE(damage("\"events\": 23", "\"events\": \"23\""), std::string("events: a whole number is expected"));
        QCOMPARE(damage("\"events\": 23", "\"events\": 23.5"), std::string("events: a whole number is expected"));
        QCOMPARE(damage("\"engine_version\"", "engine_version"), std::string("the result is not valid JSON"));
    }
};

RINGSIDE_TEST(TestResultDocument)
#include "tst_result_document.moc"
