#pragma once

#include "engine/api/problem.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data {

inline constexpr std::size_t kMostCsvRows = 100'000;

/// A line of a CSV file: its number, counted from 1, and its cells.
struct CsvLine {
    std::size_t number = 0;
    std::vector<std::string> cells;
};

/// What a file may be, for messages.
struct CsvKind {
    std::string file;                      ///< its name
    std::string columns;                   ///< an example of its first line: "matrix.m,value"
    std::size_t mostRows = kMostCsvRows;   ///< the file may have
    std::string_view mostRowsOf = "rows";  ///< what the limit counts: "rows in all sweeps and tables"
};

/// A CSV file: the names of its columns, and rows with a cell for each of them.
struct CsvTable {
    std::string file;  ///< its name, for messages
    CsvLine heading;   ///< the names of the columns, which differ; empty if they cannot be read
    std::vector<CsvLine> rows;

    /// Returns the position of the column with this name; an empty optional if there is none.
    std::optional<std::size_t> columnNamed(std::string_view name) const;
    /// Returns the place of a line for messages: "rows.csv:3".
    std::string placeOf(const CsvLine& line) const;
    /// Returns the place of a cell: "rows.csv:3 seconds".
    std::string placeOf(const CsvLine& line, std::size_t column) const;
};

/// Reads a CSV text (RFC 4180) in UTF-8, with or without a byte order mark. The first line names the columns; no name is
/// a number. Empty lines and lines that begin with `#` are passed
/// over; a cell that begins with `#` at the beginning of a line stands in quotes. Blanks around a cell without quotes
/// are dropped. Adds problems that name file, line and what is allowed, at most up to kMostProblems, and returns the
/// rows without a problem; no rows if there are too many.
CsvTable readCsv(std::string_view text, const CsvKind& kind, engine::Problems& problems);

/// Returns a cell for messages: in quotes, and shortened if it is long.
std::string shownCell(const std::string& cell);

}  // namespace data
