#include "ui/charts/pareto.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ui {

std::vector<std::size_t> paretoFront(const std::vector<ParetoPoint>& points, data::Better x, data::Better y) {
    if (x == data::Better::neither || y == data::Better::neither)
        return {};
    // Turned so that smaller is better both ways.
    const auto costX = [&](std::size_t i) { return x == data::Better::smaller ? points[i].x : -points[i].x; };
    const auto costY = [&](std::size_t i) { return y == data::Better::smaller ? points[i].y : -points[i].y; };
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return costX(a) != costX(b) ? costX(a) < costX(b) : costY(a) < costY(b);
    });
    std::vector<std::size_t> front;
    double best = std::numeric_limits<double>::infinity();
    for (const std::size_t i : order) {
        const bool twin = !front.empty() && costX(front.back()) == costX(i) && costY(front.back()) == costY(i);
        if (costY(i) >= best && !twin)
            continue;
        front.push_back(i);
        best = costY(i);
    }
    std::stable_sort(front.begin(), front.end(),
                     [&](std::size_t a, std::size_t b) { return points[a].x < points[b].x; });
    return front;
}

}  // namespace ui
