#include "data/document/document_keys.h"

#include "data/document/document_body.h"
#include "engine/api/parameters.h"

#include <algorithm>

namespace data {

void checkKeys(const DocumentNode& object, const std::string& where, const std::vector<std::string>& known,
               engine::Problems& problems) {
    for (std::size_t i = 0; i < object.keys.size() && problems.size() < kMostProblems; ++i) {
        const std::string& key = object.keys[i];
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        const auto near = engine::nearestNames(key, known);
        problems.push_back({where.empty() ? key : where + "." + key, object.children[i].shown(),
                            near.empty() ? "unknown key; allowed: " + joinedNames(known, " and ")
                                         : "unknown key, did you mean " + joinedNames(near, " or ") + "?"});
    }
}

const DocumentNode* childOf(const DocumentNode& object, const std::string& where, std::string_view key,
                            DocumentNode::Kind kind, std::string_view expected, engine::Problems& problems) {
    const DocumentNode* child = object.find(key);
    if (child == nullptr || child->kind == kind)
        return child;
    problems.push_back({where.empty() ? std::string(key) : where + "." + std::string(key), child->shown(),
                        "wrong type, " + std::string(expected) + " is expected"});
    return nullptr;
}

}  // namespace data
