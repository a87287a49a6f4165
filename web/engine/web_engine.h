#pragma once

#include <string>
#include <string_view>

namespace web {

/// An answer has more events than this at most; the page then shows the command to run.
inline constexpr double kMostWebEvents = 3e6;

/// Simulates an experiment document on the calling thread and returns
///
///   length of the JSON (four bytes, little-endian) · JSON · run block (data/page/run_block.h)
///
/// The JSON is data::runFactsJson() if the experiment was simulated; a bound has no run block. Otherwise the JSON is
/// { "problems": [ { "path", "value", "text" } ] }, or { "events": the expected number of events } beyond
/// kMostWebEvents, and the run block is empty. Never throws.
std::string answerTo(std::string_view experiment);

}  // namespace web
