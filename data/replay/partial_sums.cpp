#include "data/replay/partial_sums.h"

#include "engine/api/chunk_route.h"
#include "engine/api/run_parts.h"

#include <algorithm>
#include <numeric>

namespace data {

SumPlan::SumPlan(const engine::Experiment& experiment, std::uint32_t gpus)
    : m_gpus(gpus), m_reduces(engine::runPartsOf(experiment).reduceScatter) {
    if (!m_reduces)
        return;
    m_parts = gpus;
    std::vector<std::vector<engine::ChunkMoves>> moves;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        moves.push_back(engine::scatterMovesOf(experiment, gpu));
    m_chunks = moves.empty() ? 0 : static_cast<std::uint32_t>(moves.front().size());
    m_arrivals.resize(std::size_t{gpus} * m_chunks);
    m_keepers.assign(m_chunks, gpus);
    if (engine::runPartsOf(experiment).reducesAtOnce) {  // the one arrival has the contributions of all others
        for (std::vector<std::uint32_t>& came : m_arrivals)
            came = {gpus - 1};
        return;
    }
    for (std::uint32_t chunk = 0; chunk < m_chunks; ++chunk)
        addChunk(chunk, moves);
}

// Computes the partial sums of one chunk. A GPU sends the chunk on once, with everything that has arrived: the sum
// contains its own contribution and those of all GPUs that sent to it. Every GPU is visited after all its senders.
void SumPlan::addChunk(std::uint32_t chunk, const std::vector<std::vector<engine::ChunkMoves>>& moves) {
    std::vector<std::uint32_t> missing(m_gpus), ready;
    for (const std::vector<engine::ChunkMoves>& gpu : moves) {
        for (const std::uint32_t to : gpu[chunk].to)
            ++missing[to];
    }
    for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu) {
        if (missing[gpu] == 0)
            ready.push_back(gpu);
    }
    for (std::size_t next = 0; next < ready.size(); ++next) {
        const std::uint32_t gpu = ready[next];
        const std::vector<std::uint32_t>& to = moves[gpu][chunk].to;
        // First the sizes of the partial sums that arrive, smallest first; then their running totals.
        std::vector<std::uint32_t>& came = m_arrivals[std::size_t{gpu} * m_chunks + chunk];
        std::sort(came.begin(), came.end());
        std::partial_sum(came.begin(), came.end(), came.begin());
        if (came.size() > moves[gpu][chunk].received)  // a switch has added them: they arrive as one
            came = {came.back()};
        const std::uint32_t sum = 1 + (came.empty() ? 0 : came.back());
        if (to.empty() && sum == m_parts)
            m_keepers[chunk] = gpu;
        for (const std::uint32_t receiver : to) {
            m_arrivals[std::size_t{receiver} * m_chunks + chunk].push_back(sum);
            if (--missing[receiver] == 0)
                ready.push_back(receiver);
        }
    }
}

std::uint32_t SumPlan::others(std::uint32_t gpu, std::uint32_t chunk, std::uint32_t arrived) const {
    if (!m_reduces || arrived == 0 || gpu >= m_gpus || chunk >= m_chunks)
        return 0;
    const std::vector<std::uint32_t>& parts = m_arrivals[std::size_t{gpu} * m_chunks + chunk];
    return parts.empty() ? 0 : parts[std::min<std::size_t>(arrived, parts.size()) - 1];
}

std::uint32_t SumPlan::allOthers(std::uint32_t gpu, std::uint32_t chunk) const { return others(gpu, chunk, m_gpus); }

std::uint32_t SumPlan::keeperOf(std::uint32_t chunk) const { return chunk < m_chunks ? m_keepers[chunk] : m_gpus; }

TileSums tileSums(const SumPlan& plan, const GpuState& state, std::uint32_t gpu, std::uint32_t chunk,
                  std::uint32_t tile) {
    const TileCopies& copies = state.copies[tile];
    switch (state.tiles[tile]) {
    case TileState::reduced: return {true, plan.parts() - 1, false, true};
    case TileState::sent: return {true, plan.allOthers(gpu, chunk), true, false};
    case TileState::ready:
    case TileState::inFlight: return {true, plan.allOthers(gpu, chunk), false, false};
    case TileState::stored:
    case TileState::notProduced:
    case TileState::oneUpdate: break;
    }
    // Without a reduction, data that are there from the start count as the own contribution only in state oneUpdate.
    const bool held = copies.own && (plan.reduces() || state.tiles[tile] == TileState::oneUpdate);
    return {copies.computed || held, plan.others(gpu, chunk, copies.arrived), false, false};
}

ChunkSums sumsOf(const SumPlan& plan, const GpuState& state, std::uint32_t gpu, std::uint32_t chunk,
                 std::uint32_t first, std::uint32_t end) {
    ChunkSums sums;
    sums.tiles = end - first;
    sums.in.resize(plan.parts());
    sums.gone.resize(plan.parts());
    sums.least = sums.tiles == 0 ? 0 : plan.parts();
    for (std::uint32_t tile = first; tile < end; ++tile) {
        const TileSums one = tileSums(plan, state, gpu, chunk, tile);
        sums.least = std::min(sums.least, one.count());
        sums.most = std::max(sums.most, one.count());
        if (one.whole) {
            ++sums.whole;
            continue;
        }
        sums.sent += one.sent ? 1 : 0;
        std::vector<std::uint32_t>& places = one.sent ? sums.gone : sums.in;
        places[0] += one.own ? 1 : 0;
        if (one.others > 0)
            ++places[one.others];
    }
    // So far each tile is counted at its last place only; a tile with n partial sums of others has all places up to n.
    for (std::vector<std::uint32_t>* places : {&sums.in, &sums.gone}) {
        for (std::size_t place = places->size(); place-- > 2;)
            (*places)[place - 1] += (*places)[place];
    }
    return sums;
}

}  // namespace data
