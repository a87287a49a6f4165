#include "ui/playback/player.h"

#include "ui/shared/view_state.h"

#include <QTimer>

#include <algorithm>

namespace ui {
namespace {

constexpr int kFrameMs = 16;

}  // namespace

std::int64_t momentAfter(const std::vector<std::int64_t>& moments, std::int64_t ps) {
    const auto after = std::upper_bound(moments.begin(), moments.end(), ps);
    return after == moments.end() ? ps : *after;
}

std::int64_t momentBefore(const std::vector<std::int64_t>& moments, std::int64_t ps) {
    const auto at = std::lower_bound(moments.begin(), moments.end(), ps);
    return at == moments.begin() ? ps : *std::prev(at);
}

Player::Player(ViewState& viewState, QObject* parent)
    : QObject(parent), m_viewState(viewState), m_frame(new QTimer(this)) {
    m_wall.start();
    m_frame->setInterval(kFrameMs);
    m_frame->setTimerType(Qt::PreciseTimer);
    connect(m_frame, &QTimer::timeout, this, &Player::advance);
}

void Player::setRun(std::vector<std::int64_t> moments, std::int64_t endPs) {
    pause();
    m_moments = std::move(moments);
    m_clock.endPs = std::max<std::int64_t>(1, endPs);
    m_clock.seek(position(), m_wall.nsecsElapsed());
}

std::int64_t Player::position() const { return m_viewState.cursor().value_or(m_clock.endPs); }

void Player::togglePlaying() {
    if (m_clock.playing) {
        pause();
        return;
    }
    m_clock.seek(position(), m_wall.nsecsElapsed());
    m_clock.play(m_wall.nsecsElapsed());
    m_viewState.setCursor(m_clock.anchorPs);
    m_frame->start();
    Q_EMIT playingChanged(true);
}

void Player::pause() {
    if (!m_clock.playing)
        return;
    m_clock.pause(m_wall.nsecsElapsed());
    m_frame->stop();
    Q_EMIT playingChanged(false);
}

void Player::advance() {
    const std::int64_t now = m_wall.nsecsElapsed();
    const bool ended = m_clock.hasEndedAt(now);
    m_viewState.setCursor(m_clock.positionAt(now));
    m_viewState.revealCursor();
    if (ended)
        pause();
}

void Player::moveTo(std::int64_t ps) {
    m_clock.seek(ps, m_wall.nsecsElapsed());
    m_viewState.setCursor(ps);
    m_viewState.revealCursor();
}

void Player::stepForward() {
    pause();
    // Without a cursor everything has happened already; the first step begins at the beginning.
    moveTo(m_viewState.cursor() ? momentAfter(m_moments, position()) : 0);
}

void Player::stepBack() {
    pause();
    moveTo(momentBefore(m_moments, position()));
}

void Player::seek(qint64 ps) { moveTo(ps); }

void Player::toStart() { moveTo(0); }

void Player::toEnd() {
    pause();
    moveTo(m_clock.endPs);
}

void Player::setSecondsForRun(double seconds) { m_clock.setSecondsForRun(seconds, m_wall.nsecsElapsed()); }

void Player::setLoop(bool loop) {
    m_clock.seek(m_clock.positionAt(m_wall.nsecsElapsed()), m_wall.nsecsElapsed());
    m_clock.loop = loop;
}

}  // namespace ui
