#pragma once

#include "data/document/document_reader.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// One value of a JSON document with everything inside it.
struct DocumentNode {
    using Kind = DocumentValue::Kind;
    Kind kind = Kind::other;
    std::string text;               ///< of a scalar, as written, a string without its quotes
    std::vector<std::string> keys;  ///< of an object: one for each child
    std::vector<DocumentNode> children;

    const DocumentNode* find(std::string_view key) const;  ///< of an object; nothing when it has no such key
    std::string shown() const;  ///< for messages: a string with its quotes, a number, "{...}", "[...]"
};

struct DocumentTree {
    std::optional<DocumentNode> root;  ///< an object; nothing when the text is no JSON or something else
    engine::Problems problems;         ///< bad JSON with line and column, duplicate keys, depth and number of values
};

inline constexpr std::size_t kMostTreeValues = 1'100'000;  ///< a million in a list, and the document around them

/// Reads a document with lists strictly; those without go through readFlat. `origin` names the text in messages.
/// Text over kLargestDocument is refused unread, and no more than kMostTreeValues are built.
DocumentTree readTree(std::string_view json, std::string_view origin);

/// Returns what is wrong with a document whose "format" is not `format`: what is certainly of another kind is told so in
/// one sentence. `kind` is what was expected: "a lesson".
std::optional<engine::Problem> formatProblem(const DocumentNode& root, std::string_view origin, std::string_view kind,
                                             std::string_view format);

/// An object inside a tree as a document of its own, paths counted from it. Lists in it are problems, but for
/// that of links.
FlatDocument flatten(const DocumentNode& object);

}  // namespace data
