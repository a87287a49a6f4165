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

/// Documents are a few kilobytes; anything near this limit is the wrong file.
inline constexpr std::size_t kLargestDocument = std::size_t{16} * 1024 * 1024;

inline constexpr std::size_t kMostProblems = 50;  ///< of one document; a wrong file would list thousands

/// The one object of a document whose keys are paths as they are: {"sources": {"link.bandwidth": "..."}}.
inline constexpr std::string_view kSourcesKey = "sources";

/// A document that we wrote ourselves cannot be understood; the message names the key.
class DamagedDocument : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Values of parameters by their paths: what a document, a preset or a draft sets.
using Settings = std::map<std::string, engine::ParameterValue, std::less<>>;

/// One scalar of a JSON document, with where it stands.
struct DocumentValue {
    enum class Kind { object, list, string, number, other };  ///< other: true, false, null
    std::string path;                                         ///< keys joined by dots: "link.bandwidth"
    std::string text;                                         ///< as written, a string without its quotes
    Kind kind = Kind::other;                                  ///< no object and no list
};

/// A JSON object as a flat list of scalars, in the order written.
struct FlatDocument {
    std::vector<DocumentValue> values;
    std::vector<std::string> objects;  ///< paths of the nested objects
    engine::Problems problems;         ///< bad JSON with line and column, duplicate keys, lists, deep nesting
};

/// Reads text strictly, as readTree does. `origin` names it in messages. Lists are passed over unread, but for that of
/// links, which becomes the one text that its parameter has (link_list.h). What could be read stands in the document also
/// where something else could not.
FlatDocument readFlat(std::string_view json, std::string_view origin);

/// A value for messages: a string has its quotes, since "1" is not 1; "{...}", "[...]".
std::string shownValue(std::string_view text, DocumentValue::Kind kind);

/// What is wrong with the version of a document that is read here up to version `known`: a number, also 1.0.
std::optional<engine::Problem> versionProblem(std::string_view text, DocumentValue::Kind kind, int known);

/// Text over the limit, and what the parser found wrong, with line and column.
engine::Problem tooLarge(const std::string& origin);
engine::Problem badJson(std::string_view text, std::string_view origin, std::size_t position, std::string_view reason);

/// The text of a file, "-" for standard input. Stops reading at the limit and says so.
std::string readText(const std::string& path, engine::Problems& problems);

}  // namespace data
