#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <stop_token>
#include <string>
#include <thread>

namespace cli {

/// Turns Ctrl+C and SIGTERM into a stop request while it exists; a second signal ends the program at once (exit code
/// 130). Create only one at a time, before any other thread starts: new threads inherit the signal mask that blocks
/// these signals.
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

/// Where progress lines are printed, and the clock that times them.
struct ProgressPlace {
    using Clock = std::chrono::steady_clock;

    std::ostream* out;
    bool isTerminal;  ///< one line that is redrawn; otherwise a new line of text now and then
    std::function<Clock::time_point()> now;
};

/// A progress line for unfinished work. On a terminal the line is redrawn, and erased by the destructor; a file or a
/// pipe gets a line of text now and then.
class StatusLine {
public:
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

protected:
    using Seconds = std::chrono::duration<double>;
    StatusLine(ProgressPlace place, Seconds firstDrawn, Seconds firstWritten);

    Seconds elapsed() const { return m_place.now() - m_start; }
    /// Returns whether it is time for another line. In a file the next one comes after `rest` at the earliest.
    bool isDue(Seconds rest);
    void write(const std::string& line);

private:
    ProgressPlace m_place;
    bool m_drawn = false;
    ProgressPlace::Clock::time_point m_start;
    Seconds m_next;  ///< when the next line is due
};

/// Prints percentage, rate and remaining time on standard error if the work is long enough; in a file or a pipe first
/// after five seconds, then ever more rarely.
class ProgressLine : public StatusLine {
public:
    ProgressLine();
    explicit ProgressLine(ProgressPlace place);

    /// Returns the progress function for work that reports a fraction. It refers to this object.
    std::function<void(double)> callback();
    /// Shows "42 %, RATE, 12 s left", for work that knows its rate and remaining time better than a fraction gives
    /// them. Values that are not known yet are left out.
    void show(double done, const std::string& rate, double secondsLeft);
};

/// Prints "planning: 312,000 of 1,000,000 points" on standard error for preparation that takes longer than a second; in
/// a file or a pipe after the first second and then every ten.
class CountLine : public StatusLine {
public:
    CountLine(std::string doing, std::string units);

    void show(std::size_t done, std::size_t whole);

private:
    std::string m_doing, m_units;
};

/// Runs `work`, which may be long, and returns its result: Ctrl+C stops it, and a line shows its progress. `options`
/// receives both.
template <typename Options, typename Work>
auto watched(Options& options, Work work) {
    const InterruptWatch watch;
    ProgressLine line;
    options.stop = watch.token();
    options.progress = line.callback();
    return work();
}

/// "1,000,000"
std::string groupedText(std::size_t number);

}  // namespace cli
