#include "ui/look/ribbon_columns.h"

#include "ui/look/cause_style.h"
#include "ui/look/palette.h"
#include "ui/look/texture.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

std::size_t largestOf(const engine::CauseTimes& times) {
    return static_cast<std::size_t>(std::max_element(times.by.begin(), times.by.end()) - times.by.begin());
}

void add(engine::CauseTimes& sum, const engine::CauseTimes& more) {
    for (std::size_t i = 0; i < engine::kCauses; ++i)
        sum.by[i] += more.by[i];
}

std::int64_t totalOf(const engine::CauseTimes& times) {
    std::int64_t total = 0;
    for (const engine::Duration& time : times.by)
        total += time.ps;
    return total;
}

}  // namespace

RibbonColumns ribbonColumns(const data::CauseIndex& causes, const TimelineGeometry& geometry) {
    RibbonColumns columns;
    const double right = geometry.left + geometry.width;
    const double from = std::max(geometry.left, geometry.xOf(0));
    const double to = std::min(right, geometry.xOf(causes.end()));
    if (causes.empty() || to <= from)
        return columns;
    columns.first = std::llround(std::floor(from / geometry.pixel));
    const auto count = static_cast<std::size_t>(std::llround(std::ceil(to / geometry.pixel)) - columns.first);
    columns.times.reserve(count);
    engine::CauseTimes before = causes.until(geometry.timeAt(static_cast<double>(columns.first) * geometry.pixel));
    for (std::size_t i = 1; i <= count; ++i) {
        const double edge = static_cast<double>(columns.first + static_cast<std::int64_t>(i)) * geometry.pixel;
        const engine::CauseTimes until = causes.until(geometry.timeAt(edge));
        columns.times.push_back(data::minus(until, before));
        before = until;
    }
    // At the highest zoom a pixel may be shorter than a picosecond: it then shows the cause at its time.
    for (std::size_t i = 0; i < count; ++i) {
        engine::CauseTimes& times = columns.times[i];
        if (totalOf(times) > 0)
            continue;
        const double middle = (static_cast<double>(columns.first + static_cast<std::int64_t>(i)) + 0.5);
        times[causes.steps()[causes.stepAt(geometry.timeAt(middle * geometry.pixel))].cause] = {1};
    }
    return columns;
}

std::vector<RibbonStretch> ribbonStretches(const RibbonColumns& columns, const TimelineGeometry& geometry,
                                           double slice) {
    std::vector<RibbonStretch> stretches;
    std::vector<engine::CauseTimes> sums;  // of each stretch
    const auto wide = static_cast<std::size_t>(std::max(1.0, std::round(slice / geometry.pixel)));
    for (std::size_t from = 0; from < columns.times.size(); from += wide) {
        const std::size_t to = std::min(from + wide, columns.times.size());
        engine::CauseTimes sum;
        for (std::size_t i = from; i < to; ++i)
            add(sum, columns.times[i]);
        const auto cause = static_cast<engine::Cause>(largestOf(sum));
        const auto xOf = [&](std::size_t column) {
            return static_cast<double>(columns.first + static_cast<std::int64_t>(column)) * geometry.pixel;
        };
        if (stretches.empty() || stretches.back().cause != cause) {
            stretches.push_back({xOf(from), xOf(to), cause, 0});
            sums.push_back(sum);
        } else {
            stretches.back().right = xOf(to);
            add(sums.back(), sum);
        }
    }
    for (std::size_t i = 0; i < stretches.size(); ++i)
        stretches[i].share = static_cast<double>(sums[i][stretches[i].cause].ps) /
                             static_cast<double>(std::max<std::int64_t>(1, totalOf(sums[i])));
    return stretches;
}

std::array<int, engine::kCauses> ribbonHeights(const engine::CauseTimes& times, int height) {
    std::array<int, engine::kCauses> heights{};
    const std::int64_t total = totalOf(times);
    if (total <= 0)
        return heights;
    std::int64_t sum = 0;
    int reached = 0;
    for (std::size_t i = 0; i < engine::kCauses; ++i) {
        sum += times.by[i].ps;
        // The end of each part is rounded, so that no pixel is lost or counted twice.
        const int until = static_cast<int>(
            std::lround(static_cast<double>(sum) / static_cast<double>(total) * static_cast<double>(height)));
        heights[i] = until - reached;
        reached = until;
    }
    return heights;
}

QImage ribbonImage(const RibbonColumns& columns, int height, double pixelRatio, int spacing, const Palette& palette) {
    const auto width = static_cast<int>(columns.times.size());
    QImage image = width > 0 ? QImage(width, height, QImage::Format_RGB32) : QImage();
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(pixelRatio);
    std::array<QImage, engine::kCauses> stamps;
    for (std::size_t i = 0; i < engine::kCauses; ++i)
        stamps[i] =
            fillStamp(fillOf(static_cast<engine::Cause>(i), palette), spacing).convertToFormat(QImage::Format_RGB32);
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto line = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
    for (int x = 0; x < width; ++x) {
        const auto heights = ribbonHeights(columns.times[static_cast<std::size_t>(x)], height);
        const int across = static_cast<int>((columns.first + x) % stamps[0].width());
        int y = 0;
        for (std::size_t i = 0; i < engine::kCauses; ++i) {
            for (const int until = y + heights[i]; y < until; ++y) {
                const auto* stamp = reinterpret_cast<const QRgb*>(stamps[i].constScanLine(y % stamps[i].height()));
                pixels[static_cast<std::size_t>(y) * line + static_cast<std::size_t>(x)] = stamp[across];
            }
        }
    }
    return image;
}

}  // namespace ui
