#pragma once

#include "engine/api/experiment.h"
#include "engine/api/trace.h"
#include "engine/memory/last_level_cache.h"
#include "engine/memory/near_memory_update.h"
#include "engine/network/update_sender.h"
#include "engine/overlap/address_map.h"
#include "engine/workload/output_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

class Recorder;

/// The GEMM whose stores a router takes: its number among the GEMMs of its GPU, and the kernel number that identifies
/// it in streams and traces.
struct OutputOf {
    std::uint32_t gemm = 0;
    std::uint8_t kernel = kOwnKernel;
    std::uint32_t firstTiles = 0;  ///< tiles that form its first stage if its output is one chunk
    bool cached = true;            ///< whether stores for which the map names no other place go through the cache
};

/// Is notified of the stores of a whole kernel, which is identified by the number of its GEMM.
class OutputObserver {
public:
    virtual ~OutputObserver() = default;
    /// Every tile of the first chunk in this GPU's order has been stored.
    virtual void firstChunkStored(std::uint32_t gemm) = 0;
    /// Stores of `tile` that the tracker held back have entered memory; the tile's workgroup may end.
    virtual void tileReleased(std::uint32_t gemm, std::uint32_t tile) = 0;
    /// The last store of the kernel will have landed, or will have left by the link, at `end`.
    virtual void outputLandsAt(std::uint32_t gemm, TimePoint end) = 0;
    /// All stores of a part (OutputRouter::follow) will be in memory at `when`.
    virtual void partLandsAt(std::uint32_t part, TimePoint when) = 0;
};

/// Sends each tile's stores to the place that the address map names: through the LLC, straight to memory, to
/// near-memory compute, or over a link to another GPU. The kernel that produces them sees no difference, which is T3's
/// transparency.
class OutputRouter final : public MemoryClient, public UpdateStoreClient, public UpdateOrigin {
public:
    /// `updates` is null if no route stores updates locally. `stage`: the number, in the program, of the stage to which
    /// the packets belong.
    OutputRouter(const OutputOf& of, const OutputLayout& layout, const AddressMap& map, EventQueue& clock,
                 MemoryController& memory, LastLevelCache& cache, NearMemoryUpdate* updates, UpdateSender& network,
                 std::uint32_t gpu, std::uint8_t stage, OutputObserver& observer, Recorder* recorder);

    /// Notifies the observer of each part of the output that has landed. Call before the first store, and only if the
    /// output stays in this GPU's memory. `partOf`: by tile. When all tiles of a part have been stored, the cache is
    /// flushed.
    void follow(std::vector<std::uint32_t> partOf, std::uint32_t parts);

    /// Stores a tile. Returns false if the tracker holds it back.
    bool storeTile(std::uint32_t tile);

    /// Ends the output after its last tile: the granules that the cache still holds are written back.
    void allTilesStored();

    FlowId storeFlow() const { return m_storeFlow; }
    Bytes sentBytes() const { return m_sent; }
    std::optional<TimePoint> firstSend() const { return m_firstSend; }

    std::uint32_t address(FlowId flow, std::uint32_t id) const override;
    void served(FlowId flow, std::uint32_t id, std::uint32_t bytes, TimePoint finish) override;
    void storeReleased(std::uint32_t tile) override;
    void storeLanded(std::uint32_t bytes, TimePoint finish) override;
    void departed(const Packet& packet, TimePoint when) override;

private:
    void sendTile(std::uint32_t tile, std::uint32_t to);
    void recordProduced(std::uint32_t tile) const;
    void storeUncached(std::uint32_t tile);
    std::uint32_t channelOf(std::uint32_t granule) const {
        return m_uncached.channel(granule, m_layout.indexInChunk(granule));
    }
    void landed(std::uint32_t bytes, TimePoint when);
    void partLanded(std::uint32_t part);

    // A part of the output that has not landed.
    struct Part {
        std::uint32_t tiles = 0;  // that have not been stored
        std::int64_t bytes = 0;   // that are not in memory
        TimePoint last;           // the latest landing
    };

    std::uint32_t m_gemm;
    const OutputLayout& m_layout;
    const EventQueue& m_clock;
    MemoryController& m_memory;
    LastLevelCache& m_cache;
    NearMemoryUpdate* m_updates;
    UpdateSender& m_network;
    std::uint8_t m_gpu;
    std::uint8_t m_stage;
    OutputObserver& m_observer;
    Recorder* m_recorder;
    bool m_cached;
    LastLevelCache::Region m_region;
    MemoryRegion m_uncached;  // of stores that bypass the cache
    FlowId m_storeFlow;
    std::vector<ChunkRoute> m_routes;  // by chunk
    std::uint32_t m_firstChunk;
    std::uint32_t m_firstChunkLeft;
    bool m_complete = false;
    Bytes m_expected;  // bytes to land or to be sent
    Bytes m_landed;
    Bytes m_sent;
    Bytes m_departed;  // the part of m_sent that was handed to links
    TimePoint m_last;
    std::optional<TimePoint> m_firstSend;
    std::vector<std::uint32_t> m_partOf;  // by tile; empty: parts are not followed
    std::vector<Part> m_parts;
};

}  // namespace engine
