#pragma once

#include "engine/api/experiment.h"

#include <cstdint>

namespace engine {

/// Returns the entries of one channel's DRAM queue: whole granules of its part of memory.queue, at least one.
std::int64_t dramQueueEntries(const Experiment& experiment);

}  // namespace engine
