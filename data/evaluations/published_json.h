#pragma once

namespace data {

/// The text of data/evaluations/published.json, compiled in so that the command line needs no installed files.
extern const char* const kPublishedJson;

}  // namespace data
