#include "app/ringside_cli_watch.h"

#include "app/ringside_cli_table.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>

namespace cli {
namespace {

constexpr int kInterruptedCode = 130;

/// Ctrl+C, and what a batch system or a shutdown sends before it kills.
sigset_t interruptSet() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
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

ProgressLine::ProgressLine(bool wanted) : m_visible(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (m_drawn)
        std::cerr << "\r\x1b[K" << std::flush;
}

std::function<void(double)> ProgressLine::callback() {
    if (!m_visible)
        return {};
    return [this](double done) {
        const double seconds = std::chrono::duration<double>(Clock::now() - m_start).count();
        const double rate = seconds > 0 ? done / seconds : 0;
        show(done, fixedText(100 * rate, 1) + " %/s", rate > 0 ? (1 - done) / rate : 0);
    };
}

void ProgressLine::show(double done, const std::string& rate, double secondsLeft) {
    using namespace std::chrono_literals;
    const auto now = Clock::now();
    if (!m_visible || now - m_start < 300ms || now - m_last < 100ms)
        return;
    m_last = now;
    std::string line = "\r\x1b[K" + fixedText(100 * done, 0) + " %, " + rate;
    if (secondsLeft > 0)
        line += ", " + (secondsLeft < 10 ? fixedText(secondsLeft, 0) + " s" : spanText(secondsLeft)) + " left";
    std::cerr << line << std::flush;
    m_drawn = true;
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
