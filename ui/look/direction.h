#pragma once

#include <QPointF>

#include <cstddef>
#include <optional>
#include <vector>

namespace ui {

/// Returns which of `places` an arrow key leads to from `from`: the nearest in its direction, where going straight counts
/// more than going far. Empty places have NaN coordinates and are never chosen. An empty optional if none lies there.
std::optional<std::size_t> nearestTowards(int key, QPointF from, const std::vector<QPointF>& places);

}  // namespace ui
