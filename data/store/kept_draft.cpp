#include "data/store/kept_draft.h"

#include <nlohmann/json.hpp>

namespace data {
namespace {

constexpr const char* kKeptOrigin = "the kept run";

}  // namespace

DraftReading draftOfKept(const Store& store, const StoredRun& stored) {
    DraftReading asked = readDraft(stored.draft, kKeptOrigin);
    if (!asked.problems.empty())
        return asked;
    const auto document = nlohmann::ordered_json::parse(store.documentOf(stored.id), nullptr, false);
    if (!document.is_object() || !document.contains("experiment"))
        return asked;
    DraftReading run = readDraft(document["experiment"].dump(), kKeptOrigin);
    const bool isSame = !run.problems.empty() || expand(asked.draft).experiment == expand(run.draft).experiment;
    return isSame ? asked : run;
}

}  // namespace data
