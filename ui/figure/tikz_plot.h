#pragma once

#include "data/figure/figure_table.h"
#include "ui/drawing/display_list.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QString>

#include <cstddef>
#include <optional>

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

/// Returns one mark as a pgfplots plot of its table, which has been read into `macro`. Returns an empty optional if
/// pgfplots cannot draw the same picture from a table: for timelines and drawings, floating bars, stacks with negative
/// parts, areas with gaps, and tables too long for TeX's memory. These are drawn from the display list.
std::optional<QString> tikzPlot(const ReadyFigure& figure, const data::FigureTable& table, const QString& macro,
                                TikzStyles& styles);

/// Returns the definitions that the plots use: macros for cells and boxes, and the settings of all axes.
QString tikzPlotPreamble();

}  // namespace ui
