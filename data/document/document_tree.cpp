#include "data/document/document_tree.h"

#include "data/document/json_reading.h"
#include "data/document/link_list.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace data {
namespace {

constexpr std::size_t kDeepestTree = 12;  // figures need eleven levels, sweeps seven

/// Takes the parser's events. The names are those that nlohmann's SAX interface asks for; a false return stops it.
class TreeReader {
public:
    using json = nlohmann::json;
    using Kind = DocumentNode::Kind;

    TreeReader(std::string_view text, std::string_view origin) : m_text(text), m_origin(origin) {}

    bool null() { return scalar("null", Kind::other); }
    bool boolean(bool value) { return scalar(value ? "true" : "false", Kind::other); }
    bool number_integer(json::number_integer_t value) { return scalar(std::to_string(value), Kind::number); }
    bool number_unsigned(json::number_unsigned_t value) { return scalar(std::to_string(value), Kind::number); }
    bool number_float(json::number_float_t, const std::string& written) { return scalar(written, Kind::number); }
    bool string(std::string& value) { return scalar(std::move(value), Kind::string); }
    bool binary(json::binary_t&) { return true; }

    bool start_object(std::size_t) { return enter(Kind::object); }
    bool end_object() { return leave(); }
    bool start_array(std::size_t) { return enter(Kind::list); }
    bool end_array() { return leave(); }
    bool key(std::string& name) {
        Level& level = m_levels.back();
        level.key = name;
        return level.keys.insert(name).second || report({here(), "", "given twice; keep one of the two"});
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        report(badJson(m_text, m_origin, position, error.what()));
        m_failed = true;
        return false;
    }

    DocumentTree take() {
        DocumentTree tree;
        tree.problems = std::move(m_problems);
        if (!m_failed && m_root.kind == Kind::object)
            tree.root = std::move(m_root);
        return tree;
    }

private:
    struct Level {
        DocumentNode* node = nullptr;
        std::set<std::string> keys;
        std::string key;  // the one whose value comes next
    };

    std::string here() const {
        std::string path;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const DocumentNode& node = *m_levels[i].node;
            if (node.kind == Kind::list) {  // the value that comes next, or the one that is open
                path += "[" + std::to_string(node.children.size() - (i + 1 < m_levels.size() ? 1 : 0)) + "]";
            } else {
                path += (path.empty() ? "" : ".") + m_levels[i].key;
            }
        }
        return path.empty() ? std::string(m_origin) : path;
    }

    /// Where the next value goes. Its address holds until it is complete: only the last child of a node is ever open,
    /// and nothing comes to stand beside it before it is closed.
    DocumentNode* place(Kind kind) {
        if (m_levels.empty()) {
            m_root.kind = kind;
            return &m_root;
        }
        Level& level = m_levels.back();
        if (level.node->kind == Kind::object)
            level.node->keys.push_back(level.key);
        DocumentNode& node = level.node->children.emplace_back();
        node.kind = kind;
        return &node;
    }

    bool counted() {
        if (++m_count <= kMostTreeValues)
            return true;
        m_failed = true;
        report({std::string(m_origin), "",
                "more than the " + std::to_string(kMostTreeValues) + " values that a document may have"});
        return false;
    }

    bool enter(Kind kind) {
        if (m_levels.empty() && kind == Kind::list) {
            m_failed = true;
            report({std::string(m_origin), "[...]", "a list, but an object {...} is expected"});
            return false;
        }
        if (m_levels.size() == kDeepestTree) {
            m_failed = true;
            report({here(), "", "nested too deeply; allowed are " + std::to_string(kDeepestTree) + " levels"});
            return false;
        }
        if (!counted())
            return false;
        m_levels.push_back({place(kind), {}, {}});
        return true;
    }

    bool leave() {
        m_levels.pop_back();
        return true;
    }

    bool scalar(std::string text, Kind kind) {
        if (m_levels.empty())
            return report({std::string(m_origin), shownScalar(text, kind == Kind::string),
                           "one value, but an object {...} is expected"});
        if (!counted())
            return false;
        place(kind)->text = std::move(text);
        return true;
    }

    bool report(engine::Problem problem) {
        m_problems.push_back(std::move(problem));
        m_failed = m_failed || m_problems.size() >= kMostProblems;
        return !m_failed;
    }

    std::string_view m_text;
    std::string_view m_origin;
    DocumentNode m_root;
    engine::Problems m_problems;
    std::vector<Level> m_levels;
    std::size_t m_count = 0;
    bool m_failed = false;
};

void flattenInto(const DocumentNode& object, const std::string& path, FlatDocument& document) {
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
        const DocumentNode& child = object.children[i];
        const std::string here = path.empty() ? object.keys[i] : path + "." + object.keys[i];
        if (object.keys[i].find('.') != std::string::npos) {
            document.problems.push_back({here, "", "keys nest at the dots: {\"link\": {\"bandwidth\": ...}}"});
        } else if (child.kind == DocumentNode::Kind::object) {
            document.objects.push_back(here);
            flattenInto(child, here, document);
        } else if (child.kind == DocumentNode::Kind::list && here == kLinksPath) {
            if (auto text = linksText(child, document.problems))
                document.values.push_back({here, std::move(*text), DocumentValue::Kind::string});
        } else if (child.kind == DocumentNode::Kind::list) {
            document.problems.push_back({here, "[...]", "a list, but one value is expected"});
        } else {
            const auto kind = child.kind == DocumentNode::Kind::string   ? DocumentValue::Kind::string
                              : child.kind == DocumentNode::Kind::number ? DocumentValue::Kind::number
                                                                         : DocumentValue::Kind::other;
            document.values.push_back({here, child.text, kind});
        }
        if (document.problems.size() >= kMostProblems)
            return;
    }
}

}  // namespace

const DocumentNode* DocumentNode::find(std::string_view key) const {
    const auto found = std::find(keys.begin(), keys.end(), key);
    return found == keys.end() ? nullptr : &children[static_cast<std::size_t>(found - keys.begin())];
}

std::string DocumentNode::shown() const {
    return kind == Kind::object ? "{...}" : kind == Kind::list ? "[...]" : shownScalar(text, kind == Kind::string);
}

DocumentTree readTree(std::string_view json, std::string_view origin) {
    if (json.size() > kLargestDocument) {
        DocumentTree tree;
        tree.problems.push_back(tooLarge(std::string(origin)));
        return tree;
    }
    TreeReader reader(json, origin);
    parseJsonEvents(json, reader);
    return reader.take();
}

FlatDocument flatten(const DocumentNode& object) {
    FlatDocument document;
    flattenInto(object, {}, document);
    return document;
}

}  // namespace data
