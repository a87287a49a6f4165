#include "data/experiment/experiment_document.h"
#include "data/experiment/own_presets.h"
#include "data/model/model_import.h"
#include "tests/test_program.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace data;

namespace {

std::string describeAll(const engine::Problems& problems) {
    std::string text;
    for (const engine::Problem& problem : problems)
        text += engine::describe(problem) + "\n";
    return text;
}

OwnPreset llama() {
    std::ifstream file(std::string(RINGSIDE_CONFIGS) + "/llama-3-70b.json", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return {OwnKind::model, "my-llama", importModel(text, "llama").values, "notes"};
}

}  // namespace

class TestDraftOpening : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string at(const char* name) const { return m_folder->path().toStdString() + "/" + name; }
    std::string plant(const char* name, const std::string& text) const {
        std::filesystem::create_directories(std::filesystem::path(at(name)).parent_path());
        std::ofstream(at(name), std::ios::binary) << text;
        return at(name);
    }
    OwnPresets withLlama() const {
        OwnPresets own(m_folder->path().toStdString());
        own.save(llama());
        return own;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aCaseOfAnOwnModelHasItsValuesOnceOwnPresetsArePutUnderIt() {
        const OwnPresets own = withLlama();
        const DraftReading reading = openDraft("my-llama/fc-1/tp8", &own);
        QVERIFY2(reading.problems.empty(), describeAll(reading.problems).c_str());
        QCOMPARE(reading.draft.explicitValues.size(), std::size_t{3});
        const Expansion expansion = expand(withOwnPresets(reading.draft, own));
        QVERIFY2(expansion.runnable(), describeAll(expansion.problems).c_str());
        QCOMPARE(engine::shapeOf(expansion.experiment).k, std::int64_t{2 * 28672 / 8});
    }

    void anotherModelThatIsSetAfterwardsLeavesNothingOfTheFirst() {
        const OwnPresets own = withLlama();
        DraftReading reading = openDraft("my-llama/fc-2/tp8", &own);
        applySetting("workload.model=t-nlg", reading.draft, reading.problems);
        QCOMPARE(expand(withOwnPresets(reading.draft, own)).experiment,
                 expand(draftNamed("t-nlg/fc-2/tp8").draft).experiment);
    }

    void anUnknownModelIsRefusedAndOwnPresetsAreListedAsAllowed() {
        const OwnPresets own = withLlama();
        const DraftReading reading = openDraft("llama-4/fc-2/tp8", &own);
        QCOMPARE(reading.problems.size(), std::size_t{1});
        QVERIFY(reading.problems.front().text.find("dlrm, my-llama") != std::string::npos);
        QVERIFY(!openDraft("my-llama/fc-2/tp8").problems.empty());
    }

    void aModelWhoseFileIsBrokenSaysWhatIsWrongWithTheFile() {
        plant("models/mine.json", "{");
        const OwnPresets own(m_folder->path().toStdString());
        const DraftReading reading = openDraft("mine/fc-2/tp8", &own);
        QCOMPARE(reading.problems.size(), std::size_t{2});
        QCOMPARE(reading.problems.back().path, std::string("presets/models/mine.json"));
        QCOMPARE(openModel("mine", own).problems.size(), std::size_t{2});
    }

    void theFileOfAModelIsTheDefaultExperimentWithThatModel() {
        const DraftReading reading = openDraft(plant("a file.json", writePreset(llama())));
        QVERIFY2(reading.problems.empty(), describeAll(reading.problems).c_str());
        QVERIFY(reading.ofPreset);
        const Expansion expansion = expand(reading.draft);
        QVERIFY2(expansion.runnable(), describeAll(expansion.problems).c_str());
        QCOMPARE(expansion.experiment.workload.model, std::string("my-llama"));
        QCOMPARE(expansion.experiment.workload.heads, std::optional<std::int64_t>(64));
        QCOMPARE(expansion.experiment.workload.sublayer, engine::SubLayer::fc2);
        QCOMPARE(expansion.experiment.parallel.tp, std::int64_t{8});
    }

    void aPresetWithoutANameHasThatOfItsFile() {
        const std::string file = plant("mine.json", R"({"format":"ringside-preset","version":1,"kind":"model",
                                                        "workload":{"hidden":8192,"sequence":2048,"batch":4}})");
        const Expansion expansion = expand(openDraft(file).draft);
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.experiment.workload.model, std::string("mine"));
        QCOMPARE(expansion.experiment.workload.hidden, std::int64_t{8192});
    }

    void theFileOfAMachineIsTheDefaultExperimentOnThatMachine() {
        ExperimentDraft draft;
        draft.explicitValues["cu.count"] = std::int64_t{120};
        const OwnPreset machine{OwnKind::machine, "mine", ownValuesOf(OwnKind::machine, draft)};
        const Expansion expansion = expand(openDraft(plant("m.json", writePreset(machine))).draft);
        QVERIFY(expansion.runnable());
        QCOMPARE(expansion.experiment.machine, std::string("mine"));
        QCOMPARE(expansion.experiment.cu.count, std::int64_t{120});
    }

    void aFileByTheNameOfABundledPresetIsRefused() {
        // Otherwise values that the user's preset does not set would come from the bundled preset of the same name.
        OwnPreset preset = llama();
        preset.name = "palm";
        const DraftReading reading = openDraft(plant("x.json", writePreset(preset)));
        QCOMPARE(reading.problems.size(), std::size_t{1});
        QVERIFY(reading.problems.front().text.find("bundled") != std::string::npos);
    }

    void anExperimentsFileIsNoPreset() {
        const DraftReading reading = openDraft(plant("e.json", R"({"seed": 2})"));
        QVERIFY(reading.problems.empty() && !reading.ofPreset);
    }

    void aModelIsOpenedByNameOrFromItsFileAndNothingElse() {
        const OwnPresets own = withLlama();
        const auto modelOf = [&](const std::string& argument) {
            const DraftReading reading = openModel(argument, own);
            return reading.problems.empty() ? expand(withOwnPresets(reading.draft, own)).experiment.workload
                                            : engine::WorkloadConfig{};
        };
        QCOMPARE(modelOf("gpt-3").hidden, std::int64_t{12288});
        QCOMPARE(modelOf("my-llama").hidden, std::int64_t{8192});
        QCOMPARE(modelOf(own.fileOf(OwnKind::model, "my-llama")).vocabulary, std::int64_t{128256});
        const engine::Problems none = openModel("lama", own).problems;
        QCOMPARE(none.size(), std::size_t{1});
        QVERIFY(none.front().text.find("deepspeech-2, dlrm, my-llama, or the file") != std::string::npos);
        const OwnPreset machine{OwnKind::machine, "m", ownValuesOf(OwnKind::machine, {})};
        QCOMPARE(openModel(plant("m.json", writePreset(machine)), own).problems.front().path, std::string("kind"));
        QVERIFY(!openModel(plant("e.json", R"({"format": "ringside-experiment"})"), own).problems.empty());
    }
};

RINGSIDE_TEST(TestDraftOpening)
#include "tst_draft_opening.moc"
