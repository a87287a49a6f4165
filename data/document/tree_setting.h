#pragma once

#include "data/document/document_tree.h"
#include "engine/api/problem.h"

#include <string>
#include <string_view>

namespace data {

/// Sets one value of a document before it is read, as --set does: `path` leads to it, "loop.latency" or
/// "tasks[2].time". The last key may be new; the reader of the document refuses it if it has no such key. Adds a problem
/// if the path leads nowhere, or to an object or a list.
void setAt(DocumentNode& root, std::string_view path, const DocumentNode& value, engine::Problems& problems);

/// Does the same for "KEY=VALUE". A value that is a number, true, false or null in JSON is that, anything else a text.
void applySetting(std::string_view assignment, DocumentNode& root, engine::Problems& problems);

}  // namespace data
