#pragma once

#include "data/figure/figure_spec.h"
#include "ui/look/palette.h"

#include <QFont>
#include <QString>

#include <functional>
#include <optional>

namespace engine {
struct Experiment;
}

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// What a view gives where it is asked for a figure of what it shows.
struct FigureOffer {
    /// Only of pictures without numbers, whose shapes know their width and colours: the same picture for another size or
    /// theme. Keeps what it needs, so that the window may go on meanwhile.
    using Redraw = std::function<data::DrawingMark(data::FigureSize, data::FigureTheme)>;

    data::FigureSpec figure;
    Redraw redraw;
};

/// Draws it anew for the size and theme that it now has, where it is a picture that can be.
void redraw(data::FigureSpec& figure, const FigureOffer::Redraw& how);

/// Program, engine, the run's experiment with its document and hash. `moment`: "at 412.3 µs"; may be empty.
data::FigureProvenance provenanceOf(const data::ShownRun& run, const QString& moment);
/// The same for experiments that were not run here: a sweep's base.
data::FigureProvenance provenanceOf(const engine::Experiment& experiment, const std::string& name);

/// What drawings are painted with: the bundled font at the size that most text has in figures of this size, measured
/// as it will be printed.
QFont figureFont(data::FigureSize size);
/// The window's colours that a theme of figures stands for. Grey print starts from those of paper.
Theme windowTheme(data::FigureTheme theme);
/// For print in grey: every colour as light as it was.
data::DrawingMark greyed(data::DrawingMark drawing);

/// Small letters, digits and hyphens only, for names of files: "t-nlg-fc-2-tp8-t3-mca".
QString fileNameOf(const QString& words);

}  // namespace ui
