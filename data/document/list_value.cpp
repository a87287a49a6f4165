#include "data/document/list_value.h"

#include "data/document/document_keys.h"
#include "data/document/document_tree.h"
#include "data/document/link_list.h"
#include "data/document/names.h"
#include "data/document/problem_list.h"

#include <array>

namespace data {
namespace {

constexpr std::array<std::string_view, 2> kLinePaths{"workload.network", "collective.table"};

std::optional<std::string> linesText(const std::string& path, const DocumentNode& list, engine::Problems& problems) {
    const std::size_t before = problems.size();
    if (list.children.empty())
        problems.push_back({path, "[]", "a list without a line; leave it out, or write some"});
    std::string text;
    for (std::size_t i = 0; i < list.children.size() && problems.size() < kMostProblems; ++i) {
        const DocumentNode& line = list.children[i];
        if (line.kind != DocumentNode::Kind::string)
            problems.push_back({indexed(path, i), line.shown(), "no line of text; a string is expected"});
        text += (i == 0 ? "" : "\n") + line.text;
    }
    return problems.size() == before ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

bool mayBeList(std::string_view path) { return path == kLinksPath || hasLines(path); }

bool hasLines(std::string_view path) { return isAmong(kLinePaths, path); }

std::optional<std::string> listText(const std::string& path, const DocumentNode& list, engine::Problems& problems) {
    return path == kLinksPath ? linksText(list, problems) : linesText(path, list, problems);
}

}  // namespace data
