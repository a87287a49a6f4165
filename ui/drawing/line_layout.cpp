#include "ui/drawing/mark_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ui {
namespace {

using data::FigureSeries;

constexpr double kPixel = 0.5;              // of a screen, with two device pixels
constexpr std::size_t kMostMarkers = 3000;  // of a series on the screen; more points are dots

/// Returns the position of point i along x: at its x value, or at its category.
std::optional<double> xOf(const PanelPlan& plan, const data::LineMark& mark, std::size_t i) {
    if (mark.x.empty())
        return i < plan.centres.size() ? plan.xAt(plan.centres[i]) : std::nullopt;
    return i < mark.x.size() ? plan.xAt(mark.x[i]) : std::nullopt;
}

/// Points without a gap, and their indices.
struct PointRun {
    QPolygonF points;
    std::vector<std::size_t> indices;
};

std::vector<PointRun> runsOf(const PanelPlan& plan, const data::LineMark& mark, const FigureSeries& series) {
    std::vector<PointRun> runs(1);
    for (std::size_t i = 0; i < series.values.size(); ++i) {
        const std::optional<double> x = xOf(plan, mark, i);
        const std::optional<double> y = series.values[i] ? plan.yAt(*series.values[i]) : std::nullopt;
        if (x && y) {
            runs.back().points << QPointF(*x, *y);
            runs.back().indices.push_back(i);
        } else if (!runs.back().points.isEmpty()) {
            runs.emplace_back();
        }
    }
    if (runs.back().points.isEmpty())
        runs.pop_back();
    return runs;
}

// Draws thousands of points as the dots of one image: as shapes they would cover each other.
void drawDots(FigureSheet& sheet, const PanelPlan& plan, const std::vector<PointRun>& runs, const QColor& colour) {
    const double side = std::max(2.0, std::round(sheet.measure().of(1.2)));
    QImage image((plan.plot.size() / side).toSize() + QSize(1, 1), QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    for (const PointRun& run : runs) {
        for (const QPointF& point : run.points) {
            const QPointF dot = (point - plan.plot.topLeft()) / side;
            if (QRectF(image.rect()).contains(dot))
                image.setPixel(static_cast<int>(dot.x()), static_cast<int>(dot.y()), colour.rgba());
        }
    }
    sheet.image(FigurePart::mark, QRectF(plan.plot.topLeft(), QSizeF(image.size()) * side), image);
}

void coverLine(FigureSheet& sheet, const QPolygonF& run) {
    for (qsizetype i = 1; i < run.size(); ++i) {
        // A sloping line covers less than the box around it, so cover small boxes along the line.
        const int steps = std::clamp(static_cast<int>(std::abs(run[i].y() - run[i - 1].y()) / 4), 1, 24);
        for (int step = 0; step < steps; ++step) {
            const QPointF way = run[i] - run[i - 1];
            const QPointF from = run[i - 1] + way * step / steps, to = run[i - 1] + way * (step + 1) / steps;
            sheet.coverLine(QRectF(from, to).normalized().adjusted(-0.5, -0.5, 0.5, 0.5));
        }
    }
}

void drawErrors(FigureSheet& sheet, const PanelPlan& plan, const data::LineMark& mark, const FigureSeries& series) {
    const std::size_t count = std::min({series.low.size(), series.high.size(), series.values.size()});
    for (std::size_t i = 0; i < count; ++i) {
        const std::optional<double> x = xOf(plan, mark, i);
        if (!x || !series.values[i] || !series.low[i] || !series.high[i])
            continue;
        const double low = plan.yAt(*series.low[i]).value_or(plan.plot.bottom());
        if (const std::optional<double> high = plan.yAt(*series.high[i]))
            drawErrorBar(sheet, *x, low, *high, sheet.measure().of(1.6));
    }
}

void drawSeries(FigureSheet& sheet, const PanelPlan& plan, const data::LineMark& mark, std::size_t index) {
    const FigureSeries& series = mark.series[index];
    const MarkStyle style = sheet.measure().style(series.meaning);
    sheet.mean(series.meaning);
    const std::vector<PointRun> runs = runsOf(plan, mark, series);
    const double edge = style.line.width / 2;
    sheet.clipTo(plan.plot.adjusted(-edge, -edge, edge, edge));
    drawErrors(sheet, plan, mark, series);
    for (const PointRun& run : runs) {
        const QPolygonF shown = thinned(run.points, sheet.measure().screen ? kPixel : kPrintDot);
        if (mark.joined && run.points.size() > 1)
            sheet.line(FigurePart::mark, shown, style.line);
        if (mark.joined)
            coverLine(sheet, shown);
    }
    if (!mark.joined && sheet.measure().screen && series.values.size() > kMostMarkers)
        return drawDots(sheet, plan, runs, style.line.colour);
    // A marker at the edge is shown whole; one whose centre is beyond the edge is not shown.
    const double rim = sheet.measure().of(3);
    sheet.clipTo(plan.plot.adjusted(-rim, -rim, rim, rim));
    MarkStyle dot = style;
    if (dot.marker == Marker::none && (!mark.joined || mark.markers))
        dot.marker = mark.joined ? Marker::none : Marker::circle;
    QPointF last(-1e9, -1e9);
    const double scale = mark.joined ? 1 : sheet.measure().pointScale();
    for (const PointRun& run : runs) {
        for (qsizetype i = 0; i < run.points.size(); ++i) {
            const QPointF at = run.points[i];
            const bool lone = mark.joined && run.points.size() == 1;
            // On the screen each point answers for itself, also if it has the place of another.
            const bool apart = scale > 1 || std::abs(at.x() - last.x()) + std::abs(at.y() - last.y()) > kPrintDot;
            if ((!mark.markers && mark.joined && !lone) || !apart ||
                !plan.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(at))
                continue;
            sheet.show(ItemValue{run.indices[static_cast<std::size_t>(i)], index});
            sheet.marker(FigurePart::mark, at, dot, scale);
            sheet.cover(QRectF(at.x() - rim * scale / 2, at.y() - rim * scale / 2, rim * scale, rim * scale));
            last = at;
        }
    }
    sheet.show(std::nullopt);
}

/// A point whose marker has a size of its own.
struct SizedPoint {
    QPointF at;
    double size = 0;
    ItemValue value;
};

/// Moves markers that would hide each other to the right and to the left in turn, so that their middle stays at the
/// exact place. The first points are the largest; `unit` is the radius of a marker of scale 1.
template <class SizeOf>
void moveApart(std::vector<SizedPoint>& points, double unit, const SizeOf& sizeOf) {
    constexpr double kSame = 1.2, kApart = 2.6;  // times the unit
    for (auto point = points.begin(); point != points.end(); ++point) {
        const auto hides = [&](const SizedPoint& other) {
            const QPointF away = other.at - point->at;
            return std::hypot(away.x(), away.y()) < kSame * unit &&
                   std::abs(sizeOf(other.size) - sizeOf(point->size)) < kSame;
        };
        const double exact = point->at.x();
        for (int turn = 1; std::any_of(points.begin(), point, hides); ++turn)
            point->at.setX(exact + (turn % 2 == 1 ? 1 : -1) * ((turn + 1) / 2) * kApart * unit);
    }
}

// Draws markers of different sizes, the largest first, so that smaller ones stay visible.
void drawSized(FigureSheet& sheet, const PanelPlan& plan, const data::LineMark& mark) {
    constexpr double kLargest = 3.2, kSmallest = 0.7;  // times a marker's usual radius
    std::vector<SizedPoint> points;
    double largest = 0;
    for (std::size_t index = 0; index < mark.series.size(); ++index) {
        const FigureSeries& series = mark.series[index];
        for (std::size_t i = 0; i < std::min(series.values.size(), mark.sizes.size()); ++i) {
            const std::optional<double> x = xOf(plan, mark, i);
            const std::optional<double> y = series.values[i] ? plan.yAt(*series.values[i]) : std::nullopt;
            if (!x || !y || !plan.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(*x, *y))
                continue;
            points.push_back({QPointF(*x, *y), mark.sizes[i], {i, index}});
            largest = std::max(largest, mark.sizes[i]);
        }
    }
    std::ranges::stable_sort(points, std::ranges::greater(), &SizedPoint::size);
    const bool screen = sheet.measure().screen != nullptr;
    const auto sizeOf = [&](double size) {
        const double share = largest > 0 ? size / largest : 0;
        return std::max(kSmallest, kLargest * std::sqrt(share)) * (screen ? sheet.measure().pointScale() : 1);
    };
    if (screen)
        moveApart(points, sheet.measure().of(1.6), sizeOf);
    sheet.clipTo(std::nullopt);
    for (const SizedPoint& point : points) {
        const double scale = sizeOf(point.size);
        const std::string& meaning = mark.series[point.value.series].meaning;
        MarkStyle style = sheet.measure().style(meaning);
        if (style.marker == Marker::none)
            style.marker = Marker::circle;
        sheet.mean(meaning);
        sheet.show(point.value);
        const double rim = sheet.measure().of(1.6) * scale;
        if (screen) {
            sheet.solidMarker(FigurePart::mark, point.at, style, rim);
            continue;
        }
        sheet.marker(FigurePart::mark, point.at, style, scale);
        sheet.cover(QRectF(point.at.x() - rim, point.at.y() - rim, 2 * rim, 2 * rim));
    }
}

struct AreaPoint {
    double x = 0, low = 0, high = 0;
};

/// The upper and lower edge of one run of an area.
struct AreaRun {
    std::vector<AreaPoint> points;
};

void drawRun(FigureSheet& sheet, const AreaRun& run, const MarkStyle& style) {
    if (run.points.size() < 2)
        return;
    QPolygonF upper, lower;
    for (const AreaPoint& point : run.points) {
        upper << QPointF(point.x, point.high);
        lower << QPointF(point.x, point.low);
    }
    upper = thinned(upper, kPrintDot);
    lower = thinned(lower, kPrintDot);
    QPolygonF outline = upper;
    std::reverse(lower.begin(), lower.end());
    outline << lower;
    sheet.polygon(FigurePart::mark, outline, style.fill, std::nullopt);
    FigurePen edge = style.outline;
    edge.width *= 0.8;
    sheet.line(FigurePart::mark, upper, edge);
    for (const QPointF& at : upper)
        sheet.cover(QRectF(at.x() - 1, at.y() - 1, 2, 2));
}

/// The sums of the areas below, by index of the x value.
using Heights = std::vector<double>;

std::vector<AreaRun> runsOf(const PanelPlan& plan, const data::AreaMark& mark, const FigureSeries& series,
                            Heights& base) {
    std::vector<AreaRun> runs(1);
    const auto y = [&](double value) { return plan.yAt(value).value_or(plan.plot.bottom()); };
    base.resize(std::max(base.size(), series.values.size()), 0);
    for (std::size_t i = 0; i < series.values.size(); ++i) {
        const std::optional<double> x = i < mark.x.size() ? plan.xAt(mark.x[i]) : std::nullopt;
        const std::optional<double> end =
            mark.stepped && i + 1 < mark.x.size() ? plan.xAt(mark.x[i + 1]) : std::optional<double>();
        if (!series.values[i] || !x || (mark.stepped && !end)) {
            if (!runs.back().points.empty())
                runs.emplace_back();
            continue;
        }
        const double low = y(base[i]);
        base[i] += *series.values[i];
        const double high = y(base[i]);
        runs.back().points.push_back({*x, low, high});
        if (mark.stepped)
            runs.back().points.push_back({*end, low, high});
    }
    return runs;
}

}  // namespace

QPolygonF thinned(const QPolygonF& points, double width) {
    if (points.size() < 5)
        return points;
    QPolygonF kept;
    qsizetype begin = 0;
    while (begin < points.size()) {
        const double column = std::floor(points[begin].x() / width);
        qsizetype end = begin, low = begin, high = begin;
        while (end < points.size() && std::floor(points[end].x() / width) == column) {
            low = points[end].y() < points[low].y() ? end : low;
            high = points[end].y() > points[high].y() ? end : high;
            ++end;
        }
        std::vector<qsizetype> chosen{begin, low, high, end - 1};
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (const qsizetype i : chosen)
            kept << points[i];
        begin = end;
    }
    return kept;
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t, const data::LineMark& mark) {
    if (!mark.sizes.empty() && !mark.joined)
        return drawSized(sheet, plan, mark);
    for (std::size_t series = 0; series < mark.series.size(); ++series)
        drawSeries(sheet, plan, mark, series);
    sheet.clipTo(plan.plot);
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t, const data::AreaMark& mark) {
    Heights base;
    for (const FigureSeries& series : mark.series) {
        sheet.mean(series.meaning);
        for (const AreaRun& run : runsOf(plan, mark, series, base))
            drawRun(sheet, run, sheet.measure().style(series.meaning));
    }
}

}  // namespace ui
