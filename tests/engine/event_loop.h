#pragma once

#include "engine/kernel/event_queue.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tests {

/// An event queue whose receivers are functions, for testing single components.
class EventLoop {
public:
    using Receiver = std::function<void(std::uint32_t)>;

    EventLoop() = default;
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    engine::EventPort port(engine::Phase phase, Receiver receiver) {
        m_receivers.push_back(std::move(receiver));
        return {m_queue, phase, static_cast<engine::EventTarget>(m_receivers.size() - 1)};
    }

    /// Runs an action at a moment, in the dispatch phase, in which components issue their requests.
    void at(engine::TimePoint time, std::function<void()> action) {
        m_actions.push_back(std::move(action));
        m_queue.schedule(time, engine::Phase::dispatch, kActions, static_cast<std::uint32_t>(m_actions.size() - 1));
    }

    /// Handles every event up to and including `time`.
    void runUntil(engine::TimePoint time) {
        while (!m_queue.empty() && m_queue.nextTime() <= time) {
            const auto event = m_queue.pop();
            m_receivers[event.target](event.index);
        }
    }

    void run() { runUntil({engine::EventQueue::kLastTime}); }

    engine::EventQueue& queue() { return m_queue; }

private:
    static constexpr engine::EventTarget kActions = 0;

    engine::EventQueue m_queue;
    std::vector<std::function<void()>> m_actions;
    std::vector<Receiver> m_receivers{[this](std::uint32_t index) { m_actions[index](); }};
};

}  // namespace tests
