#pragma once

#include "data/document/document_tree.h"
#include "engine/api/problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace data {

// For readers of trees: what may stand in an object, said in the same words by all of them. `where` is the object's own
// path, empty for the root.

/// A problem for every key that is not among `known`, with those most like it.
void checkKeys(const DocumentNode& object, const std::string& where, const std::vector<std::string>& known,
               engine::Problems& problems);

/// The child, when it is there and of this kind; a problem, saying what is `expected`, where it is of another.
const DocumentNode* childOf(const DocumentNode& object, const std::string& where, std::string_view key,
                            DocumentNode::Kind kind, std::string_view expected, engine::Problems& problems);

}  // namespace data
