#include "data/document/bundled_json.h"
#include "data/document/document_tree.h"
#include "data/experiment/experiment_document.h"
#include "data/presets/preset_document.h"
#include "data/presets/presets.h"
#include "engine/api/experiment.h"
#include "engine/api/operator_graph.h"
#include "engine/api/topology.h"
#include "tests/test_program.h"

#include <QtTest>

using namespace data;

namespace {

/// Checks that every setting of a preset names a parameter and has an allowed value.
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

    void everyBundledDocumentIsReadWithoutProblems() {
        // The bundled presets are read with all checks that presets of users must pass.
        for (const auto& [kind, json, presets] :
             {std::tuple{OwnKind::model, kModelsJson, models()}, {OwnKind::machine, kMachinesJson, machines()}}) {
            const DocumentTree tree = readTree(json, "bundled");
            QVERIFY(tree.problems.empty());
            const auto& documents = tree.root->find("presets")->children;
            QCOMPARE(documents.size(), presets.size());
            for (std::size_t i = 0; i < documents.size(); ++i) {
                const PresetReading reading = readPreset(flatten(documents[i]), "bundled", kind);
                QVERIFY2(reading.problems.empty(), presets[i].name.c_str());
                QVERIFY2(listedPreset(reading.preset) == presets[i], presets[i].name.c_str());
                QVERIFY(presets[i].sourceLabel != engine::SourceLabel::chosen && !presets[i].notes.empty());
            }
        }
    }

    void aMachineBasedOnAnotherHasItsValuesWhereItSaysNone() {
        const std::vector<Preset> read = readBundled(OwnKind::machine, R"({"presets": [
            {"kind": "machine", "name": "first", "label": "assumed", "cu": {"count": 80}, "link": {"latency": "1 us"},
             "sources": {"cu.count": "published, a sheet", "link.latency": "assumed, a guess"}},
            {"kind": "machine", "name": "second", "base": "first", "title": "Second", "cu": {"count": 160}}]})");
        QCOMPARE(read.size(), std::size_t{2});
        QCOMPARE(read[0].source, std::string("published, a sheet: cu.count; assumed, a guess: link.latency; all else "
                                             "assumed, as on T3's machine"));
        QVERIFY(read[1].settings.at("cu.count") == engine::ParameterValue{std::int64_t{160}});
        QVERIFY(read[1].settings.at("link.latency") == engine::ParameterValue{std::int64_t{1'000'000}});
        QVERIFY(read[1].sources.empty() && read[1].source.empty());
        QCOMPARE(read[1].title, std::string("Second"));
    }

    void theNamesAreThoseOfTheCommandLinesPage() {
        for (const char* name : {"mega-gpt-2", "t-nlg", "gpt-3", "palm", "mt-nlg", "bert-large", "gpt2-xl",
                                 "megatron-22b", "megatron-1t", "llama-3-8b", "llama-3-70b", "qwen2.5-72b",
                                 "mixtral-8x7b", "deepseek-v3", "alexnet", "gnmt", "deepspeech-2", "dlrm"})
            QVERIFY2(findModel(name), name);
        for (const char* name : {"t3-table-1", "t3-table-1-75", "t3-2x-cu", "amd-mi100", "amd-mi300x", "nvidia-a100",
                                 "nvidia-h100", "nvidia-h200", "nvidia-b200"})
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

    void headsChangeNoPublishedSubLayersShape() {
        // K before slicing is H, 4H, 4H and 3H for op, fc-2, fc-1 and ip, whatever attention the real model has.
        for (const Preset& model : models()) {
            if (model.tps.empty())
                continue;  // not a model of T3
            engine::Experiment experiment;
            for (const auto& [path, value] : model.settings)
                engine::findParameter(path)->write(experiment, value);
            const std::int64_t hidden = experiment.workload.hidden;
            using enum engine::SubLayer;
            for (const auto& [sublayer, factor] : {std::pair{op, 1}, {fc2, 4}, {fc1, 4}, {ip, 3}}) {
                experiment.workload.sublayer = sublayer;
                QCOMPARE(engine::slicedSide(experiment.workload), factor * hidden);
            }
        }
    }

    void everyModelSaysItsLayersHeadsAndVocabulary() {
        for (const Preset& model : models()) {
            if (model.settings.contains("workload.network"))
                continue;  // which has none of them
            for (const char* path : {"workload.layers", "workload.heads", "workload.vocabulary"})
                QVERIFY2(model.settings.count(path) == 1, (model.name + " " + path).c_str());
        }
        for (const Preset& model : models())
            QCOMPARE(model.sources.size(), model.settings.size());
        QVERIFY(findModel("t-nlg")->sources.at("workload.vocabulary").label == engine::SourceLabel::assumed);
        QVERIFY(findModel("t-nlg")->settings.at("workload.heads") == engine::ParameterValue{std::int64_t{28}});
    }

    void headsThatTheDegreeDoesNotDivideAreANoticeAndTheCaseRuns() {
        // 28 = 3 x 8 + 4, 24 = 3 x 8 = 16 + 8, 96 = 3 x 32, 48 = 32 + 16.
        for (const auto& [name, said] : {std::pair{"t-nlg/op/tp8", true},
                                         {"t-nlg/op/tp7", false},
                                         {"mega-gpt-2/ip/tp8", false},
                                         {"mega-gpt-2/ip/tp16", true},
                                         {"gpt-3/fc-2/tp32", false},
                                         {"palm/fc-2/tp32", true},
                                         {"collective/all-reduce/tp5", false}}) {
            const Expansion expansion = expand(draftNamed(name).draft);
            QVERIFY2(expansion.runnable(), name);
            QCOMPARE(expansion.notices.size(), std::size_t{said ? 1U : 0U});
            if (said)
                QCOMPARE(expansion.notices.front().path, std::string("workload.heads"));
        }
        QVERIFY(expand(draftNamed("t-nlg/op/tp8").draft)
                    .notices.front()
                    .text.starts_with("28 query heads are not divisible by 8 GPUs"));
    }

    void headsThatAreNotSetAreNotMentioned() {
        ExperimentDraft draft = draftNamed("t-nlg/op/tp8").draft;
        draft.explicitValues["workload.heads"] = std::string("auto");
        QVERIFY(expand(draft).notices.empty());
        draft.explicitValues["workload.heads"] = std::int64_t{56};
        draft.explicitValues["workload.kv_heads"] = std::int64_t{4};
        QCOMPARE(expand(draft).notices.size(), std::size_t{1});
        QCOMPARE(expand(draft).notices.front().path, std::string("workload.kv_heads"));
    }

    void theValuesThatAnOwnNameNeedsHaveNotChanged() {
        // Requiring more values would reject documents that can be run.
        QCOMPARE(neededPaths("workload.model"),
                 (std::vector<std::string>{"workload.batch", "workload.hidden", "workload.sequence"}));
        QCOMPARE(neededPaths("machine"),
                 (std::vector<std::string>{"cu.clock", "cu.count", "cu.tensor_efficiency", "link.bandwidth",
                                           "link.latency", "llc.size", "memory.bandwidth"}));
    }

    void aFutureMachineIsTheDefaultOneWithOnePartChanged() {
        // The changes of each machine: its name, a path and a factor.
        const std::vector<std::tuple<const char*, const char*, double>> futures{
            {"t3-2x-cu", "cu.count", 2},
            {"t3-4x-cu", "cu.count", 4},
            {"t3-half-link", "link.bandwidth", 0.5},
            {"t3-2x-link", "link.bandwidth", 2},
            {"t3-4x-link", "link.bandwidth", 4},
            {"t3-llc-8", "llc.size", 0.5},
            {"t3-llc-32", "llc.size", 2},
            {"t3-llc-64", "llc.size", 4},
            {"t3-hbm3", "memory.bandwidth", 3.2768}};  // 4 stacks x 1,024 pins x 6.4 Gb/s / 8 = 3.2768 TB/s
        const Preset& base = *findMachine("t3-table-1");
        for (const auto& [name, path, factor] : futures) {
            const Preset* machine = findMachine(name);
            QVERIFY2(machine, name);
            for (const auto& [at, value] : base.settings) {
                if (at == path)
                    QCOMPARE(static_cast<double>(std::get<std::int64_t>(machine->settings.at(at))),
                             factor * static_cast<double>(std::get<std::int64_t>(value)));
                else
                    QVERIFY2(machine->settings.at(at) == value, at.c_str());
            }
        }
    }

    void thePeakOfANodeIsThatOfItsDataSheet_data() {
        QTest::addColumn<double>("teraflops");  // dense, of 16 bits
        QTest::addColumn<double>("of32");       // TF32 or fp32, on matrix units
        QTest::addColumn<double>("of8");        // fp8 or int8
        QTest::addColumn<double>("gigabytes");  // of memory, a second
        QTest::addColumn<double>("egress");     // of all links of a GPU together, GB/s per direction
        QTest::newRow("amd-mi100") << 184.6 << 46.1 << 184.6 << 1228.8 << 138.0;      // 3 links of 46
        QTest::newRow("amd-mi300x") << 1307.4 << 653.7 << 2614.9 << 5300.0 << 448.0;  // 7 links of 64
        QTest::newRow("nvidia-a100") << 312.0 << 156.0 << 624.0 << 2039.0 << 300.0;
        QTest::newRow("nvidia-h100") << 989.4 << 494.7 << 1979.0 << 3350.0 << 450.0;
        QTest::newRow("nvidia-h200") << 989.4 << 494.7 << 1979.0 << 4800.0 << 450.0;
        QTest::newRow("nvidia-b200") << 2250.0 << 1125.0 << 4500.0 << 8000.0 << 900.0;
    }
    void thePeakOfANodeIsThatOfItsDataSheet() {
        QFETCH(double, teraflops);
        QFETCH(double, of32);
        QFETCH(double, of8);
        QFETCH(double, gigabytes);
        QFETCH(double, egress);
        ExperimentDraft draft = draftNamed("t-nlg/op/tp8").draft;
        draft.explicitValues["machine"] = std::string(QTest::currentDataTag());
        const Expansion expansion = expand(draft);
        QVERIFY(expansion.runnable());
        engine::Experiment e = expansion.experiment;
        e.parallel.tp = e.node.gpus;
        e.cu.matrixClock.reset();  // a data sheet counts at the boost clock
        for (const auto& [bits, sheet] : {std::pair{16, teraflops}, {32, of32}, {8, of8}}) {
            e.operators.elementBits = bits;
            const double peak = static_cast<double>(e.cu.count) * static_cast<double>(peakFlopsOfCu(e)) / 1e12;
            QVERIFY2(std::abs(peak / sheet - 1) < 0.01, std::to_string(peak).c_str());
        }
        QCOMPARE(static_cast<double>(e.memory.bandwidth.bytesPerSecond) / 1e9, gigabytes);
        const engine::Bandwidth out = engine::egressOf(e, engine::topologyOf(e), 0);
        QCOMPARE(static_cast<double>(out.bytesPerSecond) / 1e9, egress * e.link.efficiency);
    }

    void everyNumberOfANodeHasItsSource() {
        for (const char* name :
             {"amd-mi100", "amd-mi300x", "nvidia-a100", "nvidia-h100", "nvidia-h200", "nvidia-b200"}) {
            const Preset& node = *findMachine(name);
            QCOMPARE(node.sources.size(), node.settings.size());
            for (const auto& [path, source] : node.sources) {
                QVERIFY2(node.settings.count(path) == 1 && !source.source.empty(), path.c_str());
                QVERIFY2(node.source.find(path) != std::string::npos, path.c_str());
            }
            QVERIFY(node.sources.at("link.latency").label == engine::SourceLabel::assumed);
            for (const std::string& path : neededPaths("machine"))
                QVERIFY2(node.settings.count(path) == 1, path.c_str());
        }
    }

    void aNodeWhoseGpusAreJoinedEachToEachUsesAllItsLinks() {
        // On a fully connected machine a ring uses only one of a GPU's links. If a GPU has one link, or two links of a
        // ring, the ring uses all of them.
        for (const Preset& machine : machines()) {
            ExperimentDraft draft = draftNamed("t-nlg/op/tp8").draft;
            draft.explicitValues["machine"] = machine.name;
            const engine::Experiment e = expand(draft).experiment;
            const bool each = e.topology.kind == engine::TopologyKind::fullyConnected;
            QVERIFY2((e.collective.algorithm == engine::CollectiveAlgorithm::direct) == each, machine.name.c_str());
        }
        for (const char* name : {"amd-mi100", "amd-mi300x"})
            QVERIFY(findMachine(name)->sources.at("collective.algorithm").label == engine::SourceLabel::chosen);
    }
    void anAlgorithmThatWasChosenStaysOnEveryMachine() {
        ExperimentDraft draft = draftNamed("t-nlg/op/tp8").draft;
        draft.explicitValues["machine"] = std::string("amd-mi300x");
        draft.explicitValues["collective.algorithm"] = std::string("ring");
        QVERIFY(expand(draft).experiment.collective.algorithm == engine::CollectiveAlgorithm::ring);
    }

    void theEfficiencyOfARealMachineWasMeasured_data() {
        QTest::addColumn<double>("measured");  // TFLOP/s of the best GEMM
        QTest::newRow("amd-mi100") << 121.8;
        QTest::newRow("amd-mi300x") << 668.4;
        QTest::newRow("nvidia-a100") << 271.2;
        QTest::newRow("nvidia-h100") << 794.5;
        QTest::newRow("nvidia-h200") << 794.5;  // the same GPU
        QTest::newRow("nvidia-b200") << 1745.0;
    }
    void theEfficiencyOfARealMachineWasMeasured() {
        QFETCH(double, measured);
        const Preset& machine = *findMachine(QTest::currentDataTag());
        const ValueSource& source = machine.sources.at("cu.tensor_efficiency");
        QVERIFY(source.label == engine::SourceLabel::secondHand);
        ExperimentDraft draft = draftNamed("t-nlg/op/tp8").draft;
        draft.explicitValues["machine"] = machine.name;
        const engine::Experiment e = expand(draft).experiment;
        const double peak = static_cast<double>(e.cu.count) * static_cast<double>(peakFlopsOfCu(e)) / 1e12;
        QVERIFY2(std::abs(e.cu.tensorEfficiency * peak / measured - 1) < 0.01, source.source.c_str());
    }

    void everyModelHasTheWeightsThatItsNotesState_data() {
        QTest::addColumn<double>("ours");       // billions, as in the notes
        QTest::addColumn<double>("published");  // as its authors count; 0.5: also a separate head
        QTest::addColumn<double>("apart");      // the difference that the notes explain
        QTest::newRow("bert-large") << 0.333 << 0.340 << 0.0;
        QTest::newRow("gpt2-xl") << 1.555 << 1.558 << 0.0;
        QTest::newRow("megatron-22b") << 22.06 << 22.0 << 0.0;
        QTest::newRow("megatron-1t") << 1007.9 << 1008.0 << 0.0;
        QTest::newRow("llama-3-8b") << 7.50 << 8.03 << 0.53;  // another 128,256 x 4,096
        QTest::newRow("llama-3-70b") << 69.5 << 70.6 << 1.05;
        QTest::newRow("qwen2.5-72b") << 71.5 << 72.7 << 1.25;
        QTest::newRow("mixtral-8x7b") << 46.6 << 46.7 << 0.13;
        QTest::newRow("deepseek-v3") << 717.4 << 671.0 << -32.6 - 17.0 + 0.93 + 2.6;  // also 58 shared experts
    }
    void everyModelHasTheWeightsThatItsNotesState() {
        QFETCH(double, ours);
        QFETCH(double, published);
        QFETCH(double, apart);
        ExperimentDraft draft;
        draft.explicitValues["workload.model"] = std::string(QTest::currentDataTag());
        draft.explicitValues["parallel.tp"] = std::int64_t{1};
        const double weights =
            1e-9 *
            static_cast<double>(operatorGraphOf(expand(draft).experiment, engine::ModelPhase::prompt).weightsOfModel());
        QVERIFY2(std::abs(weights / ours - 1) < 0.0015, std::to_string(weights).c_str());
        QVERIFY2(std::abs((weights + apart) / published - 1) < 0.021, std::to_string(weights).c_str());
    }

    void everyMachineRunsEverySubLayer() {
        for (const Preset& machine : machines()) {
            for (const char* name : {"t-nlg/op/tp8", "t-nlg/fc-2/tp8", "gpt-3/ip/tp32"}) {
                ExperimentDraft draft = draftNamed(name).draft;
                draft.explicitValues["machine"] = machine.name;
                const Expansion expansion = expand(draft);
                QVERIFY2(expansion.runnable(), (machine.name + " " + name).c_str());
            }
        }
    }

    void theDefaultMachineIsTheParameterTablesDefault() {
        // Otherwise an experiment without a machine would differ from one that names this machine.
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

RINGSIDE_TEST(TestPresets)
#include "tst_presets.moc"
