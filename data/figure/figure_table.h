#pragma once

#include "data/figure/figure_spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

/// The numbers of one mark as a table with a name for each column, none twice: what is beside a figure as CSV, and what
/// pgfplots and matplotlib read. A value that is not there is an empty cell.
/// Bars and lines over categories: category, group where there are groups, then each series, called "BAR: SERIES" in
/// named stacks, followed by ": low" and ": high" where it has error bars. Lines and areas: x, then each series; of steps
/// x is where they begin, and a last row has the end. Boxes: category, series, least, lower, median, upper, most, samples.
/// Heat maps: row, column, value. Timelines: group, lane, from, to, meaning, text.
struct FigureTable {
    std::string fileName;  ///< "sublayer-speedup.csv", with more than one table "NAME-1.csv", "NAME-2.csv"
    std::size_t panel = 0, mark = 0;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< numbers in shortest round-trip form
    bool operator==(const FigureTable&) const = default;
};

/// One for each mark that has numbers, in order. Drawings have none.
std::vector<FigureTable> tablesOf(const FigureSpec& figure);

/// RFC 4180 but for its line ends: a line of names, then the rows, each ended by a line feed.
std::string writeCsv(const FigureTable& table);

}  // namespace data
