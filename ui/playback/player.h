#pragma once

#include "ui/playback/playback_clock.h"

#include <QElapsedTimer>
#include <QObject>

#include <vector>

class QTimer;

namespace ui {

class ViewState;

/// Moves the time cursor: by the wall clock while playing, from moment to moment when stepped.
/// Never runs the engine; a run's moments are handed to it once.
class Player final : public QObject {
    Q_OBJECT

public:
    /// `viewState` must outlive the player.
    explicit Player(ViewState& viewState, QObject* parent = nullptr);

    /// Sorted moments to step to, and the end of the run. Playback stops; the cursor stays where it is in the new run.
    void setRun(std::vector<std::int64_t> moments, std::int64_t endPs);

    bool isPlaying() const { return m_clock.playing; }
    double secondsForRun() const { return m_clock.secondsForRun; }
    bool loops() const { return m_clock.loop; }

    void togglePlaying();
    void pause();
    void stepForward();
    void stepBack();
    void seek(qint64 ps);
    void toStart();
    void toEnd();
    void setSecondsForRun(double seconds);
    void setLoop(bool loop);

Q_SIGNALS:
    void playingChanged(bool playing);

private:
    std::int64_t position() const;
    void moveTo(std::int64_t ps);
    void advance();

    ViewState& m_viewState;
    PlaybackClock m_clock;
    QElapsedTimer m_wall;
    QTimer* m_frame;
    std::vector<std::int64_t> m_moments;
};

/// The first moment after `ps`, the last one before it; `ps` itself where there is none.
std::int64_t momentAfter(const std::vector<std::int64_t>& moments, std::int64_t ps);
std::int64_t momentBefore(const std::vector<std::int64_t>& moments, std::int64_t ps);

}  // namespace ui
