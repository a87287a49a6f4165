#pragma once

namespace data {

/// The texts of the documents that are compiled in, so that the command line needs no installed files:
/// data/presets/machines.json and models.json, data/evaluations/published.json.
extern const char* const kMachinesJson;
extern const char* const kModelsJson;
extern const char* const kPublishedJson;

}  // namespace data
