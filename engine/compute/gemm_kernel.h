#pragma once

#include "engine/api/experiment.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/last_level_cache.h"
#include "engine/workload/gemm_shape.h"
#include "engine/workload/tile_walk.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace engine {

class Recorder;

/// Where a finished tile goes. The output router implements it.
class TileSink {
public:
    virtual ~TileSink() = default;
    /// Takes the tile's stores now. False when they must wait: the workgroup keeps its slot until
    /// GemmKernel::storeReleased.
    virtual bool storeTile(std::uint32_t tile) = 0;
    /// The last workgroup has handed over its tile.
    virtual void allTilesStored() = 0;
};

/// Where a tile's inputs come from, when they are not all there from the beginning.
class TileSource {
public:
    virtual ~TileSource() = default;
    /// Whether everything that `tile` reads is in memory.
    virtual bool inputReady(std::uint32_t tile) const = 0;
};

/// A GEMM kernel on the compute units: the dispatcher, the CUs and their workgroups.
/// A workgroup gets a slot, starts after a jitter, and runs its K-loop: `prefetch` worth of K-steps have their loads
/// outstanding or waiting to be computed; a K-step is computed when all its loads are there. A CU's tensor pipe takes
/// ready K-steps of its resident workgroups first in, first out. After the last K-step come an epilogue and the stores.
/// Modelled: waves, the lock step they fall into, what each K-step loads. Left out: instruction issue, registers and
/// local memory, whose effect is in tensor efficiency and in the number of resident workgroups.
/// With a source, a workgroup that has its slot waits there until what its tile reads has come.
/// Unlike memory and link, the kernel knows nothing of what becomes of its output.
class GemmKernel final : public LoadClient {
public:
    struct Ports {
        EventPort computed;  ///< per CU, completion phase
        EventPort started;   ///< per slot, dispatch phase
        EventPort stored;    ///< per slot, completion phase
    };

    GemmKernel(const Experiment& experiment, const GemmSize& shape, const TileGrid& grid, TileOrder order,
               const Ports& ports, TileSink& sink, Recorder* recorder, std::uint32_t gpu);

    /// The cache is built after the kernel, since it calls back.
    void connect(LastLevelCache& cache);

    /// Before `begin`. Without it all inputs are there.
    void waitFor(const TileSource& source) { m_source = &source; }
    /// More inputs have come.
    void inputArrived();

    void begin();
    void onStarted(std::uint32_t slot);
    void onComputed(std::uint32_t cu);
    void onStoring(std::uint32_t slot);
    void storeReleased(std::uint32_t tile);

    void lineReady(std::uint32_t waiter, TimePoint ready) override;

    std::uint32_t tilesStored() const { return m_stored; }
    std::uint32_t tiles() const { return m_order.tiles; }

private:
    struct Step {
        TimePoint ready;  // latest data so far
        TimePoint issuedAt;
        std::uint32_t waits = 0;  // lines still to come
    };
    struct Slot {
        std::uint32_t tile = 0;
        std::uint32_t position = 0;
        std::uint32_t aNext =
            0;  // slab of A that nextLoad takes: the tile row of its part of K, counted from the GPU's
        std::uint32_t bNext = 0;     // own first tile along the outer side, times the K-steps; likewise of B
        SlabShape aSlab, aLastSlab;  // of a whole K-step, and of the last, which has what is left of K
        SlabShape bSlab, bLastSlab;
        std::uint32_t nextLoad = 0;
        std::uint32_t nextCompute = 0;
        std::uint32_t cu = 0;
        std::uint32_t shapeClass = 0;
        std::uint32_t lane = 0;        // of the trace: a CU's slots stand side by side
        TimePoint headReady = kNever;  // of step nextCompute; kNever while data are missing or nothing is left
        TimePoint dispatchedAt;
    };
    // The K-step that is in a CU's pipe or booked for it. A booking whose data are still on their way can be replaced
    // by one whose data come earlier; the event of the old one is then recognised by its time.
    struct Pipe {
        TimePoint startAt = kNever;
        TimePoint doneAt = kNever;
        std::uint32_t slot = 0;
    };

    // Names the place of a K-step among those in flight, and the waiter for its data.
    std::uint32_t placeOf(std::uint32_t slot, std::uint32_t step) const {
        return (slot << m_ringBits) | (step & ((1u << m_ringBits) - 1));
    }
    void dispatch(std::uint32_t slot);
    void loadStep(std::uint32_t slot);
    SlabShape slabShape(std::int64_t elements, std::int64_t k) const;
    void book(std::uint32_t cu);
    void release(std::uint32_t slot);
    void recordWaves();
    void record(std::uint32_t slot, std::uint32_t step, const Step& state);

    GemmSize m_shape;
    const TileGrid& m_grid;
    TileOrder m_order;
    Ports m_ports;
    TileSink& m_sink;
    const TileSource* m_source = nullptr;
    std::vector<std::uint32_t> m_waiting;  // slots, in the order they started
    Recorder* m_recorder;
    LastLevelCache* m_cache = nullptr;
    LastLevelCache::Region m_a, m_b;
    std::uint32_t m_granuleBits;
    std::uint32_t m_kStep;
    std::uint32_t m_steps;     // K-steps of a tile
    std::uint32_t m_depth;     // K-steps whose loads may be outstanding
    std::uint32_t m_ringBits;  // a slot's steps in flight stand in a ring of a power of two
    std::uint32_t m_cus;
    std::uint32_t m_slotsPerCu;
    Duration m_epilogue;
    Duration m_jitter;
    Duration m_ownJitter;  // drawn for this GPU apart
    std::uint64_t m_seed;
    std::uint64_t m_ownSeed;
    std::uint32_t m_firstRow = 0;
    std::uint32_t m_firstColumn = 0;
    std::vector<Duration> m_stepTime[4];  // by ragged row, ragged column; then K-step
    std::vector<Slot> m_slots;
    std::vector<Step> m_stepsInFlight;  // a ring for each slot
    std::vector<Pipe> m_pipes;
    std::uint32_t m_dispatched = 0;
    std::uint32_t m_stored = 0;
    std::int64_t m_runningWorkgroups = 0;
    struct Wave {
        std::vector<TimePoint> starts;  // of its workgroups, in the order they ended
        TimePoint end;
    };
    std::vector<Wave> m_waves;  // for the recorder
};

}  // namespace engine
