#include "data/sweep/sweep_runner.h"

#include <condition_variable>
#include <mutex>

namespace data {

struct SweepPause::State {
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    bool paused = false;
};

SweepPause::SweepPause() : m_state(std::make_unique<State>()) {}

SweepPause::~SweepPause() = default;

void SweepPause::set(bool paused) {
    const std::lock_guard lock(m_state->mutex);
    m_state->paused = paused;
    m_state->changed.notify_all();
}

bool SweepPause::isSet() const {
    const std::lock_guard lock(m_state->mutex);
    return m_state->paused;
}

void SweepPause::wait(const std::stop_token& stop) const {
    std::unique_lock lock(m_state->mutex);
    m_state->changed.wait(lock, stop, [this] { return !m_state->paused; });
}

}  // namespace data
