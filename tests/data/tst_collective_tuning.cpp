#include "data/collectives/collective_tuning.h"
#include "tests/test_program.h"

#include "data/experiment/own_presets.h"
#include "data/store/store.h"
#include "data/sweep/sweep_plan.h"
#include "data/sweep/sweep_runner.h"
#include "data/sweep/sweep_store.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <sstream>

using namespace data;

namespace {

/// Two algorithms and their times by size.
Tuning tuningWith(std::vector<std::int64_t> sizes, const std::vector<double>& ring, const std::vector<double>& tree) {
    Tuning tuning{
        "a machine", 8, {{{{"collective.algorithm", "ring"}}}, {{{"collective.algorithm", "double-tree"}}}}, {}};
    TunedCase one{"all-reduce", 8, std::move(sizes), {}};
    for (std::size_t i = 0; i < ring.size(); ++i)
        one.times.push_back({ring[i], tree[i]});
    tuning.cases.push_back(std::move(one));
    return tuning;
}

/// Returns the setting that a reader of rules uses for this many bytes: of the first rule that fits.
std::optional<std::size_t> settingAt(const std::vector<TunedRule>& rules, std::int64_t bytes) {
    for (const TunedRule& rule : rules)
        if (bytes >= rule.from && (!rule.to || bytes <= *rule.to))
            return rule.setting;
    return std::nullopt;
}

SweepReading exampleOf(const std::string& name) {
    return readSweepFile(RINGSIDE_SOURCE "/resources/examples/" + name, OwnPresets(""));
}

std::vector<std::string> cellsOf(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(stream, cell, ',');)
        cells.push_back(cell);
    return cells;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        if (!line.starts_with('#'))
            lines.push_back(line);
    return lines;
}

}  // namespace

class TestCollectiveTuning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFastestSettingWinsAtEachSize() {
        const Tuning tuning = tuningWith({100, 200, 401}, {30, 20, 10}, {10, 21, 30});
        const std::vector<TunedRule> rules = rulesOf(tuning, 0);
        QCOMPARE(rules,
                 (std::vector<TunedRule>{{"all-reduce", 8, 0, 150, 1}, {"all-reduce", 8, 151, std::nullopt, 0}}));
        // A boundary between sizes is rounded down.
        QCOMPARE(*rulesOf(tuningWith({200, 401}, {2, 1}, {1, 2}), 0).front().to, std::int64_t{300});
    }

    void theWinnerOfTheSizeBelowStaysWithinTheHysteresis() {
        const Tuning tuning = tuningWith({100, 200}, {10, 102}, {20, 100});
        QCOMPARE(rulesOf(tuning, 0.02).size(), std::size_t{1});
        QCOMPARE(rulesOf(tuning, 0.0199).size(), std::size_t{2});
    }

    void tunedTimesAreNeverAboveASingleSetting() {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> times(1, 100);
        for (int i = 0; i < 500; ++i) {
            std::vector<std::int64_t> sizes;
            std::vector<double> ring, tree;
            for (std::int64_t size = 1; size <= 1 << 12; size *= 2) {
                sizes.push_back(size);
                ring.push_back(times(random));
                tree.push_back(times(random));
            }
            const Tuning tuning = tuningWith(sizes, ring, tree);
            for (const double hysteresis : {0.0, 0.1}) {
                const std::vector<TunedRule> rules = rulesOf(tuning, hysteresis);
                for (std::size_t size = 0; size < sizes.size(); ++size) {
                    const auto setting = settingAt(rules, sizes[size]);
                    QVERIFY(setting.has_value());
                    QVERIFY(*tuning.cases[0].times[size][*setting] <=
                            (1 + hysteresis) * std::min(ring[size], tree[size]));
                }
                // Rules join without a gap.
                for (std::size_t rule = 1; rule < rules.size(); ++rule)
                    QCOMPARE(rules[rule].from, *rules[rule - 1].to + 1);
            }
        }
    }

    void aSettingWithoutATimeDoesNotCompete() {
        Tuning tuning = tuningWith({100, 200}, {10, 10}, {20, 20});
        tuning.cases[0].times[1][0].reset();
        const std::vector<TunedRule> rules = rulesOf(tuning, 0);
        QCOMPARE(rules.size(), std::size_t{2});
        QCOMPARE(rules[1].setting, std::size_t{1});
        tuning.cases[0].times[1][1].reset();
        QCOMPARE(rulesOf(tuning, 0).size(), std::size_t{1});
    }

    void aFormNamesOnlyWhatItsLibraryKnows() {
        const TunedSetting ring{{{"collective.algorithm", "ring"}}}, direct{{{"collective.algorithm", "direct"}}};
        const TunedSetting ringOnCus{{{"collective.algorithm", "ring"}, {"collective.cu_count", "8"}}};
        QVERIFY(canName(TuningForm::nccl, "all-reduce", ring));
        QVERIFY(!canName(TuningForm::nccl, "all-reduce", direct));
        QVERIFY(!canName(TuningForm::nccl, "all-to-all", ring));
        QVERIFY(canName(TuningForm::nccl, "all-reduce", ringOnCus));
        QVERIFY(!canName(TuningForm::ompiClassic, "all-reduce", ringOnCus));
        QVERIFY(canName(TuningForm::ompiClassic, "all-to-all", direct));
        QVERIFY(canName(TuningForm::table, "all-to-all", ringOnCus));
    }

    void theFileOfNcclIsReadBackToTheSameRules() {
        const Tuning tuning = tuningWith({65'536, 1'048'576, 67'108'864}, {30, 20, 10}, {10, 15, 30});
        const TuningText text = tuningText(tuning, 0, TuningForm::nccl);
        QVERIFY(text.problems.empty());
        // By the reader's rules: the first line that fits holds; ten cells; below 256 characters.
        std::vector<TunedRule> read;
        for (const std::string& line : linesOf(text.text)) {
            const std::vector<std::string> cells = cellsOf(line);
            QCOMPARE(cells.size(), std::size_t{10});
            QVERIFY(line.size() < 256);
            QCOMPARE(cells[0], std::string("allreduce"));
            QVERIFY(cells[3] == "ring" || cells[3] == "tree");
            QCOMPARE(cells[4] + cells[5] + cells[6] + cells[7], std::string("simple-118"));
            read.push_back({"all-reduce", 8, std::stoll(cells[1]), std::stoll(cells[2]), cells[3] == "ring" ? 0u : 1u});
        }
        const std::vector<TunedRule> rules = rulesOf(tuning, 0);
        QCOMPARE(read.size(), rules.size());
        for (const std::int64_t bytes : {0L, 65'536L, 33'554'432L, 34'078'720L, 34'078'721L, 1L << 33})
            QCOMPARE(settingAt(read, bytes), settingAt(rules, bytes));
    }

    void theFileOfOpenMpiIsReadBackToTheSameRules() {
        Tuning tuning = tuningWith({1'024, 65'536}, {30, 10}, {10, 30});
        tuning.settings[1].values[0].second = "halving-doubling";
        const TuningText text = tuningText(tuning, 0, TuningForm::ompiClassic);
        QVERIFY(text.problems.empty());
        std::string words;
        for (const std::string& line : linesOf(text.text))
            words += line.substr(0, line.find('#')) + " ";
        std::istringstream stream(words);
        std::vector<std::int64_t> numbers{std::istream_iterator<std::int64_t>(stream), {}};
        // One collective, all-reduce, for one number of ranks, with two rules: algorithm 6, then 4 (ring).
        QCOMPARE(numbers, (std::vector<std::int64_t>{1, 2, 1, 8, 2, 0, 6, 0, 0, 33'281, 4, 0, 0}));
    }

    void theJsonFileOfOpenMpiIsReadBackToTheSameRules() {
        Tuning tuning = tuningWith({1'024, 65'536}, {30, 10}, {10, 30});
        tuning.settings[1].values[0].second = "halving-doubling";
        tuning.cases.push_back(tuning.cases.front());
        tuning.cases.back().gpus = 16;
        tuning.cases.push_back(tuning.cases.front());
        tuning.cases.back().operation = "reduce-scatter";
        const TuningText text = tuningText(tuning, 0, TuningForm::ompi);
        QVERIFY(text.problems.empty());
        QVERIFY(text.comments.starts_with("# a machine, 8, 16 GPUs"));
        const auto file = nlohmann::json::parse(text.text);
        QCOMPARE(file.at("rule_file_version"), nlohmann::json(3));
        QCOMPARE(file.at("module"), nlohmann::json("tuned"));
        const auto& collectives = file.at("collectives");
        QCOMPARE(collectives.size(), std::size_t{2});
        QCOMPARE(collectives.at("reduce_scatter").at(0).at("rules").at(0).at("alg"), nlohmann::json(2));
        // By the reader's rules: the first communicator that fits, then the first rule that fits.
        const auto algorithmFor = [&](std::int64_t ranks, std::int64_t bytes) {
            for (const auto& one : collectives.at("allreduce")) {
                if (ranks < one.at("comm_size_min") || ranks > one.at("comm_size_max"))
                    continue;
                for (const auto& rule : one.at("rules"))
                    if (bytes >= rule.at("msg_size_min") &&
                        (rule.at("msg_size_max") == "inf" || bytes <= rule.at("msg_size_max")))
                        return rule.at("alg").get<int>();
            }
            return -1;
        };
        for (const std::int64_t ranks : {8, 16})
            for (const auto& [bytes, algorithm] : {std::pair{0L, 6}, {33'280L, 6}, {33'281L, 4}, {1L << 40, 4}})
                QCOMPARE(algorithmFor(ranks, bytes), algorithm);
        QCOMPARE(algorithmFor(4, 0), -1);
    }

    void whatAFormCannotNameIsTold() {
        Tuning tuning = tuningWith({100, 200}, {10, 10}, {20, 20});
        tuning.settings[0].values[0].second = "direct";
        const TuningText text = tuningText(tuning, 0, TuningForm::nccl);
        QVERIFY(text.text.find("# all-reduce, not in this form: collective.algorithm=direct") != std::string::npos);
        QCOMPARE(linesOf(text.text).size(), std::size_t{1});
        tuning.settings[1].values[0].second = "direct";
        QCOMPARE(tuningText(tuning, 0, TuningForm::nccl).problems.front().path, std::string("--format"));
        Tuning two = tuningWith({100}, {1}, {2});
        two.settings[1].values[0].second = "halving-doubling";
        two.cases.push_back(two.cases.front());
        two.cases.back().gpus = 16;
        QCOMPARE(tuningText(two, 0, TuningForm::ompiClassic).problems.front().path, std::string("parallel.tp"));
    }

    void sweepsThatCannotBeTunedAreRefused() {
        const auto problemOf = [](const SweepReading& reading) {
            const engine::Problems problems = tuningProblems(reading.sweep);
            return problems.empty() ? std::string() : engine::describe(problems.front());
        };
        QCOMPARE(problemOf(exampleOf("tune-a100.json")), std::string());
        QVERIFY(problemOf(exampleOf("sawtooth.json")).find("workload.bytes") != std::string::npos);
        SweepReading other = exampleOf("tune-a100.json");
        other.sweep.policies.push_back("t3");
        QVERIFY(problemOf(other).starts_with("policies"));
        other = exampleOf("tune-a100.json");
        other.sweep.axes.pop_back();
        QVERIFY(problemOf(other).find("no settings to choose from") != std::string::npos);
        other = exampleOf("tune-a100.json");
        other.sweep.base.explicitValues["workload.sublayer"] = std::string("fc-2");
        QVERIFY(problemOf(other).find("not a collective alone") != std::string::npos);
    }

    void theExampleIsTunedFromItsRuns() {
        Sweep sweep = exampleOf("tune-a100.json").sweep;
        const SweepPlan plan = planOf(sweep);
        Store store(":memory:");
        SweepOptions options;
        options.threads = 2;
        QCOMPARE(runSweep(plan, store, options).failed, std::size_t{0});
        const std::array<std::string, 1> wanted{"time_ps.total"};
        const Tuning tuning = tuningOf(SweepStore(store).table(plan.id, wanted));
        QCOMPARE(tuning.machine, std::string("nvidia-a100"));
        QCOMPARE(tuning.settings.size(), std::size_t{4});
        QCOMPARE(tuning.cases.size(), std::size_t{1});
        QCOMPARE(tuning.cases[0].sizes.size(), std::size_t{12});
        const std::vector<TunedRule> rules = rulesOf(tuning, 0.02);
        QVERIFY(!rules.empty() && rules.front().from == 0 && !rules.back().to);
        for (std::size_t size = 0; size < tuning.cases[0].sizes.size(); ++size) {
            const auto setting = settingAt(rules, tuning.cases[0].sizes[size]);
            for (const std::optional<double>& time : tuning.cases[0].times[size])
                QVERIFY(*tuning.cases[0].times[size][*setting] <= 1.02 * *time);
        }
    }
};

RINGSIDE_CORE_TEST(TestCollectiveTuning)
#include "tst_collective_tuning.moc"
