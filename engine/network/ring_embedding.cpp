#include "engine/network/topology_builder.h"

#include <algorithm>
#include <cstdint>

namespace engine {

namespace {

constexpr int kMostSteps = 1'000'000;

/// A depth-first search for a cycle through all GPUs. It tries the GPU with the preceding number first, then the GPU
/// with the fewest remaining neighbours, because such a GPU is hardest to reach later (Warnsdorff's rule).
class CycleSearch {
public:
    explicit CycleSearch(std::vector<std::vector<std::uint32_t>> neighbours)
        : m_neighbours(std::move(neighbours)), m_visited(m_neighbours.size()) {}

    bool run() {
        m_path.push_back(0);
        m_visited[0] = true;
        return extend();
    }
    const std::vector<std::uint32_t>& path() const { return m_path; }

private:
    bool extend() {
        if (++m_steps > kMostSteps)
            return false;
        const std::uint32_t at = m_path.back();
        const auto& all = m_neighbours[at];
        if (m_path.size() == m_neighbours.size())
            return std::find(all.begin(), all.end(), m_path.front()) != all.end();
        std::vector<std::uint32_t> candidates;
        std::copy_if(all.begin(), all.end(), std::back_inserter(candidates),
                     [&](std::uint32_t gpu) { return !m_visited[gpu]; });
        const auto count = static_cast<std::uint32_t>(m_neighbours.size());
        const std::uint32_t preferred = (at + count - 1) % count;
        std::stable_sort(candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(a != preferred, waysOn(a)) < std::pair(b != preferred, waysOn(b));
        });
        for (const std::uint32_t next : candidates) {
            m_path.push_back(next);
            m_visited[next] = true;
            if (extend())
                return true;
            m_path.pop_back();
            m_visited[next] = false;
        }
        return false;
    }

    std::ptrdiff_t waysOn(std::uint32_t gpu) const {
        return std::count_if(m_neighbours[gpu].begin(), m_neighbours[gpu].end(),
                             [&](std::uint32_t next) { return !m_visited[next]; });
    }

    std::vector<std::vector<std::uint32_t>> m_neighbours;
    std::vector<bool> m_visited;
    std::vector<std::uint32_t> m_path;
    int m_steps = 0;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> directNeighbours(const Topology& topology) {
    std::vector<std::vector<std::uint32_t>> after(topology.nodes.size());
    for (const TopologyLink& link : topology.links)
        after[link.from].push_back(link.to);
    std::vector<std::vector<std::uint32_t>> neighbours(topology.gpus);
    for (std::uint32_t gpu = 0; gpu < topology.gpus; ++gpu) {
        std::vector<bool> seen(topology.nodes.size());
        std::vector<std::uint32_t> open{gpu};
        seen[gpu] = true;
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            for (const std::uint32_t next : after[node]) {
                if (seen[next])
                    continue;
                seen[next] = true;
                if (topology.nodes[next].isSwitch)
                    open.push_back(next);
                else
                    neighbours[gpu].push_back(next);
            }
        }
        std::sort(neighbours[gpu].begin(), neighbours[gpu].end());
    }
    return neighbours;
}

std::optional<std::vector<std::uint32_t>> embedRing(const Topology& topology) {
    CycleSearch search(directNeighbours(topology));
    if (!search.run())
        return std::nullopt;
    return search.path();
}

}  // namespace engine
