#pragma once

#include "ui/charts/chart_drawing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// Which of many targets is at a position: they are kept in squares as large as the reach of the mouse, so that the
/// answer does not wait for a hundred thousand distances.
class TargetIndex {
public:
    TargetIndex() = default;
    /// The targets must stay where they are for as long as the index is asked.
    TargetIndex(const std::vector<Target>& targets, double reach);

    /// The cell around the position, else the nearest point within reach; of equal ones the first.
    std::optional<std::size_t> at(QPointF position) const;
    /// Rows with a target in the box (a cell's centre), in rising order, each once.
    std::vector<std::size_t> rowsWithin(const QRectF& box) const;
    /// The next target to the left, right, above or below: the nearest one in that direction.
    std::optional<std::size_t> neighbour(std::size_t target, QPointF direction) const;

private:
    std::int64_t squareOf(QPointF position) const;

    const std::vector<Target>* m_targets = nullptr;
    double m_reach = 0;
    double m_side = 1;
    std::vector<std::pair<std::int64_t, std::uint32_t>> m_squares;  // sorted: square, target
};

}  // namespace ui
