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

/// A line about work that is not done. On a terminal it is drawn again and again, and wiped away when it is destroyed; a file
/// or a pipe gets a line of text now and then.
class StatusLine {
public:
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

protected:
    using Seconds = std::chrono::duration<double>;
    StatusLine(ProgressPlace place, Seconds firstDrawn, Seconds firstWritten);

    Seconds elapsed() const { return m_place.now() - m_start; }
    /// Whether it is time for another line. In a file the next one comes no sooner than after `rest`.
    bool isDue(Seconds rest);
    void write(const std::string& line);

private:
    ProgressPlace m_place;
    bool m_drawn = false;
    ProgressPlace::Clock::time_point m_start;
    Seconds m_next;  ///< when the next line is due
};

/// Percentage, rate and time left on standard error, when the work is long enough to be worth it; in a file or a pipe after
/// five seconds, then ever more rarely.
class ProgressLine : public StatusLine {
public:
    ProgressLine();
    explicit ProgressLine(ProgressPlace place);

    /// For work that tells what fraction of it is done. Refers to this object.
    std::function<void(double)> callback();
    /// "42 %, RATE, 12 s left": for work that knows its rate and time left better than a fraction tells. None of these
    /// where nobody can tell yet.
    void show(double done, const std::string& rate, double secondsLeft);
};

/// "planning: 312,000 of 1,000,000 points" on standard error, for work that comes before the work itself and takes longer
/// than a second; in a file or a pipe at the first second and every ten.
class CountLine : public StatusLine {
public:
    CountLine(std::string doing, std::string units);

    void show(std::size_t done, std::size_t whole);

private:
    std::string m_doing, m_units;
};

/// What `work` returns, which is long: Ctrl+C stops it, and a line says how far it is. `options` are told of both.
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
