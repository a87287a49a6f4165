#pragma once

#include "engine/api/parameters.h"
#include "engine/api/problem.h"

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// The limit for documents. They have a few kilobytes; a file near the limit is the wrong one.
inline constexpr std::size_t kLargestDocument = std::size_t{16} * 1024 * 1024;

inline constexpr std::size_t kMostProblems = 50;  ///< reported for one document; a wrong file would have thousands

/// The key of the one object whose own keys are whole paths: {"sources": {"link.bandwidth": "..."}}.
inline constexpr std::string_view kSourcesKey = "sources";

/// Thrown for a document that this program wrote itself and cannot read; the message names the key.
class DamagedDocument : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Values of parameters by path, as a document, a preset or a draft sets them.
using Settings = std::map<std::string, engine::ParameterValue, std::less<>>;

/// One scalar of a JSON document with its path.
struct DocumentValue {
    enum class Kind { object, list, string, number, other };  ///< other: true, false, null
    std::string path;                                         ///< keys joined by dots: "link.bandwidth"
    std::string text;                                         ///< as written, a string without its quotes
    Kind kind = Kind::other;                                  ///< never object or list
};

/// A JSON object as a flat list of scalars, in the order written.
struct FlatDocument {
    std::vector<DocumentValue> values;
    std::vector<std::string> objects;  ///< paths of the nested objects
    engine::Problems problems;         ///< bad JSON with line and column, duplicate keys, lists, deep nesting
};

/// Reads a text as strictly as readTree does. `origin` names the text in messages. Lists are skipped, except the list
/// of links, which becomes the text value of its parameter (link_list.h). The document contains everything that could
/// be read, even if other parts could not.
FlatDocument readFlat(std::string_view json, std::string_view origin);

/// Returns the text of a value for messages. A string keeps its quotes, since "1" is not 1; objects and lists become
/// "{...}" and "[...]".
std::string shownValue(std::string_view text, DocumentValue::Kind kind);

/// Returns a problem unless a document's version is the number `known`, which may be written as 1.0. Every other
/// version is refused, older ones as well.
std::optional<engine::Problem> versionProblem(std::string_view text, DocumentValue::Kind kind, int known);

/// Returns the problem for a file over the limit of its kind: "larger than the 16 MiB that a document may have".
engine::Problem tooLarge(const std::string& origin, std::size_t largest = kLargestDocument,
                         std::string_view kind = "a document");
/// Returns the problem for invalid JSON, with line and column.
engine::Problem badJson(std::string_view text, std::string_view origin, std::size_t position, std::string_view reason);

/// Returns the text of a file; "-" is standard input. Stops reading at the limit `largest` of its kind and adds a
/// problem.
std::string readText(const std::string& path, engine::Problems& problems, std::size_t largest = kLargestDocument,
                     std::string_view kind = "a document");

}  // namespace data
