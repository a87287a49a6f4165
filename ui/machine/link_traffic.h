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

/// A chunk on its way from one GPU to the one that it sends to.
struct Parcel {
    std::uint32_t sender = 0;
    std::uint32_t chunk = 0;
    double share = 0;        ///< that has gone over, 0 to 1
    bool gathering = false;  ///< for the all-gather, else for the reduce-scatter
    bool moving = false;     ///< its packets are on the link at this moment; else it has begun and waits
    bool operator==(const Parcel&) const = default;
};

/// Everything that has partly gone over the link of GPU `sender`. `receiver` is the GPU it sends to.
std::vector<Parcel> parcelsOf(std::uint32_t sender, const data::GpuState& from, const data::GpuState& receiver);

/// What crosses each link of a topology at a moment, as far as the trace tells: links that begin or end at a GPU.
/// Where one GPU was recorded for all, its links are turned to every other GPU.
class LinkUse {
public:
    LinkUse() = default;
    LinkUse(std::shared_ptr<const engine::Trace> trace, const engine::Topology& topology);

    /// The chunk whose packet is on the link at `ps`; nothing where it is idle or not recorded.
    std::optional<std::uint32_t> chunkOn(std::uint32_t link, std::int64_t ps) const;
    /// Busy time over the time of the run; nothing where it is not recorded.
    std::optional<double> busyShare(std::uint32_t link) const;

private:
    struct Record {
        const engine::Lane* lane = nullptr;
        std::uint32_t turnedBy = 0;  ///< the GPU that the recorded one stands for
        std::optional<double> busy;
    };

    std::shared_ptr<const engine::Trace> m_trace;
    std::vector<Record> m_records;  // by link
};

/// "sends chunks 1, 4 to GPUs 1, 4" and what it receives, at a moment; nothing where its links are idle.
QStringList trafficLines(const engine::Topology& topology, const LinkUse& use, std::uint32_t gpu, std::int64_t ps);

}  // namespace ui
