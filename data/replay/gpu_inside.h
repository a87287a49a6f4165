#pragma once

#include "data/replay/log_facts.h"
#include "data/replay/ring_state.h"
#include "data/replay/run_log.h"
#include "data/replay/shown_run.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace data {

/// What one GPU of a run is made of, as its experiment has it: the same at every moment. What the run does not use is 0.
struct GpuInventory {
    std::uint32_t computeUnits = 0;
    std::uint32_t slots = 0;            ///< of one compute unit: workgroups of the GEMM that it holds at once
    std::uint32_t collectiveUnits = 0;  ///< compute units that run the collective kernels, beside or after the GEMM
    std::int64_t cacheBytes = 0;
    std::uint32_t channels = 0;
    std::uint32_t dramQueue = 0;  ///< entries of one channel's DRAM queue
    std::optional<std::uint32_t>
        threshold;            ///< of occupancy, below which MCA serves communication; empty: no limit, or no MCA
    bool arbitrates = false;  ///< MCA: compute first
    bool hasCache = true, hasNearMemory = false;
    std::uint32_t trackerSets = 0, trackerWays = 0;  ///< 0 sets: the run has no tracker; sets with 0 ways hold nothing
    std::uint32_t wavefronts = 0;                    ///< of a tile: counters of one entry
    std::uint32_t engines = 0;
    std::uint32_t commands = 0;                               ///< that the address map has pre-programmed
    std::vector<std::uint32_t> linksOut, linksIn;             ///< indices of the link lanes
    std::vector<std::optional<std::uint32_t>> outTo, inFrom;  ///< by link: the GPU at its other end; empty: a switch
    double linkBytesPerSecond = 0;                            ///< of one link and direction
    double channelBytesPerSecond = 0;                         ///< of one channel, reading
};

/// Whose traffic it is.
enum class TrafficOwner : std::uint8_t { compute, communication, companion };
inline constexpr std::size_t kTrafficOwners = 3;
enum class TrafficKind : std::uint8_t { read, write, update };
inline constexpr std::size_t kTrafficKinds = 3;

/// Bytes by owner and kind.
struct Traffic {
    std::array<std::array<double, kTrafficKinds>, kTrafficOwners> bytes{};
    double of(TrafficOwner owner) const;
    double of(TrafficOwner owner, TrafficKind kind) const {
        return bytes[static_cast<std::size_t>(owner)][static_cast<std::size_t>(kind)];
    }
    double total() const;
};

/// What happens inside one GPU at a moment. Rates are averages over `window` before it: a service or a packet counts with
/// the share of its bytes that lies in the window.
struct GpuInside {
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
        std::uint64_t bytes = 0, readBytes = 0, sentBytes = 0;
    };
    struct Engine {
        std::optional<Command> reading;  ///< whose block is being read
        std::vector<Command> sending;    ///< read whole, with packets still to leave
    };
    struct Link {
        std::optional<std::uint32_t> chunk;  ///< of the packet on the wire now; as numbered on the shown GPU
        std::uint8_t kernel = 0;
        double bytesPerSecond = 0;
        double useOf = 0;  ///< 0 to 1, of the link's bandwidth
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

    const GpuInventory& inventory() const;
    /// The window of the rates: a five-hundredth of the run, so that a picture moves as the run does.
    std::int64_t window() const;
    /// `state`: of the same GPU at the same position.
    GpuInside at(std::uint32_t gpu, Position position, const GpuState& state) const;

    ~InsideIndex();
    InsideIndex(const InsideIndex&) = delete;
    InsideIndex& operator=(const InsideIndex&) = delete;

private:
    struct Parts;
    std::unique_ptr<const Parts> m_parts;
};

}  // namespace data
