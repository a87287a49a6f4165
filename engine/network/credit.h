#pragma once

#include "engine/network/link.h"

#include <cstdint>

namespace engine {

/// What a receiver of updates tells a GPU that sends to it: that it has taken an update, or which tile it waits for first.
struct Credit {
    TimePoint arrival;
    std::uint32_t bytes = 0;  ///< of the update; 0: a tile is told
    std::uint32_t tile = 0;   ///< the oldest that is open at the receiver, where one is told
    std::uint8_t stage = 0;   ///< that the update or the tile belongs to
    std::uint8_t to = 0;      ///< the GPU that sent the update
    std::uint8_t port = 0;    ///< the GPU that has taken it
    bool past = false;        ///< as of the packet
};

using CreditSink = MessageSink<Credit>;

}  // namespace engine
