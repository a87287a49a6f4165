#include "ui/shared/ring_moment.h"

#include "ui/shared/view_state.h"

namespace ui {

RingMoment::RingMoment(ViewState& viewState, QObject* parent) : QObject(parent), m_viewState(viewState) {
    connect(&m_viewState, &ViewState::cursorChanged, this, &RingMoment::forget);
}

void RingMoment::showRun(std::shared_ptr<const data::ShownRun> run) { m_next = std::move(run); }

void RingMoment::showLog(std::shared_ptr<const data::RunLog> log) {
    m_run = m_next;
    m_log = std::move(log);
    m_states.assign(gpus(), std::nullopt);
    Q_EMIT runChanged();
    Q_EMIT changed();
}

void RingMoment::forget() {
    m_states.assign(gpus(), std::nullopt);
    Q_EMIT changed();
}

std::uint32_t RingMoment::gpus() const { return hasStates() ? m_log->gpus() : 0; }

std::int64_t RingMoment::ps() const { return m_viewState.cursor().value_or(m_viewState.runEnd()); }

data::Position RingMoment::position() const {
    data::Position position = m_log->positionAt(ps());
    if (m_viewState.cursor() && m_viewState.eventsAtCursor())
        position.events = *m_viewState.eventsAtCursor();
    return position;
}

TileWords RingMoment::tileWords() const { return m_run ? TileWords(m_run->run.experiment) : TileWords(); }

const data::GpuState& RingMoment::of(std::uint32_t gpu) const {
    std::optional<data::GpuState>& state = m_states[gpu];
    if (!state)
        state = m_log->stateOf(gpu, position());
    return *state;
}

}  // namespace ui
