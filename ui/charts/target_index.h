#pragma once

#include "ui/charts/chart_drawing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// Finds the target at a position among many. Targets are sorted into a grid with squares as large as the mouse's
/// reach, so that a search does not compute a hundred thousand distances.
class TargetIndex {
public:
    TargetIndex() = default;
    /// The targets must exist and stay unchanged while the index is used.
    TargetIndex(const std::vector<Target>& targets, double reach);

    /// Returns the cell around the position, else the nearest point within reach; the first of equally near targets.
    std::optional<std::size_t> at(QPointF position) const;
    /// Returns the rows that have a target within the box (for a cell its centre), in rising order, each once.
    std::vector<std::size_t> rowsWithin(const QRectF& box) const;
    /// Returns the nearest target in a direction: left, right, above or below.
    std::optional<std::size_t> neighbour(std::size_t target, QPointF direction) const;

private:
    std::int64_t squareOf(QPointF position) const;

    const std::vector<Target>* m_targets = nullptr;
    double m_reach = 0;
    double m_side = 1;
    std::vector<std::pair<std::int64_t, std::uint32_t>> m_squares;  // sorted: square, target
};

}  // namespace ui
