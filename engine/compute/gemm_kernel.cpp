#include "engine/compute/gemm_kernel.h"

#include "engine/kernel/rate.h"
#include "engine/record/recorder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace engine {

namespace {

// SplitMix64 (Steele, Lea, Flood 2014): every bit of seed and position reaches every bit of the result.
std::uint64_t hash(std::uint64_t seed, std::uint64_t position) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + position + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Between nothing and `most`, both included, alike for equal seeds.
Duration draw(Duration most, std::uint64_t seed, std::uint64_t position) {
    if (most.ps == 0)
        return {};
    return {static_cast<std::int64_t>(hash(seed, position) % (static_cast<std::uint64_t>(most.ps) + 1))};
}

// Side by side with a collective kernel the GEMM has the CUs that are left.
std::int64_t cusForGemm(const Experiment& experiment) {
    if (experiment.policy.start != CommunicationStart::concurrent)
        return experiment.cu.count;
    return experiment.cu.count - collectiveCus(experiment);
}

// Times of the K-steps of one tile shape. They add up to the time of all its operations: each is the difference of
// two times from the beginning, so that rounding never accumulates.
std::vector<Duration> stepTimes(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t kStep,
                                std::int64_t flopsPerSecond) {
    std::vector<Duration> times;
    Duration before;
    for (std::int64_t done = 0; done < k;) {
        done = std::min(done + kStep, k);
        const Duration after = timeAtRate(2 * m * n * done, flopsPerSecond);
        times.push_back(std::max(after - before, Duration{1}));
        before = after;
    }
    return times;
}

}  // namespace

GemmKernel::GemmKernel(const Experiment& experiment, const GemmSize& shape, const TileGrid& grid, TileOrder order,
                       const Ports& ports, TileSink& sink, Recorder* recorder, std::uint32_t gpu)
    : m_shape(shape), m_grid(grid), m_order(order), m_ports(ports), m_sink(sink), m_recorder(recorder),
      m_granuleBits(
          static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint64_t>(experiment.detail.granule.count)))),
      m_kStep(static_cast<std::uint32_t>(std::min(experiment.gemm.kStep, shape.sliceOfK()))),
      m_steps(static_cast<std::uint32_t>((shape.sliceOfK() + m_kStep - 1) / m_kStep)),
      m_depth(static_cast<std::uint32_t>(
          std::clamp<std::int64_t>((experiment.gemm.prefetch + m_kStep - 1) / m_kStep, 1, m_steps))),
      m_ringBits(static_cast<std::uint32_t>(std::bit_width(m_depth - 1))),
      m_cus(static_cast<std::uint32_t>(cusForGemm(experiment))),
      m_slotsPerCu(static_cast<std::uint32_t>(residentWorkgroups(experiment))), m_epilogue(experiment.gemm.epilogue),
      m_jitter(experiment.cu.startJitter), m_ownJitter(experiment.variation.jitter),
      m_seed(static_cast<std::uint64_t>(experiment.seed)), m_ownSeed(hash(m_seed, std::uint64_t{gpu} + 1)),
      m_slots(std::size_t{m_cus} * m_slotsPerCu), m_stepsInFlight(m_slots.size() << m_ringBits), m_pipes(m_cus) {
    const auto flopsPerSecond = static_cast<std::int64_t>(std::llround(
        static_cast<double>(experiment.cu.flopsPerCycle * experiment.cu.clock.hertz) * experiment.cu.tensorEfficiency));
    for (std::uint32_t shapeClass = 0; shapeClass < 4; ++shapeClass) {
        const std::int64_t row = shapeClass & 1 ? grid.rows() - 1 : 0;
        const std::int64_t column = shapeClass & 2 ? grid.columns() - 1 : 0;
        m_stepTime[shapeClass] =
            stepTimes(grid.rowElements(row), grid.columnElements(column), shape.sliceOfK(), m_kStep, flopsPerSecond);
    }
    const TileGrid::Tile first = grid.tile(order.first);
    m_firstRow = grid.rowsAreOuter() ? first.row : 0;
    m_firstColumn = grid.rowsAreOuter() ? 0 : first.column;
}

void GemmKernel::connect(LastLevelCache& cache) {
    m_cache = &cache;
    const auto granules = [&](std::int64_t elements) {
        const std::int64_t bytes = elements * m_kStep * kElementBytes;
        return static_cast<std::uint32_t>((bytes + (std::int64_t{1} << m_granuleBits) - 1) >> m_granuleBits);
    };
    m_a = cache.addRegion(static_cast<std::uint32_t>(m_grid.rows() * m_grid.partsOfK()) * m_steps,
                          granules(m_grid.rowElements(0)), false);
    m_b = cache.addRegion(static_cast<std::uint32_t>(m_grid.columns()) * m_steps, granules(m_grid.columnElements(0)),
                          false);
}

void GemmKernel::begin() {
    if (m_recorder)
        m_recorder->expectSteps(m_order.tiles, m_steps);
    for (std::uint32_t slot = 0; slot < m_slots.size(); ++slot)
        dispatch(slot);
}

// Slot s belongs to CU s mod CUs: the first wave fills one slot of every CU before the next.
void GemmKernel::dispatch(std::uint32_t slot) {
    if (m_dispatched == m_order.tiles)
        return;
    const TimePoint now = m_ports.started.now();
    Slot& state = m_slots[slot];
    state = Slot{};
    state.cu = slot % m_cus;
    state.lane = state.cu * m_slotsPerCu + slot / m_cus;
    state.position = m_dispatched++;
    state.tile = m_order.tileAt(state.position);
    state.dispatchedAt = now;
    const TileGrid::Tile at = m_grid.tile(state.tile);
    const auto rows = static_cast<std::uint32_t>(m_grid.rows());
    const auto columns = static_cast<std::uint32_t>(m_grid.columns());
    const auto part = static_cast<std::uint32_t>(m_grid.partOf(at.column));
    state.aNext = (part * rows + (at.row + rows - m_firstRow) % rows) * m_steps;
    state.bNext = (at.column + columns - m_firstColumn) % columns * m_steps;
    const std::int64_t lastK = m_shape.sliceOfK() - std::int64_t{m_steps - 1} * m_kStep;
    state.aSlab = slabShape(m_grid.rowElements(at.row), m_kStep);
    state.aLastSlab = slabShape(m_grid.rowElements(at.row), lastK);
    state.bSlab = slabShape(m_grid.columnElements(at.column), m_kStep);
    state.bLastSlab = slabShape(m_grid.columnElements(at.column), lastK);
    state.shapeClass = (at.row + 1 == rows ? 1u : 0u) | (m_grid.isLastColumn(at.column) ? 2u : 0u);
    const TimePoint start = now + draw(m_jitter, m_seed, state.position) + draw(m_ownJitter, m_ownSeed, state.position);
    m_ports.started.schedule(start, slot);
    if (m_recorder)
        m_recorder->sample(CounterKind::runningWorkgroups, now, ++m_runningWorkgroups);
}

void GemmKernel::inputArrived() {
    const std::vector<std::uint32_t> waiting = std::move(m_waiting);
    m_waiting.clear();
    for (const std::uint32_t slot : waiting)
        onStarted(slot);
}

void GemmKernel::onStarted(std::uint32_t slot) {
    if (m_source != nullptr && !m_source->inputReady(m_slots[slot].tile)) {
        m_waiting.push_back(slot);
        return;
    }
    for (std::uint32_t step = 0; step < m_depth; ++step)
        loadStep(slot);
    book(m_slots[slot].cu);
}

void GemmKernel::loadStep(std::uint32_t slot) {
    Slot& state = m_slots[slot];
    const std::uint32_t number = state.nextLoad++;
    const std::uint32_t waiter = placeOf(slot, number);
    Step& step = m_stepsInFlight[waiter];
    step.ready = m_ports.computed.now();
    step.issuedAt = step.ready;
    const bool last = number + 1 == m_steps;
    step.waits = m_cache->load(m_a, state.aNext++, last ? state.aLastSlab : state.aSlab, waiter, step.ready);
    step.waits += m_cache->load(m_b, state.bNext++, last ? state.bLastSlab : state.bSlab, waiter, step.ready);
    if (step.waits != 0)
        return;
    if (m_recorder)
        record(slot, number, step);
    if (number == state.nextCompute)
        state.headReady = step.ready;
}

SlabShape GemmKernel::slabShape(std::int64_t elements, std::int64_t k) const {
    const auto bytes = static_cast<std::uint32_t>(elements * k * kElementBytes);
    const std::uint32_t granules = (bytes + (1u << m_granuleBits) - 1) >> m_granuleBits;
    return {granules, bytes - ((granules - 1) << m_granuleBits)};
}

void GemmKernel::lineReady(std::uint32_t waiter, TimePoint ready) {
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

void GemmKernel::book(std::uint32_t cu) {
    const TimePoint now = m_ports.computed.now();
    Pipe& pipe = m_pipes[cu];
    if (pipe.startAt <= now)
        return;  // a K-step is in the pipe; its end books the next
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
    pipe.doneAt = start + m_stepTime[state.shapeClass][state.nextCompute];
    m_ports.computed.schedule(pipe.doneAt, cu);
}

void GemmKernel::onComputed(std::uint32_t cu) {
    const TimePoint now = m_ports.computed.now();
    Pipe& pipe = m_pipes[cu];
    if (pipe.doneAt != now)
        return;  // a booking that was replaced
    const std::uint32_t slot = pipe.slot;
    pipe = Pipe{};
    Slot& state = m_slots[slot];
    if (m_recorder)
        m_recorder->computed(state.tile, state.nextCompute, now);
    ++state.nextCompute;
    state.headReady = kNever;
    if (state.nextCompute == m_steps) {
        m_ports.stored.schedule(now + m_epilogue, slot);
    } else {
        if (state.nextLoad < m_steps)
            loadStep(slot);
        const Step& head = m_stepsInFlight[placeOf(slot, state.nextCompute)];
        if (head.waits == 0)
            state.headReady = head.ready;
    }
    book(cu);
}

void GemmKernel::onStoring(std::uint32_t slot) {
    Slot& state = m_slots[slot];
    const std::uint32_t tile = state.tile;
    ++m_stored;
    if (m_recorder) {
        const std::uint32_t wave = state.position / static_cast<std::uint32_t>(m_slots.size());
        if (m_waves.size() <= wave)
            m_waves.resize(wave + 1);
        m_waves[wave].starts.push_back(state.dispatchedAt);
        m_waves[wave].end = std::max(m_waves[wave].end, m_ports.stored.now());
    }
    if (m_sink.storeTile(tile))
        release(slot);
    if (m_stored == m_order.tiles) {
        if (m_recorder)
            recordWaves();
        m_sink.allTilesStored();
    }
}

// A wave begins when half of its workgroups have: the narrow tiles of a ragged edge end early and would make every
// wave but the first seem to begin long before it does.
void GemmKernel::recordWaves() {
    for (std::uint32_t number = 0; number < m_waves.size(); ++number) {
        Wave& wave = m_waves[number];
        const auto middle = wave.starts.begin() + static_cast<std::ptrdiff_t>(wave.starts.size() / 2);
        std::nth_element(wave.starts.begin(), middle, wave.starts.end());
        m_recorder->span(
            LaneKind::gemmWaves, 0,
            {*middle, wave.end, number, static_cast<std::uint32_t>(wave.starts.size()), 0, SpanKind::gemmWave});
    }
}

void GemmKernel::storeReleased(std::uint32_t tile) {
    for (std::uint32_t slot = 0; slot < m_slots.size(); ++slot)
        if (m_slots[slot].tile == tile && m_slots[slot].nextCompute == m_steps) {
            release(slot);
            return;
        }
}

void GemmKernel::release(std::uint32_t slot) {
    const Slot& state = m_slots[slot];
    if (m_recorder) {
        const TimePoint now = m_ports.stored.now();
        m_recorder->sample(CounterKind::runningWorkgroups, now, --m_runningWorkgroups);
        m_recorder->span(LaneKind::workgroupSlot, state.lane,
                         {state.dispatchedAt, now, state.tile, state.position, 0, SpanKind::workgroup});
    }
    m_slots[slot].nextCompute = 0;
    dispatch(slot);
}

void GemmKernel::record(std::uint32_t slot, std::uint32_t step, const Step& state) {
    m_recorder->span(LaneKind::loads, m_slots[slot].lane,
                     {state.issuedAt, state.ready, m_slots[slot].tile, step, 0, SpanKind::load});
}

}  // namespace engine
