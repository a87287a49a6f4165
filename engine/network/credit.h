#pragma once

#include "engine/network/link.h"

#include <cstdint>

namespace engine {

/// A message from a receiver of updates to a GPU that sends to it: either the credit of an update that it has taken, or
/// the tile for which it waits first.
struct Credit {
    TimePoint arrival;
    std::uint32_t bytes = 0;  ///< bytes of the update; 0: the message names a tile
    std::uint32_t tile = 0;   ///< the oldest open tile of the receiver, if the message names one
    std::uint8_t stage = 0;   ///< the stage to which the update or the tile belongs
    std::uint8_t to = 0;      ///< the GPU that sent the update
    std::uint8_t port = 0;    ///< the GPU that has taken it
    bool past = false;        ///< Packet::past of the update
};

using CreditSink = MessageSink<Credit>;

}  // namespace engine
