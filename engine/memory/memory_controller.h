#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/trace.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/memory/arbiter.h"
#include "engine/memory/dram_banks.h"
#include "engine/memory/dram_timing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

/// One kind of traffic of one client: requests of a flow share stream, operation and receiver.
using FlowId = std::uint8_t;

/// What happens to the requests of a flow. Called while the controller arbitrates: a client may schedule events
/// and change its own counts, but must not enqueue requests from `served`.
class MemoryClient {
public:
    virtual ~MemoryClient() = default;

    /// DRAM has accepted the request and will serve it from `start` to `finish`, both fixed now; `finish` lies ahead.
    virtual void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) = 0;

    /// Only for flows that asked for it: the data of a read are back, now.
    virtual void dataReturned(FlowId flow, std::uint32_t id, std::uint32_t bytes);

    /// Which granule of memory the request is for, counted over all channels. Only the bank model asks.
    virtual std::uint32_t address(FlowId flow, std::uint32_t id) const;
};

/// Whoever has something to write when a channel has nothing else to do.
class IdleWriter {
public:
    struct Write {
        FlowId flow = 0;
        std::uint32_t id = 0;
        std::uint32_t bytes = 0;
        TimePoint since;  ///< when it could first have been written
    };

    virtual ~IdleWriter() = default;
    /// Hands over the oldest write of `channel`; an empty optional when there is none.
    virtual std::optional<Write> takeWrite(std::uint32_t channel) = 0;
    virtual bool hasWrite(std::uint32_t channel) = 0;
};

struct FlowConfig {
    Stream stream = Stream::compute;
    MemoryOp op = MemoryOp::read;
    MemoryClient* client = nullptr;
    bool returnsData = false;          ///< call dataReturned one latency after service
    bool background = false;           ///< nobody waits for it, and it is no part of the GEMM's use of memory
    std::uint8_t kernel = kOwnKernel;  ///< whose it is (Span::peer)
};

struct FlowStats {
    std::int64_t requests = 0;
    Bytes bytes;
};

struct ChannelStats {
    Duration busy;            ///< reads*r + writes*w + updates*u
    Duration computeBusy;     ///< the part spent on the compute stream, background traffic aside
    Duration backgroundBusy;  ///< of busy, spent on background traffic, some of it after the GPU has ended
    Duration turnaround;      ///< not part of busy
};

/// The memory controller with its channels: two unbounded streams for each, an arbiter, a bounded DRAM queue and
/// the DRAM behind it, which serves one request at a time in queue order, never interrupting one.
/// Modelled: who waits behind whom. Left out: the path between LLC and controller (a latency, added by the LLC).
/// Because service is in order and never interrupted, start and finish are known when a request enters the DRAM
/// queue; so one event per pick is all that it costs.
class MemoryController {
public:
    /// `arbitration` is scheduled per channel in the arbitration phase, `returned` per channel in the completion phase.
    MemoryController(const Experiment& experiment, EventPort arbitration, EventPort returned, Recorder* recorder);

    FlowId addFlow(const FlowConfig& flow);

    /// Appends to the flow's stream of `channel`, now.
    void enqueue(std::uint32_t channel, FlowId flow, std::uint32_t id, std::uint32_t bytes);

    /// Appends a request of no bytes to the loads of `channel`: it takes its place in the stream and leaves it, as
    /// MemoryClient::served at that moment, when all before it have entered the DRAM queue. Returns false and does
    /// nothing when no load waits there.
    bool enqueueBehindLoads(std::uint32_t channel, FlowId flow, std::uint32_t id);

    /// Bytes that wait in a stream, all channels together.
    std::int64_t waiting(Stream stream) const { return m_waiting[static_cast<std::size_t>(stream)]; }

    void arbitrate(std::uint32_t channel);
    void returnData(std::uint32_t channel);

    /// `writer` is asked whenever the streams and the DRAM queue of a channel are empty.
    void setIdleWriter(IdleWriter& writer) { m_idleWriter = &writer; }
    /// The idle writer has something for `channel`, which may be idle.
    void offerWrite(std::uint32_t channel);

    /// Tells the arbiters for how much of the time since the GEMM's first load DRAM has served the GEMM; background
    /// traffic does not count. To be called at the end of the GEMM's first stage (T3, section 4.5).
    void fixThreshold();
    const Arbiter& arbiter(std::uint32_t channel) const { return m_channels[channel].arbiter; }

    std::uint32_t channels() const { return static_cast<std::uint32_t>(m_channels.size()); }
    Duration latency() const { return m_latency; }
    const FlowStats& flow(FlowId flow) const { return m_flowStats[flow]; }
    /// Bytes of all flows but background traffic.
    Bytes servedBytes() const;
    ChannelStats channelStats(std::uint32_t channel) const { return m_channels[channel].stats; }
    bool idle() const;
    /// What the bank model came to, all channels together; nothing under the sustained model.
    std::optional<DramOutcome> dramOutcome() const;
    /// When the last write or update accepted so far is in memory, a latency after its service.
    TimePoint lastLanding() const { return std::max(m_lastLanding[0], m_lastLanding[1]); }
    /// The same of the own work, or of what runs beside it.
    TimePoint lastLandingOf(bool companion) const { return m_lastLanding[companion]; }

private:
    using Request = MemoryRequest;
    struct Returning {
        TimePoint time;
        std::uint32_t id;
        std::uint32_t bytes : 24;
        std::uint32_t flow : 8;
    };
    struct Channel {
        explicit Channel(const Experiment& experiment) : arbiter(experiment) {}
        RingFifo<Request> compute;
        RingFifo<Request> computeStores;  // stays empty with in-order streams
        RingFifo<Request> communication;
        RingFifo<TimePoint> queue;  // finish of each request in the DRAM queue, the one in service included
        RingFifo<Returning> returning;
        Arbiter arbiter;
        TimePoint freeAt;
        TimePoint arbitrationAt = kNever;
        TimePoint overtakenAt = kNever;  // an arbitration that is still scheduled though an earlier one came in between
        bool lastWasRead = true;
        bool draining = false;  // write drain: stores are being served
        ChannelStats stats;
    };

    RingFifo<Request>& computeHead(Channel& channel) const;
    static ArbiterView viewOf(const Channel& channel, const RingFifo<Request>& compute);
    void pickUntilFull(std::uint32_t index, Channel& channel);
    void popCompute(RingFifo<Request>& stream);
    void writeWhenIdle(std::uint32_t index, Channel& channel);
    void serve(std::uint32_t index, Channel& channel, Stream stream, const Request& request, std::uint16_t part = 0);
    TimePoint nextPick(const Channel& channel) const;
    void record(std::uint32_t index, const Request& request, TimePoint start, TimePoint finish, std::uint16_t part);
    void countWaiting(TimePoint now, Stream stream, std::int64_t change);

    EventPort m_arbitration;
    EventPort m_returned;
    Recorder* m_recorder;
    DramTiming m_timing;
    StoreOrder m_storeOrder;
    Duration m_latency;
    std::int64_t m_queueEntries;
    std::int64_t m_drainHigh;
    std::int64_t m_drainLow;
    IdleWriter* m_idleWriter = nullptr;
    std::optional<TimePoint> m_firstLoad;  // of the GEMM
    std::vector<FlowConfig> m_flows;
    std::vector<FlowStats> m_flowStats;
    std::vector<Channel> m_channels;
    std::vector<DramBanks> m_banks;      // by channel; empty under the sustained model
    TimePoint m_lastLanding[2];          // of the own work, of a companion
    std::int64_t m_waiting[2] = {0, 0};  // bytes, by stream
};

}  // namespace engine
