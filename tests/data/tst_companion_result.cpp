#include "data/document/json_reading.h"
#include "data/experiment/experiment_document.h"
#include "data/results/packed_document.h"
#include "data/results/result_document.h"
#include "data/results/result_json.h"
#include "data/store/run_catalogue.h"
#include "data/store/store.h"
#include "tests/data/sample_result.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace data;

namespace {

engine::RunResult withCompanion() {
    engine::RunResult result = tests::sampleResult();
    result.speedupOverSequential.reset();
    tests::addCompanion(result);
    return result;
}

std::vector<std::string> keysOf(const ResultJson& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items())
        keys.push_back(key);
    return keys;
}

ResultJson companionOf(const engine::RunResult& result) { return outcomeJson(result)["companion"]; }

}  // namespace

class TestCompanionResult : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunWithoutACompanionHasNoSection() {
        QVERIFY(!outcomeJson(tests::sampleResult()).contains("companion"));
        QVERIFY(!readOutcome(outcomeJson(tests::sampleResult())).companion);
    }

    void theSectionHasTheKeysOfTheDesignInTheirOrder() {
        const std::vector<std::string> keys{"operation",
                                            "by",
                                            "copies",
                                            "bytes",
                                            "own_ps",
                                            "time_ps",
                                            "own_waits_ps",
                                            "waits_ps",
                                            "own_alone_ps",
                                            "alone_ps",
                                            "serial_ps",
                                            "per_kernel_ps",
                                            "own_slowdown",
                                            "slowdown",
                                            "speedup_over_serial",
                                            "ideal_speedup",
                                            "fraction_of_ideal",
                                            "while_both",
                                            "dram_bytes",
                                            "link_bytes",
                                            "other_done"};
        const ResultJson companion = companionOf(withCompanion());
        QCOMPARE(keysOf(companion), keys);
        QCOMPARE(keysOf(companion["while_both"]), (std::vector<std::string>{"time_ps", "own_slowdown", "slowdown"}));
        QCOMPARE(keysOf(companion["dram_bytes"]), (std::vector<std::string>{"read", "write"}));
        QCOMPARE(companion["operation"], "all-to-all");
        QCOMPARE(companion["by"], "dma");
        QCOMPARE(companion["while_both"]["slowdown"], 1.140625);
        QCOMPARE(companion["dram_bytes"]["write"], 62);
    }

    void whatIsNotKnownHasNoKey() {
        engine::RunResult result = withCompanion();
        const engine::CompanionResult known = *result.companion;
        result.companion = engine::CompanionResult{.operation = known.operation, .own = known.own, .time = known.time};
        result.companion->dramRead = known.dramRead;
        result.companion->dramWritten = known.dramWritten;
        result.companion->sent = known.sent;
        result.last.companion->otherDone.reset();
        result.last.companion->ownWaits.reset();
        result.last.companion->waits.reset();
        const ResultJson companion = companionOf(result);
        for (const char* key :
             {"own_alone_ps", "alone_ps", "serial_ps", "own_slowdown", "slowdown", "speedup_over_serial",
              "ideal_speedup", "fraction_of_ideal", "while_both", "other_done", "waits_ps", "own_waits_ps"})
            QVERIFY2(!companion.contains(key), key);
        QVERIFY(tests::sameResult(readOutcome(outcomeJson(result)), result));
    }

    void whatIsWrittenReadsBackAlsoPacked() {
        const engine::RunResult result = withCompanion();
        QVERIFY(tests::sameResult(readResult(writeResult({}, result)), result));
        const PackedDocument pack = packed(outcomeJson(result));
        QVERIFY(tests::sameResult(readOutcome(unpacked(pack.layout, pack.values)), result));
    }

    void eachGpuReportsItsPart() {
        engine::RunResult result = withCompanion();
        result.perGpu.assign(2, result.last);
        result.perGpu[1].companion->time = {1234};
        result.perGpu[1].companion->otherDone.reset();
        const ResultJson gpus = outcomeJson(result)["per_gpu"];
        QCOMPARE(keysOf(gpus[0]["companion"]),
                 (std::vector<std::string>{"own_ps", "time_ps", "own_waits_ps", "waits_ps", "dram_bytes", "link_bytes",
                                           "other_done"}));
        QCOMPARE(gpus[1]["companion"]["time_ps"], 1234);
        QVERIFY(!gpus[1]["companion"].contains("other_done"));
        QVERIFY(tests::sameResult(readOutcome(outcomeJson(result)), result));
    }

    void damageNamesTheKey() {
        const auto damage = [](const char* key, const ResultJson& value) -> std::string {
            ResultJson document = outcomeJson(withCompanion());
            document["companion"][key] = value;
            try {
                readOutcome(document);
            } catch (const DamagedDocument& error) { return error.what(); }
            return "read all the same";
        };
        QCOMPARE(damage("by", "kernel"), std::string("read all the same"));
        QCOMPARE(damage("by", "pigeon"), std::string("companion.by: none of its words"));
        QCOMPARE(damage("own_ps", "1"), std::string("companion.own_ps: a whole number is expected"));
        QCOMPARE(damage("dram_bytes", ResultJson{{"read", 1}}), std::string("companion.dram_bytes.write: missing"));
        QCOMPARE(damage("while_both", 5), std::string("companion.while_both: an object is expected"));
    }

    void keptRunsAreFoundByTheirNumbersAndByWhatRanBeside() {
        const QTemporaryDir folder;
        Store store(folder.filePath("kept.sqlite").toStdString());
        engine::Experiment beside;
        beside.companion.operation = engine::CompanionOperation::allToAll;
        const std::int64_t pair = store.keep("pair", writeDraft({}), beside, withCompanion());
        store.keep("alone", writeDraft({}), {}, tests::sampleResult());
        const auto found = [&](const char* text) {
            std::string problem;
            const auto filter = RunFilter::parse(text, problem);
            if (!filter)
                qFatal("%s", problem.c_str());
            CatalogueQuery query;
            query.columns = filter->paths();
            std::vector<std::int64_t> ids;
            for (const CatalogueRow& row : RunCatalogue(store).rows(query)) {
                if (filter->accepts(row, query.columns))
                    ids.push_back(row.id);
            }
            return ids;
        };
        const std::vector<std::int64_t> one{pair}, none;
        QCOMPARE(found("companion.own_slowdown>1.06"), one);
        QCOMPARE(found("companion.own_slowdown>1.07"), none);
        QCOMPARE(found("companion.while_both.time_ps<=1901"), one);
        QCOMPARE(found("companion.dram_bytes.read=61B"), one);
        QCOMPARE(found("companion.operation=all-to-all"), one);
    }
};

RINGSIDE_TEST(TestCompanionResult)
#include "tst_companion_result.moc"
