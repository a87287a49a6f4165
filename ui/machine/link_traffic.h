#pragma once

#include "data/replay/ring_state.h"
#include "engine/api/topology.h"
#include "engine/api/trace.h"

#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// A chunk on its way from one GPU to the next.
struct Parcel {
    std::uint32_t sender = 0;
    std::uint32_t chunk = 0;
    double share = 0;        ///< the part that has crossed the link, 0 to 1
    bool gathering = false;  ///< true: for the all-gather; false: for the reduce-scatter
    bool moving = false;     ///< true: its packets are on the link now; false: it has begun and waits
    bool operator==(const Parcel&) const = default;
};

/// Returns all chunks that have partly crossed the link of GPU `sender`. `receiver` is the state of the GPU that it
/// sends to.
std::vector<Parcel> parcelsOf(std::uint32_t sender, const data::GpuState& from, const data::GpuState& receiver);

/// Reports which chunk crosses each link of a topology at a time. The trace records only links that begin or end at a
/// GPU. If one GPU was recorded for all, its links are rotated to every other GPU.
class LinkUse {
public:
    LinkUse() = default;
    LinkUse(std::shared_ptr<const engine::Trace> trace, const engine::Topology& topology);

    /// Returns the chunk whose packet is on the link at `ps`; an empty optional if the link is idle or not recorded.
    std::optional<std::uint32_t> chunkOn(std::uint32_t link, std::int64_t ps) const;
    /// Returns the busy time as a share of the run's time; an empty optional if the link is not recorded.
    std::optional<double> busyShare(std::uint32_t link) const;

private:
    struct Record {
        const engine::Lane* lane = nullptr;
        std::uint32_t turnedBy = 0;  ///< the GPU whose link this is, if one GPU was recorded for all; otherwise 0
        std::optional<double> busy;
    };

    std::shared_ptr<const engine::Trace> m_trace;
    std::vector<Record> m_records;  // by link
};

/// Describes what a GPU sends and receives at a time, such as "sends chunks 1, 4 to GPUs 1, 4". Empty if its links are
/// idle.
QStringList trafficLines(const engine::Topology& topology, const LinkUse& use, std::uint32_t gpu, std::int64_t ps);

}  // namespace ui
