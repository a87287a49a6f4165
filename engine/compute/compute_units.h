#pragma once

#include "engine/api/experiment.h"
#include "engine/compute/dispatcher.h"
#include "engine/compute/gemm_work.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/last_level_cache.h"

#include <cstdint>
#include <vector>

namespace engine {

class Recorder;

/// What follows the kernels on the compute units. `gemm`: the number of a GEMM, in the order they were added.
class ComputeObserver {
public:
    virtual ~ComputeObserver() = default;
    /// Takes a finished tile's stores now. False when they must wait: the workgroup keeps its slot until
    /// ComputeUnits::storeReleased.
    virtual bool storeTile(std::uint32_t gemm, std::uint32_t tile) = 0;
    /// The last workgroup has handed over its tile.
    virtual void allTilesStored(std::uint32_t gemm) = 0;
    /// So many workgroups of a collective kernel have room now; more than before.
    virtual void roomTaken(KernelId kernel, std::uint32_t workgroups) = 0;
};

/// Where a tile's inputs come from, when they are not all there from the beginning.
class TileSource {
public:
    virtual ~TileSource() = default;
    /// Whether everything that `tile` reads is in memory.
    virtual bool inputReady(std::uint32_t tile) const = 0;
};

/// The compute units of a GPU: workgroups of all its kernels, the room that the dispatcher gives them, and the tensor pipes.
/// When kernels are launched the CUs are gone over in rounds, one workgroup for each CU and round; when a workgroup ends its
/// CU is filled again. A GEMM's workgroup gets a slot, starts after a jitter, and runs its K-loop: `prefetch` worth of
/// K-steps have their loads outstanding or waiting to be computed; a K-step is computed when all its loads are there. A CU's
/// tensor pipe takes ready K-steps of its resident workgroups first in, first out, whatever their kernel; ties go to the
/// lower slot. After the last K-step come an epilogue and the stores. A workgroup of a collective kernel has a whole CU until
/// its kernel ends.
/// Modelled: waves, the lock step they fall into, what each K-step loads, kernels that wait for room. Left out: instruction
/// issue, registers and local memory, whose effect is in tensor efficiency and in the number of resident workgroups.
/// With a source, a workgroup of the first GEMM that has its slot waits there until what its tile reads has come.
/// Unlike memory and link, the units know nothing of what becomes of the output.
class ComputeUnits final : public LoadClient {
public:
    struct Ports {
        EventPort computed;  ///< per CU, completion phase
        EventPort started;   ///< per slot, dispatch phase
        EventPort stored;    ///< per slot, completion phase
    };

    /// `recordsCollectives`: their workgroups are recorded as well.
    ComputeUnits(const Experiment& experiment, const Ports& ports, ComputeObserver& observer, Recorder* recorder,
                 bool recordsCollectives);

    /// Kernels are added before `connect`, in the order in which they stand in line when they are launched at one moment.
    KernelId addGemm(GemmWork work, bool companion);
    KernelId addCollective(std::uint32_t workgroups, bool companion);

    /// The cache is built after the units, since it calls back. Call once, when all kernels have been added; without GEMMs not
    /// at all.
    void connect(LastLevelCache& cache);

    /// Before `launch`. Without it all inputs are there.
    void waitFor(const TileSource& source) { m_source = &source; }
    /// More inputs have come.
    void inputArrived();

    /// The kernel stands in line for room from now on. Those that are launched at one moment get room together.
    void launch(KernelId kernel);
    /// Gives room to what has been launched at this moment.
    void dispatchLaunched();
    /// A collective kernel has ended and leaves its CUs.
    void collectiveEnded(KernelId kernel);
    void onStarted(std::uint32_t slot);
    void onComputed(std::uint32_t cu);
    void onStoring(std::uint32_t slot);
    void storeReleased(std::uint32_t gemm, std::uint32_t tile);

    void lineReady(std::uint32_t waiter, TimePoint ready) override;

    /// That take workgroups of GEMMs.
    std::uint32_t cusForGemms() const { return m_dispatcher.cusForGemms(); }
    /// When the workgroups of a GEMM had handed over their tiles: as many as one wave has, and all.
    struct StoredAt {
        TimePoint firstWave, all;
    };
    const StoredAt& storedAt(std::uint32_t gemm) const { return m_gemms[gemm].storedAt; }
    std::uint32_t gemms() const { return static_cast<std::uint32_t>(m_gemms.size()); }
    std::uint32_t tilesStored(std::uint32_t gemm) const { return m_gemms[gemm].stored; }
    std::uint32_t tiles(std::uint32_t gemm) const { return m_gemms[gemm].work.tiles(); }
    /// How much of a GEMM's K-steps are done, 0 to 1.
    double computedShare(std::uint32_t gemm) const;
    /// Workgroups of a collective kernel that have room.
    std::uint32_t roomOf(KernelId kernel) const { return static_cast<std::uint32_t>(m_kernels[kernel].held.size()); }

private:
    struct Step {
        TimePoint ready;  // latest data so far
        TimePoint issuedAt;
        std::uint32_t waits = 0;  // lines still to come
    };
    struct Slot {
        const GemmWork* work = nullptr;  // null: free
        GemmWork::Tile tile;
        std::uint32_t position = 0;
        KernelId kernel = kNoKernel;
        std::uint32_t gemm = 0;
        std::uint32_t nextLoad = 0;
        std::uint32_t nextCompute = 0;
        std::uint32_t cu = 0;
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
    struct Wave {
        std::vector<TimePoint> starts;  // of its workgroups, in the order they ended
        TimePoint end;
    };
    struct Gemm {
        GemmWork work;
        std::uint32_t dispatched = 0;
        std::uint32_t stored = 0;
        StoredAt storedAt;
        std::vector<Wave> waves;  // for the recorder
    };
    struct Held {
        std::uint32_t cu;
        TimePoint since;
    };
    struct Kernel {
        std::uint32_t gemm = kNone;  // or a collective kernel, with the CUs that it holds
        std::vector<Held> held;
        std::uint8_t peer = 0;  // for the recorder
        bool told = true;       // the observer knows how many it holds
    };

    // Names the place of a K-step among those in flight, and the waiter for its data.
    std::uint32_t placeOf(std::uint32_t slot, std::uint32_t step) const {
        return (slot << m_ringBits) | (step & ((1u << m_ringBits) - 1));
    }
    void fillAll();
    void fill(std::uint32_t cu);
    void place(KernelId kernel, std::uint32_t cu);
    void placeWorkgroup(KernelId kernel, std::uint32_t cu);
    void tellRoom();
    void loadStep(std::uint32_t slot);
    void book(std::uint32_t cu);
    void release(std::uint32_t slot);
    void recordWaves(std::uint32_t gemm);
    void record(std::uint32_t slot, std::uint32_t step, const Step& state);

    Dispatcher m_dispatcher;
    Ports m_ports;
    ComputeObserver& m_observer;
    const TileSource* m_source = nullptr;
    std::vector<std::uint32_t> m_waiting;  // slots, in the order they started
    Recorder* m_recorder;
    bool m_recordsCollectives;
    LastLevelCache* m_cache = nullptr;
    std::uint32_t m_ringBits = 0;  // a slot's steps in flight stand in a ring of a power of two
    std::uint32_t m_cus;
    std::uint32_t m_slotsPerCu = 1;
    std::vector<Gemm> m_gemms;
    std::vector<Kernel> m_kernels;
    std::vector<Slot> m_slots;          // slot s belongs to CU s mod CUs
    std::vector<Step> m_stepsInFlight;  // a ring for each slot
    std::vector<Pipe> m_pipes;
    std::int64_t m_runningWorkgroups = 0;
    bool m_launched = false;   // a kernel, for which the CUs have not been gone over
    bool m_roomTaken = false;  // by a collective kernel that has not been told
};

}  // namespace engine
