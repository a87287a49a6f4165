#include "engine/api/parameter_field.h"
#include "engine/api/runner.h"
#include "tests/golden/combinations.h"
#include "tests/golden/transcript.h"

#include <QtTest>

#include <set>
#include <string>

// Tests every combination of topology, operation, algorithm and policy, and of unusual machines: no invariant fails,
// and the total is exactly the kept one.

class TestCombinations : public QObject {
    Q_OBJECT

    template <typename Enum>
    static std::size_t different(Enum (*valueOf)(const engine::Experiment&)) {
        std::set<Enum> values;
        for (const tests::Combination& combination : tests::allCombinations())
            values.insert(valueOf(combination.experiment));
        return values.size();
    }

private Q_SLOTS:
    void thereAre2792OfThemAllDifferent() {
        std::set<std::string> names;
        std::size_t unusual = 0;
        for (const tests::Combination& combination : tests::allCombinations()) {
            QVERIFY2(engine::validate(combination.experiment).empty(), combination.name.c_str());
            names.insert(combination.name);
            unusual += combination.name.find("/tp4/") != std::string::npos;
        }
        QCOMPARE(names.size(), std::size_t{2792});
        QCOMPARE(unusual, tests::unusualMachines().size() * 44);
        QCOMPARE(unusual, std::size_t{924});
    }

    void everyTopologyAlgorithmPolicyAndOperationIsAmongThem() {
        using engine::Experiment;
        QCOMPARE(different<engine::TopologyKind>([](const Experiment& e) { return e.topology.kind; }),
                 engine::kWords<engine::TopologyKind>.size());
        QCOMPARE(different<engine::CollectiveAlgorithm>([](const Experiment& e) { return e.collective.algorithm; }),
                 engine::kWords<engine::CollectiveAlgorithm>.size());
        QCOMPARE(different<engine::CollectiveOperation>([](const Experiment& e) { return e.collective.operation; }),
                 engine::kWords<engine::CollectiveOperation>.size());
        QCOMPARE(different<engine::PolicyPreset>([](const Experiment& e) { return e.policy.preset; }),
                 engine::kWords<engine::PolicyPreset>.size());
    }

    void theTotalsAreThoseOfTheTranscript() {
        const tests::Transcript kept = tests::keptTranscript(RINGSIDE_GOLDEN, tests::kCombinationsFile);
        const tests::Transcript found = tests::transcriptOf(tests::allCombinations(), 2);
        const auto sentences = tests::differences(kept, found, tests::kWriteCommand);
        constexpr std::size_t kShown = 20;  // of up to 2,744; the last one says what to do
        std::string text = std::to_string(sentences.size()) + " sentences:\n";
        for (std::size_t i = 0; i < sentences.size(); ++i)
            text += i < kShown || i + 1 == sentences.size() ? sentences[i] + "\n" : std::string();
        QVERIFY2(sentences.empty(), text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestCombinations)
#include "tst_combinations.moc"
