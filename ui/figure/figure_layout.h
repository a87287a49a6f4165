#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/display_list.h"

#include <QRectF>

#include <cstddef>
#include <vector>

namespace ui {

/// How an axis maps values to the page.
struct AxisPlace {
    double from = 0, to = 1;
    bool logarithmic = false;
    std::vector<double> ticks;  ///< those that have a label
};

/// Where a bar stands: in units of the panel's x axis, on which category i is centred somewhere above i - 1.
struct BarPlace {
    std::size_t mark = 0, bar = 0, category = 0;
    double left = 0, right = 0;
};

/// Where a panel came to stand, for writers that plot from the data.
struct PanelPlace {
    QRectF plot;  ///< inside the axes
    AxisPlace x, y;
    std::vector<double> centres;  ///< of the categories, in units of x
    std::vector<BarPlace> bars;
};

struct LaidOutFigure {
    DisplayList list;
    std::vector<PanelPlace> panels;
    /// What could not be shown whole, in words: labels that were left out or overlap. The lint adds what rules forbid.
    struct Shortfall {
        std::size_t panel = 0;
        QString what;
    };
    std::vector<Shortfall> shortfalls;
};

/// Turns a figure into what is drawn: sizes from its preset, colours and hatches from its theme, room from its text. The
/// same figure gives the same list on every machine, since it is measured with the bundled font alone. The figure has no
/// problems (data::problemsOf). Needs a QGuiApplication for its fonts. Takes milliseconds.
LaidOutFigure layOut(const data::FigureSpec& figure);

}  // namespace ui
