#pragma once

#include "data/figure/figure_spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data {

/// The numbers of one mark as a table with a name for each column: what is beside a figure as CSV, and what pgfplots and
/// matplotlib read. A value that is not there is an empty cell. Bars: category, group, then "SERIES" or "BAR: SERIES" with
/// ": low" and ": high" where there are error bars. Lines and areas: x, then each series.
struct FigureTable {
    std::string fileName;  ///< "sublayer-speedup.csv", with more than one table "NAME-1.csv", "NAME-2.csv"
    std::size_t panel = 0, mark = 0;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  ///< numbers in shortest round-trip form
    bool operator==(const FigureTable&) const = default;
};

/// One for each mark that has numbers, in order. Drawings have none.
std::vector<FigureTable> tablesOf(const FigureSpec& figure);

/// RFC 4180, with a line of names; lines end with a line feed.
std::string writeCsv(const FigureTable& table);

}  // namespace data
