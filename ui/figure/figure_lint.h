#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/figure_layout.h"

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
    changedMachine,
    fewTicks,
    tallFigure,
    smallOnSlide,
    sameLines,
    unexplainedWhiskers,
    noWholeDash,
    noticeLeftOut,
    mixedFonts,
    noErrorBars
};

/// Something that a reviewer or a camera-ready check would object to.
struct LintFinding {
    LintRule rule{};
    bool refused = false;  ///< true: a camera-ready check refuses the figure; false: readers may misread it
    std::optional<std::size_t> panel;
    QString text{};     ///< what is wrong, where, and by how much
    QString fixText{};  ///< title of the fix: "Start the axis at zero"; empty: there is none
    std::function<data::FigureSpec(const data::FigureSpec&)>
        fix{};  ///< returns the corrected figure; empty if only the author can correct it
};

/// Checks a figure and its layout. Returns the findings, most severe first. An empty list means that the figure is
/// ready for a paper.
std::vector<LintFinding> lint(const data::FigureSpec& figure, const LaidOutFigure& laidOut);

QString nameOf(LintRule rule);  ///< "text under 6 pt"

}  // namespace ui
