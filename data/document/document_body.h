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

/// Free text of a document by key: "label", "notes". Says nothing about the run and is no part of its identity.
using DocumentTexts = std::map<std::string, std::string, std::less<>>;

/// What tells one kind of document from another. The body is the same in all: values by parameter path.
struct DocumentForm {
    std::string_view format;              ///< "ringside-experiment"
    std::string_view what;                ///< "an experiment", for messages
    std::vector<std::string_view> texts;  ///< keys of free text
};

struct BodyReading {
    Settings values;
    DocumentTexts texts;
    engine::Problems problems;
    std::vector<std::string>
        removed;  ///< settings of earlier versions that the document names; their values are ignored
};

/// Returns why `path` is no longer a setting, or nothing if it is one or never was.
std::optional<std::string_view> whyRemoved(std::string_view path);

/// Format and version may be left out, but where they stand they must be right. `origin` names the text in messages.
BodyReading readBody(std::string_view json, std::string_view origin, const DocumentForm& form);

/// The same of a document that was read already: part of another one.
BodyReading readBody(FlatDocument document, std::string_view origin, const DocumentForm& form);

/// What is wrong with a document that says nothing at all, which is the wrong file more often than the default of
/// everything.
std::optional<engine::Problem> emptyProblem(const FlatDocument& document, std::string_view origin,
                                            std::string_view missing);

/// One value for a parameter; nothing, with a problem under the parameter's path, when it is not allowed.
std::optional<engine::ParameterValue> valueOf(const DocumentValue& value, const engine::Parameter& parameter,
                                              engine::Problems& problems);

/// The document again, pretty-printed, values with units.
std::string writeBody(std::string_view format, const DocumentTexts& texts, const Settings& values);

/// The parameter that a key stands for, `policy` alone being the preset; nothing for other keys.
const engine::Parameter* parameterNamed(std::string_view key);

/// "a, b or c" with " or " as `last`.
std::string joinedNames(const std::vector<std::string>& names, std::string_view last);

/// "did you mean a or b?", or where all of them are listed.
std::string suggestionOf(const std::vector<std::string>& near);

}  // namespace data
