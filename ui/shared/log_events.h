#pragma once

#include "ui/shared/log_event.h"
#include "ui/shared/log_facts.h"

#include <vector>

namespace ui {

/// Everything that changes the state of the recorded GPU, in the order in which it happens.
std::vector<LogEvent> eventsOf(const engine::Trace& trace, const LogFacts& facts);

}  // namespace ui
