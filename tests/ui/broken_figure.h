#pragma once

#include "tests/ui/sample_figures.h"

namespace tests {

/// Returns bars of which one is so high that the axis leaves a part out.
inline data::FigureSpec broken() {
    data::FigureSpec figure = links();
    figure.name = "broken";
    figure.panels[0].references.clear();
    std::get<data::BarMark>(figure.panels[0].marks[0]).bars[0].stack[0].values[2] = 8.3;
    figure.panels[0].y.from = 0;
    figure.panels[0].y.breakFrom = 1.6;
    figure.panels[0].y.breakTo = 7;
    return figure;
}

}  // namespace tests
