#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"
#include "ui/figure/figure_writers.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

class QMimeData;

namespace ui {

/// Writes the files into a folder, which is created if necessary, or into one zip if `path` ends in ".zip". Each file
/// is written completely or not at all. Throws data::FileError with name and reason.
void writeBundle(const QString& path, const std::vector<FigureFile>& files);

struct FigureOpening {
    std::optional<data::FigureSpec> figure;
    engine::Problems problems;  ///< why there is no figure: the file, what it contains, and what is allowed
};

/// Reads the figure that a file contains: spec.json itself, or a PDF, PNG, SVG or zip that Ringside wrote.
FigureOpening openFigure(const QString& path);

/// Reads the figure from a file's bytes; `path` names the file in messages.
FigureOpening figureIn(const QByteArray& bytes, const QString& path);

/// Returns whether a file of this name could contain a figure: .pdf, .svg, .png, .zip, .json.
bool mayCarryFigure(const QString& path);

/// Returns a figure for the clipboard: as vectors (SVG, PDF) for programs that accept them, and as an image at 300 dots
/// per inch for others.
std::unique_ptr<QMimeData> mimeOf(const ReadyFigure& figure);

/// Copies a figure to the clipboard and returns a sentence that says so.
QString putOnClipboard(const ReadyFigure& figure);

/// Returns the lines that include the exported PDF in a LaTeX document: its exact width (in TeX's bp, which are the
/// points of a PDF), caption, label and alternative text (`alt`, which graphicx knows since 2021). A full-width figure
/// spans both columns, and a slide is as wide as its frame. In ACM sizes the description is a command as well, which only
/// the ACM class defines.
QString latexOf(const data::FigureSpec& figure, double width);

/// Writes figures into a folder: a figure with one file directly, a figure with several files in a folder of its own
/// name, or all in one zip. Figures of the same name are numbered. Returns the written paths; throws data::FileError.
QStringList exportFigures(const QString& folder, const std::vector<ReadyFigure>& figures,
                          const std::vector<FigureFormat>& formats, bool zipped);

}  // namespace ui
