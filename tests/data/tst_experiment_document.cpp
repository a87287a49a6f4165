#include "data/experiment/experiment_document.h"
#include "engine/api/parameters.h"
#include "tests/data/said.h"
#include "tests/least_time.h"
#include "tests/test_program.h"

#include <QtTest>

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>

#include <array>
#include <chrono>

using namespace data;
using engine::ParameterValue;

namespace {

using tests::contains;
using tests::described;

DraftReading read(std::string_view json) { return readDraft(json, "test"); }

/// Returns the one problem of a document, or all that was found instead.
std::string problemOf(std::string_view json) {
    const DraftReading reading = read(json);
    return reading.problems.size() == 1 ? describe(reading.problems.front())
                                        : "not one problem:\n" + described(reading.problems);
}

ExperimentDraft draftOf(std::initializer_list<const char*> settings) {
    ExperimentDraft draft;
    engine::Problems problems;
    for (const char* setting : settings)
        applySetting(setting, draft, problems);
    if (!problems.empty())
        qFatal("%s", described(problems).c_str());
    return draft;
}

engine::Experiment experimentOf(std::initializer_list<const char*> settings) {
    const Expansion expansion = expand(draftOf(settings));
    if (!expansion.runnable())
        qFatal("%s", described(expansion.problems).c_str());
    return expansion.experiment;
}

}  // namespace

class TestExperimentDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theExampleOfTheCommandLinesPageIsRead() {
        const DraftReading reading = read(R"({ "format": "ringside-experiment", "version": 1, "machine": "t3-table-1",
            "workload": { "model": "t-nlg", "sublayer": "fc-2" }, "parallel": { "tp": 8 },
            "policy": { "preset": "t3-mca" }, "detail": { "level": "standard" }, "link": { "bandwidth": "75 GB/s" } })");
        QVERIFY2(reading.problems.empty(), described(reading.problems).c_str());
        const Expansion expansion = expand(reading.draft);
        QVERIFY2(expansion.runnable(), described(expansion.problems).c_str());
        QCOMPARE(expansion.experiment.link.bandwidth.bytesPerSecond, 75'000'000'000);
    }

    void aDocumentThatSaysNothingIsRefused() {
        const DraftReading reading = read("{}");
        QVERIFY2(described(reading.problems).find("{}: an empty document; missing is an experiment, such as") !=
                     std::string::npos,
                 described(reading.problems).c_str());
        QVERIFY(read(R"({"seed": 1})").problems.empty());
    }

    void theVersionIsANumber_data() {
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("said");
        QTest::newRow("1") << "1"
                           << "";
        QTest::newRow("1.0") << "1.0"
                             << "";
        QTest::newRow("1e0") << "1e0"
                             << "";
        QTest::newRow("text") << "\"1\""
                              << "version: \"1\": not a number; allowed: 1";
        QTest::newRow("2") << "2"
                           << "version: 2: this version of the format is not known here; allowed: 1";
        QTest::newRow("1.5") << "1.5"
                             << "version: 1.5: this version of the format is not known here; allowed: 1";
        QTest::newRow("true") << "true"
                              << "version: true: not a number; allowed: 1";
    }

    void theVersionIsANumber() {
        QFETCH(QString, version);
        QFETCH(QString, said);
        const std::string head = R"({"format": "ringside-experiment", "version": )" + version.toStdString();
        const std::string text = described(read(head + R"(, "seed": 1})").problems);
        QVERIFY2(text == said.toStdString() || text == said.toStdString() + "\n", text.c_str());
    }

    void aStringIsShownWithItsQuotes() {
        const std::string text =
            described(read(R"({"gemm": {"tile_m": "64 x"}, "fo": "1", "cu": "4", "policy": 5})").problems);
        for (const char* said :
             {"gemm.tile_m: \"64 x\": ", "fo: \"1\": unknown key", "cu: \"4\": an object is expected",
              "policy.preset: 5: wrong type, a string is expected"})
            QVERIFY2(text.find(said) != std::string::npos, (std::string(said) + " in " + text).c_str());
        QVERIFY(described(read("\"1\"").problems).find("\"1\": one value, but an object") != std::string::npos);
    }

    void aProblemStandsAtWhatWasSet_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("said");
        QTest::newRow("a mark that is not set")
            << "memory.write_drain_high=64"
            << "memory.write_drain_high: 64 B: conflicts with memory.write_drain_low = ";
        QTest::newRow("both marks")
            << "memory.write_drain_high=64 memory.write_drain_low=128"
            << "memory.write_drain_low: 128 B: above memory.write_drain_high = 64 B; allowed: at most";
        QTest::newRow("a mapping under a preset")
            << "policy.mapping=local"
            << "policy.mapping: local: conflicts with collective.reduction = nmc, which was not set; collective.reduction: "
               "updates (nmc) would";
        QTest::newRow("both") << "policy.mapping=local collective.reduction=nmc"
                              << "collective.reduction: nmc: updates (nmc) would";
        QTest::newRow("hidden") << "workload.hidden=4255"
                                << "workload.hidden: 4255: conflicts with parallel.tp = ";
        QTest::newRow("one CU")
            << "policy=cu-split cu.count=1"
            << "cu.count: 1: with policy.start=concurrent the collective takes CUs from the GEMM, and "
               "both need one; allowed: at least 2, or another policy";
    }

    void aProblemStandsAtWhatWasSet() {
        QFETCH(QString, settings);
        QFETCH(QString, said);
        ExperimentDraft draft;
        engine::Problems problems;
        for (const QString& setting : settings.split(QLatin1Char(' ')))
            applySetting(setting.toStdString(), draft, problems);
        const std::string text = described(expand(draft).problems);
        QVERIFY2(text.starts_with(said.toStdString()), text.c_str());
        QVERIFY2(text.find("1 to 0") == std::string::npos, text.c_str());
    }

    void whatIsLeftOutIsTheDefault() {
        const DraftReading reading = read(R"({"format": "ringside-experiment", "version": 1})");
        QVERIFY(reading.problems.empty());
        engine::Experiment expected;
        expected.workload.heads = 28;  // T-NLG's; without a model the number of heads follows from the width
        QVERIFY(expand(reading.draft).experiment == expected);
    }

    void presetsExpandFirstWhateverTheOrder() {
        QVERIFY(experimentOf({"link.bandwidth=100GB/s", "machine=t3-table-1-75"}) ==
                experimentOf({"machine=t3-table-1-75", "link.bandwidth=100GB/s"}));
        const engine::Experiment e = experimentOf({"workload.batch=4", "workload.model=gpt-3", "detail.channels=4",
                                                   "detail.level=fine", "arbitration.policy=mca", "policy=t3"});
        QCOMPARE(e.workload.batch, 4);
        QCOMPARE(e.workload.hidden, 12288);
        QCOMPARE(e.detail.channels, 4);
        QCOMPARE(e.detail.granule.count, 256);
        QVERIFY(e.arbitration.policy == engine::ArbitrationPolicy::mca);
        QVERIFY(e.policy.preset == engine::PolicyPreset::t3);
    }

    void policyMayBeAWordOrAnObject() {
        QVERIFY(read(R"({"policy": "t3"})").draft == read(R"({"policy": {"preset": "t3"}})").draft);
    }

    void numbersMayBeInBaseUnitsOrTextWithUnits() {
        for (const char* json : {R"({"link": {"bandwidth": 75000000000}})", R"({"link": {"bandwidth": 75e9}})",
                                 R"({"link": {"bandwidth": "75GB/s"}})", R"({"link": {"bandwidth": "0.075 TB/s"}})"})
            QVERIFY2(read(json).draft.explicitValues.at("link.bandwidth") ==
                         ParameterValue{std::int64_t{75'000'000'000}},
                     json);
    }

    void aSettingOfEarlierVersionsIsReadWithANotice() {
        const DraftReading old = read(R"({"link": {"latency": 7}, "dma": {"engines": 2, "queue": "unlimited"}})");
        QVERIFY2(old.problems.empty(), described(old.problems).c_str());
        const DraftReading today = read(R"({"link": {"latency": 7}, "dma": {"engines": 2}})");
        QVERIFY(old.draft == today.draft);
        QCOMPARE(experimentHash(expand(old.draft).experiment), experimentHash(expand(today.draft).experiment));
        const Expansion expansion = expand(old.draft);
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.notices.size(), expand(today.draft).notices.size() + 1);
        QCOMPARE(expansion.notices.front().path, std::string("dma.queue"));
        QCOMPARE(expansion.notices.front().text, std::string("no longer a setting: it never changed a time; ignored"));
        QVERIFY(noticesOfRemoved(today.draft).empty());
        // The value of an unknown key is not checked, and the key is missing when the document is written again.
        QVERIFY(read(R"({"dma": {"queue": -1}})").problems.empty());
        QVERIFY(!contains(writeDraft(old.draft), "queue"));
    }

    void aSettingOfEarlierVersionsIsNoLongerSet() {
        ExperimentDraft draft;
        engine::Problems problems;
        applySetting("dma.queue=4", draft, problems);
        QCOMPARE(described(problems),
                 std::string("dma.queue: 4: no longer a setting: it never changed a time; leave it out\n"));
        QVERIFY(draft.explicitValues.empty() && draft.removed.empty());
    }

    void unknownKeysNameTheNearest() {
        QVERIFY(contains(problemOf(R"({"link": {"bandwith": 1}})"),
                         "link.bandwith: 1: unknown key, did you mean link.bandwidth"));
        QVERIFY(contains(problemOf(R"({"lnik": {"bandwidth": 1, "latency": 2}})"),
                         "lnik: {...}: unknown key, did you mean link"));
        QVERIFY(contains(problemOf(R"({"workload": {"model": {"name": "t-nlg"}}})"), "one value is expected"));
        QVERIFY(contains(problemOf(R"({"link": 5})"), "an object is expected, with some of bandwidth"));
        QVERIFY(contains(problemOf(R"({"link.bandwidth": 5})"), "keys nest at the dots"));
    }

    void allProblemsAreListed() {
        const DraftReading reading =
            read(R"({"format": "x", "version": 2, "seed": -1, "cu": {"count": "many"}, "foo": 1})");
        QCOMPARE(reading.problems.size(), std::size_t{5});
    }

    void duplicateKeysAndWrongTypesAreRefused() {
        QVERIFY(contains(problemOf(R"({"seed": 1, "seed": 2})"), "seed: given twice"));
        QVERIFY(contains(problemOf(R"({"cu": {"count": 80}, "cu": {"slots": 1}})"), "cu: given twice"));
        QVERIFY(contains(problemOf(R"({"cu": {"count": true}})"), "cu.count: true: wrong type"));
        QVERIFY(contains(problemOf(R"({"cu": {"count": null}})"), "wrong type"));
        QVERIFY(contains(problemOf(R"({"cu": {"count": [80]}})"), "a list, but one value"));
        QVERIFY(contains(problemOf(R"({"policy": {"preset": 3}})"), "wrong type, a string"));
        QVERIFY(contains(problemOf(R"([1, 2])"), "an object {...} is expected"));
        QVERIFY(contains(problemOf(R"("t-nlg")"), "an object {...} is expected"));
    }

    void badJsonIsReportedWithLineAndColumn() {
        QVERIFY(contains(problemOf("{\n  \"seed\": NaN\n}"), "line 2, column 11"));
        QVERIFY(contains(problemOf(""), "not valid JSON at line 1"));
        QVERIFY(contains(problemOf("{\"label\": \"\xff\"}"), "ill-formed UTF-8"));
        QVERIFY(contains(problemOf("{\"memory\": {\"efficiency\": 1e999}}"), "test: not valid JSON"));
        QVERIFY(contains(problemOf("{} {}"), "not valid JSON"));
    }

    void deepNestingAndHugeTextsAreRefusedUnread() {
        std::string deep;
        for (int i = 0; i < 1'000'000; ++i)
            deep += "{\"a\":";
        QVERIFY(contains(described(read(deep).problems), "nested too deeply"));
        QVERIFY(contains(described(read(std::string(1'000'000, '[')).problems), "nested too deeply"));
        QVERIFY(contains(problemOf(std::string((16u << 20) + 1, ' ')), "larger than the 16 MiB"));
    }

    void aFileOfTwoGigabytesIsRefusedAtOnce() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("big.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64{2} << 30));  // sparse, needs no space
        DraftReading reading;
        const auto taken = tests::processorTimeOf([&] { reading = readDraftFile(path.toStdString()); });
        QVERIFY(contains(described(reading.problems), "larger than the 16 MiB"));
        QVERIFY2(taken < std::chrono::seconds(1), qPrintable(QString::number(taken.count())));
    }

    void missingFilesAndFoldersAreNamed() {
        QVERIFY(contains(described(openDraft("no-such-file.json").problems), "no-such-file.json: cannot be opened"));
        QVERIFY(contains(described(openDraft("no-such-file.json").problems), "t-nlg/fc-2/tp8"));
        QVERIFY(contains(described(openDraft("/").problems), "a folder"));
    }

    void presetNamesAreReadPartByPart() {
        QVERIFY(draftNamed("t-nlg/fc-2/tp8").draft ==
                draftOf({"workload.model=t-nlg", "workload.sublayer=fc-2", "parallel.tp=8"}));
        QVERIFY(draftNamed("collective/all-reduce/tp4").draft ==
                draftOf({"workload.sublayer=all-reduce", "parallel.tp=4"}));
        QCOMPARE(draftNamed("t-nl/fc/tp0").problems.size(), std::size_t{3});
        QCOMPARE(draftNamed("collective/fc-2/tp8").problems.size(), std::size_t{1});
        QCOMPARE(draftNamed("t-nlg/all-reduce/tp8").problems.size(), std::size_t{1});
        QCOMPARE(draftNamed("t-nlg/fc-2/tpx").problems.size(), std::size_t{1});
        QCOMPARE(draftNamed("t-nlg").problems.size(), std::size_t{1});
    }

    void aGemmAloneIsNamedByItsSides() {
        const ExperimentDraft gemm =
            draftOf({"workload.sublayer=gemm", "matrix.m=4096", "matrix.n=1024", "matrix.k=512"});
        QVERIFY(draftNamed("gemm/4096x1024x512").draft == gemm);
        QVERIFY(openDraft("gemm/4096x1024x512").draft == gemm);
        ExperimentDraft onFour = gemm;
        onFour.explicitValues["parallel.tp"] = std::int64_t{4};
        QVERIFY(openDraft("gemm/4096x1024x512/tp4").draft == onFour);
        QVERIFY(expand(onFour).runnable());
        ExperimentDraft batch = gemm;
        batch.explicitValues["matrix.batch"] = std::int64_t{64};
        QVERIFY(openDraft("gemm/64x4096x1024x512").draft == batch);
        for (const char* name : {"gemm/4096x1024", "gemm/4096", "gemm/1x2x3x4x5"})
            QVERIFY2(described(openDraft(name).problems).find("not of the form gemm/MxNxK") != std::string::npos, name);
        QVERIFY(contains(described(draftNamed("gemm/0x8x8").problems), "matrix.m: 0: "));
        QVERIFY(contains(described(draftNamed("gemm/8xx8").problems), "matrix.n"));
        QVERIFY(contains(described(draftNamed("gemm/8x8x2147483649").problems), "matrix.k: 2147483649: "));
        QVERIFY(contains(described(draftNamed("gemm/8x8x8/tp65").problems), "parallel.tp: 65: "));
        QVERIFY(contains(described(draftNamed("gemm/fc-2/tp8").problems), "no model is called \"gemm\""));
        QVERIFY(contains(described(draftNamed("t-nlg/gemm/tp8").problems), "no sub-layer is called \"gemm\""));
        QVERIFY(contains(described(draftNamed("collective/gemm/tp8").problems), "no collective is called \"gemm\""));
        // A word that is not a size is taken for a file.
        QVERIFY(contains(described(openDraft("gemm/own.json").problems), "cannot be opened"));
    }

    void aGemmAloneHasNoModelAndMovesNothing() {
        QVERIFY(contains(described(expand(draftOf({"workload.sublayer=gemm", "workload.hidden=128"})).problems),
                         "a GEMM alone has no model"));
        QVERIFY(contains(described(expand(draftOf({"workload.sublayer=gemm", "workload.bytes=1MB"})).problems),
                         "a GEMM alone sends no data"));
        const Expansion expansion = expand(draftOf({"workload.model=gpt-3", "workload.sublayer=gemm"}));
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.notices.size(), std::size_t{1});
        QCOMPARE(experimentHash(expansion.experiment), experimentHash(experimentOf({"workload.sublayer=gemm"})));
    }

    void whatRunsBesideIsASectionOfADocument() {
        const ExperimentDraft draft =
            draftOf({"workload.sublayer=gemm", "matrix.k=64", "companion.operation=all-gather", "companion.bytes=8MiB",
                     "companion.window=unlimited", "dispatch.rule=reserved", "dispatch.reserved=workgroups",
                     "launch.kernel=2us"});
        const std::string text = writeDraft(draft);
        for (const char* section : {"\"matrix\": {", "\"companion\": {", "\"dispatch\": {", "\"launch\": {"})
            QVERIFY2(text.find(section) != std::string::npos, text.c_str());
        QVERIFY(readDraft(text, "kept").draft == draft);
        const engine::Experiment experiment = expand(draft).experiment;
        QVERIFY(expand(readDraft(writeExperiment(experiment), "complete").draft).experiment ==
                engine::withAutomaticValues(experiment));
        QVERIFY(!experiment.companion.window && !experiment.dispatch.reserved);
        QCOMPARE(engine::reservedCus(experiment), std::int64_t{16});
    }

    void settingsWithoutSenseAreRefused() {
        ExperimentDraft draft;
        engine::Problems problems;
        for (const char* setting : {"seed", "=1", "link.bandwith=1", "seed=", "seed=x"})
            applySetting(setting, draft, problems);
        QCOMPARE(problems.size(), std::size_t{5});
        QVERIFY(draft == ExperimentDraft{});
    }

    void badValuesStayAtTheirPresetSoThatAFormCanShowTheRest() {
        ExperimentDraft draft = draftOf({"workload.model=gpt-3", "parallel.tp=32"});
        draft.explicitValues["cu.count"] = std::int64_t{-5};
        draft.explicitValues["machine"] = std::string("t3-tabel-1");
        const Expansion expansion = expand(draft);
        QCOMPARE(expansion.problems.size(), std::size_t{2});
        QVERIFY(contains(described(expansion.problems), "did you mean t3-table-1"));
        QCOMPARE(expansion.experiment.cu.count, 80);
        QCOMPARE(expansion.experiment.workload.hidden, 12288);
    }

    void valuesThatHaveNoSayAreRefused() {
        QVERIFY(contains(described(expand(draftOf({"workload.bytes=1MB"})).problems), "follows from its GEMM"));
        QVERIFY(contains(described(expand(draftOf({"workload.sublayer=all-reduce", "workload.hidden=128"})).problems),
                         "workload.hidden: 128: a collective alone has no GEMM"));
        QVERIFY(expand(draftOf({"workload.sublayer=all-reduce", "workload.bytes=1MB"})).runnable());
    }

    void aModelMakesNoDifferenceToACollectiveAlone() {
        const Expansion expansion = expand(draftOf({"workload.model=gpt-3", "workload.sublayer=all-reduce"}));
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.notices.size(), std::size_t{1});
        QCOMPARE(experimentHash(expansion.experiment), experimentHash(experimentOf({"workload.sublayer=all-reduce"})));
    }

    void draftsAndCompleteDocumentsReadBack() {
        for (const ExperimentDraft& draft :
             {ExperimentDraft{}, draftNamed("palm/op/tp32").draft,
              draftOf({"workload.sublayer=reduce-scatter", "workload.bytes=192000000", "policy=sequential"}),
              draftOf({"link.bandwidth=70GiB/s", "arbitration.share=2:1", "arbitration.threshold=none", "seed=7",
                       "memory.update_cost=1.6", "dma.window=64KiB", "collective.cu_bandwidth=unlimited",
                       "detail.level=fine", "machine=t3-2x-cu", "link.latency=1ns"})}) {
            QVERIFY(read(writeDraft(draft)).draft == draft);
            const engine::Experiment experiment = expand(draft).experiment;
            const DraftReading again = read(writeExperiment(experiment));
            QVERIFY2(again.problems.empty(), described(again.problems).c_str());
            const Expansion expansion = expand(again.draft);
            QVERIFY2(expansion.runnable(), described(expansion.problems).c_str());
            QVERIFY(expansion.experiment == engine::withAutomaticValues(experiment));
            QCOMPARE(experimentHash(expansion.experiment), experimentHash(experiment));
        }
    }

    void draftsAreWrittenForPeople() {
        QCOMPARE(writeDraft(draftOf({"link.bandwidth=75e9", "parallel.tp=8"})),
                 std::string("{\n  \"format\": \"ringside-experiment\",\n  \"version\": 1,\n  \"parallel\": {\n"
                             "    \"tp\": 8\n  },\n  \"link\": {\n    \"bandwidth\": \"75 GB/s\"\n  }\n}\n"));
    }

    void labelsAndNotesAreNotPartOfTheHash() {
        const auto hash = [](const char* json) { return experimentHash(expand(read(json).draft).experiment); };
        QCOMPARE(hash(R"({"label": "a", "notes": "b", "name": "c"})"), hash(R"({"seed": 1})"));
        QVERIFY(hash(R"({"seed": 2})") != hash(R"({"seed": 1})"));
    }

    void theCanonicalFormIsSortedAndCompact() {
        const std::string form = canonicalForm(engine::Experiment{});
        QVERIFY(!contains(form, " ") && !contains(form, "\n"));
        QVERIFY(form.starts_with(R"({"arbitration":{"policy":"mca","share":4,)"));
        QVERIFY(
            contains(form, R"("memory":{"arriving_update_cost":"same","bandwidth":1000000000000,"efficiency":0.75,)"));
        // Every parameter is part of the hash: changing any of them changes the hash.
        for (const engine::Parameter& p : engine::parameters()) {
            engine::Experiment other;
            ParameterValue value = static_cast<std::int64_t>(p.maximum);
            if (p.kind == engine::ParameterKind::real)
                value = p.maximum;
            if (p.kind == engine::ParameterKind::real && value == p.defaultValue)
                value = p.minimum;
            if (p.kind == engine::ParameterKind::integer && value == p.defaultValue)
                value = static_cast<std::int64_t>(p.minimum);
            if (p.kind == engine::ParameterKind::choice)
                value = p.words.front() == std::get<std::string>(p.defaultValue) ? p.words.back() : p.words.front();
            if (p.kind == engine::ParameterKind::text)
                value = std::string("another");
            p.write(other, value);
            QVERIFY2(p.words.size() == 1 || canonicalForm(other) != form, p.path.c_str());
        }
    }

    void theHashIsSha256OfTheCanonicalForm() {
        const QByteArray form = QByteArray::fromStdString(canonicalForm(engine::Experiment{}));
        QCOMPARE(experimentHash({}), QCryptographicHash::hash(form, QCryptographicHash::Sha256).toHex().toStdString());
    }
};

RINGSIDE_TEST(TestExperimentDocument)
#include "tst_experiment_document.moc"
