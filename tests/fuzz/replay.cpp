// Drives a fuzz target without libFuzzer: replays the files of the corpus, and then random changes of them for a while.
// An input that fails is written to the current folder, so that it can be replayed.
//
//   fuzz_replay TARGET FILE_OR_FOLDER... [--seconds N] [--seed N]

#include "tests/fuzz/checks.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using Random = std::mt19937_64;

constexpr char kFailing[] = "fuzz-failing-input";
std::string g_input;  // the present input, for the handler below

void keepFailingInput(int signal) {
    const int file = open(kFailing, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0) {
        [[maybe_unused]] const auto written = write(file, g_input.data(), g_input.size());
        close(file);
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void tryInput(const fuzz::Target& target, std::string input) {
    g_input = std::move(input);
    target.tryInput(reinterpret_cast<const std::uint8_t*>(g_input.data()), g_input.size());
}

std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::size_t below(std::size_t end, Random& random) { return end == 0 ? 0 : random() % end; }

/// Returns pieces that often keep a document valid: values at and beyond each limit, and structure.
const std::vector<std::string>& pieces() {
    static const std::vector<std::string> kPieces{"0",
                                                  "1",
                                                  "-1",
                                                  "2",
                                                  "9223372036854775807",
                                                  "-9223372036854775808",
                                                  "1e308",
                                                  "1e-308",
                                                  "0.5",
                                                  "0.75",
                                                  "64",
                                                  "4096",
                                                  "65536",
                                                  "1000000000000",
                                                  "nan",
                                                  "\"unlimited\"",
                                                  "{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  ",",
                                                  ":",
                                                  "\"",
                                                  "\\u0000",
                                                  "\n",
                                                  "null",
                                                  "true",
                                                  "\"1 GB/s\"",
                                                  "\"1 ns\"",
                                                  "\"64 KiB\"",
                                                  "\xff",
                                                  "\"auto\""};
    return kPieces;
}

std::string changed(std::string text, const std::vector<std::string>& corpus, Random& random) {
    const std::size_t changes = 1 + below(4, random);
    for (std::size_t i = 0; i < changes; ++i) {
        const std::size_t at = below(text.size() + 1, random);
        switch (below(6, random)) {
        case 0:
            if (at < text.size())
                text[at] = static_cast<char>(text[at] ^ (1 << below(8, random)));
            break;
        case 1: text.erase(at, 1 + below(8, random)); break;
        case 2: text.insert(at, pieces()[below(pieces().size(), random)]); break;
        case 3: {  // replaces a number
            const std::size_t digit = text.find_first_of("0123456789", at);
            if (digit != std::string::npos) {
                const std::size_t end = std::min(text.find_first_not_of("0123456789.", digit), text.size());
                text.replace(digit, end - digit, std::to_string(random() >> below(64, random)));
            }
            break;
        }
        case 4: {  // appends the rest of another document
            const std::string& other = corpus[below(corpus.size(), random)];
            text = text.substr(0, at) + other.substr(std::min(at, other.size()));
            break;
        }
        default: {  // repeats a part
            const std::string twice = text.substr(at, below(40, random));
            text.insert(at, twice);
        }
        }
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> corpus;
    double seconds = 0;
    std::uint64_t seed = 1;
    const fuzz::Target* target = nullptr;
    for (const fuzz::Target& known : fuzz::targets()) {
        if (argc > 1 && known.name == argv[1])
            target = &known;
    }
    for (int i = 2; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--seconds" && i + 1 < argc) {
            seconds = std::atof(argv[++i]);
        } else if (argument == "--seed" && i + 1 < argc) {
            seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (std::filesystem::is_directory(argument)) {
            std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(argument), {});
            std::sort(files.begin(), files.end());
            for (const auto& file : files)
                corpus.push_back(textOf(file));
        } else if (std::filesystem::is_regular_file(argument)) {
            corpus.push_back(textOf(argument));
        } else {
            std::fprintf(stderr, "%s: neither file nor folder\n", argv[i]);
            return 2;
        }
    }
    if (target == nullptr || corpus.empty()) {
        std::fprintf(stderr, "usage: %s TARGET FILE_OR_FOLDER... [--seconds N] [--seed N], where TARGET is one of:\n",
                     argv[0]);
        for (const fuzz::Target& known : fuzz::targets())
            std::fprintf(stderr, "  %.*s\n", static_cast<int>(known.name.size()), known.name.data());
        return 2;
    }
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(signal, keepFailingInput);
    std::printf("seed %llu; a failing input is kept in ./%s\n", static_cast<unsigned long long>(seed), kFailing);
    std::fflush(stdout);

    for (const std::string& input : corpus)
        tryInput(*target, input);
    Random random(seed);
    std::vector<std::string> known = corpus;
    std::size_t count = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (; std::chrono::steady_clock::now() < end; ++count)
        tryInput(*target, changed(known[below(known.size(), random)], known, random));
    std::printf("%zu inputs of the corpus and %zu changed ones\n", corpus.size(), count);
    return 0;
}
