// Gives any bytes to the reader of sequence lengths. It must return a list of problems, or lengths of which few can stand
// for all.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_reader.h"
#include "data/questions/length_sample.h"
#include "tests/fuzz/checks.h"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fuzz::lengths {

RINGSIDE_FUZZ_TARGET(fuzz_lengths)(const std::uint8_t* bytes, std::size_t size) {
    const data::LengthReading reading =
        data::readLengths(std::string_view(reinterpret_cast<const char*>(bytes), size), "input");
    require(reading.problems.size() <= data::kMostProblems, "problems are not too many", "");
    checkMessages(reading.problems);
    if (!reading.problems.empty())
        return 0;
    std::vector<data::TimedLength> times;
    std::int64_t iterations = 0;
    for (const data::LengthCount& length : reading.lengths) {
        require(length.length >= 1 && length.count >= 1, "lengths and counts are positive", "");
        times.push_back({length, {1'000 + length.length}});
        iterations += length.count;
    }
    constexpr double kError = 0.01;
    const data::LengthSample sample = data::sampleOf(times, kError, 5);
    std::int64_t weights = 0;
    for (const data::ChosenLength& chosen : sample.chosen)
        weights += chosen.weight;
    require(weights == iterations, "weights are all iterations", "");
    require(std::abs(sample.error()) <= kError, "the error is within what was asked", "");
    return 0;
}

}  // namespace fuzz::lengths
