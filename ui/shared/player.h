#pragma once

#include "data/replay/run_log.h"
#include "data/replay/time_range.h"

#include <QElapsedTimer>
#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>

class QTimer;

namespace ui {

/// A part of a run that is played instead of the whole run, with its own playing time and its own loop setting.
struct PlayedPart {
    data::TimeRange range;
    double seconds = 10;  ///< wall-clock time that the range takes to play
    bool loop = false;
    bool operator==(const PlayedPart&) const = default;
};

/// The position of playback as a function of the wall clock alone, so that a dropped frame never changes the position.
/// Wall time is passed in as nanoseconds of any steady clock.
struct PlaybackClock {
    static constexpr double kFastest = 2;  ///< wall-clock seconds for the whole run
    static constexpr double kSlowest = 60;

    std::int64_t endPs = 1;
    double secondsForRun = 10;
    bool loop = false;
    std::optional<PlayedPart> part{};  ///< a part of the run; while it is set, its speed and its loop apply
    bool playing = false;
    std::int64_t anchorPs = 0;  ///< position at the wall time `anchorNs`
    std::int64_t anchorNs = 0;

    /// Returns the range that is played: the part, or the whole run.
    PlayedPart played() const;
    std::int64_t positionAt(std::int64_t nowNs) const;
    /// Returns whether the clock plays and has reached the end; never true for a loop.
    bool hasEndedAt(std::int64_t nowNs) const;

    /// Starts playback. At the end of the played range, or outside it, playback starts at its beginning.
    void play(std::int64_t nowNs);
    void pause(std::int64_t nowNs);
    void seek(std::int64_t ps, std::int64_t nowNs);
    /// Changes the speed from now on; the position stays the same.
    void setSecondsForRun(double seconds, std::int64_t nowNs);
};

class BreakpointList;
class ViewState;

/// Moves the time cursor: with the wall clock while playing, by steps through the run's log, or to a hit of a
/// breakpoint. Never runs the engine.
class Player final : public QObject {
    Q_OBJECT

public:
    /// Both must outlive the player.
    Player(ViewState& viewState, BreakpointList& breakpoints, QObject* parent = nullptr);

    /// Takes another run, which ends at `endPs`. Playback stops; the cursor keeps its time.
    void setRun(std::int64_t endPs);
    /// Sets the time at which playback ends; a run that is shown beside or behind this one can extend it.
    void setEnd(std::int64_t endPs);
    /// Sets the log of the run, which arrives after the run itself; null if the run has none. A step that was requested
    /// before is made now.
    void setLog(std::shared_ptr<const data::RunLog> log);

    bool isPlaying() const { return m_clock.playing; }
    std::int64_t end() const { return m_clock.endPs; }
    double secondsForRun() const { return m_clock.secondsForRun; }
    bool loops() const { return m_clock.loop; }
    data::StepKind stepKind() const { return m_stepKind; }
    const std::optional<PlayedPart>& part() const { return m_clock.part; }

    /// Plays only this part of the run from now on, from its beginning; an empty optional: the whole run, with its
    /// former speed and loop. Playback stops. Moving the cursor out of the part ends the part.
    void setPart(std::optional<PlayedPart> part);
    void togglePlaying();
    void pause();
    /// stepForward() and stepBack() make one step of the chosen kind; eventForward() and eventBack() go to the next or
    /// the previous event of any kind.
    void stepForward() { step({m_stepKind, true}); }
    void stepBack() { step({m_stepKind, false}); }
    void eventForward() { step({data::StepKind::event, true}); }
    void eventBack() { step({data::StepKind::event, false}); }
    void setStepKind(data::StepKind kind);
    /// Moves the cursor to the next or the previous hit of a breakpoint; does nothing if there is none.
    void runToNext() { runTo(true); }
    void runToPrevious() { runTo(false); }
    void seek(qint64 ps);
    void toStart();
    void toEnd();
    void setSecondsForRun(double seconds);
    void setLoop(bool loop);

Q_SIGNALS:
    void playingChanged(bool playing);
    void stepKindChanged();
    /// Emitted after the cursor has moved to a hit; `text` describes it.
    void stoppedAtBreakpoint(const QString& text);
    void noBreakpointFound(bool forward);
    void runChanged();
    void partChanged();

private:
    struct Step {
        data::StepKind kind{};
        bool forward = true;
    };

    void step(Step step);
    void runTo(bool forward);
    data::Position position() const;
    void moveTo(std::int64_t ps, std::optional<std::uint64_t> events = std::nullopt);
    void advance();
    void leavePart();
    /// Stops at a breakpoint's hit between two positions; returns true if there was one.
    bool stopOnTheWay(const data::Position& from, const data::Position& to);

    ViewState& m_viewState;
    BreakpointList& m_breakpoints;
    PlaybackClock m_clock;
    QElapsedTimer m_wall;
    QTimer* m_frame;
    std::shared_ptr<const data::RunLog> m_log;
    std::optional<Step> m_awaited;  ///< a step that was requested before there was a log
    data::Position m_playedTo;
    data::StepKind m_stepKind = data::StepKind::chunk;
};

}  // namespace ui
