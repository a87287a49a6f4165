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

/// A part of a run to play instead of the whole: its own length of playing, and whether it begins again at its end.
struct PlayedPart {
    data::TimeRange range;
    double seconds = 10;  ///< of the wall clock, for the range
    bool loop = false;
    bool operator==(const PlayedPart&) const = default;
};

/// Where playback stands, as a function of the wall clock alone: a dropped frame never changes the position.
/// Wall time comes in as nanoseconds of any steady clock.
struct PlaybackClock {
    static constexpr double kFastest = 2;  ///< wall seconds for the whole run
    static constexpr double kSlowest = 60;

    std::int64_t endPs = 1;
    double secondsForRun = 10;
    bool loop = false;
    std::optional<PlayedPart> part{};  ///< within the run; while there is one, its speed and its loop hold
    bool playing = false;
    std::int64_t anchorPs = 0;  ///< position when `anchorNs` was
    std::int64_t anchorNs = 0;

    /// What is played: the part, or the whole run.
    PlayedPart played() const;
    std::int64_t positionAt(std::int64_t nowNs) const;
    /// True once a playing clock has reached the end; never when it loops.
    bool hasEndedAt(std::int64_t nowNs) const;

    /// From the end of what is played, and from outside it, playing starts again at its beginning.
    void play(std::int64_t nowNs);
    void pause(std::int64_t nowNs);
    void seek(std::int64_t ps, std::int64_t nowNs);
    /// The position stays where it is; only what follows is faster or slower.
    void setSecondsForRun(double seconds, std::int64_t nowNs);
};

class BreakpointList;
class ViewState;

/// Moves the time cursor: by the wall clock while playing, through the run's log when stepped, to where a breakpoint is
/// met. Never runs the engine.
class Player final : public QObject {
    Q_OBJECT

public:
    /// Both must outlive the player.
    Player(ViewState& viewState, BreakpointList& breakpoints, QObject* parent = nullptr);

    /// Another run, which ends at `endPs`. Playback stops; the cursor stays where it is in the new run.
    void setRun(std::int64_t endPs);
    /// There is something to see until then, beside the run or behind it.
    void setEnd(std::int64_t endPs);
    /// The log of that run, a moment later; null where it has none. A step asked for meanwhile is made now.
    void setLog(std::shared_ptr<const data::RunLog> log);

    bool isPlaying() const { return m_clock.playing; }
    std::int64_t end() const { return m_clock.endPs; }
    double secondsForRun() const { return m_clock.secondsForRun; }
    bool loops() const { return m_clock.loop; }
    data::StepKind stepKind() const { return m_stepKind; }
    const std::optional<PlayedPart>& part() const { return m_clock.part; }

    /// From now on only this part of the run is played, from its beginning; an empty optional: the whole run, with the
    /// speed and the loop that it had. Playback stops. Whoever moves the cursor out of the part leaves it.
    void setPart(std::optional<PlayedPart> part);
    void togglePlaying();
    void pause();
    /// One step of the chosen kind, or to the next or last event of all.
    void stepForward() { step({m_stepKind, true}); }
    void stepBack() { step({m_stepKind, false}); }
    void eventForward() { step({data::StepKind::event, true}); }
    void eventBack() { step({data::StepKind::event, false}); }
    void setStepKind(data::StepKind kind);
    /// To where a breakpoint is met next, or was met last. Stays where it is when none is.
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
    /// After the cursor has gone there. `text` says what is met.
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
    /// Stops where a breakpoint is met on the way; true when one was.
    bool stopOnTheWay(const data::Position& from, const data::Position& to);

    ViewState& m_viewState;
    BreakpointList& m_breakpoints;
    PlaybackClock m_clock;
    QElapsedTimer m_wall;
    QTimer* m_frame;
    std::shared_ptr<const data::RunLog> m_log;
    std::optional<Step> m_awaited;  ///< asked for before there was a log
    data::Position m_playedTo;
    data::StepKind m_stepKind = data::StepKind::chunk;
};

}  // namespace ui
