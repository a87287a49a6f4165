// Writes what the web engine must answer, computed natively, to standard output:
//
//   web_answers experiments|combinations    for each line of the file in tests/golden
//   web_answers random SEED COUNT           for random experiments
//   web_answers requests                    for requests on standard input, each after its length
//
// For each request there are three texts, each after its length (four bytes, little-endian): the name, the request,
// which is an experiment document, and the answer. The name begins with the experiment's hash, total in picoseconds and
// events if a file of tests/golden has them.

#include "data/experiment/experiment_document.h"
#include "tests/golden/combinations.h"
#include "tests/golden/golden_runs.h"
#include "tests/golden/transcript.h"
#include "tests/random_experiments/random_experiment.h"
#include "web/engine/web_engine.h"

#include <array>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

void writeText(std::string_view text) {
    for (int shift = 0; shift < 32; shift += 8)
        std::cout.put(static_cast<char>(static_cast<std::uint32_t>(text.size()) >> shift & 0xff));
    std::cout << text;
}

/// Returns the next text on standard input; an empty optional at the end.
std::optional<std::string> nextText() {
    std::array<char, 4> bytes{};
    if (!std::cin.read(bytes.data(), bytes.size()))
        return std::nullopt;
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        size |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    std::string text(size, '\0');
    if (!std::cin.read(text.data(), static_cast<std::streamsize>(size)))
        throw std::runtime_error("the last request is cut off");
    return text;
}

void answer(std::string_view name, std::string_view request) {
    writeText(name);
    writeText(request);
    writeText(web::answerTo(request));
}

template <typename Named>
void answerGolden(const std::vector<Named>& all, std::string_view file) {
    const tests::Transcript kept = tests::keptTranscript(RINGSIDE_GOLDEN, file);
    if (kept.lines.size() != all.size())
        throw std::runtime_error(std::string(file) + " has another number of experiments; write it again");
    for (std::size_t i = 0; i < all.size(); ++i) {
        const tests::TranscriptLine& line = kept.lines[i];
        if (line.name != all[i].name)
            throw std::runtime_error(line.name + " is not " + all[i].name);
        answer(line.hash + ' ' + std::to_string(line.totalPs) + ' ' + std::to_string(line.events) + ' ' + line.name,
               data::writeExperiment(all[i].experiment));
    }
}

void answerRandom(std::uint64_t seed, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i)
        answer("random " + std::to_string(seed) + ' ' + std::to_string(i),
               data::writeExperiment(tests::randomExperiment(seed, i)));
}

void answerAll(const std::vector<std::string>& words) {
    if (words == std::vector<std::string>{"experiments"})
        answerGolden(tests::goldenRuns(), tests::kExperimentsFile);
    else if (words == std::vector<std::string>{"combinations"})
        answerGolden(tests::allCombinations(), tests::kCombinationsFile);
    else if (words.size() == 3 && words[0] == "random")
        answerRandom(std::stoull(words[1]), std::stoull(words[2]));
    else if (words == std::vector<std::string>{"requests"}) {
        while (const std::optional<std::string> request = nextText())
            answer("request", *request);
    } else {
        throw std::runtime_error("usage: web_answers experiments|combinations|random SEED COUNT|requests");
    }
}

}  // namespace

int main(int count, char** arguments) {
    try {
        answerAll({arguments + 1, arguments + count});
        std::cout.flush();
        return std::cout ? 0 : 1;
    } catch (const std::exception& failure) {
        std::cerr << "web_answers: " << failure.what() << '\n';
        return 1;
    }
}
