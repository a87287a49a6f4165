#pragma once

#include "data/figure/figure_table.h"
#include "ui/drawing/display_list.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ui {

/// Returns a text as a Python literal.
QString pythonText(const QString& text);
QString pythonText(const std::string& text);

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
    /// Returns `color=..., linewidth=..., linestyle=...`, as matplotlib has them.
    QString line(const FigurePen& pen, const QString& meaning = {});
    /// Returns a call of the script's function `dots` for the markers of a style.
    QString dots(const FigureMeasure& measure, const MarkStyle& style, const QString& meaning);

    /// Returns the definition of the dictionary with all colours used.
    QString definitions() const;

private:
    ColourNames m_colours;
};

/// The entries of the legend that panels have added: name and meaning.
using PythonEntries = std::set<std::pair<QString, QString>>;

/// Returns the lines of a script that plot a panel from its tables, with axes, ticks and names. Returns an empty
/// optional for panels with a drawing, and for those whose tables do not tell the order of their categories: these are
/// drawn from the display list.
std::optional<QString> pythonPanel(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables,
                                   std::size_t panel, PythonStyles& styles, PythonEntries& entries);

/// Returns the lines that add the other entries of the legend and draw it.
QString pythonLegend(const ReadyFigure& figure, PythonStyles& styles, const PythonEntries& entries);

}  // namespace ui
