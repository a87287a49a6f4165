#pragma once

#include "engine/network/network_switch.h"
#include "engine/run/gpu.h"
#include "engine/run/plan.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace engine {

/// Connects GPUs and switches, each with an event queue of its own, and advances them in windows of time in which no
/// message from one can reach another (conservative synchronisation with the links' latency as lookahead). One GPU that
/// stands for all needs no windows, because its packets arrive at itself.
class Synchronisation {
public:
    /// All arguments must outlive this object.
    Synchronisation(const Experiment& experiment, const Plan& plan, const Program& program, bool mirrored);
    ~Synchronisation();
    Synchronisation(const Synchronisation&) = delete;
    Synchronisation& operator=(const Synchronisation&) = delete;

    /// Returns how GPU `gpu` is connected to the others.
    Attachment attachment(std::uint32_t gpu);
    /// Connects the GPUs. Call once, when all exist. They must outlive this object.
    void connect(const std::vector<std::unique_ptr<Gpu>>& gpus);

    /// Advances all processes until no event is left. Throws RunStopped. `progress` gets fractions of this run.
    void run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress);

    /// Return the number of events that the switches have handled, and of those that they scheduled for a time in the
    /// past.
    std::int64_t switchEvents() const;
    std::int64_t switchEventsInThePast() const;

private:
    class Loopback;
    class Outbox;
    class CreditOutbox;

    void runMirrored(const std::stop_token& stop, const std::function<void(double)>& progress);
    void runFull(int threads, const std::stop_token& stop, const std::function<void(double)>& progress);
    void runAtOneTime(TimePoint time);
    TimePoint nextTime() const;
    std::size_t processes() const { return m_gpus.size() + m_switches.size(); }
    std::int64_t advance(std::size_t process, TimePoint limit, std::int64_t count);
    std::int64_t events() const;
    Duration lookahead() const;

    const Plan& m_plan;
    const Program& m_program;
    bool m_allPorts;                                              // the GPU that stands for all sends to several
    std::unique_ptr<Loopback> m_loopback;                         // null unless one GPU stands for all
    std::vector<std::unique_ptr<Outbox>> m_outboxes;              // by link
    std::vector<std::unique_ptr<CreditOutbox>> m_creditOutboxes;  // by GPU; empty if no GPU gives credits
    std::vector<Gpu*> m_gpus;
    std::vector<std::unique_ptr<NetworkSwitch>> m_switches;
};

}  // namespace engine
