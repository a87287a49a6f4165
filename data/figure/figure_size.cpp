#include "data/figure/figure_size.h"

#include "data/document/names.h"

#include <algorithm>
#include <array>

namespace data {
namespace {

// A TeX point is 1/72.27 inch, a point of PDF 1/72: 241.15 of the one are 240.25 of the other.
constexpr std::string_view kAcm = "acmart, sigconf: \\columnwidth 241.15 pt, \\textwidth 506.30 pt of TeX";
constexpr std::string_view kIeee = "IEEEtran, conference: \\columnwidth 252 pt, \\textwidth 516 pt of TeX";
constexpr std::string_view kUsenix = "usenix2019: columns of 3.33 in, text 7 in wide";
constexpr std::string_view kNature = "Nature: one column 89 mm, two columns 183 mm";
constexpr std::string_view kSlide = "16:9, 13.33 x 7.5 in";
constexpr double kSlideHeight = 540;
constexpr double kSlideText = 18;

constexpr std::array kSizes{
    FigureSizePreset{FigureSize::acmColumn, "acm-column", "ACM column", 240, {}, 7, kAcm},
    FigureSizePreset{FigureSize::acmText, "acm-text", "ACM full width", 504, {}, 7, kAcm},
    FigureSizePreset{FigureSize::ieeeColumn, "ieee-column", "IEEE column", 251, {}, 7, kIeee},
    FigureSizePreset{FigureSize::ieeeText, "ieee-text", "IEEE full width", 514, {}, 7, kIeee},
    FigureSizePreset{FigureSize::usenixColumn, "usenix-column", "USENIX column", 239, {}, 7, kUsenix},
    FigureSizePreset{FigureSize::usenixText, "usenix-text", "USENIX full width", 504, {}, 7, kUsenix},
    FigureSizePreset{FigureSize::natureColumn, "nature-column", "Nature column", 252, {}, 7, kNature},
    FigureSizePreset{FigureSize::natureText, "nature-text", "Nature full width", 518, {}, 7, kNature},
    FigureSizePreset{FigureSize::slide, "slide", "Slide 16:9", 960, kSlideHeight, kSlideText, kSlide}};

struct ThemeName {
    FigureTheme theme;
    std::string_view name;
};
constexpr std::array kThemes{ThemeName{FigureTheme::paper, "paper"}, ThemeName{FigureTheme::greyPrint, "grey-print"},
                             ThemeName{FigureTheme::darkSlide, "dark-slide"}};

constexpr std::array kFonts{
    FigureFontPreset{FigureFont::ringsideSans, "ringside-sans", "Ringside Sans", "Ringside Sans", "", false},
    FigureFontPreset{FigureFont::libertine, "libertine", "Libertine", "Ringside Libertine", "ACM", true},
    FigureFontPreset{FigureFont::times, "times", "Times", "Ringside Serif", "IEEE, USENIX", true},
    FigureFontPreset{FigureFont::helvetica, "helvetica", "Helvetica", "Ringside Grotesque", "Nature", false}};

}  // namespace

std::span<const FigureSizePreset> figureSizes() { return kSizes; }

std::string letteredTitle(const std::string& title, std::size_t panel) {
    constexpr std::size_t kLetters = 26;
    const std::string letter(1 + panel / kLetters, static_cast<char>('a' + panel % kLetters));
    return "(" + letter + ")" + (title.empty() ? "" : " " + title);
}

const FigureSizePreset& presetOf(FigureSize size) { return kSizes[static_cast<std::size_t>(size)]; }

bool isColumn(FigureSize size) {
    using enum FigureSize;
    return size == acmColumn || size == ieeeColumn || size == usenixColumn || size == natureColumn;
}

bool isFullWidth(FigureSize size) { return size != FigureSize::slide && !isColumn(size); }

std::optional<FigureSize> figureSizeNamed(std::string_view name) {
    const auto* found = findNamed(kSizes, &FigureSizePreset::name, name);
    return found == nullptr ? std::nullopt : std::optional(found->size);
}

std::string_view nameOf(FigureTheme theme) { return kThemes[static_cast<std::size_t>(theme)].name; }

std::optional<FigureTheme> figureThemeNamed(std::string_view name) {
    const auto* found = findNamed(kThemes, &ThemeName::name, name);
    return found == nullptr ? std::nullopt : std::optional(found->theme);
}

std::vector<std::string> figureSizeNames() { return namesOf(kSizes, &FigureSizePreset::name); }

std::vector<std::string> figureThemeNames() { return namesOf(kThemes, &ThemeName::name); }

std::span<const FigureFontPreset> figureFonts() { return kFonts; }

const FigureFontPreset& presetOf(FigureFont font) { return kFonts[static_cast<std::size_t>(font)]; }

std::vector<std::string> figureFontNames() { return namesOf(kFonts, &FigureFontPreset::name); }

}  // namespace data
