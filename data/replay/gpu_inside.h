#pragma once

#include "data/replay/bank_history.h"
#include "data/replay/gpu_inventory.h"
#include "data/replay/ring_state.h"
#include "data/replay/run_log.h"
#include "data/replay/shown_run.h"
#include "data/replay/traffic.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace data {

/// The state inside one GPU at a moment. Rates are averages over the `window` before the moment: a DRAM service or a
/// packet counts with the share of its bytes that lies in the window.
struct GpuInside {
    /// The state of a workgroup slot. A workgroup loads while it waits for the data of its next K-step, including the
    /// first one. It computes while the data are there, in the tensor pipe of its compute unit or waiting for the pipe.
    /// It stores after its last K-step: during the epilogue, or while its stores are held back.
    struct Slot {
        enum class Doing : std::uint8_t { empty, loading, computing, storing, collective };
        Doing doing{};
        std::uint8_t kernel = 0;                 ///< Span::peer
        std::uint32_t tile = 0, position = 0;    ///< of a GEMM's workgroup, as the shown GPU numbers the tiles
        std::uint32_t wave = 0;                  ///< from 0, as WaveCount has them
        std::uint32_t stepsDone = 0, steps = 0;  ///< K-steps
    };
    struct Channel {
        std::array<std::uint32_t, 2> waiting{};  ///< requests in each engine::Stream
        std::array<std::int64_t, 2> waitingBytes{};
        std::uint32_t queued = 0;                 ///< requests in the DRAM queue, the one in service included
        std::array<std::uint32_t, 2> queuedOf{};  ///< the same by stream
        struct Service {
            TrafficOwner owner{};
            TrafficKind kind{};
            std::uint32_t chunk = engine::kNone;  ///< as numbered on the shown GPU
            std::uint32_t bytes = 0;
            double doneShare = 0;
        };
        std::optional<Service> serving;
        std::optional<engine::Stream> lastPick;  ///< the arbiter's latest choice
        std::int64_t lastPickPs = 0;
        Traffic perSecond;
        std::vector<BankState> banks;  ///< by number in the bank group, then group; empty without the bank model
    };
    struct Command {
        std::uint32_t block = 0, chunk = 0;
        bool gathering = false;
        std::optional<std::uint32_t> to;  ///< the GPU to which a copy goes, which is not a block; empty: a block
        std::uint64_t bytes = 0, readBytes = 0, sentBytes = 0;  ///< readBytes: an estimate: commands that are read at
                                                                ///< the same time share the bytes that return
    };
    struct Engine {
        std::optional<Command> reading;  ///< the command whose block is being read
        std::vector<Command> next;       ///< taken commands whose reads wait behind those of `reading`
        std::vector<Command> sending;    ///< commands whose block is read completely, with packets still to send
    };
    struct Link {
        std::optional<std::uint32_t>
            chunk;  ///< of the packet on the wire now, of `kernel`; as numbered on the shown GPU
        std::uint8_t kernel = 0;
        double bytesPerSecond = 0;
        /// The rate by owner of the packets; `compute` are the GEMM's stores that go straight to a link.
        std::array<double, kTrafficOwners> ofOwner{};
        double useOf = 0;  ///< 0 to 1: the share of the window in which a packet was on the wire
    };

    std::int64_t ps = 0, window = 0;
    std::vector<Slot> slots;  ///< by compute unit, then slot
    std::int64_t runningWorkgroups = 0;
    std::int64_t cacheHits = 0, cacheMisses = 0;  ///< bytes requested up to now
    double cacheHitsPerSecond = 0, cacheMissesPerSecond = 0;
    std::int64_t cacheWaiting = 0;  ///< hits that wait in the slices behind misses (head-of-line blocking)
    double loadsPerSecond = 0, storesPerSecond = 0;  ///< bytes that the compute units request and write
    std::vector<Channel> channels;
    Traffic memoryPerSecond;  ///< all channels
        /// Numbers of commands: waiting for their trigger; triggered, but in start-up or waiting for an engine; sent.
        /// Engines work on all others.
    std::uint32_t commandsWaiting = 0, commandsReady = 0, commandsDone = 0;
    std::vector<Engine> engines;
    std::vector<Link> linksOut, linksIn;  ///< as in GpuInventory
    std::int64_t heldBytes = 0;           ///< arriving updates that wait outside until a set of the tracker has room
    /// The latest trigger, if it lies within the window. Its age is a share of the window.
    struct Trigger {
        std::uint32_t block = 0;
        double age = 0;
    };
    std::optional<Trigger> trigger;
};

/// Returns the state inside the GPUs of a finished run at any moment, from its trace and without running the engine. It
/// is immutable and may be built on any thread.
class InsideIndex {
public:
    /// If stopped, the index is incomplete: discard it.
    InsideIndex(std::shared_ptr<const ShownRun> run, std::shared_ptr<const RunLog> log,
                const std::stop_token& stop = {});

    const GpuInventory& inventory(std::uint32_t gpu = 0) const;
    /// Returns the window of the rates: a five-hundredth of the run, so that rates change at the pace of the run.
    std::int64_t window() const;
    /// Returns the largest number of requests that ever wait in one stream of one channel of any GPU; at least 1.
    std::uint32_t mostWaiting() const;
    /// Returns the ChunkPart of each chunk on a GPU, as that GPU numbers them.
    std::vector<ChunkPart> chunkParts(std::uint32_t gpu) const;
    /// Returns the state at a position. `state` is the GpuState of the same GPU at the same position.
    GpuInside at(std::uint32_t gpu, Position position, const GpuState& state) const;

    ~InsideIndex();
    InsideIndex(const InsideIndex&) = delete;
    InsideIndex& operator=(const InsideIndex&) = delete;

private:
    class RecordedGpu;
    struct Parts;
    std::unique_ptr<const Parts> m_parts;
};

}  // namespace data
