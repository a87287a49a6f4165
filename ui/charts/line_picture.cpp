#include "ui/charts/line_picture.h"

#include "ui/charts/sweep_axes.h"

#include "data/evaluations/reference.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

/// One place of a role: no axis at all counts as one.
std::size_t sizeOf(const data::Sweep& sweep, std::optional<std::size_t> axis) {
    return axis ? sweep.axes[*axis].size() : 1;
}

LineSeries seriesAt(const SweepPoints& points, const ChartPlan& plan, std::size_t metric, const AxisPlaces& across,
                    std::vector<std::size_t> at, std::size_t policy) {
    LineSeries series;
    series.policy = policy;
    for (std::size_t value = 0; value < sizeOf(points.sweep(), plan.across); ++value) {
        if (plan.across)
            at[*plan.across] = value;
        if (const auto row = points.rowAt(at, policy))
            series.points.push_back({across.shares[plan.across ? value : policy], *row, points.value(*row, metric)});
    }
    std::stable_sort(series.points.begin(), series.points.end(),
                     [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
    return series;
}

LinePanel panelAt(const SweepPoints& points, const ChartPlan& plan, std::size_t metric, const AxisPlaces& across,
                  const std::vector<std::size_t>& place) {
    LinePanel panel;
    std::vector<std::size_t> at = place;
    for (std::size_t second = 0; second < sizeOf(points.sweep(), plan.second); ++second) {
        if (plan.second)
            at[*plan.second] = second;
        for (const std::size_t policy : plan.policies) {
            panel.series.push_back(seriesAt(points, plan, metric, across, at, policy));
            if (plan.second)
                panel.series.back().second = second;
        }
    }
    return panel;
}

}  // namespace

std::vector<double> LinePicture::values() const {
    std::vector<double> values;
    for (const LinePanel& panel : panels) {
        for (const LineSeries& series : panel.series) {
            for (const SeriesPoint& point : series.points) {
                if (point.value.outcome == Outcome::value)
                    values.push_back(point.value.value);
            }
        }
    }
    return values;
}

std::vector<std::size_t> LinePicture::rows() const {
    std::vector<std::size_t> rows;
    for (const LinePanel& panel : panels) {
        for (const LineSeries& series : panel.series) {
            for (const SeriesPoint& point : series.points)
                rows.push_back(point.row);
        }
    }
    return rows;
}

LinePicture linePicture(const SweepPoints& points, const ChartPlan& plan, std::size_t metric) {
    LinePicture picture;
    if (points.isEmpty())
        return picture;
    const data::Sweep& sweep = points.sweep();
    if (plan.across) {
        picture.across = placesOf(sweep.axes[*plan.across]);
        picture.acrossTitle = axisTitle(sweep.axes[*plan.across]);
    } else {
        std::vector<QString> titles;
        for (const std::string& policy : sweep.policies)
            titles.push_back(policyTitle(policy));
        picture.across = evenPlacesOf(std::move(titles));
    }
    std::vector<std::size_t> at = plan.held;
    for (std::size_t value = 0; value < sizeOf(sweep, plan.panels); ++value) {
        if (plan.panels)
            at[*plan.panels] = value;
        picture.panels.push_back(panelAt(points, plan, metric, picture.across, at));
        if (plan.panels)
            picture.panels.back().title = axisSetting(sweep.axes[*plan.panels], value);
    }
    return picture;
}

std::vector<std::vector<QPointF>> stretchesOf(const LineSeries& series, const AxisScale& scale) {
    std::vector<std::vector<QPointF>> stretches;
    bool open = false;
    for (const SeriesPoint& point : series.points) {
        const std::optional<double> y =
            point.value.outcome == Outcome::value ? scale.shareOf(point.value.value) : std::nullopt;
        if (y && !open)
            stretches.emplace_back();
        open = y.has_value();
        if (y)
            stretches.back().emplace_back(point.x, *y);
    }
    return stretches;
}

std::vector<QPointF> decimated(const std::vector<QPointF>& points, std::size_t columns) {
    if (points.size() <= columns * 2 || columns == 0)
        return points;
    std::vector<QPointF> kept;
    const auto columnOf = [&](std::size_t i) {
        return static_cast<std::int64_t>(points[i].x() * static_cast<double>(columns));
    };
    for (std::size_t first = 0; first < points.size();) {
        std::size_t end = first + 1;
        std::size_t least = first;
        std::size_t most = first;
        for (; end < points.size() && columnOf(end) == columnOf(first); ++end) {
            least = points[end].y() < points[least].y() ? end : least;
            most = points[end].y() > points[most].y() ? end : most;
        }
        std::vector<std::size_t> chosen{first, least, most, end - 1};
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (const std::size_t i : chosen)
            kept.push_back(points[i]);
        first = end;
    }
    return kept;
}

std::vector<PublishedMark> publishedMarks(const data::SweepTable& table, const ChartPlan& plan, std::size_t metric) {
    std::vector<PublishedMark> marks;
    if (metric >= table.metrics.size() || !isSpeedup(table.metrics[metric]))
        return marks;
    for (const std::size_t policy : plan.policies) {
        const std::string& name = table.sweep.policies[policy];
        for (const data::PublishedItem& item : data::publishedItems()) {
            if (item.id == name + "-geomean")
                marks.push_back({policy, item.value,
                                 QStringLiteral("%1: %2, geomean (%3)")
                                     .arg(policyTitle(name), QLocale::c().toString(item.value, 'f', 2),
                                          QString::fromStdString(item.label))});
        }
    }
    return marks;
}

}  // namespace ui
