#include "tests/golden/transcript.h"

#include "data/experiment/experiment_document.h"
#include "engine/api/runner.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace tests {

namespace {

constexpr std::string_view kHead = "engine ";
constexpr std::size_t kHashDigits = 64;

std::string outcomeText(const TranscriptLine& line) {
    return std::to_string(line.totalPs) + " ps in " + std::to_string(line.events) + " events";
}

bool sameTiming(const TranscriptLine& a, const TranscriptLine& b) {
    return a.totalPs == b.totalPs && a.events == b.events;
}

TranscriptLine readLine(const std::string& text, std::size_t number) {
    std::istringstream stream(text);
    TranscriptLine line;
    stream >> line.hash >> line.totalPs >> line.events >> std::ws;
    if (!std::getline(stream, line.name) || line.hash.size() != kHashDigits)
        throw std::runtime_error("line " + std::to_string(number) + " is not HASH TOTAL_PS EVENTS NAME: " + text);
    return line;
}

std::map<std::string, const TranscriptLine*> byName(const Transcript& transcript) {
    std::map<std::string, const TranscriptLine*> lines;
    for (const TranscriptLine& line : transcript.lines)
        lines.emplace(line.name, &line);
    return lines;
}

/// Returns a description of the differences of one experiment; empty if there are none.
std::string difference(const TranscriptLine& kept, const TranscriptLine& found) {
    if (!sameTiming(kept, found))
        return found.name + ": took " + outcomeText(kept) + ", now takes " + outcomeText(found);
    if (kept.hash != found.hash)
        return found.name + ": has another hash, " + found.hash + " instead of " + kept.hash;
    return {};
}

void addMissing(const Transcript& some, const Transcript& others, const char* what,
                std::vector<std::string>& sentences) {
    const auto known = byName(others);
    for (const TranscriptLine& line : some.lines) {
        if (!known.contains(line.name))
            sentences.push_back(line.name + ": " + what);
    }
}

}  // namespace

std::string textOf(const Transcript& transcript) {
    std::string text = std::string(kHead) + transcript.engine + "\n";
    for (const TranscriptLine& line : transcript.lines)
        text +=
            line.hash + " " + std::to_string(line.totalPs) + " " + std::to_string(line.events) + " " + line.name + "\n";
    return text;
}

Transcript readTranscript(std::string_view text) {
    std::istringstream stream{std::string(text)};
    Transcript transcript;
    std::string line;
    if (!std::getline(stream, line) || !line.starts_with(kHead))
        throw std::runtime_error("line 1 is not \"engine VERSION\"");
    transcript.engine = line.substr(kHead.size());
    for (std::size_t number = 2; std::getline(stream, line); ++number)
        transcript.lines.push_back(readLine(line, number));
    return transcript;
}

Transcript keptTranscript(const std::string& folder, std::string_view file) {
    const std::string path = (std::filesystem::path(folder) / file).string();
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
        throw std::runtime_error(path + ": cannot be read");
    try {
        return readTranscript(text.str());
    } catch (const std::runtime_error& error) { throw std::runtime_error(path + ": " + error.what()); }
}

std::vector<std::string> differences(const Transcript& kept, const Transcript& found, std::string_view command) {
    std::vector<std::string> sentences;
    const auto known = byName(kept);
    for (const TranscriptLine& line : found.lines) {
        const auto before = known.find(line.name);
        std::string sentence =
            before == known.end() ? line.name + ": is not in the transcript" : difference(*before->second, line);
        if (!sentence.empty())
            sentences.push_back(std::move(sentence));
    }
    addMissing(kept, found, "is in the transcript, but no longer run", sentences);
    if (kept.engine != found.engine)
        sentences.push_back("The transcript is of engine " + kept.engine + ", this is engine " + found.engine +
                            ": write it anew with: " + std::string(command));
    else if (!whyNotWritten(kept, found).empty())
        sentences.push_back(
            "The engine's timing has changed: raise engineVersion() in engine/run/runner.cpp, so that no "
            "store mixes old and new runs, and write the transcript anew with: " +
            std::string(command));
    else if (!sentences.empty())
        sentences.push_back("Write the transcript anew with: " + std::string(command));
    return sentences;
}

std::vector<std::string> whyNotWritten(const Transcript& kept, const Transcript& found) {
    std::vector<std::string> sentences;
    if (kept.engine != found.engine)
        return sentences;
    const auto named = byName(kept);
    std::map<std::string, const TranscriptLine*> hashed;
    for (const TranscriptLine& line : kept.lines)
        hashed.emplace(line.hash, &line);
    for (const TranscriptLine& line : found.lines) {
        const auto name = named.find(line.name);
        const auto hash = hashed.find(line.hash);
        if (name != named.end() && !sameTiming(*name->second, line))
            sentences.push_back(difference(*name->second, line));
        else if (hash != hashed.end() && !sameTiming(*hash->second, line))
            sentences.push_back(difference(*hash->second, line));
    }
    return sentences;
}

namespace detail {

Transcript transcriptOf(std::span<const NamedExperiment> all, int threads) {
    std::vector<const engine::Experiment*> experiments;
    for (const NamedExperiment& one : all)
        experiments.push_back(one.experiment);
    engine::RunManyOptions options;
    options.each.baselines = false;
    options.threads = threads;
    const std::vector<engine::RunOutcome> outcomes = engine::runMany(experiments, options);
    Transcript transcript{std::string(engine::engineVersion()), {}};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (!outcomes[i].result)
            throw std::runtime_error(*all[i].name + ": " + outcomes[i].failure);
        transcript.lines.push_back({data::experimentHash(*experiments[i]), outcomes[i].result->last.time.total.ps,
                                    outcomes[i].result->events, *all[i].name});
    }
    return transcript;
}

}  // namespace detail

}  // namespace tests
