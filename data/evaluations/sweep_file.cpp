#include "data/evaluations/sweep_file.h"

#include "data/document/document_keys.h"
#include "data/document/names.h"
#include "data/evaluations/plain_name.h"
#include "data/sweep/sweep_document.h"

#include <algorithm>

namespace data {
namespace {

using Kind = DocumentNode::Kind;

constexpr std::string_view kSweepSuffix = ".json";

void removeKey(DocumentNode& object, std::string_view key) {
    const auto found = std::ranges::find(object.keys, key);
    if (found == object.keys.end())
        return;
    object.children.erase(object.children.begin() + (found - object.keys.begin()));
    object.keys.erase(found);
}

/// Replaces values of an object, those of objects inside it one by one.
void replaceIn(DocumentNode& object, const DocumentNode& by) {
    for (std::size_t i = 0; i < by.keys.size(); ++i) {
        const auto found = std::ranges::find(object.keys, by.keys[i]);
        if (found == object.keys.end()) {
            object.keys.push_back(by.keys[i]);
            object.children.push_back(by.children[i]);
            continue;
        }
        DocumentNode& child = object.children[static_cast<std::size_t>(found - object.keys.begin())];
        if (child.kind == Kind::object && by.children[i].kind == Kind::object)
            replaceIn(child, by.children[i]);
        else
            child = by.children[i];
    }
}

void addFileNamed(const DocumentNode* object, const std::string& where, std::vector<NamedSweepFile>& files) {
    if (object == nullptr || object->kind != Kind::object)
        return;
    std::string file = sweepFileOf(*object);
    if (!file.empty() && std::ranges::find(files, file, &NamedSweepFile::file) == files.end())
        files.push_back({std::move(file), where});
}

}  // namespace

std::string SweepFile::placeOf(const std::string& problem, const std::string& where) const {
    const DocumentNode* found = &own;
    std::size_t from = 0;
    while (found != nullptr && found->kind == Kind::object && from < problem.size()) {
        const std::size_t end = std::min(problem.find_first_of(".[", from), problem.size());
        found = found->find(std::string_view(problem).substr(from, end - from));
        from = end + 1;
    }
    return found == nullptr || from == 0 ? file + " " + problem : within(where, problem);
}

std::string sweepFileOf(const DocumentNode& sweep) {
    const DocumentNode* of = sweep.find("of");
    return of != nullptr && of->kind == Kind::string && of->text.ends_with(kSweepSuffix) ? of->text : std::string();
}

std::vector<NamedSweepFile> sweepFilesNamedIn(const DocumentNode& evaluation) {
    std::vector<NamedSweepFile> files;
    for (const char* key : {"items", "figures"}) {
        const DocumentNode* list = evaluation.find(key);
        for (std::size_t i = 0; list != nullptr && i < list->children.size(); ++i) {
            const DocumentNode& one = list->children[i];
            addFileNamed(&one, indexed(key, i), files);
            for (const char* other : {"over", "minus", "other"})
                addFileNamed(one.find(other), within(indexed(key, i), other), files);
        }
    }
    addFileNamed(evaluation.find("traffic"), "traffic", files);
    return files;
}

std::optional<SweepFile> readSweepFileOf(const DocumentNode& entry, const std::string& where,
                                         const MeasuredSource& files, engine::Problems& problems) {
    SweepFile read{{}, sweepFileOf(entry), entry};
    removeKey(read.own, "of");
    if (!isPlainName(read.file)) {
        problems.push_back({within(where, "of"), read.file,
                            "not a file beside the document; allowed: a name that ends in .json, without a folder"});
        return std::nullopt;
    }
    if (!files) {
        problems.push_back({within(where, "of"), read.file, "a bundled evaluation has no file beside it"});
        return std::nullopt;
    }
    const std::size_t before = problems.size();
    const std::string text = files(read.file, problems);
    if (problems.size() != before)
        return std::nullopt;
    DocumentTree tree = readTree(text, read.file);
    for (engine::Problem& problem : tree.problems) {
        if (!problem.path.starts_with(read.file))
            problem.path = read.file + " " + problem.path;
        problems.push_back(std::move(problem));
    }
    if (problems.size() != before || !tree.root)
        return std::nullopt;
    if (const DocumentNode* format = tree.root->find("format"); format != nullptr && format->text != kSweepFormat) {
        problems.push_back(
            {read.file + " format", format->shown(), "not a sweep; allowed: " + std::string(kSweepFormat)});
        return std::nullopt;
    }
    read.node = std::move(*tree.root);
    for (std::size_t i = 0; i < read.own.keys.size(); ++i) {
        const std::string& key = read.own.keys[i];
        if (key != "base")
            removeKey(read.node, key);
    }
    replaceIn(read.node, read.own);
    return read;
}

}  // namespace data
