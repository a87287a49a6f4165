#pragma once

#include "data/figure/figure_spec.h"
#include "ui/look/palette.h"

#include <QFont>
#include <QString>

#include <functional>
#include <optional>
#include <stop_token>

namespace engine {
struct Experiment;
}

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// A figure of a view's content, as the view offers it.
struct FigureOffer {
    /// Draws the picture again for another size or theme. Only for pictures whose shapes depend on the width and the
    /// theme (not for marks with numbers). The function owns everything that it needs, so that the window can change in
    /// the meantime.
    using Redraw = std::function<data::DrawingMark(data::FigureSize, data::FigureTheme)>;

    data::FigureSpec figure;
    Redraw redraw;
};

/// Makes the numbers of a figure again from its source (data::FigureSpec::from) and returns it without edits. Called from
/// any thread. Throws std::exception with the reason, and engine::RunStopped once stopped.
using FigureAgain = std::function<data::FigureSpec(const data::FigureSpec& figure, const std::stop_token& stop)>;

/// Draws the figure again for its current size and theme, if its picture can be drawn again.
void redraw(data::FigureSpec& figure, const FigureOffer::Redraw& how);

/// Returns the provenance of a figure: program, engine, and the run's experiment with its document and hash. `moment`
/// is a text such as "at 412.3 µs" and may be empty.
data::FigureProvenance provenanceOf(const data::ShownRun& run, const QString& moment);
/// Returns the provenance of a figure of an experiment that was not run here, such as a sweep's base.
data::FigureProvenance provenanceOf(const engine::Experiment& experiment, const std::string& name);

/// Returns the font of drawings: the bundled font in the usual text size of figures of this size, measured as it is
/// printed.
QFont figureFont(data::FigureSize size);
/// Returns the theme of the window whose colours a theme of figures uses. Grey print starts from the colours of paper.
Theme windowTheme(data::FigureTheme theme);
/// Converts a drawing to grey for print: every colour keeps its lightness.
data::DrawingMark greyed(data::DrawingMark drawing);

/// Converts words to a file name of small letters, digits and hyphens: "t-nlg-fc-2-tp8-t3-mca".
QString fileNameOf(const QString& words);

}  // namespace ui
