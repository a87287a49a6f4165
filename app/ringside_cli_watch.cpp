#include "app/ringside_cli_watch.h"

#include "app/ringside_cli_exit.h"
#include "app/ringside_cli_output.h"
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

using namespace std::chrono_literals;
constexpr std::string_view kWiped = "\r\x1b[K";

/// Returns the signals of Ctrl+C (SIGINT), and SIGTERM, which a batch system or a shutdown sends before it kills the
/// program.
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

ProgressPlace standardError() {
    const bool isTerminal = isatty(STDERR_FILENO) != 0;
    return {isTerminal ? &rawError() : &std::cerr, isTerminal, [] { return ProgressPlace::Clock::now(); }};
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
                _exit(kInterrupted);
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

StatusLine::StatusLine(ProgressPlace place, Seconds firstDrawn, Seconds firstWritten)
    : m_place(std::move(place)), m_start(m_place.now()), m_next(m_place.isTerminal ? firstDrawn : firstWritten) {}

StatusLine::~StatusLine() {
    if (m_drawn)
        *m_place.out << kWiped << std::flush;
}

bool StatusLine::isDue(Seconds rest) {
    if (elapsed() < m_next)
        return false;
    m_next = elapsed() + (m_place.isTerminal ? Seconds(0.1) : rest);
    return true;
}

void StatusLine::write(const std::string& line) {
    *m_place.out << (m_place.isTerminal ? kWiped : std::string_view()) << line << (m_place.isTerminal ? "" : "\n")
                 << std::flush;
    m_drawn = m_place.isTerminal;
}

ProgressLine::ProgressLine() : ProgressLine(standardError()) {}

ProgressLine::ProgressLine(ProgressPlace place) : StatusLine(std::move(place), 0.3s, 5s) {}

std::function<void(double)> ProgressLine::callback() {
    return [this](double done) {
        const double seconds = elapsed().count();
        const auto left = data::secondsLeft(seconds, done);
        show(done, left ? rateText(100 * done / seconds) : "", left.value_or(0));
    };
}

void ProgressLine::show(double done, const std::string& rate, double secondsLeft) {
    // In a file each line comes after twice the time of the last one, but after at most ten minutes.
    if (!isDue(std::min(elapsed(), Seconds(10min))))
        return;
    std::string line = fixedText(100 * done, 0) + " %";
    if (!rate.empty())
        line += ", " + rate;
    if (secondsLeft > 0)
        line += ", " + (secondsLeft < 10 ? fixedText(secondsLeft, 0) + " s" : spanText(secondsLeft)) + " left";
    write(line);
}

CountLine::CountLine(std::string doing, std::string units)
    : StatusLine(standardError(), 1s, 1s), m_doing(std::move(doing)), m_units(std::move(units)) {}

void CountLine::show(std::size_t done, std::size_t whole) {
    if (isDue(10s))
        write(m_doing + ": " + groupedText(done) + " of " + groupedText(whole) + " " + m_units);
}

std::string groupedText(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;)
        text.insert(place -= 3, ",");
    return text;
}

}  // namespace cli
