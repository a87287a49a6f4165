#include "engine/compute/compute_units.h"

#include "engine/record/recorder.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace engine {

ComputeUnits::ComputeUnits(const Experiment& experiment, const Ports& ports, ComputeObserver& observer,
                           Recorder* recorder, bool recordsCollectives)
    : m_dispatcher(experiment), m_ports(ports), m_observer(observer), m_recorder(recorder),
      m_recordsCollectives(recordsCollectives), m_cus(m_dispatcher.cus()),
      m_recordsCached(recorder != nullptr && experiment.llc.bandwidth.has_value()),
      m_storesBeside(experiment.gemm.accumulators > 1) {}

KernelId ComputeUnits::addGemm(GemmWork work, bool companion, std::vector<std::uint32_t> pieceEnds,
                               std::uint32_t launched) {
    if (pieceEnds.empty())
        pieceEnds.push_back(work.tiles());
    const auto pieces = std::min(launched, static_cast<std::uint32_t>(pieceEnds.size()));
    const std::uint32_t workgroups = pieces == 0 ? 0 : pieceEnds[pieces - 1];
    const KernelId id = m_dispatcher.add({false, companion, workgroups, kWholeCu / work.slots()});
    m_kernels.push_back({static_cast<std::uint32_t>(m_gemms.size()), {}, work.kernel()});
    Gemm& gemm = m_gemms.emplace_back(Gemm{std::move(work), std::move(pieceEnds)});
    for (std::uint32_t piece = 0; piece < pieces; ++piece)
        gemm.launched.push_back(workgroupsOf(gemm, piece));
    return id;
}

KernelId ComputeUnits::addCollective(std::uint32_t workgroups, bool companion) {
    const KernelId id = m_dispatcher.add({true, companion, workgroups, kWholeCu});
    m_kernels.push_back({kNone, {}, static_cast<std::uint8_t>(companion ? 1 : kOwnKernel)});
    return id;
}

void ComputeUnits::connect(LastLevelCache& cache) {
    m_cache = &cache;
    for (Gemm& gemm : m_gemms) {
        gemm.work.connect(cache);
        m_slotsPerCu = std::max(m_slotsPerCu, gemm.work.slots());
        m_ringBits = std::max(m_ringBits, static_cast<std::uint32_t>(std::bit_width(gemm.work.depth() - 1)));
    }
    m_slots.resize(std::size_t{m_cus} * m_slotsPerCu);
    m_leaving.resize(m_slots.size());
    m_stepsInFlight.resize(m_slots.size() << m_ringBits);
    if (m_recordsCached)
        m_cachedAt.resize(m_stepsInFlight.size());
    m_pipes.resize(m_cus);
}

void ComputeUnits::launch(KernelId kernel) {
    if (const std::uint32_t gemm = m_kernels[kernel].gemm; gemm != kNone && m_recorder)
        m_recorder->expectSteps(m_gemms[gemm].work.tiles(), m_gemms[gemm].work.steps(), m_kernels[kernel].peer);
    m_dispatcher.launch(kernel);
    m_kernels[kernel].launched = m_ports.started.now();
    m_launched = true;
}

void ComputeUnits::launchPiece(KernelId kernel, std::uint32_t piece) {
    Gemm& gemm = m_gemms[m_kernels[kernel].gemm];
    const Positions workgroups = workgroupsOf(gemm, piece);
    gemm.launched.push_back(workgroups);
    m_dispatcher.extend(kernel, workgroups.end - workgroups.next);
    m_launched = true;
}

void ComputeUnits::dispatchLaunched() {
    if (std::exchange(m_launched, false))
        fillAll();
}

// Fills the CUs round by round, so that the first wave fills one slot of every CU before the next slot.
void ComputeUnits::fillAll() {
    for (bool placed = true; placed;) {
        placed = false;
        for (std::uint32_t cu = 0; cu < m_cus; ++cu) {
            const KernelId kernel = m_dispatcher.take(cu);
            if (kernel == kNoKernel)
                continue;
            place(kernel, cu);
            placed = true;
        }
    }
    announceRoom();
}

void ComputeUnits::fill(std::uint32_t cu) {
    for (KernelId kernel = m_dispatcher.take(cu); kernel != kNoKernel; kernel = m_dispatcher.take(cu))
        place(kernel, cu);
    if (m_roomTaken)
        announceRoom();
}

void ComputeUnits::place(KernelId id, std::uint32_t cu) {
    Kernel& kernel = m_kernels[id];
    kernel.begun = std::min(kernel.begun, m_ports.started.now());
    if (kernel.gemm != kNone)
        return placeWorkgroup(id, cu);
    kernel.held.push_back({cu, m_ports.started.now()});
    kernel.announced = false;
    m_roomTaken = true;
}

// Notifies the observer once for all CUs that were filled now, so that a kernel that gets its room piece by piece
// begins with all of it.
void ComputeUnits::announceRoom() {
    if (!m_roomTaken)
        return;
    m_roomTaken = false;
    for (KernelId id = 0; id < m_kernels.size(); ++id)
        if (!m_kernels[id].announced) {
            m_kernels[id].announced = true;
            m_observer.roomTaken(id, roomOf(id));
        }
}

void ComputeUnits::placeWorkgroup(KernelId kernel, std::uint32_t cu) {
    const TimePoint now = m_ports.started.now();
    std::uint32_t slot = cu;
    while (m_slots[slot].work != nullptr)
        slot += m_cus;
    Gemm& gemm = m_gemms[m_kernels[kernel].gemm];
    Slot& state = m_slots[slot];
    state = Slot{};
    state.work = &gemm.work;
    state.kernel = kernel;
    state.gemm = m_kernels[kernel].gemm;
    state.cu = cu;
    state.lane = cu * m_slotsPerCu + slot / m_cus;
    ++gemm.dispatched;
    Positions& next = gemm.launched.front();
    state.position = next.next++;
    if (next.next == next.end)
        gemm.launched.pop_front();
    state.tile = gemm.work.tileAt(state.position);
    state.dispatchedAt = now;
    m_ports.started.schedule(now + gemm.work.startDelay(state.position), slot);
    if (++m_runningWorkgroups == 1)
        m_observer.gemmResident(true);
    if (m_recorder)
        m_recorder->sample(CounterKind::runningWorkgroups, now, m_runningWorkgroups);
}

void ComputeUnits::collectiveEnded(KernelId id) {
    Kernel& kernel = m_kernels[id];
    const TimePoint now = m_ports.started.now();
    m_dispatcher.withdraw(id);
    for (const Held& held : kernel.held) {
        m_dispatcher.release(id, held.cu);
        for (std::uint32_t place = 0; m_recorder && m_recordsCollectives && place < m_slotsPerCu; ++place)
            m_recorder->span(LaneKind::workgroupSlot, held.cu * m_slotsPerCu + place,
                             {held.since, now, id, 0, 0, SpanKind::collectiveWorkgroup, kernel.peer});
    }
    kernel.held.clear();
    fillAll();
}

void ComputeUnits::inputArrived() {
    const std::vector<std::uint32_t> waiting = std::move(m_waiting);
    m_waiting.clear();
    for (const std::uint32_t slot : waiting)
        onStarted(slot);
}

void ComputeUnits::onStarted(std::uint32_t slot) {
    const Slot& state = m_slots[slot];
    if (m_source != nullptr && state.gemm == 0 && !m_source->inputReady(state.tile.tile)) {
        m_waiting.push_back(slot);
        return;
    }
    for (std::uint32_t step = 0; step < state.work->depth(); ++step)
        loadStep(slot);
    book(state.cu);
}

inline void ComputeUnits::record(std::uint32_t slot, std::uint32_t step, const Step& state) {
    const Slot& own = m_slots[slot];
    m_recorder->span(LaneKind::loads, own.lane,
                     {state.issuedAt, state.ready, own.tile.tile, step, 0, SpanKind::load, own.work->kernel()});
    if (!m_recordsCached)
        return;
    const TimePoint cached = std::exchange(m_cachedAt[placeOf(slot, step)], TimePoint{});
    m_recorder->cached(own.tile.tile, step, std::max(state.issuedAt, cached), own.work->kernel());
}

void ComputeUnits::loadStep(std::uint32_t slot) {
    Slot& state = m_slots[slot];
    const std::uint32_t number = state.nextLoad++;
    const std::uint32_t waiter = placeOf(slot, number);
    Step& step = m_stepsInFlight[waiter];
    step.ready = m_ports.computed.now();
    step.issuedAt = step.ready;
    m_cache->recordUntil(step.ready);
    const GemmWork& work = *state.work;
    GemmWork::Tile& tile = state.tile;
    const bool last = number + 1 == work.steps();
    const SlabShape& aSlab = last ? tile.aLastSlab : tile.aSlab;
    const SlabShape& bSlab = last ? tile.bLastSlab : tile.bSlab;
    step.waits = m_cache->load(work.a(), tile.aNext++, aSlab, waiter, step.ready, tile.aSharers);
    step.waits += m_cache->load(work.b(), tile.bNext++, bSlab, waiter, step.ready, tile.bSharers);
    if (step.waits != 0)
        return;
    if (m_recorder)
        record(slot, number, step);
    if (number == state.nextCompute)
        state.headReady = step.ready;
}

void ComputeUnits::lineCached(std::uint32_t waiter, TimePoint cached) {
    if (m_recordsCached)
        m_cachedAt[waiter] = std::max(m_cachedAt[waiter], cached);
}

void ComputeUnits::lineReady(std::uint32_t waiter, TimePoint ready) {
    Step& step = m_stepsInFlight[waiter];
    step.ready = std::max(step.ready, ready);
    if (--step.waits != 0)
        return;
    const std::uint32_t slot = waiter >> m_ringBits;
    Slot& state = m_slots[slot];
    if (m_recorder) {
        const std::uint32_t ahead = (waiter - state.nextCompute) & ((1u << m_ringBits) - 1);
        record(slot, state.nextCompute + ahead, step);
    }
    if (waiter != placeOf(slot, state.nextCompute))
        return;
    state.headReady = step.ready;
    book(state.cu);
}

void ComputeUnits::book(std::uint32_t cu) {
    const TimePoint now = m_ports.computed.now();
    Pipe& pipe = m_pipes[cu];
    if (pipe.startAt <= now)
        return;  // a K-step is in the pipe; its end books the next one
    std::uint32_t best = cu;
    for (std::uint32_t slot = cu + m_cus; slot < m_slots.size(); slot += m_cus)
        if (m_slots[slot].headReady < m_slots[best].headReady)
            best = slot;
    const Slot& state = m_slots[best];
    if (state.headReady == kNever)
        return;
    const TimePoint start = std::max(now, state.headReady);
    if (start >= pipe.startAt)
        return;
    pipe.slot = best;
    pipe.startAt = start;
    pipe.doneAt = start + state.work->stepTime(state.tile.shapeClass, state.nextCompute);
    m_ports.computed.schedule(pipe.doneAt, cu);
}

void ComputeUnits::onComputed(std::uint32_t cu) {
    const TimePoint now = m_ports.computed.now();
    Pipe& pipe = m_pipes[cu];
    if (pipe.doneAt != now)
        return;  // a booking that was replaced
    const std::uint32_t slot = pipe.slot;
    pipe = Pipe{};
    Slot& state = m_slots[slot];
    const GemmWork& work = *state.work;
    if (m_recorder)
        m_recorder->computed(state.tile.tile, state.nextCompute, now, work.kernel());
    ++state.nextCompute;
    state.headReady = kNever;
    if (state.nextCompute == work.steps()) {
        tileComputed(slot);
    } else {
        if (state.nextLoad < work.steps())
            loadStep(slot);
        const Step& head = m_stepsInFlight[placeOf(slot, state.nextCompute)];
        if (head.waits == 0)
            state.headReady = head.ready;
    }
    book(cu);
}

// Begins to store the tile of a workgroup after its epilogue. If tiles are stored beside the next workgroup, this one
// leaves its slot, unless the tile before is still being stored.
void ComputeUnits::tileComputed(std::uint32_t slot) {
    const Slot& state = m_slots[slot];
    Leaving& leaving = m_leaving[slot];
    if (leaving.work != nullptr)
        return;
    const TimePoint now = m_ports.stored.now();
    leaving = {state.work, state.tile.tile, state.position, state.gemm, state.lane, state.dispatchedAt, now};
    m_ports.stored.schedule(now + state.work->epilogue(), slot);
    if (m_storesBeside)
        release(slot);
}

void ComputeUnits::onStoring(std::uint32_t slot) {
    const Leaving& leaving = m_leaving[slot];
    const std::uint32_t number = leaving.gemm;
    Gemm& gemm = m_gemms[number];
    ++gemm.stored;
    if (gemm.stored <= gemm.work.workgroupsOfWave())
        gemm.storedAt.firstWave = m_ports.stored.now();
    if (m_recorder) {
        const std::uint32_t wave = waveOf(gemm, leaving.position);
        if (gemm.waves.size() <= wave)
            gemm.waves.resize(wave + 1);
        gemm.waves[wave].starts.push_back(leaving.dispatchedAt);
        gemm.waves[wave].end = std::max(gemm.waves[wave].end, m_ports.stored.now());
    }
    if (m_observer.storeTile(number, leaving.tile))
        storesTaken(slot);
    if (gemm.stored == gemm.work.tiles()) {
        gemm.storedAt.all = m_ports.stored.now();
        if (m_recorder) {
            recordWaves(number);
            m_cache->recordAsked(m_ports.stored.now());
        }
        m_observer.allTilesStored(number);
    }
}

// Returns the number of the wave of a workgroup. Each piece begins a wave.
std::uint32_t ComputeUnits::waveOf(const Gemm& gemm, std::uint32_t position) {
    const std::uint32_t each = gemm.work.workgroupsOfWave();
    std::uint32_t waves = 0, begin = 0;
    for (const std::uint32_t end : gemm.pieceEnds) {
        if (position < end)
            break;
        waves += (end - begin + each - 1) / each;
        begin = end;
    }
    return waves + (position - begin) / each;
}

// Records the waves of a GEMM. A wave counts as begun when half of its workgroups have begun. The narrow tiles of a
// ragged edge end early; without this rule every wave but the first would seem to begin long before it does.
void ComputeUnits::recordWaves(std::uint32_t number) {
    Gemm& gemm = m_gemms[number];
    const std::uint8_t kernel = gemm.work.kernel();
    for (std::uint32_t index = 0; index < gemm.waves.size(); ++index) {
        Wave& wave = gemm.waves[index];
        const auto middle = wave.starts.begin() + static_cast<std::ptrdiff_t>(wave.starts.size() / 2);
        std::nth_element(wave.starts.begin(), middle, wave.starts.end());
        const Span span{*middle, wave.end,
                        index,   static_cast<std::uint32_t>(wave.starts.size()),
                        0,       kernel == kOwnKernel ? SpanKind::gemmWave : SpanKind::companionWave,
                        kernel};
        if (kernel == kOwnKernel)
            m_recorder->span(LaneKind::gemmWaves, 0, span);
        else
            m_recorder->span(LaneKind::companion, kernel - 1u, span);
    }
}

void ComputeUnits::storeReleased(std::uint32_t gemm, std::uint32_t tile) {
    for (std::uint32_t slot = 0; slot < m_leaving.size(); ++slot) {
        const Leaving& leaving = m_leaving[slot];
        if (leaving.work != nullptr && leaving.gemm == gemm && leaving.tile == tile) {
            storesTaken(slot);
            return;
        }
    }
}

// Ends the workgroup whose tile is being stored, and frees its slot, which it has left already if tiles are stored
// beside the next workgroup. That one may wait to leave its slot, too.
void ComputeUnits::storesTaken(std::uint32_t slot) {
    Leaving leaving = std::exchange(m_leaving[slot], {});
    if (!m_storesBeside)
        leaving.leftAt = m_ports.stored.now();
    if (m_recorder)
        recordWorkgroup(leaving);
    if (!m_storesBeside)
        return release(slot);
    const Slot& next = m_slots[slot];
    if (next.work != nullptr && next.nextCompute == next.work->steps())
        tileComputed(slot);
}

void ComputeUnits::recordWorkgroup(const Leaving& of) const {
    const std::uint8_t kernel = of.work->kernel();
    m_recorder->span(LaneKind::workgroupSlot, of.lane,
                     {of.dispatchedAt, of.leftAt, of.tile, of.position, 0, SpanKind::workgroup, kernel});
    if (m_storesBeside)
        m_recorder->storesTaken(of.tile, m_ports.stored.now(), kernel);
}

void ComputeUnits::release(std::uint32_t slot) {
    Slot& state = m_slots[slot];
    const std::uint32_t cu = state.cu;
    --m_runningWorkgroups;
    if (m_recorder)
        m_recorder->sample(CounterKind::runningWorkgroups, m_ports.stored.now(), m_runningWorkgroups);
    state.work = nullptr;
    m_dispatcher.release(state.kernel, cu);
    fill(cu);
    if (m_runningWorkgroups == 0)
        m_observer.gemmResident(false);
}

double ComputeUnits::computedShare(std::uint32_t number) const {
    const Gemm& gemm = m_gemms[number];
    const std::int64_t steps = gemm.work.steps();
    std::int64_t done = gemm.dispatched * steps;
    for (const Slot& slot : m_slots)
        if (slot.work == &gemm.work)
            done += slot.nextCompute - steps;
    return static_cast<double>(done) / (static_cast<double>(gemm.work.tiles()) * static_cast<double>(steps));
}

}  // namespace engine
