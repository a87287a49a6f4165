#pragma once

#include "data/figure/figure_table.h"
#include "ui/drawing/display_list.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QString>

#include <optional>

namespace ui {

/// Returns a text as a Python literal.
QString pythonText(const QString& text);

/// Returns a number as a Python literal.
QString pythonNumber(double value);

/// Writes fills and pens as arguments of the script's functions, with named colours.
class PythonStyles {
public:
    QString colour(const QColor& colour, const QString& meaning = {});

    /// Returns `fill=..., hatch=..., ink=..., edge=..., width=..., dash=...`, as far as they apply.
    QString options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                    const QString& meaning = {});
    QString pen(const FigurePen& pen, const QString& meaning = {});

    /// Returns the definition of the dictionary with all colours used.
    QString definitions() const;

private:
    ColourNames m_colours;
};

/// Returns the lines of a script that draw one mark from its table. Returns an empty optional for timelines, drawings,
/// stacks with negative parts or, if they float, with parts of both signs, and marks without a table: these are drawn from the display list.
std::optional<QString> pythonPlot(const ReadyFigure& figure, const data::FigureTable& table, PythonStyles& styles);

}  // namespace ui
