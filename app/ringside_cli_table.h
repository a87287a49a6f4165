#pragma once

#include "data/sweep/point_texts.h"
#include "data/sweep/results_table.h"
#include "engine/api/units.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

enum class Align { left, right };

/// A table of text columns, aligned, two spaces apart, for pasting into a mail. Widths count characters instead of
/// bytes.
class Table {
public:
    struct Column {
        std::string heading;
        Align align = Align::right;
        std::string unit{};
    };

    explicit Table(std::vector<Column> columns = {}) : m_columns(std::move(columns)) {}

    void addColumn(std::string heading, Align align = Align::right, std::string unit = {});
    void addRow(std::vector<std::string> cells);  ///< as many cells as columns

    /// Writes the heading, a line of units if any column has one, and the rows, without blanks at line ends.
    void write(std::ostream& out) const;

private:
    std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// One unit for all times of a table, so that its columns can be compared at a glance.
struct TimeScale {
    std::string_view unit;
    std::int64_t ps;  ///< picoseconds in one unit
    int decimals;

    static TimeScale forLongest(engine::Duration longest);
    std::string text(engine::Duration time) const;
};

std::string fixedText(double value, int decimals);                      ///< whatever the locale
std::string groupedText(std::int64_t value);                            ///< "10,000"
std::string sidesText(std::int64_t m, std::int64_t n, std::int64_t k);  ///< "4096 x 4096 x 2048", of a GEMM
std::string gemmsText(std::int64_t batch, const std::string& sides);    ///< "GEMM 64 x 64 x 64", "4 GEMMs 64 x 64 x 64"
std::string bytesText(engine::Bytes bytes);      ///< "69.7 MB": decimal units, as links and memories are rated
std::string megabytesText(engine::Bytes bytes);  ///< without the unit, for columns
std::string spanText(double seconds);            ///< a waiting time: "1.2 s", "3 min 20 s", "2 h 5 min"

using data::csvLine;

/// Makes a table with the columns of a sweep's points: values of the axes, policy, metrics.
Table tableOfPoints(const data::SweepTable& sweep);
/// Returns the cells of one point; `absent` if it has no number. `texts` are those of the sweep.
std::vector<std::string> cellsOf(const data::SweepTable& sweep, const data::PointTexts& texts,
                                 const data::SweepRow& point, const char* absent);

/// Returns documents as one JSON list.
std::string listOfDocuments(const std::vector<std::string>& documents);

}  // namespace cli
