#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace data {

/// A colour as 0xaarrggbb.
using DrawingColour = std::uint32_t;
using DrawingPoint = std::pair<double, double>;  ///< x to the right, y down, in points of the drawing

struct DrawingPen {
    DrawingColour colour = 0xff000000;
    double width = 0.5;
    std::vector<double> dash;  ///< in points; empty: solid
    bool operator==(const DrawingPen&) const = default;
};

/// A polygon that is filled, outlined or both. If it is open and not filled, it is a line.
struct DrawingShape {
    std::vector<DrawingPoint> points;
    bool closed = false;
    std::optional<DrawingColour> fill;
    std::optional<DrawingPen> pen;
    bool operator==(const DrawingShape&) const = default;
};

struct DrawingText {
    enum class Weight : std::uint8_t { regular, semiBold, bold };
    double x = 0, y = 0;  ///< left end of the baseline
    std::string text;
    double size = 7;
    Weight weight{};
    DrawingColour colour = 0xff000000;
    double angle = 0;  ///< degrees, clockwise
    bool operator==(const DrawingText&) const = default;
};

/// A picture of shapes and texts without axes: a machine at a moment, a map of chunks. It is scaled to the panel's
/// width, including text sizes and line widths.
struct DrawingMark {
    using Item = std::variant<DrawingShape, DrawingText>;
    double width = 0, height = 0;
    std::vector<Item> items;
    bool operator==(const DrawingMark&) const = default;
};

}  // namespace data
