#include "ui/memory/memory_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ui {
namespace {

// All sizes are in lines of text.
constexpr double kHeader = 1.6, kAxis = 1.5, kGap = 0.7;
constexpr double kMostRow = 3;
constexpr double kLeastRow = 0.1;
constexpr double kHeatShare = 2.0 / 3;
constexpr double kLeastHeat = 11;  // 32 rows of a third of a line
constexpr std::size_t kMostRows = 256;

struct Strip {
    QRectF MemoryLayout::*box;
    double least, most;
};

double sumOf(const std::vector<Strip>& strips, double Strip::*height) {
    return std::accumulate(strips.begin(), strips.end(), 0.0,
                           [height](double sum, const Strip& strip) { return sum + strip.*height + kGap; });
}

}  // namespace

QRectF MemoryLayout::row(std::size_t shown) const {
    const double height = heat.height() / static_cast<double>(std::max<std::size_t>(1, shownRows));
    return {heat.left(), heat.top() + height * static_cast<double>(shown), heat.width(), height};
}

std::size_t MemoryLayout::rowAt(double y) const {
    const double share = (y - heat.top()) / std::max(1e-9, heat.height());
    const auto row = static_cast<std::ptrdiff_t>(std::floor(share * static_cast<double>(shownRows)));
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(row, 0, static_cast<std::ptrdiff_t>(shownRows) - 1));
}

QRectF MemoryLayout::strips() const { return {utilisation.topLeft(), axis.bottomRight()}; }

MemoryLayout layoutMemory(const MemoryNeeds& needs) {
    const double line = needs.line;
    MemoryLayout layout;
    const QRectF& area = needs.area;
    layout.header = {area.left(), area.top(), area.width(), line * kHeader};
    layout.key = {area.left(), area.bottom() - needs.key, area.width(), needs.key};
    const double right = area.right() - line;
    const auto across = [&](double top, double height) {
        return QRectF(needs.left, std::round(top / needs.pixel) * needs.pixel, std::max(1.0, right - needs.left),
                      std::max(0.0, std::round(height / needs.pixel) * needs.pixel));
    };
    layout.axis = across(layout.key.top() - line * (kAxis + kGap / 2), line * kAxis);

    double top = layout.header.bottom() + line * kGap / 2;
    double rest = (layout.axis.top() - line * kGap / 2 - top) / line;
    const double bar = needs.bar > 0 ? needs.bar / line + kGap / 2 : 0;
    rest -= bar;
    const double mostHeat = static_cast<double>(needs.rows) * kMostRow;
    const double leastHeat = std::min(kLeastHeat, mostHeat);
    std::vector<Strip> strips{{&MemoryLayout::utilisation, 3, 18}};
    if (needs.hasRowHits)
        strips.push_back({&MemoryLayout::hits, 2.2, 12});
    if (needs.rows > 1)
        strips.push_back({&MemoryLayout::camping, 2.2, 12});
    if (needs.hasUnits)
        strips.push_back({&MemoryLayout::units, 2.2, 12});
    for (QRectF MemoryLayout::*const box : {&MemoryLayout::units, &MemoryLayout::hits, &MemoryLayout::camping})
        if (sumOf(strips, &Strip::least) + leastHeat > rest)
            std::erase_if(strips, [box](const Strip& strip) { return strip.box == box; });
    if (bar > 0 && sumOf(strips, &Strip::least) + leastHeat > rest) {
        rest += bar;
    } else if (bar > 0) {
        layout.bar = {area.left(), std::round(top / needs.pixel) * needs.pixel, area.width(), needs.bar};
        top += bar * line;
    }

    const double least = sumOf(strips, &Strip::least), most = sumOf(strips, &Strip::most);
    double others = std::clamp(rest * (1 - kHeatShare), least, most);
    const double heat = std::clamp(rest - others, 0.0, mostHeat);
    others = std::min(most, rest - heat);
    // The room beyond the least heights goes to all strips in proportion to what they can use.
    const double grown = most > least ? std::clamp((others - least) / (most - least), 0.0, 1.0) : 0;
    double y = top;
    const auto place = [&](QRectF MemoryLayout::*box) {
        const auto strip = std::ranges::find(strips, box, &Strip::box);
        if (strip == strips.end())
            return;
        const double height = line * (strip->least + (strip->most - strip->least) * grown);
        layout.*box = across(y, height);
        y += height + line * kGap;
    };
    place(&MemoryLayout::utilisation);
    place(&MemoryLayout::hits);
    layout.heat = across(y, heat * line);
    y += heat * line + line * kGap;
    place(&MemoryLayout::camping);
    place(&MemoryLayout::units);
    // Axis and legend follow the last strip where the strips need less than the whole area.
    layout.axis.moveTop(std::min(layout.axis.top(), std::round(y / needs.pixel) * needs.pixel));
    layout.key.moveTop(layout.axis.bottom() + line * kGap / 2);

    const auto visible =
        static_cast<std::size_t>(std::max(1.0, layout.heat.height() / std::max(2 * needs.pixel, line * kLeastRow)));
    const std::size_t mostRows = std::min(kMostRows, visible);
    layout.rowsTogether = (needs.rows + mostRows - 1) / mostRows;
    layout.shownRows = (needs.rows + layout.rowsTogether - 1) / layout.rowsTogether;
    return layout;
}

}  // namespace ui
