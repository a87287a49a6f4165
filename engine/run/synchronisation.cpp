#include "engine/run/synchronisation.h"

#include "engine/api/runner.h"
#include "engine/kernel/thread_pool.h"

#include <algorithm>
#include <limits>

namespace engine {

namespace {

constexpr std::int64_t kEventsBetweenPolls = 1024;

std::uint32_t smallestGranule(const OutputLayout& layout) {
    std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t tile = 0; tile < layout.tiles(); ++tile)
        smallest = std::min(smallest, layout.granuleBytes(layout.tileEndGranule(tile) - 1));
    return smallest;
}

}  // namespace

/// Data that the mirrored GPU sends d places on stand for data that arrive at it from N-d places on: the same place in
/// the chunk N-d chunks on. On a ring d is N-1. Credits that it gives to a GPU d places on stand for those that it gets
/// from N-d places on.
class Synchronisation::Loopback final : public PacketSink, public CreditSink {
public:
    Loopback(const Plan& plan, const Program& program, bool allPorts) : m_gpus(plan.topology.gpus), m_portFrom(m_gpus) {
        for (const Stage& stage : program.stages) {
            if (stage.inMemory) {  // sends nothing
                m_stages.emplace_back();
                continue;
            }
            const OutputLayout& layout = plan.layoutOf(stage);
            m_stages.push_back({layout.chunkEndGranule(0), layout.granules(), layout.chunkTiles(0), layout.tiles()});
        }
        const std::vector<std::uint32_t> entering = plan.topology.linksTo(0);
        for (std::size_t port = 0; allPorts && port < entering.size(); ++port)
            m_portFrom[plan.topology.links[entering[port]].from] = static_cast<std::uint8_t>(port);
    }
    void connect(Gpu& gpu) {
        m_inbox = &gpu.inbox();
        m_credits = &gpu.creditInbox();
    }

    void deliver(const Packet& packet) override {
        const Turned& stage = m_stages[packet.stage];
        const std::uint32_t from = m_gpus - packet.destination;
        Packet arriving = packet;
        arriving.source = static_cast<std::uint8_t>(from);
        arriving.destination = 0;
        arriving.port = m_portFrom[from];
        arriving.granule += from * stage.chunkGranules;
        if (arriving.granule >= stage.granules)
            arriving.granule -= stage.granules;
        m_inbox->deliver(arriving);
    }

    void deliver(const Credit& credit) override {
        const Turned& stage = m_stages[credit.stage];
        const std::uint32_t from = m_gpus - credit.to;
        Credit coming = credit;
        coming.to = 0;
        coming.port = static_cast<std::uint8_t>(from);
        if (coming.tile != kNone)
            coming.tile = (coming.tile + from * stage.chunkTiles) % stage.tiles;
        m_credits->deliver(coming);
    }

private:
    // The rotation of a stage's data from one GPU to the next.
    struct Turned {
        std::uint32_t chunkGranules, granules, chunkTiles, tiles;
    };
    std::uint32_t m_gpus;
    std::vector<Turned> m_stages;
    std::vector<std::uint8_t> m_portFrom;  // by GPU: port of the link that comes from it
    PacketSink* m_inbox = nullptr;
    CreditSink* m_credits = nullptr;
};

/// Packets of one window, on their way from one GPU to the next. Only the sender touches it within a window.
class Synchronisation::Outbox final : public PacketSink {
public:
    void connect(PacketSink& inbox) { m_inbox = &inbox; }
    void deliver(const Packet& packet) override { m_packets.push_back(packet); }

    void handOver() {
        for (const Packet& packet : m_packets)
            m_inbox->deliver(packet);
        m_packets.clear();
    }

private:
    std::vector<Packet> m_packets;
    PacketSink* m_inbox = nullptr;
};

/// The credits of one window that one GPU gives to others.
class Synchronisation::CreditOutbox final : public CreditSink {
public:
    void deliver(const Credit& credit) override { m_given.push_back(credit); }

    void handOver(const std::vector<Gpu*>& gpus) {
        for (const Credit& credit : m_given)
            gpus[credit.to]->creditInbox().deliver(credit);
        m_given.clear();
    }

private:
    std::vector<Credit> m_given;
};

// Makes an outbox for each link, and the switches.
Synchronisation::Synchronisation(const Experiment& experiment, const Plan& plan, const Program& program, bool mirrored)
    : m_plan(plan), m_program(program),
      m_allPorts(program.companion() && hasCompanionCollective(experiment) && !companionGoesAroundRing(experiment)) {
    if (mirrored) {
        m_loopback = std::make_unique<Loopback>(plan, program, m_allPorts);
        return;
    }
    for (std::size_t link = 0; link < plan.topology.links.size(); ++link)
        m_outboxes.push_back(std::make_unique<Outbox>());
    for (std::uint32_t gpu = 0; gpu < plan.topology.gpus && experiment.tracker.heldBytes; ++gpu)
        m_creditOutboxes.push_back(std::make_unique<CreditOutbox>());
    for (std::uint32_t node = plan.topology.gpus; node < plan.topology.nodes.size(); ++node)
        m_switches.push_back(std::make_unique<NetworkSwitch>(experiment, plan.topology, node, attachment(node).sinks));
}

Synchronisation::~Synchronisation() = default;

Attachment Synchronisation::attachment(std::uint32_t node) {
    if (m_loopback) {
        // Without a ring no data are sent.
        const bool all = m_allPorts || m_plan.topology.ring.empty();
        const std::size_t links = all ? m_plan.topology.linksFrom(node).size() : 1;
        return {std::vector<PacketSink*>(links, m_loopback.get()), m_loopback.get(), true};
    }
    Attachment attachment;
    if (node < m_creditOutboxes.size())
        attachment.credits = m_creditOutboxes[node].get();
    for (const std::uint32_t link : m_plan.topology.linksFrom(node))
        attachment.sinks.push_back(m_outboxes[link].get());
    return attachment;
}

void Synchronisation::connect(const std::vector<std::unique_ptr<Gpu>>& gpus) {
    for (const auto& gpu : gpus)
        m_gpus.push_back(gpu.get());
    if (m_loopback)
        m_loopback->connect(*m_gpus.front());
    for (std::uint32_t link = 0; link < m_outboxes.size(); ++link) {
        const std::uint32_t to = m_plan.topology.links[link].to;
        m_outboxes[link]->connect(to < m_gpus.size() ? m_gpus[to]->inbox() : m_switches[to - m_gpus.size()]->inbox());
    }
}

void Synchronisation::run(int threads, const std::stop_token& stop, const std::function<void(double)>& progress) {
    if (m_loopback)
        runMirrored(stop, progress);
    else
        runFull(threads, stop, progress);
}

void Synchronisation::runMirrored(const std::stop_token& stop, const std::function<void(double)>& progress) {
    Gpu& gpu = *m_gpus[0];
    std::int64_t polls = 0;
    while (gpu.advance(kNever, kEventsBetweenPolls) == kEventsBetweenPolls) {
        if (stop.stop_requested())
            throw RunStopped();
        if (progress && ++polls % 16 == 0)
            progress(gpu.progress());
    }
}

// No packet sent in a window can arrive within the same window: the fastest one takes the link's latency and its own
// time on the wire. So all GPUs advance by one window independently of each other, and then exchange the packets that
// they sent. A credit takes only the latency.
Duration Synchronisation::lookahead() const {
    std::uint32_t smallest = smallestGranule(m_plan.layout);
    for (const Stage& stage : m_program.stages)
        if (stage.companion && stage.collective)
            smallest = std::min(smallest, smallestGranule(m_plan.layoutOf(stage)));
    Duration least = kNever - TimePoint{};
    for (const TopologyLink& link : m_plan.topology.links) {
        least = std::min(least, link.latency + timeAtRate(smallest, link.bandwidth.bytesPerSecond));
        if (!m_creditOutboxes.empty())
            least = std::min(least, std::max(link.latency, kLeastCreditLatency));
    }
    return least;
}

void Synchronisation::runFull(int threads, const std::stop_token& stop, const std::function<void(double)>& progress) {
    const Duration window = lookahead();
    ThreadPool pool(threads);
    std::int64_t eventsAtPoll = 0;
    for (std::int64_t windows = 1;; ++windows) {
        const TimePoint next = nextTime();
        if (next == kNever)
            return;
        if (window.ps == 0) {
            runAtOneTime(next);
        } else {
            const TimePoint limit = next + window;
            pool.forEach(processes(), [&](std::size_t process) {
                advance(process, limit, std::numeric_limits<std::int64_t>::max());
            });
            for (const auto& outbox : m_outboxes)
                outbox->handOver();
            for (const auto& outbox : m_creditOutboxes)
                outbox->handOver(m_gpus);
        }
        if (const std::int64_t now = events(); now - eventsAtPoll >= kEventsBetweenPolls) {
            eventsAtPoll = now;
            if (stop.stop_requested())
                throw RunStopped();
            if (progress && windows % 16 == 0)
                progress(m_gpus[0]->progress());
        }
    }
}

// Without lookahead a packet may arrive at the time at which it is sent. All events of one picosecond are handled GPU
// by GPU, in rounds, until none of that time is left.
void Synchronisation::runAtOneTime(TimePoint time) {
    bool something = true;
    while (something) {
        something = false;
        for (std::size_t process = 0; process < processes(); ++process) {
            if (advance(process, time + Duration{1}, kEventsBetweenPolls) > 0)
                something = true;
            for (const std::uint32_t link : m_plan.topology.linksFrom(static_cast<std::uint32_t>(process)))
                m_outboxes[link]->handOver();
            if (process < m_creditOutboxes.size())
                m_creditOutboxes[process]->handOver(m_gpus);
        }
    }
}

// Advances one process. The GPUs are the first processes, as they are the first nodes of the topology.
std::int64_t Synchronisation::advance(std::size_t process, TimePoint limit, std::int64_t count) {
    return process < m_gpus.size() ? m_gpus[process]->advance(limit, count)
                                   : m_switches[process - m_gpus.size()]->advance(limit, count);
}

TimePoint Synchronisation::nextTime() const {
    TimePoint next = kNever;
    for (Gpu* const gpu : m_gpus)
        next = std::min(next, gpu->queue().nextTime());
    for (const auto& each : m_switches)
        next = std::min(next, each->queue().nextTime());
    return next;
}

std::int64_t Synchronisation::events() const {
    std::int64_t events = switchEvents();
    for (Gpu* const gpu : m_gpus)
        events += gpu->queue().processed();
    return events;
}

std::int64_t Synchronisation::switchEvents() const {
    std::int64_t events = 0;
    for (const auto& each : m_switches)
        events += each->queue().processed();
    return events;
}

std::int64_t Synchronisation::switchEventsInThePast() const {
    std::int64_t events = 0;
    for (const auto& each : m_switches)
        events += each->queue().scheduledInThePast();
    return events;
}

}  // namespace engine
