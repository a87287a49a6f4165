#pragma once

#include "data/figure/figure_table.h"
#include "ui/figure/display_list.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QString>

#include <cstddef>
#include <optional>

namespace ui {

/// A length as TeX has those of a PDF.
inline QString points(double length) { return plainNumber(length) + QStringLiteral("bp"); }

/// How TikZ draws fills and pens, their colours by name: a co-author changes "gemm" in one line at the top.
class TikzStyles {
public:
    QString colour(const QColor& colour, const QString& meaning = {}) { return m_colours.nameOf(colour, meaning); }

    /// The options that fill and outline a shape.
    QString options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                    const QString& meaning = {});
    QString pen(const FigurePen& pen, const QString& meaning = {});

    /// One \definecolor a line, of all colours that have been asked for.
    QString definitions() const;

private:
    ColourNames m_colours;
};

/// One mark as pgfplots draws it from its table, which has been read into the macro `table`. Nothing for what pgfplots
/// cannot draw from a table as the figure has it: timelines and drawings, stacks with negative parts, areas with gaps, and
/// tables that are too long for TeX's memory. Those are drawn as the display list has them.
std::optional<QString> tikzPlot(const ReadyFigure& figure, const data::FigureTable& table, const QString& macro,
                                TikzStyles& styles);

/// What the plots call: cells without a number, and what all axes share.
QString tikzPlotPreamble();

}  // namespace ui
