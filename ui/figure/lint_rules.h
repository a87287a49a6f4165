#pragma once

#include "ui/figure/figure_lint.h"

#include <vector>

namespace ui {

// The rules by what they look at; figure_lint.h has what they find.

/// How the figure came out: size of text, what is clipped or overlaps, images.
void lintList(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// What the figure says of its axes.
void lintAxes(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Whether its colours say anything, and stand out.
void lintPicture(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// Whether published values stand beside runs on the machine that they are of.
void lintPublished(const data::FigureSpec& figure, std::vector<LintFinding>& findings);

/// Whether its series can be told apart, and stand in the legend as they stand in the figure.
void lintSeries(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings);

/// "panel 2, Time: " where there are several.
QString panelName(const data::FigureSpec& figure, std::size_t panel);

}  // namespace ui
