#include "data/document/whole_file.h"
#include "data/experiment/own_presets.h"
#include "tests/data/draft_with.h"
#include "tests/test_program.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace data;
using tests::draftWith;

namespace {

OwnPreset machineNamed(const std::string& name, std::initializer_list<const char*> settings) {
    return {OwnKind::machine, name, ownValuesOf(OwnKind::machine, draftWith(settings))};
}

QString whyNot(OwnKind kind, const std::string& name) {
    const auto problem = checkOwnName(kind, name);
    return problem ? QString::fromStdString(problem->text) : QString();
}

}  // namespace

class TestOwnPresets : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string folder() const { return m_folder->path().toStdString(); }
    void plant(const char* path, const char* text) const {
        const std::filesystem::path file = std::filesystem::path(folder()) / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aFolderThatIsNotThereHoldsNoPresetsAndIsNoProblem() {
        const OwnPresets presets(folder() + "/nowhere");
        QVERIFY(presets.all().empty());
        QVERIFY(presets.problems().empty());
    }

    void aMachineReadsBackAsItWasSaved() {
        const OwnPreset saved = machineNamed("MI300X, ours", {"link.bandwidth=448GB/s", "tracker.entries=512"});
        OwnPresets(folder()).save(saved);
        const OwnPresets again(folder());
        QVERIFY(again.problems().empty());
        QVERIFY(again.find(OwnKind::machine, "MI300X, ours") != nullptr);
        QCOMPARE(*again.find(OwnKind::machine, "MI300X, ours"), saved);
        QVERIFY(again.find(OwnKind::model, "MI300X, ours") == nullptr);
    }

    void aSettingOfEarlierVersionsIsSaidOfTheDraftThatUsesThePreset() {
        OwnPresets(folder()).save(machineNamed("old", {"tracker.entries=512"}));
        const std::string file = OwnPresets(folder()).fileOf(OwnKind::machine, "old");
        std::stringstream text;
        text << std::ifstream(file).rdbuf();
        std::string older = text.str();
        older.insert(older.find("\"tracker\""), "\"dma\": {\"queue\": 64}, ");
        plant("machines/old.json", older.c_str());
        const OwnPresets presets(folder());
        QVERIFY(presets.problems().empty());
        const ExperimentDraft uses = withOwnPresets(draftWith({"machine=old"}), presets);
        QCOMPARE(noticesOfRemoved(uses).front().path, std::string("dma.queue"));
        QCOMPARE(expand(uses).experiment.tracker.entries, std::int64_t{512});
        QVERIFY(noticesOfRemoved(withOwnPresets(draftWith({"machine=t3-table-1"}), presets)).empty());
    }

    void aMachineSaysAllThatABundledOneSaysAndWhatElseDiffersFromTheTable() {
        const Settings values = machineNamed("m", {"dma.engines=2", "workload.hidden=8192"}).values;
        for (const auto& [path, value] : findMachine("t3-table-1")->settings)
            QVERIFY2(values.count(path) == 1, path.c_str());
        QVERIFY(values.count("dma.engines") == 1);
        QVERIFY(values.count("tracker.entries") == 0);  // the default of the table
        QVERIFY(values.count("workload.hidden") == 0);  // a value of models, not of machines
        QVERIFY(values.count("machine") == 0);
    }

    void aModelSaysAllThatABundledOneSaysAndWhatElseDiffersFromTheTable() {
        const Settings values =
            ownValuesOf(OwnKind::model, draftWith({"workload.kv_heads=4", "workload.mlp=gated", "dma.engines=2"}));
        for (const auto& [path, value] : findModel("t-nlg")->settings)
            QVERIFY2(values.count(path) == 1 && values.at(path) == value, path.c_str());
        QVERIFY(values.at("workload.mlp") == engine::ParameterValue{std::string("gated")});
        QVERIFY(values.count("workload.kv_heads") == 1);
        QVERIFY(values.at("workload.experts") == engine::ParameterValue{std::int64_t{1}});  // mixtral-8x7b says it
        QVERIFY(values.count("workload.sublayer") == 0);  // chooses a part of the model; not a property of it
        QVERIFY(values.count("workload.bytes") == 0);
        QVERIFY(values.count("dma.engines") == 0);
    }

    void aModelKeptBeforeItsOtherSizesWereKnownIsReadAndRuns() {
        plant("models/old.json", R"({"format":"ringside-preset","version":1,"kind":"model",
                                     "workload":{"hidden":8192,"sequence":2048,"batch":4}})");
        const OwnPresets presets(folder());
        QVERIFY(presets.problems().empty());
        const Expansion expansion = expand(withOwnPresets(draftWith({"workload.model=old"}), presets));
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.experiment.workload.hidden, std::int64_t{8192});
        QVERIFY(!expansion.experiment.workload.heads);
    }

    void anExperimentIsKeptAsTheDocumentThatTheCommandLineRuns() {
        OwnPresets presets(folder());
        const ExperimentDraft draft = draftWith({"link.bandwidth=75GB/s", "policy=t3"});
        presets.save({OwnKind::experiment, "half a link", ownValuesOf(OwnKind::experiment, draft)});
        const DraftReading reading = openDraft(presets.fileOf(OwnKind::experiment, "half a link"));
        QVERIFY(reading.problems.empty());
        QCOMPARE(experimentHash(expand(reading.draft).experiment), experimentHash(expand(draft).experiment));
    }

    void aDraftWithAnOwnMachineMeansTheSameWithoutThePreset() {
        OwnPresets presets(folder());
        presets.save(machineNamed("mine", {"cu.count=120", "link.latency=700ns"}));
        const ExperimentDraft full = withOwnPresets(draftWith({"machine=mine"}), presets);
        const Expansion here = expand(full);
        QVERIFY(here.runnable());
        QCOMPARE(here.experiment.cu.count, std::int64_t{120});
        QCOMPARE(here.experiment.machine, std::string("mine"));
        const DraftReading elsewhere = readDraft(writeDraft(full), "a document");
        QVERIFY(elsewhere.problems.empty());
        QCOMPARE(experimentHash(expand(elsewhere.draft).experiment), experimentHash(here.experiment));
    }

    void whatIsExplicitStaysOverAnOwnPreset() {
        OwnPresets presets(folder());
        presets.save(machineNamed("mine", {"cu.count=120"}));
        const ExperimentDraft full = withOwnPresets(draftWith({"cu.count=40", "machine=mine"}), presets);
        QCOMPARE(expand(full).experiment.cu.count, std::int64_t{40});
    }

    void aNameOfNoPresetNeedsAllOfItsValuesAndWithOneMissingIsUnknown() {
        ExperimentDraft draft =
            draftWith({"workload.model=llama", "workload.hidden=8192", "workload.sequence=2048", "workload.batch=4"});
        QVERIFY(expand(draft).runnable());
        QCOMPARE(expand(draft).experiment.workload.hidden, std::int64_t{8192});
        draft.explicitValues.erase("workload.batch");
        QVERIFY(!expand(draft).runnable());
        QCOMPARE(expand(draft).problems.front().path, std::string("workload.model"));
    }

    void ofACollectiveAloneHeadsAreRefusedLikeEverySizeOfAModel() {
        const Expansion expansion = expand(draftWith({"workload.sublayer=all-gather", "workload.heads=32"}));
        QCOMPARE(expansion.problems.size(), std::size_t{1});
        QCOMPARE(expansion.problems.front().path, std::string("workload.heads"));
    }

    void aCollectiveAloneDoesNotSeeTheSizesOfAnOwnModel() {
        const ExperimentDraft draft =
            draftWith({"workload.model=llama", "workload.hidden=8192", "workload.sequence=2048", "workload.batch=4",
                       "workload.sublayer=reduce-scatter"});
        QVERIFY(expand(draft).runnable());
        QCOMPARE(expand(draft).experiment, expand(draftWith({"workload.sublayer=reduce-scatter"})).experiment);
    }

    void namesThatNoFolderOrNoReaderCouldCarryAreRefusedAndSayWhatIsAllowed() {
        QVERIFY(whyNot(OwnKind::machine, "H100, 900 GB.s (ours)").isEmpty());
        QVERIFY(whyNot(OwnKind::machine, "Grün-β").isEmpty());
        QVERIFY(whyNot(OwnKind::machine, std::string(64, 'a')).isEmpty());
        QVERIFY(whyNot(OwnKind::machine, std::string(65, 'a')).contains(QLatin1String("64 bytes")));
        QVERIFY(whyNot(OwnKind::machine, "../up").contains(QLatin1String("dot")));
        QVERIFY(whyNot(OwnKind::machine, "a/b").contains(QLatin1String("allowed")));
        for (const char* bad : {"", " a", "a ", ".hidden", "a.", "a\nb", "a\x7F", "\xC3", "\xED\xA0\x80", "a:b"})
            QVERIFY2(!whyNot(OwnKind::machine, bad).isEmpty(), bad);
    }

    void bundledNamesAndTitlesAreTakenInAnyLetters() {
        // Words that the command line does not read as the name of a model.
        for (const char* word : {"collective", "all", "-x", "-"}) {
            QVERIFY2(!whyNot(OwnKind::model, word).isEmpty(), word);
            QVERIFY2(whyNot(OwnKind::machine, word).isEmpty(), word);
            QVERIFY2(whyNot(OwnKind::experiment, word).isEmpty(), word);
        }
        for (const char* word : {"collectives", "All", "x-"})
            QVERIFY2(whyNot(OwnKind::model, word).isEmpty(), word);
        QVERIFY(!whyNot(OwnKind::machine, "t3-table-1").isEmpty());
        QVERIFY(!whyNot(OwnKind::model, "T-nlg").isEmpty());
        QVERIFY(!whyNot(OwnKind::model, "palm").isEmpty());
        QVERIFY(whyNot(OwnKind::machine, "palm").isEmpty());  // a name of another kind of preset is allowed
        OwnPresets presets(folder());
        QVERIFY_EXCEPTION_THROWN(presets.save({OwnKind::model, "gpt-3", {}}), FileError);
    }

    void anOwnMachineMaySetEverythingThatABundledMachineSets() {
        plant("machines/b300.json", R"({
            "kind": "machine", "title": "NVIDIA B300", "base": "nvidia-b200", "label": "second-hand",
            "notes": "from a colleague", "tps": "8, 16", "collective": {"algorithm": "direct"},
            "cu": {"count": 160},
            "sources": {"cu.count": "second-hand, a colleague", "collective.algorithm": "chosen, as on amd-mi300x"}})");
        OwnPresets presets(folder());
        QVERIFY2(presets.problems().empty(), presets.problems().empty() ? "" : presets.problems()[0].text.c_str());
        const auto check = [](const Preset& listed) {
            QCOMPARE(listed.name, std::string("b300"));
            QCOMPARE(listed.title, std::string("NVIDIA B300"));
            QCOMPARE(listed.notes, std::string("from a colleague"));
            QCOMPARE(listed.tps, (std::vector<std::int64_t>{8, 16}));
            QVERIFY(listed.sourceLabel == engine::SourceLabel::secondHand);
            QVERIFY(listed.source.starts_with("second-hand, a colleague: cu.count; chosen, as on amd-mi300x: coll"));
            QCOMPARE(listed.sources.at("collective.algorithm").source, std::string("as on amd-mi300x"));
            QVERIFY(listed.settings.at("cu.count") == engine::ParameterValue{std::int64_t{160}});
            QVERIFY(listed.settings.at("llc.size") == findMachine("nvidia-b200")->settings.at("llc.size"));
        };
        check(listedPresets(OwnKind::machine, presets).front());
        QVERIFY(expand(withOwnPresets(draftWith({"machine=b300"}), presets)).runnable());
        presets.save(presets.all().front());  // as when a removal is undone
        check(listedPresets(OwnKind::machine, presets).front());
    }

    void aBrokenFileIsNamedLeftAloneAndNotWrittenOver() {
        plant("machines/broken.json", "{ \"format\": ");
        OwnPresets presets(folder());
        QVERIFY(presets.all().empty());
        QCOMPARE(presets.problems().size(), std::size_t{1});
        QCOMPARE(presets.problems().front().path, std::string("presets/machines/broken.json"));
        QVERIFY(presets.problems().front().text.find("line 1") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(presets.save(machineNamed("broken", {})), FileError);
        std::ifstream file(presets.fileOf(OwnKind::machine, "broken"));
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        QCOMPARE(text, std::string("{ \"format\": "));
    }

    void whatIsWrongInAFileIsReported_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reported");
        const QByteArray head = R"({"format":"ringside-preset","version":1,"kind":"model")";
        const QByteArray sizes = R"("hidden":8192,"sequence":2048,"batch":4)";
        QTest::newRow("missing value") << head + R"(,"workload":{"hidden":8192,"batch":4}})"
                                       << "workload.sequence";
        QTest::newRow("foreign value") << head + R"(,"workload":{)" + sizes + R"(},"link":{"latency":"1 us"}})"
                                       << "link.latency";
        QTest::newRow("unknown key") << head + R"(,"workload":{)" + sizes + R"(,"hiden":1}})"
                                     << "workload.hiden";
        QTest::newRow("bad value") << head + R"(,"workload":{"hidden":-1,"sequence":2048,"batch":4}})"
                                   << "below";
        QTest::newRow("newer version") << R"({"format":"ringside-preset","version":2,"kind":"model","workload":{)" +
                                              sizes + "}}"
                                       << "version";
        QTest::newRow("other kind") << R"({"format":"ringside-preset","version":1,"kind":"machine","workload":{)" +
                                           sizes + "}}"
                                    << "kind: machine";
        QTest::newRow("no such base") << head + R"(,"base":"gpt-5","workload":{)" + sizes + "}}"
                                      << "base: gpt-5";
        QTest::newRow("no such label") << head + R"(,"label":"seen","workload":{)" + sizes + "}}"
                                       << "label: seen";
        QTest::newRow("no source") << head + R"(,"sources":{"workload.hidden":"T3"},"workload":{)" + sizes + "}}"
                                   << "sources.workload.hidden: T3";
        QTest::newRow("no degrees") << head + R"(,"tps":"8, x","workload":{)" + sizes + "}}"
                                    << "parallel.tp: x";
        QTest::newRow("an experiment") << QByteArray(R"({"format":"ringside-experiment"})") << "not a preset";
        QTest::newRow("a list") << QByteArray("[1]") << "a list";
        QTest::newRow("nothing") << QByteArray() << "not valid JSON";
    }
    void whatIsWrongInAFileIsReported() {
        QFETCH(QByteArray, text);
        QFETCH(QString, reported);
        plant("models/m.json", text.constData());
        const OwnPresets presets(folder());
        QVERIFY(presets.all().empty());
        QCOMPARE(presets.problems().size(), std::size_t{1});
        const QString said = QString::fromStdString(engine::describe(presets.problems().front()));
        QVERIFY2(said.contains(reported) && said.contains(QLatin1String("m.json")), qPrintable(said));
    }

    void oneBrokenFileCostsNoOther() {
        plant("models/a.json", "nonsense");
        plant("models/notes.txt", "not a preset, and none of our business");
        OwnPresets presets(folder());
        presets.save({OwnKind::model, "b", ownValuesOf(OwnKind::model, draftWith({}))});
        QCOMPARE(presets.all().size(), std::size_t{1});
        QCOMPARE(presets.problems().size(), std::size_t{1});
    }

    void aPresetThatAnotherProgramHasSavedSinceIsNotReplaced() {
        OwnPresets one(folder()), other(folder());
        other.save(machineNamed("mine", {"cu.count=8"}));
        QVERIFY_THROWS_EXCEPTION(FileExists, one.save(machineNamed("mine", {"cu.count=16"})));
        one.reload();
        QCOMPARE(one.find(OwnKind::machine, "mine")->values.at("cu.count"), engine::ParameterValue(std::int64_t{8}));
        one.save(machineNamed("mine", {"cu.count=16"}));
        QCOMPARE(OwnPresets(folder()).find(OwnKind::machine, "mine")->values.at("cu.count"),
                 engine::ParameterValue(std::int64_t{16}));
    }

    void aRemovedPresetIsGoneAndRemovingItAgainIsNoError() {
        OwnPresets presets(folder());
        presets.save(machineNamed("mine", {}));
        presets.remove(OwnKind::machine, "mine");
        presets.remove(OwnKind::machine, "mine");
        QVERIFY(presets.all().empty());
        QVERIFY(OwnPresets(folder()).all().empty());
    }

    void presetsStandByKindAndNameWhateverTheFolderSays() {
        OwnPresets presets(folder());
        for (const char* name : {"c", "a", "b"})
            presets.save(machineNamed(name, {}));
        presets.save({OwnKind::model, "z", ownValuesOf(OwnKind::model, draftWith({}))});
        const OwnPresets again(folder());
        std::string order;
        for (const OwnPreset& preset : again.all())
            order += preset.name;
        QCOMPARE(order, std::string("zabc"));
    }
};

RINGSIDE_TEST(TestOwnPresets)
#include "tst_own_presets.moc"
