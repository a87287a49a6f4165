#pragma once

#include "data/laboratory/broken_invariants.h"
#include "data/model/model_memory.h"
#include "engine/api/experiment.h"
#include "engine/api/problem.h"
#include "engine/api/units.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The question "Which few sequence lengths stand for an epoch?" (SeqPoint, arXiv 2007.10459).

/// A sequence length, and the iterations of an epoch that have it.
struct LengthCount {
    std::int64_t length = 0, count = 1;
    bool operator==(const LengthCount&) const = default;
};

inline constexpr std::size_t kMostLengthLines = 1'000'000;

struct LengthReading {
    std::vector<LengthCount> lengths;  ///< each length once, in the order in which they come first
    engine::Problems problems;
};

/// Reads a CSV text with the columns `length` and, if a line stands for several iterations, `count`.
LengthReading readLengths(std::string_view text, const std::string& origin);
/// Reads a file; "-" is standard input.
LengthReading readLengthFile(const std::string& path);

/// A length with the time of one iteration.
struct TimedLength {
    LengthCount length;
    engine::Duration time;
};

/// How a training step with each of some lengths (workload.sequence) is timed.
struct LengthTimesOptions {
    int threads = 1;
    std::stop_token stop{};
    std::function<void(double)> progress{};  ///< fraction done, rising, on the calling thread
    std::shared_ptr<ModelMemory> memory = std::make_shared<ModelMemory>();
};

/// Returns the problems of the model with any of these lengths, each once.
engine::Problems lengthProblems(const engine::Experiment& model, const std::vector<LengthCount>& lengths);
/// The times of all lengths, with the runs that broke an invariant.
struct LengthTimes {
    std::vector<TimedLength> times;
    BrokenInvariants broken;
};

/// Times one training step under `sequential` with each length. Throws as modelPointOf does. Precondition:
/// lengthProblems is empty.
LengthTimes timesOfLengths(const engine::Experiment& model, const std::vector<LengthCount>& lengths,
                           const LengthTimesOptions& options);

/// A length that stands for `weight` iterations.
struct ChosenLength {
    std::int64_t length = 0, weight = 0;
    engine::Duration time;
    bool operator==(const ChosenLength&) const = default;
};

/// Few lengths that stand for all.
struct LengthSample {
    std::vector<ChosenLength> chosen;  ///< rising
    std::size_t bins = 0;             ///< of equal width between the shortest and the longest length; 0: all are chosen
    double total = 0, projected = 0;  ///< of the epoch, in picoseconds: from all lengths, from the chosen ones

    double error() const { return projected / total - 1; }
};

/// With this many lengths or fewer, all are chosen.
inline constexpr std::size_t kFewLengths = 10;

/// Divides the lengths into bins of equal width and chooses in each the length whose time is nearest to the mean of the
/// bin's iterations. Begins with `bins` and takes more until the projected time of the epoch is within `error`, a share.
/// Precondition: there are lengths, all with a time; bins is at least 1.
LengthSample sampleOf(const std::vector<TimedLength>& lengths, double error, std::size_t bins);

/// Returns the epoch that the chosen lengths project with other times, such as those on another machine: `times` has
/// every chosen length.
double projectedWith(const LengthSample& sample, const std::vector<TimedLength>& times);
/// Returns the time of the epoch, in picoseconds.
double epochOf(const std::vector<TimedLength>& lengths);

/// One length that stands for all iterations, as a comparison.
struct LoneLength {
    const char* name = "";  ///< "most frequent"
    std::int64_t length = 0;
    double error = 0;  ///< of the projected epoch, a share
};

/// Returns the most frequent, the median, the longest and the first length. Precondition: as sampleOf.
std::vector<LoneLength> loneLengths(const std::vector<TimedLength>& lengths);

}  // namespace data
