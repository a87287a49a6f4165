#pragma once

#include "data/page/run_block.h"

#include <span>
#include <string>

namespace data {

/// Returns the details in which a page writes its runs until they fit into its size, the exact one first. Each later one
/// has the busy time of one more kind of lane in place of its spans: loads, DRAM channels, stores, links, tracked tiles;
/// then there are fewer periods, and in the last one counters have their values by period only.
std::span<const BlockDetail> blockDetails();

/// Returns what a page with this detail has: "every span exact", or "sums of 4,096 periods for loads and DRAM channels,
/// all else exact".
std::string wordsOf(const BlockDetail& detail);

}  // namespace data
