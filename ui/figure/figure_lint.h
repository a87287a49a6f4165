#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_layout.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ui {

enum class LintRule : std::uint8_t {
    smallText,
    clippedText,
    overlappingText,
    barsNotFromZero,
    missingUnit,
    legendOrder,
    sameInGrey,
    tooManyHues,
    rasterInVector,
    missingAlternative,
    oneColour,
    lowContrast,
    twoPrefixes,
    valuesOutside,
    changedMachine
};

/// Something a reviewer or a camera-ready checker would object to.
struct LintFinding {
    LintRule rule{};
    bool refused = false;  ///< checkers refuse it; otherwise readers stumble
    std::optional<std::size_t> panel;
    QString text{};     ///< what is wrong, where, and by how much
    QString fixText{};  ///< "Start the axis at zero"; empty: none
    std::function<data::FigureSpec(const data::FigureSpec&)>
        fix{};  ///< the figure mended; empty where only the author can
};

/// Looks at the figure and at how it came out; most severe first. Nothing: it can go into a paper as it is.
std::vector<LintFinding> lint(const data::FigureSpec& figure, const LaidOutFigure& laidOut);

QString nameOf(LintRule rule);  ///< "text under 6 pt"

}  // namespace ui
