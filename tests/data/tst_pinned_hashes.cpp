#include "data/experiment/experiment_document.h"
#include "engine/api/parameters.h"
#include "tests/test_program.h"

#include <QtTest>

#include <string>
#include <utility>
#include <vector>

namespace {

using Text = std::vector<std::pair<const char*, const char*>>;

/// Returns the hash of a case as the command line reads it: `run NAME --set PATH=TEXT ...`.
std::string hashOf(const char* name, const Text& settings) {
    data::ExperimentDraft draft = data::draftNamed(name).draft;
    draft.explicitValues["detail.level"] = std::string("interactive");
    for (const auto& [path, text] : settings) {
        engine::Problems problems;
        draft.explicitValues[path] = engine::parseValue(*engine::findParameter(path), text, problems).value();
    }
    return data::experimentHash(data::expand(draft).experiment);
}

}  // namespace

/// Parameters that are newer than engine 0.3 change no hash while they have their defaults. The hashes were printed by
/// a version without divisions of models. None of the experiments uses a machine whose preset got a memory capacity
/// since then.
class TestPinnedHashes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hashesThatWerePrintedBeforeStay_data() {
        QTest::addColumn<QString>("hash");
        QTest::addColumn<QString>("printed");
        const auto row = [](const char* name, const Text& settings, const char* printed) {
            QTest::addRow("%.12s %s", printed, name)
                << QString::fromStdString(hashOf(name, settings)) << QString::fromLatin1(printed);
        };
        row("t-nlg/fc-2/tp8", {}, "6f07336960edae633e0d3c8f015b27ca75695e41d019cc53660482aaf6cfd7a4");
        row("t-nlg/op/tp16", {}, "94857580311255805b68c87067663af785613686e7710c9b259430f887958e63");
        row("mega-gpt-2/fc-1/tp8", {{"policy.preset", "sequential"}},
            "a562ec5be36d7ef0add98815526cdd8b905d7fd6be73fe3d4875adc449686853");
        row("mega-gpt-2/ip/tp16", {{"policy.preset", "t3"}},
            "1ed45b8b40bd1ba5030c6455a5030f63227791e20e1fa7d236846df2460e5f88");
        row("collective/all-reduce/tp8", {}, "5002784650b9bcc6822fcdac4ce713ab2988f4ad619c4c958cfbd1a9fdf77265");
        row("collective/reduce-scatter/tp4", {{"link.bandwidth", "75GB/s"}},
            "95a868fc7b76d662783ab26542a6adbb20f8ca84f080bd92b9827933d552b20b");
        row("collective/all-gather/tp8", {{"collective.algorithm", "direct"}, {"topology.kind", "switch"}},
            "f77e031de34723a035582cbdf5afa22a085145f3300323aae45a0e374bf1c341");
        row("t-nlg/fc-2/tp8", {{"memory.model", "banks"}, {"gemm.group", "1"}},
            "5aa6c3033ddfb95323fa30501472cc42a94cbad8a1c92bcd0adfd3946a81b3a9");
        row("collective/all-to-all/tp8", {{"seed", "7"}},
            "1d2f67b777d2d075d92edfabb7e486a823c933d92e8b61347e8f2bb3dcb91cbe");
        row("t-nlg/fc-2/tp8", {{"machine", "t3-2x-cu"}, {"parallel.tp", "4"}},
            "791f54a863c0fec4c82c3e53dddea4d0ad8dae55feed58adf612bba47f0395aa");
    }

    void hashesThatWerePrintedBeforeStay() {
        QFETCH(QString, hash);
        QFETCH(QString, printed);
        QCOMPARE(hash, printed);
    }

    void aNewerParameterThatIsSetChangesTheHash() {
        const std::string usual = hashOf("t-nlg/fc-2/tp8", {});
        for (const char* path : {"division.dp", "division.microbatches"})
            QVERIFY2(hashOf("t-nlg/fc-2/tp8", {{path, "2"}}) != usual, path);
        QVERIFY(hashOf("t-nlg/fc-2/tp8", {{"operators.recompute", "layer"}}) != usual);
        QVERIFY(hashOf("t-nlg/fc-2/tp8", {{"node.memory", "80 GB"}}) != usual);
        QCOMPARE(hashOf("t-nlg/fc-2/tp8", {{"node.memory", "unlimited"}, {"division.dp", "1"}}), usual);
    }

    void aRealMachineHasACapacityAndTheOneOfT3HasNone() {
        const auto memoryOf = [](const char* machine) {
            data::ExperimentDraft draft;
            draft.explicitValues["machine"] = std::string(machine);
            return data::expand(draft).experiment.node;
        };
        const std::vector<std::pair<const char*, std::int64_t>> capacities{
            {"nvidia-h100", 80}, {"nvidia-h200", 141}, {"nvidia-b200", 192}, {"amd-mi300x", 192}};
        for (const auto& [machine, gigabytes] : capacities) {
            QVERIFY2(memoryOf(machine).memory == engine::Bytes{gigabytes * 1'000'000'000}, machine);
            QCOMPARE(memoryOf(machine).gpus, std::int64_t{8});
        }
        for (const char* machine : {"t3-table-1", "t3-table-1-75", "t3-hbm3"})
            QVERIFY2(!memoryOf(machine).memory, machine);
    }
};

RINGSIDE_TEST(TestPinnedHashes)
#include "tst_pinned_hashes.moc"
