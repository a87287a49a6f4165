#pragma once

#include "data/figure/figure_table.h"
#include "ui/figure/display_list.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QString>

#include <optional>

namespace ui {

/// Words as a literal of Python.
QString pythonText(const QString& text);

/// A number as Python reads it.
QString pythonNumber(double value);

/// How the script's own functions take fills and pens, their colours by name.
class PythonStyles {
public:
    QString colour(const QColor& colour, const QString& meaning = {});

    /// `fill=..., hatch=..., ink=..., edge=..., width=..., dash=...`: what there is of it.
    QString options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                    const QString& meaning = {});
    QString pen(const FigurePen& pen, const QString& meaning = {});

    /// The dictionary of all colours that have been asked for.
    QString definitions() const;

private:
    ColourNames m_colours;
};

/// The lines of a script that draw one mark from its table. Nothing for timelines and drawings, for stacks whose parts have
/// both signs and for what has no table: those are drawn as the display list has them.
std::optional<QString> pythonPlot(const ReadyFigure& figure, const data::FigureTable& table, PythonStyles& styles);

}  // namespace ui
