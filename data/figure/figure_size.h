#pragma once

#include "data/figure/figure_spec.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// One size, in points of 1/72 inch. Widths are those of the classes, rounded down to whole points: PDF pages are written
/// in whole points, and a figure that is wider than its column makes an overfull box.
struct FigureSizePreset {
    FigureSize size{};
    std::string_view name;   ///< "acm-column"
    std::string_view label;  ///< "ACM column"
    double width = 0;
    std::optional<double> height;  ///< of slides; elsewhere what the panels need
    double textSize = 7;           ///< of most text
    std::string_view source;       ///< where the width comes from
};

std::span<const FigureSizePreset> figureSizes();
const FigureSizePreset& presetOf(FigureSize size);

/// Whether it is one column of a page that has two.
bool isColumn(FigureSize size);
/// Whether it is the whole width of such a page.
bool isFullWidth(FigureSize size);

/// Names as in documents and on the command line. Nothing for others.
std::optional<FigureSize> figureSizeNamed(std::string_view name);
std::string_view nameOf(FigureTheme theme);  ///< "paper", "grey-print", "dark-slide"
std::optional<FigureTheme> figureThemeNamed(std::string_view name);
std::vector<std::string> figureSizeNames();
std::vector<std::string> figureThemeNames();

}  // namespace data
