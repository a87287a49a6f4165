#include "data/replay/dma_history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace data {

using engine::LaneKind;
using engine::Span;
using engine::SpanKind;

DmaHistory::DmaHistory(const RunLog& log, const engine::Experiment& experiment, std::uint32_t recorded)
    : m_facts(log.facts(recorded)),
      m_engines(m_facts.commands.empty() ? 0 : static_cast<std::uint32_t>(experiment.dma.engines)),
      m_transfers(m_facts.commands.size()) {
    if (m_facts.commands.empty())
        return;
    findTransfers(log, recorded);
    addReads(log.trace(), recorded, experiment.memory.latency.ps);
}

// Joins two sources: the log has the command of each transfer, and the lane has the engine that took it.
void DmaHistory::findTransfers(const RunLog& log, std::uint32_t recorded) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, Transfer> taken;  // by block, chunk and moment
    for (const engine::Lane& lane : log.trace().lanes) {
        if (lane.gpu != recorded || lane.kind != LaneKind::dma)
            continue;
        for (std::size_t i = 0; i < lane.spans.size(); ++i) {
            const Span& span = lane.spans[i];
            const std::int64_t read = i < lane.readAt.size() ? lane.readAt[i].ps : span.end.ps;
            taken[{span.first, span.second, span.start.ps}] = {lane.index, span.start.ps, read, span.end.ps, 0};
        }
    }
    for (const LogEvent& event : log.events(recorded)) {
        if (event.kind() != LogEventKind::transferBegun)
            continue;
        const DmaCommand& command = m_facts.commands[event.subject];
        const auto found = taken.find({command.block, command.chunk, event.ps});
        if (found == taken.end())
            continue;
        Transfer& transfer = m_transfers[event.subject].emplace(found->second);
        for (std::uint32_t tile = command.firstTile; tile < command.endTile; ++tile)
            transfer.bytes += m_facts.output.tileBytes[tile];
        m_sent.push_back(transfer.sentPs);
    }
    std::sort(m_sent.begin(), m_sent.end());
}

void DmaHistory::addReads(const engine::Trace& trace, std::uint32_t recorded, std::int64_t latency) {
    for (const engine::Lane& lane : trace.lanes) {
        if (lane.gpu != recorded || lane.kind != LaneKind::dramChannel)
            continue;
        for (const Span& span : lane.spans)
            if (span.kind == SpanKind::dramRead && trafficOwnerOf(span) == TrafficOwner::communication)
                m_reads.emplace_back(span.end.ps + latency, span.bytes);
    }
    std::sort(m_reads.begin(), m_reads.end());
    std::uint64_t sum = 0;
    for (auto& [ps, bytes] : m_reads)
        bytes = sum += bytes;
}

std::uint64_t DmaHistory::readUntil(std::int64_t ps) const {
    const auto after =
        std::partition_point(m_reads.begin(), m_reads.end(), [ps](const auto& read) { return read.first <= ps; });
    return after == m_reads.begin() ? 0 : std::prev(after)->second;
}

// Returns the share of a transfer's bytes that have been read. Reads in the trace do not name their block, so blocks
// that are read at the same time share the bytes that return.
double DmaHistory::shareRead(const Transfer& transfer, std::int64_t ps) const {
    if (ps >= transfer.readPs)
        return 1;
    const std::uint64_t before = readUntil(transfer.takenPs), all = readUntil(transfer.readPs);
    return all == before ? 0 : static_cast<double>(readUntil(ps) - before) / static_cast<double>(all - before);
}

GpuInside::Command DmaHistory::commandOf(const BlockState& block, const Transfer& transfer, std::int64_t ps) const {
    const auto bytes = static_cast<double>(transfer.bytes);
    GpuInside::Command command{block.block, block.chunk, block.gathering, transfer.bytes, 0, 0};
    command.sentBytes = static_cast<std::uint64_t>(std::llround(bytes * block.doneShare));
    const auto read = static_cast<std::uint64_t>(std::llround(bytes * shareRead(transfer, ps)));
    command.readBytes = std::max(read, command.sentBytes);
    return command;
}

void DmaHistory::describeEngines(std::vector<std::pair<const BlockState*, const Transfer*>> moving,
                                 GpuInside& inside) const {
    std::sort(moving.begin(), moving.end(), [](const auto& a, const auto& b) {
        return std::tie(a.second->takenPs, a.second->readPs) < std::tie(b.second->takenPs, b.second->readPs);
    });
    for (const auto& [block, transfer] : moving) {
        if (transfer->engine >= inside.engines.size())
            continue;
        GpuInside::Engine& engine = inside.engines[transfer->engine];
        const GpuInside::Command command = commandOf(*block, *transfer, inside.ps);
        if (inside.ps >= transfer->readPs)
            engine.sending.push_back(command);
        else if (!engine.reading)
            engine.reading = command;
        else
            engine.next.push_back(command);
    }
}

void DmaHistory::describe(const GpuState& state, GpuInside& inside) const {
    inside.engines.resize(m_engines);
    std::vector<std::pair<const BlockState*, const Transfer*>> moving;
    std::uint32_t stillMoving = 0;  // transfers that end at this moment, but after the events that have happened
    for (const BlockState& block : state.movingBlocks) {
        const std::size_t command = block.block + (block.gathering ? m_facts.scatterCommands : 0);
        if (command >= m_transfers.size() || !m_transfers[command])
            continue;
        moving.emplace_back(&block, &*m_transfers[command]);
        stillMoving += m_transfers[command]->sentPs <= inside.ps;
    }
    const auto sent =
        static_cast<std::uint32_t>(std::upper_bound(m_sent.begin(), m_sent.end(), inside.ps) - m_sent.begin());
    inside.commandsDone = sent - std::min(sent, stillMoving);
    inside.commandsReady = static_cast<std::uint32_t>(state.waitingBlocks.size());
    const std::size_t known = inside.commandsDone + inside.commandsReady + state.movingBlocks.size();
    inside.commandsWaiting =
        static_cast<std::uint32_t>(m_facts.commands.size() - std::min(m_facts.commands.size(), known));
    describeEngines(std::move(moving), inside);
}

}  // namespace data
