#include "ui/shared/ring_moment.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

constexpr int kMoments = 40;             // number of times that are compared
constexpr std::uint32_t kShownGpus = 8;  // number of GPUs compared at each time
constexpr double kNoDifference = 1e-9;

/// Returns how evenly the tiles of a GPU are spread over states: 0 if all are in one state, 1 if all states have the
/// same number.
double spreadOf(const data::GpuState& gpu) {
    std::array<double, data::kTileStates> count{};
    for (const data::TileState state : gpu.tiles)
        ++count[static_cast<std::size_t>(state)];
    double spread = 0;
    for (const double tiles : count) {
        const double share = tiles / static_cast<double>(std::max<std::size_t>(gpu.tiles.size(), 1));
        spread -= share > 0 ? share * std::log(share) : 0;
    }
    return spread / std::log(static_cast<double>(data::kTileStates));
}

/// Returns how much a picture shows: the spread of the tiles over states and the links that send, on average over GPUs.
double varietyAt(const RingMoment& moment) {
    const std::uint32_t step = (moment.gpus() + kShownGpus - 1) / kShownGpus;
    double sum = 0;
    int seen = 0;
    for (std::uint32_t gpu = 0; gpu < moment.gpus(); gpu += step, ++seen)
        sum += spreadOf(moment.of(gpu)) + (moment.of(gpu).sendingChunk ? 1 : 0);
    return seen > 0 ? sum / seen : 0;
}

}  // namespace

RingMoment::RingMoment(ViewState& viewState, QObject* parent) : QObject(parent), m_viewState(viewState) {
    connect(&m_viewState, &ViewState::cursorChanged, this, &RingMoment::forget);
}

void RingMoment::showRun(std::shared_ptr<const data::ShownRun> run) { m_next = std::move(run); }

void RingMoment::showLog(std::shared_ptr<const data::RunLog> log, std::shared_ptr<const data::InsideIndex> index) {
    m_run = m_next;
    m_log = std::move(log);
    m_index = std::move(index);
    m_states.assign(gpus(), std::nullopt);
    m_insides.assign(gpus(), std::nullopt);
    Q_EMIT runChanged();
    Q_EMIT changed();
}

void RingMoment::forget() {
    m_states.assign(gpus(), std::nullopt);
    m_insides.assign(gpus(), std::nullopt);
    Q_EMIT changed();
}

std::uint32_t RingMoment::gpus() const { return hasStates() ? m_log->gpus() : 0; }

std::uint32_t RingMoment::focusedGpu() const { return std::min(m_viewState.focusedGpu(), std::max(1u, gpus()) - 1); }

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

const data::InsideIndex& RingMoment::insideIndex() const {
    if (!m_index)
        m_index = std::make_shared<const data::InsideIndex>(m_run, m_log);
    return *m_index;
}

const data::GpuInside& RingMoment::inside(std::uint32_t gpu) const {
    std::optional<data::GpuInside>& inside = m_insides[gpu];
    if (!inside)
        inside = insideIndex().at(gpu, position(), of(gpu));
    return *inside;
}

MomentSnapshot::MomentSnapshot(const ViewState& from, const RingMoment& at) {
    viewState.setRunEnd(from.runEnd());
    viewState.setRange(from.range());
    viewState.setCursor(from.cursor(), from.eventsAtCursor());
    viewState.setFollowedChunk(from.followedChunk());
    viewState.setFocusedGpu(from.focusedGpu());
    moment.showRun(at.sharedRun());
    moment.showLog(at.sharedLog(), at.sharedIndex());
    if (!from.cursor() && moment.hasStates())
        seekInformativeTime();
}

void MomentSnapshot::seekInformativeTime() {
    const std::int64_t end = viewState.runEnd();
    double most = 0;
    std::optional<std::int64_t> best;
    for (int i = 1; i < kMoments; ++i) {
        const std::int64_t ps = end / kMoments * i;
        viewState.setCursor(ps);
        const double found = varietyAt(moment);
        if (found > most + kNoDifference) {
            most = found;
            best = ps;
        }
    }
    viewState.setCursor(best);
}

}  // namespace ui
