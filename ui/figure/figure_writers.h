#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/figure_layout.h"

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace ui {

enum class FigureFormat : std::uint8_t {
    pdf,
    svg,
    png,
    csv,
    tikz,
    python,
    spec,
    caption,
    alternative,
    latex,        ///< the lines that include the PDF in a document
    latexCaption  ///< the caption with LaTeX's special characters escaped
};

QString suffixOf(FigureFormat format);  ///< "pdf", "tex", "py", "json", "txt"
QString labelOf(FigureFormat format);   ///< "PDF", "TikZ (pgfplots)"

/// A figure with its layout and tables, which are computed once.
struct ReadyFigure {
    data::FigureSpec spec;
    LaidOutFigure laidOut;
};
ReadyFigure ready(data::FigureSpec spec);

/// Returns the figure as an image. `dpi` is 300 or 600 for print. The text keys of the PNG contain the provenance.
QImage imageOf(const ReadyFigure& figure, double dpi);
QByteArray pngOf(const ReadyFigure& figure, double dpi);

/// Returns a PDF with one page of exactly the figure's size: fonts embedded, no image unless the list has one, title,
/// provenance as XMP, and spec.json as an attachment.
QByteArray pdfOf(const ReadyFigure& figure);

/// Returns an SVG with its physical size in points, everything clipped to the page, the provenance in <metadata>, and
/// the used letters of the font embedded.
QByteArray svgOf(const ReadyFigure& figure);

/// Returns a standalone LaTeX document that reads the tables (data::tablesOf) beside it; `\input` works as well.
QByteArray tikzOf(const ReadyFigure& figure);

/// Returns a matplotlib script that reads the tables beside it and writes NAME-matplotlib.pdf with fonttype 42.
QByteArray pythonOf(const ReadyFigure& figure);

/// One file of a bundle.
struct FigureFile {
    QString name;
    QByteArray content;
};
inline constexpr double kPrintDpi = 600;  ///< what journals require of pictures with lines and text

/// Returns all files of the chosen formats; CSV may be several files. TikZ and Python include the CSV files.
std::vector<FigureFile> filesOf(const ReadyFigure& figure, const std::vector<FigureFormat>& formats,
                                double dpi = kPrintDpi);

}  // namespace ui
