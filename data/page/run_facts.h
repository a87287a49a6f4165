#pragma once

#include "data/laboratory/laboratory.h"

#include <nlohmann/json.hpp>

namespace data {

using PageJson = nlohmann::ordered_json;

/// Returns what the player of a page reads of a run besides its block: "result", as `run --output json` prints it but
/// without "wall_ns" and "threads", "scatter", "feeds", "headlines", "lastWaves" and "kernels" (pageOf). Needs no zlib,
/// OpenSSL or SQLite: the web engine answers with it too.
PageJson runFactsJson(const LaboratoryRun& run);

}  // namespace data
