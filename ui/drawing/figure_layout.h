#pragma once

#include "data/figure/figure_spec.h"
#include "ui/drawing/display_list.h"

#include <QRectF>

#include <cstddef>
#include <vector>

namespace ui {

/// How an axis maps values to page coordinates.
struct AxisPlace {
    double from = 0, to = 1;
    bool logarithmic = false;
    std::vector<double> ticks;  ///< ticks with a label
};

/// The position of a bar, in units of the panel's x axis, on which the gaps before groups shift category i
/// to the right of i.
struct BarPlace {
    std::size_t mark = 0, bar = 0, category = 0;
    double left = 0, right = 0;
};

/// The position of a panel, for writers that plot from the data.
struct PanelPlace {
    QRectF plot;  ///< inside the axes
    AxisPlace x, y;
    std::vector<double> centres;  ///< centres of the categories, in units of x
    std::vector<BarPlace> bars;
};

struct LaidOutFigure {
    DisplayList list;
    std::vector<PanelPlace> panels;
    /// Something that could not be shown completely, in words: labels that were left out or overlap. The lint reports
    /// it together with violations of its rules.
    struct Shortfall {
        std::size_t panel = 0;
        QString what;
    };
    std::vector<Shortfall> shortfalls;
};

/// Lays a figure out as a display list: sizes follow from its preset, colours and hatches from its theme, margins from
/// its text. The result is the same on every machine, because text is measured with the bundled font only.
/// Precondition: data::problemsOf finds no problems. Needs a QGuiApplication for its fonts. Takes milliseconds.
LaidOutFigure layOut(const data::FigureSpec& figure);

}  // namespace ui
