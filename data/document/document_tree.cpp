#include "data/document/document_tree.h"

#include "data/document/json_reading.h"
#include "data/document/list_value.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace data {
namespace {

constexpr std::size_t kDeepestTree = 12;   // figures need eleven levels, sweeps seven
constexpr std::size_t kDeepestFlat = 4;    // experiment documents need two levels
constexpr std::size_t kDeepestInList = 8;  // in the list of links, whose entries linksText checks

/// The kind of document to build: a tree, or a flat document of objects, scalars and the one list that is allowed.
/// Other lists are skipped.
enum class Form { tree, flat };

/// Receives the parser's events. The names of the functions are those of nlohmann's SAX interface; returning false
/// stops the parser.
class JsonTreeReader {
public:
    using json = nlohmann::json;
    using Kind = DocumentNode::Kind;

    JsonTreeReader(std::string_view text, std::string_view origin, Form form)
        : m_text(text), m_origin(origin), m_form(form) {}

    /// Reads the text; a text over the limit is refused without being read.
    void read() {
        m_failed = m_text.size() > kLargestDocument;
        if (m_failed)
            report(tooLarge(std::string(m_origin)));
        else
            parseJsonEvents(m_text, *this);
    }

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
        if (m_passedOver > 0)
            return true;
        Level& level = m_levels.back();
        level.key = name;
        return level.keys.insert(name).second || report({here(), "", "given twice; keep one of the two"});
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        report(badJson(m_text, m_origin, position, error.what()));
        m_failed = true;
        return false;
    }

    bool failed() const { return m_failed; }
    DocumentNode& root() { return m_root; }
    engine::Problems& problems() { return m_problems; }

private:
    struct Level {
        DocumentNode* node = nullptr;
        std::set<std::string> keys;
        std::string key;  // the key whose value comes next
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

    /// Adds the node for the next value and returns it. Its address stays valid until it is complete, because only the
    /// last child of a node is open, and no sibling is added before it is closed.
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
        if (m_levels.size() + m_passedOver == deepest()) {
            m_failed = true;
            return report({here(), "",
                           "nested too deeply; allowed are " + std::to_string(m_form == Form::flat ? 2 : kDeepestTree) +
                               " levels"});
        }
        const bool isPassedOver = m_form == Form::flat && kind == Kind::list && !mayBeList(here());
        if (m_levels.empty() && kind == Kind::list && m_passedOver == 0) {
            m_failed = m_form == Form::tree;
            report({std::string(m_origin), "[...]", "a list, but an object {...} is expected"});
        } else if (m_passedOver == 0) {
            if (!counted())
                return false;
            DocumentNode* node = place(kind);
            if (!isPassedOver)
                m_levels.push_back({node, {}, {}});
        }
        m_passedOver += m_passedOver > 0 || isPassedOver ? 1 : 0;
        return !m_failed;
    }

    std::size_t deepest() const {
        const bool inList = m_passedOver > 0 || std::any_of(m_levels.begin(), m_levels.end(), [](const Level& level) {
                                return level.node->kind == Kind::list;
                            });
        return m_form == Form::tree ? kDeepestTree : inList ? kDeepestInList : kDeepestFlat;
    }

    bool leave() {
        if (m_passedOver > 0)
            --m_passedOver;
        else
            m_levels.pop_back();
        return true;
    }

    bool scalar(std::string text, Kind kind) {
        if (m_passedOver > 0)
            return true;
        if (m_levels.empty())
            return report(
                {std::string(m_origin), shownValue(text, kind), "one value, but an object {...} is expected"});
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
    Form m_form;
    DocumentNode m_root;
    engine::Problems m_problems;
    std::vector<Level> m_levels;
    std::size_t m_count = 0;
    std::size_t m_passedOver = 0;  // depth inside the list that is being skipped
    bool m_failed = false;
};

/// Adds the values of an object to a document. `whole`: the object was read completely, so that problems of its links
/// can be reported.
void flattenInto(const DocumentNode& object, const std::string& path, bool whole, FlatDocument& document) {
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
        const DocumentNode& child = object.children[i];
        const std::string here = path.empty() ? object.keys[i] : path + "." + object.keys[i];
        if (object.keys[i].find('.') != std::string::npos && path != kSourcesKey) {
            document.problems.push_back({here, "", "keys nest at the dots: {\"link\": {\"bandwidth\": ...}}"});
        } else if (child.kind == DocumentNode::Kind::object) {
            document.objects.push_back(here);
            flattenInto(child, here, whole, document);
        } else if (child.kind == DocumentNode::Kind::list && mayBeList(here)) {
            auto text = whole ? listText(here, child, document.problems) : std::nullopt;
            if (text && document.problems.empty())
                document.values.push_back({here, std::move(*text), DocumentValue::Kind::string});
        } else if (child.kind == DocumentNode::Kind::list) {
            document.problems.push_back({here, "[...]", "a list, but one value is expected"});
        } else {
            document.values.push_back({here, child.text, child.kind});
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

std::optional<std::int64_t> wholeNumber(const DocumentNode& node) {
    std::int64_t value = 0;
    const char* end = node.text.data() + node.text.size();
    const auto read = std::from_chars(node.text.data(), end, value);
    const bool isWhole = node.kind == DocumentNode::Kind::number && read.ec == std::errc() && read.ptr == end;
    return isWhole ? std::optional(value) : std::nullopt;
}

std::string DocumentNode::shown() const { return shownValue(text, kind); }

DocumentTree readTree(std::string_view json, std::string_view origin) {
    JsonTreeReader reader(json, origin, Form::tree);
    reader.read();
    const bool isWhole = !reader.failed() && reader.root().kind == DocumentNode::Kind::object;
    return {isWhole ? std::optional(std::move(reader.root())) : std::nullopt, std::move(reader.problems())};
}

FlatDocument readFlat(std::string_view json, std::string_view origin) {
    JsonTreeReader reader(json, origin, Form::flat);
    reader.read();
    FlatDocument document;
    document.problems = std::move(reader.problems());
    flattenInto(reader.root(), {}, !reader.failed(), document);
    return document;
}

FlatDocument flatten(const DocumentNode& object) {
    FlatDocument document;
    flattenInto(object, {}, true, document);
    return document;
}

std::optional<engine::Problem> formatProblem(const DocumentNode& root, std::string_view origin, std::string_view kind,
                                             std::string_view format) {
    const std::string refused = "not " + std::string(kind) + "; allowed: ", allowed(format);
    const DocumentNode* node = root.find("format");
    if (node == nullptr)
        return engine::Problem{std::string(origin), "", refused + "\"format\": \"" + allowed + "\""};
    if (node->kind != DocumentNode::Kind::string || node->text != format)
        return engine::Problem{"format", node->shown(), refused + allowed};
    return std::nullopt;
}

}  // namespace data
