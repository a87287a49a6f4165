#include "ui/timeline/row_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kGroupGap = 0.45;  // lines
constexpr double kTightGroupGap = 0.25;
constexpr std::size_t kManyRows = 24;
constexpr double kRowGap = 0.14;
constexpr double kPinnedGap = 0.2;
constexpr double kLeastStretch = 0.75;
constexpr double kScrolledStretch = 0.85;  // rows that do not fit anyway may as well be read
constexpr double kMostStretch = 2.4;

}  // namespace

RowLayout layoutRows(const std::vector<Row>& rows, double available, double lineHeight) {
    RowLayout layout;
    const double groupGap = rows.size() > kManyRows ? kTightGroupGap : kGroupGap;
    double weights = 0;
    double gaps = 0;
    for (const Row& row : rows) {
        weights += row.weight;
        gaps += row.opensGroup ? groupGap : kRowGap;
    }
    if (rows.empty())
        return layout;
    const double room = (available / lineHeight - gaps - groupGap) / weights;
    const double stretch = room < kLeastStretch ? kScrolledStretch : std::min(room, kMostStretch);
    double top = 0;
    for (const Row& row : rows) {
        if (!row.pinned)
            top = std::max(top, layout.pinnedHeight);
        top += std::round((row.opensGroup ? groupGap : kRowGap) * lineHeight);
        const double height = std::floor(row.weight * stretch * lineHeight);
        layout.boxes.push_back({top, height});
        top += height;
        if (row.pinned)
            layout.pinnedHeight = top + std::round(kPinnedGap * lineHeight);
    }
    layout.height = top + std::round(groupGap * lineHeight);
    return layout;
}

}  // namespace ui
