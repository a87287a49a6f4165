#pragma once

#include "engine/overlap/tile_source.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace engine {

/// What a collective knows of the output that a GEMM produces beside it: which parts (a piece of the GEMM, or a tile) it
/// may read. A part may be read when it has landed in memory and its signal has come.
class ProducedOutput final : public TileSource {
public:
    /// `partOf`: by tile. Parts are numbered from 0.
    ProducedOutput(std::vector<std::uint32_t> partOf, std::uint32_t parts)
        : m_partOf(std::move(partOf)), m_signalled(parts, false) {}

    void signal(std::uint32_t part) {
        m_signalled[part] = true;
        ++m_count;
    }
    bool inputReady(std::uint32_t tile) const override { return m_signalled[m_partOf[tile]]; }
    /// Returns whether a part has been signalled.
    bool any() const { return m_count != 0; }
    /// Returns whether all parts have been signalled, each once.
    bool all() const { return m_count == m_signalled.size(); }
    std::uint32_t partOf(std::uint32_t tile) const { return m_partOf[tile]; }

private:
    std::vector<std::uint32_t> m_partOf;
    std::vector<bool> m_signalled;
    std::size_t m_count = 0;
};

}  // namespace engine
