#include "data/experiment/experiment_document.h"
#include "data/questions/divisions.h"
#include "engine/api/footprint.h"
#include "engine/api/messages.h"
#include "engine/api/runner.h"
#include "tests/data/said.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <stop_token>

using namespace data;

namespace {

/// Returns a question about a bundled model with settings in the form of --set.
DivisionsQuestion dividedQuestion(const std::string& model, std::int64_t gpus, std::int64_t sequences,
                                  const std::vector<std::string>& settings = {}) {
    ExperimentDraft draft;
    engine::Problems problems;
    applySetting("workload.model=" + model, draft, problems);
    for (const std::string& setting : settings)
        applySetting(setting, draft, problems);
    if (!problems.empty())
        qFatal("%s", engine::describe(problems.front()).c_str());
    DivisionsQuestion question;
    question.base = expand(draft).experiment;
    question.gpus = gpus;
    question.sequences = sequences;
    return question;
}

/// Returns the base experiment with the settings of a row, which are set from the texts of the table.
engine::Experiment dividedAs(const DivisionsQuestion& question, const Division& row) {
    engine::Experiment experiment = question.base;
    for (const auto& [path, value] : settingsOf(row)) {
        const engine::Parameter& parameter = *engine::findParameter(path);
        if (engine::check(parameter, value))
            qFatal("%s is out of range", path.c_str());
        parameter.write(experiment, value);
    }
    return experiment;
}

/// Returns questions for which the engine rejects different divisions: with sequence parallelism, experts, another
/// accounting, prime numbers, one GPU, big nodes.
std::vector<DivisionsQuestion> dividedQuestions() {
    return {
        dividedQuestion("gpt-3", 512, 1536, {"machine=nvidia-h100", "workload.sequence=2048"}),
        dividedQuestion("gpt-3", 64, 96,
                        {"collective.operation=reduce-scatter", "operators.attention=separate", "operators.dropout=on",
                         "node.memory=80GB"}),
        dividedQuestion("mt-nlg", 105, 210, {"machine=amd-mi300x", "node.gpus=35"}),
        dividedQuestion("gpt-3", 32, 64, {"machine=nvidia-h200", "workload.experts=6", "workload.experts_per_token=2"}),
        dividedQuestion("gpt-3", 16, 64, {"training.accounting=deepspeed"}),
        dividedQuestion("gpt-3", 24, 24, {"division.schedule=all-forward", "node.memory=100GB"}),
        dividedQuestion("t-nlg", 1, 7),
        dividedQuestion("t-nlg", 13, 13 * 5)};
}

/// Returns the choices of a row without its results.
auto choicesOf(const Division& row) {
    return std::tuple(row.tp, row.pp, row.dp, row.batch, row.microbatches, row.interleave, row.sharding, row.recompute);
}

std::set<std::string> distinctWords(const Divisions& divisions, const char* path) {
    std::set<std::string> words;
    for (const Division& row : divisions.rows)
        words.insert(std::get<std::string>(settingsOf(row).at(path)));
    return words;
}

}  // namespace

class TestDivisions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowIsValidForAFootprintAndUsesAllGpusAndSequences() {
        for (const DivisionsQuestion& question : dividedQuestions()) {
            const Divisions divisions = divisionsOf(question);
            QVERIFY(!divisions.rows.empty());
            for (const Division& row : divisions.rows) {
                QCOMPARE(row.tp * row.pp * row.dp, question.gpus);
                QCOMPARE(row.dp * row.batch * row.microbatches, question.sequences);
                QVERIFY(row.tp <= question.base.node.gpus);
                QCOMPARE(question.base.workload.layers % row.pp, std::int64_t{0});
                QCOMPARE(row.batch & (row.batch - 1), std::int64_t{0});
                const engine::Problems problems =
                    engine::footprintProblems(dividedAs(question, row), engine::ModelPhase::training);
                QVERIFY2(problems.empty(), tests::described(problems).c_str());
            }
        }
    }

    void theSettingsOfARowGiveItsFootprintAndItsMessages() {
        for (const DivisionsQuestion& question : dividedQuestions()) {
            const Divisions divisions = divisionsOf(question);
            const std::size_t step = divisions.rows.size() / 40 + 1;
            for (std::size_t i = 0; i < divisions.rows.size(); i += step) {
                const Division& row = divisions.rows[i];
                const engine::Experiment experiment = dividedAs(question, row);
                const engine::Footprint footprint = engine::footprintOf(experiment, engine::ModelPhase::training);
                QCOMPARE(row.footprint.count, footprint.bytes().total().count);
                QCOMPARE(row.fits, footprint.fits.value_or(true));
                const engine::Messages messages = engine::messagesOf(experiment, engine::ModelPhase::training);
                const double seconds =
                    static_cast<double>(messages.sentWithinNode().count) /
                        static_cast<double>(engine::packetBandwidth(experiment.link).bytesPerSecond) +
                    static_cast<double>(messages.sentBetweenNodes().count) /
                        static_cast<double>(experiment.topology.nodeBandwidth.bytesPerSecond);
                QVERIFY(std::abs(static_cast<double>(row.messages.ps) - seconds * 1e12) <= 1 + seconds);
            }
        }
    }

    void thePartsOfAnEstimateMakeIt() {
        for (const DivisionsQuestion& question : dividedQuestions()) {
            for (const Division& row : divisionsOf(question).rows) {
                QCOMPARE(row.bubble, static_cast<double>(row.pp - 1) /
                                         (static_cast<double>(row.interleave) * static_cast<double>(row.microbatches)));
                const double sum =
                    static_cast<double>(row.compute.ps) * (1 + row.bubble) + static_cast<double>(row.messages.ps);
                QVERIFY(std::abs(static_cast<double>(row.estimate.ps) - sum) <= 1 + 1e-12 * sum);
            }
        }
    }

    // Narayanan et al. (arXiv 2104.04473), appendix: for T tokens the matrices take 72 T l h^2 flops and the head 6 T h
    // V. Fused attention takes 4 flops for each causal pair and column forward, and 10 backward, since it computes its
    // scores again.
    void withoutRecomputationTheGpusShareTheFlopsOfTheModel() {
        const DivisionsQuestion question =
            dividedQuestion("gpt-3", 64, 64, {"machine=nvidia-h100", "operators.attention=fused"});
        const double tokens = 64.0 * 1024, hidden = 12288, layers = 96, words = 50264;
        const double matrices = 72 * tokens * layers * hidden * hidden + 6 * tokens * words * hidden;
        const double attention = 14 * tokens * 1025 / 2 * layers * hidden;
        const double peak = 132.0 * 4096 * 1.83e9 * 0.80;
        int compared = 0, again = 0;
        const Divisions divisions = divisionsOf(question);
        for (const Division& row : divisions.rows) {
            const double seconds = static_cast<double>(row.compute.ps) / 1e12,
                         plain = (matrices + attention) / 64 / peak;
            if (row.recompute == engine::Recompute::none && row.tp == 8) {
                QVERIFY2(std::abs(seconds / plain - 1) < 1e-6, std::to_string(seconds / plain).c_str());
                ++compared;
            }
            if (row.recompute == engine::Recompute::layer) {
                QVERIFY(seconds / plain > 1.3 && seconds / plain < 1.34);
                ++again;
            }
        }
        QVERIFY(compared > 0 && again > 0);
    }

    void whatFitsComesFirstAndEachPartIsInOrderOfTheEstimate() {
        for (const DivisionsQuestion& question : dividedQuestions()) {
            const Divisions divisions = divisionsOf(question);
            const auto fitting = divisions.rows.begin() + static_cast<std::ptrdiff_t>(divisions.fitting);
            QVERIFY(std::all_of(divisions.rows.begin(), fitting, [](const Division& row) { return row.fits; }));
            QVERIFY(std::none_of(fitting, divisions.rows.end(), [](const Division& row) { return row.fits; }));
            const auto isSorted = [](auto begin, auto end) {
                return std::is_sorted(begin, end, [](const Division& a, const Division& b) {
                    return std::tuple(a.estimate, a.footprint, choicesOf(a)) <
                           std::tuple(b.estimate, b.footprint, choicesOf(b));
                });
            };
            QVERIFY(isSorted(divisions.rows.begin(), fitting) && isSorted(fitting, divisions.rows.end()));
        }
    }

    void noDivisionStandsTwice() {
        for (const DivisionsQuestion& question : dividedQuestions()) {
            const Divisions divisions = divisionsOf(question);
            std::set<decltype(choicesOf(Division{}))> met;
            for (const Division& row : divisions.rows)
                QVERIFY(met.insert(choicesOf(row)).second);
        }
    }

    void moreMemoryNeverLosesADivisionThatFits() {
        DivisionsQuestion question = dividedQuestion("gpt-3", 64, 64, {"workload.sequence=2048"});
        std::set<decltype(choicesOf(Division{}))> before;
        std::size_t most = 0;
        for (const std::int64_t gigabytes : {40, 60, 80, 120, 200}) {
            question.base.node.memory = engine::Bytes{gigabytes * 1'000'000'000};
            const Divisions divisions = divisionsOf(question);
            std::set<decltype(choicesOf(Division{}))> fitting;
            for (std::size_t i = 0; i < divisions.fitting; ++i)
                fitting.insert(choicesOf(divisions.rows[i]));
            QVERIFY(std::includes(fitting.begin(), fitting.end(), before.begin(), before.end()));
            QVERIFY(most == 0 || divisions.rows.size() == most);
            most = divisions.rows.size();
            before = std::move(fitting);
        }
        QVERIFY(!before.empty() && before.size() < most);
    }

    // GPT-3 on 512 GPUs of HGX H100, with 1,536 sequences of 2,048 tokens.
    void gpt3On512GpusIsDividedIntoEightStagesOfFourGpus() {
        const Divisions divisions = divisionsOf(dividedQuestions().front());
        const Division& best = divisions.rows.front();
        QCOMPARE(choicesOf(best),
                 std::tuple(std::int64_t{4}, std::int64_t{8}, std::int64_t{16}, std::int64_t{1}, std::int64_t{96},
                            std::int64_t{2}, engine::Sharding::optimizer, engine::Recompute::none));
        QVERIFY(best.fits && divisions.fitting > 1 && divisions.fitting < divisions.rows.size());
        QVERIFY(best.footprint > engine::Bytes{75'150'000'000} && best.footprint < engine::Bytes{75'250'000'000});
        QCOMPARE(best.bubble, 7.0 / 192);
    }

    void sequenceParallelismBringsTheGathersAndSeparateAttentionItsOwnWord() {
        const auto words = [](const std::vector<std::string>& settings) {
            return distinctWords(divisionsOf(dividedQuestion("t-nlg", 8, 8, settings)), "operators.recompute");
        };
        QCOMPARE(words({}), (std::set<std::string>{"none", "layer"}));
        QCOMPARE(words({"collective.operation=reduce-scatter"}), (std::set<std::string>{"none", "gathers", "layer"}));
        QCOMPARE(words({"operators.attention=separate"}), (std::set<std::string>{"none", "attention", "layer"}));
        QCOMPARE(words({"operators.attention=separate", "collective.operation=reduce-scatter"}),
                 (std::set<std::string>{"none", "gathers", "attention", "layer"}));
    }

    void aSingleReplicaSharesNothingAndOneStageHasNoChunks() {
        for (const Division& row : divisionsOf(dividedQuestion("gpt-3", 16, 64)).rows) {
            QVERIFY(row.dp > 1 || row.sharding == engine::Sharding::none);
            QVERIFY(row.pp > 1 || row.interleave == 1);
        }
        QCOMPARE(distinctWords(divisionsOf(dividedQuestion("gpt-3", 16, 64)), "division.sharding"),
                 (std::set<std::string>{"none", "optimizer", "gradients", "weights"}));
        // DeepSpeed's estimators have two of the sharding modes, also with a single replica.
        const Divisions deepspeed = divisionsOf(dividedQuestion("gpt-3", 8, 8, {"training.accounting=deepspeed"}));
        QCOMPARE(distinctWords(deepspeed, "division.sharding"), (std::set<std::string>{"gradients", "weights"}));
        QVERIFY(
            std::any_of(deepspeed.rows.begin(), deepspeed.rows.end(), [](const Division& row) { return row.dp == 1; }));
    }

    void oneGpuHasOneDivisionForEachBatchAndWord() {
        const Divisions divisions = divisionsOf(dividedQuestion("t-nlg", 1, 6));
        QCOMPARE(divisions.rows.size(), std::size_t{4});  // batch 1 and 2, no recomputation and of whole layers
        for (const Division& row : divisions.rows) {
            QCOMPARE(row.messages.ps, std::int64_t{0});
            QCOMPARE(row.bubble, 0.0);
            QCOMPARE(row.estimate, row.compute);
        }
    }

    void aPrimeNumberOfGpusIsReplicasAlone() {
        const Divisions divisions = divisionsOf(dividedQuestion("gpt-3", 13, 26));
        QVERIFY(!divisions.rows.empty());
        for (const Division& row : divisions.rows)
            QVERIFY(row.tp == 1 && row.pp == 1 && row.dp == 13);
    }

    void sequencesThatNoDivisionSharesOutAreNoDivisionAndTheReasonIsSaid() {
        const Divisions divisions = divisionsOf(dividedQuestion("gpt-3", 13, 25));
        QVERIFY(divisions.rows.empty());
        QCOMPARE(divisions.fitting, std::size_t{0});
        QCOMPARE(divisions.notices.size(), std::size_t{1});
        const std::string& why = divisions.notices.front().text;
        for (const char* part : {"13 GPUs", "node.gpus = 8", "(1)", "96 layers", "25 sequences"})
            QVERIFY2(tests::contains(why, part), why.c_str());
        QVERIFY(!divisionsOf(dividedQuestion("gpt-3", 13, 26)).rows.empty());
    }

    void oddSequencesLeaveMicroBatchesOfOneSequence() {
        for (const Division& row : divisionsOf(dividedQuestion("gpt-3", 8, 9)).rows)
            QCOMPARE(row.batch, std::int64_t{1});
    }

    void degreesStayInsideANode() {
        const auto largest = [](const char* gpus) {
            std::int64_t tp = 0;
            for (const Division& row : divisionsOf(dividedQuestion("gpt-3", 64, 64, {gpus})).rows)
                tp = std::max(tp, row.tp);
            return tp;
        };
        QCOMPARE(largest("node.gpus=8"), std::int64_t{8});
        QCOMPARE(largest("node.gpus=16"), std::int64_t{16});
        QCOMPARE(largest("node.gpus=1"), std::int64_t{1});
    }

    void aFasterNetworkBetweenNodesShortensMessagesAndNothingElse() {
        DivisionsQuestion question = dividedQuestion("gpt-3", 64, 64, {"machine=nvidia-h100"});
        const auto times = [&] {
            std::map<decltype(choicesOf(Division{})), Division> rows;
            for (const Division& row : divisionsOf(question).rows)
                rows.emplace(choicesOf(row), row);
            return rows;
        };
        const auto slow = times();
        question.base.topology.nodeBandwidth = {2 * question.base.topology.nodeBandwidth.bytesPerSecond};
        const auto fast = times();
        QCOMPARE(slow.size(), fast.size());
        for (const auto& [choices, row] : slow) {
            const Division& other = fast.at(choices);
            QVERIFY(other.messages < row.messages);  // 64 GPUs are eight nodes, so messages go between nodes
            QCOMPARE(other.compute, row.compute);
            QCOMPARE(other.footprint, row.footprint);
        }
    }

    void theNoticesSayWhatTheEstimateLeavesOut() {
        const auto textOf = [](const Divisions& divisions, const char* path) {
            std::string text;
            for (const engine::Notice& notice : divisions.notices)
                text += notice.path == path ? notice.text : "";
            return text;
        };
        const Divisions switched = divisionsOf(dividedQuestion("gpt-3", 8, 8, {"machine=nvidia-h100"}));
        QVERIFY(tests::contains(textOf(switched, "estimate"), "without overlap"));
        QVERIFY(tests::contains(textOf(switched, "estimate"),
                                "at 351 GB/s (link.bandwidth x link.efficiency) inside a node and at 50 GB/s"));
        const Divisions whole =
            divisionsOf(dividedQuestion("gpt-3", 8, 8, {"machine=nvidia-h100", "link.efficiency=1"}));
        QVERIFY(tests::contains(textOf(whole, "estimate"), "at 450 GB/s (link.bandwidth) inside a node"));
        QVERIFY(tests::contains(textOf(switched, "footprint"), "and workspaces"));
        QVERIFY(textOf(switched, "link.bandwidth").empty());
        const Divisions joined = divisionsOf(dividedQuestion("gpt-3", 8, 8, {"machine=amd-mi300x"}));
        QVERIFY(tests::contains(textOf(joined, "link.bandwidth"), "over one link of a GPU"));
        // 50,257 words are rounded up to three multiples.
        const std::string rounded = textOf(switched, "workload.vocabulary");
        QVERIFY(tests::contains(rounded, "50258") && tests::contains(rounded, "the same holds at other degrees"));
        QVERIFY(!tests::contains(rounded, "50264"));
    }

    void badInputIsRefusedAllAtOnce() {
        DivisionsQuestion question = dividedQuestion("gpt-3", 0, -1, {"training.accounting=deepspeed"});
        question.base.training.optimizer = engine::OptimizerKind::sgd;
        question.base.collective.operation = engine::CollectiveOperation::allToAll;
        const std::string said = tests::described(divisionsProblems(question));
        for (const char* part :
             {"gpus: 0: ", "sequences: -1: ", "training.optimizer: sgd: ", "collective.operation: all-to-all"})
            QVERIFY2(tests::contains(said, part), said.c_str());
        QVERIFY_EXCEPTION_THROWN(divisionsOf(question), engine::InvalidExperiment);

        DivisionsQuestion bare = dividedQuestion("gpt-3", 8, 8, {"division.weights=7e9"});
        QVERIFY(tests::contains(tests::described(divisionsProblems(bare)), "division.weights: 7000000000: "));
        QVERIFY(divisionsProblems(dividedQuestion("gpt-3", 1, 1)).empty());
    }

    void whatTheBaseSaysOfTheDivisionIsNotRead() {
        const DivisionsQuestion plain = dividedQuestion("gpt-3", 16, 16);
        const DivisionsQuestion set = dividedQuestion(
            "gpt-3", 16, 16,
            {"parallel.tp=7", "division.pp=97", "division.interleave=5", "division.dp=3", "division.microbatches=11",
             "division.sharding=weights", "workload.batch=3", "operators.recompute=layer"});
        QVERIFY(divisionsProblems(set).empty());
        const Divisions a = divisionsOf(plain), b = divisionsOf(set);
        QVERIFY(std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                           [](const Division& left, const Division& right) {
                               return choicesOf(left) == choicesOf(right) && left.estimate == right.estimate &&
                                      left.footprint == right.footprint;
                           }));
    }

    void theBestDivisionsAreOrderedByTheirSimulatedSteps() {
        DivisionsQuestion question = dividedQuestion("t-nlg", 16, 16, {"detail.level=interactive"});
        Divisions divisions = divisionsOf(question);
        const Divisions searched = divisions;
        std::vector<double> reported;
        question.progress = [&](double done) { reported.push_back(done); };
        constexpr std::size_t kSimulated = 4;
        simulateBest(question, kSimulated, 2, divisions);
        QVERIFY(divisions.rows.size() > kSimulated);
        for (std::size_t i = 0; i < divisions.rows.size(); ++i) {
            QCOMPARE(divisions.rows[i].step.has_value(), i < kSimulated);
            QVERIFY(i == 0 || i >= kSimulated || *divisions.rows[i - 1].step <= *divisions.rows[i].step);
            QVERIFY(i < kSimulated || choicesOf(divisions.rows[i]) == choicesOf(searched.rows[i]));
        }
        QVERIFY(!reported.empty() && std::is_sorted(reported.begin(), reported.end()));
        // A step is never shorter than the flops of its GPU at the peak rate.
        QVERIFY(divisions.rows.front().step.value() > divisions.rows.front().compute);
    }

    void aStopEndsTheSearchAtOnceAndProgressRises() {
        DivisionsQuestion question = dividedQuestion("gpt-3", 512, 1536);
        std::vector<double> reported;
        question.progress = [&](double done) { reported.push_back(done); };
        divisionsOf(question);
        QVERIFY(reported.size() > 2 && std::is_sorted(reported.begin(), reported.end()));
        QCOMPARE(reported.back(), 1.0);

        std::stop_source stop;
        question.stop = stop.get_token();
        int calls = 0;
        question.progress = [&](double) {
            ++calls;
            stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(divisionsOf(question), engine::RunStopped);
        QCOMPARE(calls, 1);
    }
};

RINGSIDE_TEST(TestDivisions)
#include "tst_divisions.moc"
