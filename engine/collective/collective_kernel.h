#pragma once

#include "engine/api/experiment.h"
#include "engine/collective/collective_schedule.h"
#include "engine/collective/copy_queue.h"
#include "engine/collective/received_pieces.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"
#include "engine/memory/memory_controller.h"
#include "engine/network/network_port.h"
#include "engine/network/send_window.h"
#include "engine/overlap/collective_work.h"
#include "engine/overlap/produced_output.h"
#include "engine/workload/output_layout.h"
#include "engine/workload/tile_walk.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

class Recorder;

/// Returns whether a kernel receives into buffers of their own, one for each copy of a chunk: a reduction on CUs reads
/// them, and copies out of buffers (collective.staging) as well; exchanged data stay there. `byCopies`: as of
/// CollectiveWork.
bool receivesBesideOutput(const Experiment& experiment, CollectiveKind kind, bool byCopies);

/// A collective that runs as a kernel of its own, by its schedule, with one barrier per GPU: a step starts when all
/// data of the step before have been received. It bypasses the LLC and uses the memory controller's communication
/// stream and the links like all other traffic, so that its time is an outcome of the simulation.
///
/// Reduce-scatter on CUs: a chunk that has received nothing yet is read and sent; later ones are read with every
/// received copy, added and sent; arrivals are written beside the GPU's own data; a chunk that stays is read with its
/// copies, added and written.
/// Reduce-scatter with NMC: each chunk is read once and sent as updates; there is no final reduce.
/// All-gather and all-to-all: a chunk is read once and sent to every GPU that needs it; arrivals are written.
/// All-reduce in one pass: every chunk is read and sent to the switch; its sum comes back and is written.
/// With buffers (collective.staging): arrivals that are not added here are written to a buffer, read and written
/// again, and a chunk is read once for every GPU that needs it.
///
/// Beside the GEMM whose output it moves (readFrom) it takes the granules in the order in which the GEMM produces
/// their tiles; a chunk whose next tile is not in memory misses its turn.
/// By copies (CollectiveWork::byCopies) DMA engines send in the place of CUs: see CopyQueue. A chunk is read once for
/// each GPU that needs it, and arrivals are written where a kernel's are. Only the sums of a reduce-scatter need a kernel.
/// It asks for its CUs when all copies have come and all of the own data are there.
///
/// Modelled:
/// - the rate at which the kernel's CUs can send: a granule is issued when the CUs have spent its time on it; granules
///   of a step's chunks take turns; the CUs stay busy from step to step, so that the pace does not depend on the
///   granule. Each workgroup that has room counts for one CU;
/// - a window, for each link, of bytes that have been read and have not left the GPU: a chunk whose link is full misses
///   its turn;
/// - the pieces in which it takes what arrives, see ReceivedPieces; a sum that stays is added up piece by piece;
/// - the end of the kernel, when all that it receives is in memory and all that it sends has left the GPU.
///
/// Left out: the kernel's own instructions.
class CollectiveKernel final : public MemoryClient, private CopyQueue::Reader {
public:
    struct Ports {
        EventPort issue;     ///< dispatch phase; see onIssue
        EventPort received;  ///< index: step, or the number after the last step for the kernel's end; completion phase
        /// Bandwidth of the links that end at the GPU, by port; read with collective.piece only.
        const std::vector<Bandwidth>* incoming = nullptr;
        std::optional<EventPort> copy{};  ///< see onCopy; trigger phase; by copies only
    };
    class Observer {
    public:
        virtual ~Observer() = default;
        virtual void collectiveEnded(std::uint8_t stage) = 0;
        /// By copies: the sums need CUs; roomChanged answers.
        virtual void needsRoom([[maybe_unused]] std::uint8_t stage) {}
        /// A gathered chunk is in memory; see announceChunks.
        virtual void chunkCame([[maybe_unused]] std::uint8_t stage, [[maybe_unused]] std::uint32_t chunk) {}
    };

    /// `stage`: its number in the program, which its packets carry.
    CollectiveKernel(const Experiment& experiment, CollectiveKind kind, std::uint8_t stage, const CollectiveWork& work,
                     RingSchedule ring, const Ports& ports, MemoryController& memory, NetworkPort& network,
                     Observer& observer, Recorder* recorder);

    /// Begins the kernel, which has been launched. All its workgroups have room, unless roomChanged gave another
    /// number. By copies it begins without CUs.
    void begin();
    /// Reads this GPU's own data only when `source` says that they are there, tile by tile in the order of `walk`. Call
    /// before `begin`; both must outlive the kernel.
    void readFrom(const ProducedOutput& source, const TileWalk& walk);
    /// Goes on after more of the own data have come.
    void dataCame();
    /// Tells the observer when each gathered chunk is in memory. Call before `begin`.
    void announceChunks() { m_landedOfChunk.resize(m_layout.chunks()); }
    /// By copies: one of them is due; `index` as in CopyQueue::onDue.
    void onCopy(std::uint32_t index);
    /// Sets the number of its workgroups that have room from now on, at least one. The granule on which the CUs are at
    /// work takes its previous time. Sums that waited for CUs begin.
    void roomChanged(std::int64_t workgroups);
    /// Sets the clock of its CUs from now on. It scales the pace, which is set for cu.clock, and the granule on which
    /// the CUs are at work keeps what they have done of it.
    void clockChanged(Frequency clock);
    /// Index 0: the CUs have finished their current granule. Index 1: bytes of a window have left. Index 2: granules in
    /// buffers are to be copied.
    void onIssue(std::uint32_t index);
    void onReceived(std::uint32_t step);
    void arrive(const Packet& packet);

    std::uint32_t address(FlowId flow, std::uint32_t id) const override;
    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;
    void dataReturned(FlowId flow, std::uint32_t id, std::uint32_t bytes) override;

    Bytes readBytes() const;
    Bytes writtenBytes() const;
    Bytes sentBytes() const { return m_sent; }
    DmaResult copies() const { return m_queue ? m_queue->stats() : DmaResult{}; }

    /// Describes what it waits for, for the message of a deadlock.
    std::string describeWaiting() const;

private:
    struct Received {
        std::int64_t bytes = 0;  // bytes that have landed or will land
        std::int64_t expected = 0;
        TimePoint last;  // latest of these landings
        bool complete = false;
    };
    // The data of a chunk that this GPU sends in one step.
    struct Outgoing {
        const Transfer* transfer = nullptr;  // null: it sends none
        std::uint32_t copies = 0;            // received copies that are added first
    };

    // A read of this GPU's own copy: for all receivers of the step, or for one of them.
    struct OwnRead {
        std::uint32_t step = 0;
        std::uint32_t receiver = kNone;  // its place in Transfer::to; kNone: all
    };
    // A granule in a buffer that is to be copied from `when` on.
    struct Copy {
        TimePoint when;
        std::uint32_t order = 0;
        std::uint32_t id = 0;
        std::uint32_t bytes = 0;
    };
    static bool later(const Copy& a, const Copy& b) { return a.when != b.when ? a.when > b.when : a.order > b.order; }

    // A request's id consists of the granule and, in the bits above it, a number. For a received copy the number is
    // that of the copy, from 1; for this GPU's own copy it is that of the read in m_ownReads.
    static constexpr std::uint32_t kNumberShift = 24;
    static constexpr std::uint32_t kWindowHasRoom = 1;  // indices of Ports::issue
    static constexpr std::uint32_t kCopyIsDue = 2;
    static std::uint32_t granuleOf(std::uint32_t id) { return id & ((1u << kNumberShift) - 1); }
    static std::uint32_t numberOf(std::uint32_t id) { return id >> kNumberShift; }

    void readSchedule();
    std::size_t packetsOf(std::uint32_t step, std::uint32_t granule) const {
        return outgoing(step, granule).transfer->packets().size();
    }
    void addReceipt(std::uint32_t step, const Receipt& receipt);
    void numberReads();
    std::uint32_t lastStep() const { return static_cast<std::uint32_t>(m_schedule.steps.size()); }
    const Outgoing& outgoing(std::uint32_t step, std::uint32_t granule) const {
        return m_outgoing[std::size_t{step - 1} * m_layout.chunks() + chunkOf(granule)];
    }
    void beginStep(std::uint32_t step);
    void addCopies();
    void offerCopies();
    void readForCopy(std::uint32_t granule, std::uint32_t receiver) override;
    void beginSums();
    bool issued() const { return m_left == 0; }
    void issueOn();
    std::optional<std::uint32_t> nextGranule();
    struct Cursor;
    bool hasNext(Cursor& cursor) const;
    bool isThere(std::uint32_t granule) const {
        return m_source == nullptr || m_source->inputReady(m_layout.tileOf(granule));
    }
    void take();
    void issueGranule(std::uint32_t granule);
    void read(std::uint32_t step, std::uint32_t granule);
    bool addsPieces() const { return !m_added.empty(); }
    bool isAdded(std::uint32_t granule) const { return addsPieces() && m_added[granule]; }
    // Returns whether this GPU keeps the sum of a chunk to which others contribute.
    bool keepsSum(std::uint32_t chunk) const {
        return m_sumStep[chunk] != 0 &&
               m_outgoing[std::size_t{m_sumStep[chunk] - 1} * m_layout.chunks() + chunk].transfer->to.empty();
    }
    void addPiece(std::uint32_t granule);
    void setPace();
    Duration paceOf(std::uint32_t granule);
    void placeCopies();
    const MemoryRegion& regionOf(FlowId flow, std::uint32_t id) const;
    std::uint32_t channelOf(FlowId flow, std::uint32_t id) const;
    void enqueue(FlowId flow, std::uint32_t id, std::uint32_t bytes);
    std::uint32_t chunkOf(std::uint32_t granule) const { return m_layout.chunkOf(m_layout.tileOf(granule)); }
    void send(std::uint32_t granule, std::uint32_t bytes, const Transfer& transfer, std::uint32_t receiver);
    void arrivalServed(std::uint32_t id, std::uint32_t bytes, TimePoint landing);
    void handle(std::uint32_t id, std::uint32_t bytes, TimePoint when);
    void copyDue();
    void countReceived(std::uint32_t id, std::uint32_t bytes, TimePoint when);
    void noteChunk(std::uint32_t chunk, std::uint32_t bytes, TimePoint when);
    void advance();
    void endWhenSent();
    void end();
    void recordStep(TimePoint end);
    void recordArrival(std::uint32_t granule) const;
    void recordLanding(SpanKind kind, std::uint32_t channel, std::uint32_t granule, std::uint32_t bytes,
                       TimePoint when) const;

    CollectiveSchedule m_schedule;
    std::uint8_t m_stage;
    const OutputLayout& m_layout;
    std::uint8_t m_kernel;
    RingSchedule m_ring;
    Ports m_ports;
    MemoryController& m_memory;
    MemoryRegion m_region;  // of this GPU's own data
    // By received copy: buffers, from which the data are added or copied, and places where exchanged data stay.
    std::vector<MemoryRegion> m_buffers, m_exchanged;
    NetworkPort& m_network;
    Observer& m_observer;
    Recorder* m_recorder;
    bool m_reducesOnCus;
    bool m_readsForEach;  // a chunk for several GPUs is read once for each
    bool m_copies;        // arrivals are copied out of buffers
    Duration m_startLatency;
    std::optional<Bandwidth> m_cuBandwidth;  // empty: unlimited
    std::int64_t m_workgroups;               // workgroups that have room
    Frequency m_usualClock, m_clock;         // for which the bandwidth of a CU is set, and now
    bool m_clockHasChanged = false;          // events of granules that took another time may be pending
    std::optional<CarryingRate> m_pace;      // empty: unlimited
    SendWindow m_window;
    FlowId m_readFlow;                           // of this GPU's copy
    FlowId m_otherRead;                          // reads of received copies, the other operands of an addition
    FlowId m_writeFlow;                          // arrivals
    FlowId m_resultFlow;                         // the final reduce
    FlowId m_bufferWrite = 0, m_bufferRead = 0;  // arrivals on their way through buffers; only if they are copied
    std::vector<Outgoing> m_outgoing;            // by step and chunk
    std::vector<std::uint32_t> m_sumStep;        // by chunk: the step in which received copies are added
    std::vector<std::vector<std::uint32_t>> m_stepOfCopy;  // by chunk and copy: the step in which it comes
    std::vector<std::vector<std::uint32_t>>
        m_sourceOfCopy;                      // by chunk and copy: the GPU from which it comes; N: the switch
    std::vector<std::uint8_t> m_copyFrom;    // by source and chunk: the number of the copy that arrives from there
    std::vector<std::uint32_t> m_firstRead;  // by step: the number of its first read
    std::vector<OwnRead> m_ownReads;         // by number
    std::optional<ReceivedPieces> m_pieces;  // empty: what arrives is handled granule by granule
    std::vector<std::uint8_t> m_portOf;      // by source: the port of the link by which its data arrive
    // By granule, if sums that stay are added up piece by piece: contributions that have been handled; whether the
    // operands of the sum have been asked for.
    std::vector<std::uint8_t> m_handledCopies;
    std::vector<bool> m_added;
    std::vector<Copy> m_dueCopies;  // a heap by later
    std::uint32_t m_copyOrder = 0;
    std::vector<std::uint8_t> m_operandsBack;  // by granule: how many of its operands have been read

    // The granules of a chunk that are still to be issued: [next, end), then those of the tiles at the places
    // [place, lastPlace) of the walk.
    struct Cursor {
        std::uint32_t next = 0;
        std::uint32_t end = 0;
        std::uint32_t place = 0, lastPlace = 0;
    };
    std::optional<CopyQueue> m_queue;            // by copies
    std::vector<std::uint32_t> m_copiesToOffer;  // whose data are not there, in the order in which they will be
    bool m_needsRoom = false;                    // the sums wait for CUs
    struct Landed {
        std::int64_t bytes = 0;
        TimePoint last;
    };
    std::vector<Landed> m_landedOfChunk;  // by chunk; empty unless they are announced

    const ProducedOutput* m_source = nullptr;  // null: the own data are there from the beginning
    const TileWalk* m_walk = nullptr;
    bool m_linksAreFull = false;    // nextGranule has found a granule whose link is full
    std::uint32_t m_step = 0;       // 0: not begun
    std::vector<Cursor> m_issuing;  // the step's chunks
    std::uint32_t m_turn = 0;
    std::uint32_t m_left = 0;               // granules that the step has still to issue
    std::optional<std::uint32_t> m_inHand;  // the granule on which the CUs are at work
    TimePoint m_busyUntil;                  // when the CUs finish their current granule
    std::vector<Received> m_received;       // by step
    std::uint32_t m_sumsLeft = 0;           // granules of kept chunks whose sums are not in memory
    TimePoint m_stepStartedAt;
    TimePoint m_lastLanding;
    Bytes m_sent;
    Bytes m_toSend;  // bytes that the whole schedule sends
    TimePoint m_lastDeparture;
    bool m_ending = false;  // only its last packets have to leave, or its last sums have to be written
};

}  // namespace engine
