#pragma once

#include "data/replay/gpu_replay.h"
#include "data/replay/log_event.h"
#include "data/replay/log_facts.h"
#include "data/replay/ring_state.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace data {

/// The kinds of playback step: to the next event of any kind, or to the next event that completes a chunk on a GPU (all
/// its contributions have landed, or the all-gather has brought it), triggers a DMA command, begins a step of the
/// collective, ends a GEMM wave or a piece of the GEMM, or begins or ends a phase.
enum class StepKind : std::uint8_t { event, chunk, trigger, collectiveStep, wave, phase };
inline constexpr std::size_t kStepKinds = 6;

/// Returns the state of the ring at any moment of a finished run. It has a sorted log of events and snapshots for each
/// recorded GPU, and replays the events from the latest snapshot on. It is immutable and may be built on any thread.
/// Events at the same time are ordered by kind (LogEventKind), then GPU, then lane. A position is a time and the number
/// of events of all recorded GPUs that have happened. Steps go to the position just after an event, so that a step
/// forward and a step back are exact inverses. The beginning and the end of the run are steps of every kind.
class RunLog {
public:
    /// If stopped, the log is incomplete: discard it.
    RunLog(std::shared_ptr<const engine::Trace> trace, const engine::Experiment& experiment,
           const std::stop_token& stop = {});

    const engine::Trace& trace() const { return *m_trace; }
    std::uint32_t gpus() const { return m_trace->gpus; }
    std::uint64_t eventCount() const;

    Position beginning() const { return {}; }
    Position end() const;
    /// Returns the position at `ps` after all events up to and including that time. If `events` is given, only as many
    /// events of that time have happened as make `events` in total.
    Position positionAt(std::int64_t ps, std::optional<std::uint64_t> events = std::nullopt) const;

    /// Return the next or previous position of a step; an empty optional at the end, or at the beginning, of the run.
    std::optional<Position> next(Position from, StepKind kind) const;
    std::optional<Position> previous(Position from, StepKind kind) const;

    /// Return how many GPUs were recorded, and the log of each.
    std::uint32_t recorded() const { return static_cast<std::uint32_t>(m_logs.size()); }
    const std::vector<LogEvent>& events(std::uint32_t recordedGpu) const { return m_logs[recordedGpu].events; }
    const LogFacts& facts(std::uint32_t recordedGpu) const { return *m_logs[recordedGpu].facts; }

    /// A chunk that an event has completed: all its contributions are there, or, if `final`, it is complete and will
    /// not change.
    struct ChunkDone {
        std::size_t event = 0;
        std::uint32_t chunk = 0;
        bool final = false;
    };
    const std::vector<ChunkDone>& chunksDone(std::uint32_t recordedGpu) const { return m_logs[recordedGpu].chunksDone; }

    /// An event, identified by the GPU that recorded it and its index in that GPU's log.
    struct Place {
        std::uint32_t log = 0;
        std::size_t event = 0;
    };
    /// Returns whether `a` happens before `b`.
    bool before(Place a, Place b) const;
    /// Returns the positions just after events, which are given in the order in which they happen.
    std::vector<Position> positionsAfter(const std::vector<Place>& places) const;
    /// Return the latest event that has happened, and how many events of one recorded GPU have happened.
    std::optional<Place> lastEvent(Position position) const { return lastPlace(countsAt(position), StepKind::event); }
    std::size_t happened(std::uint32_t recordedGpu, Position position) const { return countsAt(position)[recordedGpu]; }
    /// Return the number of a recorded tile or chunk on GPU `gpu`, which differs only in a mirrored trace.
    std::uint32_t tileOn(std::uint32_t gpu, std::uint32_t tile) const;
    std::uint32_t chunkOn(std::uint32_t gpu, std::uint32_t chunk) const { return m_trace->chunkOn(gpu, chunk); }

    GpuState stateOf(std::uint32_t gpu, Position position) const;
    /// Returns all changes of tiles on the recorded GPU whose log represents `gpu`, in order, with that GPU's tile
    /// numbers.
    const std::vector<TileChange>& tileChanges(std::uint32_t gpu) const;
    /// Returns when `tile`, as `gpu` numbers it, entered the state that it has at `ps`; the start of the run if it
    /// never changed.
    std::int64_t tileSince(std::uint32_t gpu, std::uint32_t tile, std::int64_t ps) const;
    /// Returns the states of all GPUs of the ring. In a mirrored trace the log is replayed only once.
    std::vector<GpuState> statesAt(Position position) const;

private:
    struct GpuLog {
        explicit GpuLog(const engine::Trace& trace, const engine::Experiment& experiment, std::uint32_t gpu);
        void takeSnapshots();
        GpuReplay replayedTo(std::size_t events) const;
        /// Returns the first event of a moment and the one after its last.
        std::pair<std::size_t, std::size_t> during(std::int64_t ps) const;

        std::unique_ptr<LogFacts> facts;  // replays point to it
        std::vector<LogEvent> events;
        std::vector<TileChange> changes;
        std::vector<GpuReplay> snapshots;  // before event 0, interval, 2 x interval …
        std::size_t interval = 1;
        std::vector<ChunkDone> chunksDone;
        std::array<std::vector<std::uint32_t>, kStepKinds> stops;  // indices of events; empty for StepKind::event
        const engine::Lane* linkOut = nullptr;
        const engine::Lane* linkIn = nullptr;
        const engine::CounterSeries* computeBacklog = nullptr;
        const engine::CounterSeries* communicationBacklog = nullptr;
        const engine::CounterSeries* runningWorkgroups = nullptr;
        const engine::CounterSeries* heldBytes = nullptr;
    };
    const LogEvent& at(Place place) const { return m_logs[place.log].events[place.event]; }
    std::vector<std::size_t> countsAt(Position position) const;
    Position after(Place place) const;
    std::optional<Place> nextPlace(const std::vector<std::size_t>& counts, StepKind kind) const;
    std::optional<Place> lastPlace(const std::vector<std::size_t>& counts, StepKind kind) const;
    GpuState recordedState(const GpuLog& log, std::size_t events, std::int64_t ps) const;
    GpuState turned(GpuState state, std::uint32_t gpu) const;

    std::shared_ptr<const engine::Trace> m_trace;
    std::vector<GpuLog> m_logs;
};

}  // namespace data
