#include "data/document/link_list.h"

#include "data/document/document_keys.h"
#include "data/document/names.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace data {
namespace {

using engine::Problems;
using Kind = DocumentNode::Kind;

constexpr std::array<std::string_view, 5> kKeys{"from", "to", "bandwidth", "latency", "one_way"};
constexpr std::size_t kLongestEnd = 8;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Reads one end of a link: a GPU's number, as a number or as text, or a switch.
std::optional<std::string> endOf(const DocumentNode& link, const char* key, const std::string& where,
                                 Problems& problems) {
    constexpr const char* kAllowed = "allowed: a GPU's number, or s and a switch's number, such as \"s0\"";
    const DocumentNode* end = link.find(key);
    if (end == nullptr) {
        problems.push_back({where + "." + key, "", std::string("missing, and every link has two ends; ") + kAllowed});
        return std::nullopt;
    }
    const std::string_view text = end->text;
    const std::string_view digits = text.starts_with("s") ? text.substr(1) : text;
    const bool number = !digits.empty() && text.size() <= kLongestEnd &&
                        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number && (end->kind == Kind::number || end->kind == Kind::string))
        return end->text;
    problems.push_back({where + "." + key, end->shown(), std::string("no node; ") + kAllowed});
    return std::nullopt;
}

/// Returns a bandwidth or a latency as text without blanks; empty if the link does not set it.
std::string numberOf(const DocumentNode& link, const char* key, const char* like, const std::string& where,
                     Problems& problems) {
    const DocumentNode* node = link.find(key);
    if (node == nullptr)
        return {};
    const engine::Parameter& parameter = *engine::findParameter(like);
    if (node->kind == Kind::object || node->kind == Kind::list) {
        problems.push_back({where + "." + key, node->shown(),
                            "one value is expected; allowed: " + engine::describeAllowed(parameter)});
        return {};
    }
    Problems found;
    const auto value = valueOf({like, node->text, node->kind}, parameter, found);
    for (engine::Problem& problem : found)
        problems.push_back({where + "." + key, std::move(problem.value), std::move(problem.text)});
    std::string text = value ? engine::formatValue(parameter, *value) : std::string();
    std::erase_if(text, isSpace);
    if (const std::size_t micro = text.find("µ"); micro != std::string::npos)  // "us", as people type it
        text.replace(micro, std::string_view("µ").size(), "u");
    return text;
}

void checkLinkKeys(const DocumentNode& link, const std::string& where, Problems& problems) {
    const std::vector<std::string> known(kKeys.begin(), kKeys.end());
    for (std::size_t i = 0; i < link.keys.size(); ++i) {
        if (isAmong(known, link.keys[i]))
            continue;
        const auto near = engine::nearestNames(link.keys[i], known);
        problems.push_back({where + "." + link.keys[i], link.children[i].shown(),
                            "unknown key" + (near.empty() ? std::string() : ", did you mean " + near.front() + "?") +
                                "; allowed: " + joinedNames(known, ", ")});
    }
}

std::string objectText(const DocumentNode& link, const std::string& where, Problems& problems) {
    checkLinkKeys(link, where, problems);
    const auto from = endOf(link, "from", where, problems), to = endOf(link, "to", where, problems);
    const std::string bandwidth = numberOf(link, "bandwidth", "link.bandwidth", where, problems);
    const std::string latency = numberOf(link, "latency", "link.latency", where, problems);
    const DocumentNode* oneWay = link.find("one_way");
    if (oneWay != nullptr && (oneWay->kind != Kind::other || oneWay->text == "null"))
        problems.push_back({where + ".one_way", oneWay->shown(), "wrong type; allowed: true or false"});
    if (!from || !to)
        return {};
    std::string text = *from + (oneWay != nullptr && oneWay->text == "true" ? ">" : "-") + *to;
    if (!bandwidth.empty() || !latency.empty())
        text += "@" + bandwidth;
    return latency.empty() ? text : text + "," + latency;
}

}  // namespace

std::optional<std::string> linksText(const DocumentNode& list, Problems& problems) {
    const std::size_t before = problems.size();
    if (list.children.empty())
        problems.push_back({std::string(kLinksPath), "[]", "a list without a link; leave it out, or name some"});
    std::string text;
    for (std::size_t i = 0; i < list.children.size() && problems.size() < kMostProblems; ++i) {
        const DocumentNode& link = list.children[i];
        const std::string where = indexed(std::string(kLinksPath), i);
        std::string entry;
        if (link.kind == Kind::object) {
            entry = objectText(link, where, problems);
        } else if (link.kind == Kind::string && !link.text.empty() &&
                   std::none_of(link.text.begin(), link.text.end(), isSpace)) {
            entry = link.text;
        } else {
            problems.push_back({where, link.shown(),
                                "no link; allowed: an object such as {\"from\": 0, \"to\": 1}, or a string without "
                                "blanks such as \"0-1@75GB/s\""});
        }
        text += (text.empty() ? "" : " ") + entry;
    }
    return problems.size() == before ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace data
