#pragma once

#include "ui/figure/figure_lint.h"

#include <QCoreApplication>

#include <vector>

namespace ui {

// The rules of the lint, grouped by what they check; figure_lint.h declares their findings.

/// Checks the layout: text sizes, clipped or overlapping items, images.
void lintList(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Checks the axes.
void lintAxes(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Checks whether colours distinguish states, and whether texts and symbols have enough contrast.
void lintPicture(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Checks whether the series look different, and whether the legend lists them in the order of the figure.
void lintSeries(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Checks whether readers can tell lines, error bars and the samples of the legend.
void lintMarks(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Translates the text of a finding.
inline QString lintText(const char* text) { return QCoreApplication::translate("FigureLint", text); }

/// Returns a fix: a function that applies `change` to a copy of the figure and returns the copy.
template <class Change>
auto mending(Change change) {
    return [change](data::FigureSpec figure) {
        change(figure);
        return figure;
    };
}

}  // namespace ui
