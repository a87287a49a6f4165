#include "app/ringside_cli_watch.h"

#include "app/ringside_cli_table.h"
#include "data/laboratory/work_progress.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cli {
namespace {

constexpr int kInterruptedCode = 130;

using Seconds = std::chrono::duration<double>;
constexpr Seconds kFirstDrawn{0.3}, kDrawnAgain{0.1};
constexpr Seconds kFirstWritten{5};     // then after twice as long as the last time,
constexpr Seconds kRarestWritten{600};  // but no more than ten minutes apart
constexpr std::string_view kWiped = "\r\x1b[K";

/// Ctrl+C, and what a batch system or a shutdown sends before it kills.
sigset_t interruptSet() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

std::string rateText(double percentPerSecond) {
    constexpr double kSlow = 0.1, kMinute = 60;
    return percentPerSecond < kSlow ? fixedText(kMinute * percentPerSecond, 1) + " %/min"
                                    : fixedText(percentPerSecond, 1) + " %/s";
}

}  // namespace

InterruptWatch::InterruptWatch() {
    const sigset_t set = interruptSet();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    // A waiting thread may do what a signal handler must not: lock, notify, write.
    m_waiter = std::jthread([this, set](const std::stop_token& finished) {
        constexpr timespec kPatience{0, 50'000'000};
        while (!finished.stop_requested()) {
            if (sigtimedwait(&set, nullptr, &kPatience) < 0)
                continue;
            if (m_stop.stop_requested())
                _exit(kInterruptedCode);
            m_stop.request_stop();
        }
    });
}

InterruptWatch::~InterruptWatch() {
    m_waiter.request_stop();
    m_waiter.join();
    const sigset_t set = interruptSet();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

ProgressLine::ProgressLine()
    : ProgressLine({&std::cerr, isatty(STDERR_FILENO) != 0, [] { return ProgressPlace::Clock::now(); }}) {}

ProgressLine::ProgressLine(ProgressPlace place)
    : m_place(std::move(place)), m_start(m_place.now()), m_next(m_place.isTerminal ? kFirstDrawn : kFirstWritten) {}

ProgressLine::~ProgressLine() {
    if (m_drawn)
        *m_place.out << kWiped << std::flush;
}

std::function<void(double)> ProgressLine::callback() {
    return [this](double done) {
        const double seconds = Seconds(m_place.now() - m_start).count();
        const auto left = data::secondsLeft(seconds, done);
        show(done, left ? rateText(100 * done / seconds) : "", left.value_or(0));
    };
}

bool ProgressLine::isDue(std::chrono::duration<double> elapsed) {
    if (elapsed < m_next)
        return false;
    m_next = elapsed + (m_place.isTerminal ? kDrawnAgain : std::min(elapsed, kRarestWritten));
    return true;
}

void ProgressLine::show(double done, const std::string& rate, double secondsLeft) {
    if (!isDue(m_place.now() - m_start))
        return;
    std::string line = fixedText(100 * done, 0) + " %";
    if (!rate.empty())
        line += ", " + rate;
    if (secondsLeft > 0)
        line += ", " + (secondsLeft < 10 ? fixedText(secondsLeft, 0) + " s" : spanText(secondsLeft)) + " left";
    *m_place.out << (m_place.isTerminal ? kWiped : std::string_view()) << line << (m_place.isTerminal ? "" : "\n")
                 << std::flush;
    m_drawn = m_place.isTerminal;
}

CountLine::CountLine(std::string doing, std::string units)
    : m_doing(std::move(doing)), m_units(std::move(units)), m_terminal(isatty(STDERR_FILENO) != 0) {}

CountLine::~CountLine() {
    if (m_drawn && m_terminal)
        std::cerr << "\r\x1b[K" << std::flush;
}

void CountLine::show(std::size_t done, std::size_t whole) {
    using namespace std::chrono_literals;
    const auto now = Clock::now();
    if (now < m_next)
        return;
    m_next = now + (m_terminal ? 100ms : 10s);
    m_drawn = true;
    std::cerr << (m_terminal ? "\r\x1b[K" : "") << m_doing << ": " << groupedText(done) << " of " << groupedText(whole)
              << " " << m_units << (m_terminal ? "" : "\n") << std::flush;
}

std::string groupedText(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;)
        text.insert(place -= 3, ",");
    return text;
}

}  // namespace cli
