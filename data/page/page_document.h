#pragma once

#include "data/experiment/scene_document.h"
#include "data/laboratory/laboratory.h"
#include "data/page/page_fit.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace data {

inline constexpr std::size_t kMostPageRuns = 4;
inline constexpr std::size_t kUsualPageBytes = 1'500'000;  ///< for each run

/// A web page of one run or of several runs to compare.
struct PageRequest {
    std::vector<LaboratoryRun> runs;  ///< 1 to kMostPageRuns, each with trace and path unless it is a bound
    std::string title;                ///< empty: made from the runs
    Scene scene{};                    ///< what the page shows first: its time, range and GPU
    std::size_t mostBytes = 0;        ///< largest size of the page; 0: kUsualPageBytes for each run, and the engine's
    bool live = false;                ///< the page also has the web engine; precondition: webEngineBase64() has one
    std::vector<std::string> controls{};  ///< of a live page: paths of parameters; empty: usualControls()
};

/// Returns the page: one HTML file with title, headlines and experiments as HTML, and the runs as run blocks that the
/// player in the page shows. The page's document is
///
///   { "format": "ringside-page", "version": 1, "ringside": version, "engine": version, "title": text,
///     "kind": "run" or "compare",
///     "words": { "lanes", "spans", "counters", "causes", "phases", "acts": [ names by number of the enumerator ] },
///     "runs": [ { "name", "link": link text or null, "draft": document, "result": as `run --output json` prints it,
///                 "block": "run-0" or null for a bound, "formula": of a bound, "scatter", "feeds",
///                 "headlines": [ { "title", "ps" or "ratio", "role", "remark" } ],
///                 "lastWaves": [ { "slots", "start", "end", "empty": [ [ slot, from ] ] } by recorded GPU ],
///                 "kernels": [ names ], "controls": of a live page (controlsJson) } ],
///     "scene": { "at", "from", "to": ps, "gpu": number }, each if the request has it }
///
/// The same experiments give the same bytes: "wall_ns" and "threads" of a result are left out. The runs are
/// written in the first of blockDetails() with which the page has at most `mostBytes`. Throws engine::InvalidExperiment
/// for a run that lasts longer than a page can tell exactly, and for a page that does not fit.
Page pageOf(const PageRequest& request);

}  // namespace data
