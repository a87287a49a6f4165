#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_layout.h"

#include <QByteArray>
#include <QImage>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

class QPainter;

namespace ui {

enum class FigureFormat : std::uint8_t { pdf, svg, png, csv, tikz, python, spec, caption, alternative };

QString suffixOf(FigureFormat format);  ///< "pdf", "tex", "py", "json", "txt"
QString labelOf(FigureFormat format);   ///< "PDF", "TikZ (pgfplots)"

/// A figure with what was made of it once.
struct ReadyFigure {
    data::FigureSpec spec;
    LaidOutFigure laidOut;
};
ReadyFigure ready(data::FigureSpec spec);

/// Draws onto anything; the painter's unit is a point.
void paint(QPainter& painter, const DisplayList& list);

/// `dpi` 300 or 600 for print. Provenance stands in the text keys of the PNG.
QImage imageOf(const ReadyFigure& figure, double dpi);
QByteArray pngOf(const ReadyFigure& figure, double dpi);

/// One page of exactly the figure's size; fonts embedded, no image unless the list has one; title, provenance as XMP; with
/// spec.json attached.
QByteArray pdfOf(const ReadyFigure& figure);

/// Physical size in points, everything clipped to the page, provenance in <metadata>, the used letters of the font inside.
QByteArray svgOf(const ReadyFigure& figure);

/// A standalone LaTeX document that reads the tables (data::tablesOf) beside it; `\input` works as well.
QByteArray tikzOf(const ReadyFigure& figure);

/// A matplotlib script that reads the tables beside it and writes NAME-matplotlib.pdf with fonttype 42.
QByteArray pythonOf(const ReadyFigure& figure);

/// One file of a bundle.
struct FigureFile {
    QString name;
    QByteArray content;
};
inline constexpr double kPrintDpi = 600;  ///< what journals ask of pictures with lines and text

/// All files of the chosen formats; CSV may be several. TikZ and Python bring the CSV along.
std::vector<FigureFile> filesOf(const ReadyFigure& figure, const std::vector<FigureFormat>& formats,
                                double dpi = kPrintDpi);

}  // namespace ui
