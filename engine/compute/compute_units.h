#pragma once

#include "engine/api/experiment.h"
#include "engine/compute/dispatcher.h"
#include "engine/compute/gemm_work.h"
#include "engine/kernel/event_queue.h"
#include "engine/memory/last_level_cache.h"
#include "engine/overlap/tile_source.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace engine {

class Recorder;

/// Is notified of the kernels on the compute units. `gemm`: the number of a GEMM, in the order in which GEMMs were
/// added.
class ComputeObserver {
public:
    virtual ~ComputeObserver() = default;
    /// Takes a finished tile's stores now. Returns false if they must wait: the workgroup then keeps its slot until
    /// ComputeUnits::storeReleased.
    virtual bool storeTile(std::uint32_t gemm, std::uint32_t tile) = 0;
    /// The last workgroup of a GEMM has handed over its tile.
    virtual void allTilesStored(std::uint32_t gemm) = 0;
    /// `workgroups` workgroups of a collective kernel have room now, more than before.
    virtual void roomTaken(KernelId kernel, std::uint32_t workgroups) = 0;
    /// The first workgroup of a GEMM has become resident on an empty GPU, or the last one has left.
    virtual void gemmResident(bool resident) = 0;
};

/// The compute units of a GPU: workgroups of all its kernels, the room that the dispatcher gives them, and the tensor
/// pipes.
///
/// When kernels are launched, the CUs are filled in rounds, one workgroup for each CU and round. When a workgroup ends,
/// its CU is filled again. A GEMM's workgroup gets a slot, starts after a jitter, and runs its K-loop: the K-steps
/// within `prefetch` have their loads outstanding or wait for computation, and a K-step is computed when all its data
/// are there. A CU's tensor pipe takes ready K-steps of its resident workgroups first in, first out, whatever their
/// kernel; of equal times the lower slot is first. After the last K-step follow an epilogue and the stores. A workgroup
/// of a collective kernel occupies a whole CU until its kernel ends. With `gemm.accumulators` of 2 a workgroup leaves
/// its slot after its last K-step, and its tile is stored while the next workgroup of the slot computes. With a
/// TileSource, a workgroup of the first GEMM that has its slot waits there until the inputs of its tile are in memory.
///
/// Modelled: waves, the lock step that they fall into, the loads of each K-step, kernels that wait for room. Left out:
/// instruction issue, registers and local memory, whose effect is in tensor efficiency and in the number of resident
/// workgroups. Unlike memory and link, the units do not know where the output goes.
class ComputeUnits final : public LoadClient {
public:
    struct Ports {
        EventPort computed;  ///< per CU, completion phase
        EventPort started;   ///< per slot, dispatch phase
        EventPort stored;    ///< per slot, completion phase
    };

    /// `recordsCollectives`: workgroups of collective kernels are recorded as well.
    ComputeUnits(const Experiment& experiment, const Ports& ports, ComputeObserver& observer, Recorder* recorder,
                 bool recordsCollectives);

    /// Add a kernel. Call before `connect`, in the order in which kernels that are launched at the same time get room.
    /// `pieceEnds`: the positions after the last workgroups of the pieces of a GEMM; empty: it is one piece. `launch`
    /// launches the first `launched` of them.
    KernelId addGemm(GemmWork work, bool companion, std::vector<std::uint32_t> pieceEnds = {},
                     std::uint32_t launched = 1);
    KernelId addCollective(std::uint32_t workgroups, bool companion);

    /// Connects the cache, which is built after the units because it calls them. Call once, when all kernels have been
    /// added; without GEMMs not at all.
    void connect(LastLevelCache& cache);

    /// Sets the source of inputs. Call before `launch`. Without a source all inputs are there from the beginning.
    void waitFor(const TileSource& source) { m_source = &source; }
    /// Starts workgroups that waited for inputs, after more of them have arrived.
    void inputArrived();

    /// Puts the kernel in the line for room from now on. Kernels that are launched at the same time get room together.
    void launch(KernelId kernel);
    /// Launches a further piece of a launched GEMM. Its workgroups come behind those of pieces that were launched before
    /// it, whatever their numbers.
    void launchPiece(KernelId kernel, std::uint32_t piece);
    /// Gives room to the kernels that were launched now.
    void dispatchLaunched();
    /// Frees the CUs of a collective kernel that has ended.
    void collectiveEnded(KernelId kernel);
    void onStarted(std::uint32_t slot);
    void onComputed(std::uint32_t cu);
    void onStoring(std::uint32_t slot);
    void storeReleased(std::uint32_t gemm, std::uint32_t tile);

    void lineReady(std::uint32_t waiter, TimePoint ready) override;
    void lineCached(std::uint32_t waiter, TimePoint cached) override;

    /// Returns the number of CUs that take workgroups of GEMMs.
    std::uint32_t cusForGemms() const { return m_dispatcher.cusForGemms(); }
    /// When the workgroups of a GEMM had handed over as many tiles as one wave has, and all tiles.
    struct StoredAt {
        TimePoint firstWave, all;
    };
    const StoredAt& storedAt(std::uint32_t gemm) const { return m_gemms[gemm].storedAt; }
    std::uint32_t gemms() const { return static_cast<std::uint32_t>(m_gemms.size()); }
    std::uint32_t tilesStored(std::uint32_t gemm) const { return m_gemms[gemm].stored; }
    std::uint32_t tiles(std::uint32_t gemm) const { return m_gemms[gemm].work.tiles(); }
    /// Returns the share of a GEMM's K-steps that are done, 0 to 1.
    double computedShare(std::uint32_t gemm) const;
    /// Returns the number of a collective kernel's workgroups that have room.
    std::uint32_t roomOf(KernelId kernel) const { return static_cast<std::uint32_t>(m_kernels[kernel].held.size()); }
    /// Returns when a kernel was launched; kNever if it was not.
    TimePoint launchedAt(KernelId kernel) const { return m_kernels[kernel].launched; }
    /// Returns when the first workgroup of a kernel got room on a CU; kNever if none has.
    TimePoint begunAt(KernelId kernel) const { return m_kernels[kernel].begun; }

private:
    struct Step {
        TimePoint ready;  // latest data so far
        TimePoint issuedAt;
        std::uint32_t waits = 0;  // cache lines that have not arrived
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
        std::uint32_t lane = 0;  // lane of the trace, in which a CU's slots are neighbours
        // When the data of step nextCompute are there; kNever while they are missing or no step is left.
        TimePoint headReady = kNever;
        TimePoint dispatchedAt;
    };
    // A workgroup that has computed its tile, until the stores of the tile have been taken.
    struct Leaving {
        const GemmWork* work = nullptr;  // null: none
        std::uint32_t tile = 0;
        std::uint32_t position = 0;
        std::uint32_t gemm = 0;
        std::uint32_t lane = 0;
        TimePoint dispatchedAt;
        TimePoint leftAt;  // when it left its slot
    };
    // The K-step that is in a CU's pipe or booked for it. A step whose data arrive earlier can replace a booking whose
    // data are still on their way; the event of the replaced booking is recognised by its time.
    struct Pipe {
        TimePoint startAt = kNever;
        TimePoint doneAt = kNever;
        std::uint32_t slot = 0;
    };
    struct Wave {
        std::vector<TimePoint> starts;  // starts of its workgroups, in the order in which they ended
        TimePoint end;
    };
    struct Positions {
        std::uint32_t next = 0, end = 0;
    };
    struct Gemm {
        GemmWork work;
        std::vector<std::uint32_t> pieceEnds;  // positions
        std::deque<Positions> launched{};      // workgroups of launched pieces that have got no room
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
        std::uint32_t gemm = kNone;  // kNone: a collective kernel, with the CUs in `held`
        std::vector<Held> held;
        std::uint8_t peer = 0;  // for the recorder
        bool announced = true;  // the observer was notified of the CUs in `held`
        TimePoint launched = kNever;
        TimePoint begun = kNever;  // its first workgroup got room on a CU
    };

    // Returns the place of a K-step among those in flight, which also identifies the waiter for its data.
    std::uint32_t placeOf(std::uint32_t slot, std::uint32_t step) const {
        return (slot << m_ringBits) | (step & ((1u << m_ringBits) - 1));
    }
    void fillAll();
    void fill(std::uint32_t cu);
    void place(KernelId kernel, std::uint32_t cu);
    void placeWorkgroup(KernelId kernel, std::uint32_t cu);
    void announceRoom();
    void loadStep(std::uint32_t slot);
    void book(std::uint32_t cu);
    void tileComputed(std::uint32_t slot);
    void storesTaken(std::uint32_t slot);
    void release(std::uint32_t slot);
    static Positions workgroupsOf(const Gemm& gemm, std::uint32_t piece) {
        return {piece == 0 ? 0 : gemm.pieceEnds[piece - 1], gemm.pieceEnds[piece]};
    }
    static std::uint32_t waveOf(const Gemm& gemm, std::uint32_t position);
    void recordWaves(std::uint32_t gemm);
    void record(std::uint32_t slot, std::uint32_t step, const Step& state);
    void recordWorkgroup(const Leaving& of) const;

    Dispatcher m_dispatcher;
    Ports m_ports;
    ComputeObserver& m_observer;
    const TileSource* m_source = nullptr;
    std::vector<std::uint32_t> m_waiting;  // slots that wait for inputs, in the order in which they started
    Recorder* m_recorder;
    bool m_recordsCollectives;
    LastLevelCache* m_cache = nullptr;
    std::uint32_t m_ringBits = 0;  // a slot's steps in flight are in a ring whose size is a power of two
    std::uint32_t m_cus;
    std::uint32_t m_slotsPerCu = 1;
    std::vector<Gemm> m_gemms;
    std::vector<Kernel> m_kernels;
    std::vector<Slot> m_slots;          // slot s belongs to CU s mod CUs
    bool m_recordsCached = false;       // when data have come to the LLC
    bool m_storesBeside = false;        // a tile is stored while the next workgroup of its slot computes
    std::vector<Leaving> m_leaving;     // by slot: the workgroup whose tile is being stored
    std::vector<Step> m_stepsInFlight;  // a ring for each slot
    std::vector<TimePoint>
        m_cachedAt;  // for each of them, if recorded: when its latest data so far had come to the LLC
    std::vector<Pipe> m_pipes;
    std::int64_t m_runningWorkgroups = 0;  // of GEMMs
    bool m_launched = false;               // a kernel was launched since the CUs were filled last
    bool m_roomTaken = false;              // a collective kernel got room of which the observer was not notified
};

}  // namespace engine
