#pragma once

#include "data/figure/figure_spec.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace data {

/// A figure size, in points of 1/72 inch. Widths are those of the LaTeX document classes, rounded down to whole points:
/// PDF pages have whole points, and a figure that is wider than its column gives an overfull box.
struct FigureSizePreset {
    FigureSize size{};
    std::string_view name;   ///< "acm-column"
    std::string_view label;  ///< "ACM column"
    double width = 0;
    std::optional<double> height;  ///< set for slides only; elsewhere the panels decide
    double textSize = 7;           ///< the size of most text
    std::string_view source;       ///< where the width comes from
};

std::span<const FigureSizePreset> figureSizes();
const FigureSizePreset& presetOf(FigureSize size);

/// Returns the title of a panel with its letter: "(b) T-NLG". After 26 panels the letters are doubled.
std::string letteredTitle(const std::string& title, std::size_t panel);

/// Returns whether the size is one column of a page that has two.
bool isColumn(FigureSize size);
/// Returns whether the size is the whole width of a page that has two columns.
bool isFullWidth(FigureSize size);

/// Returns the size with this name, as in documents and on the command line, or an empty optional.
std::optional<FigureSize> figureSizeNamed(std::string_view name);
std::string_view nameOf(FigureTheme theme);  ///< "paper", "grey-print", "dark-slide"
std::optional<FigureTheme> figureThemeNamed(std::string_view name);
std::vector<std::string> figureSizeNames();
std::vector<std::string> figureThemeNames();

struct FigureFontPreset {
    FigureFont font{};
    std::string_view name;     ///< "times"
    std::string_view label;    ///< "Times"
    std::string_view family;   ///< of the bundled font: "Ringside Serif"
    std::string_view classes;  ///< the document classes that are set in it: "IEEE, USENIX"; may be empty
    bool serif = false;
};
std::span<const FigureFontPreset> figureFonts();
const FigureFontPreset& presetOf(FigureFont font);
std::vector<std::string> figureFontNames();

}  // namespace data
