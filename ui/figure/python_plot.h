#pragma once

#include "data/figure/figure_table.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/python_style.h"

#include <QString>

#include <optional>

namespace ui {

/// The lines of a script that draw one mark from its table. Nothing for timelines and drawings, for stacks whose parts have
/// both signs and for what has no table: those are drawn as the display list has them.
std::optional<QString> pythonPlot(const ReadyFigure& figure, const data::FigureTable& table, PythonStyles& styles);

}  // namespace ui
