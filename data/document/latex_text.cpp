#include "data/document/latex_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace data {
namespace {

struct Sign {
    char32_t letter;
    const char* latex;
};

constexpr std::array kSigns{Sign{U'\\', "\\textbackslash{}"},
                            Sign{U'{', "\\{"},
                            Sign{U'}', "\\}"},
                            Sign{U'$', "\\$"},
                            Sign{U'&', "\\&"},
                            Sign{U'#', "\\#"},
                            Sign{U'_', "\\_"},
                            Sign{U'%', "\\%"},
                            Sign{U'~', "\\textasciitilde{}"},
                            Sign{U'^', "\\textasciicircum{}"},
                            Sign{U'<', "\\textless{}"},
                            Sign{U'>', "\\textgreater{}"},
                            Sign{U'|', "\\textbar{}"},
                            Sign{U'"', "''"},
                            Sign{U'`', "\\textasciigrave{}"},
                            Sign{U'\u00A0', "~"},
                            Sign{U'\u00B0', "$^\\circ$"},
                            Sign{U'\u00B1', "$\\pm$"},
                            Sign{U'\u00B2', "$^2$"},
                            Sign{U'\u00B3', "$^3$"},
                            Sign{U'\u00B7', "$\\cdot$"},
                            Sign{U'\u00D7', "$\\times$"},
                            Sign{U'\u0394', "$\\Delta$"},
                            Sign{U'\u03A3', "$\\Sigma$"},
                            Sign{U'\u03A9', "$\\Omega$"},
                            Sign{U'\u03B1', "$\\alpha$"},
                            Sign{U'\u03B2', "$\\beta$"},
                            Sign{U'\u03BB', "$\\lambda$"},
                            Sign{U'\u03C3', "$\\sigma$"},
                            Sign{U'\u2013', "--"},
                            Sign{U'\u2014', "---"},
                            Sign{U'\u2018', "`"},
                            Sign{U'\u2019', "'"},
                            Sign{U'\u201C', "``"},
                            Sign{U'\u201D', "''"},
                            Sign{U'\u2026', "\\dots{}"},
                            Sign{U'\u2032', "$'$"},
                            Sign{U'\u2190', "$\\leftarrow$"},
                            Sign{U'\u2191', "$\\uparrow$"},
                            Sign{U'\u2192', "$\\rightarrow$"},
                            Sign{U'\u2193', "$\\downarrow$"},
                            Sign{U'\u2194', "$\\leftrightarrow$"},
                            Sign{U'\u21D2', "$\\Rightarrow$"},
                            Sign{U'\u2212', "$-$"},
                            Sign{U'\u2248', "$\\approx$"},
                            Sign{U'\u2260', "$\\neq$"},
                            Sign{U'\u2264', "$\\leq$"},
                            Sign{U'\u2265', "$\\geq$"},
                            Sign{U'\u221E', "$\\infty$"},
                            Sign{U'\u221A', "$\\surd$"}};

constexpr char32_t kLastOfLatinExtendedA = 0x17F;  // LaTeX composes these characters from letters and accents
constexpr char32_t kMicro = 0xB5, kMu = 0x3BC;
constexpr char32_t kNone = 0xFFFD;

/// Removes the first character of a text in UTF-8 and returns its code; kNone for bytes that are no character.
char32_t takeCharacter(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    bool isWhole = length > 0 && length <= text.size() && byte(0) < 0xF5;
    for (std::size_t i = 1; isWhole && i < length; ++i)
        isWhole = (byte(i) & 0xC0) == 0x80;
    if (!isWhole) {
        text.remove_prefix(1);
        return kNone;
    }
    char32_t code = length == 1 ? byte(0) : byte(0) & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        code = (code << 6U) | (byte(i) & 0x3FU);
    text.remove_prefix(length);
    return code;
}

/// Returns whether LaTeX sets a character that has no sign: of ASCII, and letters of Latin-1 and Latin Extended-A.
bool isSettable(char32_t code) {
    constexpr char32_t kFeminine = 0xAA, kMasculine = 0xBA, kFirstLetter = 0xC0, kTimes = 0xD7, kDivision = 0xF7;
    if (code < 0x7F)
        return code >= U' ';
    return code == kFeminine || code == kMasculine ||
           (code >= kFirstLetter && code <= kLastOfLatinExtendedA && code != kTimes && code != kDivision);
}

}  // namespace

std::string latexText(std::string_view text, LatexUse use) {
    const bool isPicture = use == LatexUse::picture;
    std::string latex;
    while (!text.empty()) {
        const std::string_view before = text;
        const char32_t code = takeCharacter(text);
        const auto sign =
            std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& one) { return one.letter == code; });
        if (code == kMicro || code == kMu)
            latex += isPicture ? "\\figuremicro{}" : "\\textmu{}";
        else if (code == U'-' && isPicture)
            latex += "{-}";
        else if (code == U'-' && latex.ends_with('-'))
            latex += "{}-";  // so that two hyphens do not become a dash
        else if (sign != kSigns.end())
            latex += sign->latex;
        else if (isSettable(code))
            latex += before.substr(0, before.size() - text.size());
        else
            latex += '?';
    }
    return latex;
}

}  // namespace data
