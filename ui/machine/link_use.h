#pragma once

#include "engine/api/topology.h"
#include "engine/api/trace.h"

#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

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
