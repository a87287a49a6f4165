#include "data/document/document_keys.h"

#include "data/document/names.h"
#include "engine/api/parameters.h"

namespace data {

std::string within(const std::string& where, std::string_view key) {
    return where.empty() ? std::string(key) : where + "." + std::string(key);
}

std::string indexed(const std::string& list, std::size_t index) { return list + "[" + std::to_string(index) + "]"; }

void checkVersion(const DocumentNode& root, int known, engine::Problems& problems) {
    const DocumentNode* version = root.find("version");
    auto problem = version == nullptr ? std::nullopt : versionProblem(version->text, version->kind, known);
    if (problem)
        problems.push_back(std::move(*problem));
}

BodyReading readExperimentAt(const DocumentNode& object, const std::string& path, engine::Problems& problems) {
    BodyReading body = readBody(flatten(object), path, {kExperimentFormat, "an experiment", {}});
    for (engine::Problem& problem : body.problems) {
        if (problem.path != path)
            problem.path = within(path, problem.path);
        problems.push_back(problem);
    }
    return body;
}

void checkKeys(const DocumentNode& object, const std::string& where, const std::vector<std::string>& known,
               engine::Problems& problems) {
    for (std::size_t i = 0; i < object.keys.size() && problems.size() < kMostProblems; ++i) {
        const std::string& key = object.keys[i];
        if (isAmong(known, key))
            continue;
        const auto near = engine::nearestNames(key, known);
        problems.push_back({within(where, key), object.children[i].shown(),
                            near.empty() ? "unknown key; allowed: " + joinedNames(known, " and ")
                                         : "unknown key, did you mean " + joinedNames(near, " or ") + "?"});
    }
}

const DocumentNode* childOf(const DocumentNode& object, const std::string& where, std::string_view key,
                            DocumentNode::Kind kind, std::string_view expected, engine::Problems& problems) {
    const DocumentNode* child = object.find(key);
    if (child == nullptr || child->kind == kind)
        return child;
    problems.push_back({within(where, key), child->shown(), "wrong type, " + std::string(expected) + " is expected"});
    return nullptr;
}

}  // namespace data
