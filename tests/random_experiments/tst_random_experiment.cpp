#include "engine/api/parameters.h"
#include "engine/api/runner.h"
#include "tests/golden/combinations.h"
#include "tests/random_experiments/journal.h"
#include "tests/random_experiments/pair_cover.h"
#include "tests/random_experiments/random_experiment.h"
#include "tests/random_experiments/trial.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>

// Tests which experiments the random tester draws, and how it reports and shrinks alarms.

using engine::Experiment;
using engine::Parameter;

namespace {

constexpr std::uint64_t kDrawn = 8000;

const std::vector<Experiment>& drawn() {
    static const std::vector<Experiment> kAll = [] {
        std::vector<Experiment> all;
        for (std::uint64_t index = 0; index < kDrawn; ++index)
            all.push_back(tests::randomExperiment(5, index));
        return all;
    }();
    return kAll;
}

Experiment small() {
    Experiment experiment = tests::smallInteractive(engine::PolicyPreset::t3Mca, 4);
    tests::dropWhatIsNotRead(experiment);
    return experiment;
}

/// Returns how many different values must be drawn: all words of a choice, else five, or fewer if there are fewer
/// powers of two.
std::size_t valuesToExpect(const Parameter& parameter) {
    constexpr std::size_t kEnough = 5;  // the columns of a torus divide the number of GPUs: there are no more
    if (parameter.kind == engine::ParameterKind::choice)
        return parameter.words.size();
    if (parameter.path == "collective.staging")
        return 2;  // 1 and 3
    if (!parameter.powerOfTwo && parameter.kind != engine::ParameterKind::real) {
        const double span = tests::largestDrawn(parameter) - tests::smallestDrawn(parameter);
        return static_cast<std::size_t>(std::min(static_cast<double>(kEnough), span + 1));
    }
    if (!parameter.powerOfTwo)
        return kEnough;
    const double doublings = std::log2(tests::largestDrawn(parameter) / tests::smallestDrawn(parameter));
    return std::min(kEnough, static_cast<std::size_t>(doublings) + 1);
}

}  // namespace

class TestRandomExperiment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachCanBeRunAndIsCheap() {
        for (const Experiment& experiment : drawn()) {
            QVERIFY(engine::validate(experiment).empty());
            QVERIFY(tests::canBeTried(experiment));
        }
    }

    void theSameSeedAndNumberGiveTheSameExperiment() {
        QCOMPARE(tests::randomExperiment(5, 17) == drawn()[17], true);
        QVERIFY(!(tests::randomExperiment(5, 18) == drawn()[17]));
        QVERIFY(!(tests::randomExperiment(6, 17) == drawn()[17]));
    }

    void everyParameterButNamesTakesManyValues() {
        for (const Parameter& parameter : engine::parameters()) {
            std::set<engine::ParameterValue> values;
            for (const Experiment& experiment : drawn())
                values.insert(parameter.read(experiment));
            if (!tests::isDrawn(parameter)) {
                QCOMPARE(values.size(), std::size_t{1});
                continue;
            }
            QVERIFY2(values.size() >= valuesToExpect(parameter),
                     (parameter.path + " takes " + std::to_string(values.size()) + " values").c_str());
        }
    }

    void nearlyEveryPairOfParametersIsDrawnTogether() {
        const tests::PairCover cover = tests::coverOfPairs(5);
        std::set<std::pair<const Parameter*, const Parameter*>> together;
        for (const tests::DrawnTogether& one : cover.experiments) {
            QVERIFY(tests::canBeTried(one.experiment));
            for (const Parameter* first : one.drawn)
                for (const Parameter* second : one.drawn)
                    if (first < second)
                        together.insert({first, second});
        }
        QCOMPARE(together.size(), cover.covered);
        const auto drawn = static_cast<std::size_t>(
            std::count_if(engine::parameters().begin(), engine::parameters().end(), tests::isDrawn));
        QCOMPARE(cover.pairs, drawn * (drawn - 1) / 2);
        QVERIFY2(cover.covered >= cover.pairs * 9 / 10,
                 (std::to_string(cover.covered) + " of " + std::to_string(cover.pairs)).c_str());
        QVERIFY(cover.experiments.size() <= cover.pairs / 5);
    }

    void theSameSeedGivesTheSameCover() {
        const tests::PairCover one = tests::coverOfPairs(7), again = tests::coverOfPairs(7);
        QCOMPARE(one.experiments.size(), again.experiments.size());
        for (std::size_t i = 0; i < one.experiments.size(); ++i)
            QVERIFY(one.experiments[i].experiment == again.experiments[i].experiment);
        QVERIFY(!(tests::coverOfPairs(8).experiments[0].experiment == one.experiments[0].experiment));
    }

    void bothEndsOfRangesAreDrawn() {
        // Sizes are limited by the duration of a run, and a few other limits make runs too long or too large.
        std::size_t lower = 0, upper = 0, numbers = 0;
        for (const Parameter& parameter : engine::parameters()) {
            if (parameter.kind != engine::ParameterKind::integer)
                continue;
            ++numbers;
            const auto isDrawnSomewhere = [&](double edge) {
                return std::any_of(drawn().begin(), drawn().end(), [&](const Experiment& experiment) {
                    return parameter.read(experiment) == engine::ParameterValue(static_cast<std::int64_t>(edge));
                });
            };
            lower += isDrawnSomewhere(tests::smallestDrawn(parameter)) ? 1 : 0;
            upper += isDrawnSomewhere(tests::largestDrawn(parameter)) ? 1 : 0;
        }
        QVERIFY2(lower >= numbers * 3 / 4, (std::to_string(lower) + " of " + std::to_string(numbers)).c_str());
        QVERIFY2(upper >= numbers * 3 / 4, (std::to_string(upper) + " of " + std::to_string(numbers)).c_str());
    }

    void shrinkingKeepsWhatTheAlarmNeedsAndNothingElse() {
        Experiment experiment = small();
        experiment.link.latency = {123'456};
        experiment.tracker.entries = 3;
        experiment.memory.model = engine::DramModel::banks;
        experiment.dma.blockTiles = 7;
        const auto alarms = [](const Experiment& candidate) {
            return candidate.tracker.entries < 5 && candidate.memory.model == engine::DramModel::banks;
        };
        const Experiment smallest = tests::shrunk(experiment, alarms);
        QVERIFY(alarms(smallest));
        QCOMPARE(smallest.tracker.entries, std::int64_t{3});
        Experiment expected = small();
        expected.tracker.entries = 3;
        expected.memory.model = engine::DramModel::banks;
        QVERIFY(smallest == expected);
    }

    void aCommandNamesWhatIsNotAsItsPresetsSay() {
        Experiment experiment = small();
        experiment.link.bandwidth = {75'000'000'000};
        const std::string command = tests::verifyCommand(experiment);
        QVERIFY2(command.starts_with("ringside-cli verify t-nlg/fc-2/tp4 "), command.c_str());
        QVERIFY2(command.find(" --set link.bandwidth=75GB/s") != std::string::npos, command.c_str());
        QVERIFY2(command.find("memory.") == std::string::npos, command.c_str());
    }

    void randomExperimentsAndCombinationsHaveCommands() {
        for (std::size_t index = 0; index < 300; ++index) {
            const std::string command = tests::verifyCommand(drawn()[index]);
            QVERIFY2(command.find("<<<") == std::string::npos, command.c_str());
        }
        for (const tests::Combination& combination : tests::allCombinations())
            QVERIFY2(tests::verifyCommand(combination.experiment).find("<<<") == std::string::npos,
                     combination.name.c_str());
    }

    void aTrackerWithoutWaysIsNoAlarmAndAnInvalidExperimentIs() {
        Experiment experiment = small();
        experiment.tracker.ways = 0;
        QVERIFY_EXCEPTION_THROWN(engine::verify(experiment), engine::Deadlock);
        QVERIFY(tests::alarmsOf(experiment).empty());
        experiment = small();
        experiment.parallel.tp = 1;
        QCOMPARE(tests::alarmsOf(experiment).size(), std::size_t{1});
        QVERIFY(tests::alarmsOf(experiment)[0].kind.starts_with("exception: "));
    }

    void kindsOfAlarmsHaveNoNumbers() {
        QCOMPARE(tests::withoutNumbers("GPU 12: 7 < 1500 ps"), std::string("GPU #: # < # ps"));
    }

    void aRecordHasOneInEightVerifiedAgainAnotherEighthEachTime() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("record").toStdString();
        const auto open = [&](const char* engine) {
            return tests::Journal(path, engine, "pairs-1", tests::Journal::Use::rotates);
        };
        constexpr std::uint64_t kCount = 16;
        {
            tests::Journal first = open("1.0-a");
            for (std::uint64_t index = 0; index < kCount; ++index) {
                QVERIFY(!first.has(index));
                first.add(index, index != 3);  // the experiment 3 gives an alarm
            }
        }
        std::set<std::uint64_t> again;
        for (int turn = 0; turn < 8; ++turn) {
            const tests::Journal journal = open("1.0-a");
            QVERIFY(!journal.has(3));
            std::size_t due = 0;
            for (std::uint64_t index = 0; index < kCount; ++index) {
                if (index != 3 && !journal.has(index)) {
                    again.insert(index);
                    ++due;
                }
            }
            QVERIFY(due == 2 || due == 1);
        }
        QCOMPARE(again.size(), std::size_t{kCount - 1});
        QVERIFY(!open("1.0-b").has(0));  // other sources
    }

    void aJournalKnowsWhatHeldUnderThisEngineInThisSeries() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("journal").toStdString();
        {
            tests::Journal journal(path, "1.0", "seed-1");
            journal.add(3, true);
            journal.add(4, false);
            std::ofstream(path, std::ios::app) << "1.0 seed-1 5 he";  // cut off, as by a kill
        }
        const tests::Journal again(path, "1.0", "seed-1");
        QVERIFY(again.has(3));
        QVERIFY(!again.has(4));
        QVERIFY(!again.has(5));
        QCOMPARE(again.size(), std::size_t{1});
        QCOMPARE(tests::Journal(path, "1.1", "seed-1").size(), std::size_t{0});
        QCOMPARE(tests::Journal(path, "1.0", "seed-2").size(), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestRandomExperiment)
#include "tst_random_experiment.moc"
