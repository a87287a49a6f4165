// Gives any bytes to the reader of figures. It must return a list of problems, or a figure that can be written, read
// again and converted to tables. Nothing is drawn.
//
// The target is a function in the form of libFuzzer, which drives it in a build with clang and RINGSIDE_FUZZ. Otherwise
// replay.cpp drives it.

#include "data/figure/figure_document.h"
#include "data/figure/figure_table.h"
#include "tests/fuzz/checks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz::figure {

RINGSIDE_FUZZ_TARGET(fuzz_figure)(const std::uint8_t* bytes, std::size_t size) {
    const data::FigureReading reading =
        data::readFigure(std::string_view(reinterpret_cast<const char*>(bytes), size), "input");
    checkMessages(reading.problems);
    require(reading.figure.has_value() == reading.problems.empty(), "a figure, or why there is none", "");
    if (!reading.figure)
        return 0;
    const std::string kept = data::writeFigure(*reading.figure);
    require(data::problemsOf(*reading.figure).empty(), "what is read is what the check allows", kept);
    const data::FigureReading again = data::readFigure(kept, "kept");
    require(again.figure && *again.figure == *reading.figure, "a kept figure is the same figure", kept);
    for (const data::FigureTable& table : data::tablesOf(*reading.figure)) {
        for (const auto& row : table.rows)
            require(row.size() == table.columns.size(), "every row has every column", kept);
        require(!data::writeCsv(table).empty(), "a table has at least its names", kept);
    }
    return 0;
}

}  // namespace fuzz::figure
