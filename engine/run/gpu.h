#pragma once

#include "engine/api/experiment.h"
#include "engine/api/results.h"
#include "engine/collective/address_maps.h"
#include "engine/collective/collective_kernel.h"
#include "engine/compute/compute_units.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/access_pattern.h"
#include "engine/memory/background_traffic.h"
#include "engine/memory/in_memory_pass.h"
#include "engine/memory/last_level_cache.h"
#include "engine/memory/memory_controller.h"
#include "engine/memory/near_memory_update.h"
#include "engine/network/inbox.h"
#include "engine/network/network_port.h"
#include "engine/network/update_sender.h"
#include "engine/overlap/dma_engine.h"
#include "engine/overlap/output_router.h"
#include "engine/overlap/produced_output.h"
#include "engine/overlap/tracker.h"
#include "engine/overlap/update_receiver.h"
#include "engine/run/plan.h"
#include "engine/run/program.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/output_layout.h"

#include <memory>
#include <optional>
#include <string>

namespace engine {

class Recorder;

/// The immutable inputs of one GPU. All but the clock in its experiment are the same on every GPU.
struct Workplace {
    const Experiment& experiment;
    const Program& program;
    const OutputLayout& layout;  ///< layout of the data that the collectives move
    /// Layout of the GEMM's output; differs from `layout` only if the GEMM consumes gathered data.
    const OutputLayout& output;
    const TileGrid* grid = nullptr;  ///< null for a collective alone
    const TileWalk& walk;            ///< order of the GEMM's workgroups
    GemmSize gemm;
    const Topology& topology;
    const CompanionPlan* companion = nullptr;    ///< null without a companion
    std::shared_ptr<const DramMapping> mapping;  ///< of the data in memory
    std::uint32_t workgroups = kNone;          ///< number of the GEMM's first workgroups that are simulated; kNone: all
    const AccessRequests* accesses = nullptr;  ///< requests of a request file; null without one
};

/// How a GPU is connected to the others. `sinks`: the receivers at the ends of its links, in the order of ports. A
/// mirrored GPU has one sink, to itself; all its links end there if a companion sends to several GPUs. `credits`: the
/// receiver of the credits that it gives; null for a switch.
struct Attachment {
    std::vector<PacketSink*> sinks;
    CreditSink* credits = nullptr;
    bool loop = false;

    bool isOneLink() const { return loop && sinks.size() == 1; }
};

struct StageTimes {
    TimePoint start, end;
};

/// When one GPU's work and each of its stages began and ended.
struct GpuTimes {
    TimePoint start;
    std::vector<StageTimes> stages;  ///< by the number of the stage in the program
    TimePoint done;                  ///< end of the last stage
    TimePoint end;                   ///< when all that the GPU itself sends and writes has left and landed as well
    TimePoint ownEnd, companionEnd;  ///< `end` of the own work, and of the companion's
};

/// Returns the times of `program` from the times at which its stages began and ended.
TimeResult timesOf(const GpuTimes& times, const Program& program);

/// Returns the times of all GPUs together: a stage begins with the first GPU and ends with the last.
GpuTimes joined(const std::vector<GpuTimes>& gpus);

/// One GPU: a logical process with its own event queue and components, which runs through the stages of a program. It
/// reaches other GPUs only through the sinks of its outgoing links.
class Gpu final : public ComputeObserver, public TileSource, public OutputObserver, public CollectiveKernel::Observer {
public:
    /// `recorder` may be null.
    Gpu(const Workplace& place, std::uint32_t index, const Attachment& attachment, Recorder* recorder);
    ~Gpu() override;
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    /// Begins the work now, or later by its start skew.
    void begin();

    /// Handles at most `count` events before `limit`. Returns how many it handled.
    std::int64_t advance(TimePoint limit, std::int64_t count);

    /// Determines the end of the GPU's work. Call after the last event: a GPU has ended when its own part is in memory
    /// and all that it sends itself has left.
    void settle();

    EventQueue& queue() { return m_queue; }
    PacketSink& inbox() { return m_inbox; }
    CreditSink& creditInbox() { return m_credits; }
    bool finished() const { return m_finished; }
    /// Returns the address map of a stage that tracker and DMA carry out.
    const AddressMap& map(StageId stage) const { return m_stages[stage].map; }
    const GpuTimes& times() const { return m_times; }
    /// Returns the pieces of the own GEMM with their times; empty unless policy.start is `by-piece`.
    const std::vector<PieceTimes>& pieces() const { return m_pieceTimes; }

    /// Returns the fraction of this GPU's work that is done, 0 to 1.
    double progress() const;

    GpuResult result() const;
    const MemoryController& memory() const { return m_memory; }
    const ComputeUnits& units() const { return m_units; }
    Bytes receivedBytes() const { return m_received; }
    bool drained() const;
    /// Returns the number of updates that landed although their tile already had all its updates; must be 0.
    std::int64_t surplusUpdates() const;
    std::string describeWaiting() const;

private:
    struct StageState {
        // A stage is one of five: the GEMM, whose parts are members of the GPU; a kernel; tracker and DMA; a pass inside
        // memory; or an access pattern.
        std::unique_ptr<AccessPattern> access;
        std::unique_ptr<CollectiveKernel> kernel;
        AddressMap map;
        TileWalk walk;  // the order of the tiles that the map expects, if no GEMM stores them
        std::unique_ptr<Tracker> tracker;
        std::unique_ptr<NearMemoryUpdate> updates;
        std::unique_ptr<DmaEngine> dma;
        std::unique_ptr<InMemoryPass> pass;
        std::vector<KernelId> kernels;  // kernels on the compute units: one, or each copy of a companion GEMM
        std::uint32_t gemm = kNone;     // the first of its GEMMs, counted on the compute units
        std::uint32_t gemmsLeft = 0;    // GEMMs whose output has not landed
        Bytes received;                 // bytes that a collective has received
        TimePoint launchAt = kNever;    // time at which its kernels will be launched; else kNever
        bool begun = false;
        bool ended = false;
        bool hasRoom = false;  // workgroups of the kernel have room
        bool kernelBegun = false;
    };
    // An event's target consists of what happens and, for a collective, the stage.
    enum class What : std::uint8_t;
    static constexpr unsigned kWhatBits = 5;

    EventPort port(Phase phase, What what, StageId stage = 0) {
        return {m_queue, phase, static_cast<EventTarget>(static_cast<unsigned>(what) | unsigned{stage} << kWhatBits)};
    }
    void makeCarrier(StageId stage);
    void makeKernel(StageId stage);
    void makeAccess(StageId stage);
    NetworkPort makePort(const Attachment& attachment, Recorder* recorder) const;
    TileOrder orderOf(StageId stage);
    void makeProducer(StageId stage);
    TileOrder producerOrder() const;
    std::vector<std::uint32_t> producerPieces() const;
    void followOutput(StageId gemm);
    void beginKernel(StageId id);
    // Returns whether the pieces of the own GEMM read chunks that copies bring.
    bool piecesWait() const {
        return m_place.program.consumes() && m_place.experiment.policy.start == CommunicationStart::byPiece;
    }
    std::uint32_t queues() const { return static_cast<std::uint32_t>(m_place.experiment.policy.queues); }
    void offerPiece(std::uint32_t piece);
    void launchPiece(std::uint32_t piece);
    void partLanded(std::uint32_t part);
    void signalled(std::uint32_t part);
    void makeCompanionGemms(StageId stage);
    void addGemm(StageId stage, const GemmSetting& setting, std::vector<std::uint32_t> pieceEnds = {});
    void makeCache();
    void makeRouter(StageId stage, const OutputLayout& layout, const AddressMap& map, std::uint8_t kernel);
    const OutputLayout& layoutOf(StageId id) const {
        return stage(id).companion ? m_place.companion->layout : m_place.layout;
    }
    // Returns the access pattern, which is the only stage of its program; null without one.
    const AccessPattern* accessPattern() const { return m_stages.empty() ? nullptr : m_stages.front().access.get(); }
    const Stage& stage(StageId id) const { return m_place.program.stages[id]; }
    CollectiveWork workOf(StageId id) const { return collectiveWorkOf(m_place.experiment, stage(id), layoutOf(id)); }
    void beginWork();
    void advanceProgram();
    bool mayBegin(StageId id) const;
    void beginStage(StageId id);
    void launch(StageId id);
    void onLaunched();
    void stageEnded(StageId id);
    void noteFirstSend(StageId id);
    void noteFirstEnd(StageId id);
    double doneShare(StageId id) const;
    Duration waitForRoom(bool companion) const;
    CompanionPart companionPart() const;
    TimePoint settled(bool companion);
    void tileClosed(StageId id, std::uint32_t tile);
    void accessServed(StageId id);
    void handle(const EventQueue::Event& event);
    void handleOfStage(What what, StageId id, std::uint32_t index);
    void onArrivals();
    void recordContributions(const Packet& packet);
    void recordArrival(const Packet& packet, std::uint32_t tile);

    bool storeTile(std::uint32_t gemm, std::uint32_t tile) override;
    void allTilesStored(std::uint32_t gemm) override;
    void roomTaken(KernelId kernel, std::uint32_t workgroups) override;
    void gemmResident(bool resident) override;
    bool inputReady(std::uint32_t tile) const override;
    void firstChunkStored(std::uint32_t gemm) override;
    void tileReleased(std::uint32_t gemm, std::uint32_t tile) override;
    void outputLandsAt(std::uint32_t gemm, TimePoint end) override;
    void partLandsAt(std::uint32_t part, TimePoint when) override;
    void collectiveEnded(StageId stage) override;
    void needsRoom(StageId stage) override;
    void chunkCame(StageId stage, std::uint32_t chunk) override;

    const Workplace& m_place;
    std::uint32_t m_index;
    RingSchedule m_ring;
    Recorder* m_recorder;
    EventQueue m_queue;
    MemoryController m_memory;
    NetworkPort m_network;
    UpdateSender m_sender;
    Inbox m_inbox;
    InboxOf<Credit> m_credits;  // by the GPU that gives them; stays empty if the buffer for held updates is unlimited
    HeldUpdates m_held;
    std::unique_ptr<UpdateReceiver> m_receiver;  // null if the buffer for held updates is unlimited
    std::vector<Bandwidth> m_incoming;           // bandwidth of the links that end here, by port
    AddressMap m_outputMap;
    AddressMap m_companionMap;  // map of each copy's output
    std::unique_ptr<LastLevelCache> m_cache;
    ComputeUnits m_units;
    std::vector<std::unique_ptr<OutputRouter>> m_routers;  // by GEMM
    std::vector<StageState> m_stages;
    std::optional<double> m_otherDone;  // CompanionPart::otherDone, known when the first of two kernels has ended
    std::unique_ptr<BackgroundTraffic> m_background;
    std::vector<PieceTimes> m_pieceTimes;        // of the own GEMM, if it is launched in pieces
    std::vector<bool> m_pieceOffered;            // by piece: it has been handed to its queue
    std::optional<ProducedOutput> m_produced;    // of the own GEMM, if a kernel takes it while it is produced
    std::vector<std::uint32_t> m_tilesToGather;  // by chunk; empty if the GEMM waits for none
    bool m_begun = false;
    bool m_finished = false;
    Bytes m_received;
    GpuTimes m_times;
};

}  // namespace engine
