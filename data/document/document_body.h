#pragma once

#include "data/document/document_reader.h"
#include "engine/api/problem.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

inline constexpr std::string_view kExperimentFormat = "ringside-experiment";

/// Free text of a document by key: "label", "notes". It does not affect the run and is not part of the experiment's
/// identity.
using DocumentTexts = std::map<std::string, std::string, std::less<>>;

/// Describes one kind of document. The body is the same in all kinds: values by parameter path.
struct DocumentForm {
    std::string_view format;              ///< "ringside-experiment"
    std::string_view what;                ///< "an experiment", for messages
    std::vector<std::string_view> texts;  ///< the keys whose values are free text
};

struct BodyReading {
    Settings values;
    DocumentTexts texts;
    engine::Problems problems;
    std::vector<std::string>
        removed;  ///< settings of earlier versions that the document contains; their values are ignored
};

/// Returns why `path` is no longer a setting, or an empty optional if it is one or never was.
std::optional<std::string_view> whyRemoved(std::string_view path);

/// Reads the body of a document. "format" and "version" may be missing; if they are present they must be right.
/// `origin` names the text in messages.
BodyReading readBody(std::string_view json, std::string_view origin, const DocumentForm& form);

/// Reads the body of a document that was parsed already, for example as a part of another document.
BodyReading readBody(FlatDocument document, std::string_view origin, const DocumentForm& form);

/// Returns a problem if the document sets nothing at all, else an empty optional. An empty document is more often the
/// wrong file than a request for all defaults.
std::optional<engine::Problem> emptyProblem(const FlatDocument& document, std::string_view origin,
                                            std::string_view missing);

/// Returns the value for a parameter. If it is not allowed, adds a problem under the parameter's path and returns an
/// empty optional.
std::optional<engine::ParameterValue> valueOf(const DocumentValue& value, const engine::Parameter& parameter,
                                              engine::Problems& problems);

/// Returns the document as pretty-printed JSON, values with units.
std::string writeBody(std::string_view format, const DocumentTexts& texts, const Settings& values);

/// Returns the parameter that a key sets, or null. The key `policy` alone sets the policy preset.
const engine::Parameter* parameterNamed(std::string_view key);

/// Returns the names as a list for a sentence: "a, b or c" if `last` is " or ".
std::string joinedNames(const std::vector<std::string>& names, std::string_view last);

/// Returns "did you mean a or b?", or, if `near` is empty, a hint at the command that lists all names.
std::string suggestionOf(const std::vector<std::string>& near);

}  // namespace data
