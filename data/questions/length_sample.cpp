#include "data/questions/length_sample.h"

#include "data/document/csv_reader.h"
#include "data/document/document_reader.h"
#include "data/document/names.h"
#include "data/model/model_point.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace data {
namespace {

constexpr std::int64_t kMostIterations = 1'000'000'000;  // of one line

std::optional<std::int64_t> wholeCell(const std::string& cell) {
    std::int64_t value = 0;
    const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return read.ec == std::errc() && read.ptr == cell.data() + cell.size() ? std::optional(value) : std::nullopt;
}

engine::Experiment withLength(engine::Experiment model, std::int64_t length) {
    model.workload.sequence = length;
    return model;
}

ModelRunOptions sequentialOptions() {
    ModelRunOptions options;
    options.policies = {engine::PolicyPreset::sequential};
    return options;
}

double picoseconds(engine::Duration time) { return static_cast<double>(time.ps); }
double real(std::int64_t count) { return static_cast<double>(count); }

}  // namespace

LengthReading readLengths(std::string_view text, const std::string& origin) {
    LengthReading reading;
    const CsvTable table = readCsv(text, {origin, "length,count", kMostLengthLines}, reading.problems);
    if (!reading.problems.empty())
        return reading;
    const auto length = table.columnNamed("length"), count = table.columnNamed("count");
    for (const std::string& column : table.heading.cells)
        if (column != "length" && column != "count")
            reading.problems.push_back(
                {table.placeOf(table.heading), column, "no such column; allowed: length, count"});
    if (!length && reading.problems.empty())
        reading.problems.push_back(
            {table.placeOf(table.heading), "", "the column length is missing; allowed: length, or length,count"});
    if (!reading.problems.empty())
        return reading;
    const auto longest = static_cast<std::int64_t>(engine::findParameter("workload.sequence")->maximum);
    std::map<std::int64_t, std::size_t> places;
    for (const CsvLine& row : table.rows) {
        const auto inRange = [&](std::size_t column, std::int64_t most) -> std::optional<std::int64_t> {
            const auto value = wholeCell(row.cells[column]);
            if (value && *value >= 1 && *value <= most)
                return value;
            if (reading.problems.size() < kMostProblems)
                reading.problems.push_back({table.placeOf(row, column), shownCell(row.cells[column]),
                                            "allowed: a whole number, 1 to " + std::to_string(most)});
            return std::nullopt;
        };
        const auto of = inRange(*length, longest);
        const auto times = count ? inRange(*count, kMostIterations) : std::optional<std::int64_t>(1);
        if (!of || !times)
            continue;
        const auto [place, isNew] = places.emplace(*of, reading.lengths.size());
        if (isNew)
            reading.lengths.push_back({*of, *times});
        else
            reading.lengths[place->second].count += *times;
    }
    if (reading.lengths.empty() && reading.problems.empty())
        reading.problems.push_back({origin, "no lengths", "at least one is expected"});
    return reading;
}

LengthReading readLengthFile(const std::string& path) {
    LengthReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readLengths(text, path == "-" ? "standard input" : path) : reading;
}

engine::Problems lengthProblems(const engine::Experiment& model, const std::vector<LengthCount>& lengths) {
    engine::Problems problems;
    for (const LengthCount& each : lengths) {
        for (engine::Problem& problem : modelRunProblems(withLength(model, each.length), sequentialOptions()))
            addOnce(problems, std::move(problem));
        if (problems.size() >= kMostProblems)
            break;
    }
    return problems;
}

LengthTimes timesOfLengths(const engine::Experiment& model, const std::vector<LengthCount>& lengths,
                           const LengthTimesOptions& options) {
    LengthTimes timed;
    ModelRunOptions each = sequentialOptions();
    each.threads = options.threads;
    each.stop = options.stop;
    each.memory = options.memory;
    each.progress = [&](double done) {
        if (options.progress)
            options.progress((real(static_cast<std::int64_t>(timed.times.size())) + done) /
                             real(static_cast<std::int64_t>(lengths.size())));
    };
    engine::Experiment sequential = model;
    engine::applyPolicyPreset(sequential, engine::PolicyPreset::sequential);
    for (const LengthCount& length : lengths) {
        const ModelPointRun run = modelPointOf(withLength(sequential, length.length), ResultSubject::training, each);
        timed.broken.add(run.broken);
        timed.times.push_back({length, stepTimeOf(run.point).value().total()});
    }
    return timed;
}

double epochOf(const std::vector<TimedLength>& lengths) {
    double sum = 0;
    for (const TimedLength& each : lengths)
        sum += real(each.length.count) * picoseconds(each.time);
    return sum;
}

LengthSample sampleOf(const std::vector<TimedLength>& lengths, double error, std::size_t bins) {
    std::vector<TimedLength> sorted = lengths;
    std::ranges::sort(sorted, {}, [](const TimedLength& each) { return each.length.length; });
    LengthSample sample;
    sample.total = epochOf(sorted);
    if (sorted.size() <= kFewLengths) {
        for (const TimedLength& each : sorted)
            sample.chosen.push_back({each.length.length, each.length.count, each.time});
        sample.projected = sample.total;
        return sample;
    }
    const std::int64_t shortest = sorted.front().length.length;
    const std::int64_t width = sorted.back().length.length - shortest + 1;
    for (std::size_t count = bins;; ++count) {
        sample.bins = std::min(count, static_cast<std::size_t>(width));
        sample.chosen.clear();
        sample.projected = 0;
        for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
            const auto binOf = [&](std::size_t place) {
                return (sorted[place].length.length - shortest) * static_cast<std::int64_t>(sample.bins) / width;
            };
            double sum = 0;
            std::int64_t weight = 0;
            for (end = begin; end < sorted.size() && binOf(end) == binOf(begin); ++end) {
                sum += real(sorted[end].length.count) * picoseconds(sorted[end].time);
                weight += sorted[end].length.count;
            }
            const double mean = sum / real(weight);
            const auto nearest = std::ranges::min_element(
                sorted.begin() + static_cast<std::ptrdiff_t>(begin), sorted.begin() + static_cast<std::ptrdiff_t>(end),
                {}, [&](const TimedLength& each) { return std::abs(picoseconds(each.time) - mean); });
            sample.chosen.push_back({nearest->length.length, weight, nearest->time});
            sample.projected += real(weight) * picoseconds(nearest->time);
        }
        // In bins of one length each, the projection is exact.
        if (std::abs(sample.error()) <= error || sample.bins == static_cast<std::size_t>(width))
            return sample;
    }
}

double projectedWith(const LengthSample& sample, const std::vector<TimedLength>& times) {
    double sum = 0;
    for (const ChosenLength& chosen : sample.chosen) {
        const auto found =
            std::ranges::find(times, chosen.length, [](const TimedLength& each) { return each.length.length; });
        sum += real(chosen.weight) * picoseconds(found->time);
    }
    return sum;
}

std::vector<LoneLength> loneLengths(const std::vector<TimedLength>& lengths) {
    const double total = epochOf(lengths);
    std::int64_t iterations = 0;
    for (const TimedLength& each : lengths)
        iterations += each.length.count;
    std::vector<TimedLength> sorted = lengths;
    std::ranges::sort(sorted, {}, [](const TimedLength& each) { return each.length.length; });
    const TimedLength* median = &sorted.front();
    for (std::int64_t before = 0; const TimedLength& each : sorted) {
        before += each.length.count;
        median = &each;
        if (2 * before >= iterations)
            break;
    }
    const auto frequent =
        std::ranges::max_element(lengths, {}, [](const TimedLength& each) { return each.length.count; });
    const auto alone = [&](const char* name, const TimedLength& each) {
        return LoneLength{name, each.length.length, real(iterations) * picoseconds(each.time) / total - 1};
    };
    return {alone("most frequent", *frequent), alone("median", *median), alone("longest", sorted.back()),
            alone("first", lengths.front())};
}

}  // namespace data
