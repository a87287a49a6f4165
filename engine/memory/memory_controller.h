#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/api/trace.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/ring_fifo.h"
#include "engine/memory/arbiter.h"
#include "engine/memory/camping_count.h"
#include "engine/memory/dram_banks.h"
#include "engine/memory/dram_timing.h"
#include "engine/workload/dram_mapping.h"
#include "engine/workload/pass_timing.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

/// One kind of traffic of one client. Requests of a flow share stream, operation and receiver.
using FlowId = std::uint8_t;

/// Is notified of the service of a flow's requests. The functions are called while the controller arbitrates: a client
/// may schedule events and change its own counts, but must not enqueue requests from `served`.
class MemoryClient {
public:
    virtual ~MemoryClient() = default;

    /// DRAM has accepted the request and will finish serving it at `finish`, which is in the future and will not
    /// change.
    virtual void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) = 0;

    /// The data of a read are back now. Called only for flows with FlowConfig::returnsData.
    virtual void dataReturned(FlowId flow, std::uint32_t id, std::uint32_t bytes);

    /// Returns the address of the granule that the request accesses, see address_space.h. Only the bank model calls it:
    /// when the request is served or, with look-ahead, when it enters its stream.
    virtual std::uint32_t address(FlowId flow, std::uint32_t id) const;
};

/// Provides writes for channels that have no other work.
class IdleWriter {
public:
    struct Write {
        FlowId flow = 0;
        std::uint32_t id = 0;
        std::uint32_t bytes = 0;
        TimePoint since;  ///< when it could first have been written
    };

    virtual ~IdleWriter() = default;
    /// Hands over the oldest write of `channel`; an empty optional if there is none.
    virtual std::optional<Write> takeWrite(std::uint32_t channel) = 0;
    virtual bool hasWrite(std::uint32_t channel) = 0;
};

struct FlowConfig {
    Stream stream = Stream::compute;
    MemoryOp op = MemoryOp::read;
    MemoryClient* client = nullptr;
    bool returnsData = false;          ///< call dataReturned one latency after service
    bool background = false;           ///< nothing waits for it, and it is not part of the GEMM's use of memory
    std::uint8_t kernel = kOwnKernel;  ///< the kernel to which the flow belongs (Span::peer)
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
    Duration pass;            ///< spent on a pass inside memory, not part of busy
};

/// The memory controller with its channels. Each channel has two unbounded streams, an arbiter, a bounded DRAM queue
/// and the DRAM behind it, which serves one request at a time in queue order and never interrupts one. Modelled: which
/// request waits behind which. Left out: the path between LLC and controller, whose latency the LLC adds. Because
/// service is in order and never interrupted, start and finish are known when a request enters the DRAM queue, so that
/// each pick costs only one event.
///
/// With banks and dram.look_ahead above 1 the arbiter still chooses a stream by its head. Of the stream's first requests
/// the one enters the DRAM queue whose first burst could start first, of several the oldest; a head that was overtaken
/// that many times is next.
class MemoryController {
public:
    /// `arbitration` is scheduled per channel in the arbitration phase, `returned` per channel in the completion phase.
    /// `mapping` is that of the experiment; null: DramMapping(experiment).
    MemoryController(const Experiment& experiment, EventPort arbitration, EventPort returned, Recorder* recorder,
                     std::shared_ptr<const DramMapping> mapping = nullptr);

    FlowId addFlow(const FlowConfig& flow);

    /// Appends a request to the flow's stream of `channel`, now.
    void enqueue(std::uint32_t channel, FlowId flow, std::uint32_t id, std::uint32_t bytes);

    /// Appends a request of zero bytes to the loads of `channel`. It keeps its place in the stream; when all requests
    /// before it have entered the DRAM queue it leaves the stream, and MemoryClient::served is called at that time.
    /// Returns false and does nothing if no load waits there.
    bool enqueueBehindLoads(std::uint32_t channel, FlowId flow, std::uint32_t id);

    /// Returns the bytes that wait in a stream, all channels together.
    std::int64_t waiting(Stream stream) const { return m_waiting[static_cast<std::size_t>(stream)]; }

    void arbitrate(std::uint32_t channel);
    void returnData(std::uint32_t channel);

    /// Sets the idle writer, which is asked for a write whenever the streams and the DRAM queue of a channel are empty.
    void setIdleWriter(IdleWriter& writer) { m_idleWriter = &writer; }
    /// Notifies the controller that the idle writer has a write for `channel`, which may be idle.
    void offerWrite(std::uint32_t channel);

    /// Fixes the automatic threshold of the arbiters, which depends on the share of the time since the GEMM's first
    /// load in which DRAM has served the GEMM, background traffic excluded. Call it at the end of the GEMM's first
    /// stage (T3, section 4.5).
    void fixThreshold();
    const Arbiter& arbiter(std::uint32_t channel) const { return m_channels[channel].arbiter; }

    /// Returns the region that begins at `firstAddress`, see MemoryRegion.
    MemoryRegion region(std::uint32_t firstAddress, MemoryRegion::Rule rule = MemoryRegion::Rule::plain,
                        std::uint32_t shift = 0) const {
        return {m_mapping.get(), firstAddress, channels(), rule, shift};
    }
    std::uint32_t channels() const { return static_cast<std::uint32_t>(m_channels.size()); }
    Duration latency() const { return m_latency; }
    const FlowStats& flow(FlowId flow) const { return m_flowStats[flow]; }
    /// Returns the served bytes of all flows but background traffic.
    Bytes servedBytes() const;
    ChannelStats channelStats(std::uint32_t channel) const { return m_channels[channel].stats; }
    /// Returns the bytes on which a pass inside memory has worked, which no bus carries.
    Bytes passedBytes() const;
    bool idle() const;
    /// Returns the outcomes of the bank model, all channels together; an empty optional with the sustained model.
    std::optional<DramOutcome> dramOutcome() const;
    /// Returns how unevenly the channels have been used, background traffic included.
    std::optional<CampingResult> camping() const { return m_camping.result(); }
    /// Returns when the last write or update accepted so far is in memory, one latency after its service.
    TimePoint lastLanding() const { return std::max(m_lastLanding[0], m_lastLanding[1]); }
    /// Returns the same of the own work, or of the companion.
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
        bool draining = false;    // write drain: stores are being served
        bool inPass = false;      // the last request was a piece of a pass inside memory
        std::int64_t passed = 0;  // bytes on which the pass has worked
        ChannelStats stats;
    };

    // What look-ahead knows of a stream.
    struct Ahead {
        RingFifo<DramPlace> places;  // of its requests
        std::int64_t overtaken = 0;  // times that its head was
    };
    // One for each stream of a channel.
    struct ChannelAhead {
        Ahead compute, computeStores, communication;
    };
    // The request of a stream that is next if its stream is.
    struct Candidate {
        Request seen;  // with the arrival of the stream's head
        std::size_t place = 0;
        bool exists = false;
    };

    RingFifo<Request>& computeHead(Channel& channel) const;
    Ahead& aheadOf(std::uint32_t index, const RingFifo<Request>& stream);
    Candidate candidateOf(std::uint32_t index, const RingFifo<Request>& stream);
    void pickAheadUntilFull(std::uint32_t index, Channel& channel);
    void take(std::uint32_t index, RingFifo<Request>& stream, std::size_t place);
    static ArbiterView viewOf(const Channel& channel, const RingFifo<Request>& compute);
    void pickUntilFull(std::uint32_t index, Channel& channel);
    void popCompute(RingFifo<Request>& stream);
    void writeWhenIdle(std::uint32_t index, Channel& channel);
    void serve(std::uint32_t index, Channel& channel, Stream stream, const Request& request, std::uint16_t part = 0,
               const DramPlace* known = nullptr);
    void servePass(std::uint32_t index, Channel& channel, const Request& request);
    void switchMode(std::uint32_t index, Channel& channel);
    TimePoint nextPick(const Channel& channel) const;
    void record(std::uint32_t index, const Request& request, TimePoint start, TimePoint finish, std::uint16_t part);
    void recordPlace(std::uint32_t index, const Request& request, const ServedPlace& place);
    void countWaiting(TimePoint now, Stream stream, std::int64_t change);

    EventPort m_arbitration;
    EventPort m_returned;
    Recorder* m_recorder;
    std::shared_ptr<const DramMapping> m_mapping;
    DramTiming m_timing;
    PassTiming m_passTiming;
    StoreOrder m_storeOrder;
    Duration m_latency;
    // What most runs do not need is behind one of these, which every request asks.
    bool m_hasBanks = false;
    bool m_looksAhead = false;
    bool m_hasPass = false;
    bool m_recordsPlaces = false;
    std::int64_t m_queueEntries;
    std::int64_t m_drainHigh;
    std::int64_t m_drainLow;
    IdleWriter* m_idleWriter = nullptr;
    std::optional<TimePoint> m_firstLoad;  // of the GEMM
    std::vector<FlowConfig> m_flows;
    std::vector<FlowStats> m_flowStats;
    std::vector<Channel> m_channels;
    std::vector<DramBanks> m_banks;     // by channel; empty under the sustained model
    std::int64_t m_lookAhead;           // requests of a stream that are looked at
    std::vector<ChannelAhead> m_ahead;  // by channel; empty unless that is more than one
    CampingCount m_camping;
    TimePoint m_lastLanding[2];          // of the own work, of a companion
    std::int64_t m_waiting[2] = {0, 0};  // bytes, by stream
};

}  // namespace engine
