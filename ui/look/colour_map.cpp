#include "ui/look/colour_map.h"

#include "ui/look/palette.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ui {
namespace {

constexpr std::array<QRgb, 9> kViridis{0xff440154, 0xff472d7b, 0xff3b528b, 0xff2c728e, 0xff21918c,
                                       0xff28ae80, 0xff5ec962, 0xffaddc30, 0xfffde725};
constexpr double kOrderedContrast = 3;
constexpr int kOrderedSteps = 64;

}  // namespace

QColor alongColours(std::span<const QRgb> colours, double share) {
    const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
    const auto left = std::min(static_cast<std::size_t>(at), colours.size() - 2);
    return Palette::mixed(QColor::fromRgb(colours[left]), QColor::fromRgb(colours[left + 1]),
                          at - static_cast<double>(left));
}

QColor viridis(double share) { return alongColours(kViridis, share); }

std::vector<QColor> orderedColours(std::size_t count, const QColor& background) {
    // The part of the map that has enough contrast: its dark end on white, its light end on black.
    double from = 1;
    double to = 0;
    for (int step = 0; step <= kOrderedSteps; ++step) {
        const double share = static_cast<double>(step) / kOrderedSteps;
        if (contrast(viridis(share), background) >= kOrderedContrast) {
            from = std::min(from, share);
            to = std::max(to, share);
        }
    }
    std::vector<QColor> colours;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5;
        colours.push_back(viridis(from + (to - from) * share));
    }
    return colours;
}

}  // namespace ui
