// Rewrites the golden transcripts: exact totals and numbers of events of many experiments (tests/golden/*.txt).
//
//   write_transcripts [--same-version]
//
// If times or events differ although the engine still has the version of a transcript, it writes nothing and exits with
// 1: stores would mix runs that cannot be compared. Raise engineVersion() first. --same-version writes nevertheless,
// for a version that nobody has used yet.

#include "engine/api/runner.h"
#include "tests/golden/combinations.h"
#include "tests/golden/golden_runs.h"
#include "tests/golden/transcript.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace {

constexpr std::size_t kShown = 10;

std::filesystem::path pathOf(std::string_view file) { return std::filesystem::path(RINGSIDE_GOLDEN) / file; }

/// Returns true if a transcript must not be rewritten, and prints the reason.
bool staysAsItIs(const tests::Transcript& found, std::string_view file) {
    if (!std::filesystem::exists(pathOf(file)))
        return false;
    const auto reasons = tests::whyNotWritten(tests::keptTranscript(RINGSIDE_GOLDEN, file), found);
    for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i)
        std::cerr << reasons[i] << "\n";
    if (!reasons.empty())
        std::cerr << pathOf(file).string() << ": not written, " << reasons.size()
                  << " experiments differ and the engine's version is still " << found.engine
                  << "; raise engineVersion() first, or give --same-version if nobody has used this version yet\n";
    return !reasons.empty();
}

void write(const tests::Transcript& transcript, std::string_view file) {
    std::ofstream stream(pathOf(file), std::ios::binary | std::ios::trunc);
    stream << tests::textOf(transcript);
    if (!stream.flush())
        throw std::runtime_error(pathOf(file).string() + ": cannot be written");
    std::cout << pathOf(file).string() << ": " << transcript.lines.size() << " experiments of engine "
              << transcript.engine << "\n";
}

int writeAll(bool evenOfTheSameVersion) {
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const tests::Transcript experiments = tests::transcriptOf(tests::goldenRuns(), threads);
    const tests::Transcript combinations = tests::transcriptOf(tests::allCombinations(), threads);
    const bool first = staysAsItIs(experiments, tests::kExperimentsFile);
    const bool second = staysAsItIs(combinations, tests::kCombinationsFile);
    if ((first || second) && !evenOfTheSameVersion)
        return 1;
    write(experiments, tests::kExperimentsFile);
    write(combinations, tests::kCombinationsFile);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view option = argc > 1 ? argv[1] : "";
    if (argc > 2 || (argc == 2 && option != "--same-version")) {
        std::cerr << "usage: write_transcripts [--same-version]\n";
        return 2;
    }
    try {
        return writeAll(option == "--same-version");
    } catch (const std::exception& error) {
        std::cerr << "write_transcripts: " << error.what() << "\n";
        return 2;
    }
}
