#pragma once

#include "ui/look/ribbon_columns.h"

#include <QImage>

namespace ui {

struct Palette;

/// A ribbon's columns in the colours and textures of their causes, each as high as its share of the column's time; the
/// causes lie on each other in one order, so that their areas are their times at every zoom. `height` and `spacing`, of
/// the textures, are in device pixels; null where there are no columns.
QImage ribbonImage(const RibbonColumns& columns, int height, double pixelRatio, int spacing, const Palette& palette);

}  // namespace ui
