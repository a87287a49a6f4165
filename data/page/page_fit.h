#pragma once

#include "data/laboratory/laboratory.h"
#include "data/page/page_html.h"
#include "data/page/run_block.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace data {

/// Returns the details in which a page writes its runs until they fit into its size, the exact one first. Each later one
/// has the busy time of one more kind of lane in place of its spans: loads, DRAM channels, stores, links, tracked tiles;
/// then there are fewer periods, and in the last one counters have their values by period only.
std::span<const BlockDetail> blockDetails();

/// Returns what a page with this detail has: "every span exact", or "sums of 4,096 periods for loads and DRAM channels,
/// all else exact".
std::string wordsOf(const BlockDetail& detail);

/// A written page.
struct Page {
    std::string html;
    std::size_t spans = 0;  ///< spans of all runs
    BlockDetail detail;     ///< which lanes have their spans in the page
};

/// Returns the page with the run blocks of these runs, which all have a trace, in the first of blockDetails() with which
/// it has at most `most` bytes. Throws engine::InvalidExperiment for a run that lasts longer than a page can tell
/// exactly, and for a page that does not fit.
Page fitPage(PageParts parts, const std::vector<const LaboratoryRun*>& recorded, std::size_t most);

}  // namespace data
