#pragma once

#include <cstdint>

namespace engine {

/// Knows when the data of a tile that others read are there, if they are not all there from the beginning.
class TileSource {
public:
    virtual ~TileSource() = default;
    /// Returns whether all data that readers of `tile` need are in memory.
    virtual bool inputReady(std::uint32_t tile) const = 0;
};

}  // namespace engine
