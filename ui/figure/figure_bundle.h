#pragma once

#include "data/figure/figure_spec.h"
#include "engine/api/problem.h"
#include "ui/figure/figure_writers.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

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

}  // namespace ui
