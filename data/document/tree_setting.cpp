#include "data/document/tree_setting.h"

#include "data/document/document_keys.h"
#include "data/document/json_reading.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>

namespace data {
namespace {

/// One step of a path: a key, or a position in a list.
struct PathStep {
    std::string_view key;
    std::optional<std::size_t> index;
};

/// Removes the first step of a path and returns it, or an empty optional if the path is malformed.
std::optional<PathStep> takeStep(std::string_view& path, bool isFirst) {
    if (path.starts_with('[')) {
        std::size_t index = 0;
        const auto read = std::from_chars(path.data() + 1, path.data() + path.size(), index);
        if (isFirst || read.ec != std::errc() || read.ptr == path.data() + path.size() || *read.ptr != ']')
            return std::nullopt;
        path.remove_prefix(static_cast<std::size_t>(read.ptr + 1 - path.data()));
        return PathStep{{}, index};
    }
    if (!isFirst) {
        if (!path.starts_with('.'))
            return std::nullopt;
        path.remove_prefix(1);
    }
    const std::string_view key = path.substr(0, path.find_first_of(".["));
    path.remove_prefix(key.size());
    return key.empty() ? std::nullopt : std::optional(PathStep{key, {}});
}

/// Returns the node that a step leads to, or null with a problem. A key that is missing is added if it is the last.
DocumentNode* follow(DocumentNode& node, const PathStep& step, const std::string& here, bool isLast,
                     engine::Problems& problems) {
    using Kind = DocumentNode::Kind;
    const auto refuse = [&](std::string text) {
        problems.push_back({here, node.shown(), std::move(text)});
        return nullptr;
    };
    if (step.index) {
        if (node.kind != Kind::list)
            return refuse("is no list, so it has no [" + std::to_string(*step.index) + "]");
        if (*step.index >= node.children.size())
            return refuse("has no [" + std::to_string(*step.index) + "]; allowed: " +
                          (node.children.empty() ? "none, it is empty"
                                                 : "[0] to [" + std::to_string(node.children.size() - 1) + "]"));
        return &node.children[*step.index];
    }
    if (node.kind != Kind::object)
        return refuse("is no object, so it has no key " + std::string(step.key));
    const auto found = std::find(node.keys.begin(), node.keys.end(), step.key);
    if (found != node.keys.end())
        return &node.children[static_cast<std::size_t>(found - node.keys.begin())];
    if (!isLast) {
        problems.push_back({within(here, step.key), "", "is not in the document, so nothing in it can be set"});
        return nullptr;
    }
    node.keys.emplace_back(step.key);
    return &node.children.emplace_back();
}

/// Returns the value of an assignment as a node.
DocumentNode settingNode(std::string_view text) {
    DocumentNode node;
    node.text = text;
    const auto json = parseJson<nlohmann::json>(text);
    node.kind = json.is_number()                      ? DocumentNode::Kind::number
                : json.is_boolean() || json.is_null() ? DocumentNode::Kind::other
                                                      : DocumentNode::Kind::string;
    return node;
}

}  // namespace

void setAt(DocumentNode& root, std::string_view path, const DocumentNode& value, engine::Problems& problems) {
    DocumentNode* node = &root;
    std::string here;
    std::string_view rest = path;
    while (!rest.empty()) {
        const auto step = takeStep(rest, node == &root);
        if (!step) {
            problems.push_back({std::string(path), value.shown(),
                                "not a path in the document; allowed: keys and positions, such as loop.latency or "
                                "tasks[2].time"});
            return;
        }
        node = follow(*node, *step, here, rest.empty(), problems);
        if (node == nullptr)
            return;
        here = step->index ? indexed(here, *step->index) : within(here, step->key);
    }
    if (node->kind == DocumentNode::Kind::object || node->kind == DocumentNode::Kind::list)
        problems.push_back({std::string(path), value.shown(),
                            "is " + node->shown() + "; only one value can be set, by its whole path"});
    else
        *node = value;
}

void applySetting(std::string_view assignment, DocumentNode& root, engine::Problems& problems) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0)
        problems.push_back({"--set", std::string(assignment), "not of the form KEY=VALUE, such as loop.latency=10"});
    else
        setAt(root, assignment.substr(0, equals), settingNode(assignment.substr(equals + 1)), problems);
}

}  // namespace data
