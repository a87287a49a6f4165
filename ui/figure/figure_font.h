#pragma once

#include "ui/figure/display_list.h"

#include <QFont>

namespace ui {

/// The bundled font as figures are measured and drawn with it: unhinted, at a size of its own far above any text's, so that
/// widths are those of the outlines. Scale by `size / kFigureFontSize`.
inline constexpr int kFigureFontSize = 100;
QFont figureFont(TextWeight weight);

/// The files of it, for writers that carry the font along.
QString figureFontFile(TextWeight weight);

/// From `at` to the left end of the baseline, before turning.
double leftEndOf(const TextItem& text);

}  // namespace ui
