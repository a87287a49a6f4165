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
    : m_facts(log.facts(recorded)), m_engines(static_cast<std::uint32_t>(experiment.dma.engines)),
      m_transfers(m_facts.commands.size()) {
    findCopies(log.trace(), recorded);
    if (m_facts.commands.empty() && m_copies.empty()) {
        m_engines = 0;
        return;
    }
    findTransfers(log, recorded);
    addReads(log.trace(), recorded, experiment.memory.latency.ps);
}

// Joins the copies with their packets, which go to the copy's GPU while it has its engine.
void DmaHistory::findCopies(const engine::Trace& trace, std::uint32_t recorded) {
    if (recorded < trace.phases.size())
        m_gatherStart = trace.phases[recorded].allGatherStart.ps;
    for (const engine::Lane& lane : trace.lanes) {
        for (std::size_t i = 0; lane.gpu == recorded && lane.kind == LaneKind::dma && i < lane.spans.size(); ++i) {
            const Span& span = lane.spans[i];
            const std::int64_t read = i < lane.readAt.size() ? lane.readAt[i].ps : span.end.ps;
            if (span.kind == SpanKind::copy)
                m_copies.push_back(
                    {{lane.index, span.start.ps, read, span.end.ps, span.bytes}, span.second, span.peer, {}});
        }
    }
    std::ranges::stable_sort(m_copies, {}, [](const Copy& copy) { return copy.transfer.takenPs; });
    for (const engine::Lane& lane : trace.lanes) {
        if (m_copies.empty() || lane.gpu != recorded || lane.kind != LaneKind::linkOut)
            continue;
        for (const Span& packet : lane.spans) {
            const auto of = std::ranges::find_if(m_copies, [&](const Copy& copy) {
                return copy.chunk == packet.second && copy.to == packet.peer &&
                       copy.transfer.takenPs <= packet.start.ps && packet.end.ps <= copy.transfer.sentPs;
            });
            if (of != m_copies.end())
                of->sent.emplace_back(packet.end.ps, (of->sent.empty() ? 0 : of->sent.back().second) + packet.bytes);
        }
    }
}

void DmaHistory::describeCopies(const GpuState& state, GpuInside& inside) const {
    std::uint32_t underWay = 0;
    for (std::uint32_t number = 0; number < m_copies.size(); ++number) {
        const Copy& copy = m_copies[number];
        const Transfer& transfer = copy.transfer;
        if (transfer.sentPs <= inside.ps)
            ++inside.commandsDone;
        if (transfer.sentPs <= inside.ps || transfer.takenPs > inside.ps || transfer.engine >= inside.engines.size())
            continue;
        GpuInside::Command command{number, copy.chunk, copy.transfer.takenPs >= m_gatherStart, copy.to, transfer.bytes,
                                   0,      0};
        command.sentBytes = bytesUntil(copy.sent, inside.ps);
        const auto read = static_cast<double>(transfer.bytes) * shareRead(transfer, inside.ps);
        command.readBytes = std::max(static_cast<std::uint64_t>(std::llround(read)), command.sentBytes);
        GpuInside::Engine& engine = inside.engines[transfer.engine];
        if (inside.ps >= transfer.readPs)
            engine.sending.push_back(command);
        else
            engine.reading = command;
        ++underWay;
    }
    const std::uint32_t others = static_cast<std::uint32_t>(m_copies.size()) - inside.commandsDone - underWay;
    inside.commandsReady = static_cast<std::uint32_t>(std::min<std::int64_t>(state.dmaQueue, others));
    inside.commandsWaiting = others - inside.commandsReady;
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

std::uint64_t DmaHistory::bytesUntil(const ByteSums& sums, std::int64_t ps) {
    const auto after = std::ranges::partition_point(sums, [ps](const auto& sum) { return sum.first <= ps; });
    return after == sums.begin() ? 0 : std::prev(after)->second;
}

// Returns the share of a transfer's bytes that have been read. Reads in the trace do not name their block, so blocks
// that are read at the same time share the bytes that return.
double DmaHistory::shareRead(const Transfer& transfer, std::int64_t ps) const {
    if (ps >= transfer.readPs)
        return 1;
    const std::uint64_t before = bytesUntil(m_reads, transfer.takenPs), all = bytesUntil(m_reads, transfer.readPs);
    return all == before ? 0
                         : static_cast<double>(bytesUntil(m_reads, ps) - before) / static_cast<double>(all - before);
}

GpuInside::Command DmaHistory::commandOf(const BlockState& block, const Transfer& transfer, std::int64_t ps) const {
    const auto bytes = static_cast<double>(transfer.bytes);
    GpuInside::Command command{block.block, block.chunk, block.gathering, {}, transfer.bytes, 0, 0};
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
    if (!m_copies.empty())
        return describeCopies(state, inside);
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
