#include "tests/random_experiments/crash_note.h"

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <string_view>

#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());  // NOLINT(bugprone-reserved-identifier)
#endif

namespace tests {

namespace {

std::array<std::atomic<std::uint64_t>, kMostAtWork> g_atWork;  // the experiment's number plus one; 0: idle

void print(std::string_view text) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

/// Prints the numbers of the running experiments. It does not allocate, because it runs in a signal handler.
void printAtWork() {
    print("CRASH while these numbers of the series were verified:");
    for (const auto& noted : g_atWork) {
        if (noted == 0)
            continue;
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), noted - 1).ptr;
        print(" ");
        print({digits.data(), static_cast<std::size_t>(end - digits.data())});
    }
    print("\n");
}

void (*g_report)() = nullptr;

void onSignal(int signal) {
    g_report();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void noteAtWork(std::size_t place, std::uint64_t index) { g_atWork.at(place) = index + 1; }

void noteIdle(std::size_t place) { g_atWork.at(place) = 0; }

void whenItCrashes(void (*report)()) {
    g_report = report;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(report);
    for (const int signal : {SIGABRT, SIGALRM})
#else
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
#endif
        std::signal(signal, onSignal);
}

void reportWhereACrashWas() { whenItCrashes(printAtWork); }

}  // namespace tests
