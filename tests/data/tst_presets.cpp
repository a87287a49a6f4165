#include "data/experiment_document.h"
#include "data/presets.h"
#include "engine/api/experiment.h"

#include <QtTest>

using namespace data;

namespace {

/// Every setting of a preset names a parameter and has an allowed value.
void checkPresets(std::span<const Preset> presets) {
    for (const Preset& preset : presets) {
        QVERIFY2(!preset.title.empty() && !preset.source.empty(), preset.name.c_str());
        for (const auto& [path, value] : preset.settings) {
            const engine::Parameter* parameter = engine::findParameter(path);
            QVERIFY2(parameter, path.c_str());
            QVERIFY2(!engine::check(*parameter, value), (preset.name + " " + path).c_str());
        }
    }
}

}  // namespace

class TestPresets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPresetSetsKnownParametersToAllowedValues() {
        checkPresets(models());
        checkPresets(machines());
        checkPresets(policies());
        checkPresets(sublayers());
    }

    void theNamesAreThoseOfTheCommandLinesPage() {
        for (const char* name : {"mega-gpt-2", "t-nlg", "gpt-3", "palm", "mt-nlg"})
            QVERIFY2(findModel(name), name);
        for (const char* name : {"t3-table-1", "t3-table-1-75", "t3-2x-cu"})
            QVERIFY2(findMachine(name), name);
        for (const char* name : {"sequential", "t3", "t3-mca", "ideal-overlap", "ideal-overlap-nmc"})
            QVERIFY2(findPolicy(name), name);
        QVERIFY(!findModel("gpt-5"));
    }

    void thereAreTwentyEightPublishedCasesAndAllOfThemRun() {
        // Two models at two degrees and three at one, four sub-layers each: (2 x 2 + 3) x 4.
        const auto cases = publishedCases();
        QCOMPARE(cases.size(), std::size_t{28});
        for (const std::string& name : cases) {
            const DraftReading reading = draftNamed(name);
            QVERIFY2(reading.problems.empty(), name.c_str());
            QVERIFY2(expand(reading.draft).runnable(), name.c_str());
        }
    }

    void theDefaultMachineIsTheParameterTablesDefault() {
        // Otherwise leaving the machine out and naming it would be two experiments.
        for (const auto& [path, value] : findMachine("t3-table-1")->settings)
            QVERIFY2(engine::findParameter(path)->defaultValue == value, path.c_str());
    }

    void policyPresetsListThePartsThatTheEngineGivesThem() {
        for (const Preset& policy : policies()) {
            engine::Experiment experiment;
            engine::applyPolicyPreset(experiment, *engine::policyPresetNamed(policy.name));
            for (const auto& [path, value] : policy.settings)
                QVERIFY2(engine::findParameter(path)->read(experiment) == value, (policy.name + " " + path).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestPresets)
#include "tst_presets.moc"
