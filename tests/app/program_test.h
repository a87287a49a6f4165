#pragma once

// Runs a built program as a script would: with arguments, and reads its exit code, standard output and standard error.
// A test is one file of tests_app. It registers itself with addProgramTest; its function is
// `return runTests(argc, argv, kTests)`. `tests_app tst_x PROGRAM FOLDER` runs one test, which may write to FOLDER.

#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tests {

struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
};

// Set once by runTests, before the first test.
inline std::string g_program;
inline std::filesystem::path g_folder;
inline int g_failures = 0;

inline std::string at(const std::string& name) { return (g_folder / name).string(); }

inline std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Returns standard error without the lines of progress ("98 %, 19.1 %/s", "planning: 3 of 10 points"). The program
/// prints those only if its work takes some seconds, as it may on a busy machine.
inline std::string withoutProgress(const std::string& text) {
    std::string rest;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
        const bool isProgress = (digits > 0 && line.substr(digits).starts_with(" %")) ||
                                line.starts_with("planning: ") || line.starts_with("estimating the time: ");
        if (!isProgress)
            rest += line + '\n';
    }
    return rest;
}

/// Starts the program with these arguments; `environment` is prepended for the shell, `input` is its standard input.
inline Outcome run(const std::string& arguments, const std::string& environment = "",
                   const std::string& input = "/dev/null") {
    const std::string command = environment + " '" + g_program + "' " + arguments + " <" + input + " >'" + at("out") +
                                "' 2>'" + at("err") + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, textOf(at("out")), withoutProgress(textOf(at("err")))};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Prints `what` if the expectation does not hold, and continues, so that one failure does not hide the others.
inline void expect(bool held, const std::string& what, const Outcome& outcome) {
    constexpr std::size_t kShown = 1500;
    if (held)
        return;
    ++g_failures;
    std::cout << "    FAILED: " << what << "\n      exit code " << outcome.code
              << "\n      standard output: " << outcome.out.substr(0, kShown)
              << "\n      standard error: " << outcome.err.substr(0, kShown) << "\n";
}

inline void expectRefused(const std::string& arguments, const std::vector<std::string>& said,
                          const std::string& input = "/dev/null") {
    const Outcome outcome = run(arguments, "", input);
    expect(outcome.code == 2 && outcome.out.empty(), arguments + " is refused with exit code 2", outcome);
    for (const std::string& words : said)
        expect(contains(outcome.err, words), arguments + " says: " + words, outcome);
}

/// Parses JSON. Returns an empty object if the text is not JSON; the checks of its values then fail.
inline nlohmann::json parsed(const std::string& text) {
    nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    return document.is_discarded() ? nlohmann::json::object() : document;
}

inline nlohmann::json json(const std::string& arguments) {
    const Outcome outcome = run(arguments + " --output json");
    expect(outcome.code == 0 && nlohmann::json::accept(outcome.out),
           arguments + " prints one JSON value and nothing else", outcome);
    return parsed(outcome.out);
}

/// Returns the examples in a command's help word for word, but without the program's name.
inline std::vector<std::string> examplesOf(const std::string& command) {
    const Outcome help = run(command + " --help");
    const std::string program = "  ringside-cli ";
    std::vector<std::string> examples;
    std::istringstream lines(help.out.substr(std::min(help.out.size(), help.out.find("Example"))));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(program))
            examples.push_back(line.substr(program.size()));
    }
    expect(!examples.empty(), "the help of " + command + " has an example", help);
    return examples;
}

/// Returns true once the process handles SIGINT itself: its signal mask, in hexadecimal, then has bit SIGINT - 1 set.
/// The C library blocks all signals for a moment while it creates a process or a thread, so a mask with another signal
/// means nothing.
inline bool watchesForInterrupts(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("SigBlk:"))
            continue;
        const auto blocked = std::stoull(line.substr(7), nullptr, 16);
        const auto blocks = [blocked](int signal) { return (blocked >> (signal - 1) & 1u) != 0; };
        return blocks(SIGINT) && !blocks(SIGUSR1);
    }
    return false;
}

/// Starts the program and sends it a signal as soon as it handles interrupts. The command must take many seconds.
inline Outcome interrupted(const std::vector<std::string>& arguments, int signal) {
    const pid_t child = fork();
    if (child == 0) {
        std::vector<char*> words{g_program.data()};
        for (const std::string& argument : arguments)
            words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        if (!std::freopen(at("out").c_str(), "w", stdout) || !std::freopen(at("err").c_str(), "w", stderr))
            _exit(99);
        execv(g_program.c_str(), words.data());
        _exit(99);
    }
    for (int i = 0; i < 1000 && !watchesForInterrupts(child); ++i)
        usleep(20'000);
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, textOf(at("out")), withoutProgress(textOf(at("err")))};
}

/// A test of tests_app. Its arguments are its name, the program and the folder.
struct ProgramTest {
    std::string name;
    int (*run)(int argc, char** argv) = nullptr;
};

/// Returns the tests that the files of tests_app added.
inline std::vector<ProgramTest>& programTests() {
    static std::vector<ProgramTest> tests;
    return tests;
}

/// Adds a test under its name. Returns true, for a constant whose value is not used.
inline bool addProgramTest(const char* name, int (*run)(int argc, char** argv)) {
    programTests().push_back({name, run});
    return true;
}

using NamedTests = std::vector<std::pair<const char*, std::function<void()>>>;

/// Makes a folder, or empties it, and writes a marker file into it. Files are deleted only if the marker is there: a
/// folder that was named by mistake is not emptied.
inline bool emptyFolder(const std::filesystem::path& folder) {
    const std::filesystem::path mark = folder / ".made-by-a-test";
    if (std::filesystem::exists(folder) && !std::filesystem::is_empty(folder) && !std::filesystem::exists(mark)) {
        std::cerr << folder.string()
                  << " is not empty, and no test has made it; name another folder, or delete this one\n";
        return false;
    }
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(mark) << "A test may delete this folder.\n";
    return true;
}

/// Runs all tests in the folder of the arguments. Returns the exit code for `main`.
inline int runTests(int argc, char** argv, const NamedTests& tests) {
    if (argc != 3) {
        std::cerr << "usage: " << argv[0] << " PROGRAM FOLDER\n";
        return 2;
    }
    g_program = argv[1];
    g_folder = argv[2];
    if (!emptyFolder(g_folder))
        return 2;
    ::setenv("XDG_DATA_HOME", (std::filesystem::absolute(g_folder) / "nobody").c_str(), 1);  // not the tester's own
    for (const auto& [name, test] : tests) {
        const int before = g_failures;
        std::cout << name << std::endl;
        test();
        if (g_failures > before)
            std::cout << "  does not hold\n";
    }
    std::cout << (g_failures == 0 ? "all expectations hold\n" : std::to_string(g_failures) + " expectations failed\n");
    return g_failures == 0 ? 0 : 1;
}

}  // namespace tests
