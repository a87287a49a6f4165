#include "ui/timeline/draw_list.h"

#include "data/replay/trace_index.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using engine::Span;

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

// Adds, for each column, the time for which the spans of one track were busy.
void addBusy(const data::SpanList& spans, const AreaSource& source, const PixelColumns& columns,
             std::vector<std::int64_t>& busy) {
    const std::vector<std::int64_t>& edges = columns.edges;
    std::size_t column = 0;
    for (std::size_t i = spans.firstEndingAfter(edges.front()); i < spans.size(); ++i) {
        const Span& span = spans[i];
        if (span.start.ps >= edges.back())
            return;
        if (source.serves && span.first != static_cast<std::uint32_t>(*source.serves))
            continue;
        if (source.counts && data::kernelNumberOf(span) != *source.counts)
            continue;
        while (edges[column + 1] <= span.start.ps)
            ++column;
        for (std::size_t at = column; at + 1 < edges.size() && edges[at] < span.end.ps; ++at)
            busy[at] += std::min(edges[at + 1], span.end.ps) - std::max(edges[at], span.start.ps);
    }
}

std::vector<std::int64_t> busyByColumn(const AreaSource& source, const PixelColumns& columns) {
    std::vector<std::int64_t> busy(columns.count(), 0);
    const std::int64_t reach = columns.edges.back() - columns.edges.front();
    if (source.busy != nullptr && source.busy->bucket() <= reach / static_cast<std::int64_t>(columns.count())) {
        std::int64_t before = source.busy->busyUntil(columns.edges.front());
        for (std::size_t i = 0; i < busy.size(); ++i) {
            const std::int64_t until = source.busy->busyUntil(columns.edges[i + 1]);
            busy[i] = until - before;
            before = until;
        }
        return busy;
    }
    for (const data::SpanList& track : source.tracks)
        addBusy(track, source, columns, busy);
    return busy;
}

}  // namespace

void appendSpans(const data::SpanList& spans, const TimelineGeometry& geometry, const Band& band,
                 const std::function<std::uint32_t(const Span&)>& chunkOf, std::vector<DrawItem>& items,
                 const ShownKernel& kernelOf) {
    const double pixel = geometry.pixel;
    const double leftEdge = std::floor(geometry.left / pixel) * pixel;
    const double rightEdge = std::ceil((geometry.left + geometry.width) / pixel) * pixel;
    double covered = leftEdge;  // left of here, each pixel that a span touches has an item
    const std::size_t firstOwn = items.size();
    for (std::size_t i = spans.firstEndingAfter(geometry.range.start);
         i < spans.size() && spans[i].start.ps < geometry.range.end;) {
        const Span& span = spans[i];
        const double begin = std::max(leftEdge, geometry.columnOf(span.start.ps));
        // The pixel that holds the last picosecond is still covered, the one that starts at `end` is not.
        const double stop =
            std::min(rightEdge, std::max(begin + pixel, std::ceil(geometry.xOf(span.end.ps) / pixel - 1e-9) * pixel));
        const double x = std::max(begin, covered);
        if (stop <= x) {  // its only pixel has an item already, which now represents more than one span
            if (items.size() > firstOwn && items.back().width <= pixel)
                items.back().merged = true;
            ++i;
            continue;
        }
        const bool narrow = stop - begin <= pixel;
        const std::optional<data::KernelNumber> kernel = kernelOf ? kernelOf(span) : std::nullopt;
        const bool joins = narrow && items.size() > firstOwn && items.back().merged &&
                           items.back().x + items.back().width == x && items.back().kernel == kernel;
        if (joins) {
            items.back().width += stop - x;
        } else {
            const std::uint32_t chunk = chunkOf(span);
            items.push_back({.x = x,
                             .y = band.top,
                             .width = stop - x,
                             .height = band.height,
                             .role = band.role,
                             .kernel = kernel,
                             .shaded = chunk != engine::kNone && chunk % 2 == 1,
                             .merged = narrow,
                             .first = span.first,
                             .chunk = chunk});
        }
        covered = stop;
        // A span that ends before the next free pixel is covered already: skip to the first that is not.
        i = narrow ? spans.firstEndingAfter(geometry.timeAt(stop) - 1, i + 1) : i + 1;
    }
}

PixelColumns::PixelColumns(const TimelineGeometry& geometry, std::int64_t start, std::int64_t end) {
    const double left = std::max(geometry.left, geometry.xOf(start));
    const double right = std::min(geometry.left + geometry.width, geometry.xOf(end));
    first = static_cast<std::int64_t>(std::floor(left / geometry.pixel));
    const auto last = static_cast<std::int64_t>(std::ceil(right / geometry.pixel));
    if (last <= first)
        return;
    edges.reserve(static_cast<std::size_t>(last - first) + 1);
    std::int64_t before = std::max<std::int64_t>(0, geometry.timeAt(static_cast<double>(first) * geometry.pixel));
    edges.push_back(before);
    for (std::int64_t column = first + 1; column <= last; ++column) {
        before = std::max(before + 1, geometry.timeAt(static_cast<double>(column) * geometry.pixel));
        edges.push_back(before);
    }
}

DrawArea areaOf(const std::vector<AreaSource>& sources, double most, const PixelColumns& columns, const Band& band,
                double pixel) {
    DrawArea area{.top = band.top, .height = band.height, .firstColumn = columns.first, .layers = {}, .merged = false};
    if (columns.count() == 0 || most <= 0)
        return area;
    const double full = std::round(band.height / pixel);
    std::vector<std::int64_t> sum(columns.count(), 0);
    for (const AreaSource& source : sources) {
        const std::vector<std::int64_t> busy = busyByColumn(source, columns);
        DrawArea::Layer layer{source.role, source.kernel, std::vector<std::uint16_t>(columns.count())};
        for (std::size_t i = 0; i < busy.size(); ++i) {
            sum[i] += busy[i];
            const double share =
                static_cast<double>(sum[i]) / (static_cast<double>(columns.edges[i + 1] - columns.edges[i]) * most);
            // A share of at least half a pixel's height rounds up to a pixel, so that it is visible.
            layer.tops[i] = static_cast<std::uint16_t>(std::min(1.0, share) * full + 0.5);
        }
        area.layers.push_back(std::move(layer));
    }
    return area;
}

ColumnValues valuesOf(const engine::CounterSeries& series, const PixelColumns& columns) {
    ColumnValues values;
    if (columns.count() == 0)
        return values;
    values.low.reserve(columns.count());
    values.mean.reserve(columns.count());
    values.high.reserve(columns.count());
    std::int64_t value = data::valueAt(series, columns.edges.front());
    auto sample = std::upper_bound(series.samples.begin(), series.samples.end(), columns.edges.front(),
                                   [](std::int64_t time, const auto& s) { return time < s.time.ps; });
    for (std::size_t i = 0; i < columns.count(); ++i) {
        std::int64_t low = value;
        std::int64_t high = value;
        std::int64_t at = columns.edges[i];
        double area = 0;
        for (; sample != series.samples.end() && sample->time.ps < columns.edges[i + 1]; ++sample) {
            area += static_cast<double>(value) * static_cast<double>(sample->time.ps - at);
            at = sample->time.ps;
            value = sample->value;
            low = std::min(low, value);
            high = std::max(high, value);
        }
        area += static_cast<double>(value) * static_cast<double>(columns.edges[i + 1] - at);
        values.low.push_back(low);
        values.mean.push_back(area / static_cast<double>(columns.edges[i + 1] - columns.edges[i]));
        values.high.push_back(high);
    }
    return values;
}

DrawLine lineOf(const engine::CounterSeries& series, std::int64_t most, const PixelColumns& columns, const Band& band,
                double pixel, std::optional<Role> role) {
    DrawLine line{band.top, band.height, columns.first, role, {}, {}, {}};
    const double scale = (std::round(band.height / pixel) - 1) / static_cast<double>(std::max<std::int64_t>(most, 1));
    const auto heightOf = [scale](double value) {
        return static_cast<std::uint16_t>(std::max(0.0, value * scale) + 0.5);
    };
    const ColumnValues values = valuesOf(series, columns);
    for (std::size_t i = 0; i < values.mean.size(); ++i) {
        line.low.push_back(heightOf(static_cast<double>(values.low[i])));
        line.mean.push_back(heightOf(values.mean[i]));
        line.high.push_back(heightOf(static_cast<double>(values.high[i])));
    }
    return line;
}

void appendWaves(const data::SpanList& waves, const engine::CounterSeries* running, std::int64_t most,
                 const TimelineGeometry& geometry, const Band& band, std::vector<DrawItem>& items) {
    if (waves.empty())
        return;
    const PixelColumns columns(geometry, waves[0].start.ps, waves[waves.size() - 1].end.ps);
    const std::size_t firstOwn = items.size();
    const double bottom = band.top + band.height;
    const ColumnValues values = running != nullptr ? valuesOf(*running, columns) : ColumnValues{};
    std::size_t wave = 0;
    for (std::size_t i = 0; i < columns.count(); ++i) {
        const std::int64_t from = columns.edges[i];
        const std::int64_t to = columns.edges[i + 1];
        wave = waves.firstEndingAfter(from, wave);
        if (wave == waves.size() || waves[wave].start.ps >= to)
            continue;
        double share = 1;
        if (running != nullptr && most > 0)
            share = values.mean[i] / static_cast<double>(most);
        const double height = std::round(std::clamp(share, 0.0, 1.0) * band.height / geometry.pixel) * geometry.pixel;
        appendColumn({.x = static_cast<double>(columns.first + static_cast<std::int64_t>(i)) * geometry.pixel,
                      .y = bottom - height,
                      .width = geometry.pixel,
                      .height = height,
                      .role = band.role,
                      .shaded = wave % 2 == 1,
                      .first = waves[wave].first},
                     firstOwn, items);
    }
}

void appendEmptyShare(const data::LastWave& last, const TimelineGeometry& geometry, const Band& band,
                      std::vector<DrawGap>& gaps) {
    if (!last.hasEmptySlots())
        return;
    engine::CounterSeries empty;
    std::vector<std::int64_t> begins;
    for (const data::EmptySlot& slot : last.empty)
        begins.push_back(slot.from);
    std::sort(begins.begin(), begins.end());
    for (std::size_t i = 0; i < begins.size(); ++i)
        empty.samples.push_back({{begins[i]}, static_cast<std::int64_t>(i) + 1});
    const PixelColumns columns(geometry, begins.front(), last.time.end);
    const ColumnValues values = valuesOf(empty, columns);
    for (std::size_t i = 0; i < columns.count(); ++i) {
        // Rounds down, so that the area of running workgroups beneath the gap keeps its height.
        const double share = values.mean[i] / static_cast<double>(last.slots);
        const double height = std::floor(share * band.height / geometry.pixel) * geometry.pixel;
        const double x = static_cast<double>(columns.first + static_cast<std::int64_t>(i)) * geometry.pixel;
        if (height <= 0)
            continue;
        if (!gaps.empty() && gaps.back().y == band.top && gaps.back().height == height &&
            gaps.back().x + gaps.back().width == x)
            gaps.back().width += geometry.pixel;
        else
            gaps.push_back({x, band.top, geometry.pixel, height});
    }
}

void appendEmptySlot(const data::LastWave& last, std::int64_t from, const TimelineGeometry& geometry, const Band& band,
                     std::vector<DrawGap>& gaps) {
    const PixelColumns columns(geometry, from, last.time.end);
    if (columns.count() > 0)
        gaps.push_back({static_cast<double>(columns.first) * geometry.pixel, band.top,
                        static_cast<double>(columns.count()) * geometry.pixel, band.height});
}

}  // namespace ui
