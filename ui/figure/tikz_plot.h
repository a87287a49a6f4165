#pragma once

#include "data/figure/figure_table.h"
#include "ui/drawing/display_list.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// Returns a length in bp, TeX's unit for the points of a PDF.
inline QString points(double length) { return plainNumber(length) + QStringLiteral("bp"); }

/// Writes fills and pens as TikZ options with named colours, so that a co-author can change "gemm" in one line at the
/// top.
class TikzStyles {
public:
    QString colour(const QColor& colour, const QString& meaning = {}) { return m_colours.nameOf(colour, meaning); }

    /// Returns the options that fill and outline a shape.
    QString options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                    const QString& meaning = {});
    QString pen(const FigurePen& pen, const QString& meaning = {});

    /// Returns a line with \definecolor for each colour that was used.
    QString definitions() const;

private:
    ColourNames m_colours;
};

/// Returns the name of the macro that holds a table.
QString tableMacro(std::size_t table);

/// Returns a name as a cell of a table in the document has it.
QString keyText(const std::string& name);

/// Returns the anchor of a node for a text: "base west".
const char* anchorOfText(const TextItem& text);

/// Returns whether a table has spans of a timeline and is too long for TeX, or has times too far from the axis. If so,
/// its rows become the spans that are drawn, as far as they are drawn.
bool thinSpans(const ReadyFigure& figure, data::FigureTable& table);

/// Returns a panel as an axis of pgfplots that plots its tables, which have been read into their macros. Returns an empty
/// optional if pgfplots cannot draw the same picture from the tables: for drawings, floating bars, stacks with negative
/// parts, bars and areas from a zero above a break, areas with gaps, points with sizes, and tables too long for TeX's
/// memory. These are drawn from the display list.
std::optional<QString> tikzPanel(const ReadyFigure& figure, const std::vector<data::FigureTable>& tables,
                                 std::size_t panel, TikzStyles& styles);

/// Returns the legend of the figure, for figures whose panels are all axes.
QString tikzLegend(const ReadyFigure& figure, TikzStyles& styles);

}  // namespace ui
