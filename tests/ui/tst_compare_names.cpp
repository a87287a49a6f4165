#include "data/experiment/experiment_document.h"
#include "tests/test_program.h"
#include "ui/compare/comparison.h"

#include <QTest>

#include <initializer_list>
#include <string>

namespace {

engine::Experiment experiment(const std::string& name, std::initializer_list<std::string> settings) {
    data::ExperimentDraft draft = data::draftNamed(name).draft;
    engine::Problems problems;
    for (const std::string& setting : settings)
        data::applySetting(setting, draft, problems);
    return data::expand(draft).experiment;
}

QStringList names(const std::vector<engine::Experiment>& experiments) {
    std::vector<const engine::Experiment*> pointers;
    for (const engine::Experiment& each : experiments)
        pointers.push_back(&each);
    return ui::namesOf(pointers);
}

constexpr auto kComparedCase = "t-nlg/fc-2/tp8";

}  // namespace

class TestCompareNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void policiesOfOneExperimentAreCalledByTheirTitles() {
        QCOMPARE(
            names({experiment(kComparedCase, {"policy=sequential"}), experiment(kComparedCase, {"policy=t3-mca"})}),
            (QStringList{QStringLiteral("Sequential"), QStringLiteral("T3-MCA")}));
    }

    void machinesAreNamedAndWhatTheySayIsNot() {
        const QStringList both =
            names({experiment(kComparedCase, {}), experiment(kComparedCase, {"machine=t3-2x-cu"})});
        QCOMPARE(both, (QStringList{QStringLiteral("T3-MCA"), QStringLiteral("T3-MCA on t3-2x-cu")}));
    }

    void aParameterThatDiffersIsPartOfTheName() {
        const QStringList both =
            names({experiment(kComparedCase, {}), experiment(kComparedCase, {"link.bandwidth=75GB/s"})});
        QVERIFY2(both[1].contains(QStringLiteral("75")), qPrintable(both[1]));
        QVERIFY(both[0] != both[1]);
    }

    void theNumberOfPiecesIsPartOfTheNameThoughThePolicyIsTheSame() {
        const QStringList both = names({experiment(kComparedCase, {"policy=chunked"}),
                                        experiment(kComparedCase, {"policy=chunked", "policy.pieces=32"})});
        QCOMPARE(both, (QStringList{QStringLiteral("Chunked, pieces of the gemm auto"),
                                    QStringLiteral("Chunked, pieces of the gemm 32")}));
    }

    void rulesOfDispatchNameRowsThatShareAPolicyAndAddToOthers() {
        const char* beside = "companion.operation=all-gather";
        const auto under = [&](const char* rule, const char* policy = "policy=sequential") {
            return experiment(kComparedCase, {beside, std::string("dispatch.rule=") + rule, policy});
        };
        QCOMPARE(
            names({under("in-order"), under("round-robin"), under("reserved")}),
            (QStringList{QStringLiteral("in-order"), QStringLiteral("round-robin"), QStringLiteral("reserved 16")}));
        QCOMPARE(names({under("in-order"), under("round-robin", "policy=t3")}),
                 (QStringList{QStringLiteral("Sequential, in-order"), QStringLiteral("T3, round-robin")}));
    }

    void differentCasesAreDistinguished() {
        const QStringList both = names({experiment(kComparedCase, {}), experiment("t-nlg/op/tp16", {})});
        QVERIFY(both[0].startsWith(QStringLiteral("t-nlg/fc-2/tp8 ")));
        QVERIFY(both[1].startsWith(QStringLiteral("t-nlg/op/tp16 ")));
    }

    void equalRunsAreDistinguishedByTheirLetter() {
        QCOMPARE(names({experiment(kComparedCase, {}), experiment(kComparedCase, {})}),
                 (QStringList{QStringLiteral("T3-MCA (A)"), QStringLiteral("T3-MCA (B)")}));
    }

    void noExperimentsHaveNoNames() { QVERIFY(names({}).isEmpty()); }
};

RINGSIDE_CORE_TEST(TestCompareNames)
#include "tst_compare_names.moc"
