#include "ui/figure/latex_text.h"

#include <array>

namespace ui {
namespace {

struct Sign {
    char16_t letter;
    const char* latex;
};

constexpr std::array kSigns{Sign{u'\\', "\\textbackslash{}"},
                            Sign{u'{', "\\{"},
                            Sign{u'}', "\\}"},
                            Sign{u'$', "\\$"},
                            Sign{u'&', "\\&"},
                            Sign{u'#', "\\#"},
                            Sign{u'_', "\\_"},
                            Sign{u'%', "\\%"},
                            Sign{u'~', "\\textasciitilde{}"},
                            Sign{u'^', "\\textasciicircum{}"},
                            Sign{u'<', "\\textless{}"},
                            Sign{u'>', "\\textgreater{}"},
                            Sign{u'|', "\\textbar{}"},
                            Sign{u'"', "''"},
                            Sign{u'-', "{-}"},  // two of them are not a dash
                            Sign{u'`', "\\textasciigrave{}"},
                            Sign{u'\u00A0', "~"},
                            Sign{u'\u00B0', "$^\\circ$"},
                            Sign{u'\u00B1', "$\\pm$"},
                            Sign{u'\u00B2', "$^2$"},
                            Sign{u'\u00B3', "$^3$"},
                            Sign{u'\u00B5', "\\figuremicro{}"},
                            Sign{u'\u00B7', "$\\cdot$"},
                            Sign{u'\u00D7', "$\\times$"},
                            Sign{u'\u0394', "$\\Delta$"},
                            Sign{u'\u03A3', "$\\Sigma$"},
                            Sign{u'\u03A9', "$\\Omega$"},
                            Sign{u'\u03B1', "$\\alpha$"},
                            Sign{u'\u03B2', "$\\beta$"},
                            Sign{u'\u03BB', "$\\lambda$"},
                            Sign{u'\u03BC', "\\figuremicro{}"},
                            Sign{u'\u03C3', "$\\sigma$"},
                            Sign{u'\u2013', "--"},
                            Sign{u'\u2014', "---"},
                            Sign{u'\u2018', "`"},
                            Sign{u'\u2019', "'"},
                            Sign{u'\u201C', "``"},
                            Sign{u'\u201D', "''"},
                            Sign{u'\u2026', "\\dots{}"},
                            Sign{u'\u2032', "$'$"},
                            Sign{u'\u2190', "$\\leftarrow$"},
                            Sign{u'\u2191', "$\\uparrow$"},
                            Sign{u'\u2192', "$\\rightarrow$"},
                            Sign{u'\u2193', "$\\downarrow$"},
                            Sign{u'\u2194', "$\\leftrightarrow$"},
                            Sign{u'\u21D2', "$\\Rightarrow$"},
                            Sign{u'\u2212', "$-$"},
                            Sign{u'\u2248', "$\\approx$"},
                            Sign{u'\u2260', "$\\neq$"},
                            Sign{u'\u2264', "$\\leq$"},
                            Sign{u'\u2265', "$\\geq$"},
                            Sign{u'\u221E', "$\\infty$"},
                            Sign{u'\u221A', "$\\surd$"}};

constexpr char16_t kLastOfLatinExtendedA = 0x17F;  // what LaTeX puts together from letters and accents

QString latexOf(QChar letter) {
    for (const Sign& sign : kSigns) {
        if (letter == sign.letter)
            return QLatin1String(sign.latex);
    }
    const bool settable = letter.isLetter() ? letter.unicode() <= kLastOfLatinExtendedA
                                            : letter.unicode() >= u' ' && letter.unicode() < 0x7F;
    return settable ? QString(letter) : QStringLiteral("?");
}

}  // namespace

QString latexText(const QString& text) {
    QString latex;
    for (const QChar letter : text)
        latex += latexOf(letter);
    return latex;
}

}  // namespace ui
