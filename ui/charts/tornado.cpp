#include "ui/charts/tornado.h"

#include "ui/charts/sweep_axes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ui {
namespace {

TornadoBar barOf(const SweepPoints& points, std::vector<std::size_t> at, std::size_t axis, std::size_t policy,
                 std::size_t metric) {
    TornadoBar bar;
    bar.axis = axis;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const std::size_t value : risingOrder(points.sweep().axes[axis])) {
        at[axis] = value;
        const auto row = points.rowAt(at, policy);
        if (!row)
            continue;
        const TornadoPoint point{value, *row, points.value(*row, metric)};
        bar.along.push_back(point);
        if (point.metric.outcome != Outcome::value)
            continue;
        bar.low = bar.low ? bar.low : point;
        bar.high = point;
        least = std::min(least, point.metric.value);
        most = std::max(most, point.metric.value);
    }
    bar.effect = bar.low ? most - least : 0;
    return bar;
}

}  // namespace

Tornado tornadoAround(const SweepPoints& points, const std::vector<std::size_t>& base, std::size_t policy,
                      std::size_t metric) {
    Tornado tornado;
    tornado.policy = policy;
    if (const auto row = points.rowAt(base, policy))
        tornado.base = TornadoPoint{0, *row, points.value(*row, metric)};
    for (std::size_t axis = 0; axis < base.size(); ++axis)
        tornado.bars.push_back(barOf(points, base, axis, policy, metric));
    return tornado;
}

std::vector<std::size_t> axesByEffect(const std::vector<Tornado>& tornados) {
    std::vector<double> effects;
    for (const Tornado& tornado : tornados) {
        effects.resize(tornado.bars.size(), 0);
        for (std::size_t axis = 0; axis < tornado.bars.size(); ++axis)
            effects[axis] = std::max(effects[axis], tornado.bars[axis].effect);
    }
    std::vector<std::size_t> axes(effects.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::stable_sort(axes.begin(), axes.end(), [&](auto a, auto b) { return effects[a] > effects[b]; });
    return axes;
}

}  // namespace ui
