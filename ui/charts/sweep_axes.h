#pragma once

#include "data/sweep/sweep_document.h"
#include "ui/look/format.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The functions below return titles and values of a sweep's axes as the rest of the window writes parameters.

QString axisTitle(const data::SweepAxis& axis);                         ///< "Link: Bandwidth per direction"
QString axisValueText(const data::SweepAxis& axis, std::size_t value);  ///< "50 GB/s"; zipped: "50 GB/s + 500 ns"
QString axisSetting(const data::SweepAxis& axis, std::size_t value);    ///< "Link: Latency = 500 ns"

/// Returns whether an axis has a single parameter with numbers only, so that distances between its values are defined.
/// Other axes only have an order.
bool isNumeric(const data::SweepAxis& axis);
/// Returns the numbers of a numeric axis; empty for others.
std::vector<double> numbersOf(const data::SweepAxis& axis);
/// Returns the indices of the values in rising order; words stay in the order of the list.
std::vector<std::size_t> risingOrder(const data::SweepAxis& axis);
engine::ParameterUnit unitOf(const data::SweepAxis& axis);

/// Returns the unit for all numbers of an axis: the largest that is not larger than `magnitude`. Its name may be empty.
/// Bytes that a run measures have decimal units (MB); bytes that a user enters, which are capacities and sizes in
/// powers of two, have binary units (MiB).
const ScaledUnit& axisUnitFor(engine::ParameterUnit unit, bool measured, double magnitude);

/// Returns the unit for all numbers of a column: that in which tables write them (data::unitOf), or else axisUnitFor.
const ScaledUnit& unitOfColumn(const data::AxisColumn& column, double magnitude);

/// A numeric parameter of an axis, alone or zipped with others.
struct CostColumn {
    std::size_t axis = 0, column = 0;
};
/// Returns the varied parameters whose values have a cost, such as more bandwidth or more entries.
std::vector<CostColumn> costColumns(const data::Sweep& sweep);
QString columnTitle(const data::AxisColumn& column);  ///< "Link: Bandwidth per direction"

/// Returns whether the numbers are closer to a geometric than to an arithmetic series.
bool isLogSpaced(const std::vector<double>& numbers);

/// Returns for each axis the index of the value nearest to the base experiment: the nearest number, by ratio or by
/// difference depending on how the values are spaced, or the same word. An empty optional if the base has none of the
/// words.
std::vector<std::optional<std::size_t>> nearestToBase(const data::Sweep& sweep);

}  // namespace ui
