#pragma once

#include "data/document/document_keys.h"
#include "data/document/document_tree.h"
#include "engine/api/problem.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data {

/// What the texts of a document may be.
struct TextRules {
    std::size_t longest = 4'000;  ///< in bytes
    bool mayBeEmpty = false;      ///< a text that is not needed
};

/// What the readers of document trees have in common: texts, flags and lists of objects, with the same problems in all
/// documents. `where` is the path of the object that is read; it is empty for the root.
class TreeReader {
protected:
    using Kind = DocumentNode::Kind;
    static constexpr std::string_view kNeeded = "a text is expected";

    explicit TreeReader(engine::Problems& problems, TextRules rules = {}) : m_problems(problems), m_rules(rules) {}

    engine::Problems& problems() { return m_problems; }
    bool goesOn() const { return m_problems.size() < kMostProblems; }
    void report(std::string path, std::string value, std::string text);

    /// Returns the text of a key; empty if it is missing, which is a problem if it is `needed`: says what is expected.
    std::string textAt(const DocumentNode& object, const std::string& where, std::string_view key,
                       std::string_view needed = {});
    std::string textAt(const DocumentNode& object, const std::string& where, std::string_view key,
                       std::same_as<bool> auto needed) {
        return textAt(object, where, key, needed ? kNeeded : std::string_view());
    }
    std::optional<bool> flagAt(const DocumentNode& object, const std::string& where, std::string_view key);

    /// Calls `read` with each object of a list, at most `most`, and its path. Elements of another kind are reported:
    /// `what` is expected. The list may be null.
    template <class Read>
    void readEach(const DocumentNode* list, const std::string& path, std::string_view what, Read read,
                  std::size_t most = static_cast<std::size_t>(-1)) {
        for (std::size_t i = 0; list != nullptr && i < std::min(most, list->children.size()) && goesOn(); ++i) {
            const DocumentNode& child = list->children[i];
            if (child.kind == Kind::object)
                read(child, indexed(path, i));
            else
                report(indexed(path, i), child.shown(), "wrong type, " + std::string(what) + " is expected");
        }
    }

private:
    engine::Problems& m_problems;
    TextRules m_rules;
};

}  // namespace data
