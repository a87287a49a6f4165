#include "data/trace/trace_flows.h"

#include "engine/api/chunk_route.h"
#include "engine/api/run_parts.h"
#include "engine/api/trace_lanes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace data {
namespace {

using engine::Lane;
using engine::Span;
using engine::SpanKind;
using engine::SpanPlace;
using engine::Trace;

enum class Part : std::uint8_t { first, gather };

/// The blocks of one recorded GPU and its tracked tiles.
struct GpuWork {
    std::int64_t gatherStart = 0;
    std::vector<SpanPlace> triggers;
    /// Transfers by part, block and chunk, in the order of time. The ring sends a block once in each part; other
    /// algorithms may send it in several steps.
    std::map<std::tuple<Part, std::uint32_t, std::uint32_t>, std::vector<SpanPlace>> transfers;
    std::map<std::pair<Part, std::uint32_t>, std::uint32_t> firstBlock;  ///< by chunk
    std::vector<std::vector<SpanPlace>> trackedTiles;                    ///< by tile
};

class FlowReader {
public:
    FlowReader(const Trace& trace, const engine::Experiment& experiment)
        : m_trace(trace), m_experiment(experiment), m_ring(engine::sendsAroundRing(experiment)),
          m_blockTiles(std::max<std::uint32_t>(1, static_cast<std::uint32_t>(experiment.dma.blockTiles))) {
        m_work.resize(trace.recordedGpus());
        const engine::TraceLanes lanes(trace);
        for (std::uint32_t gpu = 0; gpu < m_work.size(); ++gpu) {
            m_work[gpu].gatherStart = gatherStartOf(gpu);
            for (const engine::LaneKind kind : {engine::LaneKind::tracker, engine::LaneKind::dma}) {
                for (const std::uint32_t lane : lanes.lanes(gpu, kind))
                    read(lane);
            }
        }
    }

    std::vector<TraceFlow> flows() {
        std::vector<TraceFlow> found;
        for (std::uint32_t gpu = 0; gpu < m_work.size(); ++gpu) {
            std::map<std::tuple<Part, std::uint32_t, std::uint32_t>, std::size_t> used;
            for (const SpanPlace& trigger : m_work[gpu].triggers) {
                const Span& span = at(trigger);
                const auto key = std::tuple(partOf(gpu, span), span.first, span.second);
                const auto sent = m_work[gpu].transfers.find(key);
                std::size_t& next = used[key];
                if (sent == m_work[gpu].transfers.end() || next >= sent->second.size())
                    continue;
                const SpanPlace transfer = sent->second[next++];
                if (at(transfer).start >= span.start)
                    addFlows(gpu, std::get<0>(key), trigger, transfer, found);
            }
        }
        return found;
    }

private:
    const Span& at(SpanPlace place) const { return m_trace.span(place); }

    // Returns when the all-gather begins, or a time after the run without one. It separates the two collectives, which
    // number their blocks alike.
    std::int64_t gatherStartOf(std::uint32_t gpu) const {
        const bool gathers = std::any_of(m_trace.lanes.begin(), m_trace.lanes.end(), [](const Lane& lane) {
            return lane.kind == engine::LaneKind::allGather && !lane.spans.empty();
        });
        if (!gathers)
            return m_trace.end.ps + 1;
        return gpu < m_trace.phases.size() ? m_trace.phases[gpu].allGatherStart.ps : m_trace.allGatherStart.ps;
    }

    Part partOf(std::uint32_t gpu, const Span& span) const {
        return span.start.ps < m_work[gpu].gatherStart ? Part::first : Part::gather;
    }

    void read(std::uint32_t index) {
        const Lane& lane = m_trace.lanes[index];
        GpuWork& work = m_work[lane.gpu];
        work.trackedTiles.resize(m_trace.output.tiles());
        for (std::uint32_t i = 0; i < lane.spans.size(); ++i) {
            const Span& span = lane.spans[i];
            const Part part = partOf(lane.gpu, span);
            if (span.kind == SpanKind::trackedTile && span.first < work.trackedTiles.size())
                work.trackedTiles[span.first].push_back({index, i});
            if (span.kind == SpanKind::trigger)
                work.triggers.push_back({index, i});
            if (span.kind == SpanKind::dmaTransfer)
                work.transfers[{part, span.first, span.second}].push_back({index, i});
            if (span.kind == SpanKind::dmaTransfer) {
                const auto [first, isNew] = work.firstBlock.try_emplace({part, span.second}, span.first);
                first->second = std::min(first->second, span.first);
            }
        }
    }

    /// Returns the GPUs of the ring to which the block goes.
    std::vector<std::uint32_t> receiversOf(std::uint32_t gpu, Part part, std::uint32_t chunk) const {
        if (m_ring)
            return {(gpu + m_trace.gpus - 1) % m_trace.gpus};
        const auto [known, isNew] = m_routes.try_emplace(gpu, engine::GpuRoutes());
        if (isNew)
            known->second = engine::routesOf(m_experiment, gpu);
        for (const engine::ChunkRoute& route : part == Part::gather ? known->second.gather : known->second.scatter) {
            if (route.chunk == chunk)
                return route.dmaTo;
        }
        return {};
    }

    /// Returns the last tile of a transfer's block, as the sender numbers it.
    std::optional<std::uint32_t> lastTile(std::uint32_t gpu, Part part, const Span& transfer) const {
        const std::vector<std::uint32_t>& firstTile = m_trace.output.chunkTile;
        const auto first = m_work[gpu].firstBlock.find({part, transfer.second});
        if (first == m_work[gpu].firstBlock.end() || transfer.second + 1 >= firstTile.size())
            return std::nullopt;
        const std::uint32_t begin = firstTile[transfer.second] + (transfer.first - first->second) * m_blockTiles;
        const std::uint32_t end = std::min(begin + m_blockTiles, firstTile[transfer.second + 1]);
        return begin < end ? std::optional(end - 1) : std::nullopt;
    }

    // Returns the receiver's number of a tile. In a mirrored trace it is shifted by as many chunks as the GPUs are
    // apart.
    std::uint32_t tileAt(std::uint32_t sender, std::uint32_t receiver, std::uint32_t tile) const {
        if (!m_trace.mirrored || m_trace.output.chunkTile.empty())
            return tile;
        const std::uint32_t chunks = (sender + m_trace.gpus - receiver) % m_trace.gpus;
        const std::uint32_t tiles = m_trace.output.tiles();
        return chunks < m_trace.output.chunkTile.size() ? (tile + m_trace.output.chunkTile[chunks]) % tiles : tile;
    }

    void addFlows(std::uint32_t gpu, Part part, SpanPlace trigger, SpanPlace transfer,
                  std::vector<TraceFlow>& found) const {
        const Span& sent = at(transfer);
        const auto tile = lastTile(gpu, part, sent);
        const std::vector<std::uint32_t> receivers =
            tile ? receiversOf(gpu, part, sent.second) : std::vector<std::uint32_t>();
        bool any = false;
        for (const std::uint32_t receiver : receivers) {
            const GpuWork& there = m_work[m_trace.recorded(receiver)];
            const std::uint32_t same = tileAt(gpu, receiver, *tile);
            if (same >= there.trackedTiles.size())
                continue;
            // The receiver may have tracked this tile before; that tracking ended before the transfer began.
            const std::vector<SpanPlace>& tracked = there.trackedTiles[same];
            const auto landed = std::find_if(tracked.begin(), tracked.end(),
                                             [&](SpanPlace place) { return at(place).end > sent.start; });
            if (landed == tracked.end())
                continue;
            found.push_back({trigger, transfer, *landed});
            any = true;
        }
        if (!any)
            found.push_back({trigger, transfer, std::nullopt});
    }

    const Trace& m_trace;
    const engine::Experiment& m_experiment;
    bool m_ring;
    std::uint32_t m_blockTiles;
    std::vector<GpuWork> m_work;  // by recorded GPU
    mutable std::map<std::uint32_t, engine::GpuRoutes> m_routes;
};

}  // namespace

std::vector<TraceFlow> flowsOf(const Trace& trace, const engine::Experiment& experiment) {
    return FlowReader(trace, experiment).flows();
}

}  // namespace data
