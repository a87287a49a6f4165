#pragma once

#include "engine/api/experiment.h"

#include <cstdint>

namespace engine {

/// Returns the number of entries of one channel's DRAM queue: the channel's part of memory.queue in whole granules, at
/// least one.
std::int64_t dramQueueEntries(const Experiment& experiment);

}  // namespace engine
