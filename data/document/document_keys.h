#pragma once

#include "data/document/document_body.h"
#include "data/document/document_tree.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// Checks for readers of document trees, so that all of them report the same faults in the same words. `where` is the
// path of the object that is read; it is empty for the root.

/// Returns the path of a key: "where.key", or "key" in the root.
std::string within(const std::string& where, std::string_view key);

/// Returns the path of a list's entry: "list[2]".
std::string indexed(const std::string& list, std::size_t index);

/// Adds a problem if the root has a "version" other than `known`. A missing version is allowed.
void checkVersion(const DocumentNode& root, int known, engine::Problems& problems);

/// Reads an experiment that is part of a document. Adds its problems, with paths from the root, to `problems` as well.
BodyReading readExperimentAt(const DocumentNode& object, const std::string& path, engine::Problems& problems);

/// Adds a problem for every key that is not among `known`, and suggests the most similar known keys.
void checkKeys(const DocumentNode& object, const std::string& where, const std::vector<std::string>& known,
               engine::Problems& problems);

/// Returns the child under `key` if it exists and has this kind, else null. If it has another kind, adds a problem that
/// names what is `expected`.
const DocumentNode* childOf(const DocumentNode& object, const std::string& where, std::string_view key,
                            DocumentNode::Kind kind, std::string_view expected, engine::Problems& problems);

}  // namespace data
