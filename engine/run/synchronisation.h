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

/// Joins GPUs and switches, each with an event queue of its own, by what they send to each other, and advances them in
/// windows in which none can hear of another (conservative synchronisation with the links' latency as lookahead). One GPU
/// that stands for all needs no windows: what it sends arrives at itself.
class Synchronisation {
public:
    /// All must outlive it.
    Synchronisation(const Experiment& experiment, const Plan& plan, const Program& program, bool mirrored);
    ~Synchronisation();
    Synchronisation(const Synchronisation&) = delete;
    Synchronisation& operator=(const Synchronisation&) = delete;

    /// How GPU `gpu` is joined to the others.
    Attachment attachment(std::uint32_t gpu);
    /// Call once, when all GPUs exist. They must outlive it.
    void connect(const std::vector<std::unique_ptr<Gpu>>& gpus);

    /// Advances all until nothing is left to do. Throws RunStopped. `progress` gets fractions of this run.
    void run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress);

    /// Events that the switches have handled, and those that they scheduled for a moment that was over.
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
    std::vector<std::unique_ptr<CreditOutbox>> m_creditOutboxes;  // by GPU; none where nobody gives credits
    std::vector<Gpu*> m_gpus;
    std::vector<std::unique_ptr<NetworkSwitch>> m_switches;
};

}  // namespace engine
