#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_sheet.h"

#include <QRectF>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <vector>

namespace ui {

/// One row of names under the x axis. Names are level where they fit, else broken into lines, else turned; never cut short.
struct LabelLevel {
    struct Name {
        QString text;
        double centre = 0, left = 0, right = 0;  ///< in units of x
        QStringList lines;                       ///< as broken
    };
    std::vector<Name> names;
    bool bracketed = false;  ///< of groups: a thin line above says what belongs to it

    double size = 7;
    bool turned = false;
    std::size_t every = 1;  ///< 2: every other name was left out for want of room
    double height = 0;
};

/// Decides size, direction and breaks. `perUnit` is how many points one unit of x takes.
void fitLevel(LabelLevel& level, double perUnit, const FigureMeasure& measure);

double heightOf(const std::vector<LabelLevel>& levels, const FigureMeasure& measure);

/// Draws them one below the other from `top`. `xAt` gives the point of a unit of x.
void drawLevels(FigureSheet& sheet, const std::vector<LabelLevel>& levels, double top,
                const std::function<double(double)>& xAt);

}  // namespace ui
