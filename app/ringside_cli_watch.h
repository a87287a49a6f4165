#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace cli {

/// Turns Ctrl+C and SIGTERM into a stop request while it lives; a second one ends the program at once (exit code 130).
/// One at a time, and before any other thread is started: threads inherit that the signal is not theirs to handle.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::jthread m_waiter;
};

/// A line on standard error with percentage, rate and time left, when that is a terminal and the work is long enough
/// to be worth it. Wiped away when it is destroyed.
class ProgressLine {
public:
    explicit ProgressLine(bool wanted);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Empty when there is nobody to see it. Refers to this object.
    std::function<void(double)> callback();
    /// "42 %, RATE, 12 s left": for work that knows its rate and time left better than a fraction tells.
    void show(double done, const std::string& rate, double secondsLeft);

private:
    using Clock = std::chrono::steady_clock;
    bool m_visible;
    bool m_drawn = false;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_last = m_start;
};

}  // namespace cli
