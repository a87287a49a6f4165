#pragma once

#include "ui/figure/figure_lint.h"

#include <QCoreApplication>

#include <vector>

namespace ui {

// The rules by what they look at; figure_lint.h has what they find.

/// How the figure came out: size of text, what is clipped or overlaps, images.
void lintList(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// What the figure says of its axes.
void lintAxes(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Whether its colours say anything, and stand out.
void lintPicture(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Whether its series can be told apart, and stand in the legend as they stand in the figure.
void lintSeries(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Returns the words of a finding in the language of the window.
inline QString lintText(const char* text) { return QCoreApplication::translate("FigureLint", text); }

/// Returns a fix: a copy of a figure, changed by `change`.
template <class Change>
auto mending(Change change) {
    return [change](data::FigureSpec figure) {
        change(figure);
        return figure;
    };
}

}  // namespace ui
