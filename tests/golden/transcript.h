#pragma once

#include "engine/api/experiment.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// The exact result of one experiment.
struct TranscriptLine {
    std::string hash;  ///< hash of the experiment
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

/// Reads a transcript that textOf wrote. For other text, throws std::runtime_error that names the line.
Transcript readTranscript(std::string_view text);

/// Runs all experiments on this many threads. Returns their results with this engine's version.
/// Throws std::runtime_error that names the experiment that failed.
template <typename Named>
Transcript transcriptOf(const std::vector<Named>& all, int threads);

/// Returns the differences, a sentence for each experiment, and what to do about them; empty if there are none.
/// `command` is the command that rewrites the transcript.
std::vector<std::string> differences(const Transcript& kept, const Transcript& found, std::string_view command);

/// Returns why `found` must not replace `kept`: both have the same version of the engine, but differ in the time or the
/// events of an experiment. Empty if it may.
std::vector<std::string> whyNotWritten(const Transcript& kept, const Transcript& found);

/// The files of the transcripts in tests/golden, and the command that writes them.
inline constexpr char kExperimentsFile[] = "experiments.txt";
inline constexpr char kCombinationsFile[] = "combinations.txt";
inline constexpr char kWriteCommand[] =
    "cmake --build --preset release --target write_transcripts && build/release/tests/bin/write_transcripts";

/// Reads the transcript in a file of tests/golden. Throws std::runtime_error that names the file.
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
