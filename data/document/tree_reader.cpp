#include "data/document/tree_reader.h"

#include <utility>

namespace data {

void TreeReader::report(std::string path, std::string value, std::string text) {
    m_problems.push_back({std::move(path), std::move(value), std::move(text)});
}

std::string TreeReader::textAt(const DocumentNode& object, const std::string& where, std::string_view key,
                               std::string_view needed) {
    const DocumentNode* text = childOf(object, where, key, Kind::string, "a string", m_problems);
    if (text == nullptr) {
        if (!needed.empty() && object.find(key) == nullptr)
            report(within(where, key), "", "missing; " + std::string(needed));
        return {};
    }
    const bool isEmpty = text->text.find_first_not_of(" \t\n") == std::string::npos;
    if (isEmpty && (!needed.empty() || !m_rules.mayBeEmpty))
        report(within(where, key), text->shown(), "empty; a text is expected");
    if (text->text.size() > m_rules.longest)
        report(within(where, key), std::to_string(text->text.size()) + " bytes",
               "too long; allowed: up to " + std::to_string(m_rules.longest));
    return text->text;
}

std::optional<bool> TreeReader::flagAt(const DocumentNode& object, const std::string& where, std::string_view key) {
    const DocumentNode* flag = childOf(object, where, key, Kind::other, "true or false", m_problems);
    if (flag == nullptr)
        return std::nullopt;
    if (flag->text == "null")
        report(within(where, key), "null", "wrong type, true or false is expected");
    return flag->text == "true";
}

}  // namespace data
