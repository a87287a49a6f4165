#include "ui/charts/colour_scale.h"

#include "ui/look/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

// BrBG (Brewer): brown for losses, green-blue for gains.
constexpr std::array<QRgb, 9> kParting{0xff8c510a, 0xffbf812d, 0xffdfc27d, 0xfff6e8c3, 0xfff5f5f5,
                                       0xffc7eae5, 0xff80cdc1, 0xff35978f, 0xff01665e};

AxisScale partingAtOne(const std::vector<double>& values, int mostTicks) {
    std::vector<double> both{0.99, 1.01};
    for (const double value : values) {
        both.push_back(value);
        both.push_back(2 - value);
    }
    return scaleFor(both, false, mostTicks, engine::ParameterUnit::none);
}

}  // namespace

ColourScale::ColourScale(const std::vector<double>& values, Kind kind, bool logarithmic, int mostTicks,
                         AxisMeasure measure)
    : m_axis(kind == Kind::diverging ? partingAtOne(values, mostTicks)
                                     : scaleFor(values, logarithmic, mostTicks, measure)),
      m_kind(kind) {}

std::optional<QColor> ColourScale::colour(double value) const {
    const std::optional<double> share = m_axis.shareOf(value);
    return share ? std::optional(colourAt(*share)) : std::nullopt;
}

QColor ColourScale::colourAt(double share) const {
    return m_kind == Kind::diverging ? alongColours(kParting, share) : viridis(share);
}

}  // namespace ui
