#pragma once

#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

struct DocumentNode;

/// The path of the links of a custom topology.
inline constexpr std::string_view kLinksPath = "topology.links";

/// Returns a list of links as the text of its parameter (engine/api/topology.h), or an empty optional if there are
/// problems. The list's entries are strings in that form or objects: {"from": 0, "to": "s0", "bandwidth": "75 GB/s",
/// "latency": "500 ns", "one_way": true}, of which only the two ends are required. Problems are named by position,
/// "topology.links[2].to". The engine checks later which nodes exist.
std::optional<std::string> linksText(const DocumentNode& list, engine::Problems& problems);

}  // namespace data
