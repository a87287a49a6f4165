#include "ui/machine/link_traffic.h"

#include "data/replay/kernel_number.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace ui {
namespace {

using Counts = std::array<std::uint32_t, data::kTileStates>;

std::uint32_t in(const Counts& counts, data::TileState state) { return counts[static_cast<std::size_t>(state)]; }

// Returns the average progress of the tiles in flight, from their blocks; one half if kernels send them tile by tile.
double shareInFlight(const data::GpuState& state, std::uint32_t chunk) {
    double sum = 0;
    int blocks = 0;
    for (const data::BlockState& block : state.movingBlocks) {
        if (block.chunk != chunk || block.gathering)
            continue;
        sum += block.doneShare;
        ++blocks;
    }
    return blocks == 0 ? 0.5 : sum / blocks;
}

using engine::Lane;
using engine::LaneKind;
using engine::Topology;

constexpr qsizetype kMostNamed = 2;  // more GPUs would not fit beside their chunks, so only their number is shown

std::optional<std::uint32_t> linkBetween(const Topology& topology, std::uint32_t from, std::uint32_t to) {
    const auto found =
        std::find_if(topology.links.begin(), topology.links.end(),
                     [&](const engine::TopologyLink& link) { return link.from == from && link.to == to; });
    return found == topology.links.end() ? std::nullopt
                                         : std::optional(static_cast<std::uint32_t>(found - topology.links.begin()));
}

/// Returns the link that corresponds to `link` if GPU `gpu` takes the place of GPU 0, or an empty optional if there is
/// none. Switches stay the same; the first link of a hop of the ring corresponds to the first link of the GPU's own
/// hop.
std::optional<std::uint32_t> turned(const Topology& topology, std::uint32_t link, std::uint32_t gpu) {
    if (!topology.ring.empty() && !topology.ring[0].empty() && topology.ring[0].front() == link)
        return topology.ring[gpu].empty() ? std::nullopt : std::optional(topology.ring[gpu].front());
    const auto turn = [&](std::uint32_t node) { return node < topology.gpus ? (node + gpu) % topology.gpus : node; };
    return linkBetween(topology, turn(topology.links[link].from), turn(topology.links[link].to));
}

}  // namespace

std::vector<Parcel> parcelsOf(std::uint32_t sender, const data::GpuState& from, const data::GpuState& receiver) {
    std::vector<Parcel> parcels;
    const std::size_t chunks = std::min(from.chunkTiles.size(), receiver.chunkTiles.size());
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        const Counts& here = from.chunkTiles[chunk];
        const Counts& there = receiver.chunkTiles[chunk];
        const auto tiles = std::accumulate(here.begin(), here.end(), std::uint32_t{0});
        const bool onLink = from.sendingChunk == chunk;
        const std::uint32_t sent = in(here, data::TileState::sent);
        const std::uint32_t flying = in(here, data::TileState::inFlight);
        const std::uint32_t whole = in(here, data::TileState::reduced);  // complete, received by the all-gather
        if (sent + flying > 0 && sent + whole < tiles) {
            const double gone = sent + flying * shareInFlight(from, chunk);
            parcels.push_back({sender, chunk, gone / tiles, false, onLink});
            continue;
        }
        // In the all-gather the sender keeps what it sends, so the progress is the share of the chunk that the receiver
        // has.
        const std::uint32_t received = in(there, data::TileState::reduced);
        const bool begun = received > 0 || (onLink && from.gathering);
        if (whole > 0 && begun && received < tiles && received <= whole)
            parcels.push_back({sender, chunk, static_cast<double>(received) / tiles, true, onLink});
    }
    return parcels;
}

LinkUse::LinkUse(std::shared_ptr<const engine::Trace> trace, const Topology& topology)
    : m_trace(std::move(trace)), m_records(topology.links.size()) {
    for (const Lane& lane : m_trace->lanes) {
        const bool out = lane.kind == LaneKind::linkOut;
        if ((!out && lane.kind != LaneKind::linkIn) || lane.gpu >= topology.gpus)
            continue;
        const std::vector<std::uint32_t> links = out ? topology.linksFrom(lane.gpu) : topology.linksTo(lane.gpu);
        if (lane.index >= links.size())
            continue;
        // If both ends are GPUs, the sender's record is used: at the receiver the packets arrive later.
        const std::uint32_t link = links[lane.index];
        if (!out && topology.links[link].from < topology.gpus)
            continue;
        std::int64_t busy = 0;
        for (const engine::Span& span : lane.spans)
            busy += (span.end - span.start).ps;
        const double share = m_trace->end.ps > 0 ? static_cast<double>(busy) / static_cast<double>(m_trace->end.ps) : 0;
        for (std::uint32_t gpu = 0; gpu < (m_trace->mirrored ? topology.gpus : 1); ++gpu) {
            const auto there = m_trace->mirrored ? turned(topology, link, gpu) : std::optional(link);
            if (there)
                m_records[*there] = {&lane, m_trace->mirrored ? gpu : 0, share};
        }
    }
}

std::optional<std::uint32_t> LinkUse::chunkOn(std::uint32_t link, std::int64_t ps) const {
    if (link >= m_records.size() || m_records[link].lane == nullptr)
        return std::nullopt;
    const std::vector<engine::Span>& spans = m_records[link].lane->spans;
    const auto after =
        std::upper_bound(spans.begin(), spans.end(), ps,
                         [](std::int64_t time, const engine::Span& span) { return time < span.start.ps; });
    if (after == spans.begin() || std::prev(after)->end.ps <= ps)
        return std::nullopt;
    const std::uint32_t chunk = data::ownChunkOf(*std::prev(after));
    if (chunk == engine::kNone)
        return std::nullopt;
    return m_trace->mirrored ? m_trace->chunkOn(m_records[link].turnedBy, chunk) : chunk;
}

std::optional<double> LinkUse::busyShare(std::uint32_t link) const {
    return link < m_records.size() ? m_records[link].busy : std::nullopt;
}

QStringList trafficLines(const Topology& topology, const LinkUse& use, std::uint32_t gpu, std::int64_t ps) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Topology", text); };
    QStringList sent, received, to, from;
    for (std::uint32_t link = 0; link < topology.links.size(); ++link) {
        const engine::TopologyLink& ends = topology.links[link];
        const auto chunk = ends.from == gpu || ends.to == gpu ? use.chunkOn(link, ps) : std::nullopt;
        if (!chunk)
            continue;
        const bool out = ends.from == gpu;
        const QString number = QString::number(*chunk);
        if (!(out ? sent : received).contains(number))
            (out ? sent : received) << number;
        (out ? to : from) << QString::fromStdString(topology.nodes[out ? ends.to : ends.from].name);
    }
    const QString comma = QStringLiteral(", ");
    const auto named = [&](const QStringList& nodes) {
        return nodes.size() <= kMostNamed ? nodes.join(comma) : tr("%1 GPUs").arg(nodes.size());
    };
    QStringList lines;
    if (!sent.isEmpty())
        lines << (sent.size() == 1 ? tr("sends chunk %1 to %2") : tr("sends chunks %1 to %2"))
                     .arg(sent.join(comma), named(to));
    if (!received.isEmpty())
        lines << (received.size() == 1 ? tr("receives chunk %1 from %2") : tr("receives chunks %1 from %2"))
                     .arg(received.join(comma), named(from));
    return lines;
}

}  // namespace ui
