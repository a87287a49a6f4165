#include "ui/timeline/draw_list.h"

#include "ui/shared/trace_index.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using engine::Span;

double snapped(double height, double pixel) { return std::round(height / pixel) * pixel; }

// Extends the last item instead of adding one when only the width differs.
void appendColumn(const DrawItem& column, std::size_t firstOwn, std::vector<DrawItem>& items) {
    if (column.height <= 0)
        return;
    if (items.size() > firstOwn) {
        DrawItem& last = items.back();
        const bool follows = last.x + last.width == column.x;
        if (follows && last.y == column.y && last.height == column.height && last.role == column.role &&
            last.shaded == column.shaded && last.first == column.first) {
            last.width += column.width;
            return;
        }
    }
    items.push_back(column);
}

struct Columns {
    std::int64_t first, last;  // device pixels: [first, last)
};

Columns columnsOf(const TimelineGeometry& geometry, std::int64_t start, std::int64_t end) {
    const double left = std::max(geometry.left, geometry.xOf(start));
    const double right = std::min(geometry.left + geometry.width, geometry.xOf(end));
    return {static_cast<std::int64_t>(std::floor(left / geometry.pixel)),
            static_cast<std::int64_t>(std::ceil(right / geometry.pixel))};
}

}  // namespace

void appendSpans(const SpanList& spans, const TimelineGeometry& geometry, const Band& band,
                 const std::function<std::uint32_t(const Span&)>& chunkOf, std::vector<DrawItem>& items) {
    const double pixel = geometry.pixel;
    const double leftEdge = std::floor(geometry.left / pixel) * pixel;
    const double rightEdge = std::ceil((geometry.left + geometry.width) / pixel) * pixel;
    double covered = leftEdge;  // everything left of here has its item
    const std::size_t firstOwn = items.size();
    for (std::size_t i = spans.firstEndingAfter(geometry.range.start);
         i < spans.size() && spans[i].start.ps < geometry.range.end;) {
        const Span& span = spans[i];
        const double begin = std::max(leftEdge, geometry.columnOf(span.start.ps));
        // The pixel that holds the last picosecond is still covered, the one that starts at `end` is not.
        const double stop =
            std::min(rightEdge, std::max(begin + pixel, std::ceil(geometry.xOf(span.end.ps) / pixel - 1e-9) * pixel));
        const double x = std::max(begin, covered);
        if (stop <= x) {  // its only pixel has an item already, which now stands for more than one span
            if (items.size() > firstOwn && items.back().width <= pixel)
                items.back().merged = true;
            ++i;
            continue;
        }
        const bool narrow = stop - begin <= pixel;
        const bool joins =
            narrow && items.size() > firstOwn && items.back().merged && items.back().x + items.back().width == x;
        if (joins) {
            items.back().width += stop - x;
        } else {
            const std::uint32_t chunk = chunkOf(span);
            items.push_back({.x = x,
                             .y = band.top,
                             .width = stop - x,
                             .height = band.height,
                             .role = band.role,
                             .shaded = chunk != engine::kNone && chunk % 2 == 1,
                             .merged = narrow,
                             .first = span.first,
                             .chunk = chunk});
        }
        covered = stop;
        // Whatever ends before the next free pixel is covered already: go straight to what does not.
        i = narrow ? spans.firstEndingAfter(geometry.timeAt(stop) - 1, i + 1) : i + 1;
    }
}

void appendUtilisation(const std::vector<Layer>& layers, const TimelineGeometry& geometry, const Band& band,
                       std::int64_t end, std::vector<DrawItem>& items) {
    const auto [first, last] = columnsOf(geometry, 0, end);
    if (last <= first)
        return;
    const double bottom = band.top + band.height;
    std::vector<std::vector<DrawItem>> strips(layers.size());
    std::vector<std::int64_t> before(layers.size());
    std::int64_t from = std::max<std::int64_t>(0, geometry.timeAt(static_cast<double>(first) * geometry.pixel));
    for (std::size_t i = 0; i < layers.size(); ++i)
        before[i] = layers[i].use->busyUntil(from);
    for (std::int64_t column = first; column < last; ++column) {
        const std::int64_t to = std::max(from + 1, geometry.timeAt(static_cast<double>(column + 1) * geometry.pixel));
        double floor = bottom;
        double sum = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const std::int64_t busy = layers[i].use->busyUntil(to);
            const auto resources = static_cast<double>(std::max<std::size_t>(1, layers[i].use->resources()));
            sum += static_cast<double>(busy - before[i]) / (static_cast<double>(to - from) * resources);
            before[i] = busy;
            const double top = bottom - snapped(std::min(1.0, sum) * band.height, geometry.pixel);
            appendColumn({.x = static_cast<double>(column) * geometry.pixel,
                          .y = top,
                          .width = geometry.pixel,
                          .height = floor - top,
                          .role = layers[i].role},
                         0, strips[i]);
            floor = top;
        }
        from = to;
    }
    for (const auto& strip : strips)
        items.insert(items.end(), strip.begin(), strip.end());
}

double meanOf(const engine::CounterSeries& series, std::int64_t start, std::int64_t end) {
    if (end <= start)
        return static_cast<double>(valueAt(series, start));
    auto sample = std::upper_bound(series.samples.begin(), series.samples.end(), start,
                                   [](std::int64_t time, const auto& s) { return time < s.time.ps; });
    std::int64_t value = sample == series.samples.begin() ? 0 : std::prev(sample)->value;
    std::int64_t at = start;
    double area = 0;
    for (; sample != series.samples.end() && sample->time.ps < end; ++sample) {
        area += static_cast<double>(value) * static_cast<double>(sample->time.ps - at);
        at = sample->time.ps;
        value = sample->value;
    }
    area += static_cast<double>(value) * static_cast<double>(end - at);
    return area / static_cast<double>(end - start);
}

void appendWaves(const SpanList& waves, const engine::CounterSeries* running, std::int64_t most,
                 const TimelineGeometry& geometry, const Band& band, std::vector<DrawItem>& items) {
    if (waves.empty())
        return;
    const auto [first, last] = columnsOf(geometry, waves[0].start.ps, waves[waves.size() - 1].end.ps);
    const std::size_t firstOwn = items.size();
    const double bottom = band.top + band.height;
    std::size_t wave = 0;
    for (std::int64_t column = first; column < last; ++column) {
        const std::int64_t from = geometry.timeAt(static_cast<double>(column) * geometry.pixel);
        const std::int64_t to = std::max(from + 1, geometry.timeAt(static_cast<double>(column + 1) * geometry.pixel));
        wave = waves.firstEndingAfter(from, wave);
        if (wave == waves.size() || waves[wave].start.ps >= to)
            continue;
        double share = 1;
        if (running != nullptr && most > 0)
            share = meanOf(*running, from, to) / static_cast<double>(most);
        const double height = snapped(std::clamp(share, 0.0, 1.0) * band.height, geometry.pixel);
        appendColumn({.x = static_cast<double>(column) * geometry.pixel,
                      .y = bottom - height,
                      .width = geometry.pixel,
                      .height = height,
                      .role = band.role,
                      .shaded = wave % 2 == 1,
                      .first = waves[wave].first},
                     firstOwn, items);
    }
}

}  // namespace ui
