#pragma once

#include "data/document/document_reader.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// One value of a JSON document with everything inside it.
struct DocumentNode {
    using Kind = DocumentValue::Kind;
    Kind kind = Kind::other;
    std::string text;               ///< of a scalar: as written, a string without its quotes
    std::vector<std::string> keys;  ///< of an object: one key for each child
    std::vector<DocumentNode> children;

    const DocumentNode* find(std::string_view key) const;  ///< returns null if there is no such key
    std::string shown() const;  ///< for messages: a string with its quotes, a number, "{...}", "[...]"
};

struct DocumentTree {
    std::optional<DocumentNode> root;  ///< always an object; empty when the text is invalid JSON or not an object
    engine::Problems problems;         ///< bad JSON with line and column, duplicate keys, depth and number of values
};

inline constexpr std::size_t kMostTreeValues = 1'100'000;  ///< a million in a list, and the document around them

/// Reads a document that may contain lists, strictly. Documents without lists go through readFlat. `origin` names the
/// text in messages. A text over kLargestDocument is refused without being read, and at most kMostTreeValues values are
/// built.
DocumentTree readTree(std::string_view json, std::string_view origin);

/// Returns the whole number of a node, or an empty optional for anything else. "1.0" and "1e3" are not whole numbers.
std::optional<std::int64_t> wholeNumber(const DocumentNode& node);

/// Returns the problem of a document whose "format" is not `format`, or an empty optional. `kind` is the expected kind
/// in words: "a lesson".
std::optional<engine::Problem> formatProblem(const DocumentNode& root, std::string_view origin, std::string_view kind,
                                             std::string_view format);

/// Converts an object inside a tree to a document of its own, with paths that begin at the object. Lists in it are
/// reported as problems, except of values that may be lists (list_value.h).
FlatDocument flatten(const DocumentNode& object);

}  // namespace data
