#pragma once

#include "data/document/document_body.h"
#include "data/document/document_tree.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// For readers of trees: what may stand in an object, said in the same words by all of them. `where` is the object's own
// path, empty for the root.

/// "where.key", or "key" in the root.
std::string within(const std::string& where, std::string_view key);

/// "list[2]".
std::string indexed(const std::string& list, std::size_t index);

/// A problem where the root has a "version" other than `known`.
void checkVersion(const DocumentNode& root, int known, engine::Problems& problems);

/// Reads an experiment that is part of a document. Its problems, told by paths from the root, are also in `problems`.
BodyReading readExperimentAt(const DocumentNode& object, const std::string& path, engine::Problems& problems);

/// A problem for every key that is not among `known`, with those most like it.
void checkKeys(const DocumentNode& object, const std::string& where, const std::vector<std::string>& known,
               engine::Problems& problems);

/// The child, when it is there and of this kind; a problem, saying what is `expected`, where it is of another.
const DocumentNode* childOf(const DocumentNode& object, const std::string& where, std::string_view key,
                            DocumentNode::Kind kind, std::string_view expected, engine::Problems& problems);

}  // namespace data
