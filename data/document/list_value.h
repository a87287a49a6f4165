#pragma once

#include "engine/api/problem.h"

#include <optional>
#include <string>
#include <string_view>

namespace data {

struct DocumentNode;

/// Returns whether the value at a path may be a list in a document: the links of a custom topology, and texts that have
/// lines (workload.network, collective.table). All other values are single.
bool mayBeList(std::string_view path);

/// Returns whether the text at a path has lines.
bool hasLines(std::string_view path);

/// Returns a list as the text of its parameter, or an empty optional if there are problems: links as link_list.h says,
/// and lines joined by line breaks. Precondition: mayBeList.
std::optional<std::string> listText(const std::string& path, const DocumentNode& list, engine::Problems& problems);

}  // namespace data
