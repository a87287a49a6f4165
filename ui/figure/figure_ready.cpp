#include "ui/figure/figure_writers.h"

#include <utility>

namespace ui {

ReadyFigure ready(data::FigureSpec spec) {
    LaidOutFigure laidOut = layOut(spec);
    return {std::move(spec), std::move(laidOut)};
}

}  // namespace ui
