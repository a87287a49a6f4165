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
    bool apart = false;      ///< each keeps to its own room, whatever its neighbours leave free

    double size = 7;
    bool turned = false;
    std::size_t every = 1;  ///< 2: every other name was left out for want of room
    double height = 0;
};

/// Decides size, direction and breaks. `perUnit` is how many points one unit of x takes.
void fitLevel(LabelLevel& level, double perUnit, const FigureMeasure& measure);

/// Everything that is written under one x axis: levels below each other, and names that stand for a group of one, such as a
/// mean, beside the last levels.
struct CategoryNames {
    std::vector<LabelLevel> levels;
    LabelLevel apart;
    std::size_t apartFrom = 0;  ///< the level beside which they begin
    bool empty() const { return levels.empty() && apart.names.empty(); }
};

double heightOf(const CategoryNames& names, const FigureMeasure& measure);

/// Draws them from `top` down. `xAt` gives the point of a unit of x.
void drawNames(FigureSheet& sheet, const CategoryNames& names, double top, const std::function<double(double)>& xAt);

}  // namespace ui
