#pragma once

#include "data/figure/figure_spec.h"
#include "ui/figure/figure_axes.h"
#include "ui/figure/panel_plan.h"

#include <cstddef>

namespace ui {

/// How many categories the panel has, named or not.
std::size_t categoriesOf(const data::FigurePanel& panel);
DataReach reachOfX(const data::FigurePanel& panel);
/// Of the values alone.
DataReach valuesOfY(const data::FigurePanel& panel);
/// With the room that written values and marks need above bars that are `perUnit` points wide for each unit of x.
DataReach reachOfY(const PanelPlan& plan, double perUnit, const FigureMeasure& measure);

/// The sum of a stack's positive and of its negative values in a category; nothing where all are missing.
struct StackEnds {
    double above = 0, below = 0;
    bool any = false;
};
StackEnds stackEnds(const data::FigureBar& bar, std::size_t category);

/// How the values of a mark's bars are written: level where the widest fits beside its neighbours, else turned, else not.
struct ValueDirection {
    bool written = true;
    bool turned = false;
    double along = 0;  ///< what the longest takes in the direction of y
};
ValueDirection directionOfValues(const PanelPlan& plan, std::size_t mark, double perUnit, const FigureMeasure& measure);

/// What is written at a stack's end: its positive sum, or its negative one where there is nothing else.
double writtenValue(const StackEnds& ends);

}  // namespace ui
