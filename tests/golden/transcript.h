#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// What one experiment came to, exactly.
struct TranscriptLine {
    std::string hash;  ///< of the experiment
    std::int64_t totalPs = 0;
    std::int64_t events = 0;
    std::string name;
    bool operator==(const TranscriptLine&) const = default;
};

/// Exact outcomes of many experiments under one version of the engine. As text: "engine 0.2.0", then a line
/// "HASH TOTAL_PS EVENTS NAME" for each.
struct Transcript {
    std::string engine;
    std::vector<TranscriptLine> lines;
    bool operator==(const Transcript&) const = default;
};

std::string textOf(const Transcript& transcript);

/// Throws std::runtime_error that names the line for text that textOf did not write.
Transcript readTranscript(std::string_view text);

/// Runs all of these on so many threads and writes down what they came to, under this engine's version.
/// Throws std::runtime_error that names the experiment that failed.
template <typename Named>
Transcript transcriptOf(const std::vector<Named>& all, int threads);

/// What is different, a sentence for each experiment, and what is to be done about it; empty when nothing is.
/// `command` writes the transcript anew.
std::vector<std::string> differences(const Transcript& kept, const Transcript& found, std::string_view command);

/// Why `found` must not take the place of `kept`: both are of the same version of the engine and disagree about the
/// time or the events of an experiment. Empty where it may.
std::vector<std::string> whyNotWritten(const Transcript& kept, const Transcript& found);

/// Where the transcripts lie, and what writes them.
inline constexpr char kExperimentsFile[] = "experiments.txt";
inline constexpr char kCombinationsFile[] = "combinations.txt";
inline constexpr char kWriteCommand[] =
    "cmake --build --preset release --target write_transcripts && build/release/tests/bin/write_transcripts";

/// The transcript in a file of tests/golden. Throws std::runtime_error that names the file.
Transcript keptTranscript(const std::string& folder, std::string_view file);

namespace detail {
struct NamedExperiment {
    const std::string* name;
    const engine::Experiment* experiment;
};
Transcript transcriptOf(std::span<const NamedExperiment> all, int threads);
}  // namespace detail

template <typename Named>
Transcript transcriptOf(const std::vector<Named>& all, int threads) {
    std::vector<detail::NamedExperiment> named;
    named.reserve(all.size());
    for (const Named& one : all)
        named.push_back({&one.name, &one.experiment});
    return detail::transcriptOf(named, threads);
}

}  // namespace tests
