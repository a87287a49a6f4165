#pragma once

#include "data/figure/figure_table.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/tikz_style.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace ui {

/// One mark as pgfplots draws it from its table, which has been read into the macro `table`. Nothing for what pgfplots
/// cannot draw from a table as the figure has it: timelines and drawings, stacks with negative parts, areas with gaps, and
/// tables that are too long for TeX's memory. Those are drawn as the display list has them.
std::optional<QString> tikzPlot(const ReadyFigure& figure, const data::FigureTable& table, const QString& macro,
                                TikzStyles& styles);

/// What the plots call: cells without a number, and what all axes share.
QString tikzPlotPreamble();

}  // namespace ui
