#pragma once

#include "engine/api/experiment.h"
#include "engine/collective/ring_map.h"
#include "engine/kernel/event_queue.h"
#include "engine/kernel/rate.h"
#include "engine/memory/memory_controller.h"
#include "engine/network/link.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

enum class RingOperation : std::uint8_t { reduceScatter, allGather };

/// A ring collective that runs as a kernel of its own, in N-1 steps with a barrier per GPU: a step starts when all
/// of the step before has been received. It bypasses the LLC and goes through the memory controller's communication
/// stream and the links like everything else, so that its time is an outcome.
/// Reduce-scatter on CUs: the first step reads and sends the local copy, later steps read the received and the local
/// copy, add and send; arrivals are written; at the end the own chunk is read twice, added and written once.
/// Reduce-scatter with NMC: each step reads one chunk and sends it as updates; there is no final reduce.
/// All-gather: each step reads one chunk and sends it; arrivals are written.
/// Modelled: the rate at which the kernel's CUs can send, as a pace at which it issues granules. Left out: the
/// kernel's own instructions.
class RingKernel final : public MemoryClient {
public:
    struct Ports {
        EventPort issue;     ///< dispatch phase
        EventPort received;  ///< per step, completion phase
    };
    class Observer {
    public:
        virtual ~Observer() = default;
        virtual void ringKernelEnded(RingOperation operation) = 0;
    };

    RingKernel(const Experiment& experiment, RingOperation operation, const OutputLayout& layout, RingSchedule ring,
               const Ports& ports, MemoryController& memory, Link& link, Observer& observer, Recorder* recorder);

    void begin();
    void onIssue();
    void onReceived(std::uint32_t step);
    void arrive(const Packet& packet);

    std::uint32_t address(FlowId flow, std::uint32_t id) const override;
    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;
    void dataReturned(FlowId flow, std::uint32_t id, std::uint32_t bytes) override;

    bool ended() const { return m_ended; }
    TimePoint startedAt() const { return m_startedAt; }
    Bytes readBytes() const;
    Bytes writtenBytes() const;
    Bytes sentBytes() const { return m_sent; }

    /// For the message of a deadlock.
    std::string describeWaiting() const;

private:
    struct Received {
        std::int64_t bytes = 0;  // landed or about to land
        TimePoint last;          // latest of these landings
        bool complete = false;
    };

    bool isFinalReduce() const { return m_step == m_ring.gpus; }
    std::uint32_t sentChunk(std::uint32_t step) const;
    std::uint32_t receivedChunk(std::uint32_t step) const;
    void beginStep(std::uint32_t step);
    void issueGranule();
    std::uint32_t channel(std::uint32_t granule) const;
    std::uint32_t bufferChannel(std::uint32_t granule) const;
    void advance();
    void endAt(TimePoint time) const;
    void end();
    void recordStep(TimePoint end);
    void recordArrival(std::uint32_t granule) const;
    void recordLanding(SpanKind kind, std::uint32_t channel, std::uint32_t granule, std::uint32_t bytes,
                       TimePoint when) const;

    RingOperation m_operation;
    const OutputLayout& m_layout;
    RingSchedule m_ring;
    Ports m_ports;
    MemoryController& m_memory;
    Link& m_link;
    Observer& m_observer;
    Recorder* m_recorder;
    bool m_reducesOnCus;
    Duration m_startLatency;
    std::optional<CarryingRate> m_pace;  // nothing: unlimited
    FlowId m_readFlow;                   // of this GPU's copy
    FlowId m_otherRead;                  // of what was received, the other operand of an addition
    FlowId m_writeFlow;                  // arrivals
    FlowId m_resultFlow;                 // the final reduce
    std::uint32_t m_channelMask;
    std::vector<bool> m_operandBack;  // by granule: one of its two operands has been read

    std::uint32_t m_step = 0;  // 0: not begun; N: the final reduce
    std::uint32_t m_nextGranule = 0;
    std::uint32_t m_endGranule = 0;
    std::vector<Received> m_received;  // by step
    std::uint32_t m_resultsLeft = 0;
    TimePoint m_startedAt;
    TimePoint m_stepStartedAt;
    TimePoint m_lastLanding;
    Bytes m_sent;
    bool m_ended = false;
};

}  // namespace engine
