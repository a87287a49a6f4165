#pragma once

#include "data/sweep/sweep_document.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// What to write at an axis of a sweep and at its values, as the rest of the window writes parameters.

QString axisTitle(const data::SweepAxis& axis);                         ///< "Link: Bandwidth per direction"
QString axisValueText(const data::SweepAxis& axis, std::size_t value);  ///< "50 GB/s"; zipped ones joined by " + "
QString axisSetting(const data::SweepAxis& axis, std::size_t value);    ///< "Link: Latency = 500 ns"

/// One parameter, and numbers only: such an axis has distances. Others have an order.
bool isNumeric(const data::SweepAxis& axis);
/// The numbers of such an axis; empty for others.
std::vector<double> numbersOf(const data::SweepAxis& axis);
/// Returns the places of the values by which these rise; of words as they are listed.
std::vector<std::size_t> risingOrder(const data::SweepAxis& axis);
engine::ParameterUnit unitOf(const data::SweepAxis& axis);

/// A parameter of an axis that has numbers, alone or in step with others.
struct CostColumn {
    std::size_t axis = 0, column = 0;
};
/// All that a sweep varies and that can be paid for: more bandwidth, more entries.
std::vector<CostColumn> costColumns(const data::Sweep& sweep);
QString columnTitle(const data::AxisColumn& column);  ///< "Link: Bandwidth per direction"

/// Whether equal ratios describe values better than equal steps do.
bool isLogSpaced(const std::vector<double>& numbers);

/// The value of each axis that is nearest to the base experiment: by ratio or by difference as they are spaced, the same
/// word where they are words. Nothing where the base has none of the words.
std::vector<std::optional<std::size_t>> nearestToBase(const data::Sweep& sweep);

}  // namespace ui
