#include "data/document/document_reader.h"

#include "data/document/document_tree.h"
#include "data/document/json_reading.h"
#include "data/document/link_list.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

namespace data {
namespace {

constexpr std::size_t kDeepest = 4;        // experiment documents need two levels
constexpr std::size_t kDeepestInList = 8;  // whose entries are judged where they are read
constexpr std::size_t kLongestReason = 200;

/// Line and column, both from 1, of a byte offset.
std::string lineAndColumn(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " +
           std::to_string(std::max<std::size_t>(1, before.size() - start));
}

/// The parser's own words without its prefix, on one line.
std::string reasonOf(std::string_view what) {
    const std::size_t column = what.find("column ");
    const std::size_t colon = column == std::string_view::npos ? what.find("] ") : what.find(": ", column);
    std::string reason(colon == std::string_view::npos ? what : what.substr(colon + 2));
    if (reason.size() > kLongestReason)
        reason = reason.substr(0, kLongestReason) + "...";
    for (char& c : reason) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code >= 0x7F)
            c = '?';
    }
    return reason;
}

/// Takes the parser's events. The names are those that nlohmann's SAX interface asks for; a false return stops it.
class FlatReader {
public:
    using json = nlohmann::json;

    FlatReader(std::string_view text, std::string_view origin) : m_text(text), m_origin(origin) {}

    bool null() { return scalar("null", DocumentValue::Kind::other); }
    bool boolean(bool value) { return scalar(value ? "true" : "false", DocumentValue::Kind::other); }
    bool number_integer(json::number_integer_t value) {
        return scalar(std::to_string(value), DocumentValue::Kind::number);
    }
    bool number_unsigned(json::number_unsigned_t value) {
        return scalar(std::to_string(value), DocumentValue::Kind::number);
    }
    bool number_float(json::number_float_t, const std::string& written) {
        return scalar(written, DocumentValue::Kind::number);
    }
    bool string(std::string& value) { return scalar(value, DocumentValue::Kind::string); }
    bool binary(json::binary_t&) { return true; }

    bool start_object(std::size_t) {
        if (!enter())
            return false;
        if (m_lists == 0) {
            if (!m_levels.empty())
                m_document.objects.push_back(here());
            m_levels.emplace_back();
        }
        return true;
    }
    bool end_object() {
        --m_depth;
        if (m_lists == 0)
            m_levels.pop_back();
        return true;
    }
    bool start_array(std::size_t) {
        if (!enter())
            return false;
        if (m_lists == 0 && !m_levels.empty() && here() == kLinksPath) {
            m_hasLinks = m_hasLinks || !m_levels.back().refused;
        } else if (m_lists == 0) {
            const std::string where = m_levels.empty() ? std::string(m_origin) : here();
            if (!report({where, "[...]",
                         m_levels.empty() ? "a list, but an object {...} is expected"
                                          : "a list, but one value is expected"}))
                return false;
        }
        ++m_lists;
        return true;
    }
    bool end_array() {
        --m_depth;
        --m_lists;
        return true;
    }
    bool key(std::string& name) {
        if (m_lists > 0)
            return true;
        Level& level = m_levels.back();
        level.key = name;
        level.refused = false;
        if (name.find('.') != std::string::npos) {
            level.refused = true;
            return report({here(), "", "keys nest at the dots: {\"link\": {\"bandwidth\": ...}}"});
        }
        if (!level.keys.insert(name).second)
            return report({here(), "", "given twice; keep one of the two"});
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        report(badJson(m_text, m_origin, position, error.what()));
        return false;
    }

    FlatDocument take() { return std::move(m_document); }
    bool hasLinks() const { return m_hasLinks; }

private:
    struct Level {
        std::set<std::string> keys;
        std::string key;       // the one whose value comes next
        bool refused = false;  // that value is passed over: its key has been reported
    };

    std::string here() const {
        std::string path;
        for (const Level& level : m_levels)
            path += (path.empty() ? "" : ".") + level.key;
        return path;
    }

    bool enter() {
        if (++m_depth <= (m_lists == 0 ? kDeepest : kDeepestInList))
            return true;
        report({m_levels.empty() ? std::string(m_origin) : here(), "", "nested too deeply; allowed are 2 levels"});
        return false;
    }

    bool scalar(std::string text, DocumentValue::Kind kind) {
        if (m_lists > 0)
            return true;
        if (m_levels.empty())
            return report({std::string(m_origin), shownScalar(text, kind == DocumentValue::Kind::string),
                           "one value, but an object {...} is expected"});
        if (m_levels.back().refused)
            return true;
        m_document.values.push_back({here(), std::move(text), kind});
        return true;
    }

    bool report(engine::Problem problem) {
        m_document.problems.push_back(std::move(problem));
        return m_document.problems.size() < kMostProblems;
    }

    std::string_view m_text;
    std::string_view m_origin;
    FlatDocument m_document;
    std::vector<Level> m_levels;
    std::size_t m_depth = 0;
    bool m_hasLinks = false;  // a list where one may stand
    std::size_t m_lists = 0;  // lists around the current place; their content is skipped
};

/// The one list that a document may have is read in a second pass, which costs only those that have it.
void addLinks(std::string_view json, std::string_view origin, FlatDocument& document) {
    const std::size_t before = document.problems.size();
    const DocumentTree tree = readTree(json, origin);
    for (const engine::Problem& problem : tree.problems) {
        if (problem.path.starts_with(std::string(kLinksPath) + "["))  // all else has been said
            document.problems.push_back(problem);
    }
    const DocumentNode* topology = tree.root ? tree.root->find("topology") : nullptr;
    const DocumentNode* links = topology != nullptr ? topology->find("links") : nullptr;
    if (links == nullptr || links->kind != DocumentNode::Kind::list)
        return;
    const auto text = linksText(*links, document.problems);
    if (text && document.problems.size() == before)
        document.values.push_back({std::string(kLinksPath), *text, DocumentValue::Kind::string});
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::string shownScalar(std::string_view text, bool isString) {
    const std::string plain(text);
    return isString ? "\"" + plain + "\"" : plain;
}

std::optional<engine::Problem> versionProblem(std::string_view text, bool isNumber, std::string shown, int known) {
    double version = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
    const std::string allowed = "; allowed: " + std::to_string(known);
    if (!isNumber)
        return engine::Problem{"version", std::move(shown), "not a number" + allowed};
    if (read.ec != std::errc{} || version != known)
        return engine::Problem{"version", std::move(shown), "this version of the format is not known here" + allowed};
    return std::nullopt;
}

engine::Problem tooLarge(const std::string& origin) {
    return {origin, "", "larger than the 16 MiB that a document may have; is this the right file?"};
}

engine::Problem badJson(std::string_view text, std::string_view origin, std::size_t position, std::string_view reason) {
    return {std::string(origin), "", "not valid JSON at " + lineAndColumn(text, position) + ": " + reasonOf(reason)};
}

FlatDocument readFlat(std::string_view json, std::string_view origin) {
    if (json.size() > kLargestDocument) {
        FlatDocument document;
        document.problems.push_back(tooLarge(std::string(origin)));
        return document;
    }
    FlatReader reader(json, origin);
    parseJsonEvents(json, reader);
    FlatDocument document = reader.take();
    if (reader.hasLinks() && document.problems.size() < kMostProblems)
        addLinks(json, origin, document);
    return document;
}

std::string readText(const std::string& path, engine::Problems& problems) {
    const bool standardInput = path == "-";
    const std::string origin = standardInput ? "standard input" : path;
    std::error_code error;
    if (!standardInput && std::filesystem::is_directory(path, error)) {
        problems.push_back({origin, "", "a folder, but a file is expected"});
        return {};
    }
    if (!standardInput && std::filesystem::is_regular_file(path, error) &&
        std::filesystem::file_size(path, error) > kLargestDocument) {
        problems.push_back(tooLarge(origin));
        return {};
    }
    std::unique_ptr<std::FILE, CloseFile> opened(standardInput ? nullptr : std::fopen(path.c_str(), "rb"));
    std::FILE* file = standardInput ? stdin : opened.get();
    if (!file) {
        problems.push_back({origin, "", "cannot be opened: " + std::generic_category().message(errno)});
        return {};
    }
    // Devices and pipes have no size beforehand: read up to the limit and not a byte more than needed to see it passed.
    std::string text;
    std::array<char, 65536> buffer{};
    while (text.size() <= kLargestDocument) {
        const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), file);
        text.append(buffer.data(), read);
        if (read == 0)
            break;
    }
    if (std::ferror(file) != 0) {
        problems.push_back({origin, "", "cannot be read: " + std::generic_category().message(errno)});
        return {};
    }
    if (text.size() > kLargestDocument) {
        problems.push_back(tooLarge(origin));
        return {};
    }
    return text;
}

}  // namespace data
