#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
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

/// Where progress is told, and by which clock.
struct ProgressPlace {
    using Clock = std::chrono::steady_clock;

    std::ostream* out;
    bool isTerminal;  ///< one line that is drawn again and again; else a line of text now and then
    std::function<Clock::time_point()> now;
};

/// Percentage, rate and time left on standard error, when the work is long enough to be worth it: on a terminal one line,
/// wiped away when it is destroyed; in a file or a pipe a line after five seconds, then ever more rarely.
class ProgressLine {
public:
    ProgressLine();
    explicit ProgressLine(ProgressPlace place);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// For work that tells what fraction of it is done. Refers to this object.
    std::function<void(double)> callback();
    /// "42 %, RATE, 12 s left": for work that knows its rate and time left better than a fraction tells. None of these
    /// where nobody can tell yet.
    void show(double done, const std::string& rate, double secondsLeft);

private:
    bool isDue(std::chrono::duration<double> elapsed);

    ProgressPlace m_place;
    bool m_drawn = false;
    ProgressPlace::Clock::time_point m_start;
    std::chrono::duration<double> m_next;  ///< when the next line is due
};

/// "planning: 312,000 of 1,000,000 points" on standard error, for work that comes before the work itself and takes longer
/// than a second. On a terminal the line follows the count and is wiped away when it is destroyed; a log gets a line at
/// the first second and one every ten.
class CountLine {
public:
    CountLine(std::string doing, std::string units);
    ~CountLine();
    CountLine(const CountLine&) = delete;
    CountLine& operator=(const CountLine&) = delete;

    void show(std::size_t done, std::size_t whole);

private:
    using Clock = std::chrono::steady_clock;
    std::string m_doing, m_units;
    bool m_terminal, m_drawn = false;
    Clock::time_point m_next = Clock::now() + std::chrono::seconds(1);
};

/// "1,000,000"
std::string groupedText(std::size_t number);

}  // namespace cli
