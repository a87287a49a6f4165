#pragma once

#include "data/replay/log_event.h"
#include "data/replay/log_facts.h"

#include <vector>

namespace data {

/// Everything that changes the state of the recorded GPU, in the order in which it happens.
std::vector<LogEvent> eventsOf(const engine::Trace& trace, const LogFacts& facts);

}  // namespace data
