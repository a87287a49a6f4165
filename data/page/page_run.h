#pragma once

#include "data/page/run_facts.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// What pages of every kind have of one run.

inline constexpr std::string_view kPageFormat = "ringside-page";
inline constexpr int kPageVersion = 1;

/// The runs of a page, as its document has them.
struct PageRuns {
    PageJson json;                                     ///< "runs" of the document (pageOf)
    std::vector<const LaboratoryRun*> recorded;        ///< those with a trace, in the order of their run blocks
    std::vector<std::optional<std::size_t>> pictures;  ///< of each run: its place in `recorded`; empty for a bound
};

/// `runs` must outlive the result.
PageRuns pageRunsOf(std::span<const LaboratoryRun> runs);

/// Returns the document of a page (pageOf), without its scene.
PageJson pageJsonOf(const std::string& title, std::string_view kind, PageJson runs);

/// How a run stands in the page's HTML.
struct RunHtml {
    bool isAlone = false;                ///< the page has this run only, so that its name is the page's title
    bool isHidden = false;               ///< until the player shows it
    std::optional<std::size_t> picture;  ///< its number among the runs that the player draws; empty for a bound
};

/// Returns the part of the page that shows the headlines of a run without a script, and a place for its picture.
std::string runHtml(const LaboratoryRun& run, const RunHtml& how);

/// Returns the part that tells how a run was made: its experiment, hash and link text.
std::string aboutHtml(const LaboratoryRun& run, bool isAlone);

}  // namespace data
