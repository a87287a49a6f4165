#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/collective/address_maps.h"
#include "engine/collective/collective_kernel.h"
#include "engine/compute/gemm_kernel.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/background_traffic.h"
#include "engine/memory/last_level_cache.h"
#include "engine/memory/memory_controller.h"
#include "engine/memory/near_memory_update.h"
#include "engine/network/inbox.h"
#include "engine/network/network_port.h"
#include "engine/overlap/dma_engine.h"
#include "engine/overlap/output_router.h"
#include "engine/overlap/tracker.h"
#include "engine/run/program.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"

#include <memory>
#include <optional>
#include <string>

namespace engine {

class Recorder;

/// What one GPU is given and nobody changes. All but the experiment's own clock is the same on every GPU.
struct Workplace {
    const Experiment& experiment;
    Program program;
    const OutputLayout& layout;      ///< of what the collectives move
    const OutputLayout& output;      ///< of what the GEMM stores; the same but where it consumes what is gathered
    const TileGrid* grid = nullptr;  ///< null for a collective alone
    GemmSize gemm;
    const Topology& topology;
};

/// How a GPU is joined to the others. `sinks`: where its links end, in lanes' order; a mirrored GPU has one, to itself.
struct Attachment {
    std::vector<PacketSink*> sinks;
    bool loop = false;
};

/// When each part of one GPU's work began and ended.
struct GpuTimes {
    TimePoint start;
    TimePoint gemmStart, gemmEnd;
    TimePoint scatterStart, scatterEnd;
    TimePoint gatherStart, gatherEnd;
    TimePoint end;
};

/// Returns the times of `program` from the moments at which its parts began and ended.
TimeResult timesOf(const GpuTimes& times, const Program& program);

/// Returns the moments of all GPUs together: a part begins with the first GPU and ends with the last.
GpuTimes joined(const std::vector<GpuTimes>& gpus);

/// One GPU: a logical process with its own event queue, its components, and the order of its phases: GEMM, then or
/// meanwhile reduce-scatter or all-to-all, then all-gather; or all-gather, then or meanwhile the GEMM that reads what it
/// brings. Other GPUs are reached only through the outgoing links' sinks.
class Gpu final : public TileSink, public TileSource, public OutputObserver, public CollectiveKernel::Observer {
public:
    /// `recorder` may be null.
    Gpu(const Workplace& place, std::uint32_t index, const Attachment& attachment, Recorder* recorder);
    ~Gpu() override;
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    /// Begins now, or later by its start skew.
    void begin();

    /// Handles events up to, not including, `limit`; at most `count` of them. Returns how many.
    std::int64_t advance(TimePoint limit, std::int64_t count);

    /// After the last event: a GPU has ended when its own part is in memory and all that it sends itself has left.
    void settle();

    EventQueue& queue() { return m_queue; }
    PacketSink& inbox() { return m_inbox; }
    bool finished() const { return m_finished; }
    bool scattersByDma() const { return m_scatter != nullptr; }
    bool gathersByDma() const { return m_gather != nullptr; }
    const GpuTimes& times() const { return m_times; }

    /// Fraction of this GPU's work that is done, 0 to 1.
    double progress() const;

    GpuResult result() const;
    const MemoryController& memory() const { return m_memory; }
    Bytes receivedBytes() const { return m_received; }
    bool drained() const;
    /// Updates that landed after all that their tile was to get; must be 0.
    std::int64_t surplusUpdates() const;
    std::string describeWaiting() const;

private:
    // The tracker, DMA engine and near-memory updates that carry one collective by themselves.
    struct Carrier;
    enum class Target : std::uint8_t;

    EventPort port(Phase phase, Target target) { return {m_queue, phase, static_cast<EventTarget>(target)}; }
    std::unique_ptr<Carrier> makeCarrier(AddressMap map, Target first, PacketKind packets);
    std::unique_ptr<CollectiveKernel> makeKernel(CollectiveKind kind, Target issue);
    NetworkPort makePort(const Attachment& attachment, Recorder* recorder) const;
    TileOrder orderOf(const AddressMap& map) const;
    void makeProducer();
    void beginWork();
    void beginGemm();
    void gatherTileClosed(std::uint32_t tile);
    void handle(const EventQueue::Event& event);
    void onArrivals();
    void recordArrival(const Packet& packet, std::uint32_t tile);
    void gemmEnded();
    void beginScatter();
    void scatterEnded();
    void beginGather();
    void gatherEnded();
    void finish();
    bool sideBySide() const;

    bool storeTile(std::uint32_t tile) override;
    void allTilesStored() override;
    bool inputReady(std::uint32_t tile) const override;
    void firstChunkStored() override;
    void tileReleased(std::uint32_t tile) override;
    void outputLandsAt(TimePoint end) override;
    void collectiveEnded(CollectiveKind kind) override;

    const Workplace& m_place;
    std::uint32_t m_index;
    RingSchedule m_ring;
    Program m_program;
    Recorder* m_recorder;
    EventQueue m_queue;
    MemoryController m_memory;
    NetworkPort m_network;
    Inbox m_inbox;
    std::vector<Bandwidth> m_incoming;  // of the links that end here, by lane
    AddressMap m_outputMap;
    std::unique_ptr<LastLevelCache> m_cache;
    std::unique_ptr<Carrier> m_scatter;  // reduce-scatter or all-to-all, fused or alone, by tracker and DMA
    std::unique_ptr<Carrier> m_gather;   // alone, by tracker and DMA
    std::unique_ptr<OutputRouter> m_router;
    std::unique_ptr<GemmKernel> m_gemm;
    std::unique_ptr<CollectiveKernel> m_scatterKernel;
    std::unique_ptr<CollectiveKernel> m_gatherKernel;
    std::unique_ptr<BackgroundTraffic> m_background;
    std::vector<std::uint32_t> m_tilesToGather;  // by chunk; empty where the GEMM waits for none
    bool m_begun = false;
    bool m_gemmDone = true;
    bool m_scatterDone = true;
    bool m_gatherDone = false;
    bool m_finished = false;
    Bytes m_received;
    GpuTimes m_times;
};

}  // namespace engine
