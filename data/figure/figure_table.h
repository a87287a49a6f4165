#pragma once

#include "data/figure/figure_spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

/// The numbers of one mark as a table whose columns have unique names. It is exported as CSV beside the figure, and
/// read by pgfplots and matplotlib. A missing value is an empty cell. The columns by kind of mark:
/// - Bars and lines over categories: category, then group if there are groups, then each series, named "BAR: SERIES" in
/// named stacks, followed by ": low" and ": high" if it has error bars. Before the series of floating bars, where they
/// begin: "from" or "BAR: from".
/// - Lines and areas over numbers: x, then each series. For steps, x is the beginning of a step, and a last row has the
/// end.
/// - Boxes: category, series, least, lower, median, upper, most, samples.
/// - Heat maps: row, column, value.
/// - Timelines: group, lane, from, to, meaning, text.
struct FigureTable {
    std::string fileName;  ///< "sublayer-speedup.csv"; if there are several tables, "NAME-1.csv", "NAME-2.csv"
    std::size_t panel = 0, mark = 0;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< numbers in shortest round-trip form
    bool operator==(const FigureTable&) const = default;
};

/// Returns one table for each mark that has numbers, in order. Drawings have none.
std::vector<FigureTable> tablesOf(const FigureSpec& figure);

/// Returns the table as CSV: RFC 4180 except for the line ends. A line of names, then the rows, each ended by a line
/// feed.
std::string writeCsv(const FigureTable& table);

}  // namespace data
