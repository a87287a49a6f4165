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

/// Writes the files into a folder, made where it is not there, or into one zip where `path` ends in ".zip". Each file whole
/// or not at all; throws data::FileError with name and reason.
void writeBundle(const QString& path, const std::vector<FigureFile>& files);

struct FigureOpening {
    std::optional<data::FigureSpec> figure;
    engine::Problems problems;  ///< why there is none: the file, what it is, and what is allowed
};

/// The figure that a file carries: spec.json itself, or a PDF, PNG, SVG or zip that Ringside wrote.
FigureOpening openFigure(const QString& path);

/// The same of a file's bytes; `path` names it in messages.
FigureOpening figureIn(const QByteArray& bytes, const QString& path);

/// Whether a file's name says that it could carry one: .pdf, .svg, .png, .zip, .json.
bool mayCarryFigure(const QString& path);

/// A figure for the clipboard: as vectors (SVG, PDF) for programs that take them, as an image at 300 dots to the inch for
/// the others.
std::unique_ptr<QMimeData> mimeOf(const ReadyFigure& figure);

/// Puts it there, and says so in a sentence.
QString putOnClipboard(const ReadyFigure& figure);

/// Returns the lines that put the exported PDF into a LaTeX document: its exact width (in TeX's bp, which are the points of
/// a PDF), caption and label. A full width stands across both columns, a slide is as wide as its frame. The description is
/// a command in ACM sizes, whose class alone knows it, and a comment in the others.
QString latexOf(const data::FigureSpec& figure, double width);

/// Writes figures into a folder: each with one file beside the others, with several into a folder of its own name, or into
/// one zip. Figures of the same name are numbered. Returns what was written; throws data::FileError.
QStringList exportFigures(const QString& folder, const std::vector<ReadyFigure>& figures,
                          const std::vector<FigureFormat>& formats, bool zipped);

}  // namespace ui
