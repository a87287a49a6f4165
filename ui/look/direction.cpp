#include "ui/look/direction.h"

#include <Qt>

#include <cmath>

namespace ui {

std::optional<std::size_t> nearestTowards(int key, QPointF from, const std::vector<QPointF>& places) {
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QPointF way = places[i] - from;
        const double ahead = (across ? way.x() : way.y()) * sign;
        const double cost = ahead + std::abs(across ? way.y() : way.x()) * 2;
        if (!(ahead >= 1) || (best && cost >= least))
            continue;
        best = i;
        least = cost;
    }
    return best;
}

}  // namespace ui
