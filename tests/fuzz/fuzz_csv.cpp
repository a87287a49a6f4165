// Gives any bytes to the reader of CSV files. It must return a list of problems, or rows with a cell for each column.
// Written again with quotes around each cell, the rows are read as the same rows.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/document/csv_reader.h"
#include "data/document/document_reader.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::csv {

std::string quotedLine(const data::CsvLine& line) {
    std::string text;
    for (const std::string& cell : line.cells) {
        text += text.empty() ? "\"" : ",\"";
        for (const char c : cell)
            text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
    }
    return text + "\n";
}

RINGSIDE_FUZZ_TARGET(fuzz_csv)(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t kMostRows = 100;
    const data::CsvKind kind{"rows.csv", "id,seconds", kMostRows};
    engine::Problems problems;
    const data::CsvTable table =
        data::readCsv(std::string_view(reinterpret_cast<const char*>(bytes), size), kind, problems);
    require(problems.size() <= data::kMostProblems, "problems are not too many", "");
    require(table.rows.size() <= kMostRows, "rows are not too many", "");
    checkMessages(problems);
    std::size_t last = table.heading.number;
    for (const data::CsvLine& row : table.rows) {
        require(row.cells.size() == table.heading.cells.size(), "a row has a cell for each column", quotedLine(row));
        require(row.number > last, "lines are counted", quotedLine(row));
        last = row.number;
    }
    if (!problems.empty())
        return 0;
    std::string again = quotedLine(table.heading);
    for (const data::CsvLine& row : table.rows)
        again += quotedLine(row);
    const data::CsvTable same = data::readCsv(again, kind, problems);
    require(problems.empty() && same.heading.cells == table.heading.cells, "it is read again", again);
    require(same.rows.size() == table.rows.size(), "with as many rows", again);
    for (std::size_t i = 0; i < same.rows.size(); ++i)
        require(same.rows[i].cells == table.rows[i].cells, "with the same cells", again);
    return 0;
}

}  // namespace fuzz::csv
