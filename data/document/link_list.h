#pragma once

#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

struct DocumentNode;

/// The one value of a document that may be a list: the links of a custom topology.
inline constexpr std::string_view kLinksPath = "topology.links";

/// Such a list as the parameter's text (engine/api/topology.h). Its entries are strings of that form, or objects:
/// {"from": 0, "to": "s0", "bandwidth": "75 GB/s", "latency": "500 ns", "one_way": true}, of which only the ends are
/// needed. Problems are named by position, "topology.links[2].to". Nothing where there are any. Which nodes there
/// are is for the engine to say.
std::optional<std::string> linksText(const DocumentNode& list, engine::Problems& problems);

}  // namespace data
