// Gives any list to the reader of links of a Custom topology. It must return a list of problems, or a text that is the
// same after it is converted to a list and back, and that the engine accepts or rejects with a message.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/document_tree.h"
#include "data/document/link_list.h"
#include "data/experiment/experiment_document.h"
#include "data/trace/chrome_events.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace fuzz::link_list {

std::optional<std::string> linksIn(const std::string& list) {
    const data::DocumentTree tree = data::readTree("{\"links\":" + list + "}", "input");
    checkMessages(tree.problems);
    const data::DocumentNode* node = tree.root ? tree.root->find("links") : nullptr;
    if (!tree.problems.empty() || node == nullptr || node->kind != data::DocumentNode::Kind::list)
        return std::nullopt;
    engine::Problems problems;
    auto text = data::linksText(*node, problems);
    checkMessages(problems);
    require(text.has_value() == problems.empty(), "a text, or why there is none", list);
    return text;
}

std::string listOf(const std::string& text) {
    std::istringstream links(text);
    std::string list;
    for (std::string link; std::getline(links, link, ' ');)
        list += (list.empty() ? "[" : ",") + data::quotedJson(link);
    return list + "]";
}

/// Checks that the text as a parameter of an experiment is the same after it is written and read again.
void checkExperiment(const std::string& text) {
    data::ExperimentDraft draft;
    draft.explicitValues["topology.kind"] = std::string("custom");
    draft.explicitValues["topology.links"] = text;
    const data::Expansion expansion = data::expand(draft);
    checkMessages(expansion.problems);
    const data::DraftReading again = data::readDraft(data::writeDraft(draft), "kept");
    checkMessages(again.problems);
    if (expansion.runnable())
        require(again.problems.empty() && data::expand(again.draft).experiment == expansion.experiment,
                "kept links are the same links", text);
}

RINGSIDE_FUZZ_TARGET(fuzz_link_list)(const std::uint8_t* bytes, std::size_t size) {
    const std::string list(reinterpret_cast<const char*>(bytes), size);
    const auto text = linksIn(list);
    if (!text)
        return 0;
    require(linksIn(listOf(*text)) == text, "the links one by one are the same links", *text);
    checkExperiment(*text);
    return 0;
}

}  // namespace fuzz::link_list
