#pragma once

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

/// What happens inside one GPU at a moment. Rates are averages over `window` before it: a service or a packet counts with
/// the share of its bytes that lies in the window.
struct GpuInside {
    /// A workgroup loads while it waits for the data of its next K-step, before its first one as well; computes while they
    /// are there, in the tensor pipe of its compute unit or in line for it; and stores from its last K-step on: the epilogue,
    /// or held stores.
    struct Slot {
        enum class Doing : std::uint8_t { empty, loading, computing, storing, collective };
        Doing doing{};
        std::uint8_t kernel = 0;                 ///< Span::peer
        std::uint32_t tile = 0, position = 0;    ///< of a GEMM's workgroup: as the shown GPU numbers the tiles
        std::uint32_t wave = 0;                  ///< from 0, as WaveCount has them
        std::uint32_t stepsDone = 0, steps = 0;  ///< K-steps
    };
    struct Channel {
        std::array<std::uint32_t, 2> waiting{};  ///< requests in each engine::Stream
        std::array<std::int64_t, 2> waitingBytes{};
        std::uint32_t queued = 0;                 ///< requests in the DRAM queue, the one in service included
        std::array<std::uint32_t, 2> queuedOf{};  ///< of them, by stream
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
    };
    struct Command {
        std::uint32_t block = 0, chunk = 0;
        bool gathering = false;
        std::uint64_t bytes = 0, readBytes = 0, sentBytes = 0;  ///< readBytes: as DRAM serves DMA reads meanwhile
    };
    struct Engine {
        std::optional<Command> reading;  ///< whose block is being read
        std::vector<Command> next;       ///< taken; their reads stand behind those of `reading`
        std::vector<Command> sending;    ///< read whole, with packets still to leave
    };
    struct Link {
        std::optional<std::uint32_t>
            chunk;  ///< of the packet on the wire now, of `kernel`; as numbered on the shown GPU
        std::uint8_t kernel = 0;
        double bytesPerSecond = 0;
        /// The same by whose packets they are: compute stands for the GEMM's stores that go straight to a link.
        std::array<double, kTrafficOwners> ofOwner{};
        double useOf = 0;  ///< 0 to 1: the share of the window in which a packet was on the wire
    };

    std::int64_t ps = 0, window = 0;
    std::vector<Slot> slots;  ///< by compute unit, then slot
    std::int64_t runningWorkgroups = 0;
    std::int64_t cacheHits = 0, cacheMisses = 0;  ///< bytes asked for up to now
    double cacheHitsPerSecond = 0, cacheMissesPerSecond = 0;
    std::int64_t cacheWaiting = 0;  ///< hits that wait in the slices behind misses: head-of-line blocking
    double loadsPerSecond = 0, storesPerSecond = 0;  ///< bytes that the compute units ask for and hand over
    std::vector<Channel> channels;
    Traffic memoryPerSecond;  ///< all channels
    /// For their trigger; triggered, in start-up or waiting for an engine; sent. All others are with the engines.
    std::uint32_t commandsWaiting = 0, commandsReady = 0, commandsDone = 0;
    std::vector<Engine> engines;
    std::vector<Link> linksOut, linksIn;  ///< as in GpuInventory
    std::int64_t heldBytes = 0;           ///< arriving updates that wait outside for a set of the tracker
    /// The latest trigger if it lies within the window, with how long ago it was as a share of the window.
    struct Trigger {
        std::uint32_t block = 0;
        double age = 0;
    };
    std::optional<Trigger> trigger;
};

/// Tells what happens inside the GPUs of a finished run at any moment: from its trace alone, without running the engine.
/// Immutable; built once, on any thread.
class InsideIndex {
public:
    /// If stopped, the index is incomplete: discard it.
    InsideIndex(std::shared_ptr<const ShownRun> run, std::shared_ptr<const RunLog> log,
                const std::stop_token& stop = {});

    const GpuInventory& inventory(std::uint32_t gpu = 0) const;
    /// The window of the rates: a five-hundredth of the run, so that a picture moves as the run does.
    std::int64_t window() const;
    /// Returns the most requests that ever wait in one stream of one channel of any GPU; at least 1.
    std::uint32_t mostWaiting() const;
    /// Returns what becomes of each chunk on a GPU, as that GPU numbers them.
    std::vector<ChunkPart> chunkParts(std::uint32_t gpu) const;
    /// `state`: of the same GPU at the same position.
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
