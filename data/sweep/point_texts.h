#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/quantity.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace data {

/// Returns the unit in which all values of a column are written: that of its document, or else the largest in which none
/// of them is below 1 or needs many decimals. An empty optional if there is no such unit, such as for words.
std::optional<engine::UnitName> unitOf(const AxisColumn& column);

/// Returns a value in that unit: "1800 GB/s" beside "450 GB/s".
std::string textOf(const AxisColumn& column, std::size_t value);

/// Formats the values and numbers of a sweep's points with one unit for each column, so that they can be compared from
/// row to row: "512 KiB" above "4096 KiB", "812.0 µs" above "1240.3 µs".
class PointTexts {
public:
    /// `table` must outlive the object.
    explicit PointTexts(const SweepTable& table);

    /// Returns the value that a row has of a parameter of an axis.
    const std::string& valueOf(std::size_t axis, std::size_t column, std::size_t step) const {
        return m_values[axis][column][step];
    }
    /// Returns a number of the metric with this index in the table, "1240.3 µs".
    std::string numberOf(std::size_t metric, double number) const;

private:
    const SweepTable& m_table;
    std::vector<std::vector<std::vector<std::string>>> m_values;  // by axis, column and step
    std::vector<double> m_like;                                   // by metric: the number that sets unit and decimals
};

}  // namespace data
