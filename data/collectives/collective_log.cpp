#include "data/collectives/collective_log.h"

#include "data/document/csv_reader.h"
#include "data/document/document_reader.h"
#include "data/document/problem_list.h"
#include "engine/api/letters.h"
#include "engine/api/parameters.h"
#include "engine/api/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace data {
namespace {

using engine::Bytes;
using engine::Duration;
using engine::SubLayer;

constexpr std::size_t kMostLogLines = 1'000'000;
constexpr std::int64_t kMostGpus = 1'000'000;
constexpr std::int64_t kLargestBuffer = std::int64_t{1} << 50;
constexpr double kLongestSeconds = 1000, kPicoseconds = 1e12;
constexpr const char* kOperations = "allowed: all-reduce, reduce-scatter, all-gather, all-to-all";

/// The words of benchmarks for an operation, in small letters.
struct OperationWords {
    SubLayer operation;
    std::string_view ncclTest, osuTitle, ncclTuner;
};
constexpr std::array kOperationWords{
    OperationWords{SubLayer::allReduce, "all_reduce_perf", "allreduce", "allreduce"},
    OperationWords{SubLayer::reduceScatter, "reduce_scatter_perf", "reduce_scatter", "reducescatter"},
    OperationWords{SubLayer::allGather, "all_gather_perf", "allgather", "allgather"},
    OperationWords{SubLayer::allToAll, "alltoall_perf", "alltoall", "alltoall"}};

std::string lower(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), engine::lowerLetter);
    return small;
}

std::optional<SubLayer> operationNamed(std::string_view word, std::string_view OperationWords::*column) {
    const std::string small = lower(word);
    const auto found = std::ranges::find_if(kOperationWords, [&](const auto& words) { return words.*column == small; });
    return found == kOperationWords.end() ? std::nullopt : std::optional(found->operation);
}

std::vector<std::string_view> wordsOf(std::string_view line) {
    constexpr std::string_view kBlanks = " \t\r";
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t begin = line.find_first_not_of(kBlanks);
        if (begin == std::string_view::npos)
            return words;
        const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        line.remove_prefix(end);
    }
}

std::optional<std::int64_t> wholeOf(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> realOf(std::string_view text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() && std::isfinite(value)
               ? std::optional(value)
               : std::nullopt;
}

/// Collects the times of one log.
class LogTimes {
public:
    LogTimes(const std::string& origin, const CollectiveLogOptions& options) : m_origin(origin), m_options(options) {}

    void report(std::size_t line, std::string value, std::string text) {
        report({m_origin + (line > 0 ? ":" + std::to_string(line) : ""), std::move(value), std::move(text)});
    }
    void report(engine::Problem problem) {
        if (!isFull())
            m_reading.problems.push_back(std::move(problem));
    }
    bool isFull() const { return m_reading.problems.size() >= kMostProblems; }

    /// Adds a time. Sizes of 0 bytes, with which benchmarks begin, are passed over.
    void add(std::size_t line, SubLayer operation, std::int64_t gpus, std::int64_t bytes, double seconds) {
        if (bytes == 0)
            return;
        if (bytes < 0 || bytes > kLargestBuffer)
            return report(line, std::to_string(bytes), "no size of a buffer; allowed: up to 1 PiB");
        if (!(seconds > 0) || seconds > kLongestSeconds)
            return report(line, engine::shortestText(seconds), "no time; allowed: above 0, at most 1000 s");
        const Duration time{std::max<std::int64_t>(1, std::llround(seconds * kPicoseconds))};
        m_reading.times.push_back({operation, gpus, {bytes}, time});
    }

    /// Returns the number of GPUs, or reports that nobody says it.
    std::optional<std::int64_t> gpusOr(std::optional<std::int64_t> ofLog) {
        const auto gpus = m_options.gpus ? m_options.gpus : ofLog;
        if (!gpus)
            report(0, "", "the log does not say how many GPUs took part; give it as --gpus N");
        return gpus;
    }
    std::optional<SubLayer> operationOr(std::optional<SubLayer> ofLog) {
        const auto operation = ofLog ? ofLog : m_options.operation;
        if (!operation)
            report(0, "",
                   std::string("the log does not name its collective; give it as --operation OP; ") + kOperations);
        return operation;
    }

    const CollectiveLogOptions& options() const { return m_options; }

    CollectiveLogReading take() {
        if (m_reading.problems.empty() && m_reading.times.empty())
            report(0, "", "no measured time in it");
        return std::move(m_reading);
    }

private:
    const std::string& m_origin;
    const CollectiveLogOptions& m_options;
    CollectiveLogReading m_reading;
};

/// Calls `take(number, line)` for each line, until it returns false.
template <class Take>
void forEachLine(std::string_view text, const Take& take) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!take(number, text.substr(0, end)))
            return;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Reads a log of nccl-tests. A line of times has size, count, type, redop, root; then time, algbw, busbw, #wrong, out of
/// place, and the same in place.
class NcclLog {
public:
    explicit NcclLog(LogTimes& into) : m_into(into) {}

    void read(std::string_view text) {
        forEachLine(text, [&](std::size_t number, std::string_view line) {
            const std::vector<std::string_view> words = wordsOf(line);
            if (words.empty())
                return true;
            if (words.front().starts_with('#'))
                readComment(number, words);
            else if (const auto size = wholeOf(words.front()); size && words.size() >= kLeastWords)
                m_lines.push_back({number, *size, {words.begin(), words.end()}});
            return !m_into.isFull() && number < kMostLogLines;
        });
        const auto operation = m_into.operationOr(m_test);
        if (!operation || m_into.isFull())
            return;
        const auto gpus = m_into.gpusOr(m_ranks > 0 ? std::optional(m_ranks) : std::nullopt);
        if (!gpus)
            return;
        for (const Line& line : m_lines)
            readTimes(line, *operation, *gpus);
    }

private:
    static constexpr std::size_t kFirst = 5, kOfPlace = 4, kLeastWords = kFirst + 3;

    struct Line {
        std::size_t number;
        std::int64_t size;
        std::vector<std::string_view> words;
    };

    void readComment(std::size_t number, const std::vector<std::string_view>& words) {
        if (words.size() >= 3 && words[0] == "#" && words[1] == "Rank")
            ++m_ranks;
        for (const std::string_view word : words) {
            const std::size_t slash = word.rfind('/');
            const auto test = operationNamed(slash == std::string_view::npos ? word : word.substr(slash + 1),
                                             &OperationWords::ncclTest);
            if (test && m_test && *test != *m_test)
                m_into.report(number, std::string(word), "a second test in one log; keep one log for each test");
            m_test = test ? test : m_test;
        }
        const bool isHeading = std::ranges::find(words, "redop") != words.end();
        if (isHeading && m_headings++ > 0 && !m_lines.empty())
            m_into.report(number, "", "a second table in one log; keep one log for each test");
    }

    void readTimes(const Line& line, SubLayer operation, std::int64_t gpus) {
        const std::size_t at = kFirst + (m_into.options().inPlace ? kOfPlace : 0);
        if (line.words.size() < at + 3)
            return m_into.report(line.number, "", "a line of times that ends too early");
        const auto time = realOf(line.words[at]), algorithm = realOf(line.words[at + 1]),
                   bus = realOf(line.words[at + 2]);
        if (!time || !algorithm || !bus)
            return m_into.report(line.number, std::string(line.words[at]),
                                 "no time in microseconds and two bandwidths");
        checkGpus(line, operation, gpus, *algorithm, *bus);
        m_into.add(line.number, operation, gpus, line.size, *time * 1e-6);
    }

    /// Logs print bandwidths with two digits after the point; the check waits for one that says enough.
    void checkGpus(const Line& line, SubLayer operation, std::int64_t gpus, double algorithm, double bus) {
        constexpr double kRounding = 0.006, kEnough = 1;
        if (algorithm < kEnough || m_isChecked)
            return;
        const double n = static_cast<double>(gpus);
        const double expected = (operation == SubLayer::allReduce ? 2 : 1) * (n - 1) / n;
        if (std::abs(bus - expected * algorithm) <= kRounding * (1 + expected))
            return;
        m_isChecked = true;
        m_into.report(line.number, engine::shortestText(bus),
                      "bus and algorithm bandwidth have the ratio " + engine::shortestText(bus / algorithm) +
                          ", that of " + std::to_string(gpus) + " GPUs is " + engine::shortestText(expected) +
                          "; another number of GPUs, or another operation?");
    }

    LogTimes& m_into;
    std::optional<SubLayer> m_test;
    std::int64_t m_ranks = 0;
    int m_headings = 0;
    std::vector<Line> m_lines;
    bool m_isChecked = false;
};

/// Reads a log of OSU's micro-benchmarks.
void readOsuLog(std::string_view text, LogTimes& into) {
    std::optional<SubLayer> operation;
    std::optional<std::int64_t> gpus;
    forEachLine(text, [&](std::size_t number, std::string_view line) {
        const std::vector<std::string_view> words = wordsOf(line);
        if (words.size() >= 4 && words[0] == "#" && words[1] == "OSU") {
            if (operation)
                into.report(number, std::string(words[3]), "a second test in one log; keep one log for each test");
            operation = operationNamed(words[3], &OperationWords::osuTitle);
            if (!operation)
                into.report(number, std::string(words[3]), std::string("another collective; ") + kOperations);
            else
                gpus = into.gpusOr(std::nullopt);
        } else if (words.size() >= 2 && operation && gpus) {
            const auto size = wholeOf(words[0]);
            const auto time = realOf(words[1]);
            const bool ofRank = *operation == SubLayer::allGather || *operation == SubLayer::allToAll;
            if (size && time && *size <= kLargestBuffer / *gpus)
                into.add(number, *operation, *gpus, ofRank ? *size * *gpus : *size, *time * 1e-6);
        }
        return !into.isFull() && number < kMostLogLines;
    });
}

/// Reads a CSV file.
class CollectiveCsv {
public:
    CollectiveCsv(std::string_view text, const std::string& origin, LogTimes& into) : m_into(into) {
        engine::Problems problems;
        m_table = readCsv(text, {origin, "operation,gpus,bytes,seconds"}, problems);
        for (engine::Problem& problem : problems)
            into.report(std::move(problem));
    }

    void read() {
        if (m_into.isFull() || m_table.heading.cells.empty())
            return;
        const bool ofTuner = m_table.columnNamed("latency_us").has_value();
        const std::array<const char*, 4> names = ofTuner ? std::array{"collective", "ranks", "size_bytes", "latency_us"}
                                                         : std::array{"operation", "gpus", "bytes", "seconds"};
        std::array<std::size_t, 4> columns{};
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto column = m_table.columnNamed(names[i]);
            if (!column)
                return m_into.report(1, "",
                                     std::string("the column ") + names[i] +
                                         " is missing; allowed: operation,gpus,bytes,seconds, or collective, "
                                         "size_bytes, ranks and latency_us");
            columns[i] = *column;
        }
        std::map<std::tuple<SubLayer, std::int64_t, std::int64_t>, std::pair<std::size_t, double>> fastest;
        for (const CsvLine& line : m_table.rows) {
            const auto operation = ofTuner ? operationNamed(line.cells[columns[0]], &OperationWords::ncclTuner)
                                           : engine::sublayerNamed(line.cells[columns[0]]);
            const auto gpus = wholeOf(line.cells[columns[1]]), bytes = wholeOf(line.cells[columns[2]]);
            const auto time = realOf(line.cells[columns[3]]);
            if (ofTuner && !operation)
                continue;  // a broadcast or a reduction, which a model does not have
            if (!operation || !engine::isCollectiveAlone(*operation)) {
                m_into.report(line.number, line.cells[columns[0]], std::string("no collective; ") + kOperations);
            } else if (!gpus || *gpus < 2 || *gpus > kMostGpus || !bytes || !time) {
                m_into.report(line.number, "", "not a number of GPUs from 2, whole bytes and a time");
            } else {
                const double seconds = ofTuner ? *time * 1e-6 : *time;
                const auto [place, isNew] =
                    fastest.try_emplace({*operation, *gpus, *bytes}, std::pair(line.number, seconds));
                if (!isNew && !ofTuner)
                    m_into.report(line.number, line.cells[columns[2]], "this size is measured twice");
                if (seconds < place->second.second)
                    place->second = {line.number, seconds};
            }
        }
        for (const auto& [what, time] : fastest)
            m_into.add(time.first, std::get<0>(what), std::get<1>(what), std::get<2>(what), time.second);
    }

private:
    LogTimes& m_into;
    CsvTable m_table;
};

/// "21.4us": the shortest text that reads back as the same time.
std::string timeText(Duration time) {
    constexpr std::int64_t kMicrosecond = 1'000'000;
    return engine::exactQuotient(time.ps, kMicrosecond, 6).value_or(std::to_string(time.ps)) + "us";
}

}  // namespace

CollectiveLogReading readCollectiveLog(std::string_view text, const std::string& origin,
                                       const CollectiveLogOptions& options) {
    LogTimes times(origin, options);
    if (text.find("# OSU ") != std::string_view::npos)
        readOsuLog(text, times);
    else if (text.find("redop") != std::string_view::npos || text.find("nccl-tests") != std::string_view::npos)
        NcclLog(times).read(text);
    else
        CollectiveCsv(text, origin, times).read();
    return times.take();
}

CollectiveLogReading readCollectiveLogFile(const std::string& path, const CollectiveLogOptions& options) {
    CollectiveLogReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readCollectiveLog(text, path == "-" ? "standard input" : path, options) : reading;
}

std::string measuredLines(const std::vector<CollectiveTime>& times, engine::Problems& problems) {
    struct OneCase {
        SubLayer operation;
        std::int64_t gpus;
        std::map<Bytes, Duration> times;
    };
    std::vector<OneCase> cases;
    for (const CollectiveTime& each : times) {
        auto found = std::ranges::find_if(
            cases, [&](const OneCase& one) { return one.operation == each.operation && one.gpus == each.gpus; });
        if (found == cases.end())
            found = cases.insert(cases.end(), {each.operation, each.gpus, {}});
        const auto [place, isNew] = found->times.emplace(each.bytes, each.time);
        if (!isNew && place->second != each.time && problems.size() < kMostProblems)
            problems.push_back(
                {std::string(engine::name(each.operation)), std::to_string(each.bytes.count),
                 "this size has two times on " + std::to_string(each.gpus) + " GPUs; keep the log of one measurement"});
    }
    std::string text;
    for (const OneCase& one : cases) {
        text += std::string(engine::name(one.operation)) + " " + std::to_string(one.gpus) + ": measured";
        for (const auto& [bytes, time] : one.times)
            text += " " + std::to_string(bytes.count) + "=" + timeText(time);
        text += "\n";
    }
    return text;
}

}  // namespace data
