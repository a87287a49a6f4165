#pragma once

#include "data/figure/figure_drawing.h"
#include "ui/figure/figure_sheet.h"

#include <QRectF>

namespace ui {

/// The drawing scaled to `box` without distortion, in its middle. Returns where it came to stand.
QRectF drawDrawing(FigureSheet& sheet, const data::DrawingMark& mark, const QRectF& box);

}  // namespace ui
