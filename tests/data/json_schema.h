#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

// Checks documents against the JSON schemas that come with the program.

namespace tests {

/// Checks values against one schema. It knows the keywords that our schemas use; any other one is an error of the
/// schema, so that none is passed over.
class JsonSchema {
public:
    using Json = nlohmann::json;

    explicit JsonSchema(const std::string& text) : m_root(Json::parse(text)) {}

    const Json& root() const { return m_root; }
    /// Returns the schema under this name in "$defs".
    const Json& part(const std::string& name) const { return m_root.at("$defs").at(name); }

    /// Returns the first fault of a document with its path; empty if it is valid.
    std::string faultOf(const Json& document) const { return fault(m_root, document, "document"); }

private:
    std::string fault(const Json& schema, const Json& value, const std::string& path) const {
        for (const auto& [keyword, rule] : schema.items()) {
            if (keyword == "$schema" || keyword == "$defs" || keyword == "title" || keyword == "description")
                continue;
            if (const std::string found = faultOfRule(keyword, rule, schema, value, path); !found.empty())
                return found;
        }
        return {};
    }

    std::string faultOfRule(const std::string& keyword, const Json& rule, const Json& schema, const Json& value,
                            const std::string& path) const {
        const auto unless = [&](bool holds) {
            return holds ? std::string() : path + ": " + keyword + " " + rule.dump();
        };
        if (keyword == "$ref")
            return fault(part(rule.get<std::string>().substr(std::string("#/$defs/").size())), value, path);
        if (keyword == "type" && rule.is_array())
            return unless(std::any_of(rule.begin(), rule.end(),
                                      [&](const Json& one) { return isOfType(value, one.get<std::string>()); }));
        if (keyword == "type")
            return unless(isOfType(value, rule.get<std::string>()));
        if (keyword == "const")
            return unless(value == rule);
        if (keyword == "enum")
            return unless(std::find(rule.begin(), rule.end(), value) != rule.end());
        if (keyword == "anyOf")
            return unless(std::any_of(rule.begin(), rule.end(),
                                      [&](const Json& one) { return fault(one, value, path).empty(); }));
        if (keyword == "pattern")
            return unless(!value.is_string() ||
                          std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())));
        if (keyword == "maxLength")
            return unless(!value.is_string() || value.get<std::string>().size() <= rule.get<std::size_t>());
        if (keyword == "minItems")
            return unless(!value.is_array() || value.size() >= rule.get<std::size_t>());
        if (keyword == "maxItems")
            return unless(!value.is_array() || value.size() <= rule.get<std::size_t>());
        if (keyword == "minProperties")
            return unless(!value.is_object() || value.size() >= rule.get<std::size_t>());
        if (keyword == "required")
            return unless(!value.is_object() || std::all_of(rule.begin(), rule.end(), [&](const Json& key) {
                return value.contains(key.get<std::string>());
            }));
        if (keyword == "items")
            return faultOfItems(rule, value, path);
        if (keyword == "properties")
            return faultOfProperties(rule, value, path);
        if (keyword == "additionalProperties")
            return faultOfOthers(rule, schema, value, path);
        throw std::logic_error("a keyword that the check does not know: " + keyword);
    }

    static bool isOfType(const Json& value, const std::string& type) {
        return type == "object"    ? value.is_object()
               : type == "array"   ? value.is_array()
               : type == "string"  ? value.is_string()
               : type == "boolean" ? value.is_boolean()
               : type == "number"  ? value.is_number()
               : type == "integer" ? value.is_number_integer()
               : type == "null"    ? value.is_null()
                                   : throw std::logic_error("a type that the check does not know: " + type);
    }

    std::string faultOfItems(const Json& rule, const Json& value, const std::string& path) const {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
            if (const std::string found = fault(rule, value[i], path + "[" + std::to_string(i) + "]"); !found.empty())
                return found;
        }
        return {};
    }

    std::string faultOfProperties(const Json& rule, const Json& value, const std::string& path) const {
        for (const auto& [key, property] : rule.items()) {
            if (!value.is_object() || !value.contains(key))
                continue;
            if (const std::string found = fault(property, value[key], path + "." + key); !found.empty())
                return found;
        }
        return {};
    }

    std::string faultOfOthers(const Json& rule, const Json& schema, const Json& value, const std::string& path) const {
        if (!value.is_object())
            return {};
        for (const auto& [key, child] : value.items()) {
            if (schema.contains("properties") && schema["properties"].contains(key))
                continue;
            if (rule == false)
                return path + "." + key + ": unknown key";
            if (const std::string found = fault(rule, child, path + "." + key); !found.empty())
                return found;
        }
        return {};
    }

    Json m_root;
};

/// Returns the text of a file of the source tree.
inline std::string wholeText(const std::string& path) {
    std::ifstream file(RINGSIDE_SOURCE "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the keys of an object of a schema.
inline std::set<std::string> keysOf(const nlohmann::json& schema) {
    std::set<std::string> keys;
    for (const auto& [key, value] : schema.at("properties").items())
        keys.insert(key);
    return keys;
}

}  // namespace tests
