#pragma once

#include "engine/api/trace.h"

#include <iosfwd>
#include <string_view>

namespace data {

/// Writes a run's event log as Chrome Trace Event JSON, which Perfetto and chrome://tracing open. One process a GPU,
/// one thread (tid) a lane; a lane whose spans may overlap becomes as many threads as it needs, because viewers drop
/// complete ("X") events that overlap on a thread. Times are microseconds with six decimals, so that no picosecond is
/// lost. `title` names the run. A stream that fails is left for the caller to see.
void writeChromeTrace(const engine::Trace& trace, std::string_view title, std::ostream& out);

}  // namespace data
