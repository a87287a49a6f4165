#pragma once

#include "data/lessons/lesson.h"
#include "data/page/lesson_runs.h"
#include "data/page/page_fit.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// Another page that a page leads to.
struct PageNeighbour {
    std::string address;  ///< relative to the page: "02-ring-reduce-scatter.html"
    std::string title;
};

/// The web page of one lesson.
struct LessonPageRequest {
    const Lesson& lesson;
    const LessonRuns& runs;
    std::vector<std::string> pictures;  ///< PNG by step, of what the page itself cannot draw; empty: none
    std::optional<PageNeighbour> previous, all, next;
    std::size_t mostBytes = 0;  ///< largest size of the page; 0: kUsualPageBytes for each run, and the engine's
    bool live = false;          ///< the page also has the web engine; precondition: webEngineBase64() has one
};

/// Returns the page. Without a script it has all texts, and the answers fold out; with the player it shows one step at a
/// time beside its run, and judges what the reader predicts. Its document is that of pageOf() with "kind" "lesson", and
///
///   "lesson": { "steps": [ { "runs": [ indices in "runs" ], "tried": index, "pinned": index,
///     "at", "from", "to": ps, "gpu", "play": { "from", "to": ps, "seconds", "loop" },
///     "lane": number in words.lanes, "highlight": "ribbon" or "headlines", "holds": true,
///     "question": { "right": index }
///             or { "value", "tolerance": base units, "written": "1.29 ms", "unit": "ms", "counts": "bytes" or "rate",
///                  "units": [ [ word, factor ] ], "anyCase": true } } ] }
///
/// Each member of a step is there only if the step has it. Throws as fitPage() does.
Page lessonPageOf(const LessonPageRequest& request);

}  // namespace data
