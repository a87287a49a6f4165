#pragma once

#include "engine/memory/memory_controller.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace engine {

class Recorder;

enum class UpdateSource : std::uint8_t { local, arriving };

/// Decides which updates may enter memory now, and is notified of each that will land. The tracker implements it.
class UpdateGate {
public:
    virtual ~UpdateGate() = default;

    /// Returns whether updates of `tile` from `source` may enter their stream now. After false the caller holds the
    /// tile's updates back until the gate calls NearMemoryUpdate::release(tile), which it must do eventually.
    virtual bool admit(std::uint32_t tile, UpdateSource source) = 0;

    /// DRAM has accepted an update of `granule`. It lands at `when`, in the future: one DRAM latency after its service.
    virtual void landed(std::uint32_t granule, std::uint32_t bytes, UpdateSource source, TimePoint when) = 0;
};

/// The buffer, unlimited or of a given size, in which one GPU holds arriving updates that the gates of its collectives
/// do not admit.
class HeldUpdates {
public:
    HeldUpdates(std::optional<Bytes> bound, const EventQueue& clock, Recorder* recorder)
        : m_bound(bound), m_clock(clock), m_recorder(recorder) {}

    bool hasRoom(std::uint32_t bytes) const { return !m_bound || m_bytes.count + bytes <= m_bound->count; }
    void add(std::int64_t bytes);
    void remove(std::int64_t bytes) { add(-bytes); }

private:
    std::optional<Bytes> m_bound;
    const EventQueue& m_clock;
    Recorder* m_recorder;
    Bytes m_bytes;
};

/// Is notified of tiles that it stores as local updates.
class UpdateStoreClient {
public:
    virtual ~UpdateStoreClient() = default;
    /// A tile's stores that had been held back have entered their stream.
    virtual void storeReleased(std::uint32_t tile) = 0;
    /// DRAM has accepted a local update. It lands at `finish`, which is in the future.
    virtual void storeLanded(std::uint32_t bytes, TimePoint finish) = 0;
};

/// Near-memory compute: stores and arriving transfers enter memory as op-and-store updates, without a read and without
/// a CU. Modelled: the stream in which they wait, the cost of an update in DRAM, and the buffer for updates that the
/// gate does not admit. That buffer is outside the streams, so that its updates never block later requests. Left out:
/// the adders themselves, which are faster than the banks beside which they stand.
class NearMemoryUpdate final : public MemoryClient {
public:
    /// `arrivingOp` is update if arrivals are reduced, and write if they are only copied (all-gather). `kernel`: the
    /// kernel to which the updates belong, as in Span::peer. `firstAddress`: address of the first granule, see
    /// address_space.h.
    NearMemoryUpdate(const OutputLayout& layout, MemoryController& memory, UpdateGate& gate, HeldUpdates& buffer,
                     MemoryOp arrivingOp, std::uint8_t kernel = kOwnKernel, std::uint32_t firstAddress = 0);

    /// Sets the client of `store`. Call it before the first `store`.
    void setStoreClient(UpdateStoreClient& client) { m_stores = &client; }

    /// Stores a workgroup's `tile`. Returns false if the gate holds it back; the workgroup then keeps its slot.
    bool store(std::uint32_t tile);

    /// Takes a granule that has arrived by the link. Returns false if the gate holds it back and the buffer has no room
    /// for it.
    [[nodiscard]] bool arrive(std::uint32_t granule);

    /// The gate now admits `tile`: its held updates are appended to the end of their stream.
    void release(std::uint32_t tile);

    Bytes heldPeak() const { return m_heldPeak; }
    bool holdsNothing() const { return m_held.empty(); }
    FlowId localFlow() const { return m_localFlow; }
    FlowId arrivingFlow() const { return m_arrivingFlow; }

    /// Returns the channel that serves the updates of a granule.
    std::uint32_t channelOf(std::uint32_t granule) const {
        return m_region.channel(granule, m_layout.indexInChunk(granule));
    }
    std::uint32_t address(FlowId, std::uint32_t id) const override { return m_region.address(id); }
    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;

private:
    struct Held {
        bool local = false;
        std::vector<std::uint32_t> granules;
    };

    void enqueue(FlowId flow, std::uint32_t granule);
    void enqueueTile(std::uint32_t tile);

    const OutputLayout& m_layout;
    MemoryController& m_memory;
    UpdateGate& m_gate;
    HeldUpdates& m_buffer;
    UpdateStoreClient* m_stores = nullptr;
    MemoryRegion m_region;
    FlowId m_localFlow;
    FlowId m_arrivingFlow;
    // By tile; looked up, never walked: walking it would let hash order decide event order.
    std::unordered_map<std::uint32_t, Held> m_held;
    Bytes m_heldNow, m_heldPeak;
};

}  // namespace engine
