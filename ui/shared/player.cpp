#include "ui/shared/player.h"

#include "ui/shared/breakpoint_list.h"
#include "ui/shared/view_state.h"

#include <QTimer>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kFrameMs = 16;

}  // namespace

PlayedPart PlaybackClock::played() const { return part.value_or(PlayedPart{{0, endPs}, secondsForRun, loop}); }

std::int64_t PlaybackClock::positionAt(std::int64_t nowNs) const {
    if (!playing)
        return anchorPs;
    const PlayedPart now = played();
    const double elapsed = static_cast<double>(nowNs - anchorNs) * 1e-9, span = static_cast<double>(now.range.span());
    const double into = static_cast<double>(anchorPs - now.range.start) + elapsed / now.seconds * span;
    if (now.loop)
        return now.range.start + static_cast<std::int64_t>(std::fmod(into, span));
    return std::min(now.range.end, now.range.start + static_cast<std::int64_t>(into));
}

bool PlaybackClock::hasEndedAt(std::int64_t nowNs) const {
    return playing && !played().loop && positionAt(nowNs) >= played().range.end;
}

void PlaybackClock::play(std::int64_t nowNs) {
    if (playing)
        return;
    const data::TimeRange range = played().range;
    if (anchorPs >= range.end || anchorPs < range.start)
        anchorPs = range.start;
    anchorNs = nowNs;
    playing = true;
}

void PlaybackClock::pause(std::int64_t nowNs) {
    anchorPs = positionAt(nowNs);
    anchorNs = nowNs;
    playing = false;
}

void PlaybackClock::seek(std::int64_t ps, std::int64_t nowNs) {
    anchorPs = std::clamp<std::int64_t>(ps, 0, endPs);
    anchorNs = nowNs;
}

void PlaybackClock::setSecondsForRun(double seconds, std::int64_t nowNs) {
    seek(positionAt(nowNs), nowNs);
    secondsForRun = std::clamp(seconds, kFastest, kSlowest);
}

Player::Player(ViewState& viewState, BreakpointList& breakpoints, QObject* parent)
    : QObject(parent), m_viewState(viewState), m_breakpoints(breakpoints), m_frame(new QTimer(this)) {
    m_wall.start();
    m_frame->setInterval(kFrameMs);
    m_frame->setTimerType(Qt::PreciseTimer);
    connect(m_frame, &QTimer::timeout, this, &Player::advance);
}

void Player::setRun(std::int64_t endPs) {
    pause();
    m_log.reset();
    m_breakpoints.setLog(nullptr);
    m_awaited.reset();
    leavePart();
    m_clock.endPs = std::max<std::int64_t>(1, endPs);
    m_clock.seek(m_viewState.cursor().value_or(m_clock.endPs), m_wall.nsecsElapsed());
    Q_EMIT runChanged();
}

void Player::setEnd(std::int64_t endPs) {
    if (std::max<std::int64_t>(1, endPs) == m_clock.endPs)
        return;
    m_clock.seek(m_clock.positionAt(m_wall.nsecsElapsed()), m_wall.nsecsElapsed());  // before the speed changes
    m_clock.endPs = std::max<std::int64_t>(1, endPs);
    Q_EMIT runChanged();
}

void Player::setLog(std::shared_ptr<const data::RunLog> log) {
    m_log = std::move(log);
    m_breakpoints.setLog(m_log);
    if (!m_log)
        return;
    m_playedTo = position();
    if (const auto awaited = std::exchange(m_awaited, std::nullopt))
        step(*awaited);
}

// Returns the position of the cursor. Without a cursor this is the end of the run. Precondition: there is a log.
data::Position Player::position() const {
    return m_viewState.cursor() ? m_log->positionAt(*m_viewState.cursor(), m_viewState.eventsAtCursor()) : m_log->end();
}

void Player::togglePlaying() {
    if (m_clock.playing) {
        pause();
        return;
    }
    const data::TimeRange range = m_clock.played().range;
    const bool fromStart =
        !m_viewState.cursor() || *m_viewState.cursor() >= range.end || *m_viewState.cursor() < range.start;
    m_clock.seek(m_viewState.cursor().value_or(m_clock.endPs), m_wall.nsecsElapsed());
    m_clock.play(m_wall.nsecsElapsed());
    if (fromStart)
        m_viewState.setCursor(m_clock.anchorPs);
    if (m_log)
        m_playedTo = !fromStart || m_clock.part ? position() : m_log->beginning();
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
    const std::int64_t ps = m_clock.positionAt(now);
    if (m_log) {
        const data::Position to = m_log->positionAt(ps);
        const bool beganAgain = to.ps < m_playedTo.ps;
        const data::TimeRange range = m_clock.played().range;
        const auto first = [&] { return m_clock.part ? m_log->positionAt(range.start) : m_log->beginning(); };
        const auto last = [&] { return m_clock.part ? m_log->positionAt(range.end) : m_log->end(); };
        if (stopOnTheWay(m_playedTo, beganAgain ? last() : to))
            return;
        if (beganAgain && stopOnTheWay(first(), to))
            return;
        m_playedTo = to;
    }
    m_viewState.setCursor(ps);
    m_viewState.revealCursor();
    if (ended)
        pause();
}

bool Player::stopOnTheWay(const data::Position& from, const data::Position& to) {
    const BreakpointHit* hit = m_breakpoints.firstWithin(from, to);
    if (hit == nullptr)
        return false;
    pause();
    moveTo(hit->position.ps, hit->position.events);
    Q_EMIT stoppedAtBreakpoint(hit->text);
    return true;
}

void Player::setPart(std::optional<PlayedPart> part) {
    if (part == m_clock.part)
        return;
    pause();
    if (part) {
        part->range.start = std::clamp<std::int64_t>(part->range.start, 0, m_clock.endPs - 1);
        part->range.end = std::clamp(part->range.end, part->range.start + 1, m_clock.endPs);
        moveTo(part->range.start);
    }
    m_clock.part = part;
    Q_EMIT partChanged();
}

void Player::leavePart() {
    if (!m_clock.part)
        return;
    m_clock.seek(m_clock.positionAt(m_wall.nsecsElapsed()), m_wall.nsecsElapsed());
    m_clock.part.reset();
    Q_EMIT partChanged();
}

void Player::moveTo(std::int64_t ps, std::optional<std::uint64_t> events) {
    if (m_clock.part && (ps < m_clock.part->range.start || ps > m_clock.part->range.end))
        leavePart();
    m_clock.seek(ps, m_wall.nsecsElapsed());
    if (m_log)
        m_playedTo = m_log->positionAt(ps, events);
    m_viewState.setCursor(ps, events);
    m_viewState.revealCursor();
}

void Player::step(Step step) {
    pause();
    if (!m_log) {
        m_awaited = step;
        return;
    }
    // Without a cursor, a step forward begins at the start of the run.
    const bool fresh = step.forward && !m_viewState.cursor();
    const data::Position from = fresh ? m_log->beginning() : position();
    const std::optional<data::Position> to =
        step.forward ? m_log->next(from, step.kind) : m_log->previous(from, step.kind);
    if (to)
        moveTo(to->ps, to->events);
}

void Player::setStepKind(data::StepKind kind) {
    if (kind == m_stepKind)
        return;
    m_stepKind = kind;
    Q_EMIT stepKindChanged();
}

void Player::runTo(bool forward) {
    pause();
    if (!m_log)
        return;
    const data::Position from = forward && !m_viewState.cursor() ? m_log->beginning() : position();
    const BreakpointHit* hit = forward ? m_breakpoints.nextAfter(from) : m_breakpoints.lastBefore(from);
    if (hit == nullptr) {
        Q_EMIT noBreakpointFound(forward);
        return;
    }
    moveTo(hit->position.ps, hit->position.events);
    Q_EMIT stoppedAtBreakpoint(hit->text);
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
