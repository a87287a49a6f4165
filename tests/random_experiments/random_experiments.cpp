// Verifies experiments that are not written by hand: random ones, random ones that change each pair of parameters
// together, or all 2,744 combinations of topology, operation, algorithm, policy and unusual machines.
//
//   random_experiments [--pairs | --combinations] [--seed N] [--from N] [--count N] [--threads N] [--journal FILE]
//                      [--shrink N] [--record FOLDER]
//
// Each alarm (a check that does not hold, an exception, a deadlock that is not documented) is printed with its seed and
// number. For the first three of each kind (--shrink) it also prints a command with the smallest experiment that still
// gives the alarm. With a journal a stopped series continues where it was. With a record, experiments that held with the
// same sources of the engine and of its experiments and the same compiler are not verified again, except for one in eight,
// another eighth each time. Exit code 1 after any alarm, 2 for wrong arguments.

#include "engine/api/runner.h"
#include "tests/golden/combinations.h"
#include "tests/random_experiments/crash_note.h"
#include "tests/random_experiments/journal.h"
#include "tests/random_experiments/pair_cover.h"
#include "tests/random_experiments/random_experiment.h"
#include "tests/random_experiments/trial.h"
#include "tests/source_hash.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

struct Arguments {
    bool combinations = false;
    bool pairs = false;
    std::uint64_t seed = 1;
    std::uint64_t from = 0;
    std::uint64_t count = 200;
    bool isCountGiven = false;
    std::uint64_t threads = 2;
    std::uint64_t shrink = 3;  // alarms of each kind; shrinking one takes dozens of trials
    std::string journal;
    std::string record;  ///< a folder
};

/// The experiments of a series, by number.
struct Series {
    std::string name;  ///< one word
    std::uint64_t end = 0;
    std::function<engine::Experiment(std::uint64_t)> experiment;
    std::function<std::string(std::uint64_t)> title;
};

std::uint64_t numberIn(std::string_view option, std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::runtime_error(std::string(option) + ": not a number: " + std::string(text));
    return number;
}

Arguments argumentsOf(const std::vector<std::string_view>& words) {
    Arguments arguments;
    const std::map<std::string_view, std::uint64_t*> numbers{{"--seed", &arguments.seed},
                                                             {"--from", &arguments.from},
                                                             {"--count", &arguments.count},
                                                             {"--threads", &arguments.threads},
                                                             {"--shrink", &arguments.shrink}};
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--combinations") {
            arguments.combinations = true;
            continue;
        }
        if (words[i] == "--pairs") {
            arguments.pairs = true;
            continue;
        }
        const auto number = numbers.find(words[i]);
        const bool isPath = words[i] == "--journal" || words[i] == "--record";
        if ((number == numbers.end() && !isPath) || i + 1 == words.size())
            throw std::runtime_error(std::string(words[i]) + ": unknown option, or its value is missing");
        arguments.isCountGiven |= words[i] == "--count";
        ++i;
        if (isPath)
            (words[i - 1] == "--journal" ? arguments.journal : arguments.record) = words[i];
        else
            *number->second = numberIn(number->first, words[i]);
    }
    arguments.threads = std::clamp<std::uint64_t>(arguments.threads, 1, tests::kMostAtWork);
    return arguments;
}

Series seriesOfPairs(const Arguments& arguments) {
    const std::uint64_t seed = arguments.seed;
    const auto cover = std::make_shared<const tests::PairCover>(tests::coverOfPairs(seed));
    const std::uint64_t all = cover->experiments.size();
    std::cout << cover->covered << " of " << cover->pairs << " pairs of parameters in " << all << " experiments\n";
    Series series;
    series.name = "pairs-" + std::to_string(seed);
    series.end = arguments.isCountGiven ? std::min(arguments.from + arguments.count, all) : all;
    series.experiment = [cover](std::uint64_t index) { return cover->experiments.at(index).experiment; };
    series.title = [seed](std::uint64_t index) {
        return "--pairs --seed " + std::to_string(seed) + " --from " + std::to_string(index) + " --count 1";
    };
    return series;
}

Series seriesOf(const Arguments& arguments) {
    if (arguments.pairs)
        return seriesOfPairs(arguments);
    Series series;
    if (!arguments.combinations) {
        const std::uint64_t seed = arguments.seed;
        series.name = "seed-" + std::to_string(seed);
        series.end = arguments.from + arguments.count;
        series.experiment = [seed](std::uint64_t index) { return tests::randomExperiment(seed, index); };
        series.title = [seed](std::uint64_t index) {
            return "--seed " + std::to_string(seed) + " --from " + std::to_string(index) + " --count 1";
        };
        return series;
    }
    static const std::vector<tests::Combination> kAll = tests::allCombinations();
    series.name = "combinations";
    series.end =
        arguments.isCountGiven ? std::min<std::uint64_t>(arguments.from + arguments.count, kAll.size()) : kAll.size();
    series.experiment = [](std::uint64_t index) { return kAll.at(index).experiment; };
    series.title = [](std::uint64_t index) {
        return "--combinations --from " + std::to_string(index) + " --count 1 (" + kAll.at(index).name + ")";
    };
    return series;
}

/// The shared state of all threads: they take the next number from here, and print one at a time.
class Trials {
public:
    Trials(const Series& series, tests::Journal& journal, const Arguments& arguments)
        : m_series(series), m_journal(journal), m_shrink(arguments.shrink), m_next(arguments.from) {}

    void work(std::size_t place) {
        for (std::uint64_t index = m_next++; index < m_series.end; index = m_next++) {
            if (m_journal.has(index))
                continue;
            tests::noteAtWork(place, index);
            tryOne(index);
            tests::noteIdle(place);
        }
    }

    /// Prints a summary. Returns true if there was no alarm.
    bool report(std::uint64_t from) const {
        std::cout << (m_series.end > from ? m_series.end - from : 0) << " experiments of " << m_series.name << ", "
                  << m_journal.size() << " of the series were in the journal, " << m_tried << " verified, " << m_alarmed
                  << " gave an alarm\n";
        for (const auto& [kind, many] : m_kinds)
            std::cout << "  " << many << " x " << kind << "\n";
        return m_alarmed == 0;
    }

private:
    void tryOne(std::uint64_t index) {
        const engine::Experiment experiment = m_series.experiment(index);
        const std::vector<tests::Alarm> alarms = tests::alarmsOf(experiment);
        std::map<std::string, const tests::Alarm*> kinds;
        for (const tests::Alarm& alarm : alarms)
            kinds.emplace(alarm.kind, &alarm);
        for (const auto& [kind, alarm] : kinds)
            report(index, *alarm, experiment);
        const std::lock_guard lock(m_speaking);
        ++m_tried;
        m_alarmed += alarms.empty() ? 0 : 1;
        m_journal.add(index, alarms.empty());
    }

    void report(std::uint64_t index, const tests::Alarm& alarm, const engine::Experiment& experiment) {
        bool isShrunk = false;
        {
            const std::lock_guard lock(m_speaking);
            isShrunk = m_kinds[alarm.kind]++ < m_shrink;
        }
        const auto sameKind = [&](const engine::Experiment& candidate) {
            const std::vector<tests::Alarm> alarms = tests::alarmsOf(candidate);
            return std::any_of(alarms.begin(), alarms.end(),
                               [&](const tests::Alarm& other) { return other.kind == alarm.kind; });
        };
        const std::string command = tests::verifyCommand(isShrunk ? tests::shrunk(experiment, sameKind) : experiment);
        const std::lock_guard lock(m_speaking);
        std::cout << "ALARM " << m_series.title(index) << "\n  " << alarm.kind << "\n  " << alarm.evidence << "\n  "
                  << (isShrunk ? "smallest: " : "as it is: ") << command << std::endl;
    }

    const Series& m_series;
    tests::Journal& m_journal;
    std::uint64_t m_shrink;
    std::atomic<std::uint64_t> m_next;
    std::mutex m_speaking;
    std::uint64_t m_tried = 0;
    std::uint64_t m_alarmed = 0;
    std::map<std::string, std::uint64_t> m_kinds;
};

tests::Journal journalOf(const Arguments& arguments, const std::string& series) {
    const std::string engine(engine::engineVersion());
    if (arguments.record.empty())
        return {arguments.journal, engine, series};
    std::filesystem::create_directories(arguments.record);
    const std::string hash =
        tests::sourceHash({"engine", "data/presets", "data/experiment", "tests/golden", "tests/random_experiments"});
    return {arguments.record + "/" + series + ".journal", engine + "-" + hash, series, tests::Journal::Use::rotates};
}

int runTrials(const Arguments& arguments) {
    const Series series = seriesOf(arguments);
    tests::Journal journal = journalOf(arguments, series.name);
    tests::reportWhereACrashWas();
    Trials trials(series, journal, arguments);
    {
        std::vector<std::jthread> threads;
        for (std::size_t place = 0; place < arguments.threads; ++place)
            threads.emplace_back([&trials, place] { trials.work(place); });
    }
    return trials.report(arguments.from) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return runTrials(argumentsOf({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        std::cerr << "random_experiments: " << error.what() << "\n";
        return 2;
    }
}
